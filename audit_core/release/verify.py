"""The proof of a release: NEW is OLD with the changes of the ledger, and nothing else differs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from audit_core.audit_report.wording import counted
from audit_core.domain import JsonObject
from audit_core.importers.bundle_judgments import DESIGN_ENDING
from audit_core.importers.bundle_schema import EVIDENCE, KEYS, MAIN_TABLES, frame_columns
from audit_core.release.comparing import Difference, Findings, compare_tables, shown
from audit_core.release.corrected import UNCHANGED, CorrectedQuery, corrected_frames, is_one_of
from audit_core.release.hashed_texts import with_hashed_texts
from audit_core.release.in_order import hash_in_order
from audit_core.release.ledger_reading import Ledger
from audit_core.release.ledger_rows import DatasetReference
from audit_core.release.proving_files import prove_attachments, prove_media
from audit_core.release.rebuilding import rebuilt_queries
from audit_core.release.sides import Side
from audit_core.release.summary import change_counts
from audit_core.release.verification import Verification

if TYPE_CHECKING:
    import polars as pl

#: Told what is being done and the share of the whole that is done; may raise to stop.
Report = Callable[[str, float], None]
#: So many files that are no part of the format are named.
EXTRA_NAMED = 20
_INFO = ("name", "license", "page_numbering", "box_units", "sources")


def verify_release(old: Side, ledger: Ledger, new: Side, *, report: Report | None = None) -> Verification:
    """Return whether NEW is what the ledger makes of OLD; every difference is named by file, row and field."""
    tell = report or (lambda step, share: None)
    findings = Findings()
    for fault in ledger.faults:
        findings.say(ledger.name, fault)
    tell("checking what is declared", 0.0)
    _check_info(old, ledger, new, findings)
    tell("rebuilding the queries", 0.05)
    corrected = rebuilt_queries(old, ledger, findings)
    _check_oddities(old, new, findings)
    tell("comparing tables", 0.1)
    rebuilt = _compare_main(old, new, corrected, ledger, findings)
    gone = {query_id for query_id, each in corrected.items() if each.loses_attached_rows}
    _compare_sets(old, new, gone, findings)
    tell("comparing runs", 0.4)
    prove_attachments(old, new, gone, findings, lambda part: tell("comparing runs", 0.4 + 0.3 * part))
    media = prove_media(old, new, findings, lambda part: tell("comparing page files", 0.7 + 0.3 * part))
    _check_references(new, corrected, findings)
    _note_extra(new, findings)
    ordered = new.content_hash
    if findings.reordered and not findings.total:
        tell("hashing NEW in the order of OLD", 0.99)
        ordered = hash_in_order(old, new, rebuilt, gone, findings.reordered)
    tell("done", 1.0)
    return _verification(old, new, ledger, corrected, findings, media, ordered)


def _verification(
    old: Side, new: Side, ledger: Ledger, corrected: Mapping[str, CorrectedQuery], findings: Findings, media: int,
    ordered: str,
) -> Verification:  # fmt: skip
    states = Counter(each.status for each in corrected.values())
    withdrawn, same = states.pop("withdrawn", 0), states.pop("unchanged", 0)
    changed = sum(states.values())
    kinds = Counter(each.kind for each in new.attachments)
    counts = {
        "changes": len(ledger.rows), "changed": changed, "withdrawn": withdrawn,
        "unchanged": old.tables["queries"].height - changed - withdrawn,
        **{name: new.tables[name].height for name in ("documents", "pages", "elements", "queries", "evidence")},
        "runs": kinds["run"], "embeddings": kinds["embedding"], "media": media,
    }  # fmt: skip
    if same:
        findings.notes.append(
            f"The rows of {counted(same, 'query', 'queries')} undo one another, so that {'it is' if same == 1 else 'these are'} "
            "as before."
        )
    actions = dict(sorted(Counter(each.action for each in ledger.rows).items()))
    return Verification(
        old.content_hash,
        new.content_hash,
        ordered,
        counts,
        actions,
        tuple(findings.differences),
        findings.total,
        tuple(findings.notes),
        _certified(old, new, ledger, corrected, counts, actions, ordered),
    )


def _certified(
    old: Side, new: Side, ledger: Ledger, corrected: Mapping[str, CorrectedQuery], counts: Mapping[str, int],
    actions: Mapping[str, int], ordered: str,
) -> JsonObject:  # fmt: skip
    """Return the parts of a certificate that follow from the files, as they come out of them."""
    statuses = Counter(each.status for each in corrected.values())
    statuses[UNCHANGED] += old.tables["queries"].height - len(corrected)
    queries = new.tables["queries"].height
    return {
        "dataset": DatasetReference(old.info.name, old.info.revision, old.content_hash).as_json(),
        "result": DatasetReference(new.info.name, new.info.revision, ordered).as_json(),
        "license": new.info.license,
        "ids_only": ledger.is_ids_only,
        "counts": {
            **change_counts(ledger.rows), "by_status": {name: statuses[name] for name in sorted(+statuses)},
            "queries_before": old.tables["queries"].height, "queries_after": queries,
            "without_evidence": queries - new.tables["evidence"]["query_row"].n_unique(),
        },
        # A copy of NEW has its page files with it or not, whatever the release had.
        "verification": {
            "proved": True, "actions": dict(actions),
            "counts": {name: count for name, count in counts.items() if name != "media"},
        },
    }  # fmt: skip


def _note_extra(new: Side, findings: Findings) -> None:
    if not new.extra:
        return
    named = ", ".join(new.extra[:EXTRA_NAMED])
    more = f" and {len(new.extra) - EXTRA_NAMED:,} more" if len(new.extra) > EXTRA_NAMED else ""
    are = "is no part of the format and was" if len(new.extra) == 1 else "are no part of the format and were"
    findings.notes.append(f"{counted(len(new.extra), 'file', 'files')} in NEW {are} not compared: {named}{more}.")


def _check_info(old: Side, ledger: Ledger, new: Side, findings: Findings) -> None:
    said = ledger.dataset
    for name, there, expected in (
        ("name", old.info.name, said.name), ("revision", old.info.revision, said.revision),
    ):  # fmt: skip
        if there != expected:
            findings.say("OLD dataset.json", f"found {there!r}; the ledger is of {expected!r}", field=name)
    if old.content_hash != said.hash:
        findings.say(
            "OLD",
            f"its content hash is {old.content_hash}; the ledger is of {said.hash}: some row, or the order of the rows, is another",
        )
    for name in _INFO:
        one, other = getattr(old.info, name), getattr(new.info, name)
        if one != other:
            findings.say("dataset.json", f"found {other!r}; expected {one!r}", field=name)
    if old.info.revision == new.info.revision:
        findings.say("dataset.json", f"NEW is called revision {new.info.revision!r} as OLD is", field="revision")


def _check_oddities(old: Side, new: Side, findings: Findings) -> None:
    """An oddity that reading evens out would hide a change: what the exporter writes has none."""
    for each in new.oddities:
        if each not in old.oddities:
            findings.say("NEW", f"{each}, and not so many in OLD")
    known = {_without_form(each) for each in old.warnings}
    for each in new.warnings:
        if _without_form(each) not in known:
            findings.say("NEW", f"{each} OLD has no such thing.")


def _without_form(warning: str) -> str:
    """Return a warning as it is for a file of either form."""
    return warning.replace(".jsonl", "").replace(".parquet", "")


def _compare_main(
    old: Side, new: Side, corrected: Mapping[str, CorrectedQuery], ledger: Ledger, findings: Findings
) -> dict[str, pl.DataFrame]:
    """Compare the main tables; return queries and evidence as the ledger makes them, texts as NEW has them where it hides them."""
    for name in ("documents", "pages", "elements"):
        columns = [each for each, _ in frame_columns(MAIN_TABLES[name])]
        compare_tables(
            old.tables[name],
            new.tables[name],
            keys=KEYS[name],
            columns=columns,
            file=new.files[name],
            findings=findings,
        )
    queries, evidence = corrected_frames(old.tables["queries"], old.tables["evidence"], corrected)
    found = new.tables["queries"]
    if ledger.is_ids_only:
        found = with_hashed_texts(found, corrected)
    columns = [each for each, _ in frame_columns(MAIN_TABLES["queries"])]
    file = new.files["queries"]
    compare_tables(queries, found, keys=KEYS["queries"], columns=columns, file=file, findings=findings)
    _compare_evidence(_named(queries, evidence), _named(found, new.tables["evidence"]), file, findings)
    if ledger.is_ids_only:
        texts = new.tables["queries"].select("query_id", "text", "answer")
        queries = queries.drop("text", "answer").join(texts, on="query_id", how="left", maintain_order="left")
    return {"queries": queries, "evidence": evidence}


def _named(queries: pl.DataFrame, evidence: pl.DataFrame) -> pl.DataFrame:
    return evidence.with_columns(query_id=queries["query_id"].gather(evidence["query_row"]))


def _compare_evidence(expected: pl.DataFrame, found: pl.DataFrame, file: str, findings: Findings) -> None:
    """Compare pieces of evidence by query and place in its list; their order within a query counts, as the content hash says."""
    columns = [each for each, _ in frame_columns(EVIDENCE)]
    own = Findings()
    compare_tables(expected, found, keys=("query_id", "position"), columns=columns, file=file, findings=own)
    findings.total += own.total - len(own.differences)
    for each in own.differences:
        query, _, position = (each.key or "").rpartition(", position ")
        row = None if each.row is None else int(found["query_row"][each.row - 1]) + 1
        part = f"evidence[{position}]" + (f".{each.field}" if each.field else "")
        message = each.message.replace("the row", "the piece of evidence")
        findings.add(Difference(file, row, query, part, message))


def _compare_sets(old: Side, new: Side, gone: set[str], findings: Findings) -> None:
    """Compare judgments and labels that NEW has; those that it leaves out are said."""
    for stem, (frame, keys) in new.sets.items():
        if stem not in old.sets:
            findings.say(stem, "OLD has no such file, and the ledger adds none")
            continue
        _compare_design(old, new, stem, findings)
        expected = old.sets[stem][0].filter(~is_one_of("query_id", gone))
        names = [each for each in keys if each in frame.columns]
        compare_tables(expected, frame, keys=names, columns=frame.columns, file=stem, findings=findings)
    left_out = sorted(set(old.sets) - set(new.sets))
    if left_out:
        findings.notes.append(f"NEW leaves out what people said of OLD: {', '.join(left_out)}.")


def _compare_design(old: Side, new: Side, stem: str, findings: Findings) -> None:
    """The sample design beside judgments says how they were drawn: it stays with them as it is."""
    one, other = old.designs.get(stem), new.designs.get(stem)
    if json.dumps(one, sort_keys=True) != json.dumps(other, sort_keys=True):
        file = f"{stem}{DESIGN_ENDING}"
        names = sorted({*(one or {}), *(other or {})})
        wrong = [each for each in names if (one or {}).get(each) != (other or {}).get(each)]
        findings.say(
            file, f"found {shown(other)}; expected {shown(one)}", field=", ".join(wrong) if one and other else None
        )


def _check_references(new: Side, corrected: Mapping[str, CorrectedQuery], findings: Findings) -> None:
    """Every piece of evidence of a changed query leads to a page, and to an element where it names one."""
    import polars as pl

    evidence = _named(new.tables["queries"], new.tables["evidence"])
    lost = evidence.filter(
        pl.col("page_row").is_null() | (pl.col("element_id").is_not_null() & pl.col("element_row").is_null())
    )
    for row in lost.iter_rows(named=True):
        name, value = ("page_id", row["page_id"]) if row["page_row"] is None else ("element_id", row["element_id"])
        if row["query_id"] in corrected:
            message = f"{name} {value!r} is nowhere in NEW"
            findings.add(
                Difference(
                    new.files["queries"],
                    None,
                    f"query_id {row['query_id']!r}",
                    f"evidence[{row['position']}].{name}",
                    message,
                )
            )
    if old := sum(each not in corrected for each in lost["query_id"]):
        findings.notes.append(
            f"{counted(old, 'piece of evidence of another query leads', 'pieces of evidence of other queries lead')} nowhere, "
            "as in OLD (a lenient import)."
        )

"""The proof of a release: NEW is OLD with the changes of the ledger, and nothing else differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from audit_core.audit_report.wording import counted
from audit_core.corrections.records import Action, Change
from audit_core.domain import JsonObject
from audit_core.errors import CorrectionStale
from audit_core.importers.bundle_schema import EVIDENCE, KEYS, MAIN_TABLES, frame_columns
from audit_core.release.comparing import Difference, Findings, compare_tables
from audit_core.release.corrected import (
    CorrectedQuery,
    correct,
    corrected_frames,
    is_one_of,
    page_places,
    pages_named,
    stored_queries,
)
from audit_core.release.hashed_texts import with_hashed_text, with_hashed_texts
from audit_core.release.ledger_reading import Ledger
from audit_core.release.ledger_rows import STRUCTURE, LedgerRow
from audit_core.release.proving_files import prove_attachments, prove_media
from audit_core.release.sides import Side

if TYPE_CHECKING:
    import polars as pl

#: Told what is being done and the share of the whole that is done; may raise to stop.
Report = Callable[[str, float], None]
#: How what is compared is called, one and several.
WORDS = {
    "documents": ("document", "documents"), "pages": ("page", "pages"), "elements": ("element", "elements"),
    "queries": ("query", "queries"), "evidence": ("piece of evidence", "pieces of evidence"), "runs": ("run", "runs"),
    "embeddings": ("embedding", "embeddings"), "media": ("page file", "page files"),
}  # fmt: skip
_INFO = ("name", "license", "page_numbering", "box_units", "sources")


@dataclass(frozen=True, slots=True)
class Verification:
    """What a proof found. `differences` are the first ones of `total`; none means that the release is proved.

    `counts`: changes (rows of the ledger), their actions, changed and withdrawn queries, rows of each table compared.
    """

    old_hash: str
    new_hash: str
    counts: Mapping[str, int]
    actions: Mapping[str, int]
    differences: tuple[Difference, ...]
    total: int
    notes: tuple[str, ...]

    @property
    def is_proved(self) -> bool:
        """Whether NEW is OLD with the changes of the ledger, and nothing else."""
        return self.total == 0

    def as_json(self) -> JsonObject:
        """Return it as one JSON document."""
        return {
            "proved": self.is_proved, "old_hash": self.old_hash, "new_hash": self.new_hash, "counts": dict(self.counts),
            "actions": dict(self.actions), "differences": [each.as_json() for each in self.differences],
            "differences_total": self.total, "notes": list(self.notes),
        }  # fmt: skip

    def sentences(self) -> list[str]:
        """Return in words what was compared and what came of it."""
        counts = self.counts
        actions = ", ".join(f"{count:,} {name}" for name, count in self.actions.items())
        lines = [
            f"{counted(counts['changes'], 'row', 'rows')} of the ledger ({actions}): {counted(counts['changed'], 'query', 'queries')} "
            f"changed, {counts['withdrawn']:,} withdrawn, {counts['unchanged']:,} unchanged.",
            f"Compared: {', '.join(counted(counts[name], *words) for name, words in WORDS.items())}.",
            *self.notes,
        ]  # fmt: skip
        if self.is_proved:
            return [*lines, "Proved: NEW is OLD with the changes of the ledger, and nothing else differs."]
        listed = [f"  {each}" for each in self.differences]
        more = [f"  and {self.total - len(listed):,} more"] if self.total > len(listed) else []
        return [*lines, f"NOT proved: {self.total:,} difference{'s' * (self.total > 1)}.", *listed, *more]


def verify_release(old: Side, ledger: Ledger, new: Side, *, report: Report | None = None) -> Verification:
    """Return whether NEW is what the ledger makes of OLD; every difference is named by file, row and field."""
    tell = report or (lambda step, share: None)
    findings = Findings()
    for fault in ledger.faults:
        findings.say(ledger.name, fault)
    tell("checking what is declared", 0.0)
    _check_info(old, ledger, new, findings)
    tell("rebuilding the queries", 0.05)
    corrected = _rebuilt(old, ledger, new, findings)
    _check_oddities(old, new, findings)
    tell("comparing tables", 0.1)
    _compare_main(old, new, corrected, ledger, findings)
    gone = {query_id for query_id, each in corrected.items() if each.loses_attached_rows}
    _compare_sets(old, new, gone, findings)
    tell("comparing runs", 0.4)
    prove_attachments(old, new, gone, findings, lambda part: tell("comparing runs", 0.4 + 0.3 * part))
    media = prove_media(old, new, findings, lambda part: tell("comparing page files", 0.7 + 0.3 * part))
    _check_references(new, corrected, findings)
    tell("done", 1.0)
    return _verification(old, new, ledger, corrected, findings, media)


def _verification(
    old: Side, new: Side, ledger: Ledger, corrected: Mapping[str, CorrectedQuery], findings: Findings, media: int
) -> Verification:
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
        findings.notes.append(f"The rows of {same:,} queries undo one another, so that these are as before.")
    actions = dict(sorted(Counter(each.action for each in ledger.rows).items()))
    return Verification(
        old.content_hash,
        new.content_hash,
        counts,
        actions,
        tuple(findings.differences),
        findings.total,
        tuple(findings.notes),
    )


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


def _rebuilt(old: Side, ledger: Ledger, new: Side, findings: Findings) -> dict[str, CorrectedQuery]:
    """Return the queries that the ledger changes, as it makes them out of OLD; a row that cannot be applied is a difference."""
    by_query = ledger.by_query()
    stored = stored_queries(old.tables["queries"], old.tables["evidence"], by_query)
    if ledger.is_ids_only:
        stored = {query_id: with_hashed_text(each) for query_id, each in stored.items()}
    changes = {query_id: [_change(each) for each in rows if not each.is_derived] for query_id, rows in by_query.items()}
    named = pages_named(stored, [each for own in changes.values() for each in own])
    places = page_places(old.tables["pages"], named)
    corrected: dict[str, CorrectedQuery] = {}
    for query_id, rows in by_query.items():
        if query_id not in stored:
            findings.say(ledger.name, f"row {rows[0].row} is of query {query_id!r}, which is not in OLD")
            continue
        try:
            corrected[query_id] = correct(stored[query_id], changes[query_id], places)
        except CorrectionStale as error:
            findings.say(
                ledger.name, f"row{'s' * (len(rows) > 1)} {', '.join(str(each.row) for each in rows)}: {error}"
            )
            continue
        _check_structure(rows, corrected[query_id], ledger.name, findings)
    return corrected


def _change(row: LedgerRow) -> Change:
    return Change(row.query_id, Action(row.action), row.key, row.before, row.after)


def _check_structure(rows: list[LedgerRow], corrected: CorrectedQuery, file: str, findings: Findings) -> None:
    said = [(each.before, each.after) for each in rows if each.action == STRUCTURE]
    one, other = corrected.structure_before, corrected.structure_after
    expected = [(one, other)] if one != other else []
    if said != expected:
        query_id = corrected.before.query_id
        words = f"from {one} to {other}" if expected else "no change"
        findings.say(
            file,
            f"the structure of query {query_id!r} is recomputed as {words}, but the ledger says {said or 'nothing of it'}",
        )


def _compare_main(
    old: Side, new: Side, corrected: Mapping[str, CorrectedQuery], ledger: Ledger, findings: Findings
) -> None:
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
        expected = old.sets[stem][0].filter(~is_one_of("query_id", gone))
        names = [each for each in keys if each in frame.columns]
        compare_tables(expected, frame, keys=names, columns=frame.columns, file=stem, findings=findings)
    left_out = sorted(set(old.sets) - set(new.sets))
    if left_out:
        findings.notes.append(f"NEW leaves out what people said of OLD: {', '.join(left_out)}.")


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
            f"{old:,} pieces of evidence of other queries lead nowhere, as in OLD (a lenient import)."
        )

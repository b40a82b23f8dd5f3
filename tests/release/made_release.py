"""A generated bundle of thousands of queries, corrections of them of every action, and the release that they make."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from audit_core.corrections.applying import structure_of
from audit_core.corrections.records import Action, Change, Correction, CorrectionState
from audit_core.datasets.build import build_revision
from audit_core.datasets.revision import Revision, open_revision
from audit_core.exporters.bundle import write_bundle
from audit_core.importers.bundle import read_bundle
from audit_core.release.corrected import page_places, pages_named, stored_queries
from audit_core.release.corrected_source import corrected_source
from audit_core.release.ledger import Corrected, ledger_text, make_ledger
from audit_core.release.ledger_reading import read_ledger
from audit_core.release.ledger_rows import DatasetReference
from audit_core.release.sides import read_side
from audit_core.release.verification import Verification
from audit_core.release.verify import verify_release
from tests.importers.small_bundle import write_lines

Row = dict[str, Any]
PAGES_A_DOCUMENT = 12
SIZE = {"width": 100, "height": 200}


def generated_bundle(folder: Path, queries: int, *, seed: int = 7) -> Path:
    """Write a bundle of so many queries, each with one to three pieces of evidence, with runs in both forms, an embedding, labels."""
    chance = random.Random(seed)
    documents = max(4, queries // 20)
    (folder / "images").mkdir(parents=True)
    for number in range(10):
        (folder / "images" / f"i{number}.png").write_bytes(b"image %d" % number)
    pages = [
        {"page_id": f"d{d}p{p}", "document_id": f"d{d}", "page_index": p, "printed_label": f"{p + 1}",
         "image": f"images/i{p % 10}.png", **SIZE}
        for d in range(documents) for p in range(PAGES_A_DOCUMENT)
    ]  # fmt: skip
    places = {str(each["page_id"]): (str(each["document_id"]), int(str(each["page_index"]))) for each in pages}
    elements = [
        {"document_id": f"d{d}", "element_id": f"d{d}e{p}", "kind": "Text", "page_id": f"d{d}p{p}", "box": [int(p > 0), 2, 30, 40],
         "text": f"Element {p} of document {d}."}
        for d in range(documents) for p in range(PAGES_A_DOCUMENT)
    ]  # fmt: skip
    rows = [_query(number, documents, places, chance) for number in range(queries)]
    info = {
        "format": "assay-bundle", "format_version": 1, "name": "made", "revision": "1", "license": "CC0-1.0",
        "page_numbering": "0-based", "box_units": "pixel", "sources": ["wiki", "law"],
    }  # fmt: skip
    (folder / "dataset.json").write_text(json.dumps(info))
    made = [
        {"document_id": f"d{d}", "source": "wiki", "domain": "x", "title": f"Title {d}", "page_count": PAGES_A_DOCUMENT}
        for d in range(documents)
    ]
    tables = {"documents": made, "pages": pages, "elements": elements, "queries": rows}
    for name, table in tables.items():
        write_lines(folder / f"{name}.jsonl", table)
    _write_extras(folder, [str(each["query_id"]) for each in rows], list(places))
    return folder


def _query(number: int, documents: int, places: dict[str, tuple[str, int]], chance: random.Random) -> Row:
    document = chance.randrange(documents)
    chosen = chance.sample(range(PAGES_A_DOCUMENT), chance.choice((1, 1, 2, 3)))
    evidence: list[Row] = []
    for page in chosen:
        piece: Row = {"page_id": f"d{document}p{page}", "document_id": f"d{document}"}
        if chance.random() < 0.7:
            piece |= {"element_id": f"d{document}e{page}", "box": [1.0, 2.0, 30.0, 40.0], "kind": "Text"}
        evidence.append(piece)
    answer = {"answer": f"Answer number {number}."} if number % 5 else {}
    return {
        "query_id": f"q{number}", "text": f"What does line {number} of the register say?", **answer,
        "source": ("wiki", "law")[number % 2], "domain": "x", "evidence_structure": structure_of(evidence, places),
        "evidence": evidence,
    }  # fmt: skip


def _write_extras(folder: Path, ids: Sequence[str], pages: Sequence[str]) -> None:
    import polars as pl

    lines = [
        (each, pages[(7 * at + rank) % len(pages)], rank, 10.0 / rank)
        for at, each in enumerate(ids)
        for rank in (1, 2, 3)
    ]
    (folder / "runs").mkdir()
    text = "".join(f"{query} Q0 {page} {rank} {score!r} bm25\n" for query, page, rank, score in lines)
    (folder / "runs" / "bm25.trec").write_text(text)
    columns = ("query_id", "page_id", "rank", "score")
    pl.DataFrame(lines, schema=columns, orient="row").write_parquet(folder / "runs" / "dense.parquet")
    (folder / "embeddings").mkdir()
    vectors = np.random.default_rng(1).normal(size=(len(ids), 4)).astype(np.float32)
    np.save(folder / "embeddings" / "model.npy", vectors)
    (folder / "embeddings" / "model.ids.txt").write_text("".join(f"{each}\n" for each in ids))
    (folder / "labels").mkdir()
    write_lines(
        folder / "labels" / "gold.jsonl", [{"query_id": each, "remove": False, "annotator": "Zoe"} for each in ids[:50]]
    )


def revision_of(bundle: Path, root: Path, *, lenient: bool = False) -> Revision:
    """Return the bundle as a stored revision below `root`."""
    return open_revision(build_revision(read_bundle(bundle, lenient=lenient), root))


def correction(change: Change, number: int, **options: Any) -> Correction:
    """Return an accepted correction."""
    return Correction(
        **{"id": number, "revision": 1, "change": change, "state": CorrectionState.ACCEPTED, "code": "E", "reason": "looked up",
           "author": "annotator-ab12", "reviewer": "annotator-cd34", "annotators": ("annotator-ab12", "annotator-ef56"),
           "agreeing": 2, "campaign": "audit", **options}
    )  # fmt: skip


def some_corrections(revision: Revision, count: int, *, seed: int = 3) -> list[Correction]:
    """Return so many corrections, of every action, each on another query."""
    chance = random.Random(seed)
    ids = revision.table("queries").select("query_id").collect()["query_id"].to_list()
    chosen = sorted(chance.sample(ids, count))
    stored = stored_queries(revision.table("queries").collect(), revision.table("evidence").collect(), chosen)
    actions = list(Action)
    found = []
    for number, query_id in enumerate(chosen, start=1):
        action = actions[number % len(actions)]
        change = _change(stored[query_id].content, action)
        code = {"reword": "F", "re-answer": "F", "drop-page": "U", "withdraw": "N"}.get(change.action, "E")
        found.append(correction(change, number, code=code))
    return found


def _change(content: Any, action: Action) -> Change:
    """Return a change of that action, or one near to it where the query has nothing for it."""
    first = content.evidence[0]
    key = {"page_id": first["page_id"], "set_id": None}
    boxed = next((each for each in content.evidence if "box" in each), None)
    if action in (Action.MOVE_BOX, Action.DROP_BOX) and boxed is None:
        action = Action.ADD_BOX
    if action is Action.ADD_BOX and "box" in first:
        action = Action.MOVE_BOX
    if action is Action.REWORD:
        return Change(content.query_id, action, {}, content.text, f"{content.text[:-1]}, as printed?")
    if action is Action.RE_ANSWER:
        return Change(content.query_id, action, {}, content.answer, f"Another answer for {content.query_id}.")
    if action is Action.WITHDRAW:
        return Change(content.query_id, action, {}, None, None)
    if action is Action.ADD_PAGE:
        document = first["document_id"]
        taken = {each["page_id"] for each in content.evidence}
        page = next(f"{document}p{n}" for n in range(PAGES_A_DOCUMENT) if f"{document}p{n}" not in taken)
        piece = {"page_id": page, "document_id": document}
        return Change(content.query_id, action, {"page_id": page, "set_id": None}, None, piece)
    if action is Action.DROP_PAGE:
        return Change(content.query_id, action, key, [first], None)
    if action is Action.ADD_BOX:
        return Change(content.query_id, action, key, first, {**first, "box": [5.0, 6.0, 7.0, 8.5]})
    assert boxed is not None
    key = {"page_id": boxed["page_id"], "set_id": None}
    if action is Action.MOVE_BOX:
        return Change(content.query_id, action, key, boxed, {**boxed, "box": [5.25, 6.0, 7.0, 8.5]})
    return Change(
        content.query_id, action, key, boxed, {"page_id": boxed["page_id"], "document_id": boxed["document_id"]}
    )


@dataclass(frozen=True)
class Made:
    """A release in a folder: OLD, the ledger, NEW."""

    old: Path
    ledger: Path
    new: Path
    corrected: Corrected

    def verify(self, *, lenient: bool = False) -> Verification:
        """Return what the verifier says of the files as they are now."""
        sides = [read_side(each, lenient=lenient) for each in (self.old, self.new)]
        return verify_release(sides[0], read_ledger(self.ledger), sides[1])


def made_release(
    folder: Path,
    old: Path,
    corrections: Sequence[Correction],
    *,
    form: str = "jsonl",
    media: str = "copy",
    lenient: bool = False,
    **options: Any,
) -> Made:
    """Write the ledger and the new revision of corrections below `folder`."""
    revision = revision_of(old, folder / "datasets", lenient=lenient)
    queries, evidence = revision.table("queries").collect(), revision.table("evidence").collect()
    stored = stored_queries(queries, evidence, {each.change.query_id for each in corrections})
    named = pages_named(stored, [each.change for each in corrections])
    info = revision.info
    corrected = make_ledger(
        corrections, stored=stored, places=page_places(revision.table("pages").collect(), named),
        dataset=DatasetReference(info.name, info.revision, revision.manifest.content_hash), **options,
    )  # fmt: skip
    ledger = folder / "ledger.jsonl"
    ledger.write_text(ledger_text(corrected.rows), encoding="utf-8")
    source = corrected_source(
        revision, folder / "scratch", corrected=corrected.queries, name="2", advance=lambda part: None
    )
    new = write_bundle(source, folder / "new", judgments={}, labels={}, form=form, media=media)
    return Made(old, ledger, new, corrected)

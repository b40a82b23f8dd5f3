"""`python -m benchmarks.release FOLDER`: a release of thousands of corrections at full size, made, proved and read back.

FOLDER takes the generated bundle (it is used where it is there already) and what is made of it.
"""

from __future__ import annotations

import argparse
import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from audit_core.corrections.records import Action, Change, Correction, CorrectionState
from audit_core.datasets.build import build_revision
from audit_core.datasets.revision import Revision, open_revision
from audit_core.exporters.beir import write_beir
from audit_core.exporters.bundle import write_bundle
from audit_core.importers.bundle import read_bundle
from audit_core.release.corrected import page_places, pages_named, stored_queries
from audit_core.release.corrected_source import corrected_source, row_statuses
from audit_core.release.ledger import ledger_text, make_ledger
from audit_core.release.ledger_rows import DatasetReference
from audit_core.release.verify_files import verify_files
from benchmarks.measuring import peak_bytes, print_table
from benchmarks.processes import run_module

Made = TypeVar("Made")


def corrections_of(revision: Revision, count: int, seed: int) -> list[Correction]:
    """Return so many corrections, by turns a rewording, a dropped page, a moved box (or one added) and a withdrawal."""
    queries, evidence = revision.table("queries").collect(), revision.table("evidence").collect()
    with_evidence = queries["query_id"].gather(evidence["query_row"].unique().sort()).to_list()
    ids = random.Random(seed).sample(with_evidence, min(count, len(with_evidence)))
    stored = stored_queries(queries, evidence, ids)
    found = []
    for number, query_id in enumerate(ids, start=1):
        change = _change(stored[query_id].content, number)
        found.append(
            Correction(number, 1, change, CorrectionState.ACCEPTED, "E", "looked up", "p-author", "p-reviewer")
        )
    return found


def _change(content: Any, number: int) -> Change:
    piece = content.evidence[0]
    key = {"page_id": piece["page_id"], "set_id": piece.get("set_id")}
    turn = number % 4
    if turn == 0:
        return Change(content.query_id, Action.REWORD, {}, content.text, f"{content.text} (as printed)")
    if turn == 1:
        own = [
            each
            for each in content.evidence
            if each["page_id"] == key["page_id"] and each.get("set_id") == key["set_id"]
        ]
        return Change(content.query_id, Action.DROP_PAGE, key, own, None)
    if turn == 2:
        action = Action.MOVE_BOX if "box" in piece else Action.ADD_BOX
        return Change(content.query_id, action, key, piece, {**piece, "box": [1.0, 2.0, 3.0, 4.0]})
    return Change(content.query_id, Action.WITHDRAW, {}, None, None)


class Clock:
    """Runs steps one after the other and keeps how long each took, and the most memory by then."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, str]] = []

    def run(self, name: str, work: Callable[[], Made]) -> Made:
        """Do one step and return what it returns."""
        began = time.perf_counter()
        made = work()
        self.rows.append((name, f"{time.perf_counter() - began:.1f}", f"{peak_bytes() / 1e9:.2f}"))
        return made


def main() -> None:
    """Read the arguments, make and prove a release, print how long each step took."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.release", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scale", type=float, default=1.0, help="part of the published size (default 1)")
    parser.add_argument("--corrections", type=int, default=2_000)
    parser.add_argument("--runs", type=int, default=2, help="frozen runs of depth 100")
    parser.add_argument("--form", choices=("parquet", "jsonl"), default="parquet")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    bundle, work = arguments.folder / "bundle", arguments.folder / "work"
    if not (bundle / "dataset.json").is_file():
        run_module("full_size", bundle, "--form", "parquet", "--scale", arguments.scale, "--runs", arguments.runs)
    shutil.rmtree(work, ignore_errors=True)
    clock = Clock()
    revision = clock.run("import", lambda: open_revision(build_revision(read_bundle(bundle), work / "datasets")))
    corrections = clock.run(
        "choose corrections", lambda: corrections_of(revision, arguments.corrections, arguments.seed)
    )
    release(clock, bundle, revision, corrections, work, form=arguments.form)
    print(
        f"{revision.counts['queries']:,} queries, {len(corrections):,} corrections, {len(revision.attachments)} runs, {arguments.form}"
    )
    print_table(("step", "seconds", "peak GB"), clock.rows)


def release(
    clock: Clock, bundle: Path, revision: Revision, corrections: list[Correction], work: Path, *, form: str
) -> None:
    """Make a release below `work` and prove it, step by step."""
    info = revision.info

    def ledger() -> Any:
        queries, evidence = revision.table("queries").collect(), revision.table("evidence").collect()
        stored = stored_queries(queries, evidence, {each.change.query_id for each in corrections})
        named = pages_named(stored, [each.change for each in corrections])
        made = make_ledger(
            corrections, stored=stored, places=page_places(revision.table("pages").collect(), named),
            dataset=DatasetReference(info.name, info.revision, revision.manifest.content_hash),
        )  # fmt: skip
        (work / "ledger.jsonl").write_text(ledger_text(made.rows), encoding="utf-8")
        return made

    made = clock.run("ledger", ledger)
    source = clock.run(
        "corrected tables and runs",
        lambda: corrected_source(
            revision, work / "kept", corrected=made.queries, name="corrected", advance=lambda part: None
        ),
    )
    clock.run("bundle", lambda: write_bundle(source, work / "new", judgments={}, labels={}, form=form, media="refer"))
    statuses = row_statuses(revision.table("queries").collect(), made.queries)
    clock.run("BEIR-style tables", lambda: write_beir(source, statuses, work / "beir"))
    found = clock.run("verify (reads both bundles)", lambda: verify_files(bundle, work / "ledger.jsonl", work / "new"))
    print("\n".join(found.sentences()))


if __name__ == "__main__":
    main()

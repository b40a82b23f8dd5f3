"""Build the sample: `python data/sample/build [--out FOLDER]`, deterministic, about half a minute."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections import Counter
from pathlib import Path

from audit import annotators
from audit.catalogue import all_queries, check_variety
from audit.gold import gold_row, removal_row
from audit.resolve import Elements, query_id, query_row, share_pages
from bundle import Bundle, dataset_row, design_row, write_json, write_lines
from retrieval.runs import frozen_runs, reached
from texts.catalogue import all_documents
from typeset.errors import BuildError


def build(folder: Path, *, draws: bool = True) -> str:
    """Write the whole bundle to `folder`, or all but the page images; a line of counts comes back."""
    for name in ("pdfs", "labels", "judgments", "runs", *(["images"] if draws else [])):
        shutil.rmtree(folder / name, ignore_errors=True)
    (folder / "pdfs").mkdir(parents=True, exist_ok=True)
    bundle = Bundle(folder, draws=draws)
    for document in all_documents():
        bundle.add(document)
    elements = Elements(bundle.elements, bundle.pages, bundle.documents)
    queries = all_queries()
    rows = [query_row(query, elements) for query in queries]
    share_pages(rows)
    check_variety(rows)
    judged = annotators.judgments(queries, elements)
    write_json(folder / "dataset.json", dataset_row(bundle.documents))
    write_lines(folder / "documents.jsonl", bundle.documents)
    write_lines(folder / "pages.jsonl", bundle.pages)
    write_lines(folder / "elements.jsonl", (row for _, row in bundle.elements))
    write_lines(folder / "queries.jsonl", rows)
    write_lines(folder / "gold.jsonl", (gold_row(query, elements) for query in queries))
    write_lines(folder / "labels/removal.jsonl", (removal_row(query) for query in queries))
    write_lines(folder / "judgments/two-annotators.jsonl", judged)
    write_json(folder / "judgments/two-annotators.design.json", design_row(rows, seed=annotators.SEED))
    runs = frozen_runs(bundle.elements, bundle.pages, rows)
    for name, content in runs.items():
        (folder / "runs").mkdir(exist_ok=True)
        (folder / "runs" / f"{name}.trec").write_text(content, encoding="utf-8", newline="\n")
    truth = {query_id(query): list(query.gold.codes) for query in queries}
    agreeing = Counter(
        row["annotator"] for row in judged if row["outcome"] == "judged" and row["codes"] == truth[row["query_id"]]
    )
    return (
        f"{len(bundle.documents)} documents, {len(bundle.pages)} pages, {len(bundle.elements)} elements, "
        f"{len(rows)} queries ({sum(bool(codes) for codes in truth.values())} faulty); agreement with gold: "
        + ", ".join(f"{name} {count}/{len(rows)}" for name, count in sorted(agreeing.items()))
        + "; an evidence page among the first five: "
        + ", ".join(f"{name} {reached(run, rows, 5)}/{len(rows)}" for name, run in runs.items())
    )


def main() -> int:
    """Run the build from the command line; 0 when the bundle was written."""
    parser = argparse.ArgumentParser(prog="python data/sample/build", description="Build Assay's sample set.")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path(__file__).resolve().parent.parent,
        help="folder to write to (default: the folder above this one)",
    )
    parser.add_argument("--tables", action="store_true", help="leave the page images of that folder as they are")
    chosen = parser.parse_args()
    try:
        print(build(chosen.out, draws=not chosen.tables))
    except BuildError as error:
        print(f"The sample was not built. {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Cleaning strategies on public data sets with known labels: the comparison as the command makes it, and its figures.

Each set becomes a bundle in a temporary home, is imported, and compared. Where it has no documents, each query gets one of
its own, so that queries stay apart; questions of one conversation share theirs. The data are not part of this
repository: `SETS` says where they come from and which files are needed.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image

from audit_core.statistics.intervals import Interval, wilson
from audit_core.workflow.comparisons import add_comparison, get_comparison
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.workspace import Workspace, open_workspace
from benchmarks.measuring import print_table
from cleaning.compare import Compared, Scored
from cleaning.differences import Pair, pairwise_differences
from cleaning.executing import execute
from cleaning.finished import Result, read_finished
from cleaning.request import Choice, ComparisonRequest

Row = dict[str, object]
STRATEGIES = ("logistic_regression_surface", "logistic_regression", "xgboost", "knn", "rules", "length", "keep_all")
_PAGE = (100, 100)
_HALF_COLUMNS = [
    "strategy", "bad kept", "FOR (95 %)", "accuracy", "recall - length's (95 %)", "FOR - length's (95 %)", "p",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class RealSet:
    """A data set: where it lies below the folder of data, how it becomes a bundle, and what is asked of it."""

    folder: str
    source: str
    bundle: Callable[[Path, Path], Path]
    request: ComparisonRequest


def write_bundle(
    folder: Path, name: str, queries: Sequence[tuple[str, str, str, str | None]], labels: dict[str, dict[str, bool]]
) -> Path:
    """Write queries (id, text, document, group) with label sets (name -> query id -> remove) as a bundle; return it."""
    folder.mkdir(parents=True)
    (folder / "labels").mkdir()
    Image.new("RGB", _PAGE).save(folder / "page.png")
    info = {
        "format": "assay-bundle", "format_version": 1, "name": name, "revision": "1", "license": "as its source says",
        "page_numbering": "0-based", "box_units": "pixel",
    }  # fmt: skip
    (folder / "dataset.json").write_text(json.dumps(info))
    documents = list(dict.fromkeys(document for _, _, document, _ in queries))
    place = {"source": name, "domain": "questions"}
    _write(
        folder / "documents.jsonl",
        ({"document_id": each, "title": each, "page_count": 1, **place} for each in documents),
    )
    page = {"page_index": 0, "image": "page.png", "width": _PAGE[0], "height": _PAGE[1]}
    _write(folder / "pages.jsonl", ({"page_id": each, "document_id": each, **page} for each in documents))
    _write(
        folder / "queries.jsonl",
        (
            {
                "query_id": query, "text": text, "evidence_structure": "Page-Single", "group_id": group,
                "evidence": [{"page_id": document}], **place,
            }
            for query, text, document, group in queries
        ),
    )  # fmt: skip
    for label_set, of_query in labels.items():
        rows = ({"query_id": query, "remove": remove} for query, remove in of_query.items())
        _write(folder / "labels" / f"{label_set}.jsonl", rows)
    return folder


def _write(path: Path, rows: Iterator[Row]) -> None:
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def wellformedness(data: Path, folder: Path) -> Path:
    """Questions that five people rated; rated well-formed by fewer than four of them (below 0.8) = remove."""
    queries: list[tuple[str, str, str, str | None]] = []
    labels: dict[str, dict[str, bool]] = {"train": {}, "dev": {}}
    for part, of_query in labels.items():
        for number, line in enumerate((data / f"{part}.tsv").read_text("utf-8").splitlines()):
            text, rating = line.split("\t")
            query = f"{part}-{number:05}"
            queries.append((query, text, query, None))
            of_query[query] = float(rating) < 0.8
    return write_bundle(folder, "query-wellformedness", queries, labels)


def canard(data: Path, folder: Path) -> Path:
    """Questions out of a conversation = remove, their rewrites that stand alone = keep; equal pairs are left out."""
    queries: list[tuple[str, str, str, str | None]] = []
    labels: dict[str, bool] = {}
    for turn in json.loads((data / "dev.json").read_text("utf-8")):
        question, rewrite = turn["Question"].strip(), turn["Rewrite"].strip()
        dialogue, pair = turn["QuAC_dialog_id"], f"{turn['QuAC_dialog_id']}-{turn['Question_no']}"
        if question.casefold() == rewrite.casefold():
            continue
        for kind, text in (("question", question), ("rewrite", rewrite)):
            queries.append((f"{pair}-{kind}", text, dialogue, pair))
            labels[f"{pair}-{kind}"] = kind == "question"
    return write_bundle(folder, "canard", queries, {"removal": labels})


def unanswerable(data: Path, folder: Path) -> Path:
    """Last questions of conversations; unanswerable or underspecified = remove, answerable = keep, partial = no label."""
    queries: list[tuple[str, str, str, str | None]] = []
    labels: dict[str, bool] = {}
    for line in (data / "unanswerable_queries.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        queries.append((row["query_id"], row["text"], row["group"], None))
        if row["answerability"] != "PARTIAL":
            labels[row["query_id"]] = row["answerability"] != "ANSWERABLE"
    return write_bundle(folder, "mt-rag", queries, {"removal": labels})


def pdf_audit(data: Path, folder: Path) -> Path:
    """The hand-written gold set, which is a bundle already."""
    return data


def _choices(*names: str) -> tuple[Choice, ...]:
    return tuple(Choice(each) for each in names)


SETS: dict[str, RealSet] = {
    "wellformedness": RealSet(
        "query-wellformedness",
        "github.com/google-research-datasets/query-wellformedness, train.tsv and dev.tsv",
        wellformedness,
        ComparisonRequest(
            "given split", "labels:dev", _choices(*STRATEGIES), train_labels="labels:train", learning_curves=False
        ),
    ),
    "canard": RealSet(
        "canard",
        "github.com/aagohary/canard, data/release/dev.json",
        canard,
        ComparisonRequest("pairs", "labels:removal", _choices(*STRATEGIES), repeats=1, learning_curves=False),
    ),
    "unanswerable": RealSet(
        "multi_rater",
        "github.com/IBM/mt-rag-benchmark, last questions with their answerability",
        unanswerable,
        ComparisonRequest("folds", "labels:removal", _choices(*STRATEGIES), repeats=2, learning_curves=False),
    ),
    "pdf_audit": RealSet(
        "pdf_audit",
        "72 hand-written queries over eight public PDFs",
        pdf_audit,
        ComparisonRequest(
            "folds", "labels:removal", _choices(*STRATEGIES), fewer_folds=True, learning_curves=False
        ),
    ),
}  # fmt: skip


def compare(workspace: Workspace, real: RealSet, data: Path, folder: Path) -> Result:
    """Import a set and run its comparison, as `clean compare` does; return the finished comparison."""
    dataset = import_bundle(workspace, real.bundle(data / real.folder, folder)).dataset
    row = add_comparison(workspace, dataset, name=real.request.name, spec=real.request.as_json())
    execute(workspace, row.id)
    return read_finished(workspace, get_comparison(workspace, row.id))


def accuracy(scored: Scored, compared: Compared) -> Interval:
    """Return the share of all evaluated queries that are decided as labelled, of repeat 1; undecided ones are kept."""
    right = (scored.decisions[0] == 1.0) == compared.remove
    return wilson(int(right.sum()), len(right))


def at_share(compared: Compared, *, kept: int) -> Compared:
    """Return the comparison with new decisions: each strategy keeps as many, the lowest-scored; ties by a fixed draw."""
    tie = np.random.default_rng(0).permutation(len(compared.remove))

    def cut(each: Scored) -> Scored:
        order = np.lexsort((tie, np.nan_to_num(each.scores[0], nan=-1.0)))
        decisions = np.ones_like(each.decisions)
        decisions[:, order[:kept]] = 0.0
        return replace(each, decisions=decisions)

    return replace(compared, strategies=tuple(cut(each) for each in compared.usable))


def report(result: Result) -> None:
    """Print the figures at each strategy's threshold, at half kept, and the paired differences to the length baseline."""
    compared = result.compared
    print_table(
        ["strategy", "TP", "FP", "FN", "TN", "kept", "FOR (95 %)", "FOR, by document", "recall", "accuracy (95 %)"],
        [
            [
                each.name, each.rates.confusion.tp, each.rates.confusion.fp, each.rates.confusion.kept_positives,
                each.rates.confusion.kept - each.rates.confusion.kept_positives, _part(each.rates.share_kept.estimate),
                _interval(each.rates.false_omission), _interval(each.clustered) if each.clustered else "",
                _part(each.rates.recall.estimate), _interval(accuracy(compared.of(each.name), compared)),
            ]
            for each in result.summaries
        ],
    )  # fmt: skip
    kept = len(compared.remove) // 2
    halved = at_share(compared, kept=kept)
    print(f"\nAt {kept:,} of {len(compared.remove):,} kept by each; differences to the length baseline:")
    print_table(_HALF_COLUMNS, [_half_row(each, halved, result) for each in halved.strategies])
    # Rules give two scores only: a cut elsewhere than at their own number is made by lot.
    for each in compared.usable:
        if each.name == "rules":
            own = int((each.decisions[0] != 1.0).sum())
            print(f"\nAt {own:,} kept, as many as the rules keep:")
            cut = at_share(compared, kept=own)
            print_table(_HALF_COLUMNS, [_half_row(cut.of(name), cut, result) for name in ("rules", "length")])
    print("\nAt their own thresholds, minus the length baseline:")
    print_table(
        ["strategy", "recall", "FOR", "share kept"],
        [
            [
                each.name,
                *(_against(result.pairs, each.name, name) for name in ("recall", "false_omission", "share_kept")),
            ]
            for each in compared.usable
            if each.name != "length"
        ],
    )


def _half_row(each: Scored, halved: Compared, result: Result) -> list[object]:
    kept = each.decisions[0] == 0.0
    bad = int((kept & halved.remove).sum())
    head = [each.name, bad, _interval(wilson(bad, int(kept.sum()))), _interval(accuracy(each, halved))]
    if each.name == "length":
        return [*head, "", "", ""]
    pairs = pairwise_differences(halved, result.documents, names=[each.name, "length"])
    p = next(one.p for one in pairs[0].differences if one.measure == "recall")
    return [*head, *(_against(pairs, each.name, name) for name in ("recall", "false_omission")), f"{p:.4f}"]


def _against(pairs: Sequence[Pair], name: str, measure: str) -> str:
    """Return the difference of a strategy minus the length baseline in percentage points, with its interval."""
    for pair in pairs:
        if {pair.first, pair.second} == {name, "length"}:
            found = next(each for each in pair.differences if each.measure == measure)
            if found.difference is None or found.low is None or found.high is None:
                return f"undefined ({found.undefined})"
            sign = 1.0 if pair.first == name else -1.0
            low, high = sorted((sign * found.low, sign * found.high))
            # 0.0 is added so that no difference of nothing reads -0.0.
            parts = [round(100 * each, 1) + 0.0 for each in (sign * found.difference, low, high)]
            return f"{parts[0]:+.1f} ({parts[1]:+.1f} to {parts[2]:+.1f})"
    return ""


def _part(value: float | None) -> str:
    return "undefined" if value is None else f"{100 * value:.1f}"


def _interval(interval: Interval) -> str:
    if interval.estimate is None:
        return f"undefined ({interval.undefined})"
    if interval.low is None or interval.high is None:
        return f"{100 * interval.estimate:.1f} (no interval)"
    return f"{100 * interval.estimate:.1f} ({100 * interval.low:.1f}-{100 * interval.high:.1f})"


def main() -> None:
    """Run the comparisons that are asked for and print their figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder that holds the folders of the data sets")
    parser.add_argument("--set", dest="chosen", action="append", choices=list(SETS), help="which; all without it")
    parser.add_argument("--home", type=Path, help="a folder that is kept, with the embeddings; a temporary one without")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ASSAY_HOME"] = str(arguments.home or Path(folder) / "home")
        workspace = open_workspace()
        for name in arguments.chosen or SETS:
            real = SETS[name]
            started = time.perf_counter()
            result = compare(workspace, real, arguments.data, Path(folder) / name)
            split, compared = result.record.split, result.compared
            print(f"\n## {name}: {real.source}")
            print(
                f"{result.n:,} evaluated, {result.positives:,} to remove ({100 * result.positives / result.n:.1f} %); "
                f"{split.method}, {split.repeats} x {split.k}; {sum(len(fold.dropped) for fold in split.folds):,} dropped "
                f"from training; split {split.hash[:12]}; {time.perf_counter() - started:.0f} s"
            )
            print("\n".join(split.notes))
            for notice in compared.notices:
                print(f"{', '.join(notice.about)}: {notice.says}")
            report(result)


if __name__ == "__main__":
    main()

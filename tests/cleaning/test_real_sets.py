"""The comparison on collected public data: label counts as published, and what rules gain over the length of a question."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from audit_core.workflow.workspace import Workspace, open_workspace
from benchmarks.cleaning_real import SETS, at_share, compare
from cleaning.differences import pairwise_differences
from cleaning.preparing import prepare
from cleaning.request import NO_VECTORS, Choice


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    """The workspace of the test's own home."""
    found = open_workspace()
    yield found
    found.close()


def test_the_rules_find_more_questions_that_lean_on_their_conversation_than_their_length_does(
    workspace: Workspace, real_data: Path, tmp_path: Path
) -> None:
    canard = SETS["canard"]
    strategies = (Choice("rules"), Choice("length"))
    request = replace(canard.request, strategies=strategies, embedder=NO_VECTORS)
    result = compare(workspace, replace(canard, request=request), real_data, tmp_path / "canard")
    # Of 3,430 pairs 206 are equal but for case.
    assert (result.n, result.positives) == (6_448, 3_224)
    for fold in result.record.split.folds:
        pairs = [
            {result.record.split.query_ids[row].rpartition("-")[0] for row in part}
            for part in (fold.training, fold.evaluation)
        ]
        assert not pairs[0] & pairs[1]
    kept = int((result.compared.of("rules").decisions[0] == 0.0).sum())
    (pair,) = pairwise_differences(at_share(result.compared, kept=kept), result.documents)
    recall = next(each for each in pair.differences if each.measure == "recall")
    assert (pair.first, pair.second) == ("rules", "length")
    assert recall.low is not None
    assert recall.low > 0.0


def test_the_published_split_of_rated_questions_is_read_with_its_counts(real_data: Path, tmp_path: Path) -> None:
    real = SETS["wellformedness"]
    folder = real.bundle(real_data / real.folder, tmp_path / "bundle")
    # Counts of the files: 17,500 and 3,750 questions, of which 61.15 % are rated below 0.8 in either.
    counts = {}
    for part in ("train", "dev"):
        rows = [json.loads(line) for line in (folder / "labels" / f"{part}.jsonl").read_text("utf-8").splitlines()]
        counts[part] = (len(rows), sum(row["remove"] for row in rows))
    assert counts == {"train": (17_500, 10_701), "dev": (3_750, 2_293)}
    assert real.request.train_labels == "labels:train"


def test_ten_bad_queries_over_eight_documents_still_allow_five_folds(
    workspace: Workspace, real_data: Path, tmp_path: Path
) -> None:
    from audit_core.workflow.importing import import_bundle

    real = SETS["pdf_audit"]
    dataset = import_bundle(workspace, real.bundle(real_data / real.folder, tmp_path)).dataset
    prepared = prepare(workspace, dataset, real.request, with_vectors=False)
    assert (len(prepared.remove), int(prepared.remove.sum())) == (72, 10)
    assert (prepared.split.k, prepared.split.repeats) == (5, 5)
    assert any("Only 4 of 5 repeats differ" in note for note in prepared.split.notes)

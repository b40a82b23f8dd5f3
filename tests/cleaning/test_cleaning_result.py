"""A comparison on the disk: read back as it was, never half written, never changed unnoticed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from audit_core.errors import CleaningError
from cleaning.compare import run
from cleaning.compare_summary import summarise
from cleaning.compare_tuning import Wanted
from cleaning.contract import Kind
from cleaning.result import ComparisonRecord, RunCard, package_versions, read_result, write_result
from cleaning.splits_plan import plan_folds, plan_single
from tests.cleaning.stub_strategies import Column, Failing, Nearer, benchmark, entrant

CARD = RunCard(
    dataset_name="набір",
    dataset_revision="1",
    dataset_hash="a" * 64,
    labels_name="removal",
    labels_hash="b" * 64,
    labels_origin="file labels.csv",
    created="2026-01-01T00:00:00+00:00",
    seed=1,
    embedder={"name": "small"},
    packages={"numpy": "2"},
    ineligible={"vector is zero": ["q1"]},
    left_out={"cannot judge": ["q2"]},
    unknown=["q3"],
)


@pytest.fixture
def record() -> ComparisonRecord:
    """A small comparison with a strategy of each fate."""
    inputs, remove = benchmark(120)
    split = plan_folds(inputs.queries, remove, repeats=2, folds=3)
    column = Column({query: row / 120 for row, query in enumerate(split.query_ids[:100])}, reasons=True)
    compared = run(
        [
            entrant("nearer", Nearer(), tune=Wanted(share_kept=0.6)),
            entrant("column", column, Kind.RULE, options={"words": ["у", "b"], "least": 2}),
            entrant("failed", Failing(CleaningError("no vectors"))),
        ],
        inputs,
        split,
    )
    return ComparisonRecord(CARD, split, compared)


def test_what_is_read_is_what_was_written(record: ComparisonRecord, tmp_path: Path) -> None:
    folder = tmp_path / "порівняння"
    write_result(record, folder)
    read = read_result(folder)
    assert read.card == CARD
    assert read.split.hash == record.split.hash == read.compared.split_hash
    assert read.split.notes == record.split.notes
    assert read.compared.query_ids == record.compared.query_ids
    assert read.compared.remove.tolist() == record.compared.remove.tolist()
    assert read.compared.notices == record.compared.notices
    for one, other in zip(read.compared.strategies, record.compared.strategies, strict=True):
        for name in ("name", "title", "kind", "options", "tuned_for", "learned", "seconds", "failed", "reasons"):
            assert getattr(one, name) == getattr(other, name)
        for name in ("scores", "decisions", "thresholds"):
            assert np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True)
    assert summarise(read.compared) == summarise(record.compared)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["порівняння"]


def test_what_a_model_was_asked_is_kept_and_a_result_from_before_has_none(
    record: ComparisonRecord, tmp_path: Path
) -> None:
    asked = {"statuses": {"accepted": 3, "refused": 1}, "spend": None, "stages": [{"model": "m", "probe": None}]}
    spent = {"calls": 5, "tokens_input": 100, "tokens_output": 10, "spend": None}
    first, *rest = record.compared.strategies
    compared = replace(record.compared, strategies=(replace(first, asked=asked), *rest))
    folder = tmp_path / "asked"
    write_result(ComparisonRecord(replace(CARD, spent=spent), record.split, compared), folder)
    read = read_result(folder)
    assert [each.asked for each in read.compared.strategies] == [asked, None, None]
    assert read.card.spent == spent
    content = json.loads((folder / "strategies.json").read_text(encoding="utf-8"))
    for each in content["strategies"]:
        del each["asked"]
    (folder / "strategies.json").write_text(json.dumps(content), encoding="utf-8")
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    del card["spent"]
    (folder / "card.json").write_text(json.dumps(card), encoding="utf-8")
    before = read_result(folder)
    assert [each.asked for each in before.compared.strategies] == [None, None, None]
    assert before.card.spent is None


def test_a_single_split_keeps_which_queries_it_evaluated(tmp_path: Path) -> None:
    inputs, remove = benchmark(120)
    split = plan_single(inputs.queries, remove, train=80)
    compared = run([entrant("nearer", Nearer())], inputs, split)
    write_result(ComparisonRecord(CARD, split, compared), tmp_path / "one")
    assert read_result(tmp_path / "one").compared.query_ids == compared.query_ids


def test_a_result_is_never_overwritten(record: ComparisonRecord, tmp_path: Path) -> None:
    write_result(record, tmp_path / "result")
    with pytest.raises(CleaningError, match="exists already"):
        write_result(record, tmp_path / "result")


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path) -> None:
    inputs, remove = benchmark(100)
    split = plan_folds(inputs.queries, remove, repeats=1)
    compared = run([entrant("nearer", Nearer(), options={"path": object()})], inputs, split)
    with pytest.raises(CleaningError, match="Options must be plain values"):
        write_result(ComparisonRecord(CARD, split, compared), tmp_path / "result")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CleaningError, match="cannot be written"):
        write_result(
            ComparisonRecord(CARD, split, run([entrant("n", Nearer())], inputs, split)), tmp_path / "file" / "r"
        )


def test_scores_of_another_split_are_not_written(record: ComparisonRecord, tmp_path: Path) -> None:
    inputs, remove = benchmark(120)
    other = plan_folds(inputs.queries, remove, repeats=2, folds=3, seed=2)
    with pytest.raises(CleaningError, match="not made on this split"):
        write_result(ComparisonRecord(CARD, other, record.compared), tmp_path / "result")


def _edit(path: Path, **changes: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **changes}), encoding="utf-8")


def test_a_changed_or_missing_file_is_named(record: ComparisonRecord, tmp_path: Path) -> None:
    for number, (file, change, says) in enumerate(
        [
            ("000.scores.npy", lambda path: path.write_bytes(path.read_bytes()[:-8] + bytes(8)), "was changed"),
            ("001.decisions.npy", lambda path: path.unlink(), "cannot be read"),
            ("split.json", lambda path: _edit(path, seed=7), "was changed"),
            ("split.json", lambda path: path.write_text("{}"), "not a result as it was written"),
            ("card.json", lambda path: _edit(path, format=99), "not of format 1"),
            ("card.json", lambda path: path.write_text("no json"), "is not JSON"),
            ("card.json", lambda path: path.write_text("[]"), "no JSON object"),
            ("strategies.json", lambda path: path.unlink(), "Is this a comparison"),
            ("strategies.json", lambda path: _edit(path, strategies=[{"name": "x"}]), "not a result as it was written"),
        ]
    ):
        folder = tmp_path / str(number)
        write_result(record, folder)
        change(folder / file)
        with pytest.raises(CleaningError, match=says):
            read_result(folder)


def test_package_versions_name_what_computes() -> None:
    versions = package_versions()
    assert {"numpy", "polars", "scipy", "statsmodels", "scikit-learn"} <= set(versions)
    assert versions["numpy"] == np.__version__

"""Learning curves: nested parts by document on fixed evaluation folds, and points that cannot be had."""

from __future__ import annotations

import numpy as np
import pytest

from audit_core.errors import CleaningError
from cleaning.compare import run
from cleaning.compare_share import at_share_kept
from cleaning.compare_tuning import Wanted
from cleaning.contract import Inputs, Kind
from cleaning.learning import learning_curve
from cleaning.metrics import decide, measure
from cleaning.splits_plan import plan_folds
from tests.cleaning.stub_strategies import Column, Failing, Nearer, benchmark, entrant, query_table


def test_parts_grow_by_whole_documents_and_each_holds_the_one_before() -> None:
    inputs, remove = benchmark(200)
    split = plan_folds(inputs.queries, remove, folds=4, repeats=2)
    seen: list[frozenset[str]] = []
    curve = learning_curve(entrant("nearer", Nearer(seen)), inputs, split, share_kept=0.6, fractions=(0.3, 0.6, 1.0))
    homes = dict(zip(split.query_ids, (each[0] for each in inputs.queries["documents"].to_list()), strict=True))
    for place, fold in enumerate(split.folds):
        small, middle, whole = seen[place], seen[8 + place], seen[16 + place]
        everything = {split.query_ids[row] for row in fold.training}
        assert small < middle < whole == everything
        for part, fraction in ((small, 0.3), (middle, 0.6)):
            assert len(part) >= fraction * len(whole)
            assert {query for query in everything if homes[query] in {homes[each] for each in part}} == part
    assert [point.labels for point in curve.points] == [
        np.mean([len(part) for part in seen[first : first + 8]]) for first in (0, 8, 16)
    ]
    assert curve.split_hash == split.hash


def test_the_last_point_is_the_comparison_itself() -> None:
    inputs, remove = benchmark(200)
    split = plan_folds(inputs.queries, remove, repeats=2)
    point = learning_curve(entrant("nearer", Nearer()), inputs, split, share_kept=0.6).points[-1]
    scores = run([entrant("nearer", Nearer())], inputs, split).of("nearer").scores
    assert point.at == at_share_kept(scores[0], remove, share_kept=0.6)
    assert point.rates == measure(decide(scores[0], 0.5), remove)
    both = [at_share_kept(row, remove, share_kept=0.6).recall for row in scores]
    assert (point.recall.minimum, point.recall.maximum, point.recall.repeats) == (min(both), max(both), 2)


def test_more_labels_let_fewer_bad_queries_through() -> None:
    inputs, remove = benchmark(600, dimensions=60)
    split = plan_folds(inputs.queries, remove, repeats=2)
    points = learning_curve(entrant("nearer", Nearer()), inputs, split, share_kept=0.7, fractions=(0.05, 1.0)).points
    assert points[0].at is not None
    assert points[1].at is not None
    assert points[0].at.false_omission.estimate > points[1].at.false_omission.estimate
    assert points[0].at.kept == points[1].at.kept


def test_a_part_without_both_kinds_is_undefined_and_says_which() -> None:
    documents = [[f"d{row}"] for row in range(100)]
    inputs = Inputs(query_table(documents), np.zeros((100, 2), dtype=np.float32))
    split = plan_folds(inputs.queries, [row < 6 for row in range(100)], folds=3, repeats=1)
    first, last = learning_curve(
        entrant("nearer", Nearer()), inputs, split, share_kept=0.7, fractions=(0.02, 1.0)
    ).points
    assert "are all keep" in str(first.undefined)
    assert first.at is None
    assert first.false_omission.repeats == 0
    assert last.undefined is None


def test_a_strategy_that_refuses_a_part_says_why() -> None:
    inputs, remove = benchmark(150)
    split = plan_folds(inputs.queries, remove, repeats=1)
    failing = entrant("failing", Failing(CleaningError("too few for me")))
    assert [
        point.undefined for point in learning_curve(failing, inputs, split, share_kept=0.5, fractions=[1.0]).points
    ] == ["too few for me"]


def test_a_tuned_threshold_gives_no_rates_at_a_threshold() -> None:
    inputs, remove = benchmark(150)
    split = plan_folds(inputs.queries, remove, repeats=1)
    tuned = entrant("nearer", Nearer(), tune=Wanted(recall=0.5))
    (point,) = learning_curve(tuned, inputs, split, share_kept=0.5, fractions=[1.0]).points
    assert point.rates is None
    assert point.at is not None


def test_what_has_no_learning_curve_is_refused() -> None:
    inputs, remove = benchmark(100)
    split = plan_folds(inputs.queries, remove, repeats=1)
    with pytest.raises(CleaningError, match="learns nothing"):
        learning_curve(entrant("rule", Column({}), Kind.RULE), inputs, split, share_kept=0.5)
    for fractions in ((), (0.5, 0.2), (0.0, 1.0), (0.5, 1.2), (0.5, 0.5)):
        with pytest.raises(CleaningError, match="must ascend"):
            learning_curve(entrant("n", Nearer()), inputs, split, share_kept=0.5, fractions=fractions)
    with pytest.raises(CleaningError, match="not those"):
        learning_curve(entrant("n", Nearer()), inputs.take(np.arange(50)), split, share_kept=0.5)

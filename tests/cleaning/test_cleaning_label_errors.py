"""Likely wrong labels: planted ones are found, and where none can be told the reason is given."""

from __future__ import annotations

import numpy as np
import pytest

from audit_core.errors import CleaningError
from cleaning.compare import Compared, Scored, run
from cleaning.contract import Kind
from cleaning.label_errors import likely_label_errors
from cleaning.splits_plan import plan_folds
from tests.cleaning.stub_strategies import Column, Failing, Nearer, benchmark, entrant


def test_planted_wrong_labels_are_found_and_come_worst_first() -> None:
    inputs, truth = benchmark(400, seed=3, dimensions=2)
    assert inputs.vectors is not None
    inputs.vectors[:, 0] += 4.0 * truth
    planted = np.asarray([5, 50, 120, 200, 333])
    labels = truth.copy()
    labels[planted] = ~labels[planted]
    split = plan_folds(inputs.queries, labels, repeats=2)
    compared = run([entrant("nearer", Nearer())], inputs, split)
    found = likely_label_errors(compared, "nearer")
    ids = [suspect.query_id for suspect in found.suspects]
    assert {split.query_ids[row] for row in planted} <= set(ids)
    assert len(ids) <= 10
    scores = [suspect.score for suspect in found.suspects]
    assert scores == sorted(scores)
    for suspect in found.suspects:
        row = split.query_ids.index(suspect.query_id)
        assert suspect.given == labels[row] != suspect.suggested
        probability = compared.of("nearer").scores[:, row].mean()
        assert suspect.probability == pytest.approx(probability)
        assert suspect.score == pytest.approx(probability if labels[row] else 1 - probability)
    assert (found.checked, found.without_score, found.undefined) == (400, 0, None)


def _scored(scores: np.ndarray, remove: np.ndarray) -> Compared:
    empty = np.zeros((1, 1))
    strategy = Scored("s", "S", Kind.LEARNED, {}, None, scores[None, :], scores[None, :], empty, True, 0.0)
    return Compared("hash", tuple(f"q{row}" for row in range(len(remove))), remove, (strategy,), ())


def test_queries_without_a_score_are_counted_and_not_suspected() -> None:
    remove = np.asarray([True] * 30 + [False] * 30)
    scores = np.where(remove, 0.9, 0.1)
    scores[0] = np.nan
    scores[1] = 0.05
    found = likely_label_errors(_scored(scores, remove), "s")
    assert [suspect.query_id for suspect in found.suspects] == ["q1"]
    assert (found.checked, found.without_score) == (59, 1)


def test_too_few_labels_or_one_kind_alone_tell_nothing() -> None:
    few = likely_label_errors(_scored(np.full(20, 0.5), np.arange(20) < 10), "s")
    assert few.undefined == "only 20 labels have a score; at least 30 are needed"
    one = likely_label_errors(_scored(np.full(60, 0.5), np.ones(60, dtype=bool)), "s")
    assert one.undefined == "only 0 of 60 labels say keep; at least 5 of either kind are needed"
    rare = likely_label_errors(_scored(np.full(60, 0.5), np.arange(60) < 4), "s")
    assert "only 4 of 60 labels say remove" in str(rare.undefined)
    assert rare.suspects == ()


def test_a_rule_or_a_failed_strategy_tells_nothing() -> None:
    inputs, remove = benchmark(100)
    split = plan_folds(inputs.queries, remove, repeats=1)
    column = Column(dict.fromkeys(split.query_ids, 0.5))
    compared = run([entrant("rule", column, Kind.RULE), entrant("failed", Failing(CleaningError("no")))], inputs, split)
    assert "no learned strategy" in str(likely_label_errors(compared, "rule").undefined)
    assert likely_label_errors(compared, "failed").undefined == "failed failed: no"
    with pytest.raises(CleaningError, match="took no part"):
        likely_label_errors(compared, "other")

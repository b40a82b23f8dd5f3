"""Strategies over one split: out of fold, on the same queries, failures and combinations, tuned thresholds, equal share."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

from audit_core.errors import CleaningError
from audit_core.statistics.clustered import document_clustered
from cleaning.compare import Notice, checked_values, run
from cleaning.compare_share import at_share_kept
from cleaning.compare_summary import at_equal_share, spread_of, summarise
from cleaning.compare_tuning import Wanted, tune_threshold
from cleaning.contract import Inputs, Kind, Scores
from cleaning.splits_plan import plan_folds, plan_single
from tests.cleaning.stub_strategies import Column, Failing, Nearer, Union, benchmark, entrant, query_table

NAN = math.nan


def _by_id(inputs: Inputs, values: np.ndarray) -> Column:
    return Column(dict(zip(inputs.queries["query_id"].to_list(), values.tolist(), strict=True)))


def test_a_learned_strategy_never_trains_on_what_it_scores_nor_on_what_shares_a_document() -> None:
    inputs, remove = benchmark(150)
    split = plan_folds(inputs.queries, remove, repeats=2)
    seen: list[frozenset[str]] = []
    compared = run([entrant("nearer", Nearer(seen))], inputs, split)
    assert len(seen) == len(split.folds)
    for fold, trained in zip(split.folds, seen, strict=True):
        assert trained == {split.query_ids[row] for row in fold.training}
    scored = compared.of("nearer")
    assert scored.scores.shape == (2, 150)
    assert not np.isnan(scored.scores).any()
    assert not np.array_equal(scored.scores[0], scored.scores[1])
    fold = split.of_repeat(1)[3]
    by_hand = (
        Nearer().fit(inputs.take(fold.training), remove[fold.training], seed=1).score(inputs.take(fold.evaluation))
    )
    assert scored.scores[1, fold.evaluation].tolist() == by_hand.values.tolist()


def test_a_single_split_scores_its_test_part_alone() -> None:
    inputs, remove = benchmark(150)
    split = plan_single(inputs.queries, remove, train=90)
    compared = run(
        [entrant("nearer", Nearer()), entrant("column", _by_id(inputs, remove * 1.0), Kind.RULE)], inputs, split
    )
    assert compared.query_ids == tuple(split.query_ids[row] for row in split.evaluated)
    assert compared.of("nearer").scores.shape == (1, len(split.evaluated))
    assert compared.of("column").scores[0].tolist() == remove[split.evaluated].astype(float).tolist()


def test_a_strategy_that_learns_nothing_scores_all_queries_once_and_keeps_its_reasons() -> None:
    inputs, remove = benchmark(100)
    column = _by_id(inputs, np.linspace(0, 1, 100))
    column.reasons = True
    split = plan_folds(inputs.queries, remove)
    scored = run([entrant("column", column, Kind.RULE)], inputs, split).of("column")
    assert column.calls == 1
    assert scored.learned is False
    assert (scored.scores == scored.scores[0]).all()
    assert [reasons[0].says for reasons in scored.reasons] == list(split.query_ids)


def test_a_combination_sees_the_decisions_of_its_members_and_a_missing_one_is_said() -> None:
    inputs, remove = benchmark(120)
    split = plan_folds(inputs.queries, remove, repeats=2)
    column = _by_id(inputs, np.linspace(0, 1, 120))
    compared = run(
        [
            entrant("both", Union(("nearer", "column")), Kind.COMBINATION),
            entrant("broken", Failing(ValueError("no such thing"), at=7)),
            entrant("nearer", Nearer()),
            entrant("column", column, Kind.RULE, threshold=0.9),
            entrant("again", Union(("both",)), Kind.COMBINATION),
            entrant("lost", Union(("nearer", "broken")), Kind.COMBINATION),
        ],
        inputs,
        split,
    )
    union = np.maximum(compared.of("nearer").decisions, compared.of("column").decisions)
    assert np.array_equal(compared.of("both").decisions, union)
    assert np.array_equal(compared.of("again").decisions, union)
    assert compared.of("broken").failed == "ValueError: no such thing"
    assert np.isnan(compared.of("broken").scores).all()
    assert compared.of("lost").failed == "The union needs broken, which took no part or failed."
    assert [each.name for each in compared.strategies] == ["both", "broken", "nearer", "column", "again", "lost"]
    assert [each.name for each in compared.usable] == ["both", "nearer", "column", "again"]
    assert Notice(("broken",), "failed: ValueError: no such thing") in compared.notices
    assert Notice(("both", "again"), "give every query the same score, and decide the same: their figures are one") in (
        compared.notices
    )


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"q0000": 1.5}, "It gave the score 1.5"),
        ({"q0000": math.inf}, "It gave the score inf"),
        ({"q0000": -0.1}, "It gave the score -0.1"),
    ],
)
def test_scores_outside_zero_and_one_fail_the_strategy(values: dict[str, float], says: str) -> None:
    inputs, remove = benchmark(100)
    split = plan_folds(inputs.queries, remove, repeats=1)
    assert says in str(run([entrant("wrong", Column(values), Kind.RULE)], inputs, split).of("wrong").failed)


def test_scores_or_reasons_that_are_not_one_a_query_fail_the_strategy() -> None:
    with pytest.raises(CleaningError, match=r"shape \(2,\) for 3 queries"):
        checked_values(Scores(np.zeros(2)), 3)
    with pytest.raises(CleaningError, match="reasons for 1 of 3 queries"):
        checked_values(Scores(np.zeros(3), ((),)), 3)
    with pytest.raises(CleaningError, match="cannot be held against"):
        at_share_kept([0.5], [True, False], share_kept=0.5)


def test_a_training_part_too_small_for_inner_folds_fails_the_tuning_and_says_so() -> None:
    inputs, remove = benchmark(50)
    split = plan_folds(inputs.queries, remove, folds=2, repeats=1)
    scored = run([entrant("nearer", Nearer(), tune=Wanted(recall=0.5))], inputs, split).of("nearer")
    assert "cannot be tuned inside the training part" in str(scored.failed)


def test_columns_that_say_the_same_are_noticed() -> None:
    inputs, remove = benchmark(100)
    split = plan_folds(inputs.queries, remove, repeats=1)
    values = np.linspace(0, 1, 100)
    compared = run(
        [
            entrant("low", _by_id(inputs, values), Kind.MODEL, threshold=0.2),
            entrant("high", _by_id(inputs, values), Kind.MODEL, threshold=0.8),
            entrant("rounded", _by_id(inputs, (values >= 0.8) * 1.0), Kind.RULE),
            entrant("silent", Column({}), Kind.RULE),
        ],
        inputs,
        split,
    )
    assert [each.about for each in compared.notices] == [("low", "high"), ("high", "rounded"), ("silent",)]
    assert "threshold only" in compared.notices[0].says
    assert "though their scores differ" in compared.notices[1].says


@pytest.mark.parametrize("kind", [Kind.MODEL, Kind.DIFFICULTY])
def test_a_model_that_decided_nothing_has_failed_and_has_no_figures(kind: Kind) -> None:
    inputs, remove = benchmark(100)
    split = plan_folds(inputs.queries, remove, repeats=2)
    compared = run([entrant("silent", Column({}), kind), entrant("nearer", Nearer())], inputs, split)
    assert "nothing was decided" in str(compared.of("silent").failed)
    assert [each.name for each in compared.usable] == ["nearer"]
    assert [each.name for each in summarise(compared)] == ["nearer"]
    one = Column({"q0007": 0.0})
    assert run([entrant("talking", one, kind)], inputs, split).of("talking").failed is None


def test_who_takes_part_is_checked() -> None:
    inputs, remove = benchmark(100)
    split = plan_folds(inputs.queries, remove, repeats=1)
    with pytest.raises(CleaningError, match="No strategy"):
        run([], inputs, split)
    with pytest.raises(CleaningError, match="Two strategies are called 'a'"):
        run([entrant("a", Nearer()), entrant("a", Nearer())], inputs, split)
    with pytest.raises(CleaningError, match="not those that the split was made for"):
        run([entrant("a", Nearer())], inputs.take(np.arange(99)), split)
    with pytest.raises(CleaningError, match="'b' took no part"):
        run([entrant("a", Nearer())], inputs, split).of("b")


def test_a_threshold_that_is_no_number_is_refused() -> None:
    with pytest.raises(CleaningError, match="threshold of 'a' is no number"):
        entrant("a", Nearer(), threshold=NAN)


def test_the_clustered_interval_beside_the_rate_is_that_of_the_audit_report() -> None:
    inputs, remove = benchmark(200)
    split = plan_folds(inputs.queries, remove, repeats=1)
    documents = inputs.queries["documents"].to_list()
    documents[3] = []
    compared = run(
        [
            entrant("none", Column(dict.fromkeys(split.query_ids, 0.0)), Kind.RULE),
            entrant("all", Column(dict.fromkeys(split.query_ids, 1.0)), Kind.RULE),
            entrant("right", _by_id(inputs, remove * 1.0), Kind.RULE),
        ],
        inputs,
        split,
    )
    none, everything, right = summarise(compared, documents=documents, resamples=500, seed=3)
    expected = document_clustered(remove.tolist(), documents, resamples=500, seed=3).interval
    assert none.clustered is not None
    assert (none.clustered.low, none.clustered.high) == pytest.approx((expected.low, expected.high))
    assert (none.clustered.method, none.clustered.n, none.clustered.count) == (expected.method, 200, remove.sum())
    assert everything.clustered is not None
    assert everything.clustered.undefined == "0 kept"
    assert right.clustered is not None
    assert (right.clustered.estimate, right.clustered.low) == (0.0, None)
    assert summarise(compared)[0].clustered is None


def test_progress_is_told_and_may_end_the_run() -> None:
    inputs, remove = benchmark(100)
    split = plan_folds(inputs.queries, remove, repeats=1)
    told: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> None:
        told.append((done, total))
        if done == 3:
            raise KeyError("cancelled")

    with pytest.raises(KeyError, match="cancelled"):
        run([entrant("a", Nearer())], inputs, split, progress=stop)
    assert told == [(1, 5), (2, 5), (3, 5)]


def test_a_wanted_share_kept_is_met_as_nearly_as_ties_allow() -> None:
    scores = np.asarray([0.1, 0.2, 0.2, 0.2, 0.9, NAN])
    remove = np.asarray([False, True, False, False, True, False])
    assert tune_threshold(scores, remove, Wanted(share_kept=0.8)) == 0.9
    assert tune_threshold(scores, remove, Wanted(share_kept=0.95)) == math.inf
    assert tune_threshold(scores, remove, Wanted(share_kept=0.3)) == 0.2
    # 0.2 keeps 2 of 6, 0.9 keeps 5 of 6: as near to 3.5 of 6; more are kept.
    assert tune_threshold(scores, remove, Wanted(share_kept=3.5 / 6)) == 0.9


def test_a_wanted_recall_is_reached_by_the_highest_threshold_that_does() -> None:
    scores = np.asarray([0.1, 0.2, 0.3, 0.9, NAN])
    remove = np.asarray([False, True, True, True, True])
    assert tune_threshold(scores, remove, Wanted(recall=0.5)) == 0.3
    assert tune_threshold(scores, remove, Wanted(recall=0.75)) == 0.2
    assert tune_threshold(scores, remove, Wanted(recall=0.9)) == 0.1
    with pytest.raises(CleaningError, match="no recall can be tuned"):
        tune_threshold(scores, np.zeros(5, dtype=bool), Wanted(recall=0.5))
    with pytest.raises(CleaningError, match="has a score"):
        tune_threshold(np.full(3, NAN), remove[:3], Wanted(recall=0.5))
    for wrong in ({}, {"recall": 1.0}, {"share_kept": 0.5, "recall": 0.5}):
        with pytest.raises(CleaningError, match="want either"):
            Wanted(**wrong)


def test_thresholds_are_tuned_on_training_queries_without_their_own_labels_at_hand() -> None:
    inputs, remove = benchmark(300)
    split = plan_folds(inputs.queries, remove, repeats=1)
    column = np.random.default_rng(3).random(300)
    seen: list[frozenset[str]] = []
    compared = run(
        [
            entrant("nearer", Nearer(seen), tune=Wanted(share_kept=0.6)),
            entrant("column", _by_id(inputs, column), Kind.RULE, tune=Wanted(share_kept=0.6)),
            entrant("both", Union(("nearer",)), Kind.COMBINATION, tune=Wanted(recall=0.5)),
        ],
        inputs,
        split,
    )
    for fold in split.folds:
        expected = tune_threshold(column[fold.training], remove[fold.training], Wanted(share_kept=0.6))
        assert compared.of("column").thresholds[0, fold.number] == expected
        inside = {split.query_ids[row] for row in fold.training}
        # The outer fit, then three inner ones on parts of the same training queries.
        outer, *inner = seen[4 * fold.number : 4 * fold.number + 4]
        assert outer == inside
        assert all(part < inside for part in inner)
    for name in ("nearer", "column"):
        assert 1 - compared.of(name).decisions.mean() == pytest.approx(0.6, abs=0.06)
    assert compared.of("nearer").tuned_for == "share kept 0.6"
    assert "not tuned" in str(compared.of("both").failed)


def test_counts_come_from_the_first_repeat_and_the_others_show_the_spread() -> None:
    inputs, remove = benchmark(200)
    split = plan_folds(inputs.queries, remove, repeats=3)
    one_kept = Column({split.query_ids[0]: 0.0})
    compared = run([entrant("nearer", Nearer()), entrant("easy", one_kept, Kind.DIFFICULTY)], inputs, split)
    sources = inputs.queries["source"].to_list()
    nearer, easy = summarise(compared, groups={"source": sources})
    assert nearer.rates.confusion.n == 200
    decisions = compared.of("nearer").decisions
    rates = [float((remove & (row == 0)).sum() / (row == 0).sum()) for row in decisions]
    assert nearer.rates.false_omission.estimate == rates[0]
    spread = nearer.spread["false_omission"]
    assert (spread.minimum, spread.maximum, spread.repeats) == (min(rates), max(rates), 3)
    assert spread.sd == pytest.approx(np.std(rates, ddof=1))
    assert {name: each.confusion.n for name, each in nearer.groups["source"].items()} == {"left": 100, "right": 100}
    assert (nearer.ranked, easy.ranked) == (True, False)
    assert easy.rates.confusion.undecided == 199
    assert easy.rates.false_omission.estimate == remove.mean()
    assert spread_of([None, None]).minimum is None
    assert spread_of([0.5, None]) == type(spread)(0.5, 0.5, None, 1)


def test_at_equal_share_all_keep_as_many_and_a_cut_tie_counts_by_expectation() -> None:
    remove = np.asarray([True, True, False, False, False, True, False, False, False, False])
    scores = np.asarray([0.9, 0.5, 0.5, 0.5, 0.5, 0.1, 0.1, 0.0, 0.0, NAN])
    at = at_share_kept(scores, remove, share_kept=0.7)
    # 3 go: the first, and 2 of the 4 at 0.5, which hold one positive: 1 + 0.5 positives go.
    assert (at.kept, at.removed, at.tied, at.kept_positives) == (7, 3, 4, 1.5)
    assert at.false_omission.estimate == pytest.approx(1.5 / 7)
    assert at.recall == 0.5
    assert "expected value" in at.says
    whole = at_share_kept(scores, remove, share_kept=0.5)
    assert (whole.tied, whole.kept_positives, whole.false_omission.count) == (0, 1.0, 1)
    assert whole.says == ""


def test_the_expectation_over_ties_is_the_mean_over_all_orders() -> None:
    generator = np.random.default_rng(2)
    remove = generator.random(60) < 0.4
    scores = generator.integers(0, 4, 60) / 4
    counts = []
    for _ in range(4000):
        order = np.lexsort((generator.random(60), -scores))
        counts.append(remove[order[25:]].sum())
    at = at_share_kept(scores, remove, share_kept=35 / 60)
    assert at.kept_positives == pytest.approx(np.mean(counts), abs=4 * np.std(counts) / math.sqrt(4000))


def test_a_share_that_cannot_be_reached_or_leaves_nothing_is_undefined() -> None:
    remove = [True, False, True, False]
    at = at_share_kept([0.5, NAN, NAN, NAN], remove, share_kept=0.5)
    assert at.undefined == "only 1 of 4 queries have a score, so 2 cannot be removed"
    assert at.false_omission.estimate is None
    assert at_share_kept([0.5] * 4, remove, share_kept=0.0).false_omission.undefined == "0 kept"
    assert at_share_kept([0.5] * 4, remove, share_kept=1.0).false_omission.estimate == 0.5
    with pytest.raises(CleaningError, match=r"in \[0, 1\]"):
        at_share_kept([0.5] * 4, remove, share_kept=1.5)


def test_random_removal_stands_beside_the_strategies_at_the_base_rate() -> None:
    inputs, remove = benchmark(200)
    split = plan_folds(inputs.queries, remove, repeats=2)
    nearer, random = at_equal_share(run([entrant("nearer", Nearer())], inputs, split), share_kept=0.6)
    assert random.name == "random removal"
    assert random.at.false_omission.estimate == pytest.approx(remove.mean())
    assert random.at.false_omission.low is None
    assert nearer.at.kept == random.at.kept == 120
    assert nearer.at.false_omission.estimate < random.at.false_omission.estimate


def test_the_engine_costs_little_beside_the_fits() -> None:
    generator = np.random.default_rng(0)
    n = 1438
    remove = generator.random(n) < 0.3
    inputs = Inputs(
        query_table([[f"d{row // 2}"] for row in range(n)]), generator.normal(size=(n, 256)).astype(np.float32)
    )
    split = plan_folds(inputs.queries, remove, repeats=2)
    started = time.perf_counter()
    compared = run([entrant("column", Column({}), Kind.RULE)], inputs, split)
    # 10 folds of a strategy that does nothing: taking the rows, and nothing else. Generous for a busy machine.
    assert time.perf_counter() - started < 2.0
    assert compared.of("column").scores.shape == (2, n)

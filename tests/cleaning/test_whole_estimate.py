"""The share to remove in a whole benchmark: labels alone and with scores, by design, and what it refuses."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from audit_core.errors import CleaningError
from audit_core.statistics.intervals import WILSON, WILSON_EFFECTIVE, wilson_at
from cleaning.choosing_tables import estimate_table, guarantee_table, sequence_table
from cleaning.contract import Kind
from cleaning.drawn_labels import Division, DrawnLabels
from cleaning.guarantee import choose
from cleaning.tables import to_csv, to_json, to_latex, to_markdown
from cleaning.whole_estimate import WholeEstimate, estimate_removal
from tests.cleaning.scored_sets import drawn, ids, scored, scoring

N = 2000


def benchmark(seed: int = 3) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    chance = np.random.default_rng(seed)
    bad = chance.random(N) < 0.2
    return bad, np.clip(0.2 + 0.4 * bad + chance.normal(0, 0.15, N), 0, 1)


def sample(n: int, seed: int = 4) -> NDArray[np.intp]:
    return np.sort(np.random.default_rng(seed).choice(N, n, replace=False))


def estimated(labels: DrawnLabels, scores: NDArray[np.float64], **options: Any) -> WholeEstimate:
    return estimate_removal(scoring(scored(scores)), labels, **options)


def test_scores_that_go_with_the_labels_narrow_the_interval_and_labels_alone_stand_beside_it() -> None:
    bad, scores = benchmark()
    rows = sample(300)
    found = estimated(drawn(rows, bad), scores)
    (mine,) = found.strategies
    p = float(bad[rows].mean())
    # Wilson at n_eff = p (1 - p) / V with V = (1 - n/N) p (1 - p) / (n - 1), as the audit report has it.
    expected = wilson_at(p, 299 / (1 - 300 / N))
    assert found.human.method == WILSON_EFFECTIVE
    assert found.human.estimate == pytest.approx(p)
    assert found.human.low == pytest.approx(expected.low)
    assert found.human.high == pytest.approx(expected.high)
    slope = float(np.cov(bad[rows], scores[rows])[0, 1] / np.var(scores, ddof=1))
    assert mine.tuned.power == pytest.approx(min(1.0, slope))
    assert mine.full.power == 1.0
    assert mine.tuned.interval.low is not None
    assert mine.tuned.interval.high is not None
    assert mine.tuned.interval.low <= bad.mean() <= mine.tuned.interval.high
    assert mine.labels_saved is not None
    assert mine.labels_saved > 150
    assert mine.labels_saved == pytest.approx((mine.tuned.labels_worth or 0) - 300)
    assert (found.queries, found.labels, found.division) == (N, 300, Division.NONE)


def test_a_stratified_design_is_weighted_by_its_strata() -> None:
    bad, scores = benchmark()
    names = np.where(np.arange(N) < 200, "small", "large")
    bad = bad | (np.arange(N) < 150)
    rows = np.concatenate([np.arange(0, 200, 2), 200 + sample(200, 5)[sample(200, 5) < 1800]])
    chances = np.where(np.arange(N) < 200, 0.5, (len(rows) - 100) / 1800)
    labels = drawn(rows, bad, chances=chances, division=Division.DESIGN, strata=tuple(names))
    found = estimated(labels, scores)
    small, large = bad[rows[rows < 200]].mean(), bad[rows[rows >= 200]].mean()
    assert found.human.estimate == pytest.approx(0.1 * small + 0.9 * large)
    assert found.division is Division.DESIGN
    # The same by equal chances, whose strata nobody named: 100 labels stand for 200, the others for 1,800.
    by_chance = estimated(replace(labels, division=Division.CHANCES, strata=()), scores)
    assert by_chance.division is Division.CHANCES
    assert by_chance.human.estimate == pytest.approx(found.human.estimate)
    tuned, other = found.strategies[0].tuned, by_chance.strategies[0].tuned
    assert other.unclipped == pytest.approx(tuned.unclipped, abs=0.01)
    # Unweighted the bad stratum would count three times too much.
    assert bad[rows].mean() > 1.3 * (found.human.estimate or 0)


def test_a_stratum_with_a_single_label_leaves_a_share_without_an_interval_and_says_why() -> None:
    bad, scores = benchmark()
    names = tuple(np.where(np.arange(N) < 200, "small", "large"))
    rows = np.concatenate([[10], np.arange(200, N, 6)])
    chances = np.where(np.arange(N) < 200, 1 / 200, 1 / 6)
    found = estimated(drawn(rows, bad, chances=chances, division=Division.DESIGN, strata=names), scores)
    assert found.human.estimate is not None
    assert found.human.undefined == "only one label is decided in small, so its variance is unknown"
    interval = found.strategies[0].tuned.interval
    assert (interval.low, interval.undefined) == (
        None, "fewer than two queries are labelled in small, so the variance is unknown",
    )  # fmt: skip
    assert found.strategies[0].labels_saved is None
    assert "no interval: fewer than two" in to_markdown(estimate_table(found))


def test_where_no_labelled_query_is_bad_labels_alone_still_have_wilsons_interval() -> None:
    _, scores = benchmark()
    found = estimated(drawn(sample(100), np.zeros(N, dtype=bool)), scores)
    assert (found.human.method, found.human.estimate, found.human.low) == (WILSON, 0.0, 0.0)
    assert (
        found.strategies[0].tuned.interval.undefined
        == "all 100 labels are alike, so the variance formula gives nothing"
    )


def test_a_census_is_exact() -> None:
    bad, scores = benchmark()
    found = estimated(drawn(np.arange(N), bad), scores)
    assert (found.human.estimate, found.human.low, found.human.count) == (bad.mean(), bad.mean(), bad.sum())
    assert found.strategies[0].tuned.interval.high == bad.mean()


def test_undecided_queries_get_the_mean_of_the_others_which_biases_nothing() -> None:
    bad, scores = benchmark()
    holes = np.where(np.arange(N) % 3 == 0, np.nan, scores)
    found = estimated(drawn(sample(300), bad), holes)
    (mine,) = found.strategies
    assert mine.undecided == math.ceil(N / 3)
    assert mine.warnings == (f"{mine.undecided} of 2,000 queries have no score: they cannot help.",)
    full = estimated(drawn(sample(300), bad), scores).strategies[0]
    assert mine.labels_saved is not None
    assert full.labels_saved is not None
    assert 0 < mine.labels_saved < full.labels_saved
    # On average over draws it is the share, with a third of the scores missing.
    points = [estimated(drawn(sample(300, seed), bad), holes).strategies[0].tuned.unclipped for seed in range(200)]
    assert np.mean([each for each in points if each is not None]) == pytest.approx(bad.mean(), abs=0.005)


def test_scores_that_say_nothing_are_not_used() -> None:
    bad, _ = benchmark()
    found = estimated(drawn(sample(300), bad), np.full(N, 0.3))
    (mine,) = found.strategies
    assert mine.tuned.power == 0.0
    assert mine.labels_saved == pytest.approx(0.0)
    assert "the interval rests on labels alone" in mine.warnings[0]


def test_queries_whose_labels_trained_are_in_neither_the_sample_nor_the_whole() -> None:
    bad, scores = benchmark()
    trained = [ids(N)[row] for row in range(0, N, 4)]
    found = estimate_removal(scoring(scored(scores), trained_on=trained), drawn(sample(300), bad))
    assert (found.queries, found.labels) == (1500, int((sample(300) % 4 != 0).sum()))
    assert found.notes[1] == "The share is that of the 1,500 queries whose labels trained no strategy."
    rest = np.arange(N) % 4 != 0
    assert found.human.estimate == pytest.approx(bad[sample(300)[rest[sample(300)]]].mean())
    assert found.strategies[0].tuned.labels == found.labels


def test_strategies_that_learned_nothing_are_helped_by_all_labels() -> None:
    bad, scores = benchmark()
    trained = [ids(N)[row] for row in range(0, N, 4)]
    first = scoring(scored(scores, "rules", kind=Kind.RULE), scored(scores), trained_on=trained)
    found = estimate_removal(first, drawn(sample(300), bad), strategies=["rules"])
    assert (found.queries, found.labels, found.notes) == (N, 300, ())
    assert estimate_removal(first, drawn(sample(300), bad)).queries == 1500


def test_baselines_help_only_where_they_are_named() -> None:
    bad, scores = benchmark()
    first = scoring(
        scored(scores), scored(scores, "chance", kind=Kind.BASELINE), scored(scores, "easy", kind=Kind.DIFFICULTY)
    )
    labels = drawn(sample(300), bad)
    assert [each.name for each in estimate_removal(first, labels).strategies] == ["mine", "easy"]
    assert [each.name for each in estimate_removal(first, labels, strategies=["chance"]).strategies] == ["chance"]
    with pytest.raises(CleaningError, match="has scores, so none can help"):
        estimate_removal(scoring(scored(scores, "chance", kind=Kind.BASELINE)), labels)


def test_what_gives_no_estimate_is_refused() -> None:
    bad, scores = benchmark()
    labels = drawn(sample(300), bad)
    with pytest.raises(CleaningError, match="An estimate for the whole needs a random sample"):
        estimated(replace(labels, unfit="nobody knows how."), scores)
    with pytest.raises(CleaningError, match="labels of another dataset or revision"):
        estimated(replace(labels, dataset_hash="0" * 64), scores)
    with pytest.raises(CleaningError, match="'other' took no part"):
        estimated(labels, scores, strategies=["other"])
    with pytest.raises(CleaningError, match="The confidence is 9500 %"):
        estimated(labels, scores, confidence=95)


def test_tables_hold_all_figures_in_every_format() -> None:
    bad, scores = benchmark()
    labels = drawn(sample(300), bad)
    whole = estimate_table(estimated(labels, scores))
    rating = scoring(scored(np.round(scores * 4) / 4, "llm_rating", kind=Kind.MODEL), scored(1 - scores, "worse"))
    promised = choose(rating, labels, test_share=0.3)
    for table in (whole, guarantee_table(promised), sequence_table(promised)):
        assert table.title in to_markdown(table)
        assert to_latex(table).count("tabular") == 2
        assert to_csv(table).count("\r\n") == len(table.rows) + 1
        assert '"rows"' in to_json(table)
    assert [row["scores"] for row in whole.rows] == ["labels alone", "Mine", "Mine"]
    reached, missed = guarantee_table(promised).rows
    assert (reached["reached"], missed["reached"]) == ("yes", "no")
    assert reached["rating"] == 1 - float(str(reached["threshold"]))
    assert "held_out" in reached
    assert "threshold" not in missed
    assert guarantee_table(promised).title.startswith("At most 10 % of what is kept is bad, with 95 % confidence")
    assert "over 2 strategies, each at level 0.025" in guarantee_table(promised).notes[0]
    outcomes = [row["outcome"] for row in sequence_table(promised).rows if row["strategy"] == "Llm_rating"]
    assert outcomes[-1] in ("stopped", "not reached")

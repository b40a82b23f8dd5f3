"""The guarantee: how often it is broken in simulation, which labels enter, what it says, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from audit_core.errors import CleaningError
from cleaning.choosing_tables import guarantee_table, sequence_table
from cleaning.contract import Kind
from cleaning.drawn_labels import DrawnLabels
from cleaning.fixed_sequence import Outcome, keeps, threshold_grid
from cleaning.guarantee import Guarantee, choose
from cleaning.guarantee_draw import split_labels
from cleaning.metrics import confusion_of, decide
from tests.cleaning.scored_sets import drawn, ids, scored, scoring

Chance = np.random.Generator


def useful(bad: NDArray[np.bool_], chance: Chance) -> NDArray[np.float64]:
    """Return scores that are higher of bad queries, mostly; on a fine scale."""
    values: NDArray[np.float64] = np.clip(0.3 + 0.3 * bad + chance.normal(0, 0.12, len(bad)), 0, 1)
    return values


def broken(found: Guarantee, scores: NDArray[np.float64], bad: NDArray[np.bool_], risk: float) -> bool:
    """Return whether a threshold was chosen at which more of what is kept is bad than was promised."""
    chosen = found.strategies[0].chosen
    return chosen is not None and bad[keeps(scores, chosen.threshold)].mean() > risk


def picked_by_looking(
    drawn_rows: NDArray[np.intp], scores: NDArray[np.float64], bad: NDArray[np.bool_]
) -> float | None:
    """Return the threshold that keeps most among all whose own test passes: what the fixed sequence is there to avoid."""
    passing = []
    for threshold in threshold_grid(scores):
        kept = drawn_rows[keeps(scores[drawn_rows], threshold)]
        if len(kept) and stats.binom.cdf(int(bad[kept].sum()), len(kept), 0.1) <= 0.05:
            passing.append(float(threshold))
    return max(passing, default=None)


def test_of_many_thresholds_that_all_keep_just_too_many_bad_ones_one_is_chosen_in_at_most_5_percent_of_draws() -> None:
    chance = np.random.default_rng(11)
    n, runs = 3000, 1000
    bad = np.zeros(n, dtype=bool)
    # Every tenth is bad, and one more: each of the 20 thresholds keeps more than 10 % bad ones, by a hair.
    bad[::10] = True
    bad[5] = True
    scores = np.arange(n) / n
    first = scoring(scored(scores))
    wrong = wrong_by_looking = 0
    for run in range(runs):
        rows = chance.choice(n, 300, replace=False)
        wrong += broken(choose(first, drawn(rows, bad), seed=run), scores, bad, 0.1)
        wrong_by_looking += picked_by_looking(rows, scores, bad) is not None
    # The standard error of a rate of 5 % over 1,000 runs is 0.69 points.
    assert wrong / runs <= 0.05 + 2 * 0.0069
    assert wrong_by_looking / runs > 0.10
    assert wrong > 0


def grouped(chance: Chance) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return the documents of 3,000 queries and which are bad: 30 large documents hold most of the bad ones.

    Over all queries 12.5 % are bad, but the mean over documents is 2.4 %.
    """
    sizes = np.concatenate([np.full(30, 50), np.full(1500, 1)])
    documents = np.repeat(np.arange(len(sizes)), sizes)
    share = np.where(documents < 30, 0.23, 0.02)
    # Documents differ: within one, queries are alike.
    often = chance.beta(2.3, 7.7, 30)
    often *= 0.23 / often.mean()
    share[documents < 30] = often[documents[documents < 30]]
    return documents, chance.random(len(documents)) < share


def test_the_promise_holds_where_large_documents_are_worse_and_much_of_the_benchmark_is_labelled() -> None:
    chance = np.random.default_rng(5)
    documents, bad = grouped(chance)
    assert bad.mean() > 0.115
    scores = np.random.default_rng(6).random(len(bad))
    first = scoring(scored(scores))
    runs, wrong, wrong_without_lots = 600, 0, 0
    for run in range(runs):
        rows = np.sort(chance.choice(len(bad), 900, replace=False))
        wrong += broken(choose(first, drawn(rows, bad, groups=documents), seed=run), scores, bad, 0.1)
        # One query a document without evening out the chances counts small documents far too much.
        _, one = np.unique(documents[rows], return_index=True)
        wrong_without_lots += bool(stats.binom.cdf(bad[rows[one]].sum(), len(one), 0.1) <= 0.05)
    assert wrong / runs <= 0.05 + 2 * 0.0089
    assert wrong_without_lots / runs > 0.5


def test_the_promise_holds_for_a_stratified_draw_that_takes_more_of_the_good_stratum() -> None:
    chance = np.random.default_rng(8)
    n = 3000
    is_small = np.arange(n) < 300
    bad = chance.random(n) < np.where(is_small, 0.0, 0.125)
    assert bad.mean() > 0.1
    scores = np.random.default_rng(9).random(n)
    first = scoring(scored(scores))
    chances = np.where(is_small, 0.5, 1 / 9)
    runs, wrong, wrong_without_lots = 600, 0, 0
    for run in range(runs):
        rows = np.concatenate([chance.choice(300, 150, replace=False), 300 + chance.choice(2700, 300, replace=False)])
        wrong += broken(choose(first, drawn(rows, bad, chances=chances), seed=run), scores, bad, 0.1)
        wrong_without_lots += bool(stats.binom.cdf(bad[rows].sum(), len(rows), 0.1) <= 0.05)
    assert wrong / runs <= 0.05 + 2 * 0.0089
    assert wrong_without_lots / runs > 0.15


def test_a_strategy_that_finds_bad_queries_gets_a_threshold_and_the_promise_holds_nearly_always() -> None:
    chance = np.random.default_rng(21)
    n = 4000
    bad = chance.random(n) < 0.25
    scores = useful(bad, chance)
    first = scoring(scored(scores))
    kept, wrong, runs = [], 0, 300
    for run in range(runs):
        found = choose(first, drawn(chance.choice(n, 800, replace=False), bad), seed=run)
        wrong += broken(found, scores, bad, 0.1)
        kept.append(found.strategies[0].chosen.share_kept if found.strategies[0].chosen else 0.0)
    assert wrong / runs <= 0.05 + 2 * 0.0126
    # At 70 % kept 9.2 % are bad, at 75 % 11.7 %: little is lost.
    assert np.mean(kept) > 0.5


#: 1,000 queries on a scale of quarters as ratings have it: 200 at each value, with 0, 2, 10, 50 and 90 % bad ones.
SHARES = (0.0, 0.02, 0.10, 0.50, 0.90)


def quarters() -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    scores = np.repeat([0.0, 0.25, 0.5, 0.75, 1.0], 200)
    bad = np.concatenate([np.arange(200) < 200 * share for share in SHARES])
    return scores, bad


def every(step: int, n: int = 1000) -> NDArray[np.intp]:
    return np.arange(0, n, step)


def test_the_sequence_is_what_its_counts_say() -> None:
    scores, bad = quarters()
    # Every fifth query: 40 of each value, with 0, 1, 4, 20 and 36 bad ones.
    found = choose(scoring(scored(scores, "llm_rating", kind=Kind.MODEL)), drawn(every(5), bad), risk=0.1)
    (mine,) = found.strategies
    shown = [(each.threshold, each.rating, each.kept, each.n, each.bad, each.outcome) for each in mine.steps]
    assert shown == [
        (0.0, 1.0, 0, None, None, Outcome.SKIPPED),
        (0.25, 0.75, 200, 40, 0, Outcome.REJECTED),
        (0.5, 0.5, 400, 80, 1, Outcome.REJECTED),
        (0.75, 0.25, 600, 120, 5, Outcome.REJECTED),
        (1.0, 0.0, 800, 160, 25, Outcome.STOPPED),
        (np.inf, None, 1000, None, None, Outcome.NOT_REACHED),
    ]
    for each in mine.steps[1:5]:
        assert each.n is not None
        assert each.bad is not None
        assert each.p == pytest.approx(float(stats.binomtest(each.bad, each.n, 0.1, alternative="less").pvalue))
        assert each.upper == pytest.approx(float(stats.beta.ppf(0.95, each.bad + 1, each.n - each.bad)))
    assert mine.chosen is mine.steps[3]
    assert mine.says == (
        "To keep more: no number of labels would do, as far as these tell, because where 80.0 % are kept, 25 of 160 "
        "labelled ones are bad: 15.6 %, which is not below 10.0 %. Another strategy is needed, or more must be removed."
    )
    assert (found.labels, found.entered, found.best) == (200, 200, mine)
    assert found.alpha == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("options", "ratings"),
    [
        ({}, [1.0, 0.75, 0.5, 0.25, 0.0]),
        # With one limit for all criteria the score is 0.5 + (limit - rating) / 2: 0.75 is a rating of limit - 0.5.
        ({"thresholds": 0.5}, [1.5, 1.0, 0.5, 0.0, -0.5]),
        ({"thresholds": {"clarity": 0.5, "correctness": 0.75}}, [None] * 5),
    ],
)
def test_thresholds_of_a_rating_are_said_as_ratings_whatever_it_is_called(
    options: dict[str, Any], ratings: list[float | None]
) -> None:
    scores, bad = quarters()
    request = {"strategies": [{"strategy": "llm_rating", "label": "large", "options": options}, {"strategy": "rules"}]}
    first = replace(scoring(scored(scores, "large", **options), scored(scores, "rules")), card={"request": request})
    large, rules = choose(first, drawn(every(5), bad)).strategies
    assert [each.rating for each in large.steps] == [*ratings, None]
    assert {each.rating for each in rules.steps} == {None}


def test_undecided_queries_count_as_kept() -> None:
    scores, bad = quarters()
    scores[-200:] = np.nan
    (mine,) = choose(scoring(scored(scores)), drawn(every(5), bad)).strategies
    # Nine of ten of them are bad, and no threshold removes one.
    assert [(each.kept, each.bad) for each in mine.steps[:1]] == [(200, 36)]
    assert (mine.chosen, mine.blocked) == (None, mine.steps[0])


def test_alpha_is_divided_over_the_strategies() -> None:
    scores, bad = quarters()
    first = scoring(scored(scores, "one"), scored(1.0 - scores, "two"), scored(scores, "three"))
    both = choose(first, drawn(every(5), bad), strategies=["one", "three"], risk=0.065)
    alone = choose(first, drawn(every(5), bad), strategies=["one"], risk=0.065)
    assert both.alpha == pytest.approx(0.025)
    assert alone.alpha == pytest.approx(0.05)
    # 1 of 80: P(Binom(80, 0.065) <= 1) = 0.0302.
    assert [each.chosen is None for each in both.strategies] == [True, True]
    assert alone.strategies[0].chosen is not None
    assert alone.strategies[0].chosen.share_kept == 0.4


def test_how_many_labels_more_are_needed_is_said_and_with_them_the_bound_holds() -> None:
    scores, bad = quarters()
    first = scoring(scored(scores))
    (few,) = choose(first, drawn(every(10), bad), risk=0.1).strategies
    # 1 of 40: P(Binom(40, 0.1) <= 1) = 0.0805.
    assert few.chosen is None
    assert few.more is not None
    assert few.says.startswith("Not reachable with these labels: about ")
    chance = np.random.default_rng(2)

    def often(labels: int) -> float:
        draws = [drawn(chance.choice(1000, labels, replace=False), bad) for _ in range(150)]
        return float(np.mean([choose(first, each, risk=0.1).best is not None for each in draws]))

    assert often(100 + few.more) > 0.8 > often(100)


def test_where_too_few_labels_leave_only_thresholds_that_keep_too_much_it_does_not_say_that_no_number_would_do() -> (
    None
):
    scores, bad = quarters()
    (mine,) = choose(scoring(scored(scores)), drawn(every(20), bad), risk=0.1).strategies
    assert [each.outcome for each in mine.steps[1:5]] == [Outcome.SKIPPED] * 3 + [Outcome.STOPPED]
    assert mine.more is not None
    assert mine.says == (
        "Not reachable with these labels: where 80.0 % are kept, 7 of 40 labelled ones are bad, and thresholds that keep "
        f"less cannot be tested with so few. About {mine.more} more labels are needed to test the one that keeps 60.0 %, and "
        "that only if none of those kept turns out bad."
    )
    again = choose(scoring(scored(scores)), drawn(np.arange(50 + mine.more) * 7 % 1000, bad), risk=0.1).strategies[0]
    assert again.steps[3].outcome != Outcome.SKIPPED


def test_with_too_few_labels_for_any_threshold_nothing_is_tested() -> None:
    scores, bad = quarters()
    (mine,) = choose(scoring(scored(scores)), drawn(every(50), bad), risk=0.1).strategies
    assert {each.outcome for each in mine.steps} == {Outcome.SKIPPED}
    assert mine.blocked is None
    # 29 faultless ones are needed, and 20 are there.
    assert mine.more == 9
    assert mine.says.endswith("about 9 more labels are needed, and that only if none of those kept turns out bad.")
    assert "(29 are needed)" in mine.steps[-1].says


def test_large_groups_may_not_hold_enough_independent_queries_for_any_number_of_labels() -> None:
    scores, bad = quarters()
    # Forty groups at each score, and what is kept below 0.5 has 80.
    found = choose(scoring(scored(scores)), drawn(every(1), bad, groups=np.arange(1000) // 5), risk=0.05)
    (mine,) = found.strategies
    # 1 of 80: P(Binom(80, 0.05) <= 1) = 0.0861.
    assert mine.chosen is None
    assert "groups of queries that go together" in mine.says


def test_one_labelled_query_of_a_group_enters_and_which_one_does_not_depend_on_the_labels() -> None:
    chance = np.random.default_rng(4)
    groups = np.repeat(np.arange(100), 10)
    rows = np.sort(chance.choice(1000, 400, replace=False))
    kept = chance.random(1000) < 0.6
    eligible = np.ones(1000, dtype=bool)
    chances = np.full(400, 0.4)
    entered = []
    for labels in (np.zeros(400, dtype=bool), np.ones(400, dtype=bool)):
        part = split_labels(rows, labels, chances, groups, eligible, seed=3, test_share=0.0).choosing
        entered.append(part.rows[part.entering(kept)])
    assert np.array_equal(entered[0], entered[1])
    assert len(set(groups[entered[0]])) == len(entered[0]) > 50
    assert kept[entered[0]].all()
    other = split_labels(rows, labels, chances, groups, eligible, seed=4, test_share=0.0).choosing
    assert not np.array_equal(np.sort(other.rows[other.entering(kept)]), np.sort(entered[0]))


def test_every_kept_query_enters_with_the_same_chance_whatever_the_size_of_its_group_and_its_stratum() -> None:
    chance = np.random.default_rng(12)
    groups = np.concatenate([np.repeat([0, 1], 20), np.repeat(np.arange(2, 22), 4), np.arange(22, 102)])
    n = len(groups)
    chances = np.where(np.arange(n) % 2, 0.5, 0.25)
    eligible, kept = np.ones(n, dtype=bool), np.ones(n, dtype=bool)
    often = np.zeros(n)
    runs = 4000
    expected = []
    for run in range(runs):
        rows = np.flatnonzero(chance.random(n) < chances)
        split = split_labels(
            rows, np.zeros(len(rows), dtype=bool), chances[rows], groups, eligible, seed=run, test_share=0
        )
        often[split.choosing.rows[split.choosing.entering(kept)]] += 1
        expected.append(split.choosing.expected(kept))
    parts = [often[groups < 2].mean(), often[(groups >= 2) & (groups < 22)].mean(), often[groups >= 22].mean()]
    # 1 - 0.75^20 over 20 = 4.98 %.
    assert parts == pytest.approx([0.0498 * runs] * 3, rel=0.05)
    assert often[::2].sum() == pytest.approx(often[1::2].sum(), rel=0.05)
    assert float(np.mean(expected)) == pytest.approx(often.sum() / runs, rel=0.02)


def test_the_held_out_part_measures_and_never_chooses() -> None:
    scores, bad = quarters()
    groups = np.arange(1000) // 2
    labels = drawn(every(1), bad, groups=groups)
    found = choose(scoring(scored(scores)), labels, test_share=0.3, seed=7, risk=0.12)
    (mine,) = found.strategies
    assert (found.held_out, found.labels) == (300, 1000)
    assert mine.chosen is not None
    assert mine.held_out is not None
    assert mine.held_out.n < 300
    assert "300 labels are held out and choose nothing; 700 choose." in found.notes
    eligible = np.ones(1000, dtype=bool)
    split = split_labels(np.arange(1000), bad, np.ones(1000), groups, eligible, seed=7, test_share=0.3)
    assert not set(groups[split.choosing.rows]) & set(groups[split.testing.rows])
    counts = confusion_of(decide(scores[split.testing.rows], mine.chosen.threshold), split.testing.remove)
    assert (mine.held_out.count, mine.held_out.n) == (counts.fn, counts.kept)
    # Other labels in the held-out part change no threshold.
    turned = bad.copy()
    turned[split.testing.rows] ^= True
    again = choose(scoring(scored(scores)), drawn(every(1), turned, groups=groups), test_share=0.3, seed=7, risk=0.12)
    assert again.strategies[0].steps == mine.steps
    assert again.strategies[0].held_out != mine.held_out


def test_labels_that_trained_a_strategy_are_left_out_and_counted() -> None:
    scores, bad = quarters()
    trained = [ids(1000)[row] for row in every(10)]
    found = choose(scoring(scored(scores), trained_on=trained), drawn(every(5), bad))
    assert (found.labels, found.notes[1:]) == (
        100,
        ("100 labels trained a strategy of this scoring and are left out.",),
    )
    all_of_them = [ids(1000)[row] for row in every(5)]
    with pytest.raises(CleaningError, match="All 200 labels of campaign:drawn trained a strategy of first"):
        choose(scoring(scored(scores), trained_on=all_of_them), drawn(every(5), bad))


def trained_on_all_bad_ones() -> tuple[NDArray[np.float64], NDArray[np.bool_], list[str], NDArray[np.intp]]:
    """Return scores, which of 1,500 queries are bad (14.5 %), those that trained (190 bad, 190 good) and 400 drawn ones."""
    chance = np.random.default_rng(5)
    bad = np.zeros(1500, dtype=bool)
    bad[chance.choice(1500, 218, replace=False)] = True
    training = np.concatenate(
        [chance.choice(np.flatnonzero(bad == label), 190, replace=False) for label in (True, False)]
    )
    return chance.random(1500), bad, [ids(1500)[row] for row in training], chance.choice(1500, 400, replace=False)


def test_a_promise_is_of_the_queries_whose_labels_trained_nothing_and_says_so() -> None:
    scores, bad, trained, rows = trained_on_all_bad_ones()
    found = choose(scoring(scored(np.round(scores)), trained_on=trained), drawn(rows, bad))
    (mine,) = found.strategies
    # The rest holds 28 bad ones of 1,120; all 1,500 hold 218, of which nothing of the kind is true.
    assert mine.chosen is not None
    assert (mine.chosen.threshold, mine.chosen.kept, mine.chosen.share_kept) == (np.inf, 1120, 1.0)
    assert max(each.kept for each in mine.steps) == 1120
    assert (found.queries, found.trained) == (1120, 380)
    said = "the 1,120 queries whose labels trained no strategy"
    assert found.notes[0] == f"The promise, Kept and Share kept are those of {said}. Of the other 380 it says nothing."
    for table in (guarantee_table(found), sequence_table(found)):
        assert f"At most 10 % of what is kept of {said} is bad" in table.title
        assert found.notes[0] in table.notes


def test_thresholds_and_groups_are_those_of_the_queries_that_trained_nothing() -> None:
    scores, bad, trained, rows = trained_on_all_bad_ones()
    eligible = np.asarray([each not in set(trained) for each in ids(1500)])
    # Whoever learned gives what it learned from the highest scores.
    scores = np.where(eligible, scores / 2, 1.0)
    (mine,) = choose(scoring(scored(scores), trained_on=trained), drawn(rows, bad)).strategies
    for step, exact in zip(mine.steps, threshold_grid(scores[eligible]).tolist(), strict=True):
        assert np.array_equal(keeps(scores, step.threshold), keeps(scores, exact))
    assert [each.share_kept for each in mine.steps] == pytest.approx([step / 20 for step in range(1, 21)], abs=0.001)
    split = split_labels(
        np.flatnonzero(eligible)[:50],
        bad[eligible][:50],
        np.ones(50),
        np.arange(1500),
        eligible,
        seed=1,
        test_share=0.0,
    )
    assert split.choosing.groups_in(np.ones(1500, dtype=bool)) == 1120


def test_strategies_that_learned_nothing_are_tested_on_all_labels_beside_one_that_did() -> None:
    scores, bad, trained, rows = trained_on_all_bad_ones()
    first = scoring(scored(scores, "rules", kind=Kind.RULE), scored(scores), trained_on=trained)
    found = choose(first, drawn(rows, bad), strategies=["rules"])
    assert (found.queries, found.trained, found.labels, found.part, found.notes) == (1500, 0, 400, "", ())
    # 14.5 % are bad whatever stays: nothing can be promised.
    assert found.best is None
    assert choose(first, drawn(rows, bad)).queries == 1120


def test_unequal_chances_are_evened_out_and_it_is_said_how_many_are_left() -> None:
    scores, bad = quarters()
    chances = np.where(np.arange(1000) % 2, 0.8, 0.2)
    rows = np.concatenate([every(10), every(2) + 1])
    found = choose(scoring(scored(scores)), drawn(rows, bad, chances=chances))
    assert found.labels == 600
    # The 100 stay, and a quarter of the other 500.
    assert 100 + 90 < found.entered < 100 + 160
    assert f"Of 600 a lot that is blind to the labels leaves {found.entered} with equal chances" in found.notes[0]


def test_the_same_seed_gives_the_same_result() -> None:
    scores, bad = quarters()
    labels = drawn(every(3), bad, groups=np.arange(1000) // 4)
    first = scoring(scored(scores))
    assert choose(first, labels, seed=5) == choose(first, labels, seed=5)


def test_difficulty_filters_and_baselines_take_no_part_unless_named() -> None:
    scores, bad = quarters()
    first = scoring(
        scored(scores), scored(scores, "easy", kind=Kind.DIFFICULTY), scored(scores, "chance", kind=Kind.BASELINE)
    )
    labels = drawn(every(5), bad)
    assert [each.name for each in choose(first, labels).strategies] == ["mine"]
    assert [each.name for each in choose(first, labels, strategies=["chance"]).strategies] == ["chance"]
    with pytest.raises(CleaningError, match="finds easy queries, not bad ones"):
        choose(first, labels, strategies=["easy"])
    with pytest.raises(CleaningError, match="No strategy of first looks for bad queries"):
        choose(scoring(scored(scores, "chance", kind=Kind.BASELINE)), labels)
    failed = replace(scored(scores), failed="the server said no")
    with pytest.raises(CleaningError, match="the server said no"):
        choose(scoring(failed), labels, strategies=["mine"])


def _of_another_revision(labels: DrawnLabels) -> DrawnLabels:
    return replace(labels, dataset_hash="0" * 64)


@pytest.mark.parametrize(
    ("change", "options", "says"),
    [
        (
            lambda each: replace(each, unfit="nobody knows how."),
            {},
            "A guarantee needs a random sample .* nobody knows how",
        ),
        (_of_another_revision, {}, "labels of another dataset or revision"),
        (lambda each: each, {"risk": 0.0}, "The bad share that is allowed is 0 %"),
        (lambda each: each, {"risk": 10.0}, "The bad share that is allowed is 1000 %"),
        (lambda each: each, {"test_share": 1.0}, "The part that is held out is 1.0"),
        (lambda each: each, {"seed": -1}, "The seed is -1"),
        (lambda each: each, {"strategies": []}, "No strategy was chosen"),
        (lambda each: each, {"strategies": ["other"]}, "'other' took no part"),
    ],
)
def test_what_gives_no_guarantee_is_refused(
    change: Callable[[DrawnLabels], DrawnLabels], options: dict[str, object], says: str
) -> None:
    scores, bad = quarters()
    with pytest.raises(CleaningError, match=says):
        choose(scoring(scored(scores)), change(drawn(every(5), bad)), **options)  # type: ignore[arg-type]


def test_no_label_at_all_is_refused() -> None:
    scores, bad = quarters()
    with pytest.raises(CleaningError, match="holds no label of a query of made 1"):
        choose(scoring(scored(scores)), drawn([], bad))


def test_too_few_groups_of_queries_make_a_bound_unreachable_however_many_labels_there_are() -> None:
    scores = np.linspace(0.0, 1.0, 600)
    bad = np.zeros(600, dtype=bool)
    in_six_documents = drawn(np.arange(0, 600, 4), bad, groups=np.arange(600) // 100)
    found = choose(scoring(scored(scores)), in_six_documents, risk=0.2).strategies[0]
    assert (found.chosen, found.more) == (None, None)
    # 0.8 ** 14 = 0.044 is the first power at or below 0.05: fourteen faultless labels are the fewest that could do.
    assert "no number of labels would do: the bound takes at least 14 labels" in found.says
    assert "makes 6 groups of queries" in found.says

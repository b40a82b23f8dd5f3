"""Paired differences: the bootstrap against plain Python, McNemar and Holm against other people's code, equal strategies."""

from __future__ import annotations

import time

import numpy as np
import pytest

from audit_core.errors import CleaningError
from cleaning.compare import Compared, Scored
from cleaning.contract import Kind
from cleaning.differences import Pair, holm, mcnemar_p, pairwise_differences
from cleaning.intervals import bootstrap_sums


def _compared(decisions: dict[str, np.ndarray], remove: np.ndarray, failed: str | None = None) -> Compared:
    strategies = tuple(
        Scored(
            name=name,
            title=name,
            kind=Kind.RULE,
            options={},
            tuned_for=None,
            scores=column[None, :],
            decisions=column[None, :],
            thresholds=np.asarray([[0.5]]),
            learned=False,
            seconds=0.0,
            failed="no reason" if name == failed else None,
        )
        for name, column in decisions.items()
    )
    return Compared("hash", tuple(f"ц{row}" for row in range(len(remove))), remove, strategies, ())


def _example(n: int = 120, seed: int = 4) -> tuple[Compared, list[set[str]]]:
    generator = np.random.default_rng(seed)
    remove = generator.random(n) < 0.4
    columns = {
        name: np.where(generator.random(n) < right, remove, ~remove).astype(float)
        for name, right in (("good", 0.85), ("fair", 0.7), ("poor", 0.55))
    }
    columns["fair"][:10] = np.nan
    documents = [{f"d{each}" for each in generator.integers(0, 50, size=generator.integers(0, 3))} for _ in range(n)]
    return _compared(columns, remove), documents


def test_the_bootstrap_is_that_of_plain_python() -> None:
    compared, documents = _example()
    pair = pairwise_differences(compared, documents, names=["good", "fair"], resamples=300, seed=9)[0]
    generator = np.random.default_rng(9)
    names = sorted(set().union(*documents))
    alone = [row for row, each in enumerate(documents) if not each]
    drawn = generator.standard_exponential((300, len(names) + len(alone)))
    found: dict[str, list[float]] = {"false_omission": [], "share_kept": [], "recall": []}
    for resample in drawn.tolist():
        weights = []
        for row, each in enumerate(documents):
            weight = 1.0
            for document in each:
                weight *= resample[names.index(document)]
            weights.append(weight if each else resample[len(names) + alone.index(row)])
        rates: dict[str, list[float]] = {name: [] for name in found}
        for name in ("good", "fair"):
            goes = [decision == 1.0 for decision in compared.of(name).decisions[0].tolist()]
            rows = list(zip(weights, goes, compared.remove.tolist(), strict=True))
            kept = sum(weight for weight, gone, _ in rows if not gone)
            rates["false_omission"].append(sum(weight for weight, gone, bad in rows if bad and not gone) / kept)
            rates["share_kept"].append(kept / sum(weights))
            rates["recall"].append(
                sum(weight for weight, gone, bad in rows if bad and gone)
                / sum(weight for weight, _, bad in rows if bad)
            )
        for name, (first, second) in rates.items():
            found[name].append(first - second)
    for difference in pair.differences:
        expected = found[difference.measure]
        low, high = np.quantile(expected, [0.025, 0.975])
        assert (difference.low, difference.high) == pytest.approx((low, high))
        fewest = min(sum(each <= 0 for each in expected), sum(each >= 0 for each in expected))
        assert difference.p == pytest.approx(min(1.0, 2 * (fewest + 1) / 301))


def test_the_observed_rates_are_those_of_counting() -> None:
    compared, documents = _example()
    pair = pairwise_differences(compared, documents, resamples=100)[1]
    assert (pair.first, pair.second) == ("good", "poor")
    remove = compared.remove
    for place, name in enumerate(("good", "poor")):
        kept = compared.of(name).decisions[0] != 1.0
        observed = [(each.first, each.second)[place] for each in pair.differences]
        assert observed == pytest.approx(
            [(kept & remove).sum() / kept.sum(), kept.mean(), (~kept & remove).sum() / remove.sum()]
        )
    for each in pair.differences:
        assert each.difference == pytest.approx(each.first - each.second)


def test_undecided_queries_count_as_kept_in_differences_and_tests() -> None:
    remove = np.asarray([True, True, False, False])
    compared = _compared({"a": np.asarray([1.0, 1, 0, 0]), "b": np.asarray([1.0, np.nan, np.nan, 0])}, remove)
    (pair,) = pairwise_differences(compared, [{str(row)} for row in range(4)], resamples=100)
    assert [each.second for each in pair.differences] == [1 / 3, 3 / 4, 1 / 2]
    assert pair.only_first_removes == ("ц1",)
    assert pair.only_second_removes == ()
    assert [(each.only_first, each.only_second, each.n) for each in pair.tests] == [(1, 0, 2), (0, 0, 2)]


def test_a_strategy_against_itself_differs_in_nothing_and_says_so() -> None:
    compared, documents = _example()
    (pair,) = pairwise_differences(compared, documents, names=["good", "good"], resamples=200)
    for each in pair.differences:
        assert (each.difference, each.low, each.high, each.p, each.holm) == (0.0, 0.0, 0.0, 1.0, 1.0)
        assert each.says == "the same in every resample: p = 1"
    positives = int(compared.remove.sum())
    assert pair.tests[0].says == f"the two decide the same on all {positives} positives: p = 1"
    assert pair.tests[1].says == f"the two decide the same on all {120 - positives} negatives: p = 1"
    assert [test.p for test in pair.tests] == [1.0, 1.0]
    assert (pair.only_first_removes, pair.only_second_removes) == ((), ())


def test_a_strategy_that_keeps_nothing_has_no_difference_in_false_omission_but_in_the_others() -> None:
    remove = np.asarray([True] * 5 + [False] * 15)
    compared = _compared({"all": np.ones(20), "none": np.zeros(20)}, remove)
    (pair,) = pairwise_differences(compared, [{str(row)} for row in range(20)], resamples=100)
    omission, share, recall = pair.differences
    assert omission.undefined == "one of the two keeps nothing"
    assert (omission.first, omission.second, omission.p, omission.holm) == (None, 0.25, None, None)
    assert (share.difference, share.low, share.high) == (-1.0, -1.0, -1.0)
    assert share.p == pytest.approx(2 / 101)
    assert recall.difference == 1.0


def test_without_positives_recall_is_undefined() -> None:
    compared = _compared({"a": np.ones(4), "b": np.zeros(4)}, np.zeros(4, dtype=bool))
    (pair,) = pairwise_differences(compared, [{str(row)} for row in range(4)], resamples=100)
    assert pair.differences[2].undefined == "no query is to be removed"
    assert (pair.tests[0].p, pair.tests[0].says) == (None, "no positives")


@pytest.mark.parametrize(("only_first", "only_second"), [(0, 0), (1, 0), (3, 8), (10, 10), (40, 17), (0, 12)])
def test_mcnemar_is_that_of_statsmodels(only_first: int, only_second: int) -> None:
    from statsmodels.stats.contingency_tables import mcnemar

    expected = mcnemar([[5, only_first], [only_second, 7]], exact=True).pvalue
    assert mcnemar_p(only_first, only_second) == pytest.approx(float(expected))


def test_holm_is_that_of_statsmodels_and_leaves_undefined_ones_out() -> None:
    from statsmodels.stats.multitest import multipletests

    generator = np.random.default_rng(3)
    for size in (1, 2, 7, 30):
        values = (generator.random(size) ** 3).tolist()
        assert holm(values) == pytest.approx(multipletests(values, method="holm")[1].tolist())
    assert holm([None, 0.01, None, 0.04]) == (None, 0.02, None, 0.04)
    assert holm([]) == ()


def test_holm_goes_over_all_pairs_of_a_measure() -> None:
    compared, documents = _example()
    pairs: tuple[Pair, ...] = pairwise_differences(compared, documents, resamples=200)
    assert [(pair.first, pair.second) for pair in pairs] == [("good", "fair"), ("good", "poor"), ("fair", "poor")]
    for place in range(3):
        assert [pair.differences[place].holm for pair in pairs] == list(
            holm([pair.differences[place].p for pair in pairs])
        )
    for place in range(2):
        assert [pair.tests[place].holm for pair in pairs] == list(holm([pair.tests[place].p for pair in pairs]))


def test_equal_strategies_rarely_differ_significantly_and_clearly_different_ones_do() -> None:
    generator = np.random.default_rng(8)
    rejected, runs = 0, 200
    for run in range(runs):
        remove = generator.random(200) < 0.3
        columns = {name: (generator.random(200) < 0.3 + 0.4 * remove) * 1.0 for name in ("a", "b")}
        (pair,) = pairwise_differences(
            _compared(columns, remove), [{str(row)} for row in range(200)], resamples=200, seed=run
        )
        assert pair.differences[0].p is not None
        rejected += pair.differences[0].p < 0.05
    # 200 runs at 5 %: 99.9 % limits are 0.5-10.5 %.
    assert 1 <= rejected <= 21
    compared, documents = _example(400)
    clear = pairwise_differences(compared, documents, names=["good", "poor"], resamples=500)[0]
    assert clear.differences[0].holm is not None
    assert clear.differences[0].holm < 0.01


def test_what_cannot_be_compared_is_refused() -> None:
    compared, documents = _example()
    with pytest.raises(CleaningError, match="needs two strategies"):
        pairwise_differences(compared, documents, names=["good"])
    with pytest.raises(CleaningError, match="'best' took no part"):
        pairwise_differences(compared, documents, names=["good", "best"])
    with pytest.raises(CleaningError, match="119 sets of documents"):
        pairwise_differences(compared, documents[:119])
    broken = _compared({"a": np.ones(4), "b": np.zeros(4)}, np.zeros(4, dtype=bool), failed="b")
    with pytest.raises(CleaningError, match="'b' failed"):
        pairwise_differences(broken, [set()] * 4, names=["a", "b"])


def test_the_weights_of_a_resample_do_not_depend_on_how_many_are_drawn_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, documents = _example()
    columns = np.random.default_rng(1).random((120, 3))
    whole = bootstrap_sums(columns, documents, resamples=150, seed=2)
    monkeypatch.setattr("cleaning.intervals.WEIGHTS_AT_ONCE", 1000)
    assert bootstrap_sums(columns, documents, resamples=150, seed=2) == pytest.approx(whole)
    assert bootstrap_sums(np.zeros((0, 2)), [], resamples=100).tolist() == [[0.0, 0.0]] * 100


def test_two_thousand_resamples_of_twelve_strategies_take_about_a_second() -> None:
    generator = np.random.default_rng(0)
    n = 1438
    remove = generator.random(n) < 0.3
    columns = {f"s{each}": (generator.random(n) < 0.3) * 1.0 for each in range(12)}
    documents = [{f"d{each}" for each in generator.integers(0, 900, size=2)} for _ in range(n)]
    started = time.perf_counter()
    pairs = pairwise_differences(_compared(columns, remove), documents)
    # About half a second on one core; five times that on a busy machine.
    assert time.perf_counter() - started < 5.0
    assert len(pairs) == 66


def test_selection_probabilities_weigh_the_rates_and_leave_the_tests_alone() -> None:
    compared, documents = _example()
    chances = np.random.default_rng(2).choice([0.2, 1.0], 120)
    plain = pairwise_differences(compared, documents, resamples=100)[0]
    weighted = pairwise_differences(compared, documents, probabilities=chances, resamples=100)[0]
    kept = compared.of("good").decisions[0] != 1.0
    weights = 1 / chances
    assert weighted.differences[0].first == pytest.approx(weights[kept & compared.remove].sum() / weights[kept].sum())
    assert weighted.differences[1].first == pytest.approx(weights[kept].sum() / weights.sum())
    assert weighted.tests == plain.tests
    even = pairwise_differences(compared, documents, probabilities=[0.5] * 120, resamples=100)[0]
    for one, other in zip(even.differences, plain.differences, strict=True):
        assert (one.low, one.high, one.p) == pytest.approx((other.low, other.high, other.p))

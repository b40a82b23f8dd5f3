"""Prediction-powered shares: golden numbers of ppi-python, what is undefined, and coverage in simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from audit_core.errors import StatisticsError
from audit_core.statistics.intervals import CENSUS
from audit_core.statistics.prediction_powered import LabelledStratum, prediction_powered, score_spread

Z = 1.959963984540054


def benchmark(population: int, n: int) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.intp]]:
    """Return which queries are bad, their scores, and the rows that are labelled: by arithmetic, without a generator."""
    row = np.arange(population)
    bad = (row * 0.6180339887498949) % 1.0 < 0.18
    noise = (row * 0.7548776662466927 + 0.3) % 1.0
    scores = np.clip(0.3 + 0.35 * bad + 0.9 * (noise - 0.5), 0.0, 1.0)
    return bad, scores, (np.arange(n) * 7919) % population


def one(population: int, n: int) -> tuple[LabelledStratum, float]:
    bad, scores, rows = benchmark(population, n)
    return LabelledStratum("all", population, bad[rows], scores[rows], score_spread(scores)), float(scores.mean())


def stratum(population: int, labels: list[int], scores: list[float], name: str = "all") -> LabelledStratum:
    return LabelledStratum(name, population, np.asarray(labels, dtype=bool), np.asarray(scores))


#: Of ppi-python 0.2.3 (MIT), ppi_mean_pointestimate and ppi_mean_ci at alpha 0.05 with the scores of all queries as the
#: unlabelled ones, on the data of `benchmark`: by lambda the estimate and the interval.
PPI_PYTHON = {
    (2000, 150): {
        0.0: (0.18, 0.11851833216670987, 0.24148166783329011),
        0.5: (0.17905100401806573, 0.12650326319714067, 0.2315987448389908),
        1.0: (0.17810200803613144, 0.12417935837668509, 0.23202465769557779),
    },
    (600, 200): {
        0.0: (0.19, 0.1356308675577389, 0.2443691324422611),
        0.5: (0.188743587937109, 0.13878025391551618, 0.2387069219587018),
        1.0: (0.18748717587421798, 0.13279315302798816, 0.2421811987204478),
    },
    (5000, 400): {
        0.0: (0.195, 0.1561730442096454, 0.23382695579035462),
        0.5: (0.19159737330974355, 0.15727727968368813, 0.22591746693579898),
        1.0: (0.1881947466194871, 0.15277023013153324, 0.22361926310744096),
    },
}
#: The same package with lambda left to it and the scores of the unlabelled queries alone: the estimate and its lambda.
PPI_PYTHON_TUNED = {
    (2000, 150): (0.1784415619745041, 0.7595159521357909),
    (600, 200): (0.18840321147050434, 0.4236371640212421),
    (5000, 400): (0.19001389673481145, 0.6740696852095379),
}


@pytest.mark.parametrize("sizes", PPI_PYTHON)
@pytest.mark.parametrize("power", [0.0, 0.5, 1.0])
def test_at_a_given_lambda_the_estimate_is_that_of_ppi_python_and_the_variance_its_part_that_is_left(
    sizes: tuple[int, int], power: float
) -> None:
    population, n = sizes
    labelled, mean = one(population, n)
    found = prediction_powered([labelled], mean_score=mean, power=power)
    point, low, high = PPI_PYTHON[sizes][power]
    assert found.unclipped == pytest.approx(point, abs=1e-12)
    # Theirs takes the benchmark for a sample as well: without that part, divided by n - 1 instead of n, and with the
    # finite population correction, it is ours.
    _, scores, _ = benchmark(population, n)
    rectifier = ((high - low) / (2 * Z)) ** 2 - power**2 * float(np.var(scores)) / population
    assert found.variance == pytest.approx(rectifier * n / (n - 1) * (1 - n / population), rel=1e-9)
    assert found.interval.low == pytest.approx(point - Z * math.sqrt(found.variance or 0.0), abs=1e-12)


@pytest.mark.parametrize("sizes", PPI_PYTHON_TUNED)
def test_the_tuned_lambda_is_that_of_ppi_python_but_for_the_scores_being_known(sizes: tuple[int, int]) -> None:
    population, n = sizes
    labelled, mean = one(population, n)
    point, power = PPI_PYTHON_TUNED[sizes]
    found = prediction_powered([labelled], mean_score=mean)
    # Theirs divides by 1 + n / (N - n), since its unlabelled scores are a sample, and takes the covariance by n.
    assert found.power == pytest.approx(power * population / (population - n) * n / (n - 1), rel=1e-9)
    _, scores, rows = benchmark(population, n)
    rest = float(np.delete(scores, rows).mean())
    assert prediction_powered([labelled], mean_score=rest, power=power).unclipped == pytest.approx(point, abs=1e-12)


def test_strata_are_weighted_by_their_size_as_ppi_python_weighs_queries() -> None:
    bad, scores, rows = benchmark(2000, 150)
    # ppi-python 0.2.3, ppi_mean_pointestimate with w = 2 for rows below 800 and 0.5 for the others: 61 and 89 queries.
    heavy = rows < 800
    strata = [
        LabelledStratum("heavy", 12_200, bad[rows[heavy]], scores[rows[heavy]]),
        LabelledStratum("light", 4_450, bad[rows[~heavy]], scores[rows[~heavy]]),
    ]
    golden = {0.0: 0.1801801801801802, 0.5: 0.1759921405091422, 1.0: 0.17180410083810416}
    for power, point in golden.items():
        found = prediction_powered(strata, mean_score=float(scores.mean()), power=power)
        assert found.unclipped == pytest.approx(point, abs=1e-12)


def test_without_scores_it_is_the_plain_share_with_the_variance_of_a_draw_without_replacement() -> None:
    found = prediction_powered([stratum(100, [1, 0, 0, 1, 0], [0.0] * 5)], mean_score=0.0)
    # Cochran 1977, 3.8: (1 - n/N) p (1 - p) / (n - 1) = 0.95 * 0.4 * 0.6 / 4.
    assert found.power == 0.0
    assert found.unclipped == pytest.approx(0.4)
    assert found.variance == pytest.approx(0.057)
    assert found.labels_worth == pytest.approx(5.0)


def test_the_saving_is_the_number_of_labels_that_would_be_as_narrow_without_scores() -> None:
    labelled, mean = one(5000, 400)
    found = prediction_powered([labelled], mean_score=mean)
    assert found.labels_worth is not None
    assert found.labels_worth > 400
    spread = float(np.var(labelled.labels, ddof=1))
    again = (1 / found.labels_worth - 1 / 5000) * spread
    assert again == pytest.approx(found.variance, rel=1e-12)


def test_scores_that_mislead_are_not_used_when_lambda_is_tuned_and_cost_labels_when_it_is_one() -> None:
    bad, _, rows = benchmark(2000, 150)
    upside_down = np.where(bad, 0.1, 0.9)
    labelled = LabelledStratum("all", 2000, bad[rows], upside_down[rows])
    mean = float(upside_down.mean())
    assert prediction_powered([labelled], mean_score=mean).power == 0.0
    forced = prediction_powered([labelled], mean_score=mean, power=1.0).labels_worth
    assert forced is not None
    assert forced < 150


def test_a_stratum_that_was_taken_whole_leaves_nothing_to_guess() -> None:
    taken = stratum(3, [1, 1, 0], [0.9, 0.8, 0.1], "small")
    drawn = stratum(1000, [1, 0, 0, 0, 1, 0], [0.7, 0.2, 0.1, 0.3, 0.6, 0.2], "large")
    both = prediction_powered([taken, drawn], mean_score=0.3, power=0.5)
    alone = prediction_powered([drawn], mean_score=0.3, power=0.5)
    assert both.variance == pytest.approx((1000 / 1003) ** 2 * (alone.variance or 0.0))
    single = prediction_powered([stratum(1, [1], [0.5], "one"), drawn], mean_score=0.3)
    assert single.interval.undefined is None


def test_a_census_is_exact() -> None:
    found = prediction_powered([stratum(4, [1, 0, 0, 0], [0.9, 0.2, 0.4, 0.1])], mean_score=0.4)
    assert (found.interval.method, found.interval.low, found.interval.high) == (CENSUS, 0.25, 0.25)


def test_it_is_undefined_with_its_reason() -> None:
    drawn = stratum(1000, [1, 0, 0, 0, 1, 0], [0.7, 0.2, 0.1, 0.3, 0.6, 0.2], "large")
    empty = prediction_powered([drawn, stratum(50, [], [], "small")], mean_score=0.3)
    assert (empty.interval.estimate, empty.interval.undefined) == (None, "nothing is labelled in small")
    thin = prediction_powered([drawn, stratum(50, [1], [0.4], "small")], mean_score=0.3)
    assert thin.interval.estimate is not None
    assert thin.interval.undefined == "fewer than two queries are labelled in small, so the variance is unknown"
    alike = prediction_powered([stratum(50, [0, 0, 0], [0.4, 0.1, 0.2])], mean_score=0.3, power=1.0)
    assert alike.interval.undefined == "all 3 labels are alike, so the variance formula gives nothing"
    same = [stratum(50, [0, 0, 0], [0.4] * 3, "a"), stratum(50, [1, 1], [0.9] * 2, "b")]
    assert "no variance" in str(prediction_powered(same, mean_score=0.6).interval.undefined)
    assert prediction_powered([], mean_score=0.0).interval.undefined == "no queries (a population of 0)"


def test_what_leaves_the_scale_is_cut_with_a_warning() -> None:
    labelled = stratum(10_000, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0.9, 0.5, 0.6, 0.4, 0.5, 0.6, 0.7, 0.5, 0.4, 0.6])
    found = prediction_powered([labelled], mean_score=0.1, power=1.0)
    # 0.1 + 0.1 - 0.57 = -0.37.
    assert found.unclipped == pytest.approx(-0.37)
    assert (found.interval.estimate, found.interval.low) == (0.0, 0.0)
    assert "came out at -0.3700 and was held to 0" in found.warnings[0]
    assert "was cut at the end of its scale" in found.warnings[1]
    assert "Labels of the rarer kind: 1." in found.warnings[2]


@pytest.mark.parametrize(
    ("given", "options", "says"),
    [
        (stratum(2, [1, 0, 0], [0.1, 0.2, 0.3]), {}, "3 labels but 2 queries"),
        (stratum(9, [1, 0, 0], [0.1, 0.2]), {}, "labels of shape"),
        (stratum(9, [1, 0], [0.1, float("nan")]), {}, "not finite"),
        (stratum(9, [1, 0], [0.1, 0.2]), {"power": 1.5}, "lambda is 1.5"),
        (stratum(9, [1, 0], [0.1, 0.2]), {"mean_score": float("nan")}, "mean score"),
        (stratum(9, [1, 0], [0.1, 0.2]), {"confidence": 1.0}, "confidence"),
    ],
)
def test_what_cannot_be_is_refused(given: LabelledStratum, options: dict[str, float], says: str) -> None:
    with pytest.raises(StatisticsError, match=says):
        prediction_powered([given], **{"mean_score": 0.1, **options})


def test_intervals_of_nominal_95_percent_hold_the_share_in_95_percent_of_samples_and_are_narrower_than_without_scores() -> (
    None
):
    chance = np.random.default_rng(20_240)
    sizes, drawn = (3000, 800, 200), (120, 80, 50)
    bad = [chance.random(size) < share for size, share in zip(sizes, (0.12, 0.3, 0.5), strict=True)]
    scores = [np.clip(0.25 + 0.4 * each + chance.normal(0, 0.2, len(each)), 0, 1) for each in bad]
    truth = sum(int(each.sum()) for each in bad) / sum(sizes)
    mean = float(np.concatenate(scores).mean())
    held = held_without = 0
    widths, plain_widths = [], []
    runs = 1500
    for _ in range(runs):
        strata = []
        for number, (size, n) in enumerate(zip(sizes, drawn, strict=True)):
            rows = chance.permutation(size)[:n]
            strata.append(LabelledStratum(str(number), size, bad[number][rows], scores[number][rows]))
        tuned = prediction_powered(strata, mean_score=mean).interval
        plain = prediction_powered(strata, mean_score=mean, power=0.0).interval
        assert tuned.low is not None
        assert tuned.high is not None
        assert plain.low is not None
        assert plain.high is not None
        held += tuned.low <= truth <= tuned.high
        held_without += plain.low <= truth <= plain.high
        widths.append(tuned.high - tuned.low)
        plain_widths.append(plain.high - plain.low)
    # The standard error of a coverage of 95 % over 1,500 runs is 0.56 points.
    assert 0.93 <= held / runs <= 0.967
    assert 0.93 <= held_without / runs <= 0.967
    assert np.mean(widths) < 0.85 * np.mean(plain_widths)
    # The mean of the scores alone is no estimate of the share.
    assert abs(mean - truth) > float(np.mean(widths))

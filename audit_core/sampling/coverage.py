"""How often the interval of a planned sample holds the true share, in simulation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

from audit_core.errors import StatisticsError
from audit_core.sampling.frame import StratumKey
from audit_core.sampling.guesses import check_guesses, guessed_strata
from audit_core.sampling.permanent_order import check_seed
from audit_core.sampling.plan import SamplePlan
from audit_core.statistics.intervals import Interval, check_count, wilson
from audit_core.statistics.stratified import hidden_spread

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Coverage:
    """What `repetitions` simulated audits of one benchmark showed.

    `truth` is the share of correct queries in the benchmark. `undefined` audits had no interval (every entry correct,
    say) and are counted apart; `covered` is the share of the others whose interval held the truth, with its own Wilson
    interval from the number of repetitions. `below` audits had their whole interval below the truth, `above` above it.
    `mean_estimate` and `mean_half_width` are over the audits with an interval, None where there is none.
    """

    repetitions: int
    truth: float
    covered: Interval
    undefined: int
    below: int
    above: int
    mean_estimate: float | None
    mean_half_width: float | None


def simulate_coverage(
    plan: SamplePlan, truth: Mapping[StratumKey, float], *, repetitions: int = 2000, seed: int = 1
) -> Coverage:
    """Return how often the plan's interval covers, when stratum h holds round(N_h p_h) correct queries of N_h.

    `truth` gives p_h (parts of 1). Each repetition draws n_h queries of each stratum without replacement
    (hypergeometric counts from numpy's default generator) and computes the interval as `stratified_estimate` does.

    Raises:
        StatisticsError: a stratum without a true accuracy, or one outside [0, 1]; no repetitions; a seed that is none.
    """
    import numpy as np

    times = check_count(repetitions, what="the repetitions")
    if not times:
        raise StatisticsError("Simulate at least one repetition.")
    rng = np.random.default_rng(check_seed(seed))
    populations = np.array([each.population for each in plan.guesses], dtype=np.int64)
    true = guessed_strata({each.key: each.population for each in plan.guesses}, truth)
    check_guesses(true)
    accuracy = {each.key: each.accuracy for each in true}
    good = np.rint(populations * np.array([accuracy[each.key] for each in plan.guesses])).astype(np.int64)
    sizes = np.array(plan.sizes, dtype=np.int64)
    counts = rng.hypergeometric(good, populations - good, sizes, size=(times, len(sizes)))
    share = float(good.sum() / populations.sum())
    estimate, low, high, is_defined = _intervals(counts, sizes, populations, plan.confidence)
    below, above = is_defined & (high < share), is_defined & (low > share)
    defined = int(is_defined.sum())
    return Coverage(
        repetitions=times,
        truth=share,
        covered=wilson(defined - int(below.sum()) - int(above.sum()), defined),
        undefined=times - defined,
        below=int(below.sum()),
        above=int(above.sum()),
        mean_estimate=float(estimate[is_defined].mean()) if defined else None,
        mean_half_width=float((high - low)[is_defined].mean() / 2.0) if defined else None,
    )


def _intervals(
    counts: NDArray[np.int64], sizes: NDArray[np.int64], populations: NDArray[np.int64], confidence: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
    """Return estimate, low, high and whether these are defined, of each row of counts (repetition x stratum)."""
    import numpy as np

    filled = populations > 0
    counts, sizes, populations = counts[:, filled], sizes[filled], populations[filled]
    times, total = len(counts), populations.sum()
    partial = sizes < populations
    if bool((sizes == 0).any() or (sizes[partial] < 2).any()):
        nothing = np.full(times, np.nan)
        return nothing, nothing, nothing, np.zeros(times, dtype=np.bool_)
    shares = counts / sizes
    estimate = np.minimum(1.0, (counts * (populations / sizes)).sum(axis=1) / total)
    if not partial.any():
        return estimate, estimate, estimate, np.ones(times, dtype=np.bool_)
    is_defined = ~((counts == sizes).all(axis=1) | (counts == 0).all(axis=1))
    factor = np.where(partial, (populations / total) ** 2 * (1.0 - sizes / populations) / np.maximum(sizes - 1, 1), 0.0)
    found = shares * (1.0 - shares)
    hidden = np.array([hidden_spread(int(each)) for each in sizes])
    cautious = np.where((counts == 0) | (counts == sizes), hidden, found)
    spread = estimate * (1.0 - estimate)
    drawn = np.full(times, float(sizes.sum()))
    by_variance, bound = (
        np.divide(spread, variance, out=drawn.copy(), where=variance > 0)
        for variance in ((found * factor).sum(axis=1), (cautious * factor).sum(axis=1))
    )
    effective_n = np.minimum(by_variance, np.maximum(drawn, bound))
    z = NormalDist().inv_cdf(0.5 + confidence / 2.0)
    shrunk = 1.0 + z**2 / effective_n
    centre = (estimate + z**2 / (2.0 * effective_n)) / shrunk
    reach = z * np.sqrt(spread / effective_n + (z / (2.0 * effective_n)) ** 2) / shrunk
    return estimate, np.maximum(0.0, centre - reach), np.minimum(1.0, centre + reach), is_defined

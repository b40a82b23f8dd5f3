"""Agreement at the size of a whole benchmark: the coefficients of 271,760 units rated by three, and their document bootstrap."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from audit_core.agreement.bootstrap import Plan, clusters_of
from audit_core.agreement.measuring import measure, with_intervals
from audit_core.agreement.pairs import pairs_of
from audit_core.agreement.ratings import Ratings
from audit_core.agreement.records import Compare
from benchmarks.measuring import peak_bytes, print_table, write_json

#: Rates at which raters differ from the truth of a unit, and leave it out.
_WRONG, _MISSING = 0.05, 0.02


def made_ratings(units: int, raters: int, scale: tuple[Any, ...], *, seed: int = 0) -> Ratings:
    """Return ratings of units whose truth is the first value of ten in nine, some wrong, some missing."""
    random = np.random.default_rng(seed)
    size = len(scale)
    truth = np.where(random.random(units) < 0.9, 0, random.integers(0, size, units))
    value = np.repeat(truth, raters)
    wrong = random.random(units * raters) < _WRONG
    value = np.where(wrong, random.integers(0, size, units * raters), value)
    kept = random.random(units * raters) >= _MISSING
    unit, rater = np.repeat(np.arange(units), raters), np.tile(np.arange(raters), units)
    return Ratings(units, raters, unit[kept], rater[kept], value[kept], scale)


def made_documents(units: int, documents: int, *, seed: int = 1) -> list[tuple[str, ...]]:
    """Return one or two documents a unit."""
    random = np.random.default_rng(seed)
    first, second = random.integers(0, documents, (2, units))
    two = random.random(units) < 0.3
    return [(f"d{a}", f"d{b}") if both else (f"d{a}",) for a, b, both in zip(first, second, two, strict=True)]


def _sets() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(each for place, each in enumerate("FEUN") if number >> place & 1) for number in range(16))


def run(units: int, raters: int, documents: int, draws: int) -> list[dict[str, Any]]:
    """Return the seconds of each kind of scale: without the bootstrap, of all pairs, and of the bootstrap."""
    began = time.perf_counter()
    clusters = clusters_of(made_documents(units, documents))
    print(
        f"{units:,} units x {raters} raters on {clusters.documents:,} documents (read in {time.perf_counter() - began:.1f} s)"
    )
    kinds: list[tuple[str, Compare, tuple[Any, ...]]] = [
        ("correct or not", Compare.NOMINAL, ("correct", "incorrect")),
        ("sets of codes (MASI)", Compare.SET, _sets()),
        ("ordinal, 10 values", Compare.ORDINAL, tuple(range(1, 11))),
    ]
    found = []
    for name, compare, scale in kinds:
        ratings = made_ratings(units, raters, scale)
        started = time.perf_counter()
        measured = measure(ratings, compare, with_interval_metric=compare is Compare.ORDINAL)
        counted = time.perf_counter()
        pairs_of(ratings, compare)
        paired = time.perf_counter()
        with_intervals([measured], clusters, Plan(draws=draws))
        ended = time.perf_counter()
        found.append(
            {
                "scale": name, "figures": len(measured.agreed.figures), "seconds": counted - started,
                "pairs_seconds": paired - counted, "bootstrap_seconds": ended - paired, "draws": draws,
            }
        )  # fmt: skip
    return found


def main() -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=int, default=271_760)
    parser.add_argument("--raters", type=int, default=3)
    parser.add_argument("--documents", type=int, default=47_013)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args()
    found = run(options.units, options.raters, options.documents, options.draws)
    print_table(
        ("scale", "figures", "all figures, s", "all pairs, s", f"{options.draws:,} draws, s"),
        [
            (
                each["scale"], each["figures"], f"{each['seconds']:.2f}", f"{each['pairs_seconds']:.2f}",
                f"{each['bootstrap_seconds']:.1f}",
            )
            for each in found
        ],
    )  # fmt: skip
    print(f"peak {peak_bytes() / 1e9:.2f} GB")
    if options.json:
        write_json(
            options.json,
            {"units": options.units, "raters": options.raters, "scales": found, "peak_bytes": peak_bytes()},
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Whether changes gather in a sample: exact chances against numbers by hand and against scipy."""

from __future__ import annotations

import math

import pytest

from audit_core.errors import StatisticsError
from audit_core.sampling.changes import StratumChange, chance_of_as_many, expected_changes


def test_one_change_meets_a_sample_with_the_share_that_was_drawn() -> None:
    assert chance_of_as_many([StratumChange(30, 12, 1, 1)]) == pytest.approx(0.4)
    assert chance_of_as_many([StratumChange(30, 12, 1, 0)]) == pytest.approx(1.0)


def test_all_of_two_changes_by_hand() -> None:
    """C(8, 2) / C(10, 4): both changed queries are among 4 of 10 with chance 28 / 210."""
    assert chance_of_as_many([StratumChange(10, 4, 2, 2)]) == pytest.approx(28 / 210)


@pytest.mark.parametrize(("population", "entries", "changed", "found"), [(500, 60, 25, 7), (271_760, 800, 54, 2)])
def test_one_stratum_agrees_with_scipy(population: int, entries: int, changed: int, found: int) -> None:
    from scipy.stats import hypergeom

    expected = hypergeom.sf(found - 1, population, changed, entries)
    assert chance_of_as_many([StratumChange(population, entries, changed, found)]) == pytest.approx(expected, rel=1e-6)


def test_strata_are_joined_exactly() -> None:
    """At least 2 of 2 in strata with chances 0.4 and 0.1 of meeting their one change: 0.04."""
    strata = [StratumChange(30, 12, 1, 1), StratumChange(50, 5, 1, 1)]
    assert chance_of_as_many(strata) == pytest.approx(0.04)
    assert expected_changes(strata) == pytest.approx(0.5)


def test_a_census_meets_every_change_and_nothing_is_no_surprise() -> None:
    assert chance_of_as_many([StratumChange(30, 30, 8, 8)]) == pytest.approx(1.0)
    assert chance_of_as_many([]) == 1.0
    assert chance_of_as_many([StratumChange(0, 0, 0, 0), StratumChange(9, 3, 0, 0)]) == pytest.approx(1.0)


def test_the_mended_faults_of_the_published_audit_are_no_chance() -> None:
    assert math.log10(chance_of_as_many([StratumChange(271_760, 800, 54, 54)])) < -100


@pytest.mark.parametrize("counts", [(10, 11, 0, 0), (10, 4, 2, 3), (10, 4, 8, 1), (10, -1, 0, 0)])
def test_counts_that_cannot_be_are_refused(counts: tuple[int, int, int, int]) -> None:
    with pytest.raises(StatisticsError):
        StratumChange(*counts)

"""How proportions are written."""

from __future__ import annotations

from fractions import Fraction

import pytest

from audit_core.errors import StatisticsError
from audit_core.statistics.intervals import Interval, wilson
from audit_core.statistics.percent import confidence_text, interval_text, percent, percent_text, range_text


def test_a_half_is_rounded_up_where_binary_formatting_rounds_to_even() -> None:
    assert f"{746 / 800 * 100:.1f}" == "93.2"
    assert percent(746 / 800) == "93.3"


def test_every_quotient_is_rounded_as_exact_arithmetic_rounds_it() -> None:
    for n in (7, 16, 80, 800, 2000):
        for count in range(n + 1):
            tenths = (Fraction(count, n) * 1000 + Fraction(1, 2)).__floor__()
            assert percent(count / n) == f"{tenths // 10}.{tenths % 10}", (count, n)


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.0, 1, "0.0"),
        (1.0, 1, "100.0"),
        (1e-9, 1, "0.0"),
        (0.96376965, 2, "96.38"),
        (0.5, 0, "50"),
        (None, 1, "undefined"),
    ],
)
def test_percent_digits(value: float | None, decimals: int, text: str) -> None:
    assert percent(value, decimals=decimals) == text


def test_signs_stand_once_and_undefined_has_none() -> None:
    assert percent_text(0.885) == "88.5 %"
    assert percent_text(None) == "undefined"
    assert range_text(0.9133, 0.9481) == "91.3-94.8 %"
    assert range_text(None, None) == "undefined"


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_number_that_is_not_finite_is_refused(value: float) -> None:
    with pytest.raises(StatisticsError, match="pass None"):
        percent(value)


@pytest.mark.parametrize(("level", "text"), [(0.95, "95 %"), (0.995, "99.5 %"), (0.9, "90 %")])
def test_a_confidence_level_has_no_trailing_zeros(level: float, text: str) -> None:
    assert confidence_text(level) == text


def test_an_interval_names_its_level_and_method_or_says_why_it_is_none() -> None:
    assert interval_text(wilson(746, 800)) == "95 % Wilson 91.3-94.8 %"
    assert interval_text(wilson(0, 0)) == "interval undefined: no entries (0 of 0)"
    assert interval_text(Interval(0.5, 0.5, 0.5, 0.95, "census", 4, 2)) == "census, no sampling error"

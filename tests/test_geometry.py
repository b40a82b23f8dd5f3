"""Boxes: units, what lies outside, clipping."""

from __future__ import annotations

import math

import pytest

from audit_core.domain import Box
from audit_core.geometry import clip, is_well_formed, to_fraction


def test_pixels_become_parts_of_the_page_and_fractions_stay() -> None:
    assert to_fraction([10, 50, 20, 100], units="pixel", width=100, height=200) == Box(0.1, 0.25, 0.2, 0.5)
    assert to_fraction([0.1, 0.25, 0.2, 0.5], units="fraction", width=100, height=200) == Box(0.1, 0.25, 0.2, 0.5)
    assert to_fraction([0, 0, 100, 200], units="pixel", width=100, height=200) == Box(0, 0, 1, 1)


def test_a_fraction_needs_no_size_of_the_page_and_a_pixel_does() -> None:
    assert to_fraction([0, 0, 1, 1], units="fraction", width=0, height=0) == Box(0, 0, 1, 1)
    for width, height in ((0, 10), (10, 0), (-1, 10), (math.nan, 10)):
        with pytest.raises(ValueError, match="no place for a box"):
            to_fraction([0, 0, 1, 1], units="pixel", width=width, height=height)


def test_an_unknown_unit_is_refused() -> None:
    with pytest.raises(ValueError, match="use 'pixel' or 'fraction'"):
        to_fraction([0, 0, 1, 1], units="point", width=10, height=10)


@pytest.mark.parametrize(
    "box", [[0, 0, 1], [0, 0, 1, 1, 1], [2, 0, 1, 1], [0, 2, 1, 1], [0, 0, math.inf, 1], [math.nan, 0, 1, 1], []]
)
def test_what_is_no_box_is_refused(box: list[float]) -> None:
    assert not is_well_formed(box)
    with pytest.raises(ValueError, match="not a box"):
        to_fraction(box, units="pixel", width=10, height=10)


@pytest.mark.parametrize("box", [[0, 0, 0, 0], [1, 1, 1, 5], [-5, -5, 20, 20], [0, 0, 10, 10]])
def test_a_box_without_area_or_outside_of_its_page_is_still_a_box(box: list[float]) -> None:
    assert is_well_formed(box)


def test_clipping_moves_each_side_onto_the_page_in_its_own_units() -> None:
    assert clip([-1, -1, 101, 201], units="pixel", width=100, height=200) == [0, 0, 100, 200]
    assert clip([-0.1, 0.2, 0.5, 1.01], units="fraction", width=100, height=200) == [0, 0.2, 0.5, 1]
    assert clip([1, 2, 3, 4], units="pixel", width=100, height=200) == [1, 2, 3, 4]
    assert clip([150, 0, 160, 5], units="pixel", width=100, height=200) == [100, 0, 100, 5]

"""The frame: queries grouped to strata, narrowed by a condition, and what is refused; which methods are chance."""

from __future__ import annotations

import pytest

from audit_core.errors import StatisticsError
from audit_core.sampling import (
    census_draw,
    chosen_ids,
    filtered_draw,
    filtered_frame,
    frame_of,
    is_probability_method,
    simple_draw,
    stratified_draw,
)

ROWS = [
    ("q1", "PubMed", "Doc-Far"),
    ("q2", "SEC", "Doc-Far"),
    ("q3", "PubMed", "Doc-Far"),
    ("q4", "PubMed", "Doc-Near"),
]


def test_queries_are_grouped_by_source_and_structure() -> None:
    assert frame_of(ROWS) == {
        ("PubMed", "Doc-Far"): ["q1", "q3"],
        ("SEC", "Doc-Far"): ["q2"],
        ("PubMed", "Doc-Near"): ["q4"],
    }


def test_a_query_that_stands_in_two_strata_is_refused_by_name() -> None:
    with pytest.raises(StatisticsError, match=r"more than once: q2\."):
        frame_of([*ROWS, ("q2", "PubMed", "Doc-Far")])
    with pytest.raises(StatisticsError, match=r"more than once: q1\."):
        stratified_draw({("A", "x"): ["q1"], ("A", "y"): ["q1"]}, {("A", "x"): 1}, seed=1)


def test_a_condition_narrows_the_frame_and_strata_without_a_match_are_gone() -> None:
    assert filtered_frame(frame_of(ROWS), {"q3", "q4"}) == {
        ("PubMed", "Doc-Far"): ["q3"],
        ("PubMed", "Doc-Near"): ["q4"],
    }


@pytest.mark.parametrize(("matching", "words"), [(set(), "No query matches"), ({"q1", "q9"}, "has the id q9")])
def test_a_condition_that_matches_nothing_or_the_unknown_is_refused(matching: set[str], words: str) -> None:
    with pytest.raises(StatisticsError, match=words):
        filtered_frame(frame_of(ROWS), matching)


def test_the_names_of_the_methods_say_of_themselves_whether_chance_chose() -> None:
    frame = frame_of(ROWS)
    by_chance = [
        stratified_draw(frame, {("PubMed", "Doc-Far"): 1}, seed=1),
        simple_draw(frame, 2, seed=1),
        census_draw(frame, seed=1),
    ]
    by_choice = [chosen_ids(frame, ["q1"]), filtered_draw(frame, ["q1"], condition="random looking", seed=1)]
    # A design that is exported and imported again is judged by these names alone.
    assert all(is_probability_method(each.method) and each.is_probability for each in by_chance)
    assert not any(is_probability_method(each.method) or each.is_probability for each in by_choice)


@pytest.mark.parametrize(
    ("method", "by_chance"),
    [
        ("stratified random", True),
        ("  All   queries ", True),
        ("", False),
        ("Stratified, then by  hand", False),
        ("ids", False),
        ("random ids", True),
        ("Convenience sample", False),
    ],
)
def test_a_method_is_believed_unless_its_words_name_a_choice(method: str, by_chance: bool) -> None:
    assert is_probability_method(method) is by_chance

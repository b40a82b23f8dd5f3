"""Entries that were chosen: lists of ids and filters, which are no probability samples and say so."""

from __future__ import annotations

import pytest

from audit_core.errors import StatisticsError
from audit_core.sampling import (
    census_draw,
    chosen_ids,
    draw_sentences,
    filtered_draw,
    filtered_frame,
    sample_design,
    stratified_draw,
)

FRAME = {("PubMed", "Doc-Far"): ["q1", "q2", "q3"], ("SEC", "Doc-Far"): ["q4", "q5"]}


def test_a_list_of_ids_keeps_its_order_and_claims_no_chance() -> None:
    draw = chosen_ids(FRAME, ["q5", "q1", "q2"])
    assert [(each.number, each.query_id, each.source) for each in draw.entries] == [
        (1, "q5", "SEC"),
        (2, "q1", "PubMed"),
        (3, "q2", "PubMed"),
    ]
    assert not draw.is_probability
    assert {(each.probability, each.probability_combined) for each in draw.entries} == {(None, None)}
    assert [(each.population, each.drawn) for each in draw.strata] == [(3, 2), (2, 1)]
    assert not sample_design(draw, frame_name="small", frame_revision="1").is_probability
    assert draw_sentences(draw)[-1] == "No probability sample: it describes these entries only."


def test_a_list_of_all_ids_is_a_census() -> None:
    draw = chosen_ids(FRAME, ["q5", "q1", "q2", "q4", "q3"])
    assert draw.is_census
    assert draw.is_probability


@pytest.mark.parametrize(
    ("ids", "words"),
    [
        ([], "list of ids is empty"),
        (["q1", "q2", "q1", "q5", "q2", "q1"], r"more than once: q1, q2\."),
        (["q1", "q8", "q9"], "has the id q8, q9"),
    ],
)
def test_a_list_that_is_empty_repeats_or_names_the_unknown_is_refused(ids: list[str], words: str) -> None:
    with pytest.raises(StatisticsError, match=words):
        chosen_ids(FRAME, ids)


def test_all_that_match_a_filter_are_no_probability_sample_of_the_frame() -> None:
    draw = filtered_draw(FRAME, {"q1", "q3"}, condition=" long   answer ", seed=1)
    assert {each.query_id for each in draw.entries} == {"q1", "q3"}
    assert draw.method == "filter: long answer"
    assert not draw.is_probability
    assert [(each.population, each.drawn, each.probability) for each in draw.strata] == [(3, 2, None), (2, 0, None)]


def test_all_that_match_are_a_census_where_they_are_made_the_frame() -> None:
    draw = census_draw(filtered_frame(FRAME, {"q1", "q3"}), seed=1, condition="long answer")
    design = sample_design(draw, frame_name="small", frame_revision="1")
    assert (design.frame_name, design.is_probability) == ("small, only long answer", True)
    assert [(each.source, each.population, each.drawn) for each in design.strata] == [("PubMed", 2, 2)]
    assert draw_sentences(draw)[1] == "The queries that match are the frame: nothing follows for the others."


def test_a_draw_from_those_that_match_has_their_number_as_population() -> None:
    frame = filtered_frame(FRAME, {"q1", "q3", "q4"})
    draw = stratified_draw(frame, {("PubMed", "Doc-Far"): 1, ("SEC", "Doc-Far"): 1}, seed=1, condition="long answer")
    assert [(each.population, each.probability) for each in draw.strata] == [(2, 0.5), (1, 1.0)]


def test_a_filter_that_everything_passes_is_a_census() -> None:
    assert filtered_draw(FRAME, {"q1", "q2", "q3", "q4", "q5"}, condition="any", seed=1).is_probability


@pytest.mark.parametrize(
    ("matching", "condition", "words"),
    [({"q1"}, "  ", "Say in words"), (set(), "long", "No query matches"), ({"q9"}, "long", "has the id q9")],
)
def test_a_filter_without_words_or_matches_is_refused(matching: set[str], condition: str, words: str) -> None:
    with pytest.raises(StatisticsError, match=words):
        filtered_draw(FRAME, matching, condition=condition, seed=1)

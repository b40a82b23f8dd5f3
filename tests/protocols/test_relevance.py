"""What the relevance protocol takes and refuses."""

from __future__ import annotations

from typing import Any

import pytest

from audit_core.errors import JudgmentInvalid
from audit_core.protocols import relevance
from audit_core.protocols.audit_corrections import CorrectionPlaces

PLACES = CorrectionPlaces(pages={"p1", "p2", "p3", "p4"}, listed=["p1", "p2"])
GOOD = {"query": "good", "grades": {"p1": 1, "p2": 0}, "types": {"p1": ["table"]}, "answered": "unanswerable"}
BOX = {"page_id": "p1", "box": [0.1, 0.2, 0.3, 0.4]}


def parse(fields: dict[str, Any], **options: Any) -> dict[str, Any]:
    body = {"outcome": "judged", "fields": fields}
    return relevance.parse(body, **{"places": PLACES, **options}).fields


def test_a_poor_query_with_a_reason_ends_the_entry() -> None:
    assert parse({"query": "poor", "reasons": ["other", "unclear"]}) == {
        "query": "poor",
        "reasons": ["unclear", "other"],
    }
    with pytest.raises(JudgmentInvalid, match="reasons is missing: say any of unclear, unidentified"):
        parse({"query": "poor"})
    with pytest.raises(JudgmentInvalid, match="reasons is missing"):
        parse({"query": "poor", "reasons": []})


@pytest.mark.parametrize("name", ["grades", "answered", "pages"])
def test_a_poor_query_has_nothing_else(name: str) -> None:
    value = {**GOOD, "pages": ["p3"]}[name]
    with pytest.raises(JudgmentInvalid, match=f"^{name}.* is asked only where query is good: take it back"):
        parse({"query": "poor", "reasons": ["unclear"], name: value})


def test_a_good_query_has_no_reasons() -> None:
    with pytest.raises(JudgmentInvalid, match="reasons is asked only where query is poor"):
        parse({**GOOD, "reasons": ["unclear"]})


def test_every_listed_page_needs_a_grade_and_every_added_one_too() -> None:
    assert parse(GOOD) == GOOD
    with pytest.raises(JudgmentInvalid, match="grades is missing of page 'p2': say one of 0, 1, 2"):
        parse({**GOOD, "grades": {"p1": 1}})
    with pytest.raises(JudgmentInvalid, match="grades is missing of page 'p3'"):
        parse({**GOOD, "pages": ["p3"]})
    whole = {**GOOD, "pages": ["p4"], "grades": {"p1": 1, "p2": 0, "p4": 0}}
    assert parse(whole) == whole


def test_a_query_without_evidence_pages_needs_no_grade() -> None:
    fields = {"query": "good", "answered": "unanswerable"}
    assert parse(fields, places=CorrectionPlaces()) == fields


def test_content_types_belong_to_grades_above_0_and_there_must_be_one() -> None:
    with pytest.raises(JudgmentInvalid, match="types is missing of page 'p1'"):
        parse({**GOOD, "types": {}})
    with pytest.raises(JudgmentInvalid, match="types of page 'p2' is asked only where grades is 1 or 2"):
        parse({**GOOD, "types": {"p1": ["text"], "p2": ["text"]}})
    both = {**GOOD, "types": {"p1": ["image", "text"]}}
    assert parse(both)["types"] == {"p1": ["text", "image"]}


def test_boxes_lie_on_pages_graded_above_0() -> None:
    assert parse({**GOOD, "boxes": [BOX]})["boxes"] == [BOX]
    with pytest.raises(JudgmentInvalid, match="boxes of page 'p2' is asked only where grades is 1 or 2"):
        parse({**GOOD, "boxes": [{**BOX, "page_id": "p2"}]})


@pytest.mark.parametrize(
    "box",
    [[0.5, 0.2, 0.1, 0.4], [0, 0, 0, 0], [0, 0, 1.1, 1], [0, 0, 1], [0, 0, 1, float("nan")], [0, 0, "1", 1], None],
)
def test_a_box_that_is_none_is_refused(box: Any) -> None:
    with pytest.raises(JudgmentInvalid, match=r"^boxes"):
        parse({**GOOD, "boxes": [{"page_id": "p1", "box": box}]})


def test_an_answer_is_written_or_there_is_none() -> None:
    with pytest.raises(JudgmentInvalid, match="answered is missing: say one of answer, unanswerable"):
        parse({name: value for name, value in GOOD.items() if name != "answered"})
    for blank in (None, "", " \n"):
        with pytest.raises(JudgmentInvalid, match="answer_text is missing"):
            parse({**GOOD, "answered": "answer", "answer_text": blank})
    with pytest.raises(JudgmentInvalid, match="answer_text is asked only where answered is answer"):
        parse({**GOOD, "answer_text": "4.2 m"})
    with pytest.raises(JudgmentInvalid, match="answer_text has 4,001 characters: shorten it to 4,000"):
        parse({**GOOD, "answered": "answer", "answer_text": "x" * 4001})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"pages": ["p1"]}, "pages: page 'p1' is listed as evidence already"),
        ({"pages": ["p9"]}, "pages: page 'p9' is not in this entry's documents"),
        ({"pages": ["p3", "p3"]}, "pages names a page twice"),
        ({"grades": {"p1": 1, "p2": 0, "p3": 0}}, "grades names page 'p3', which is neither listed nor added"),
        ({"grades": {"p1": 1, "p2": True}}, "grades must be one of 0, 1, 2"),
        ({"grades": {"p1": 1.0, "p2": 0}}, "grades must be one of 0, 1, 2"),
        ({"types": {"p1": ["table", "table"]}}, "types names something twice"),
        ({"boxes": [BOX] * 201}, "boxes holds 201 boxes: draw at most 200"),
    ],
)
def test_what_names_another_place_or_value_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(JudgmentInvalid, match=f"^{words}"):
        parse({**GOOD, **change})


def test_without_places_any_page_may_be_named_and_graded_pages_still_need_their_types() -> None:
    fields = {**GOOD, "grades": {"elsewhere": 2}, "types": {"elsewhere": ["chart"]}}
    assert parse(fields, places=None) == fields
    with pytest.raises(JudgmentInvalid, match="types is missing of page 'elsewhere'"):
        parse({**fields, "types": {}}, places=None)


def test_a_poor_query_is_one_to_remove() -> None:
    assert relevance.removes({"query": "poor", "reasons": ["unclear"]})
    assert not relevance.removes(GOOD)

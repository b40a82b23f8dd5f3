"""Proposed corrections: their one form, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from audit_core.errors import JudgmentInvalid
from audit_core.protocols.audit_corrections import CHANGES_MAX, TEXT_MAX, CorrectionPlaces, parse_correction

PLACES = CorrectionPlaces(
    pages={"p1", "p2", "p3"},
    listed={"p1", "lost"},
    boxes={"p1": [(0.1, 0.2, 0.3, 0.4)], "lost": [(0.0, 0.0, 2.0, 2.0)]},
)
MOVED = {"page_id": "p1", "element_id": "e1", "action": "move", "from": [0.1, 0.2, 0.3, 0.4], "to": [0, 0.2, 1, 1]}
ADDED = {"page_id": "p2", "element_id": None, "action": "add", "from": None, "to": [0.5, 0.5, 0.6, 0.6]}
DROPPED = {"page_id": "p1", "element_id": None, "action": "drop", "from": [0.1, 0.2, 0.3, 0.4], "to": None}


def test_a_whole_correction_is_read_in_one_form() -> None:
    raw = {
        "query": "Which year?", "answer": None, "drop_pages": ["p1"],
        "add_pages": [{"page_id": "p2", "set": "required"}, {"page_id": "p3", "set": "alternative"}],
        "boxes": [MOVED, {"page_id": "p2", "action": "add", "to": [0.5, 0.5, 0.6, 0.6]}, DROPPED],
    }  # fmt: skip
    found = parse_correction(raw, places=PLACES)
    assert found == {**raw, "boxes": [MOVED, ADDED, DROPPED]}
    assert json.loads(json.dumps(found)) == found
    assert parse_correction(found, places=PLACES) == found


@pytest.mark.parametrize("raw", [None, {}, {"drop_pages": [], "add_pages": None, "boxes": []}])
def test_what_changes_nothing_is_no_correction(raw: Any) -> None:
    assert parse_correction(raw) is None


def test_no_answer_is_a_proposal_of_its_own() -> None:
    assert parse_correction({"answer": None}) == {"answer": None}
    assert parse_correction({"answer": ""}) == {"answer": ""}


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ([], "object"), ("x", "object"), ({"page": 1}, "object"), ({"query": None}, "query must be text"),
        ({"query": " "}, "not empty"), ({"query": 5}, "query must be text"), ({"answer": ["x"]}, "answer must be text"),
        ({"query": "x" * (TEXT_MAX + 1)}, "20,001 characters"), ({"answer": "\x00"}, "NUL"), ({"query": "\ud800"}, "half of"),
        ({"drop_pages": "p1"}, "list"), ({"drop_pages": [1]}, "ids"), ({"drop_pages": ["\ud800"]}, "half of"),
        ({"drop_pages": ["p1", "p1"]}, "twice"),
        ({"drop_pages": ["p1"], "add_pages": [{"page_id": "p1", "set": "required"}]}, "twice"),
        ({"add_pages": ["p2"]}, "objects"), ({"add_pages": [{"page_id": "p2"}]}, "objects"),
        ({"add_pages": [{"page_id": "p2", "set": "maybe"}]}, "required"), ({"add_pages": [{"page_id": 2, "set": "required"}]}, "ids"),
        ({"boxes": [[0, 0, 1, 1]]}, "objects"), ({"boxes": [{**ADDED, "more": 1}]}, "objects"),
        ({"boxes": [{**ADDED, "action": "grow"}]}, "use add, move or drop"), ({"boxes": [{**ADDED, "action": None}]}, "objects"),
        ({"boxes": [{**ADDED, "page_id": None}]}, "ids"), ({"boxes": [{**ADDED, "element_id": 5}]}, "ids"),
        ({"boxes": [{**ADDED, "from": [0, 0, 1, 1]}]}, "no 'from'"), ({"boxes": [{**DROPPED, "to": [0, 0, 1, 1]}]}, "no 'to'"),
        ({"boxes": [{**MOVED, "from": None}]}, "four numbers"), ({"boxes": [{**ADDED, "to": [0, 0, 1]}]}, "four numbers"),
        ({"boxes": [{**ADDED, "to": [0, 0, 1, "1"]}]}, "four numbers"), ({"boxes": [{**ADDED, "to": [0, 0, 1, True]}]}, "four numbers"),
        ({"boxes": [{**ADDED, "to": [0, 0, 1, float("nan")]}]}, "four numbers"),
        ({"boxes": [{**ADDED, "to": [0, 0, 1.01, 1]}]}, "on its page"), ({"boxes": [{**ADDED, "to": [-0.01, 0, 1, 1]}]}, "on its page"),
        ({"boxes": [{**ADDED, "to": [0.5, 0, 0.5, 1]}]}, "on its page"), ({"boxes": [{**ADDED, "to": [0.6, 0, 0.5, 1]}]}, "on its page"),
        ({"boxes": [ADDED] * (CHANGES_MAX + 1)}, "51 changes"),
        ({"query": "x", "answer": "y", "boxes": [ADDED] * (CHANGES_MAX - 1)}, "51 changes"),
    ],
)  # fmt: skip
def test_what_breaks_the_form_is_refused_in_words(raw: Any, words: str) -> None:
    for places in (None, PLACES):
        with pytest.raises(JudgmentInvalid, match=words):
            parse_correction(raw, places=places)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"drop_pages": ["p2"]}, "nothing to drop"), ({"add_pages": [{"page_id": "p1", "set": "required"}]}, "listed as evidence already"),
        ({"add_pages": [{"page_id": "p9", "set": "required"}]}, "not in this entry's documents"),
        ({"boxes": [{**ADDED, "page_id": "p9"}]}, "not in this entry's documents"),
        ({"boxes": [{**DROPPED, "from": [0.1, 0.2, 0.3, 0.5]}]}, "no box where"),
        ({"boxes": [{**MOVED, "page_id": "p2"}]}, "no box where"),
    ],
)  # fmt: skip
def test_what_names_a_place_that_is_not_there_is_refused_but_kept_in_a_draft(raw: Any, words: str) -> None:
    with pytest.raises(JudgmentInvalid, match=words):
        parse_correction(raw, places=PLACES)
    assert parse_correction(raw) is not None


def test_a_page_that_is_nowhere_can_be_dropped_with_its_odd_box() -> None:
    raw = {"drop_pages": ["lost"], "boxes": [{**DROPPED, "page_id": "lost", "from": [0, 0, 2, 2]}]}
    assert parse_correction(raw, places=PLACES) is not None


def test_fifty_changes_are_taken() -> None:
    found = parse_correction({"boxes": [ADDED] * CHANGES_MAX}, places=PLACES)
    assert found is not None
    assert len(found["boxes"]) == CHANGES_MAX

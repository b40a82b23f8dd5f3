"""What answers differ in, under each protocol."""

from __future__ import annotations

from typing import Any

import pytest

from audit_core.domain import Answer, IssueCode
from audit_core.protocols import audit, query_review, relevance, removal
from audit_core.protocols.disputes import Said, differences


def _audit(codes: str = "", targets: dict[str, list[str]] | None = None, **correction: Any) -> Said:
    return Said(Answer(codes=tuple(IssueCode(each) for each in codes), targets=targets or {}), correction or None)


def _fields(**fields: Any) -> Said:
    return Said(Answer(fields=fields))


def _box(to: list[float], action: str = "add", page: str = "p1", start: list[float] | None = None) -> dict[str, Any]:
    return {"page_id": page, "element_id": None, "action": action, "from": start, "to": to}


#: The left half of a page, that half moved by a third of its width (overlap 0.5), and by a little more.
HALF, THIRD, FURTHER = [0.0, 0.0, 0.3, 1.0], [0.1, 0.0, 0.4, 1.0], [0.11, 0.0, 0.41, 1.0]


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        (_audit(), _audit(), ()),
        (_audit("F"), _audit(), ("codes",)),
        (_audit("FE"), _audit("FE"), ()),
        (_audit("E", {"E": ["e1"]}), _audit("E", {"E": ["e2"]}), ("targets",)),
        (_audit("E", {"E": ["e1"]}), _audit("E"), ("targets",)),
        (_audit("E", {"E": ["e1", "e2"]}), _audit("E", {"E": ["e2", "e1", "e2"]}), ()),
        (_audit("E", {"E": ["e1"]}), _audit("F"), ("codes",)),
        (_audit("F", query="What is one?"), _audit("F", query=" What  is one? "), ()),
        (_audit("F", query="What is one?"), _audit("F", query="What is two?"), ("correction",)),
        (_audit("F", query="What is one?"), _audit("F"), ("correction",)),
        (_audit("F", answer=None), _audit("F", answer="1"), ("correction",)),
        (_audit("U", drop_pages=["p1", "p2"]), _audit("U", drop_pages=["p2", "p1"]), ()),
        (
            _audit("E", add_pages=[{"page_id": "p2", "set": "required"}]),
            _audit("E", add_pages=[{"page_id": "p2", "set": "alternative"}]),
            ("correction",),
        ),
        (_audit("E", boxes=[_box(HALF)]), _audit("E", boxes=[_box(THIRD)]), ()),
        (_audit("E", boxes=[_box(HALF)]), _audit("E", boxes=[_box(FURTHER)]), ("boxes",)),
        (_audit("E", boxes=[_box(HALF)]), _audit("E", boxes=[_box(HALF, page="p2")]), ("boxes",)),
        (_audit("E", boxes=[_box(HALF)]), _audit("E"), ("boxes",)),
        (_audit("E", boxes=[_box(HALF)]), _audit("E", boxes=[_box(HALF), _box(HALF)]), ("boxes",)),
        (_audit("E", boxes=[_box(HALF, "move", start=HALF)]), _audit("E", boxes=[_box(HALF)]), ("boxes",)),
        (
            _audit("E", boxes=[_box(HALF, "move", start=HALF)]),
            _audit("E", boxes=[_box(HALF, "move", start=THIRD)]),
            ("boxes",),
        ),
    ],
)  # fmt: skip
def test_two_audits_differ_in_codes_targets_texts_pages_or_boxes(
    one: Said, other: Said, found: tuple[str, ...]
) -> None:
    assert differences(audit, [one, other]) == found
    assert differences(audit, [other, one]) == found


def test_disjoint_boxes_with_one_code_are_disputed() -> None:
    left, right = _audit("E", boxes=[_box([0, 0, 0.2, 0.2])]), _audit("E", boxes=[_box([0.5, 0.5, 0.9, 0.9])])
    assert differences(audit, [left, right]) == ("boxes",)
    assert differences(audit, [_audit("E", {"E": ["e1"]}), _audit("E", {"E": ["e2"]})]) == ("targets",)


def test_boxes_pair_up_though_the_likest_partner_is_wanted_by_another() -> None:
    """Of two overlapping boxes each may be the partner of the first: it must leave that one to the other that has no choice."""
    wide, left, right = [0.0, 0, 0.6, 1], [0.0, 0, 0.4, 1], [0.0, 0, 0.8, 1]
    mine = _audit("E", boxes=[_box(wide), _box([0.0, 0, 0.35, 1])])
    theirs = _audit("E", boxes=[_box(left), _box(right)])
    assert differences(audit, [mine, theirs]) == ()


def test_of_three_one_that_differs_is_a_dispute_and_fewer_than_two_are_none() -> None:
    assert differences(audit, [_audit("E"), _audit("E"), _audit("EF")]) == ("codes",)
    assert differences(audit, [_audit("E")]) == ()
    assert differences(audit, []) == ()


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ({"remove": True}, {"remove": False}, ("fields.remove",)),
        ({"remove": True, "clarity": 0.25}, {"remove": True, "clarity": 0.5}, ("fields.clarity",)),
        ({"remove": True, "clarity": 0.25}, {"remove": True}, ()),
    ],
)
def test_two_answers_on_removal_differ_in_what_both_say(
    one: dict[str, Any], other: dict[str, Any], found: tuple[str, ...]
) -> None:
    assert differences(removal, [_fields(**one), _fields(**other)]) == found


def _graded(grades: dict[str, int], box: list[float] | None = None, **more: Any) -> Said:
    boxes = {} if box is None else {"boxes": [{"page_id": "p1", "box": box}]}
    return _fields(query="good", grades=grades, answered="answer", answer_text="1", **boxes, **more)


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        (_graded({"p1": 2}), _fields(query="poor", reasons=["other"]), ("fields.query",)),
        (_graded({"p1": 2}), _graded({"p1": 1}), ("fields.grades",)),
        (_graded({"p1": 2}, HALF), _graded({"p1": 2}, THIRD), ()),
        (_graded({"p1": 2}, HALF), _graded({"p1": 2}, FURTHER), ("boxes",)),
        (_graded({"p1": 2}), _graded({"p1": 2, "p2": 1}, pages=["p2"]), ("fields.pages",)),
        (_graded({"p1": 2}, types={"p1": ["text"]}), _graded({"p1": 2}, types={"p1": ["table"]}), ("fields.types",)),
    ],
)
def test_two_answers_on_relevance_differ_in_grades_pages_types_or_boxes(
    one: Said, other: Said, found: tuple[str, ...]
) -> None:
    assert differences(relevance, [one, other]) == found


def test_two_reviews_differ_in_what_is_compared_and_not_in_the_words_of_the_rewriting() -> None:
    said = {"naturalness": "rewrite", "ambiguity": "ok", "answerability": "ok", "evidence": "yes", "outcome": "rewrite"}
    first = _fields(**said, naturalness_reasons=["stiff"], rewritten="one")
    assert differences(query_review, [first, _fields(**said, naturalness_reasons=["stiff"], rewritten="two")]) == ()
    other = _fields(**said, naturalness_reasons=["copied"], rewritten="one")
    assert differences(query_review, [first, other]) == ("fields.naturalness_reasons",)

"""What the removal protocol takes and refuses."""

from __future__ import annotations

from typing import Any

import pytest

from audit_core.domain import Outcome
from audit_core.errors import JudgmentInvalid
from audit_core.protocols import removal


def body(**fields: Any) -> dict[str, Any]:
    return {"outcome": "judged", "fields": fields}


def test_a_whole_answer_comes_back_in_one_order_with_numbers_as_numbers() -> None:
    answer = removal.parse(body(no_layout_reference=1, clarity=0.25, remove=True, closedness=0, correctness=0.5))
    assert list(answer.fields) == ["remove", "clarity", "correctness", "closedness", "no_layout_reference"]
    assert answer.fields["remove"] is True
    assert answer.fields["closedness"] == 0.0
    assert isinstance(answer.fields["closedness"], float)


def test_a_criterion_that_is_left_open_is_absent_and_not_zero() -> None:
    assert removal.parse(body(remove=False, clarity=None)).fields == {"remove": False}


@pytest.mark.parametrize("value", [0.3, 5, -0.25, "0.5", "0,75", True, False, float("nan"), [], {}])
def test_what_is_not_on_the_scale_is_refused_by_the_name_of_its_criterion(value: object) -> None:
    with pytest.raises(JudgmentInvalid, match=r"clarity must be one of 0, 0\.25, 0\.5, 0\.75 and 1"):
        removal.parse(body(remove=True, clarity=value))


@pytest.mark.parametrize("value", [0, 1, "true", "remove", []])
def test_remove_is_true_or_false_and_nothing_that_looks_like_it(value: object) -> None:
    with pytest.raises(JudgmentInvalid, match="remove must be true"):
        removal.parse(body(remove=value))


def test_a_judgment_without_keep_or_remove_is_refused_and_a_draft_is_not() -> None:
    with pytest.raises(JudgmentInvalid, match="remove is missing"):
        removal.parse(body(clarity=1))
    assert removal.parse({"fields": {"clarity": 1}}, is_draft=True).fields == {"clarity": 1.0}


def test_cannot_judge_has_no_fields_but_a_reason() -> None:
    answer = removal.parse({"outcome": "cannot_judge", "reason": "the page is white"})
    assert (answer.outcome, answer.reason, answer.fields) == (Outcome.CANNOT_JUDGE, "the page is white", {})
    with pytest.raises(JudgmentInvalid, match="take them back"):
        removal.parse({"outcome": "cannot_judge", "fields": {"remove": True}})


@pytest.mark.parametrize("part", ["codes", "targets"])
def test_what_belongs_to_the_audit_is_refused(part: str) -> None:
    given = {"codes": "F", "targets": {"F": ["p1"]}}
    with pytest.raises(JudgmentInvalid, match=f"{part} belongs to the audit"):
        removal.parse({**body(remove=True), part: given[part]})


def test_an_unknown_field_is_named_with_the_known_ones() -> None:
    with pytest.raises(JudgmentInvalid, match="'beauty': use remove, clarity"):
        removal.parse(body(remove=True, beauty=1))


def test_fields_that_are_no_object_are_refused() -> None:
    with pytest.raises(JudgmentInvalid, match="must be an object"):
        removal.parse({"outcome": "judged", "fields": [True]})


def test_no_correction_is_proposed() -> None:
    assert removal.parse_correction(None) is None
    with pytest.raises(JudgmentInvalid, match="propose corrections in an audit"):
        removal.parse_correction({"query": "x"})

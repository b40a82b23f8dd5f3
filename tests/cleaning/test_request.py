"""What a request may call a strategy, and which thresholds it may give: only what pages and tables can show."""

from __future__ import annotations

import json

import pytest

from audit_core.errors import CleaningError
from cleaning.request import NAME_MAX, ComparisonRequest, request_from


def with_strategy(**given: object) -> dict[str, object]:
    return {"name": "a", "labels": "labels:removal", "strategies": [{"strategy": "rules", **given}]}


@pytest.mark.parametrize("label", ["", "   ", "two\nlines", "a" * (NAME_MAX + 1), "\ud800", "back\x08space"])
def test_a_label_that_no_table_can_show_is_refused(label: str) -> None:
    with pytest.raises(CleaningError, match=f"label of rules must be 1 to {NAME_MAX} characters that can be shown"):
        request_from(with_strategy(label=label))


@pytest.mark.parametrize("label", ["日本語", "<b>", "=1+1", "a|b", "a" * NAME_MAX])
def test_a_label_of_any_characters_that_can_be_shown_is_taken(label: str) -> None:
    assert request_from(with_strategy(label=label)).strategies[0].name == label


@pytest.mark.parametrize("threshold", [float("nan"), float("inf"), float("-inf"), 10**400, -(10**400)])
def test_a_threshold_that_is_no_finite_number_is_refused(threshold: float) -> None:
    with pytest.raises(CleaningError, match=r"threshold of rules is .*: give a finite number"):
        request_from(with_strategy(threshold=threshold))


@pytest.mark.parametrize("threshold", [0, 0.0, 1, 1.5, -1])
def test_a_threshold_outside_of_the_scores_removes_all_or_nothing_and_is_taken(threshold: float) -> None:
    assert request_from(with_strategy(threshold=threshold)).strategies[0].threshold == threshold


def asking(**given: object) -> ComparisonRequest:
    return request_from({**with_strategy(), **given})


def test_caps_and_questions_in_flight_are_read_and_written() -> None:
    caps = {"calls": 100, "tokens": 5_000, "spend": 1.5}
    request = asking(caps=caps, in_flight=4)
    assert (request.caps, request.in_flight) == (caps, 4)
    assert request_from(json.loads(json.dumps(request.as_json()))) == request
    assert asking(caps={"calls": None, "spend": 2}).caps == {"calls": None, "spend": 2}


def test_a_request_from_before_caps_is_read_and_has_none() -> None:
    stored = asking().as_json()
    del stored["caps"], stored["in_flight"]
    assert request_from(stored) == asking()
    assert (asking().caps, asking().in_flight) == (None, None)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"caps": {"minutes": 3}}, "no cap on 'minutes'. Cap calls, tokens, spend"),
        ({"caps": {"calls": 0}}, "cap on calls is 0: give a whole number above 0"),
        ({"caps": {"calls": 1.5}}, "cap on calls is 1.5: give a whole number"),
        ({"caps": {"tokens": True}}, "cap on tokens is True"),
        ({"caps": {"tokens": "many"}}, "cap on tokens is 'many'"),
        ({"caps": {"spend": float("nan")}}, "cap on spend is nan: give a number above 0"),
        ({"caps": {"spend": float("inf")}}, "cap on spend is inf"),
        ({"caps": {"spend": -1}}, "cap on spend is -1"),
        ({"caps": [1]}, "caps is .*an object or null is needed"),
        ({"in_flight": 0}, "in_flight is 0: use 1 to 256"),
        ({"in_flight": 257}, "in_flight is 257"),
        ({"in_flight": 2.0}, "in_flight is 2.0: a whole number or null"),
    ],
)
def test_caps_that_cannot_be_kept_are_refused_by_name(given: dict[str, object], says: str) -> None:
    with pytest.raises(CleaningError, match=says):
        asking(**given)

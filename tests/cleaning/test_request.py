"""What a request may call a strategy, and which thresholds it may give: only what pages and tables can show."""

from __future__ import annotations

import pytest

from audit_core.errors import CleaningError
from cleaning.request import NAME_MAX, request_from


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

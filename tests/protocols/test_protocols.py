"""What the audit protocol takes and refuses."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

import pytest

from audit_core.domain import IssueCode
from audit_core.errors import JudgmentInvalid
from audit_core.protocols import audit


def test_codes_are_read_in_any_order_and_written_in_one() -> None:
    for size in range(5):
        for chosen in combinations("FEUN", size):
            for order in permutations(chosen):
                codes = audit.codes_from_text("".join(order))
                assert audit.codes_to_text(codes) == "".join(chosen)
                assert audit.codes_to_text(set(codes)) == "".join(chosen)


@pytest.mark.parametrize("text", ["X", "f", "FF", "F E", "F,E", "FEUNF", "\ud800", "Ｆ", "\x00"])
def test_what_is_no_set_of_codes_is_refused(text: str) -> None:
    with pytest.raises(JudgmentInvalid, match="codes"):
        audit.codes_from_text(text)


def test_an_answer_is_read_whole() -> None:
    answer = audit.parse(
        {
            "outcome": "judged",
            "codes": "EF",
            "note": "n" * 4000,
            "targets": {"E": ["p2", "p1", "p1"], "F": []},
            "active_ms": 2.4,
        }
    )
    assert answer.codes == (IssueCode.F, IssueCode.E)
    assert answer.targets == {"E": ["p1", "p2"]}
    assert answer.active_ms == 2


def test_absent_and_null_are_the_same_and_mean_nothing() -> None:
    bare = {"outcome": "judged"}
    nulls = {**bare, "note": None, "reason": None, "targets": None}
    assert audit.parse(bare) == audit.parse(nulls)


def test_a_draft_may_be_without_an_outcome() -> None:
    assert audit.parse({"codes": "F"}, is_draft=True).codes == (IssueCode.F,)
    with pytest.raises(JudgmentInvalid, match="outcome is None"):
        audit.parse({"codes": "F"})


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"outcome": "skipped"}, "outcome"), ({"outcome": ["judged"]}, "outcome"), ({"outcome": True}, "outcome"),
        ({"codes": None}, "codes"), ({"codes": ["F"]}, "codes"), ({"codes": 0}, "codes"),
        ({"outcome": "cannot_judge", "codes": "F"}, "no codes"),
        ({"note": 0}, "note"), ({"note": False}, "note"), ({"note": []}, "note"), ({"reason": {}}, "reason"),
        ({"note": "x" * 4001}, "note has 4,001"), ({"reason": "x" * 4001}, "reason has 4,001"),
        ({"note": "a\x00"}, "NUL"), ({"reason": "\udfff"}, "surrogate"),
        ({"targets": []}, "targets"), ({"targets": "E"}, "targets"), ({"targets": 0}, "targets"),
        ({"codes": "E", "targets": {"E": "p1"}}, "targets"), ({"codes": "E", "targets": {"E": [1]}}, "targets"),
        ({"codes": "E", "targets": {"": ["p1"]}}, "targets"), ({"codes": "EF", "targets": {"EF": ["p1"]}}, "targets"),
        ({"codes": "E", "targets": {"F": ["p1"]}}, "not among the codes"), ({"targets": {"E": ["p1"]}}, "not among"),
        ({"codes": "E", "targets": {"E": ["p9"]}}, "not on this entry"),
        ({"codes": "E", "targets": {"E": ["\ud800"]}}, "targets"), ({"codes": "E", "targets": {"E": ["p\x00"]}}, "targets"),
        ({"codes": "E", "targets": {"E": ["p1"] * 501}}, "501 places"),
        ({"active_ms": -1}, "active_ms"), ({"active_ms": True}, "active_ms"), ({"active_ms": "5"}, "active_ms"),
        ({"active_ms": 86_400_001}, "active_ms"), ({"active_ms": float("nan")}, "active_ms"), ({"active_ms": None}, "active_ms"),
        ({"active_ms": float("inf")}, "active_ms"),
    ],
)  # fmt: skip
def test_what_breaks_the_protocol_is_refused_by_the_name_of_its_field(change: dict[str, Any], field: str) -> None:
    body = {"outcome": "judged", "codes": "", **change}
    with pytest.raises(JudgmentInvalid, match=field):
        audit.parse(body, places={"p1", "p2"})
    if field != "not on this entry":
        with pytest.raises(JudgmentInvalid, match=field):
            audit.parse(body, is_draft=True)

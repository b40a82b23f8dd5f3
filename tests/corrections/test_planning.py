"""Corrections laid one on the other: checks against the dataset, conflicts, what is left, and rebasing."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest

from audit_core.corrections.checking import Fault, faults_of, read_change
from audit_core.corrections.planning import conflicts, plan, require_fit, structure_change
from audit_core.corrections.rebasing import rebased
from audit_core.corrections.records import Change
from audit_core.errors import CorrectionError, CorrectionStale
from tests.corrections.pieces_of import change, ground, piece, query

A, A2, B = piece("a", 0, 0, 10, 10), piece("a", 50, 50, 90, 90), piece("b", 0, 0, 10, 10)
GROUND = ground()


def moved(to: float) -> Change:
    return change("move-box", "a", before=A, after=piece("a", to, 0, to + 10, 10))


def test_two_corrections_of_one_box_are_a_conflict_that_names_the_first() -> None:
    made = plan({"q": query(A)}, [(7, moved(5)), (8, moved(20))], GROUND)
    (misfit,) = made.misfits
    assert (misfit.id, misfit.against, misfit.is_stale) == (8, 7, True)
    assert "Correction 7 stands in its way" in misfit.reason
    with pytest.raises(CorrectionStale):
        require_fit(misfit)


def test_a_correction_of_a_withdrawn_query_is_refused() -> None:
    made = plan({"q": query(A)}, [(1, change("withdraw")), (2, change("reword", before="what?", after="why?"))], GROUND)
    assert "the query is withdrawn. Correction 1 stands in its way" in made.misfits[0].reason
    with pytest.raises(CorrectionError, match="the query is withdrawn"):
        rebased(change("reword", before="what?", after="why?"), made.contents["q"])


def test_a_query_that_is_not_there_is_no_stale_correction() -> None:
    (misfit,) = plan({}, [(1, change("withdraw"))], GROUND).misfits
    assert not misfit.is_stale
    with pytest.raises(CorrectionError) as raised:
        require_fit(misfit)
    assert not isinstance(raised.value, CorrectionStale)


def test_what_was_proposed_apart_conflicts_and_what_was_proposed_together_does_not() -> None:
    base = plan({"q": query(A, A2)}, [], GROUND)
    together = [(3, change("add-page", "b", after=piece("b"))), (4, change("add-box", "b", before=piece("b"), after=B))]
    assert conflicts([[(1, moved(5))], [(2, moved(20))], together], base, GROUND) == {2: 1}
    dropped = [(5, change("drop-page", "a", before=[A, A2]))]
    assert conflicts([[(1, moved(5))], dropped], base, GROUND) == {5: 1}
    other = [(6, change("move-box", "a", before=A2, after=piece("a", 51, 50, 91, 90)))]
    assert conflicts([[(1, moved(5))], other], base, GROUND) == {}


def test_a_correction_that_leaves_no_evidence_is_a_state_of_its_own() -> None:
    old = query(A)
    made = plan({"q": old}, [(1, change("drop-page", "a", before=[A]))], GROUND)
    found = structure_change("Page-Single", old, made.contents["q"], GROUND.places)
    assert (found.after, found.is_empty, found.words) == (None, True, "Page-Single -> no evidence left")


def test_a_withdrawn_query_is_told_withdrawn_whatever_becomes_of_its_evidence() -> None:
    for old, changes in (
        (query(A), [(1, change("withdraw"))]),
        (query(A), [(1, change("drop-page", "a", before=[A])), (2, change("withdraw"))]),
        (query(), [(1, change("withdraw"))]),
    ):
        found = structure_change("Doc-Far", old, plan({"q": old}, changes, GROUND).contents["q"], GROUND.places)
        assert (found.words, found.is_empty, found.evidence_left) == ("withdrawn", False, None)


def test_a_query_that_never_had_evidence_is_not_told_to_have_lost_it() -> None:
    old = query()
    found = structure_change("Page-Single", old, replace(old, text="why?"), GROUND.places)
    assert (found.words, found.is_empty, found.evidence_left) == ("had and has no evidence", False, False)


@pytest.mark.parametrize(
    ("before", "after", "is_refused"),
    [("a b", " a b ", True), ("a b", "a  b", True), ("a b", "a\u00a0b", True), ("a b", "a\nb", True), ("a\nb", "a b", True),
     (" a b ", "a b", False), ("a  b", "a b", False), ("a\u00a0b", "a b", False), ("a\tb", "a\nb", False), (" a", " a ", True),
     ("a b", "ab", False), ("a b", " a c", False)],
)  # fmt: skip
def test_a_text_that_differs_in_blanks_alone_is_refused_unless_it_mends_odd_ones(
    before: str, after: str, is_refused: bool
) -> None:
    for action in ("reword", "re-answer"):
        found = read_change({"query_id": "q", "action": action, "before": before, "after": after})
        assert isinstance(found, Fault) is is_refused


def test_what_the_dataset_does_not_have_is_told_before_what_does_not_fit() -> None:
    unknown = change("add-box", "nowhere", after=piece("nowhere", 0, 0, 10, 10))
    other_set = change("drop-page", "a", "zz", before=[piece("a", set_id="zz")])
    off = change("move-box", "a", before=A2, after=piece("a", 0, 0, 999, 10))
    made = plan({"q": query(A)}, [(1, unknown), (2, other_set), (3, off)], GROUND)
    assert [(each.is_stale, each.faults[0].field) for each in made.misfits] == [
        (False, "key.page_id"), (False, "key.set_id"), (False, "after.box"),
    ]  # fmt: skip


def test_a_set_that_an_earlier_correction_emptied_makes_a_later_one_stale() -> None:
    alternative = piece("b", set_id="s")
    drop = change("drop-page", "b", "s", before=[alternative])
    made = plan({"q": query(A, alternative)}, [(1, drop), (2, drop)], GROUND)
    assert [(each.id, each.against, each.is_stale) for each in made.misfits] == [(2, 1, True)]


@pytest.mark.parametrize(
    ("evidence", "after"),
    [([piece("a"), piece("b")], "Doc-Adjacent"), ([piece("a"), piece("c")], "Doc-Near"), ([piece("a"), piece("x")], "Cross-Doc"),
     ([A, A2], "Page-Multi"), ([piece("b", set_id="s"), piece("a", set_id="t")], "Page-Single")],
)  # fmt: skip
def test_the_structure_is_computed_anew(evidence: list[Any], after: str) -> None:
    old = query(A)
    found = structure_change("Page-Single", old, replace(old, evidence=tuple(evidence)), GROUND.places)
    assert found.after == after


def test_a_rewording_leaves_the_stored_structure_whatever_the_pages_are() -> None:
    old = query(A)
    assert structure_change("Doc-Far", old, replace(old, text="why?"), GROUND.places).words == "Doc-Far (unchanged)"


@pytest.mark.parametrize(
    ("made", "field"),
    [
        (change("add-page", "nowhere", after=piece("nowhere")), "key.page_id"),
        (change("add-page", "b", after=piece("b", document_id="e")), "after.document_id"),
        (change("add-box", "a", after=piece("a", 0, 0, 10, 10, element_id="no")), "after.element_id"),
        (change("add-box", "a", after=piece("a", 0, 0, 201, 10)), "after.box"),
        (change("add-box", "a", after=piece("a", 5, 5, 5, 10)), "after.box"),
        (change("move-box", "a", "s", before=A, after=A2), "key.set_id"),
    ],
)  # fmt: skip
def test_what_the_dataset_does_not_have_is_named_by_field(made: Change, field: str) -> None:
    assert [each.field for each in faults_of(made, query(A), GROUND)] == [field]


def test_an_element_that_the_evidence_names_itself_is_known_where_the_dataset_lists_none_like_it() -> None:
    old = piece("a", 0, 0, 10, 10, element_id="own")
    made = change("move-box", "a", before=old, after=piece("a", 5, 0, 10, 10, element_id="own"))
    assert faults_of(made, query(old), GROUND) == []


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ({"action": "reword"}, "query_id"),
        ({"query_id": "q", "action": "burn"}, "action"),
        ({"query_id": "q", "action": "reword", "before": "a", "after": " "}, "after"),
        ({"query_id": "q", "action": "reword", "before": "a", "after": "a"}, "after"),
        ({"query_id": "q", "action": "reword", "key": {"page_id": "a"}, "before": "a", "after": "b"}, "key"),
        ({"query_id": "q", "action": "re-answer", "before": None, "after": 3}, "after"),
        ({"query_id": "q", "action": "add-page", "key": {"page_id": 3}}, "key.page_id"),
        ({"query_id": "q", "action": "add-page", "key": {"page_id": "a"}, "after": {"page_id": "b"}}, "after"),
        ({"query_id": "q", "action": "add-page", "key": {"page_id": "a"}, "after": {"page_id": "a", "box": [0, 0, 1, 1]}}, "after"),
        ({"query_id": "q", "action": "drop-page", "key": {"page_id": "a"}, "before": []}, "before"),
        ({"query_id": "q", "action": "move-box", "key": {"page_id": "a"}, "before": {"page_id": "a", "box": [0, 0, 1]}, "after": None},
         "before.box"),
        ({"query_id": "q", "action": "move-box", "key": {"page_id": "a"}, "before": {"page_id": "a", "rank": 1}}, "before.rank"),
        ({"query_id": "q", "action": "withdraw", "before": "q"}, "before"),
    ],
)  # fmt: skip
def test_a_row_that_is_no_correction_is_refused_by_field(raw: dict[str, Any], field: str) -> None:
    found = read_change(raw)
    assert isinstance(found, Fault)
    assert found.field == field


def test_a_row_comes_back_in_one_form() -> None:
    raw = {
        "query_id": "q",
        "action": "drop-page",
        "key": {"page_id": "a"},
        "before": [{"box": [0, 0, 10, 10], "page_id": "a", "relevance": 1}],
    }
    assert read_change(raw) == change("drop-page", "a", before=[A])


def test_the_last_box_of_a_page_cannot_go_and_leave_nothing() -> None:
    drop = change("drop-box", "a", before=A)
    assert plan({"q": query(A, A2)}, [(1, drop)], GROUND).misfits == []
    (misfit,) = plan({"q": query(A)}, [(1, drop)], GROUND).misfits
    assert misfit.is_stale
    assert "let the whole page stay" in misfit.reason
    assert rebased(drop, query(A)) == replace(drop, after=piece("a"))


@pytest.mark.parametrize(
    ("made", "now", "before"),
    [
        (change("reword", before="old", after="new"), query(text="other"), "other"),
        (change("re-answer", before="x", after=None), query(answer="y"), "y"),
        (change("drop-page", "a", before=[A]), query(A2, B), [A2]),
        (change("add-box", "a", after=A), query(piece("a")), piece("a")),
        (change("add-box", "a", before=piece("a"), after=A), query(A2), None),
        (moved(20), query(piece("a", 4, 0, 14, 10), A2), piece("a", 4, 0, 14, 10)),
        (moved(20), query(A2), A2),
    ],
)  # fmt: skip
def test_rebasing_takes_what_stands_there_now_and_keeps_the_aim(made: Change, now: Any, before: Any) -> None:
    found = rebased(made, now)
    assert (found.before, found.after) == (before, made.after)
    assert plan({"q": now}, [(1, found)], GROUND).misfits == []


def test_a_box_is_found_again_by_its_element_before_its_place() -> None:
    mine, other = piece("a", 100, 100, 110, 110, element_id="t"), piece("a", 0, 0, 10, 10)
    made = change("drop-box", "a", before=piece("a", 0, 0, 9, 10, element_id="t"))
    assert rebased(made, query(mine, other)).before == mine


@pytest.mark.parametrize(
    ("made", "now", "why"),
    [
        (change("reword", before="a", after="b"), query(text="b"), "stands there already"),
        (change("add-page", "a", after=piece("a")), query(A), "evidence of that set already"),
        (change("drop-page", "a", before=[A]), query(B), "no evidence of that set any more"),
        (change("add-box", "a", after=A), query(A), "there already"),
        (change("drop-box", "a", before=piece("a", 100, 100, 110, 110)), query(A, A2), "no box of the page can be told"),
    ],
)  # fmt: skip
def test_what_cannot_be_rebased_says_why_and_what_can_be_done(made: Change, now: Any, why: str) -> None:
    with pytest.raises(CorrectionError, match=rf"{why}.*\. Reject it"):
        rebased(made, now)


def test_two_thousand_corrections_are_laid_in_a_second() -> None:
    contents = {f"q{at}": replace(query(A, A2), query_id=f"q{at}") for at in range(2000)}
    changes = [(at, replace(moved(5), query_id=f"q{at}")) for at in range(2000)]
    began = time.perf_counter()
    assert len(plan(contents, changes, GROUND).applied) == 2000
    assert time.perf_counter() - began < 1

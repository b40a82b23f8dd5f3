"""Atomic changes from proposals, in steps or whole."""

from __future__ import annotations

import pytest

from audit_core.corrections.applying import QueryContent, apply_changes
from audit_core.corrections.coding import code_mended
from audit_core.corrections.deriving import changes_of
from audit_core.corrections.records import Action
from audit_core.domain import JsonObject
from audit_core.errors import CorrectionError
from tests.corrections.pieces_of import ground, piece, query

BOX = (20, 40, 100, 80)
#: The same box in parts of a page of 200 x 400, as the judging page rounds it.
SHOWN = [0.1, 0.1, 0.5, 0.2]


def derived(
    proposal: JsonObject, content: QueryContent, units: str = "pixel"
) -> tuple[list[str], tuple[JsonObject, ...]]:
    """The actions with their pages and sets, and the evidence after them."""
    changes = changes_of(proposal, content, ground(units))
    named = [" ".join(str(part) for part in (each.action, *each.key.values()) if part is not None) for each in changes]
    return named, apply_changes(content, changes).evidence


def box(action: str, page: str = "a", **more: object) -> JsonObject:
    return {"page_id": page, "element_id": None, "action": action, "from": None, "to": None, **more}


def test_a_proposal_that_changes_nothing_gives_no_change() -> None:
    content = query(piece("a"))
    assert changes_of(None, content, ground()) == []
    assert changes_of({"query": "what?", "answer": "that"}, content, ground()) == []


def test_texts_become_a_rewording_and_another_answer() -> None:
    reword, answer = changes_of({"query": "why?", "answer": None}, query(), ground())
    assert (reword.action, reword.before, reword.after) == (Action.REWORD, "what?", "why?")
    assert (answer.action, answer.before, answer.after) == (Action.RE_ANSWER, "that", None)


def test_a_page_in_several_sets_is_dropped_once_for_each() -> None:
    content = query(piece("a"), piece("a", set_id="s"), piece("b", set_id="s"))
    assert derived({"drop_pages": ["a"]}, content) == (["drop-page a", "drop-page a s"], (piece("b", set_id="s"),))


def test_a_required_page_goes_into_the_only_set_else_into_every_one_else_where_it_says() -> None:
    step = {"page_id": "b", "set": "required"}
    assert derived({"add_pages": [step]}, query(piece("a", set_id="s")))[0] == ["add-page b s"]
    both = query(piece("a"), piece("a", set_id="s"))
    assert derived({"add_pages": [step]}, both)[0] == ["add-page b", "add-page b s"]
    assert derived({"add_pages": [{**step, "set_id": "s"}]}, both)[0] == ["add-page b s"]
    assert derived({"add_pages": [step]}, query())[0] == ["add-page b"]


def test_each_alternative_becomes_a_set_whose_name_is_not_taken() -> None:
    steps = [{"page_id": each, "set": "alternative"} for each in "bc"]
    content = query(piece("a"), piece("x", set_id="alternative"))
    assert derived({"add_pages": steps}, content)[0] == ["add-page b alternative-2", "add-page c alternative-3"]
    (change,) = changes_of({"add_pages": steps[:1]}, query(piece("a")), ground(), taken_sets=["alternative"])
    assert change.key["set_id"] == "alternative-2"


def test_a_page_that_is_added_names_its_document_where_the_evidence_does_so() -> None:
    step = {"add_pages": [{"page_id": "x", "set": "required"}]}
    (named,) = changes_of(step, query(piece("a", document_id="d")), ground())
    (bare,) = changes_of(step, query(piece("a")), ground())
    assert (named.after, bare.after) == (piece("x", document_id="e"), piece("x"))


def test_a_box_in_pixels_is_found_again_and_moved_to_hundredths_of_a_pixel() -> None:
    content = query(piece("a", *BOX, relevance=2))
    moved = box("move", **{"from": [0.1000004, 0.1, 0.5, 0.2], "to": [0.123456, 0.1, 0.654321, 0.2]})
    named, after = derived({"boxes": [moved]}, content)
    assert (named, after) == (["move-box a"], (piece("a", 24.69, 40, 130.86, 80, relevance=2),))
    assert derived({"boxes": [moved]}, content) == (named, after)


def test_a_box_put_on_an_element_is_exactly_the_element() -> None:
    added = box("add", element_id="t", to=[0.1000001, 0.1, 0.4999999, 0.2])
    assert derived({"boxes": [added]}, query(piece("a")))[1] == (piece("a", *BOX, element_id="t", kind="Table"),)
    shown = derived({"boxes": [added]}, query(piece("a")), "fraction")
    assert shown[1] == (piece("a", *SHOWN, element_id="t", kind="Table"),)


def test_a_box_moved_away_from_its_element_is_no_longer_that_element() -> None:
    content = query(piece("a", *BOX, element_id="t", kind="Table"))
    moved = box("move", **{"from": SHOWN, "to": [0.5, 0.5, 0.75, 0.75]})
    assert derived({"boxes": [moved]}, content)[1] == (piece("a", 100, 200, 150, 300, kind="Table"),)


def test_the_last_box_of_a_page_that_is_dropped_leaves_the_whole_page() -> None:
    content = query(piece("a", *BOX, element_id="t"), piece("b"))
    dropped = box("drop", element_id="t", **{"from": SHOWN})
    assert derived({"boxes": [dropped]}, content) == (["drop-box a"], (piece("a"), piece("b")))


def test_a_box_of_several_sets_is_moved_in_each_of_them() -> None:
    content = query(piece("a", *BOX), piece("a", *BOX, set_id="s"))
    moved = box("move", **{"from": SHOWN, "to": [0.0, 0.0, 1.0, 0.5]})
    assert derived({"boxes": [moved]}, content)[0] == ["move-box a", "move-box a s"]


def test_a_box_on_a_page_that_comes_new_needs_the_page_first() -> None:
    added = {"boxes": [box("add", "b", to=[0.0, 0.0, 0.5, 0.5])], "add_pages": [{"page_id": "b", "set": "required"}]}
    assert derived(added, query(piece("a")))[0] == ["add-page b", "add-box b"]
    with pytest.raises(CorrectionError, match="add the page first"):
        changes_of({"boxes": added["boxes"]}, query(piece("a")), ground())


def test_a_box_takes_the_place_of_a_page_that_is_listed_whole_twice() -> None:
    content = query(piece("a"), piece("a", element_id="t"), piece("b"))
    named, after = derived({"boxes": [box("add", to=SHOWN)]}, content)
    assert named == ["drop-page a", "add-page a", "add-box a"]
    assert set(map(str, after)) == {str(piece("a", *BOX)), str(piece("b"))}


def test_of_two_pieces_in_one_place_the_one_of_the_named_element_is_dropped() -> None:
    content = query(piece("a", *BOX, element_id="other"), piece("a", *BOX, element_id="t"))
    dropped = box("drop", element_id="t", **{"from": SHOWN})
    assert derived({"boxes": [dropped]}, content)[1] == (piece("a", *BOX, element_id="other"),)


def test_whole_content_leaves_what_it_does_not_name() -> None:
    changes = changes_of({"text": "why?"}, query(piece("a")), ground())
    assert [each.action for each in changes] == [Action.REWORD]
    assert derived({"evidence": []}, query(piece("a"), piece("b"))) == (["drop-page a", "drop-page b"], ())


def test_a_withdrawal_stands_alone() -> None:
    (change,) = changes_of({"withdraw": True}, query(piece("a")), ground())
    assert change.action is Action.WITHDRAW
    with pytest.raises(CorrectionError, match="withdraws query 'q' and changes it too"):
        changes_of({"withdraw": True, "query": "why?"}, query(), ground())


@pytest.mark.parametrize(
    ("proposal", "says"),
    [
        ({"text": "why?", "boxes": []}, "has the keys boxes, text"),
        ({"query": " "}, "must be text and not empty"),
        ({"drop_pages": ["b"]}, "Page 'b' is no evidence"),
        ({"add_pages": [{"page_id": "nowhere", "set": "required"}]}, "has no page 'nowhere'"),
        ({"add_pages": [{"page_id": "a", "set": "required"}]}, "Page 'a' is evidence"),
        ({"boxes": [{"page_id": "a", "action": "drop", "from": [0, 0, 1, 1], "to": None}]}, "no box on page 'a'"),
        ({"evidence": [{"page_id": "a", "kind": "Sketch"}]}, "evidence\\[0\\].kind must be one of"),
        ({"evidence": [{"page_id": "a", "box": [3, 0, 1, 1]}]}, "left side before its right"),
    ],
)  # fmt: skip
def test_a_proposal_that_cannot_be_meant_is_refused_by_name(proposal: JsonObject, says: str) -> None:
    with pytest.raises(CorrectionError, match=says):
        changes_of(proposal, query(piece("a")), ground())


@pytest.mark.parametrize(
    ("action", "decided", "code"),
    [("reword", None, "F"), ("reword", "E", None), ("re-answer", None, None), ("drop-page", None, "U"), ("drop-page", "E", "E"),
     ("drop-page", "EU", "U"), ("drop-page", "FN", "N"), ("add-page", "EU", "E"), ("move-box", "U", "U"), ("withdraw", None, "N"),
     ("withdraw", "F", "F"), ("add-box", "", None)],
)  # fmt: skip
def test_the_code_that_is_mended_is_the_decision_s_where_one_fits(
    action: str, decided: str | None, code: str | None
) -> None:
    assert code_mended(Action(action), decided) == code


@pytest.mark.parametrize("proposal", [{"query": "what? "}, {"text": " what?"}, {"answer": "that "}])
def test_a_text_that_says_the_same_with_other_blanks_is_refused(proposal: dict[str, str]) -> None:
    with pytest.raises(CorrectionError, match="blanks alone, and none is mended"):
        changes_of(proposal, query(), ground())

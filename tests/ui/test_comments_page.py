"""Comments and precedents on the pages of those who lead: lists, filters, and making a rule for all."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from audit_core.domain import Role
from audit_core.storage import campaigns
from audit_core.storage.people import Person
from audit_core.workflow import judging
from audit_core.workflow.comments import add_comment
from audit_core.workflow.flags import answer_flag, raise_flag
from audit_core.workflow.precedent_marks import list_precedents
from audit_core.workflow.sample import add_sample
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.ui.conftest import run, shown

_numbers = count(1)


def _entry(workspace: Workspace, campaign_id: int, number: int) -> int:
    with workspace.database.read() as connection:
        row = campaigns.entry_by_number(connection, campaign_id, number)
    assert row is not None
    return row.id


def _judge(workspace: Workspace, person: Person, entry_id: int, **body: object) -> None:
    filled = {"nonce": f"nonce-{next(_numbers):06}", "base_revision": 0, "outcome": "judged", "codes": "", **body}
    judging.save_judgment(workspace, person, entry_id=entry_id, body=filled)


@pytest.fixture
def talked(workspace: Workspace) -> int:
    """A campaign in which Bea commented on entry 3 and Cleo on entry 4, and Bea judged entry 3; its id."""
    campaign = add_sample(workspace)
    bea, cleo = sign_in(workspace, "Bea"), sign_in(workspace, "Cleo")
    add_comment(workspace, bea, entry_id=_entry(workspace, campaign.id, 3), text="The *caption*\n<b>is</b> cut off")
    add_comment(workspace, cleo, entry_id=_entry(workspace, campaign.id, 4), text="الصفحة الثالثة")
    _judge(workspace, bea, _entry(workspace, campaign.id, 3), codes="FE", note="which harbour?")
    return campaign.id


def _part(campaign_id: int, name: str) -> AppTest:
    page = run("questions", campaign=str(campaign_id))
    page.session_state["show"] = name
    page.run()
    assert not page.exception, page.exception
    return page


@pytest.mark.usefixtures("ada")
def test_comments_are_listed_as_text_and_narrowed_by_author_words_and_entry(talked: int) -> None:
    page = _part(talked, "Comments")
    words = shown(page)
    assert "2 of 2 comments" in words
    assert "<b>is</b> cut off" in words
    assert "Bea on entry 3" in words
    assert "الصفحة الثالثة" in words
    page.selectbox(f"comments-by-{talked}").set_value("Cleo").run()
    assert "1 of 2 comments" in shown(page)
    assert "caption" not in shown(page)
    page.selectbox(f"comments-by-{talked}").set_value("everybody").run()
    page.text_input(f"comments-words-{talked}").set_value("CAPTION cut").run()
    assert "1 of 2 comments" in shown(page)
    page.text_input(f"comments-words-{talked}").set_value("").run()
    page.number_input(f"comments-entry-{talked}").set_value(4).run()
    assert "Bea on entry" not in shown(page)
    assert "Cleo on entry 4" in shown(page)


def test_comments_on_what_a_judging_lead_has_yet_to_judge_are_not_listed(
    workspace: Workspace, ada: Person, talked: int
) -> None:
    _judge(workspace, ada, _entry(workspace, talked, 3))
    words = shown(_part(talked, "Comments"))
    assert "1 of 1 comments" in words
    assert "Bea on entry 3" in words
    assert "Cleo" not in words


@pytest.mark.usefixtures("ada")
def test_the_report_has_the_comments_too(workspace: Workspace, talked: int) -> None:
    assert "Bea on entry 3" in shown(run("report", campaign=str(talked)))


@pytest.mark.parametrize("page", ["questions", "report"])
def test_an_annotator_sees_none_of_it(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, talked: int, page: str
) -> None:
    annotator = replace(sign_in(workspace, "Ivo"), role=Role.ANNOTATOR)
    monkeypatch.setattr("audit_core.ui.access.current_person", lambda: annotator)
    test = run(page, campaign=str(talked))
    assert "is cut off" not in shown(test)
    assert "Bea on entry" not in shown(test)


def test_an_answered_question_becomes_a_precedent_and_is_taken_back(
    workspace: Workspace, ada: Person, talked: int
) -> None:
    bea = sign_in(workspace, "Bea")
    asked = raise_flag(workspace, bea, entry_id=_entry(workspace, talked, 3), question="Does a caption count?")
    page = run("questions", campaign=str(talked))
    assert "Make it a precedent" not in shown(page)
    answer_flag(workspace, ada, flag_id=asked.id, answer="It does.")
    page = run("questions", campaign=str(talked))
    _button(page, "Make it a precedent").click().run()
    assert "rule is empty" in page.error[0].value
    page.text_input[0].set_value("Captions count as evidence.")
    _button(page, "Make it a precedent").click().run()
    assert not page.exception
    (made,) = list_precedents(workspace, ada, talked)
    assert (made.text, made.question, made.reply, made.marked_by) == (
        "Captions count as evidence.", "Does a caption count?", "It does.", "Ada",
    )  # fmt: skip
    assert "Change the rule" in shown(page)
    page = _part(talked, "Precedents")
    assert "Captions count as evidence." in shown(page)
    _button(page, "Take back").click().run()
    assert list_precedents(workspace, ada, talked) == []
    assert "There are no precedents yet" in shown(page)


def test_a_decision_becomes_a_precedent(workspace: Workspace, ada: Person, talked: int) -> None:
    page = _part(talked, "Precedents")
    page.number_input(f"precedent-entry-{talked}").set_value(5).run()
    assert "Nobody has judged this entry yet" in shown(page)
    page.number_input(f"precedent-entry-{talked}").set_value(999).run()
    assert "no entry 999" in page.error[0].value
    page.number_input(f"precedent-entry-{talked}").set_value(3).run()
    assert "Bea, F E: which harbour?" in page.radio[0].options[0].replace("\\", "")
    page.text_input[0].set_value("A harbour needs its name.")
    _button(page, "Make it a precedent").click().run()
    assert not page.exception
    (made,) = list_precedents(workspace, ada, talked)
    assert (made.text, made.codes, made.note) == ("A harbour needs its name.", "FE", "which harbour?")
    assert "A harbour needs its name." in shown(page)


@pytest.mark.usefixtures("ada")
def test_without_comments_and_precedents_the_page_says_what_to_do(workspace: Workspace) -> None:
    campaign = add_sample(workspace)
    assert "the key ; comments" in shown(_part(campaign.id, "Comments"))
    assert "There are no precedents yet" in shown(_part(campaign.id, "Precedents"))


def _button(page: AppTest, label: str) -> Button:
    return next(each for each in page.button if each.label == label)

"""Questions to the lead: asked once, seen by their asker alone, listed and answered by the lead."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit_core.domain import CampaignState
from audit_core.errors import CampaignClosed, JudgmentInvalid, NotFound
from audit_core.storage.people import Person
from audit_core.workflow import judging
from audit_core.workflow.campaigns import set_campaign_state
from audit_core.workflow.entry_view import describe_entry
from audit_core.workflow.flags import QUESTION_MAX, answer_flag, list_flags, raise_flag
from audit_core.workflow.overview import overview_page
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.homes import row_counts, with_campaign


class Office:
    """One campaign of three entries with Ada and Bob at it, and Grace who leads."""

    def __init__(self, workspace: Workspace, folder: Path) -> None:
        self.workspace = workspace
        self.campaign = with_campaign(workspace, folder)
        self.ada, self.bob, self.grace = (sign_in(workspace, name) for name in ("Ada", "Bob", "Grace"))

    def entry_id(self, number: int) -> int:
        return self.mine(number, self.ada).row.id

    def mine(self, number: int, person: Person) -> judging.MyEntry:
        return judging.entry_numbered(self.workspace, person, campaign_id=self.campaign.id, number=number)

    def shown(self, number: int, person: Person) -> list[dict[str, object]]:
        dataset = self.workspace.dataset(self.campaign.dataset_id)
        flags: list[dict[str, object]] = describe_entry(self.workspace, dataset, self.mine(number, person))["flags"]
        return flags


@pytest.fixture
def office(either_workspace: Workspace, tmp_path: Path) -> Office:
    """A fresh campaign, on either database."""
    return Office(either_workspace, tmp_path / "bundle")


def test_a_question_is_shown_to_whoever_asked_it_with_its_answer_and_to_no_other_annotator(office: Office) -> None:
    flag = raise_flag(office.workspace, office.ada, entry_id=office.entry_id(2), question=" Which board? ")
    raise_flag(office.workspace, office.bob, entry_id=office.entry_id(2), question="question of Bob")
    (shown,) = office.shown(2, office.ada)
    assert shown == {
        "id": flag.id, "question": "Which board?", "raised_at": flag.raised_at, "answer": None, "answered_at": None,
    }  # fmt: skip
    assert office.shown(1, office.ada) == []
    states = [row.flag for row in overview_page(office.workspace, office.ada, office.campaign.id).entries]
    assert states == [None, "open", None]
    answer_flag(office.workspace, office.grace, flag_id=flag.id, answer="That of Estby.")
    (shown,) = office.shown(2, office.ada)
    assert shown["answer"] == "That of Estby."
    assert shown["answered_at"] is not None
    states = [row.flag for row in overview_page(office.workspace, office.ada, office.campaign.id).entries]
    assert states == [None, "answered", None]
    assert office.shown(2, office.bob)[0]["answer"] is None


def test_the_lead_sees_who_asked_what_with_the_open_ones_first(office: Office) -> None:
    first = raise_flag(office.workspace, office.ada, entry_id=office.entry_id(1), question="one")
    raise_flag(office.workspace, office.bob, entry_id=office.entry_id(3), question="two")
    raise_flag(office.workspace, office.ada, entry_id=office.entry_id(3), question="three")
    answer_flag(office.workspace, office.grace, flag_id=first.id, answer="yes")
    answer_flag(office.workspace, office.grace, flag_id=first.id, answer="no, sorry")
    rows = list_flags(office.workspace, office.campaign.id)
    assert [(row.flag.question, row.entry_number, row.query_id, row.asked_by, row.answered_by) for row in rows] == [
        ("three", 3, "q3", "Ada", None), ("two", 3, "q3", "Bob", None), ("one", 1, "q1", "Ada", "Grace"),
    ]  # fmt: skip
    assert rows[2].flag.answer == "no, sorry"
    assert len(list_flags(office.workspace, office.campaign.id, open_only=True)) == 2
    assert list_flags(office.workspace, office.campaign.id + 1) == []


def test_the_same_question_sent_again_is_asked_once_until_it_is_answered(office: Office) -> None:
    entry = office.entry_id(1)
    first = raise_flag(office.workspace, office.ada, entry_id=entry, question="Which board?")
    again = raise_flag(office.workspace, office.ada, entry_id=entry, question="Which board? ")
    assert first == again
    answer_flag(office.workspace, office.grace, flag_id=first.id, answer="That of Estby.")
    later = raise_flag(office.workspace, office.ada, entry_id=entry, question="Which board?")
    assert later.id != first.id
    assert row_counts(office.workspace)["flag"] == 2


@pytest.mark.parametrize("text", [None, "", "  \n", 5, ["x"], "x" * (QUESTION_MAX + 1), "a\x00b", "\ud800"])
def test_a_question_or_answer_that_cannot_be_kept_is_refused(
    workspace: Workspace, tmp_path: Path, text: object
) -> None:
    office = Office(workspace, tmp_path / "bundle")
    with pytest.raises(JudgmentInvalid, match="question"):
        raise_flag(workspace, office.ada, entry_id=office.entry_id(1), question=text)
    flag = raise_flag(workspace, office.ada, entry_id=office.entry_id(1), question="one")
    with pytest.raises(JudgmentInvalid, match="answer"):
        answer_flag(workspace, office.grace, flag_id=flag.id, answer=text)
    assert list_flags(workspace, office.campaign.id)[0].flag.answer is None


def test_what_is_not_there_cannot_be_asked_or_answered(workspace: Workspace, tmp_path: Path) -> None:
    office = Office(workspace, tmp_path / "bundle")
    with pytest.raises(NotFound, match="no such entry"):
        raise_flag(workspace, office.ada, entry_id=999, question="one")
    with pytest.raises(NotFound, match="no such question"):
        answer_flag(workspace, office.grace, flag_id=999, answer="yes")


def test_a_closed_campaign_takes_no_question_but_the_lead_can_still_answer(
    workspace: Workspace, tmp_path: Path
) -> None:
    office = Office(workspace, tmp_path / "bundle")
    flag = raise_flag(workspace, office.ada, entry_id=office.entry_id(1), question="one")
    set_campaign_state(workspace, office.campaign, CampaignState.CLOSED)
    with pytest.raises(CampaignClosed, match="takes no questions"):
        raise_flag(workspace, office.ada, entry_id=office.entry_id(1), question="two")
    assert answer_flag(workspace, office.grace, flag_id=flag.id, answer="yes").answer == "yes"

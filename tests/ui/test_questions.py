"""The page on which the annotators' questions are read and answered."""

from __future__ import annotations

import pytest

from audit_core.storage import campaigns
from audit_core.storage.people import Person
from audit_core.workflow.flags import list_flags, raise_flag
from audit_core.workflow.sample import add_sample
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.ui.conftest import run, shown


@pytest.fixture
def asked(workspace: Workspace) -> int:
    """A campaign in which Bea asked one question; its id."""
    campaign = add_sample(workspace)
    with workspace.database.read() as connection:
        entry = campaigns.entry_by_number(connection, campaign.id, 3)
    assert entry is not None
    raise_flag(workspace, sign_in(workspace, "Bea"), entry_id=entry.id, question="Is *page 4* meant?")
    return campaign.id


@pytest.mark.usefixtures("ada")
def test_questions_are_listed_with_their_entry_and_who_asked(asked: int) -> None:
    words = shown(run("questions", campaign=str(asked)))
    assert "1 asked, 1 without an answer" in words
    assert "Is *page 4* meant?" in words
    assert "Bea on entry 3" in words


def test_an_answer_is_kept_with_its_author_and_can_be_changed(workspace: Workspace, ada: Person, asked: int) -> None:
    page = run("questions", campaign=str(asked))
    for answer in ("Yes, page 4.", "No, page 5."):
        page.text_area[0].set_value(answer)
        page.button[0].click().run()
        assert not page.exception
        (found,) = list_flags(workspace, asked)
        assert (found.flag.answer, found.answered_by) == (answer, ada.name)
    assert "0 without an answer" in shown(page)


@pytest.mark.usefixtures("ada")
def test_an_empty_answer_is_refused(workspace: Workspace, asked: int) -> None:
    page = run("questions", campaign=str(asked))
    page.button[0].click().run()
    assert "empty" in page.error[0].value
    assert list_flags(workspace, asked)[0].flag.answered_at is None


@pytest.mark.usefixtures("ada")
def test_without_questions_or_campaign_the_page_says_what_to_do(workspace: Workspace) -> None:
    campaign = add_sample(workspace)
    assert "the key ! asks" in shown(run("questions", campaign=str(campaign.id)))
    assert "Choose a campaign first" in shown(run("questions"))

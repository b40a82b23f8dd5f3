"""The page on which a lead follows a campaign: progress, pause, annotators, guidelines, pilot, copy."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from audit_core.storage.people import Person
from audit_core.workflow.annotators import annotators_of
from audit_core.workflow.campaigns import list_campaigns
from audit_core.workflow.guidelines import newest_guidelines
from audit_core.workflow.handing_out import Stage, stage_of
from audit_core.workflow.workspace import Workspace
from tests.team_desk import TeamDesk, right
from tests.ui.conftest import run, shown

pytestmark = pytest.mark.usefixtures("ada")


@pytest.fixture
def desk(workspace: Workspace, ada: Person, tmp_path: Path) -> TeamDesk:
    """Ada, Bob and Cem on six queries, each by two; a pilot of three and a gold query."""
    return TeamDesk(
        workspace, tmp_path / "bundle", queries=9, names=("Ada", "Bob", "Cem"), judgments_per_entry=2,
        gold=(right("q001", "F"),), pilot_entries=3, pilot_judgments=2,
    )  # fmt: skip


def opened(desk: TeamDesk) -> AppTest:
    return run("campaign", campaign=str(desk.campaign.id))


def press(page: AppTest, label: str) -> None:
    next(each for each in page.button if each.label == label).click().run()


def test_progress_counts_what_is_there_and_gold_accuracy_has_its_interval(desk: TeamDesk) -> None:
    ada = desk.people[0]
    gold = next(each for each in desk.entries() if each.gold is not None)
    pilot = next(each for each in desk.entries() if each.is_pilot)
    desk.open(ada, pilot.number)
    desk.save(ada, pilot.number, codes="E", active_ms=30_000)
    page = opened(desk)
    words = shown(page)
    assert "open, in its pilot" in words
    assert "0 of 18" in words, "nine entries, each by two annotators; the pilot's judgment is none of them"
    assert "Agreement on 3 pilot entries, 2 annotators each" in words
    assert gold.number


def test_ending_the_pilot_hands_out_the_rest(desk: TeamDesk) -> None:
    page = opened(desk)
    assert "0 of 3 pilot entries have all their judgments." in shown(page)
    press(page, "End it all the same")
    assert stage_of(desk.again()) is Stage.PRODUCTION
    assert "The pilot has ended" in shown(page)


def test_a_complete_pilot_ends_without_a_warning(desk: TeamDesk) -> None:
    for each in desk.entries():
        if each.is_pilot and each.gold is None:
            for person in desk.people[:2]:
                desk.save(person, each.number)
    page = opened(desk)
    assert "have all their judgments." not in shown(page)
    press(page, "End the pilot and hand out the rest")
    assert stage_of(desk.again()) is Stage.PRODUCTION


def test_pausing_and_going_on(desk: TeamDesk) -> None:
    page = opened(desk)
    press(page, "Pause")
    assert desk.again().paused_at is not None
    assert "paused: nobody can save, drafts are kept" in shown(page)
    press(page, "Go on")
    assert desk.again().paused_at is None


def test_an_annotator_is_taken_out_and_comes_back(desk: TeamDesk) -> None:
    bob = desk.people[1]
    page = opened(desk)
    page.button(key=f"take-out-{bob.id}").click().run()
    assert "Bob is taken out; what they judged stays." in shown(page)
    page.multiselect(key="add-annotators-names").set_value([bob.id])
    press(page, "Add")
    assert [each.person.name for each in annotators_of(desk.workspace, desk.campaign) if each.removed_at is None] == [
        "Ada", "Bob", "Cem",
    ]  # fmt: skip


def test_guidelines_are_written_as_versions_and_an_empty_text_is_refused(desk: TeamDesk) -> None:
    page = opened(desk)
    page.text_area(key="guidelines-text-0").set_value("Read twice.")
    press(page, "Save as a new version")
    newest = newest_guidelines(desk.workspace, desk.campaign.id)
    assert newest is not None
    assert (newest.version, newest.text) == (1, "Read twice.")
    page.text_area(key="guidelines-text-1").set_value(" ")
    press(page, "Save as a new version")
    assert "The guidelines are empty" in shown(page)


def test_a_copy_has_the_same_people_and_no_judgments(desk: TeamDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    went: list[object] = []
    monkeypatch.setattr("audit_core.ui.campaign_page.st.switch_page", lambda page, **more: went.append(page.stem))
    page = opened(desk)
    page.text_input(key="copy-name").set_value("again")
    page.toggle(key="copy-same").set_value(True)
    press(page, "Copy")
    made = next(each for each in list_campaigns(desk.workspace) if each.campaign.name == "again")
    assert (made.answered, made.campaign.copied_from) == (0, desk.campaign.id)
    assert went == ["campaign"]

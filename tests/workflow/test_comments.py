"""Comments on an entry: written at any time, kept from whoever has yet to judge it, deleted by their author alone."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy as sa

from audit_core.domain import CampaignState, Role
from audit_core.errors import CampaignClosed, JudgmentInvalid, NotAllowed, NotFound
from audit_core.storage import campaigns, decisions
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.storage.schema import campaign as campaign_table
from audit_core.storage.schema import campaign_annotator, claim, entry
from audit_core.workflow import judging
from audit_core.workflow.campaigns import set_campaign_state, start_campaign
from audit_core.workflow.comments import (
    COMMENT_MAX,
    add_comment,
    conversation,
    delete_comment,
    list_comments,
    require_entry,
)
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.campaigns_in_order import in_dataset_order
from tests.homes import row_counts, with_campaign

TIME = "2026-01-01T00:00:00.000000Z"
_numbers = count(1)


class Team:
    """A campaign of three entries with the annotators Ada, Bob and Cyd, and Grace who leads."""

    def __init__(self, workspace: Workspace, folder: Path) -> None:
        self.workspace = workspace
        self.campaign = with_campaign(workspace, folder)
        self.ada, self.bob, self.cyd = (self.signed_in(name, Role.ANNOTATOR) for name in ("Ada", "Bob", "Cyd"))
        self.grace = self.signed_in("Grace", Role.LEAD)

    def signed_in(self, name: str, role: Role) -> Person:
        return replace(sign_in(self.workspace, name), role=role)

    def entry_id(self, number: int, campaign: CampaignRow | None = None) -> int:
        with self.workspace.database.read() as connection:
            row = campaigns.entry_by_number(connection, (campaign or self.campaign).id, number)
        assert row is not None
        return row.id

    def judge(self, person: Person, number: int, campaign: CampaignRow | None = None, **body: object) -> None:
        filled = {"nonce": f"nonce-{next(_numbers):06}", "base_revision": 0, "outcome": "judged", "codes": "", **body}
        judging.save_judgment(self.workspace, person, entry_id=self.entry_id(number, campaign), body=filled)

    def another_campaign(self, name: str) -> CampaignRow:
        dataset = self.workspace.dataset(self.campaign.dataset_id)
        return in_dataset_order(self.workspace, start_campaign(self.workspace, dataset=dataset, name=name))

    def change(self, campaign: CampaignRow, **values: object) -> None:
        with self.workspace.database.write() as connection:
            connection.execute(campaign_table.update().where(campaign_table.c.id == campaign.id).values(**values))

    def close(self, campaign: CampaignRow | None = None) -> None:
        set_campaign_state(self.workspace, campaign or self.campaign, CampaignState.CLOSED)

    def say(self, person: Person, number: int, text: str, campaign: CampaignRow | None = None) -> int:
        said = add_comment(self.workspace, person, entry_id=self.entry_id(number, campaign), text=text)
        return said.comment.id

    def heard(self, person: Person, number: int, campaign: CampaignRow | None = None) -> tuple[list[str], bool]:
        found = conversation(self.workspace, person, self.entry_id(number, campaign))
        return [each.comment.text for each in found.comments], found.is_sealed


@pytest.fixture
def team(either_workspace: Workspace, tmp_path: Path) -> Team:
    """A fresh team, on either database."""
    return Team(either_workspace, tmp_path / "bundle")


@pytest.fixture
def small_team(workspace: Workspace, tmp_path: Path) -> Team:
    """A fresh team on SQLite."""
    return Team(workspace, tmp_path / "bundle")


@pytest.mark.parametrize("answer", [{}, {"outcome": "cannot_judge", "reason": "no idea"}])
def test_comments_of_others_are_seen_once_one_has_answered_the_entry_oneself(
    team: Team, answer: dict[str, str]
) -> None:
    team.say(team.ada, 1, "first of Ada")
    team.say(team.bob, 1, "first of Bob")
    assert team.heard(team.ada, 1) == (["first of Ada"], True)
    assert team.heard(team.cyd, 1) == ([], True)
    team.judge(team.ada, 1, **answer)
    assert team.heard(team.ada, 1) == (["first of Ada", "first of Bob"], False)
    assert team.heard(team.ada, 2) == ([], True), "one judgment opens one entry"
    assert team.heard(team.bob, 1) == (["first of Bob"], True)


def test_who_reads_what_others_say_after_judging_is_noted_to_know_it_and_nobody_else(team: Team) -> None:
    def knowing() -> set[int]:
        with team.workspace.database.read() as connection:
            return set(decisions.reveals_of_entry(connection, team.entry_id(1)))

    team.say(team.ada, 1, "of Ada")
    team.judge(team.ada, 1)
    team.heard(team.ada, 1)
    team.heard(team.bob, 1)
    assert knowing() == set(), "one's own words reveal nothing, and sealed ones are not read"
    team.judge(team.bob, 1)
    team.heard(team.bob, 1)
    team.heard(team.bob, 1)
    assert knowing() == {team.bob.id}


def test_a_draft_opens_nothing(small_team: Team) -> None:
    team = small_team
    team.say(team.bob, 1, "of Bob")
    body = {"base_revision": 0, "outcome": "judged", "codes": "F"}
    judging.save_draft(team.workspace, team.ada, entry_id=team.entry_id(1), body=body)
    assert team.heard(team.ada, 1) == ([], True)


def test_a_comment_stays_hidden_while_the_same_query_waits_in_another_campaign(team: Team) -> None:
    team.judge(team.ada, 1)
    team.say(team.bob, 1, "of Bob")
    later = team.another_campaign("later")
    assert team.heard(team.ada, 1) == ([], True)
    team.judge(team.ada, 1, later)
    assert team.heard(team.ada, 1) == (["of Bob"], False)
    third = team.another_campaign("third")
    team.close(third)
    assert team.heard(team.ada, 1) == (["of Bob"], False), "in a closed campaign nothing waits"


def test_an_annotator_who_never_judged_an_entry_hears_nothing_even_after_the_campaign(team: Team) -> None:
    team.say(team.bob, 1, "of Bob")
    team.close()
    assert team.heard(team.ada, 1) == ([], True)


def test_leads_hear_all_until_they_judge_in_the_campaign_themselves(team: Team) -> None:
    team.say(team.bob, 1, "of Bob")
    adjudicator = team.signed_in("Hal", Role.ADJUDICATOR)
    for person in (team.grace, adjudicator):
        assert team.heard(person, 1) == (["of Bob"], False)
        assert [each.comment.text for each in list_comments(team.workspace, person, team.campaign.id)] == ["of Bob"]
        team.judge(person, 2)
        assert team.heard(person, 1) == ([], True)
        assert list_comments(team.workspace, person, team.campaign.id) == []
        team.judge(person, 1)
        assert team.heard(person, 1) == (["of Bob"], False)


def test_where_entries_have_so_many_places_a_full_one_waits_for_nobody_but_its_holder(team: Team) -> None:
    team.change(team.campaign, hand_out="exact")
    lead, holder = team.grace, team.signed_in("Ida", Role.LEAD)
    team.judge(lead, 2)
    team.judge(holder, 3)
    team.say(team.bob, 1, "of Bob")
    with team.workspace.database.write() as connection:
        connection.execute(
            claim.insert().values(
                entry_id=team.entry_id(1),
                person_id=holder.id,
                claimed_at=TIME,
                expires_at="2999-01-01T00:00:00.000000Z",
            )
        )
    assert team.heard(lead, 1) == ([], True)
    team.change(team.campaign, judgments_per_entry=3)
    team.judge(team.bob, 1, outcome="cannot_judge")
    assert team.heard(lead, 1) == ([], True), "cannot judge gives the place back"
    team.judge(team.ada, 1)
    team.change(team.campaign, judgments_per_entry=1)
    assert team.heard(lead, 1) == (["of Bob"], False)
    assert team.heard(holder, 1) == ([], True)


def test_only_those_named_have_entries_waiting_in_a_campaign_that_is_not_open_to_all(team: Team) -> None:
    team.judge(team.ada, 1)
    team.say(team.bob, 1, "of Bob")
    later = team.another_campaign("later")
    team.change(later, is_open=False)
    assert team.heard(team.ada, 1) == (["of Bob"], False)
    with team.workspace.database.write() as connection:
        row = {"campaign_id": later.id, "person_id": team.ada.id, "added_at": TIME}
        connection.execute(campaign_annotator.insert().values(row))
    assert team.heard(team.ada, 1) == ([], True)
    with team.workspace.database.write() as connection:
        connection.execute(campaign_annotator.update().values(removed_at=TIME))
    assert team.heard(team.ada, 1) == (["of Bob"], False)
    with pytest.raises(NotFound):
        require_entry(team.workspace, team.ada, team.entry_id(1, later))
    require_entry(team.workspace, team.grace, team.entry_id(1, later))


def test_a_comment_is_deleted_by_its_author_alone(team: Team) -> None:
    mine, other = team.say(team.ada, 1, "of Ada"), team.say(team.bob, 1, "of Bob")
    team.judge(team.ada, 1)
    with pytest.raises(NotFound, match="no such comment"):
        delete_comment(team.workspace, team.ada, other)
    with pytest.raises(NotAllowed, match="Only whoever wrote"):
        delete_comment(team.workspace, team.grace, other)
    delete_comment(team.workspace, team.ada, mine)
    with pytest.raises(NotFound):
        delete_comment(team.workspace, team.ada, mine)
    assert team.heard(team.ada, 1) == (["of Bob"], False)


def test_the_same_comment_sent_again_is_stored_once(team: Team) -> None:
    assert team.say(team.ada, 1, "twice") == team.say(team.ada, 1, " twice ")
    team.say(team.bob, 1, "twice")
    assert row_counts(team.workspace)["comment"] == 2


def test_right_to_left_text_markup_and_formulas_are_kept_as_written(team: Team) -> None:
    for text in ("السؤال غير واضح\u200f (صفحة 4)", "<script>alert(1)</script>", "=HYPERLINK(1)", "a\nb"):
        team.say(team.ada, 1, text)
    assert team.heard(team.ada, 1)[0] == [
        "السؤال غير واضح\u200f (صفحة 4)", "<script>alert(1)</script>", "=HYPERLINK(1)", "a\nb",
    ]  # fmt: skip


@pytest.mark.parametrize("text", [None, "", " \n", 7, "x" * (COMMENT_MAX + 1), "a\x00b", "\ud800"])
def test_a_comment_that_cannot_be_kept_is_refused(small_team: Team, text: object) -> None:
    team = small_team
    with pytest.raises(JudgmentInvalid, match="comment"):
        add_comment(team.workspace, team.ada, entry_id=team.entry_id(1), text=text)
    assert row_counts(team.workspace)["comment"] == 0


def test_a_closed_campaign_takes_comments_of_its_leads_alone(small_team: Team) -> None:
    team = small_team
    team.judge(team.ada, 1)
    team.close()
    with pytest.raises(CampaignClosed, match="takes no comments"):
        team.say(team.ada, 1, "late")
    team.say(team.grace, 1, "settled: F")
    assert team.heard(team.ada, 1) == (["settled: F"], False)
    with pytest.raises(NotFound, match="no such entry"):
        add_comment(team.workspace, team.ada, entry_id=999, text="x")


def test_the_lead_narrows_the_list_by_author_words_and_entry(small_team: Team) -> None:
    team = small_team
    for person, number, text in (
        (team.ada, 1, "Die Übersicht fehlt"),
        (team.bob, 2, "übersicht da"),
        (team.bob, 3, "ok"),
    ):
        team.say(person, number, text)

    def texts(**narrowed: object) -> list[str]:
        found = list_comments(team.workspace, team.grace, team.campaign.id, **narrowed)  # type: ignore[arg-type]
        return [each.comment.text for each in found]

    assert texts() == ["ok", "übersicht da", "Die Übersicht fehlt"]
    assert texts(author="Bob") == ["ok", "übersicht da"]
    assert texts(words="UBERSICHT") == ["übersicht da", "Die Übersicht fehlt"]
    assert texts(words="fehlt die") == ["Die Übersicht fehlt"]
    assert texts(entry=3) == ["ok"]
    with pytest.raises(NotAllowed):
        list_comments(team.workspace, team.ada, team.campaign.id)


def test_a_gold_entry_may_be_talked_about_by_those_who_judged_it(small_team: Team) -> None:
    team = small_team
    with team.workspace.database.write() as connection:
        connection.execute(sa.update(entry).where(entry.c.id == team.entry_id(1)).values(gold={"codes": "F"}))
    team.say(team.bob, 1, "of Bob")
    assert team.heard(team.ada, 1) == ([], True)
    team.judge(team.ada, 1)
    assert team.heard(team.ada, 1) == (["of Bob"], False)

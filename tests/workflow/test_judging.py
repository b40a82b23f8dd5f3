"""Judging: nonces, revisions, drafts, which entry is next, and that nobody sees another's answers."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from audit_core.domain import CampaignState
from audit_core.errors import CampaignClosed, JudgmentConflict, JudgmentInvalid, NotFound
from audit_core.storage import judgments
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.workflow import judging
from audit_core.workflow.campaigns import list_campaigns, set_campaign_state
from audit_core.workflow.entry_view import describe_entry
from audit_core.workflow.judging import MyEntry, Saved
from audit_core.workflow.overview import overview_page
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.homes import row_counts, with_campaign
from tests.together import together

_numbers = count(1)


class Desk:
    """One campaign of three entries (q1, q2, q3) with Ada and Bob at it."""

    def __init__(self, workspace: Workspace, folder: Path) -> None:
        self.workspace = workspace
        self.campaign: CampaignRow = with_campaign(workspace, folder)
        self.ada, self.bob = sign_in(workspace, "Ada"), sign_in(workspace, "Bob")

    def entry(self, number: int, person: Person | None = None) -> MyEntry:
        return judging.entry_numbered(self.workspace, person or self.ada, campaign_id=self.campaign.id, number=number)

    def save(self, number: int, person: Person | None = None, **body: Any) -> Saved:
        who = person or self.ada
        filled = {"nonce": f"nonce-{next(_numbers):06}", "base_revision": 0, "outcome": "judged", "codes": "", **body}
        return judging.save_judgment(self.workspace, who, entry_id=self.entry(number).row.id, body=filled)

    def draft(self, number: int, person: Person | None = None, **body: Any) -> str:
        filled = {"base_revision": 0, "outcome": None, "codes": "", **body}
        return judging.save_draft(self.workspace, person or self.ada, entry_id=self.entry(number).row.id, body=filled)

    def next_numbers(self, after: int = 0, amount: int = 3, skip: tuple[int, ...] = ()) -> list[int]:
        found = judging.upcoming(
            self.workspace, self.ada, campaign_id=self.campaign.id, after=after, count=amount, skip=skip
        )
        return [each.row.number for each in found]

    def progress(self, person: Person | None = None) -> dict[str, int]:
        return judging.progress(self.workspace, person or self.ada, self.campaign.id)

    def stored(self) -> list[judgments.JudgmentRow]:
        with self.workspace.database.read() as connection:
            return judgments.of_campaign(connection, self.campaign.id, newest_only=False)


@pytest.fixture
def desk(either_workspace: Workspace, tmp_path: Path) -> Desk:
    """A fresh campaign, on either database."""
    return Desk(either_workspace, tmp_path / "bundle")


@pytest.fixture
def sqlite_desk(workspace: Workspace, tmp_path: Path) -> Desk:
    """A fresh campaign on SQLite, for what no database could change."""
    return Desk(workspace, tmp_path / "bundle")


def test_a_judgment_is_kept_with_everything_that_was_said(desk: Desk) -> None:
    saved = desk.save(2, codes="EF", note="off\u2028by one", targets={"E": ["p3", "e2"]}, active_ms=1500, reason="")
    row = desk.stored()[0]
    assert (row.revision, row.outcome, row.codes, row.note) == (1, "judged", "FE", "off\u2028by one")
    assert row.targets == {"E": ["e2", "p3"]}
    assert row.active_seconds == 1.5
    assert saved.progress == {"entries": 3, "judged": 1, "cannot_judge": 0, "drafts": 0, "left": 2, "today": 1}
    mine = desk.entry(2).saved
    assert mine is not None
    assert mine.as_json()["saved_at"] == saved.judgment.saved_at


def test_the_same_nonce_again_saves_nothing_and_returns_the_first_answer(desk: Desk) -> None:
    first = desk.save(1, nonce="the-same-nonce", codes="F")
    desk.save(1, base_revision=1, codes="")
    again = desk.save(1, nonce="the-same-nonce", codes="F")
    assert (first.repeated, again.repeated) == (False, True)
    assert again.judgment == first.judgment
    assert len(desk.stored()) == 2


def test_the_same_nonce_is_answered_even_after_the_campaign_closed(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.save(1, nonce="the-same-nonce")
    set_campaign_state(desk.workspace, desk.campaign, CampaignState.CLOSED)
    assert desk.save(1, nonce="the-same-nonce").repeated


def test_the_nonce_of_another_judgment_is_refused(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.save(1, nonce="the-same-nonce")
    with pytest.raises(JudgmentInvalid, match="make a fresh one"):
        desk.save(1, desk.bob, nonce="the-same-nonce")
    with pytest.raises(JudgmentInvalid, match="make a fresh one"):
        desk.save(2, nonce="the-same-nonce")
    assert len(desk.stored()) == 1


def test_a_save_on_an_older_revision_is_a_conflict_with_ones_own_newest_answer(desk: Desk) -> None:
    desk.save(1, codes="F")
    desk.save(1, desk.bob, codes="N", note="of Bob")
    with pytest.raises(JudgmentConflict) as caught:
        desk.save(1, codes="E", base_revision=0)
    assert (caught.value.newest["revision"], caught.value.newest["codes"]) == (1, "F")
    assert "of Bob" not in json.dumps(caught.value.newest)
    with pytest.raises(JudgmentConflict):
        desk.save(1, codes="E", base_revision=2)
    assert desk.save(1, codes="E", base_revision=1).judgment.revision == 2


def test_a_base_revision_where_nothing_was_saved_is_a_conflict(sqlite_desk: Desk) -> None:
    with pytest.raises(JudgmentConflict) as caught:
        sqlite_desk.save(1, base_revision=1)
    assert caught.value.newest == {}


def test_every_revision_is_kept(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    for revision, codes in enumerate(["F", "", "EU"]):
        desk.save(1, codes=codes, base_revision=revision)
    assert [(row.revision, row.codes) for row in desk.stored()] == [(1, "F"), (2, ""), (3, "EU")]
    assert desk.progress()["judged"] == 1
    assert desk.progress()["today"] == 1


def test_two_windows_that_save_at_once_never_overwrite_one_another(desk: Desk) -> None:
    outcomes: list[str] = []

    def window(codes: str) -> None:
        try:
            desk.save(1, codes=codes)
            outcomes.append("saved")
        except JudgmentConflict:
            outcomes.append("conflict")

    together([partial(window, codes) for codes in ("F", "E", "U", "N")])
    assert sorted(outcomes) == ["conflict"] * 3 + ["saved"]
    assert len(desk.stored()) == 1


def test_one_judgment_sent_many_times_at_once_is_saved_once(desk: Desk) -> None:
    answers: list[Saved] = []
    together([lambda: answers.append(desk.save(1, nonce="the-same-nonce", codes="F"))] * 4)
    assert len({each.judgment.id for each in answers}) == 1
    assert sorted(each.repeated for each in answers) == [False, True, True, True]


def test_twenty_people_save_twenty_five_judgments_each_and_none_is_lost(workspace: Workspace, tmp_path: Path) -> None:
    desk = Desk(workspace, tmp_path / "bundle")
    people = [sign_in(workspace, f"Person {number}") for number in range(20)]

    def work(person: Person) -> None:
        for number in range(25):
            revision = number // 3
            desk.save(number % 3 + 1, person, base_revision=revision, codes="FE", note=f"{number}")

    together([partial(work, person) for person in people])
    rows = desk.stored()
    assert len(rows) == 500
    assert {person.id: 25 for person in people} == {
        person.id: sum(row.person_id == person.id for row in rows) for person in people
    }


def test_a_closed_campaign_takes_no_judgment_and_what_is_saved_stays(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.save(1, codes="F")
    set_campaign_state(desk.workspace, desk.campaign, CampaignState.CLOSED)
    with pytest.raises(CampaignClosed, match="Yours was not saved"):
        desk.save(2)
    assert len(desk.stored()) == 1
    set_campaign_state(desk.workspace, desk.campaign, CampaignState.OPEN)
    assert desk.save(2).judgment.revision == 1


def test_a_draft_is_replaced_shown_to_its_owner_only_and_gone_with_its_judgment(desk: Desk) -> None:
    desk.draft(1, codes="F", note="hm")
    at = desk.draft(1, codes="FE", note="hmm", targets={"E": ["p1"]}, active_ms=700)
    draft = desk.entry(1).draft
    assert draft == {
        "base_revision": 0, "outcome": None, "codes": "FE", "note": "hmm", "reason": "", "targets": {"E": ["p1"]},
        "correction": None, "active_ms": 700, "saved_at": at,
    }  # fmt: skip
    assert desk.entry(1, desk.bob).draft is None
    assert desk.progress()["drafts"] == 1
    assert desk.progress(desk.bob)["drafts"] == 0
    desk.save(1, codes="FE")
    assert desk.entry(1).draft is None
    assert desk.progress()["drafts"] == 0


def test_a_draft_that_arrives_after_its_judgment_does_not_come_back(desk: Desk) -> None:
    desk.save(1, codes="F")
    desk.draft(1, codes="F", base_revision=0)
    assert desk.entry(1).draft is None
    desk.draft(1, codes="FE", base_revision=1)
    assert desk.entry(1).draft is not None


def test_a_draft_older_than_the_saved_judgment_is_not_shown_even_where_it_slipped_in(desk: Desk) -> None:
    desk.save(1, codes="F")
    with desk.workspace.database.write() as connection:
        judgments.put_draft(
            connection, entry_id=desk.entry(1).row.id, person_id=desk.ada.id, base_revision=0, content={"codes": "E"}
        )
    assert desk.entry(1).draft is None


def test_a_draft_can_be_thrown_away_by_its_owner_only(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.draft(1, codes="F")
    judging.discard_draft(desk.workspace, desk.bob, entry_id=desk.entry(1).row.id)
    assert desk.entry(1).draft is not None
    judging.discard_draft(desk.workspace, desk.ada, entry_id=desk.entry(1).row.id)
    assert desk.entry(1).draft is None


def test_drafts_of_one_entry_that_arrive_at_once_leave_one(desk: Desk) -> None:
    together([partial(desk.draft, 1, codes=codes) for codes in ("F", "E")])
    assert desk.entry(1).draft is not None
    assert row_counts(desk.workspace)["draft"] == 1


@pytest.mark.parametrize("place", ["p1", "e1", "p3x", "", "../p3"])
def test_a_target_that_is_not_on_the_entry_is_refused(sqlite_desk: Desk, place: str) -> None:
    with pytest.raises(JudgmentInvalid, match="not on this entry"):
        sqlite_desk.save(2, codes="E", targets={"E": [place]})
    assert sqlite_desk.stored() == []


def test_cannot_judge_is_counted_apart_and_can_be_undone(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.save(1, outcome="cannot_judge", reason="blurred")
    assert desk.progress() == {"entries": 3, "judged": 0, "cannot_judge": 1, "drafts": 0, "left": 2, "today": 1}
    assert desk.next_numbers() == [2, 3]
    desk.save(1, base_revision=1, codes="U")
    assert desk.progress()["judged"] == 1
    assert desk.progress()["cannot_judge"] == 0


def test_the_next_entries_are_those_not_answered_after_a_number_then_from_the_start(desk: Desk) -> None:
    assert desk.next_numbers() == [1, 2, 3]
    assert desk.next_numbers(after=2) == [3, 1, 2]
    assert desk.next_numbers(after=2, amount=2) == [3, 1]
    assert desk.next_numbers(after=2, skip=(3,)) == [1, 2]
    assert desk.next_numbers(after=3) == [1, 2, 3]
    assert desk.next_numbers(amount=0) == []
    desk.save(3)
    desk.save(1, desk.bob)
    assert desk.next_numbers(after=2) == [1, 2]
    desk.save(1)
    desk.save(2)
    assert desk.next_numbers(after=1) == []


def test_an_entry_of_two_judgments_is_next_for_everybody_who_has_not_answered_it(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = with_campaign(workspace, tmp_path / "bundle", judgments_per_entry=2)
    people = [sign_in(workspace, name) for name in ("Ada", "Bob", "Cem")]
    entry = judging.entry_numbered(workspace, people[0], campaign_id=campaign.id, number=1).row
    for number, person in enumerate(people):
        body = {"nonce": f"nonce-{number:06}", "outcome": "judged", "codes": ""}
        judging.save_judgment(workspace, person, entry_id=entry.id, body=body)
    left = [judging.progress(workspace, person, campaign.id)["left"] for person in people]
    assert left == [2, 2, 2]
    (summary,) = [each for each in list_campaigns(workspace) if each.campaign.id == campaign.id]
    assert (summary.answered, summary.annotators) == (1, 3)


def test_nobody_ever_sees_anothers_judgment_note_or_name(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    for number in (1, 2, 3):
        desk.save(number, desk.bob, codes="N", note="secret note of Bob", active_ms=1)
        desk.draft(number, desk.bob, base_revision=1, codes="NU", note="secret draft of Bob")
    dataset = desk.workspace.dataset(desk.campaign.dataset_id)
    shown = [describe_entry(desk.workspace, dataset, desk.entry(number)) for number in (1, 2, 3)]
    text = json.dumps([shown, overview_page(desk.workspace, desk.ada, desk.campaign.id).as_json(), desk.progress()])
    assert "secret" not in text
    assert "Bob" not in text
    assert '"N' not in text
    assert [each["saved"] for each in shown] == [None] * 3
    assert {each.state for each in overview_page(desk.workspace, desk.ada, desk.campaign.id).entries} == {"open"}
    assert desk.progress()["left"] == 3


def test_the_overview_shows_ones_own_state_of_every_entry(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.save(1, codes="FN")
    desk.save(2, outcome="cannot_judge")
    desk.draft(3, codes="E")
    rows = overview_page(desk.workspace, desk.ada, desk.campaign.id).entries
    assert [(row.number, row.state, row.codes) for row in rows] == [
        (1, "judged", "FN"), (2, "cannot_judge", ""), (3, "draft", ""),
    ]  # fmt: skip
    assert rows[1].source == "law"
    assert rows[1].evidence_structure == "Doc-Adjacent"


def test_an_entry_that_is_not_there_is_said_not_to_be(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    with pytest.raises(NotFound, match="numbered up to 3"):
        desk.entry(4)
    for work in (judging.save_judgment, judging.save_draft):
        with pytest.raises(NotFound, match="no such entry"):
            work(desk.workspace, desk.ada, entry_id=999, body={"nonce": "nonce-x-y", "outcome": "judged"})


@pytest.mark.parametrize(
    "body",
    [
        {"nonce": None}, {"nonce": "short"}, {"nonce": "x" * 101}, {"nonce": "é" * 20}, {"nonce": "with\nline feed"}, {"nonce": 5},
        {"base_revision": "1"}, {"base_revision": True}, {"base_revision": -1}, {"base_revision": 1.0},
        {"base_revision": 10**9},
    ],
)  # fmt: skip
def test_a_nonce_or_base_that_cannot_be_is_refused(sqlite_desk: Desk, body: dict[str, Any]) -> None:
    with pytest.raises(JudgmentInvalid, match=next(iter(body))):
        sqlite_desk.save(1, **body)
    assert sqlite_desk.stored() == []


#: A process that saves a judgment, says so, and waits to be killed.
SAVES_AND_HANGS = """
import sys, time
from audit_core.workflow import judging
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import open_workspace

workspace = open_workspace()
body = {"nonce": "nonce-of-a-process", "outcome": "judged", "codes": "F", "note": "kept"}
judging.save_judgment(workspace, sign_in(workspace, "Ada"), entry_id=int(sys.argv[1]), body=body)
print("saved", flush=True)
time.sleep(600)
"""


def test_an_acknowledged_judgment_survives_the_killing_of_the_server(sqlite_desk: Desk) -> None:
    entry = sqlite_desk.entry(1).row.id
    process = subprocess.Popen([sys.executable, "-c", SAVES_AND_HANGS, str(entry)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.readline() == b"saved\n"
        process.send_signal(signal.SIGKILL)
    process.wait(timeout=60)
    (row,) = sqlite_desk.stored()
    assert (row.nonce, row.note) == ("nonce-of-a-process", "kept")
    assert sqlite_desk.save(2).judgment.revision == 1

"""Exactly so many judgments an entry: places, claims, who comes too late, who leaves half-way; own orders."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from audit_core.domain import CampaignState, HandOut
from audit_core.errors import AssayError, CampaignClosed, CampaignPaused, EntryTaken, NotFound
from audit_core.storage.clock import stamp
from audit_core.storage.people import Person
from audit_core.storage.schema import claim
from audit_core.workflow import judging
from audit_core.workflow.annotators import (
    add_annotators,
    annotators_of,
    campaign_for,
    may_judge,
    open_to_all,
    remove_annotator,
    seats_of,
)
from audit_core.workflow.campaign_states import pause_campaign, resume_campaign, set_campaign_state
from audit_core.workflow.handing_out import Place, renew
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.team_desk import TeamDesk, right
from tests.together import together

FOUR = ("Ada", "Bob", "Cem", "Dee")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "bundle"


def _work_until_nothing_is_left(desk: TeamDesk, person: Person, refused: list[str]) -> None:
    while handed := desk.next(person, amount=3):
        for mine in handed:
            try:
                desk.save_row(person, mine.row.id, codes="F")
            except EntryTaken as error:
                refused.append(str(error))


def test_twenty_annotators_at_two_hundred_entries_of_three_give_exactly_six_hundred_judgments(
    either_workspace: Workspace, folder: Path
) -> None:
    names = [f"Person {number:02}" for number in range(20)]
    desk = TeamDesk(either_workspace, folder, queries=200, names=names, judgments_per_entry=3, own_order=True)
    refused: list[str] = []
    together([partial(_work_until_nothing_is_left, desk, each, refused) for each in desk.people])
    assert Counter(desk.judged().values()) == {3: 200}
    # Everybody had a place kept before they began, so nobody worked for nothing.
    assert refused == []
    assert desk.claims() == set()


def test_of_two_who_save_at_the_last_place_at_once_one_is_told_that_it_is_taken(
    either_workspace: Workspace, folder: Path
) -> None:
    desk = TeamDesk(either_workspace, folder, queries=8, names=FOUR)
    for number in range(1, 9):
        outcomes: list[str] = []

        def press_enter(person: Person, number: int = number, outcomes: list[str] = outcomes) -> None:
            try:
                desk.save(person, number)
                outcomes.append("saved")
            except EntryTaken as error:
                outcomes.append("taken" if "was completed by others meanwhile" in str(error) else str(error))

        together([partial(press_enter, each) for each in desk.people[:2]])
        assert sorted(outcomes) == ["saved", "taken"]
    assert set(desk.judged().values()) == {1}


#: A process that saves a judgment on every entry as fast as it can, without waiting to be handed any.
SAVES_ALL = """
import json, sys
from audit_core.errors import EntryTaken
from audit_core.workflow import judging
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import open_workspace

name, campaign, entries = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
workspace = open_workspace()
person = sign_in(workspace, name)
print("ready", flush=True)
sys.stdin.readline()
saved = 0
for entry in entries:
    body = {"nonce": f"nonce-{name}-{entry}", "outcome": "judged", "codes": ""}
    try:
        judging.save_judgment(workspace, person, entry_id=entry, body=body)
        saved += 1
    except EntryTaken:
        pass
print(saved)
"""


def test_processes_that_save_at_once_never_give_an_entry_more_than_its_judgments(
    workspace: Workspace, folder: Path
) -> None:
    desk = TeamDesk(workspace, folder, queries=30, names=FOUR, judgments_per_entry=2)
    entries = json.dumps([each.id for each in desk.entries()])
    command = [sys.executable, "-c", SAVES_ALL]
    workers = [
        subprocess.Popen(
            [*command, name, str(desk.campaign.id), entries], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for name in FOUR
    ]
    for each in workers:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in workers:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    said = [each.communicate(timeout=120)[0] for each in workers]
    assert sum(map(int, said)) == 60
    assert set(desk.judged().values()) == {2}


def test_an_entry_that_is_handed_to_one_is_not_handed_to_another_until_the_claim_runs_out(
    either_workspace: Workspace, folder: Path
) -> None:
    desk = TeamDesk(either_workspace, folder, queries=3, names=FOUR)
    ada, bob = desk.people[:2]
    assert desk.numbers(ada, amount=2) == [1, 2]
    assert {each.place for each in desk.next(ada, amount=2)} == {Place.MINE}
    assert desk.numbers(bob, amount=3) == [3]
    assert desk.open(bob, 1).place is Place.TAKEN
    desk.let_claims_run_out()
    assert desk.numbers(bob, amount=3) == [1, 2, 3]
    assert desk.numbers(ada, amount=3) == []


def test_a_tab_that_slept_too_long_is_told_so_and_gets_another_entry(either_workspace: Workspace, folder: Path) -> None:
    desk = TeamDesk(either_workspace, folder, queries=2, names=FOUR)
    ada, bob = desk.people[:2]
    (stale,) = desk.next(ada)
    desk.let_claims_run_out()
    desk.save(bob, stale.row.number)
    assert renew(desk.workspace, ada, desk.campaign, [stale.row.number]) == ([], [stale.row.number])
    with pytest.raises(EntryTaken, match="Your answer was not saved"):
        desk.save_row(ada, stale.row.id)
    assert desk.numbers(ada) == [2]


def test_a_claim_that_ran_out_comes_back_where_nobody_took_the_place(workspace: Workspace, folder: Path) -> None:
    desk = TeamDesk(workspace, folder, queries=2, names=FOUR)
    ada, bob = desk.people[:2]
    assert desk.numbers(ada) == [1]
    desk.let_claims_run_out()
    assert renew(workspace, ada, desk.campaign, [1]) == ([1], [])
    assert desk.numbers(bob, amount=2) == [2]
    desk.let_claims_run_out()
    desk.save(ada, 1)
    assert desk.judged() == {"q001": 1, "q002": 0} or desk.judged() == {"q001": 0, "q002": 1}


def test_a_draft_keeps_the_place_of_whoever_writes(workspace: Workspace, folder: Path) -> None:
    desk = TeamDesk(workspace, folder, queries=1, names=FOUR)
    ada, bob = desk.people[:2]
    (mine,) = desk.next(ada)
    desk.let_claims_run_out()
    judging.save_draft(workspace, ada, entry_id=mine.row.id, body={"codes": "F"})
    assert desk.numbers(bob) == []


def test_ones_own_judgment_can_be_revised_when_all_places_are_taken(either_workspace: Workspace, folder: Path) -> None:
    desk = TeamDesk(either_workspace, folder, queries=1, names=FOUR, judgments_per_entry=2)
    ada, bob, cem, _ = desk.people
    desk.save(ada, 1)
    desk.save(bob, 1)
    assert desk.save(ada, 1, codes="FE", base_revision=1).judgment.revision == 2
    assert desk.open(ada, 1).place is Place.MINE
    assert desk.open(cem, 1).place is Place.TAKEN
    assert desk.judged() == {"q001": 2}


def test_cannot_judge_gives_the_place_to_somebody_else_and_not_to_the_same_person(
    either_workspace: Workspace, folder: Path
) -> None:
    desk = TeamDesk(either_workspace, folder, queries=1, names=FOUR)
    ada, bob, cem, _ = desk.people
    assert desk.numbers(ada) == [1]
    assert desk.numbers(bob) == []
    desk.save(ada, 1, outcome="cannot_judge", reason="blurred")
    assert desk.numbers(ada) == []
    assert desk.numbers(bob) == [1]
    # Who opens it all the same takes a place where one is left, and none where Bob has it.
    assert desk.open(ada, 1).place is Place.TAKEN
    with pytest.raises(EntryTaken):
        desk.save(ada, 1, base_revision=1)
    desk.save(bob, 1, outcome="cannot_judge")
    assert desk.open(ada, 1).place is Place.MINE
    assert desk.numbers(cem) == []
    assert desk.save(ada, 1, base_revision=1).judgment.revision == 2
    assert desk.judged() == {"q001": 1}


def test_a_judgment_that_becomes_cannot_judge_gives_its_place_back(workspace: Workspace, folder: Path) -> None:
    desk = TeamDesk(workspace, folder, queries=1, names=FOUR)
    ada, bob = desk.people[:2]
    desk.save(ada, 1)
    desk.save(ada, 1, outcome="cannot_judge", base_revision=1)
    desk.save(bob, 1)
    with pytest.raises(EntryTaken):
        desk.save(ada, 1, base_revision=2)
    assert desk.judged() == {"q001": 1}


def test_cannot_judge_may_be_said_of_a_full_entry_since_it_takes_no_place(workspace: Workspace, folder: Path) -> None:
    desk = TeamDesk(workspace, folder, queries=1, names=FOUR)
    desk.save(desk.people[0], 1)
    assert desk.save(desk.people[1], 1, outcome="cannot_judge").judgment.outcome == "cannot_judge"
    assert desk.judged() == {"q001": 1}


def test_who_is_taken_out_half_way_keeps_what_they_judged_and_frees_what_they_held(
    either_workspace: Workspace, folder: Path
) -> None:
    desk = TeamDesk(either_workspace, folder, queries=6, names=FOUR[:3], judgments_per_entry=1)
    ada, bob, _ = desk.people
    handed = desk.next(ada, amount=6)
    for mine in handed[:2]:
        desk.save_row(ada, mine.row.id)
    assert desk.numbers(bob, amount=6) == []
    assert remove_annotator(desk.workspace, desk.campaign, ada.id) == 4
    assert desk.numbers(bob, amount=6) == [3, 4, 5, 6]
    with pytest.raises(NotFound, match=r"whoever leads it took you out\. What you saved stays"):
        desk.save_row(ada, handed[2].row.id)
    with pytest.raises(NotFound, match="took you out"):
        judging.save_draft(desk.workspace, ada, entry_id=handed[2].row.id, body={"codes": "F"})
    with pytest.raises(NotFound, match="took you out"):
        campaign_for(desk.workspace, ada, desk.campaign.id)
    for number in (3, 4, 5, 6):
        desk.save(bob, number)
    assert set(desk.judged().values()) == {1}
    add_annotators(desk.workspace, desk.campaign, [ada.id])
    assert may_judge(desk.workspace, desk.campaign, ada)
    assert [(each.person.name, each.removed_at) for each in annotators_of(desk.workspace, desk.campaign)] == [
        ("Ada", None), ("Bob", None), ("Cem", None),
    ]  # fmt: skip


def test_a_campaign_that_is_handed_to_some_is_not_there_for_others(workspace: Workspace, folder: Path) -> None:
    desk = TeamDesk(workspace, folder, queries=2, names=FOUR[:2])
    stranger = sign_in(workspace, "Eve")
    with pytest.raises(NotFound, match="There is no such campaign here"):
        campaign_for(workspace, stranger, desk.campaign.id)
    with pytest.raises(NotFound, match="There is no such entry"):
        desk.save(stranger, 1)
    assert seats_of(workspace, stranger) == set()
    assert seats_of(workspace, desk.people[0]) == {desk.campaign.id}
    open_to_all(workspace, desk.campaign, True)
    assert campaign_for(workspace, stranger, desk.campaign.id)[0].is_open
    assert seats_of(workspace, stranger) == {desk.campaign.id}
    remove_annotator(workspace, desk.campaign, stranger.id)
    assert seats_of(workspace, stranger) == set()
    for each in desk.people:
        remove_annotator(workspace, desk.campaign, each.id)
    with pytest.raises(AssayError, match="handed to nobody"):
        open_to_all(workspace, desk.campaign, False)


def test_a_paused_campaign_saves_nothing_keeps_drafts_and_goes_on_where_it_was(
    either_workspace: Workspace, folder: Path
) -> None:
    desk = TeamDesk(either_workspace, folder, queries=2, names=FOUR)
    ada, bob = desk.people[:2]
    (mine,) = desk.next(ada)
    pause_campaign(desk.workspace, desk.campaign)
    with pytest.raises(CampaignPaused, match="until it goes on"):
        desk.save_row(ada, mine.row.id)
    judging.save_draft(desk.workspace, ada, entry_id=mine.row.id, body={"codes": "FE", "note": "kept"})
    assert [(each.row.number, each.place) for each in desk.next(bob, amount=2)] == [(2, None)]
    resume_campaign(desk.workspace, desk.campaign)
    # Ada's place was kept through the pause.
    assert desk.numbers(bob, amount=2) == [2]
    draft = desk.open(ada, mine.row.number).draft
    assert draft is not None
    assert draft["note"] == "kept"
    assert desk.save_row(ada, mine.row.id).judgment.revision == 1


def test_a_campaign_that_closes_under_an_open_tab_saves_nothing_and_keeps_the_draft(
    either_workspace: Workspace, folder: Path
) -> None:
    desk = TeamDesk(either_workspace, folder, queries=2, names=FOUR)
    ada = desk.people[0]
    (mine,) = desk.next(ada)
    set_campaign_state(desk.workspace, desk.campaign, CampaignState.CLOSED)
    with pytest.raises(CampaignClosed, match="Yours was not saved"):
        desk.save_row(ada, mine.row.id)
    judging.save_draft(desk.workspace, ada, entry_id=mine.row.id, body={"codes": "F"})
    assert desk.open(ada, mine.row.number).draft is not None
    assert desk.claims() == set()
    assert desk.judged() == {"q001": 0, "q002": 0}


def test_everybody_has_an_order_of_their_own_which_stays_while_others_work(workspace: Workspace, folder: Path) -> None:
    desk = TeamDesk(workspace, folder, queries=40, names=FOUR[:2], hand_out=HandOut.ALL, own_order=True, order_seed=11)
    ada, bob = desk.people
    orders = [desk.numbers(each, amount=10) for each in (ada, bob)]
    assert orders[0] != orders[1]
    assert orders[0] != sorted(orders[0])
    desk.save(bob, orders[0][0])
    assert desk.numbers(ada, amount=10) == orders[0]
    desk.save(ada, orders[0][0])
    assert desk.numbers(ada, amount=9) == orders[0][1:]
    assert desk.numbers(ada, amount=3, after=orders[0][4]) == orders[0][5:8]
    everything: list[int] = []
    while more := desk.numbers(ada, amount=10, skip=everything):
        everything += more
    assert sorted([*everything, orders[0][0]]) == list(range(1, 41))


def test_an_entry_far_down_the_order_is_found_when_all_before_are_full(workspace: Workspace, folder: Path) -> None:
    desk = TeamDesk(workspace, folder, queries=120, names=FOUR, own_order=True, order_seed=3)
    ada, bob = desk.people[:2]
    wanted = desk.numbers(ada, amount=10)
    rest: list[int] = []
    while more := desk.numbers(ada, amount=10, skip=[*wanted, *rest]):
        rest += more
    desk.let_claims_run_out()
    for number in [*wanted, *rest[:-1]]:
        desk.save(bob, number)
    assert desk.numbers(ada, amount=3) == rest[-1:]


def test_a_team_that_could_never_finish_is_refused(workspace: Workspace, folder: Path) -> None:
    with pytest.raises(AssayError, match="3 judgments an entry need as many annotators, and there are 2"):
        TeamDesk(workspace, folder, queries=3, names=FOUR[:2], judgments_per_entry=3)


def test_somebody_unknown_cannot_be_handed_a_campaign(workspace: Workspace, folder: Path) -> None:
    desk = TeamDesk(workspace, folder, queries=3, names=FOUR[:2])
    with pytest.raises(NotFound, match="no person 999"):
        add_annotators(workspace, desk.campaign, [999])


def test_places_are_renewed_only_at_what_a_person_was_handed_opened_or_began(
    either_workspace: Workspace, folder: Path
) -> None:
    desk = TeamDesk(either_workspace, folder, queries=8, names=FOUR)
    ada, bob = desk.people[:2]
    assert desk.numbers(ada, amount=2) == [1, 2]
    assert desk.open(ada, 5).place is Place.MINE
    judging.save_draft(desk.workspace, ada, entry_id=desk.entries()[5].id, body={"codes": "F"})
    desk.save(ada, 7, outcome="cannot_judge")
    desk.let_claims_run_out()
    assert renew(desk.workspace, ada, desk.campaign, range(1, 9)) == ([1, 2, 5, 6, 7], [3, 4, 8])
    assert desk.numbers(bob, amount=8) == [3, 4, 8]


def test_a_claim_that_ran_out_is_known_for_a_day(workspace: Workspace, folder: Path) -> None:
    desk = TeamDesk(workspace, folder, queries=4, names=FOUR)
    ada = desk.people[0]
    assert desk.numbers(ada, amount=2) == [1, 2]
    for hours, held in ((23, [1, 2]), (25, [])):
        with workspace.database.write() as connection:
            connection.execute(claim.update().values(expires_at=stamp(datetime.now(UTC) - timedelta(hours=hours))))
        desk.numbers(ada, after=2)
        assert renew(workspace, ada, desk.campaign, [1, 2])[0] == held


def test_what_was_handed_out_during_a_pause_is_in_hand_when_the_campaign_goes_on(
    workspace: Workspace, folder: Path
) -> None:
    desk = TeamDesk(workspace, folder, queries=4, names=FOUR)
    ada, bob = desk.people[:2]
    pause_campaign(desk.workspace, desk.campaign)
    desk.again()
    assert desk.numbers(ada, amount=1) == [1]
    assert desk.open(ada, 3).place is None
    # A pause keeps no place from others.
    assert desk.numbers(bob, amount=2) == [1, 2]
    resume_campaign(desk.workspace, desk.campaign)
    assert renew(workspace, ada, desk.again(), [1, 2, 3]) == ([1, 3], [2])


@pytest.mark.parametrize("handed", [0, 1])
def test_claims_and_opening_tell_no_gold_entry_from_others_that_were_not_handed_out(
    either_workspace: Workspace, folder: Path, handed: int
) -> None:
    gold = tuple(right(f"q{each:03}") for each in range(1, 5))
    desk = TeamDesk(either_workspace, folder, queries=6, names=FOUR, gold=gold)
    ada, bob = desk.people[:2]
    every = range(1, 11)
    mine = desk.numbers(bob, amount=handed)
    is_gold = {each.number for each in desk.entries() if each.gold is not None}
    # Nothing is taken by asking, and all are answered alike.
    assert renew(desk.workspace, bob, desk.campaign, every) == (mine, [each for each in every if each not in mine])
    # While there are places, all can be opened.
    assert desk.open(ada, min(is_gold - set(mine))).place is Place.MINE
    for number in set(every) - is_gold:
        desk.save(ada, number) if number not in mine else desk.save(bob, number)
    rest = set(every) - set(mine)
    assert {desk.open(bob, each).place for each in rest} == {Place.TAKEN}
    assert renew(desk.workspace, bob, desk.campaign, every) == (mine, sorted(rest))


def test_a_gold_entry_that_was_handed_out_stays_in_hand_when_others_have_all_places(
    workspace: Workspace, folder: Path
) -> None:
    gold = tuple(right(f"q{each:03}") for each in range(1, 5))
    desk = TeamDesk(workspace, folder, queries=6, names=FOUR, gold=gold)
    ada, bob = desk.people[:2]
    given = desk.numbers(ada, amount=10)
    is_gold = {each.number for each in desk.entries() if each.gold is not None}
    assert is_gold & set(given)
    desk.let_claims_run_out()
    for each in desk.entries():
        desk.save(bob, each.number)
    assert set(renew(workspace, ada, desk.campaign, given)[0]) == is_gold & set(given)
    assert {desk.open(ada, each).place for each in is_gold & set(given)} == {Place.MINE}
    desk.save(ada, min(is_gold & set(given)))
    assert (min(is_gold & set(given)), ada.id) not in desk.claims()

"""Deciding entries: how they stand, on what bases, by whom, and what an adjudicator is shown."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from audit_core.domain import CampaignState, Outcome, Role
from audit_core.errors import JudgmentConflict, JudgmentInvalid, NotAllowed, NotFound
from audit_core.storage import activity, decisions
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.decisions import DecisionRow
from audit_core.storage.people import Person
from audit_core.workflow import adjudicating, judging
from audit_core.workflow.adjudicating import EntryStanding, entry_states
from audit_core.workflow.adjudication_list import adjudication_page
from audit_core.workflow.adjudication_view import label, open_adjudication
from audit_core.workflow.agreement import second_reading_of
from audit_core.workflow.campaigns import set_campaign_state
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.team_campaigns import TeamRequest, start_team_campaign
from audit_core.workflow.workspace import Workspace
from tests.bundles import without_judgments
from tests.homes import with_campaign
from tests.judged_campaigns import save

_nonces = count(1)
BOX = {"page_id": "p1", "element_id": None, "action": "add", "from": None}


class Desk:
    """A campaign of three entries, two judgments each, over the tiny bundle."""

    def __init__(self, workspace: Workspace, folder: Path, **options: Any) -> None:
        self.workspace = workspace
        self.campaign: CampaignRow = with_campaign(
            workspace, folder, without_judgments, **{"judgments_per_entry": 2, **options}
        )
        self.ada, self.bob, self.cora = (sign_in(workspace, name) for name in ("Ada", "Bob", "Cora"))

    def say(self, number: int, *said: dict[str, Any]) -> None:
        for person, body in zip((self.ada, self.bob), said, strict=False):
            save(self.workspace, self.campaign, person, number, **body)

    def close(self) -> None:
        set_campaign_state(self.workspace, self.campaign, CampaignState.CLOSED)

    def entry(self, number: int) -> int:
        return judging.entry_numbered(self.workspace, self.cora, campaign_id=self.campaign.id, number=number).row.id

    def decide(self, number: int, person: Person | None = None, **body: Any) -> DecisionRow:
        filled = {"nonce": f"decision {next(_nonces):05}", "base_revision": 0, "outcome": "judged", "codes": "", **body}
        return adjudicating.decide(self.workspace, person or self.cora, entry_id=self.entry(number), body=filled)

    def standing(self, number: int) -> EntryStanding:
        return next(each for each in entry_states(self.workspace, self.campaign.id) if each.number == number)

    def shown(self, number: int, person: Person | None = None) -> dict[str, Any]:
        opened = open_adjudication(self.workspace, person or self.cora, self.campaign.id, number=number, only="all")
        assert opened.entry is not None
        return opened.entry


@pytest.fixture
def make(workspace: Workspace, tmp_path: Path) -> Callable[..., Desk]:
    return lambda **options: Desk(workspace, tmp_path / "b", **options)


@pytest.fixture
def desk(make: Callable[..., Desk]) -> Desk:
    """Disputed on 1, unanimous on 2, Ada's alone on 3; closed."""
    found = make()
    found.say(1, {"codes": "F", "note": "vague"}, {"codes": "E", "targets": {"E": ["p1"]}})
    found.say(2, {"codes": "E", "targets": {"E": ["p3"]}}, {"codes": "E", "targets": {"E": ["p3"]}})
    found.say(3, {"codes": "N"})
    found.close()
    return found


# --- how entries stand ---------------------------------------------------------------------------------------------


def test_entries_are_disputed_unanimous_single_or_decided(desk: Desk) -> None:
    found = [(each.number, each.state, each.disputes, len(each.judgments)) for each in entry_states(desk.workspace, 1)]
    assert found == [(1, "disputed", ("codes",), 2), (2, "unanimous", (), 2), (3, "single", (), 1)]
    desk.decide(1, basis="own", codes="U", reason="one page is enough")
    standing = desk.standing(1)
    assert (standing.state, standing.agreed, standing.disputes) == ("decided", "disputed", ("codes",))
    assert standing.decision is not None
    assert standing.decision.codes == "U"


def test_in_an_open_campaign_an_entry_without_all_its_judgments_is_open_unless_they_differ(
    make: Callable[..., Desk],
) -> None:
    desk = make(judgments_per_entry=3)
    desk.say(1, {"codes": "F"}, {"codes": "F"})
    desk.say(2, {"codes": "F"}, {"codes": ""})
    desk.say(3, {"codes": "F"}, {"outcome": "cannot_judge"})
    assert [each.state for each in entry_states(desk.workspace, desk.campaign.id)] == ["open", "disputed", "open"]
    desk.close()
    assert [each.state for each in entry_states(desk.workspace, desk.campaign.id)] == [
        "unanimous",
        "disputed",
        "single",
    ]


def test_an_entry_that_nobody_could_judge_is_open_and_can_be_decided(make: Callable[..., Desk]) -> None:
    desk = make()
    desk.say(1, {"outcome": "cannot_judge"}, {"outcome": "cannot_judge"})
    desk.close()
    assert desk.standing(1).state == "open"
    assert desk.decide(1, basis="own", codes="N", reason="the page is legible on paper").codes == "N"
    assert adjudicating.standing_counts(desk.workspace, desk.campaign) == {
        "disputed": 0, "unanimous": 0, "single": 0, "decided": 1, "open": 2,
    }  # fmt: skip


def test_a_later_judgment_changes_how_an_entry_stands_at_once(make: Callable[..., Desk]) -> None:
    desk = make()
    desk.say(1, {"codes": "F"}, {"codes": "F"})
    assert desk.standing(1).state == "unanimous"
    desk.say(1, {"codes": "E"})
    assert desk.standing(1).state == "disputed"
    decided = desk.decide(1, basis="own", codes="U", reason="one page is enough")
    assert desk.shown(1)["decision"]["outdated"] is False
    desk.say(1, {"codes": "F"})
    assert desk.shown(1)["decision"]["outdated"] is True
    assert decided.revision == desk.shown(1)["decision"]["revision"]


def test_disjoint_boxes_with_one_code_are_disputed(make: Callable[..., Desk]) -> None:
    desk = make()
    corrections = [{"boxes": [{**BOX, "to": to}]} for to in ([0.0, 0.0, 0.2, 0.2], [0.5, 0.5, 0.9, 0.9])]
    desk.say(1, *({"codes": "E", "correction": each} for each in corrections))
    desk.say(2, {"codes": "E", "targets": {"E": ["p3"]}}, {"codes": "E", "targets": {"E": ["p4"]}})
    assert (desk.standing(1).state, desk.standing(1).disputes) == ("disputed", ("boxes",))
    assert (desk.standing(2).state, desk.standing(2).disputes) == ("disputed", ("targets",))


@pytest.mark.parametrize(
    ("protocol", "one", "other", "disputes"),
    [
        ("removal", {"remove": True}, {"remove": False}, ("fields.remove",)),
        ("relevance", {"query": "poor", "reasons": ["other"]}, {"query": "poor", "reasons": ["other"]}, ()),
    ],
)
def test_campaigns_of_other_protocols_are_adjudicated_too(
    make: Callable[..., Desk], protocol: str, one: dict[str, Any], other: dict[str, Any], disputes: tuple[str, ...]
) -> None:
    desk = make(protocol=protocol)
    desk.say(1, {"fields": one}, {"fields": other})
    desk.close()
    assert desk.standing(1).disputes == disputes
    decided = desk.decide(1, basis="taken", fields=one)
    assert (decided.answer, decided.codes) == (one, "")
    assert desk.shown(1)["decision"]["fields"] == one
    with pytest.raises(JudgmentInvalid, match="codes belongs to the audit protocol"):
        desk.decide(1, basis="own", codes="F", reason="x", base_revision=1)


# --- bases ---------------------------------------------------------------------------------------------------------


def test_what_is_taken_is_a_judgment_as_it_is(desk: Desk) -> None:
    first, second = desk.standing(1).judgments
    with pytest.raises(JudgmentInvalid, match="not what the judgment says"):
        desk.decide(1, basis="taken", codes="FE")
    with pytest.raises(JudgmentInvalid, match="not what the judgment says"):
        desk.decide(1, basis="taken", codes="F", taken_from=[second.id])
    with pytest.raises(JudgmentInvalid, match="reload the entry"):
        desk.decide(1, basis="taken", codes="F", taken_from=[desk.standing(2).judgments[0].id])
    with pytest.raises(JudgmentInvalid, match="the one judgment"):
        desk.decide(1, basis="taken", codes="F", taken_from=[first.id, second.id])
    taken = desk.decide(1, basis="taken", codes="E", targets={"E": ["p1"]}, taken_from=[second.id])
    assert (taken.taken_from, taken.targets, sorted(taken.judgment_ids)) == (
        [second.id], {"E": ["p1"]}, sorted((first.id, second.id)),
    )  # fmt: skip


def test_merged_names_at_least_two_judgments(desk: Desk) -> None:
    ids = [each.id for each in desk.standing(1).judgments]
    for named in ([], ids[:1]):
        with pytest.raises(JudgmentInvalid, match="at least two"):
            desk.decide(1, basis="merged", codes="FE", taken_from=named)
    assert desk.decide(1, basis="merged", codes="FE", taken_from=ids).taken_from == ids


def test_merged_says_only_what_stands_in_the_judgments_that_it_names(make: Callable[..., Desk]) -> None:
    desk = make(judgments_per_entry=3)
    boxes = [{**BOX, "to": to} for to in ([0.0, 0.0, 0.2, 0.2], [0.5, 0.5, 0.9, 0.9])]
    desk.say(
        1,
        {"codes": "F", "correction": {"query": "What?"}},
        {"codes": "E", "targets": {"E": ["p1"]}, "correction": {"boxes": boxes}},
    )
    save(desk.workspace, desk.campaign, desk.cora, 1, codes="")
    desk.close()
    first, second, third = (each.id for each in desk.standing(1).judgments)
    both = [first, second]
    for body, words in (
        ({"codes": "FU"}, "says code U"),
        ({"codes": "FE", "targets": {"E": ["e1"]}}, "says target E e1"),
        ({"codes": "FE", "correction": {"query": "Which?"}}, "the correction of query"),
        (
            {"codes": "FE", "correction": {"boxes": [{**boxes[0], "to": [0.1, 0.1, 0.3, 0.3]}]}},
            "the correction of boxes",
        ),
        ({"codes": "F"}, "of which nothing stands in the decision"),
        ({"outcome": "cannot_judge"}, "says cannot judge"),
        ({"codes": ""}, "says correct"),
    ):
        with pytest.raises(JudgmentInvalid, match=words):
            desk.decide(1, basis="merged", taken_from=both, **body)
    with pytest.raises(JudgmentInvalid, match="says code E"):
        desk.decide(1, basis="merged", codes="FE", taken_from=[first, third])
    parts = {"codes": "FE", "targets": {"E": ["p1"]}, "correction": {"query": "What?", "boxes": boxes[:1]}}
    assert desk.decide(1, basis="merged", taken_from=both, **parts).taken_from == both


def test_fields_are_merged_value_by_value(make: Callable[..., Desk]) -> None:
    desk = make(protocol="removal")
    desk.say(1, {"fields": {"remove": True, "clarity": 0.25}}, {"fields": {"remove": False, "closedness": 0.5}})
    desk.close()
    ids = [each.id for each in desk.standing(1).judgments]
    with pytest.raises(JudgmentInvalid, match="says field clarity"):
        desk.decide(1, basis="merged", fields={"remove": True, "clarity": 0.75}, taken_from=ids)
    fields = {"remove": True, "clarity": 0.25, "closedness": 0.5}
    assert desk.decide(1, basis="merged", fields=fields, taken_from=ids).answer == fields


@pytest.mark.parametrize("basis", ["own", "all_wrong"])
def test_what_nothing_else_explains_needs_a_reason(desk: Desk, basis: str) -> None:
    for reason in ("", "   ", None):
        with pytest.raises(JudgmentInvalid, match="reason is missing"):
            desk.decide(1, basis=basis, codes="U", reason=reason)
    assert desk.decide(1, basis=basis, codes="U", reason="one page is enough").reason == "one page is enough"


def test_all_wrong_says_what_no_judgment_says(desk: Desk) -> None:
    with pytest.raises(JudgmentInvalid, match="what one of the judgments says"):
        desk.decide(1, basis="all_wrong", codes="F", reason="x")
    assert desk.decide(1, basis="own", codes="F", reason="x").basis == "own"


def test_unanimous_holds_only_where_all_say_the_same(desk: Desk) -> None:
    for number in (1, 3):
        with pytest.raises(JudgmentInvalid, match="not unanimous"):
            desk.decide(number, basis="unanimous", codes="N")
    with pytest.raises(JudgmentInvalid, match="must say what the judgments say"):
        desk.decide(2, basis="unanimous", codes="F")
    decided = desk.decide(2, basis="unanimous", codes="E", targets={"E": ["p3"]})
    assert decided.taken_from == [each.id for each in desk.standing(2).judgments]


def test_a_second_reading_confirms_or_overturns_the_only_judgment(desk: Desk) -> None:
    with pytest.raises(JudgmentInvalid, match="this one has 2"):
        desk.decide(2, basis="second_reading", codes="E")
    (only,) = desk.standing(3).judgments
    confirmed = desk.decide(3, basis="second_reading", codes="N")
    assert confirmed.taken_from == [only.id]
    for reason in ("", "  "):
        with pytest.raises(JudgmentInvalid, match="why you overturned"):
            desk.decide(3, basis="second_reading", codes="", reason=reason, base_revision=1)
    overturned = desk.decide(3, basis="second_reading", codes="", reason="the table answers it", base_revision=1)
    assert (overturned.taken_from, overturned.codes, overturned.revision) == ([], "", 2)


def test_the_only_judgment_is_not_read_again_while_further_ones_are_due(make: Callable[..., Desk]) -> None:
    desk = make(judgments_per_entry=3)
    desk.say(1, {"codes": "F"})
    assert desk.standing(1).state == "open"
    with pytest.raises(JudgmentInvalid, match="still to get further judgments"):
        desk.decide(1, basis="second_reading", codes="F")
    desk.close()
    assert desk.decide(1, basis="second_reading", codes="F").basis == "second_reading"


def test_what_has_further_judgments_now_is_no_second_reading_any_more(make: Callable[..., Desk]) -> None:
    desk = make(judgments_per_entry=1)
    desk.say(1, {"codes": "F"})
    desk.say(2, {"codes": "F"})
    for number in (1, 2):
        desk.decide(number, basis="second_reading", codes="N", reason="the page does not say it")
    found = second_reading_of(desk.workspace, desk.campaign.id)
    assert found is not None
    assert found.read == 2
    save(desk.workspace, desk.campaign, desk.bob, 1, codes="F")
    save(desk.workspace, desk.campaign, desk.bob, 2, outcome="cannot_judge")
    found = second_reading_of(desk.workspace, desk.campaign.id)
    assert found is not None
    assert (found.read, found.changed) == (1, 1)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"basis": "guessed"}, "basis"),
        ({"basis": "file"}, "basis"),
        ({"basis": None}, "basis"),
        ({"confidence": "very"}, "confidence"),
        ({"taken_from": "1"}, "taken_from"),
        ({"taken_from": [1, 1]}, "taken_from"),
        ({"taken_from": [True]}, "taken_from"),
        ({"codes": "FX"}, "codes"),
        ({"codes": "E", "targets": {"E": ["p9"]}}, "p9"),
        ({"correction": {"drop_pages": ["p4"]}}, "p4"),
        ({"nonce": "short"}, "nonce"),
        ({"base_revision": -1}, "base_revision"),
    ],
)
def test_a_decision_that_breaks_a_rule_is_refused(desk: Desk, body: dict[str, Any], words: str) -> None:
    with pytest.raises(JudgmentInvalid, match=words):
        desk.decide(1, **{"basis": "own", "reason": "x", **body})
    assert desk.standing(1).decision is None


def test_a_correction_may_give_the_wanted_content_whole(desk: Desk) -> None:
    whole = {"evidence": [{"page_id": "p2", "document_id": "d1", "set_id": "b", "relevance": 2}]}
    decided = desk.decide(1, basis="own", codes="E", reason="x", correction=whole)
    assert decided.correction == whole
    for evidence, words in (
        ([{"page_id": "p9"}], "a page of the dataset"),
        ([{"page_id": "p1", "box": [0, 0, 500, 10]}], "on its page"),
        ([{"page_id": "p1", "element_id": "e9", "box": [0, 0, 5, 10]}], "element"),
        ("p1", "list"),
    ):
        with pytest.raises(JudgmentInvalid, match=words):
            desk.decide(1, basis="own", codes="E", reason="x", correction={"evidence": evidence}, base_revision=1)


# --- revisions and who decides -------------------------------------------------------------------------------------


def test_decisions_are_revisions_and_the_newest_counts(desk: Desk) -> None:
    first = desk.decide(1, basis="own", codes="U", reason="one page is enough")
    with pytest.raises(JudgmentConflict) as conflict:
        desk.decide(1, basis="own", codes="N", reason="none answers")
    assert conflict.value.newest["codes"] == "U"
    second = desk.decide(1, basis="own", codes="N", reason="none answers", base_revision=1)
    assert (first.revision, second.revision) == (1, 2)
    back = adjudicating.reopen(desk.workspace, desk.cora, entry_id=desk.entry(1), reason="look again")
    assert (back.revision, back.basis, back.outcome) == (3, "reopened", Outcome.CANNOT_JUDGE)
    assert desk.standing(1).state == "disputed"
    with pytest.raises(JudgmentInvalid, match="no decision"):
        adjudicating.reopen(desk.workspace, desk.cora, entry_id=desk.entry(1))
    with desk.workspace.database.read() as connection:
        assert [each.basis for each in decisions.history(connection, desk.entry(1))] == ["own", "own", "reopened"]
        assert decisions.newest_of_campaign(connection, desk.campaign.id) == {}
        done = [each.action for each in activity.newest(connection, count=3)]
    assert done == ["decision-reopen", "decision", "decision"]


def test_a_nonce_decides_once_and_belongs_to_one_entry(desk: Desk) -> None:
    body = {"nonce": "the same nonce", "basis": "own", "codes": "U", "reason": "one page is enough"}
    assert desk.decide(1, **body) == desk.decide(1, **body)
    with pytest.raises(JudgmentInvalid, match="another decision"):
        desk.decide(2, **body)


def test_whoever_judged_and_decides_is_marked(desk: Desk) -> None:
    assert desk.decide(1, desk.ada, basis="own", codes="U", reason="x").is_own_judgment is True
    assert desk.decide(1, desk.cora, basis="own", codes="U", reason="x", base_revision=1).is_own_judgment is False
    accepted = adjudicating.accept_unanimous(desk.workspace, desk.bob, desk.campaign.id)
    assert (accepted.accepted, accepted.left) == (1, ())
    standing = desk.standing(2)
    assert standing.decision is not None
    assert standing.decision.is_own_judgment is True


def test_annotators_decide_nothing(desk: Desk) -> None:
    annotator = Person(desk.ada.id, "Ada", is_imported=False, role=Role.ANNOTATOR)
    for attempt in (
        lambda: desk.decide(1, annotator, basis="own", codes="U", reason="x"),
        lambda: adjudicating.accept_unanimous(desk.workspace, annotator, desk.campaign.id),
        lambda: adjudicating.reopen(desk.workspace, annotator, entry_id=desk.entry(1)),
        lambda: desk.shown(1, annotator),
    ):
        with pytest.raises(NotAllowed, match="adjudicator"):
            attempt()
    with pytest.raises(NotFound):
        adjudicating.decide(desk.workspace, desk.cora, entry_id=999, body={})


def test_an_annotator_with_an_open_place_is_told_nothing_before_judging(workspace: Workspace, tmp_path: Path) -> None:
    desk = Desk(workspace, tmp_path / "b")
    team = TeamRequest(annotators=(desk.ada.id, desk.bob.id, desk.cora.id), judgments_per_entry=3)
    dataset = workspace.dataset(desk.campaign.dataset_id)
    desk.campaign = start_team_campaign(workspace, dataset=dataset, name="team", team=team)
    desk.say(1, {"codes": "F"}, {"codes": ""})
    with pytest.raises(NotAllowed, match="judge it first"):
        desk.shown(1)
    with pytest.raises(NotAllowed, match="judge it first"):
        desk.decide(1, basis="own", codes="U", reason="x")
    with workspace.database.read() as connection:
        assert decisions.reveals_of_entry(connection, desk.entry(1)) == {}
    (row,) = adjudication_page(workspace, desk.cora, desk.campaign.id).rows
    assert (row["sealed"], row["codes"]) == (True, [])
    with workspace.database.read() as connection:
        assert decisions.reveals_of_entry(connection, desk.entry(1)) == {}
    save(workspace, desk.campaign, desk.cora, 1, codes="F")
    assert len(desk.shown(1)["judgments"]) == 3
    with workspace.database.read() as connection:
        assert set(decisions.reveals_of_entry(connection, desk.entry(1))) == {desk.cora.id}


def test_who_judged_and_reads_the_list_of_what_others_said_knows_it(workspace: Workspace, tmp_path: Path) -> None:
    desk = Desk(workspace, tmp_path / "b")
    desk.say(1, {"codes": "F"}, {"codes": ""})
    save(workspace, desk.campaign, desk.cora, 1, codes="F")
    (row,) = adjudication_page(workspace, desk.cora, desk.campaign.id).rows
    assert sorted(row["codes"]) == ["", "F", "F"]
    with workspace.database.read() as connection:
        assert set(decisions.reveals_of_entry(connection, desk.entry(1))) == {desk.cora.id}


def test_of_fields_that_only_some_filled_the_fullest_answer_is_accepted(make: Callable[..., Desk]) -> None:
    desk = make(protocol="removal")
    desk.say(1, {"fields": {"remove": True}}, {"fields": {"remove": True, "clarity": 0.25}})
    desk.close()
    assert adjudicating.accept_unanimous(desk.workspace, desk.cora, desk.campaign.id).accepted == 1
    decision = desk.standing(1).decision
    assert decision is not None
    assert decision.answer == {"remove": True, "clarity": 0.25}


def test_judgments_are_called_by_letters_however_many_there_are() -> None:
    assert [label(each) for each in (0, 25, 26, 51, 52, 701, 702)] == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]


def test_it_works_on_either_database(either_workspace: Workspace, tmp_path: Path) -> None:
    desk = Desk(either_workspace, tmp_path / "b")
    correction = {"boxes": [{**BOX, "to": [0.0, 0.0, 0.2, 0.2]}]}
    desk.say(1, {"codes": "E", "correction": correction}, {"codes": "E"})
    desk.say(2, {"codes": "F"}, {"codes": "F"})
    desk.say(3, {"codes": ""}, {"codes": ""})
    assert [(each.state, each.disputes) for each in entry_states(either_workspace, desk.campaign.id)] == [
        ("disputed", ("boxes",)),
        ("unanimous", ()),
        ("unanimous", ()),
    ]
    taken = desk.decide(1, basis="taken", codes="E", correction=correction)
    assert taken.correction == desk.standing(1).judgments[0].correction
    assert adjudicating.accept_unanimous(either_workspace, desk.cora, desk.campaign.id).accepted == 2
    adjudicating.reopen(either_workspace, desk.cora, entry_id=desk.entry(2))
    assert [each.state for each in entry_states(either_workspace, desk.campaign.id)] == [
        "decided",
        "unanimous",
        "decided",
    ]
    assert desk.shown(1)["decision"]["taken_from"] == taken.taken_from


def test_of_two_who_decide_one_entry_at_once_one_is_told_of_the_other(
    either_workspace: Workspace, tmp_path: Path
) -> None:
    desk = Desk(either_workspace, tmp_path / "b")
    desk.say(1, {"codes": "E"}, {"codes": "F"})
    entry = desk.entry(1)

    def attempt(codes: str) -> str:
        body = {
            "nonce": f"at once {codes}", "base_revision": 0, "basis": "own", "outcome": "judged", "codes": codes, "reason": "x",
        }  # fmt: skip
        try:
            return adjudicating.decide(either_workspace, desk.cora, entry_id=entry, body=body).codes
        except JudgmentConflict as conflict:
            return f"conflict with {conflict.newest['codes']}"

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(attempt, ("F", "E", "U", "N")))
    won = [each for each in found if "conflict" not in each]
    assert len(won) == 1
    assert [each for each in found if "conflict" in each] == [f"conflict with {won[0]}"] * 3
    with either_workspace.database.read() as connection:
        assert [each.codes for each in decisions.history(connection, entry)] == won

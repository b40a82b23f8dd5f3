"""Corrections that decisions ask for, kept in step with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from audit_core.corrections.records import CorrectionState
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.clock import now
from audit_core.storage.decision_tables import Basis, release
from audit_core.storage.people import Person
from audit_core.storage.schema import entry
from audit_core.workflow.corrections import (
    Draft,
    corrections_for_release,
    list_corrections,
    propose_from_decisions,
    rebase,
    review,
    revise,
)
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.bundles import without_judgments
from tests.homes import with_campaign
from tests.judged_campaigns import save
from tests.workflow.corrected_queries import decided, move

ACCEPTED, REJECTED = CorrectionState.ACCEPTED, CorrectionState.REJECTED


@pytest.fixture
def ada(workspace: Workspace) -> Person:
    return sign_in(workspace, "Ada")


@pytest.fixture
def campaign(workspace: Workspace, tmp_path: Path) -> CampaignRow:
    return with_campaign(workspace, tmp_path / "bundle", without_judgments)


def shown(workspace: Workspace, campaign: CampaignRow) -> list[tuple[Any, ...]]:
    rows = [each.row for each in list_corrections(workspace, campaign.dataset_id)]
    return [(each.change.action.value, each.code, each.revision, each.state.value) for each in rows]


def first_id(workspace: Workspace, campaign: CampaignRow) -> int:
    return list_corrections(workspace, campaign.dataset_id)[0].row.id


def box(x1: float) -> dict[str, Any]:
    """A move of the only box of q1, in parts of its page."""
    step = {
        "page_id": "p1",
        "element_id": "e1",
        "action": "move",
        "from": [0.01, 0.01, 0.03, 0.02],
        "to": [0.01, 0.01, x1, 0.02],
    }
    return {"boxes": [step]}


def test_decisions_become_corrections_by_those_who_decided_with_the_code_that_fits(
    workspace: Workspace, ada: Person, campaign: CampaignRow
) -> None:
    bob = sign_in(workspace, "Bob")
    decided(workspace, campaign, bob, 1, "FE", correction={"query": "What is one?", **box(0.09)}, note="see p. 1")
    decided(workspace, campaign, bob, 3, "U", correction={"drop_pages": ["p3"]})
    made = propose_from_decisions(workspace, ada, campaign.id)
    assert (made.added, made.kept, made.superseded, made.left) == (3, 0, 0, [])
    assert shown(workspace, campaign) == [
        ("reword", "F", 1, "proposed"),
        ("move-box", "E", 1, "proposed"),
        ("drop-page", "U", 1, "proposed"),
    ]
    row = list_corrections(workspace, campaign.dataset_id)[1].row
    assert (row.author, row.reason, row.campaign) == ("Bob", "see p. 1", "fresh")
    assert row.change == move(9.0).change
    again = propose_from_decisions(workspace, ada, campaign.id)
    assert (again.added, again.kept, again.superseded) == (0, 3, 0)
    assert len(shown(workspace, campaign)) == 3


def test_a_revised_decision_supersedes_what_it_asked_for_and_leaves_what_it_still_asks_for(
    workspace: Workspace, ada: Person, campaign: CampaignRow
) -> None:
    decided(workspace, campaign, ada, 1, "FE", correction={"query": "What is one?", "answer": "one", **box(0.09)})
    propose_from_decisions(workspace, ada, campaign.id)
    reword = first_id(workspace, campaign)
    review(workspace, ada, [reword], ACCEPTED)
    decided(workspace, campaign, ada, 1, "FE", correction={"query": "What is one?", **box(0.2)})
    made = propose_from_decisions(workspace, ada, campaign.id)
    assert (made.added, made.kept, made.superseded) == (1, 1, 1)
    assert shown(workspace, campaign) == [
        ("reword", "F", 1, "accepted"),
        ("re-answer", "F", 1, "superseded"),
        ("move-box", "E", 1, "superseded"),
        ("move-box", "E", 2, "proposed"),
    ]
    again = propose_from_decisions(workspace, ada, campaign.id)
    assert (again.added, again.kept, again.superseded) == (0, 2, 0)


def test_a_decision_that_returns_to_what_it_asked_for_first_makes_a_third_revision(
    workspace: Workspace, ada: Person, campaign: CampaignRow
) -> None:
    for width in (0.09, 0.2, 0.09):
        decided(workspace, campaign, ada, 1, "E", correction=box(width))
        assert propose_from_decisions(workspace, ada, campaign.id).added == 1
    assert [each[2:] for each in shown(workspace, campaign)] == [(1, "superseded"), (2, "superseded"), (3, "proposed")]
    assert list_corrections(workspace, campaign.dataset_id)[-1].row.change == move(9.0).change


def test_a_reopened_decision_takes_its_corrections_back(
    workspace: Workspace, ada: Person, campaign: CampaignRow
) -> None:
    decided(workspace, campaign, ada, 1, "E", correction=box(0.09))
    propose_from_decisions(workspace, ada, campaign.id)
    review(workspace, ada, [first_id(workspace, campaign)], ACCEPTED)
    decided(workspace, campaign, ada, 1, basis=Basis.REOPENED)
    assert propose_from_decisions(workspace, ada, campaign.id).superseded == 1
    assert corrections_for_release(workspace, campaign.dataset_id) == []


def test_what_somebody_revised_by_hand_or_rejected_is_not_proposed_over(
    workspace: Workspace, ada: Person, campaign: CampaignRow
) -> None:
    decided(workspace, campaign, ada, 1, "FE", correction={"query": "What is one?", **box(0.09)})
    propose_from_decisions(workspace, ada, campaign.id)
    reword, moved = (each.row.id for each in list_corrections(workspace, campaign.dataset_id))
    review(workspace, ada, [reword], REJECTED, "it is fine")
    revise(workspace, ada, moved, change=move(10).change, code="E", reason="")
    # The same asked for again, with another note.
    decided(workspace, campaign, ada, 1, "FE", correction={"query": "What is one?", **box(0.09)}, note="again")
    for _ in range(2):
        made = propose_from_decisions(workspace, ada, campaign.id)
        assert (made.added, made.kept, made.superseded) == (0, 2, 0)
    assert [each[3] for each in shown(workspace, campaign)] == ["rejected", "superseded", "proposed"]


def test_another_code_alone_makes_another_revision(workspace: Workspace, ada: Person, campaign: CampaignRow) -> None:
    for codes in ("E", "U"):
        decided(workspace, campaign, ada, 3, codes, correction={"drop_pages": ["p3"]})
        propose_from_decisions(workspace, ada, campaign.id)
    assert shown(workspace, campaign) == [("drop-page", "E", 1, "superseded"), ("drop-page", "U", 2, "proposed")]


def test_what_is_published_stays_though_its_decision_was_revised(
    workspace: Workspace, ada: Person, campaign: CampaignRow
) -> None:
    decided(workspace, campaign, ada, 1, "E", correction=box(0.09))
    propose_from_decisions(workspace, ada, campaign.id)
    review(workspace, ada, [first_id(workspace, campaign)], ACCEPTED)
    values = {
        "dataset_id": campaign.dataset_id, "revision": "2", "spec": {}, "person_id": ada.id, "created_at": now(),
        "finished_at": now(),
    }  # fmt: skip
    with workspace.database.write() as connection:
        connection.execute(release.insert().values(**values))
    decided(workspace, campaign, ada, 1)
    made = propose_from_decisions(workspace, ada, campaign.id)
    assert made.superseded == 0
    assert "part of a release" in made.left[0].reason
    assert len(corrections_for_release(workspace, campaign.dataset_id)) == 1


def test_a_query_decided_n_is_withdrawn_only_where_that_is_asked_for(
    workspace: Workspace, ada: Person, campaign: CampaignRow
) -> None:
    decided(workspace, campaign, ada, 1, "N")
    decided(workspace, campaign, ada, 2, "N", correction={"query": "What is two, then?"})
    propose_from_decisions(workspace, ada, campaign.id)
    assert shown(workspace, campaign) == [("reword", "N", 1, "proposed")]
    propose_from_decisions(workspace, ada, campaign.id, withdraws=True)
    assert shown(workspace, campaign)[1:] == [("withdraw", "N", 1, "proposed")]


def test_the_whole_wanted_content_is_taken_as_well(workspace: Workspace, ada: Person, campaign: CampaignRow) -> None:
    decided(workspace, campaign, ada, 3, "E", correction={"evidence": [{"page_id": "p1"}, {"page_id": "p4"}]})
    propose_from_decisions(workspace, ada, campaign.id)
    assert [each[0] for each in shown(workspace, campaign)] == ["drop-page", "add-page"]


def test_a_decision_that_cannot_be_applied_is_named_by_its_entry_and_the_others_go_on(
    workspace: Workspace, ada: Person, campaign: CampaignRow
) -> None:
    decided(workspace, campaign, ada, 1, "E", correction={"add_pages": [{"page_id": "p9", "set": "required"}]})
    decided(workspace, campaign, ada, 3, "U", correction={"drop_pages": ["p3"]})
    made = propose_from_decisions(workspace, ada, campaign.id)
    assert made.added == 1
    assert [(each.id, "no page 'p9'" in each.reason) for each in made.left] == [(1, True)]


def test_a_decision_on_a_query_that_was_corrected_since_is_stale_and_can_be_rebased(
    workspace: Workspace, ada: Person, campaign: CampaignRow
) -> None:
    from audit_core.workflow.corrections import propose

    dataset = workspace.dataset(campaign.dataset_id)
    propose(workspace, ada, dataset, [Draft(move(5).change, "E", "")])
    review(workspace, ada, [first_id(workspace, campaign)], ACCEPTED)
    decided(workspace, campaign, ada, 1, "E", correction=box(0.09))
    propose_from_decisions(workspace, ada, campaign.id)
    stale = list_corrections(workspace, campaign.dataset_id)[-1]
    assert stale.is_stale
    assert rebase(workspace, ada, [stale.row.id]).ids == (stale.row.id,)
    again = propose_from_decisions(workspace, ada, campaign.id)
    assert (again.added, again.kept) == (0, 1)


def test_a_release_says_who_judged_and_how_many_gave_the_decided_codes(
    workspace: Workspace, ada: Person, campaign: CampaignRow
) -> None:
    bob, cy, dan = (sign_in(workspace, name) for name in ("Bob", "Cy", "Dan"))
    save(workspace, campaign, bob, 1, codes="F")
    save(workspace, campaign, bob, 1, codes="E")
    save(workspace, campaign, cy, 1, codes="EU")
    save(workspace, campaign, dan, 1, outcome="cannot_judge", reason="blurred")
    decided(workspace, campaign, ada, 1, "E", correction=box(0.09))
    propose_from_decisions(workspace, ada, campaign.id)
    review(workspace, bob, [first_id(workspace, campaign)], ACCEPTED)
    (correction,) = corrections_for_release(workspace, campaign.dataset_id)
    assert len(set(correction.annotators)) == 3
    assert (correction.agreeing, correction.campaign) == (1, "fresh")
    assert correction.reviewer in correction.annotators
    assert correction.author not in correction.annotators


def test_two_decisions_on_one_query_that_ask_for_the_same_make_one_correction(
    workspace: Workspace, ada: Person, campaign: CampaignRow
) -> None:
    with workspace.database.write() as connection:
        place = {"source": "wiki", "evidence_structure": "Page-Single", "document_ids": ["d1"]}
        connection.execute(entry.insert().values(campaign_id=campaign.id, number=9, query_id="q1", **place))
    for number in (1, 9):
        decided(workspace, campaign, ada, number, "E", correction=box(0.09))
    for expected in ((1, 1), (0, 2)):
        made = propose_from_decisions(workspace, ada, campaign.id)
        assert (made.added, made.kept, made.superseded) == (*expected, 0)
    # The first one asks for it no more, the second one still does.
    decided(workspace, campaign, ada, 1)
    made = propose_from_decisions(workspace, ada, campaign.id)
    assert (made.added, made.kept, made.superseded) == (1, 0, 1)
    assert [each[2:] for each in shown(workspace, campaign)] == [(1, "superseded"), (1, "proposed")]
    assert propose_from_decisions(workspace, ada, campaign.id).added == 0

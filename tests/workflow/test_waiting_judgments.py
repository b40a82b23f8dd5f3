"""Queries that wait for somebody's own judgment: in which campaigns, for whom, and until when."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit_core.domain import CampaignState
from audit_core.storage import campaigns
from audit_core.storage.campaigns import CampaignRow
from audit_core.workflow.campaigns import start_campaign
from audit_core.workflow.carry_over import carry_over
from audit_core.workflow.housekeeping import archive_campaign, archive_dataset
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.mixed_campaigns import start_mixed_campaign
from audit_core.workflow.sample_request import SampleKind, SampleRequest
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.waiting_judgments import waiting_for
from audit_core.workflow.workspace import Workspace
from tests.mixed_bundle import entries_of, judge, mixed_campaign, mixed_request
from tests.strata_bundle import strata_bundle


def waiting(workspace: Workspace, campaign: CampaignRow, who: str = "Ada") -> dict[str, str]:
    dataset = workspace.dataset(campaign.dataset_id)
    return dict(waiting_for(workspace, dataset, sign_in(workspace, who)))


def queries(workspace: Workspace, campaign: CampaignRow, *selections: str) -> set[str]:
    return {each.query_id for each in entries_of(workspace, campaign, *selections)}


def test_every_entry_of_a_queue_waits_whichever_part_it_is_of(either_workspace: Workspace, tmp_path: Path) -> None:
    campaign = mixed_campaign(either_workspace, tmp_path / "bundle")
    found = waiting(either_workspace, campaign)
    assert found == dict.fromkeys(queries(either_workspace, campaign), "next")
    assert len(found) == 20


@pytest.mark.parametrize(
    "answer", [{"fields": {"remove": True}}, {"outcome": "cannot_judge", "reason": "The page cannot be read."}]
)
def test_an_answer_ends_the_waiting_of_its_annotator_and_of_nobody_else(
    either_workspace: Workspace, tmp_path: Path, answer: dict[str, object]
) -> None:
    campaign = mixed_campaign(either_workspace, tmp_path / "bundle")
    entries = entries_of(either_workspace, campaign)
    judge(either_workspace, entries[:3], "Ada", **answer)
    assert waiting(either_workspace, campaign).keys() == {each.query_id for each in entries[3:]}
    assert waiting(either_workspace, campaign, "Bob").keys() == {each.query_id for each in entries}


def test_nothing_waits_in_a_campaign_that_is_closed(workspace: Workspace, tmp_path: Path) -> None:
    campaign = mixed_campaign(workspace, tmp_path / "bundle")
    with workspace.database.write() as connection:
        campaigns.set_state(connection, campaign.id, CampaignState.CLOSED)
    assert waiting(workspace, campaign) == {}
    with workspace.database.write() as connection:
        campaigns.set_state(connection, campaign.id, CampaignState.OPEN)
    assert len(waiting(workspace, campaign)) == 20


def test_nothing_waits_in_a_campaign_that_is_archived_by_itself_or_with_its_dataset(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = mixed_campaign(workspace, tmp_path / "bundle")
    dataset = workspace.dataset(campaign.dataset_id)
    archive_campaign(workspace, campaign, archived=True)
    assert waiting(workspace, campaign) == {}
    archive_campaign(workspace, campaign, archived=False)
    archive_dataset(workspace, dataset, archived=True)
    assert waiting(workspace, campaign) == {}
    archive_dataset(workspace, dataset, archived=False)
    assert len(waiting(workspace, campaign)) == 20


def test_nothing_waits_in_a_campaign_that_scores_had_no_part_in(workspace: Workspace, tmp_path: Path) -> None:
    dataset = import_bundle(workspace, strata_bundle(tmp_path / "bundle")).dataset
    simple = SampleRequest(SampleKind.SIMPLE, 2, total=6)
    for name, sample in (("whole", None), ("simple", simple)):
        campaign = start_campaign(workspace, dataset=dataset, name=name, sample=sample, protocol="removal")
        assert waiting(workspace, campaign) == {}


def test_a_query_of_two_queues_waits_until_both_are_answered(workspace: Workspace, tmp_path: Path) -> None:
    first = mixed_campaign(workspace, tmp_path / "bundle")
    dataset = workspace.dataset(first.dataset_id)
    second, _ = start_mixed_campaign(workspace, dataset, mixed_request(workspace, dataset, seed=5), name="more")
    both = queries(workspace, first) & queries(workspace, second)
    assert both
    found = waiting(workspace, first)
    assert found.keys() == queries(workspace, first) | queries(workspace, second)
    assert {found[each] for each in both} == {"next"}
    judge(workspace, entries_of(workspace, first), fields={"remove": False})
    assert waiting(workspace, first) == dict.fromkeys(queries(workspace, second), "more")
    judge(workspace, entries_of(workspace, second), fields={"remove": False})
    assert waiting(workspace, first) == {}


def test_a_queue_counts_on_its_own_revision_and_a_carried_one_on_the_later(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = mixed_campaign(workspace, tmp_path / "bundle")
    later = import_bundle(workspace, strata_bundle(tmp_path / "later", revision="2")).dataset
    ada = sign_in(workspace, "Ada")
    assert waiting_for(workspace, later, ada) == {}
    judge(workspace, entries_of(workspace, campaign)[:5], fields={"remove": False})
    carried = carry_over(workspace, campaign, later)
    assert waiting_for(workspace, later, ada) == dict.fromkeys(
        [each.query_id for each in entries_of(workspace, carried)[5:]], carried.name
    )

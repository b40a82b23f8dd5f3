"""Whoever is still to judge an entry learns nothing of it by a report or a count either."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from audit_core.domain import CampaignState
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.workflow import adjudicating, judging
from audit_core.workflow.adjudication_list import adjudication_page
from audit_core.workflow.adjudication_states import tally
from audit_core.workflow.campaigns import set_campaign_state, start_campaign
from audit_core.workflow.pilot import pilot_report
from audit_core.workflow.reporting import campaign_report, report_formats
from audit_core.workflow.sample_request import SampleKind, SampleRequest
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.team_campaigns import TeamRequest, start_team_campaign
from audit_core.workflow.workspace import Workspace
from tests.bundles import without_judgments
from tests.campaigns_in_order import in_dataset_order
from tests.homes import with_campaign
from tests.judged_campaigns import save
from tests.team_desk import TeamDesk

#: Protocol -> two answers that differ.
ANSWERS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "audit": ({"codes": "F"}, {"codes": "U"}),
    "removal": ({"fields": {"remove": True}}, {"fields": {"remove": False}}),
    "relevance": (
        {"fields": {"query": "poor", "reasons": ["unclear"]}},
        {"fields": {"query": "poor", "reasons": ["unclear"]}},
    ),
}


class Desk:
    """An open campaign of three entries: Ada and Bob judged all, Ada decided entry 2, Cora judged entry 3 alone so far."""

    def __init__(self, workspace: Workspace, folder: Path, protocol: str = "audit") -> None:
        self.workspace = workspace
        self.campaign: CampaignRow = with_campaign(
            workspace, folder, without_judgments, protocol=protocol, judgments_per_entry=2
        )
        self.ada, self.bob, self.cora = (sign_in(workspace, name) for name in ("Ada", "Bob", "Cora"))
        first, second = ANSWERS[protocol]
        for number in (1, 2, 3):
            self.say(self.ada, number, **first)
            self.say(self.bob, number, **(second if number == 1 else first))
        entry = judging.entry_numbered(workspace, self.ada, campaign_id=self.campaign.id, number=2).row.id
        body = {"nonce": "decision by Ada", "base_revision": 0, "basis": "own", "outcome": "judged", "reason": "looked again", **second}  # fmt: skip
        adjudicating.decide(workspace, self.ada, entry_id=entry, body=body)
        self.say(self.cora, 3, **first)

    def say(self, person: Person, number: int, **body: Any) -> None:
        save(self.workspace, self.campaign, person, number, **body)


@pytest.mark.parametrize("protocol", ANSWERS)
def test_entries_that_wait_for_the_reader_count_as_not_judged_in_every_kind_of_report(
    workspace: Workspace, tmp_path: Path, protocol: str
) -> None:
    desk = Desk(workspace, tmp_path / "b", protocol)
    everything = campaign_report(workspace, desk.campaign.id)
    assert everything.context.sealed == 0
    assert everything.total.not_judged == 0
    for_ada = campaign_report(workspace, desk.campaign.id, desk.ada)
    assert (for_ada.headline, for_ada.context.sealed) == (everything.headline, 0), "she has judged all of them"
    for_cora = campaign_report(workspace, desk.campaign.id, desk.cora)
    assert (for_cora.total.entries, for_cora.total.not_judged) == (everything.total.entries, 2)
    sentence = "2 entries wait for your own judgment: they are counted as not judged here."
    assert sentence in for_cora.notes
    assert not any("adjudicated" in each for each in for_cora.notes), "that one of them is decided is not told"
    for name, form in report_formats(protocol).items():
        assert ("sealed" if name == "csv" else sentence) in form.write(for_cora), name
        assert "your own judgment" not in form.write(for_ada)
    set_campaign_state(workspace, desk.campaign, CampaignState.CLOSED)
    assert campaign_report(workspace, desk.campaign.id, desk.cora).headline == everything.headline


def test_what_only_the_reader_judged_is_not_kept_from_them(workspace: Workspace, tmp_path: Path) -> None:
    campaign = with_campaign(workspace, tmp_path / "b", without_judgments, judgments_per_entry=1)
    other = with_campaign_beside(workspace, campaign)
    cora = sign_in(workspace, "Cora")
    save(workspace, campaign, cora, 1, codes="F")
    save(workspace, other, cora, 2, codes="")  # so that query 1 waits for her there
    report = campaign_report(workspace, campaign.id, cora)
    assert (report.context.sealed, report.total.not_judged) == (0, 2)
    save(workspace, campaign, sign_in(workspace, "Ada"), 1, codes="F")
    assert campaign_report(workspace, campaign.id, cora).context.sealed == 1


def with_campaign_beside(workspace: Workspace, campaign: CampaignRow) -> CampaignRow:
    """Another campaign over the same queries."""
    dataset = workspace.dataset(campaign.dataset_id)
    return in_dataset_order(workspace, start_campaign(workspace, dataset=dataset, name="beside"))


def test_counts_and_lists_tell_nothing_of_what_waits_for_ones_own_judgment(
    workspace: Workspace, tmp_path: Path
) -> None:
    desk = Desk(workspace, tmp_path / "b")
    whole = tally(workspace, desk.campaign)
    assert (whole.counts["disputed"], whole.counts["decided"]) == (1, 1)
    for_cora = tally(workspace, desk.campaign, desk.cora)
    assert for_cora.counts == {"disputed": 0, "unanimous": 1, "single": 0, "decided": 0, "open": 2}
    assert for_cora.disputed_decided == 0
    for only in ("disputed", "decided"):
        page = adjudication_page(workspace, desk.cora, desk.campaign.id, only=only, count=1)
        assert (page.rows, page.has_earlier, page.has_later) == ((), False, False)
        assert page.counts == for_cora.counts
    desk.say(desk.cora, 1, codes="F")
    assert tally(workspace, desk.campaign, desk.cora).counts["disputed"] == 1


def test_a_decided_dispute_is_counted_only_for_who_may_know_of_it(workspace: Workspace, tmp_path: Path) -> None:
    desk = Desk(workspace, tmp_path / "b")
    entry = judging.entry_numbered(workspace, desk.ada, campaign_id=desk.campaign.id, number=1).row.id
    body = {
        "nonce": "another one",
        "base_revision": 0,
        "basis": "own",
        "outcome": "judged",
        "codes": "N",
        "reason": "x",
    }
    adjudicating.decide(workspace, desk.ada, entry_id=entry, body=body)
    assert tally(workspace, desk.campaign, desk.ada).disputed_decided == 1
    assert tally(workspace, desk.campaign, desk.cora).disputed_decided == 0


def test_agreement_in_the_pilot_leaves_out_what_waits_for_the_reader(workspace: Workspace, tmp_path: Path) -> None:
    desk = TeamDesk(workspace, tmp_path, queries=6, names=("Ada", "Bob", "Cem"))
    set_campaign_state(workspace, desk.campaign, CampaignState.CLOSED)
    team = TeamRequest(annotators=tuple(each.id for each in desk.people), pilot_entries=2, pilot_judgments=3)
    sample = SampleRequest(SampleKind.SIMPLE, seed=4, total=4)
    desk.campaign = start_team_campaign(workspace, dataset=desk.dataset, name="drawn", team=team, sample=sample)
    ada, bob, cem = desk.people
    for person, codes in ((ada, "F"), (bob, "E")):
        desk.save(person, 1, codes=codes)
        desk.save(person, 2, codes="F")
    desk.save(cem, 2, codes="F")
    for_ada, for_cem = (pilot_report(workspace, desk.campaign, each) for each in (ada, cem))
    whole = {each: report.agreement[1].pairs for each, report in ((ada, for_ada), (cem, for_cem))}
    assert (for_ada.sealed, whole[ada]) == (0, 4)
    assert (for_cem.sealed, whole[cem]) == (1, 3)
    assert (for_cem.judgments, for_cem.complete) == (for_ada.judgments, for_ada.complete), "how many is no secret"

"""Copying a campaign: the same questions to the same people, on the same entries or on a new draw."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from audit_core.domain import HandOut
from audit_core.errors import AssayError
from audit_core.sampling import Allocation, Wanted
from audit_core.storage import campaign_copies, campaigns, samples
from audit_core.storage.campaigns import CampaignRow, Team
from audit_core.storage.database import Connection
from audit_core.storage.people import Person
from audit_core.workflow.annotators import annotators_of
from audit_core.workflow.campaigns import check_new_campaign, make_campaign
from audit_core.workflow.gold import GoldAnswer
from audit_core.workflow.sample_request import SampleKind, SampleRequest, filter_from_json, fresh_seed
from audit_core.workflow.team_campaigns import TeamRequest, start_team_campaign
from audit_core.workflow.workspace import Workspace


def copy_campaign(
    workspace: Workspace,
    campaign: CampaignRow,
    *,
    name: str,
    same_entries: bool = False,
    seed: int | None = None,
    person: Person | None = None,
) -> CampaignRow:
    """Start a campaign like another one, on the same dataset revision, and return it, open and without judgments.

    Protocol, judgments an entry, hand-out, annotators, gold entries, pilot and the newest guidelines are the same. With
    `same_entries` so are the entries, in their order; else the same sample is drawn once more with `seed`, or one that is
    made up. Own orders get a new seed.

    Raises:
        NameTaken, AssayError: the name cannot be used, the dataset is archived, or the sample cannot be drawn again (a mixed
            draw, a carried-over or an imported one): copy its entries instead.
    """
    make = _same_entries if same_entries else _new_draw
    return make(workspace, campaign, name=name, seed=seed, person=person)


def _new_draw(
    workspace: Workspace, campaign: CampaignRow, *, name: str, seed: int | None, person: Person | None
) -> CampaignRow:
    request = replace(stored_request(workspace, campaign), seed=fresh_seed() if seed is None else seed)
    with workspace.database.read() as connection:
        gold = campaign_copies.gold_of(connection, campaign.id)
        special = samples.special_counts(connection, campaign.id)
    kept = tuple(each.person.id for each in annotators_of(workspace, campaign) if each.removed_at is None)
    team = TeamRequest(
        hand_out=HandOut(campaign.hand_out),
        judgments_per_entry=campaign.judgments_per_entry,
        annotators=None if campaign.is_open else kept,
        own_order=campaign.order_seed is not None,
        gold=tuple(GoldAnswer(query_id, answer) for query_id, answer in gold.items()),
        gold_share=campaign.gold_share if gold and campaign.gold_share else None,
        pilot_entries=special.pilot,
        pilot_judgments=campaign.pilot_judgments if special.pilot else None,
        copied_from=campaign.id,
    )

    def take_over(connection: Connection, campaign_id: int) -> None:
        _take_over(connection, campaign, campaign_id, person)

    return start_team_campaign(
        workspace, dataset=workspace.dataset(campaign.dataset_id), name=name, team=team, sample=request,
        protocol=campaign.protocol, person=person, on_shown=take_over,
    )  # fmt: skip


def _take_over(connection: Connection, campaign: CampaignRow, campaign_id: int, person: Person | None) -> None:
    by = person.id if person else None
    campaign_copies.copy_annotators(connection, earlier_id=campaign.id, campaign_id=campaign_id)
    campaign_copies.copy_guidelines(connection, earlier_id=campaign.id, campaign_id=campaign_id, person_id=by)


def _same_entries(
    workspace: Workspace, campaign: CampaignRow, *, name: str, seed: int | None, person: Person | None
) -> CampaignRow:
    if seed is not None:
        raise AssayError("The same entries are not drawn again: give no seed.")
    dataset = workspace.dataset(campaign.dataset_id)
    needed = campaign.judgments_per_entry
    cleaned = check_new_campaign(workspace, dataset, name=name, protocol=campaign.protocol, judgments_per_entry=needed)
    with workspace.database.read() as connection:
        entries = campaigns.entries_of(connection, campaign.id)
        design = campaigns.design_of(connection, campaign)
        record = samples.record_of(connection, campaign)
    team = Team(
        hand_out=HandOut(campaign.hand_out),
        is_open=campaign.is_open,
        order_seed=None if campaign.order_seed is None else fresh_seed(),
        gold_share=campaign.gold_share,
        pilot_judgments=campaign.pilot_judgments,
        copied_from=campaign.id,
    )
    return make_campaign(
        workspace, dataset, entries, name=cleaned, protocol=campaign.protocol, judgments_per_entry=needed, design=design,
        record=record, person=person, team=team,
        on_shown=lambda connection, campaign_id: _take_over(connection, campaign, campaign_id, person),
    )  # fmt: skip


def stored_request(workspace: Workspace, campaign: CampaignRow) -> SampleRequest:
    """Return the request that a campaign's sample was drawn by, from what is stored of it; its seed as well.

    Raises:
        AssayError: the sample was not drawn here from a request.
    """
    plan: dict[str, Any] = campaign.plan or {}
    asked = plan.get("request")
    if not isinstance(asked, dict) or campaign.frame_hash is None:
        raise AssayError(
            f"The sample of campaign {campaign.name} was not drawn here from a request: copy its entries instead."
        )
    kind = SampleKind(asked["kind"])
    with workspace.database.read() as connection:
        leave_out = tuple(samples.left_out_of(connection, campaign.id))
        sizes = {
            (each.source, each.evidence_structure): each.drawn for each in samples.strata_of(connection, campaign.id)
        }
        query_ids = tuple(samples.query_ids_of(connection, [campaign.id])) if kind is SampleKind.IDS else ()
    wanted = asked.get("wanted_half_widths")
    allocation = Allocation(campaign.allocation) if campaign.allocation else Allocation.PROPORTIONAL
    if allocation is Allocation.BY_HAND:
        allocation = Allocation.PROPORTIONAL  # a request with sizes allocates nothing
    return SampleRequest(
        kind=kind,
        seed=campaign.sample_seed,
        where=filter_from_json(campaign.frame_filter),
        leave_out=leave_out,
        wanted=Wanted(**wanted) if wanted else None,
        total=asked.get("total"),
        sizes=sizes if asked.get("sizes_by_hand") else None,
        allocation=allocation,
        guess_from=asked.get("guess_from_campaign"),
        query_ids=query_ids,
        **({"guess": asked["guess"]} if asked.get("guess") is not None else {}),
    )

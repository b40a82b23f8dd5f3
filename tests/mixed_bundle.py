"""A campaign of a mixed draw over the thirty queries of the strata bundle, and people who judge in it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from pathlib import Path
from typing import Any

from audit_core.sampling import ActivePart, Selection
from audit_core.storage import campaigns
from audit_core.storage.campaigns import CampaignRow, EntryRow
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow import judging
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.mixed_campaigns import MixedRequest, start_mixed_campaign
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.strata_bundle import strata_bundle

_numbers = count(1)


def mixed_request(workspace: Workspace, dataset: DatasetRow, **options: Any) -> MixedRequest:
    """Ten entries at random, five by disagreement and five near a threshold, unless options say otherwise."""
    ids = workspace.revision(dataset).query_ids(limit=10_000)
    parts = (
        ActivePart(Selection.DISAGREEMENT, 5, {each: 1.0 for place, each in enumerate(ids) if place % 2}),
        ActivePart(Selection.NEAR_THRESHOLD, 5, {each: (place + 1) / 100 for place, each in enumerate(ids)}),
    )
    basis = {"scoring": {"name": "first-scores"}, "strategies": {"made_up": 0.61803}}
    return MixedRequest(**{"random": 10, "parts": parts, "seed": 4, "basis": basis, **options})


def mixed_campaign(
    workspace: Workspace, folder: Path, *, protocol: str = "removal", name: str = "next", **options: Any
) -> CampaignRow:
    """Import the strata bundle and start a campaign of a mixed draw on it."""
    dataset = import_bundle(workspace, strata_bundle(folder)).dataset
    request = mixed_request(workspace, dataset, **options)
    return start_mixed_campaign(workspace, dataset, request, name=name, protocol=protocol)[0]


def entries_of(workspace: Workspace, campaign: CampaignRow, *selections: str) -> list[EntryRow]:
    """Return the entries of a campaign, those of these parts where any are named."""
    with workspace.database.read() as connection:
        rows = campaigns.entries_of(connection, campaign.id)
    return [each for each in rows if not selections or each.selection in selections]


def judge(workspace: Workspace, entries: Iterable[EntryRow], who: str = "Ada", **body: Any) -> None:
    """Save one judgment on each of some entries."""
    person = sign_in(workspace, who)
    for each in entries:
        filled = {"nonce": f"mixed-{next(_numbers):06}", "base_revision": 0, "outcome": "judged", **body}
        judging.save_judgment(workspace, person, entry_id=each.id, body=filled)


def judged_in_full(workspace: Workspace, campaign: CampaignRow) -> None:
    """Judge all: of the random share the first two are to be removed, of the others all."""
    random = entries_of(workspace, campaign, "random")
    judge(workspace, random[:2], fields={"remove": True})
    judge(workspace, random[2:], fields={"remove": False})
    judge(workspace, entries_of(workspace, campaign, "disagreement", "near_threshold"), fields={"remove": True})

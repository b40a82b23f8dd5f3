"""Campaigns whose entries stand in the order of the dataset, for tests that name entries by number."""

from __future__ import annotations

from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.schema import entry
from audit_core.workflow.workspace import Workspace


def in_dataset_order(workspace: Workspace, campaign: CampaignRow) -> CampaignRow:
    """Number the entries of a fresh campaign as its queries stand in the dataset, and return the campaign."""
    ids = workspace.revision(workspace.dataset(campaign.dataset_id)).query_ids(limit=10_000)
    mine = entry.c.campaign_id == campaign.id
    with workspace.database.write() as connection:
        connection.execute(entry.update().where(mine).values(number=entry.c.number + 100_000))
        for number, query_id in enumerate(ids, start=1):
            connection.execute(entry.update().where(mine, entry.c.query_id == query_id).values(number=number))
    return campaign

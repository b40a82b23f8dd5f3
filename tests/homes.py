"""Homes of tests: opened, filled with the tiny bundle, closed again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from audit_core import config
from audit_core.domain import CampaignState
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.database import open_database
from audit_core.storage.schema import metadata
from audit_core.workflow.campaigns import find_campaign, set_campaign_state, start_campaign
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle
from tests.campaigns_in_order import in_dataset_order
from tests.importers.small_bundle import Rows


@contextmanager
def another_home(folder: Path) -> Iterator[Workspace]:
    """A workspace of its own in `folder`, beside that of the settings."""
    workspace = Workspace(folder, open_database(f"sqlite:///{folder / 'assay.db'}"))
    try:
        yield workspace
    finally:
        workspace.close()


def with_campaign(
    workspace: Workspace, folder: Path, change: Callable[[Rows], object] | None = None, **options: Any
) -> CampaignRow:
    """Import the tiny bundle from `folder` and start the campaign `fresh` over its queries in their order; return it."""
    result = import_bundle(workspace, small_bundle(folder, change))
    return in_dataset_order(workspace, start_campaign(workspace, dataset=result.dataset, name="fresh", **options))


def reopened(workspace: Workspace, name: str) -> CampaignRow:
    """Open an imported campaign for judgments and return it."""
    campaign = find_campaign(workspace, name)
    set_campaign_state(workspace, campaign, CampaignState.OPEN)
    return find_campaign(workspace, name)


def row_counts(workspace: Workspace) -> dict[str, int]:
    """Return how many rows each table of the main database has."""
    with workspace.database.read() as connection:
        return {
            name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for name, table in metadata.tables.items()
        }


def content(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder with its bytes, by relative path."""
    return {str(each.relative_to(folder)): each.read_bytes() for each in sorted(folder.rglob("*")) if each.is_file()}


def listing(workspace: Workspace) -> list[str]:
    """Return every file and folder of a home but the database and its logs."""
    with suppress(FileNotFoundError):
        return sorted(
            str(each.relative_to(workspace.home))
            for each in workspace.home.rglob("*")
            if not each.name.startswith("assay.db")
        )
    return []


def state_of(workspace: Workspace) -> tuple[dict[str, int], list[str]]:
    """Return what must be the same before and after something that was refused: row counts and the listing."""
    return row_counts(workspace), listing(workspace)


def home() -> Path:
    """Return the home of the settings."""
    return config.home()

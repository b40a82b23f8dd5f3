"""Queries on which somebody's own judgment is still to come, and of which they may therefore see no score yet."""

from __future__ import annotations

from collections.abc import Mapping

from audit_core.sampling.mixed_draw import MIXED_SCHEME
from audit_core.storage import samples
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.workflow.workspace import Workspace


def waiting_for(workspace: Workspace, dataset: DatasetRow, person: Person) -> Mapping[str, str]:
    """Return the queries that wait for a person's judgment in campaigns of what to label next, with the campaign's name.

    Such a campaign is open, on this dataset revision, and archived neither by itself nor with its dataset. Of a query in
    several of them the oldest is named. Somebody who said "cannot judge" has answered. Other campaigns do not count: who
    judges in one was not sent to its queries by scores.
    """
    if dataset.archived_at is not None:
        return {}
    with workspace.database.read() as connection:
        return dict(
            samples.unanswered_queries(connection, dataset_id=dataset.id, scheme=MIXED_SCHEME, person_id=person.id)
        )

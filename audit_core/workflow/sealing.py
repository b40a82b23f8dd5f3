"""Which queries are sealed to a person who adjudicates or leads: those on which their own judgment is still to come.

Whoever may still be asked for a judgment is told nothing of what others said of the query or decided on it: no entry, no list,
and no number either that holds it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from audit_core.errors import NotAllowed
from audit_core.storage import yet_to_judge
from audit_core.storage.campaigns import EntryRow
from audit_core.storage.database import Connection
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.judgments import JudgmentRow
from audit_core.storage.people import Person
from audit_core.workflow.workspace import Workspace

SEALED = "This entry waits for your own judgment: judge it first, then see what others say."


def sealed_queries(workspace: Workspace, person: Person, dataset: DatasetRow, query_ids: Collection[str]) -> set[str]:
    """Return those of some queries that wait for a judgment of the person's own, in any campaign in which they judge."""
    with workspace.database.read() as connection:
        return sealed_among(connection, person, dataset, query_ids)


def sealed_among(
    connection: Connection, person: Person | None, dataset: DatasetRow, query_ids: Collection[str]
) -> set[str]:
    """Return what `sealed_queries` does; nothing is sealed to nobody, as which commands ask."""
    if person is None or not query_ids:
        return set()
    cases = {(dataset.name, each) for each in query_ids}
    waiting = yet_to_judge.waiting_cases(connection, person.id, cases, with_gold=False, only_where_active=True)
    return {query_id for _, query_id in waiting}


def hidden_from(
    connection: Connection,
    viewer: Person | None,
    dataset: DatasetRow,
    entries: Mapping[int, str],
    said: Iterable[JudgmentRow],
    decided: Collection[int],
) -> set[int]:
    """Return the ids of those `entries` (query by entry id) that wait for the viewer's own judgment and on which others judged or somebody decided.

    `said` are judgments on them, `decided` the ids of entries with a decision.
    """
    sealed = sealed_among(connection, viewer, dataset, set(entries.values()))
    if viewer is None or not sealed:
        return set()
    by_others = {each.entry_id for each in said if each.person_id != viewer.id} | set(decided)
    return {each for each, query_id in entries.items() if query_id in sealed and each in by_others}


def require_unsealed(workspace: Workspace, person: Person, dataset: DatasetRow, row: EntryRow) -> None:
    """Go on where the person may know what others said of an entry.

    Raises:
        NotAllowed: it waits for a judgment of their own.
    """
    if sealed_queries(workspace, person, dataset, [row.query_id]):
        raise NotAllowed(SEALED)

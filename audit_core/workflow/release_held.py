"""What a release held: its corrections, and up to which judgment and decision, so that it can be made again later."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from audit_core.corrections.records import Correction, CorrectionState
from audit_core.domain import JsonObject
from audit_core.errors import LedgerError
from audit_core.storage import corrections as stored
from audit_core.storage.as_of import DatabaseAsOf, Mark, mark_now
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.corrections import as_released
from audit_core.workflow.workspace import Workspace

#: The states of a correction that a decision asks for and a release leaves out.
_LEFT = (CorrectionState.PROPOSED, CorrectionState.REJECTED)


@dataclass(frozen=True, slots=True)
class Held:
    """What a release rests on. `corrections` are (row id, id of the reviewer, id of the decision) in their order.

    `left_out` counts by decision the corrections that it asks for and that were proposed or rejected then.
    """

    corrections: tuple[tuple[int, int | None, int | None], ...]
    left_out: Mapping[int, int]
    mark: Mark

    def as_json(self) -> JsonObject:
        """Return it as it is kept with the release."""
        return {
            "corrections": [list(each) for each in self.corrections],
            "left_out": [list(each) for each in sorted(self.left_out.items())],
            "mark": self.mark.as_json(),
        }


def held_from(kept: Mapping[str, Any]) -> Held:
    """Return what was kept as `Held.as_json`."""
    rows = tuple((row, reviewer, decision) for row, reviewer, decision in kept["corrections"])
    return Held(rows, dict(kept["left_out"]), Mark(**kept["mark"]))


def held_now(workspace: Workspace, dataset: DatasetRow, corrections: Sequence[Correction]) -> Held:
    """Return what a release of these accepted corrections rests on, if it is made now."""
    with workspace.database.read() as connection:
        mark = mark_now(connection)
        rows = stored.of_dataset(connection, dataset.id)
    known = {(each.first_id, each.revision): each for each in rows}
    own = [known[each.id, each.revision] for each in corrections]
    left = Counter(each.decision_id for each in rows if each.state in _LEFT and each.decision_id is not None)
    return Held(tuple((each.id, each.reviewer_id, each.decision_id) for each in own), dict(left), mark)


def held_by_ledger(workspace: Workspace, dataset: DatasetRow, changes: Sequence[str]) -> Held:
    """Return what a release rests on that did not note it: the corrections that its ledger names, all else as it is now.

    Raises:
        LedgerError: a correction is gone.
    """
    with workspace.database.read() as connection:
        rows = stored.of_dataset(connection, dataset.id)
    known = {f"{each.first_id}.{each.revision}": each for each in rows}
    if missing := [each for each in changes if each not in known]:
        raise LedgerError(f"Correction {missing[0]} of the ledger is not here any more, so it cannot be made again.")
    own = [known[each] for each in changes]
    now = held_now(workspace, dataset, [])
    order = sorted(own, key=lambda row: row.in_order)
    return replace(now, corrections=tuple((each.id, each.reviewer_id, each.decision_id) for each in order))


def as_it_was(workspace: Workspace, mark: Mark) -> Workspace:
    """Return a workspace that reads the database as it was at a mark."""
    return Workspace(workspace.home, DatabaseAsOf(workspace.database, mark), draws_pages=False)


def held_corrections(workspace: Workspace, dataset: DatasetRow, held: Held) -> list[Correction]:
    """Return the corrections that a release held, as they were then, in their order; people under pseudonyms.

    Raises:
        LedgerError: one is gone.
    """
    with workspace.database.read() as connection:
        rows = {each.id: each for each in stored.by_ids(connection, [row for row, _, _ in held.corrections])}
    if missing := [row for row, _, _ in held.corrections if row not in rows]:
        raise LedgerError(f"Correction {missing[0]} is not here any more, so the release cannot be made again.")
    own = [
        replace(rows[row], state=CorrectionState.ACCEPTED, reviewer_id=reviewer, decision_id=decision)
        for row, reviewer, decision in held.corrections
    ]
    return as_released(as_it_was(workspace, held.mark), dataset, own)

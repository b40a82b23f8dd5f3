"""What the corrections of a dataset come to: those that are accepted, and what they would come to with the proposed ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audit_core.corrections.planning import StructureChange
from audit_core.corrections.records import CorrectionState
from audit_core.domain import JsonObject
from audit_core.storage import corrections as stored
from audit_core.workflow.correction_standing import Standing, outlook, standings
from audit_core.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Outcome:
    """What corrections do to queries.

    `structures` counts queries by what becomes of their evidence structure; `empty` are those that are left without
    evidence, `withdrawn` those that are taken out, and no query is in both.
    """

    structures: dict[str, int]
    empty: list[str]
    withdrawn: list[str]

    def as_json(self) -> JsonObject:
        """Return it as one JSON object."""
        return {"without_evidence": self.empty, "withdrawn": self.withdrawn, "structures": self.structures}


@dataclass(frozen=True, slots=True)
class Check:
    """What the live corrections of a dataset come to.

    `stale` are those that do not fit, `conflicting` proposals that exclude an earlier one. `accepted` is what the accepted
    ones come to, `if_all` what they would come to were all proposed ones that fit accepted too, in their order; None where
    none is proposed.
    """

    counts: dict[CorrectionState, int]
    stale: list[Standing]
    conflicting: list[Standing]
    accepted: Outcome
    if_all: Outcome | None

    @property
    def is_releasable(self) -> bool:
        """Whether every accepted correction fits."""
        return not any(each.row.state is CorrectionState.ACCEPTED for each in self.stale)

    @property
    def is_reviewed(self) -> bool:
        """Whether nothing waits for a review, and there is something to release."""
        counts = self.counts
        return self.is_releasable and not counts[CorrectionState.PROPOSED] and counts[CorrectionState.ACCEPTED] > 0

    @property
    def structures(self) -> dict[str, int]:
        """Queries by what the accepted corrections make of their evidence structure."""
        return self.accepted.structures

    @property
    def empty(self) -> list[str]:
        """The queries that the accepted corrections leave without evidence."""
        return self.accepted.empty

    @property
    def withdrawn(self) -> list[str]:
        """The queries that the accepted corrections take out."""
        return self.accepted.withdrawn

    def as_json(self) -> JsonObject:
        """Return it as one JSON object."""
        return {
            "counts": {state.value: number for state, number in self.counts.items()},
            "releasable": self.is_releasable,
            "stale": [each.as_json() for each in self.stale],
            "conflicting": [each.as_json() for each in self.conflicting],
            **self.accepted.as_json(),
            "if_all_were_accepted": self.if_all.as_json() if self.if_all else None,
        }


def check_corrections(workspace: Workspace, dataset_id: int) -> Check:
    """Return what the corrections of a dataset come to, and which do not fit.

    Raises:
        NotFound: there is no such dataset.
    """
    dataset = workspace.dataset(dataset_id)
    with workspace.database.read() as connection:
        every = stored.of_dataset(connection, dataset_id)
        counts = stored.count_by_state(connection, dataset_id)
    found = list(standings(workspace, dataset, every).values())
    accepted = {
        each.row.query_id: each.structure
        for each in found
        if each.row.state is CorrectionState.ACCEPTED and each.structure is not None
    }
    return Check(
        counts=counts,
        stale=[each for each in found if each.misfit is not None],
        conflicting=[each for each in found if each.conflict is not None],
        accepted=_outcome(accepted),
        if_all=_outcome(outlook(workspace, dataset, every)) if counts[CorrectionState.PROPOSED] else None,
    )


def _outcome(changes: Mapping[str, StructureChange]) -> Outcome:
    structures: dict[str, int] = {}
    for change in changes.values():
        structures[change.words] = structures.get(change.words, 0) + 1
    return Outcome(
        structures=dict(sorted(structures.items())),
        empty=sorted(query_id for query_id, change in changes.items() if change.is_empty),
        withdrawn=sorted(query_id for query_id, change in changes.items() if change.is_withdrawn),
    )

"""Corrections of a dataset: how they stand, a person's word on them, and those that are released."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from audit_core.corrections.planning import Misfit
from audit_core.corrections.rebasing import rebased
from audit_core.corrections.records import Correction, CorrectionState
from audit_core.domain import Role
from audit_core.errors import CorrectionError, CorrectionStale
from audit_core.storage import activity
from audit_core.storage import corrections as stored
from audit_core.storage.corrections import CorrectionRow
from audit_core.storage.database import Connection
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.workflow.correction_standing import Footing, Standing, footing_of, standings
from audit_core.workflow.corrections_check import check_corrections
from audit_core.workflow.corrections_decided import propose_from_decisions
from audit_core.workflow.corrections_proposing import Draft, propose, propose_from_rewrites
from audit_core.workflow.corrections_revising import Done, Left, find_corrections, rebase, require_open, revise
from audit_core.workflow.pseudonyms import pseudonym
from audit_core.workflow.roles import require_role
from audit_core.workflow.workspace import Workspace
from audit_core.workflow.written_text import checked_text

__all__ = [
    "Draft", "check_corrections", "corrections_for_release", "list_corrections", "propose", "propose_from_decisions",
    "propose_from_rewrites", "rebase", "review", "revise",
]  # fmt: skip

#: Longest note of a review, in characters.
NOTE_MAX = 4_000
#: How many corrections that do not fit an error names.
_NAMED = 5


def list_corrections(
    workspace: Workspace,
    dataset_id: int,
    *,
    states: Iterable[CorrectionState] | None = None,
    action: str | None = None,
    code: str | None = None,
    query_id: str | None = None,
) -> list[Standing]:
    """Return how the corrections of a dataset stand, the oldest first; of some states, one action, code (`""`: none), query.

    Raises:
        NotFound: there is no such dataset.
    """
    dataset = workspace.dataset(dataset_id)
    with workspace.database.read() as connection:
        every = stored.of_dataset(connection, dataset_id)
    found = standings(workspace, dataset, every)
    wanted = None if states is None else set(states)
    return [
        found[row.id]
        for row in every
        if (wanted is None or row.state in wanted)
        and (action is None or row.change.action == action)
        and (code is None or (row.code or "") == code)
        and (query_id is None or row.query_id == query_id)
    ]


def count_corrections(workspace: Workspace, dataset_id: int) -> dict[CorrectionState, int]:
    """Return how many corrections of each state a dataset has."""
    with workspace.database.read() as connection:
        return stored.count_by_state(connection, dataset_id)


def review(
    workspace: Workspace, person: Person, ids: Sequence[int], state: CorrectionState | str, note: str = ""
) -> Done:
    """Accept or reject corrections of one dataset, at one moment; what cannot be is left, with the reason.

    Proposed ones are accepted or rejected; accepted ones may be rejected, with a note, until they are released. One is
    accepted where it fits on top of what is accepted of its query, these in the order of their first revisions.

    Raises:
        NotAllowed: the person is an annotator.
        NotFound: one of the ids is no correction, or they are of several datasets.
        CorrectionError: the state is none that a review gives.
        JudgmentInvalid: the note cannot be kept.
    """
    require_role(person, Role.ADJUDICATOR)
    wanted = CorrectionState(state)
    if wanted not in (CorrectionState.ACCEPTED, CorrectionState.REJECTED):
        raise CorrectionError(f"A review accepts or rejects; {wanted} is neither.")
    text = checked_text(note, "note", longest=NOTE_MAX) if note.strip() else ""
    if not ids:
        return Done((), ())
    with workspace.database.read() as connection:
        found = find_corrections(connection, ids)
    dataset = workspace.dataset(found[0].dataset_id)
    footing = footing_of(workspace, dataset, [each.query_id for each in found], [each.change for each in found])
    with workspace.database.write() as connection:
        rows = find_corrections(connection, ids)
        desk = _Desk(connection, dataset.id, footing)
        for row in sorted(rows, key=lambda row: (row.first_id, row.id)):
            desk.take(row, wanted, text)
        if desk.done:
            stored.review(connection, desk.done, state=wanted, reviewer_id=person.id, note=text)
            own = sum(each.author_id == person.id for each in rows if each.id in set(desk.done))
            subject = {"corrections": desk.done, "note": text, "self_reviewed": own}
            activity.record(connection, f"correction-{_VERBS[wanted]}", subject, person_id=person.id)
    return Done(tuple(desk.done), tuple(desk.left))


_VERBS = {CorrectionState.ACCEPTED: "accept", CorrectionState.REJECTED: "reject"}


class _Desk:
    """Takes corrections one after the other and says which may get the state that a reviewer wants."""

    def __init__(self, connection: Connection, dataset_id: int, footing: Footing) -> None:
        self._released = stored.releases_of(connection, dataset_id)
        self._ground = footing.ground
        accepted = stored.of_dataset(connection, dataset_id, states=[CorrectionState.ACCEPTED])
        self._made = footing.with_accepted(accepted)
        self.done: list[int] = []
        self.left: list[Left] = []

    def take(self, row: CorrectionRow, wanted: CorrectionState, note: str) -> None:
        problem = self._problem(row, wanted, note)
        if problem is None:
            self.done.append(row.id)
        else:
            self.left.append(Left(row.id, problem))

    def _problem(self, row: CorrectionRow, wanted: CorrectionState, note: str) -> str | None:
        try:
            require_open(row, self._released)
        except CorrectionError as error:
            return str(error)
        if row.state is wanted:
            return f"Correction {row.id} is {wanted} already."
        if row.state is CorrectionState.REJECTED:
            return f"Correction {row.id} was rejected: revise it, and review the revision."
        if wanted is CorrectionState.ACCEPTED:
            misfit = self._made.lay(row.id, row.change, self._ground)
            return None if misfit is None else f"{misfit.reason}{self._way_out(row, misfit)}"
        if row.state is CorrectionState.ACCEPTED and not note:
            return f"Correction {row.id} was accepted: say in a note why it is rejected now."
        return None

    def _way_out(self, row: CorrectionRow, misfit: Misfit) -> str:
        if not misfit.is_stale:
            return ""
        try:
            rebased(row.change, self._made.contents[row.query_id])
        except CorrectionError as error:
            return f" {error}"
        return " Rebase it first."


def corrections_for_release(workspace: Workspace, dataset_id: int) -> list[Correction]:
    """Return the accepted corrections of a dataset in the order in which they apply, people under pseudonyms.

    Raises:
        NotFound: there is no such dataset.
        CorrectionStale: some do not fit on top of the others; names them.
    """
    dataset = workspace.dataset(dataset_id)
    with workspace.database.read() as connection:
        rows = stored.of_dataset(connection, dataset_id, states=[CorrectionState.ACCEPTED])
    rows.sort(key=lambda row: row.in_order)
    footing = footing_of(workspace, dataset, [each.query_id for each in rows], [each.change for each in rows])
    misfits = footing.with_accepted(rows).misfits
    missing = [each for each in rows if each.query_id not in footing.contents]
    if misfits or missing:
        named = [f"{each.id}: {each.reason}" for each in misfits] + [
            f"{each.id}: the dataset has no query {each.query_id!r}." for each in missing
        ]
        more = f" And {len(named) - _NAMED} more." if len(named) > _NAMED else ""
        raise CorrectionStale(
            f"{len(named)} accepted corrections of {dataset.name}@{dataset.revision} cannot be applied: rebase or reject "
            f"them first. {' '.join(named[:_NAMED])}{more}"
        )
    return as_released(workspace, dataset, rows)


def as_released(workspace: Workspace, dataset: DatasetRow, rows: Sequence[CorrectionRow]) -> list[Correction]:
    """Return corrections as a release holds them: with what the judgments and decisions of their entries say."""
    with workspace.database.read() as connection:
        judged = stored.codes_given(connection, [each.entry_id for each in rows if each.entry_id is not None])
        decided = stored.codes_decided(connection, [each.decision_id for each in rows if each.decision_id is not None])
    return [_released(workspace, dataset.name, row, judged, decided) for row in rows]


def _released(
    workspace: Workspace,
    dataset_name: str,
    row: CorrectionRow,
    judged: dict[int, list[tuple[int, str | None]]],
    decided: dict[int, str],
) -> Correction:
    def called(person_id: int) -> str:
        return pseudonym(workspace, dataset_name, person_id)

    given = judged.get(row.entry_id, []) if row.entry_id is not None else []
    codes = decided.get(row.decision_id) if row.decision_id is not None else None
    return Correction(
        id=row.first_id,
        revision=row.revision,
        change=row.change,
        state=row.state,
        code=row.code,
        reason=row.reason,
        author=called(row.author_id),
        reviewer=called(row.reviewer_id) if row.reviewer_id is not None else None,
        annotators=tuple(sorted(called(person_id) for person_id, _ in given)),
        agreeing=None if codes is None else sum(each == codes for _, each in given),
        model=row.model,
        prompt_hash=row.prompt_hash,
        campaign=row.campaign,
    )

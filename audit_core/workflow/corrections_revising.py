"""Later revisions of corrections: written by hand, or rebased on what stands there now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit_core.corrections.checking import in_form, read_change
from audit_core.corrections.faults import Fault
from audit_core.corrections.planning import Plan, is_outdated, require_fit
from audit_core.corrections.rebasing import rebased
from audit_core.corrections.records import Change, CorrectionState
from audit_core.domain import Role
from audit_core.errors import CorrectionError, NotFound
from audit_core.storage import activity
from audit_core.storage import corrections as stored
from audit_core.storage.corrections import CorrectionRow, MadeRelease, NewCorrection
from audit_core.storage.database import Connection
from audit_core.storage.people import Person
from audit_core.workflow.correction_standing import Footing, batches_of, footing_of
from audit_core.workflow.corrections_proposing import known_code, storable_reason
from audit_core.workflow.roles import require_role
from audit_core.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Left:
    """A correction that something was not done with, and why."""

    id: int
    reason: str


@dataclass(frozen=True, slots=True)
class Done:
    """The corrections that something was done with, and those that were left as they are."""

    ids: tuple[int, ...]
    left: tuple[Left, ...]


def require_open(row: CorrectionRow, releases: Sequence[MadeRelease]) -> None:
    """Go on where a correction may still be changed.

    Raises:
        CorrectionError: a later revision took its place, or it is published.
    """
    if row.state is CorrectionState.SUPERSEDED:
        raise CorrectionError(f"Correction {row.id} was superseded: what took its place counts, if anything did.")
    if is_released(row, releases):
        raise CorrectionError(
            f"Correction {row.id} is part of a release and stays what it is. Import the released revision and correct it."
        )


def is_released(row: CorrectionRow, releases: Sequence[MadeRelease]) -> bool:
    """Return whether a correction is published: in one of the releases that were made of its dataset."""
    return any(each.holds(row) for each in releases)


def find_corrections(connection: Connection, ids: Sequence[int]) -> list[CorrectionRow]:
    """Return corrections of one dataset by their ids, the oldest first.

    Raises:
        NotFound: one is not there, or they are of several datasets.
    """
    rows = stored.by_ids(connection, ids)
    if missing := sorted(set(ids) - {each.id for each in rows}):
        raise NotFound(f"There is no correction {missing[0]}. `python -m audit_core corrections list` shows them.")
    if len({each.dataset_id for each in rows}) > 1:
        raise NotFound("These corrections are of several datasets: take those of one.")
    return rows


def revise(
    workspace: Workspace, person: Person, correction_id: int, *, change: Change, code: str | None, reason: str
) -> CorrectionRow:
    """Store a later revision of a correction and return it: proposed, of the same author; the earlier one is superseded.

    Where the correction is stale, the revision expects what stands there now.

    Raises:
        NotAllowed: the person is an annotator.
        NotFound: there is no such correction.
        CorrectionError: it acts on something else, is superseded or published, or what is wanted does not fit.
        JudgmentInvalid: the reason cannot be kept.
    """
    require_role(person, Role.ADJUDICATOR)
    change, code, reason = in_form(change), known_code(code), storable_reason(reason)
    with workspace.database.read() as connection:
        (row,) = find_corrections(connection, [correction_id])
    if (change.query_id, change.action, change.key) != (row.query_id, row.change.action, row.change.key):
        raise CorrectionError(
            f"Correction {row.id} is {row.change.action} of query {row.query_id!r}: what acts on something else is another "
            "correction. Propose that one, and reject this."
        )
    footing = footing_of(workspace, workspace.dataset(row.dataset_id), [row.query_id], [change])
    with workspace.database.write() as connection:
        (row,) = find_corrections(connection, [correction_id])
        require_open(row, stored.releases_of(connection, row.dataset_id))
        rows = stored.of_dataset(connection, row.dataset_id, query_id=row.query_id)
        made = _under(footing, rows, row)
        change = _brought_up(change, made, footing)
        require_fit(made.lay(row.id, change, footing.ground))
        _replace(connection, row, change, code, reason, person, "revise")
        return stored.of_dataset(connection, row.dataset_id, query_id=row.query_id)[-1]


def _brought_up(change: Change, made: Plan, footing: Footing) -> Change:
    """Return what somebody wants in the place of a correction with `before` as it stands now, where that can be told."""
    content = made.contents.get(change.query_id)
    if content is None or not is_outdated(change, content, footing.ground):
        return change
    try:
        return rebased(change, content)
    except CorrectionError:
        return change


def rewritten(row: CorrectionRow, after: object) -> Change:
    """Return the change of a correction with another `after`: a text, or a piece of evidence. None is null.

    Raises:
        CorrectionError: it is not what such a correction has there.
    """
    change = row.change
    raw = {"query_id": row.query_id, "action": change.action.value, "key": change.key, "before": change.before}
    found = read_change({**raw, "after": after})
    if isinstance(found, Fault):
        raise CorrectionError(f"Correction {row.id} cannot be so: {found}.")
    return found


def rebase(workspace: Workspace, person: Person, ids: Sequence[int]) -> Done:
    """Bring corrections up to what stands there now: each gets a later revision with another `before`, to be reviewed anew.

    What fits as it is, or cannot be rebased, is left, with the reason.

    Raises:
        NotAllowed: the person is an annotator.
        NotFound: one of the ids is no correction, or they are of several datasets.
    """
    require_role(person, Role.ADJUDICATOR)
    if not ids:
        return Done((), ())
    with workspace.database.read() as connection:
        found = find_corrections(connection, ids)
    dataset = workspace.dataset(found[0].dataset_id)
    footing = footing_of(workspace, dataset, [each.query_id for each in found], [each.change for each in found])
    done: list[int] = []
    left: list[Left] = []
    with workspace.database.write() as connection:
        rows = stored.of_dataset(connection, dataset.id)
        released = stored.releases_of(connection, dataset.id)
        for row in find_corrections(connection, ids):
            try:
                require_open(row, released)
                change = _rebased(footing, rows, row)
            except CorrectionError as error:
                left.append(Left(row.id, str(error)))
                continue
            _replace(connection, row, change, row.code, row.reason, person, "rebase")
            done.append(row.id)
    return Done(tuple(done), tuple(left))


def _rebased(footing: Footing, rows: Sequence[CorrectionRow], row: CorrectionRow) -> Change:
    if not row.is_live:
        raise CorrectionError(f"Correction {row.id} is rejected: revise it where it shall be proposed again.")
    if row.query_id not in footing.contents:
        raise CorrectionError(f"The dataset has no query {row.query_id!r}, which correction {row.id} names: reject it.")
    if row.state is CorrectionState.ACCEPTED and row.id not in {
        each.id for each in footing.with_accepted(rows).misfits
    }:
        raise CorrectionError(f"Correction {row.id} fits what stands there: it needs no rebasing.")
    made = _under(footing, rows, row)
    change = rebased(row.change, made.contents[row.query_id])
    if change == row.change and row.state is CorrectionState.PROPOSED:
        require_fit(made.lay(row.id, change, footing.ground))
        raise CorrectionError(f"Correction {row.id} fits what stands there: it needs no rebasing.")
    return change


def _under(footing: Footing, rows: Sequence[CorrectionRow], row: CorrectionRow) -> Plan:
    """Return what a correction stands on: what is accepted but itself, and what was proposed together with it, before it."""
    made = footing.with_accepted(rows, without=[row.id])
    there = [each for each in rows if each.is_live or each.id == row.id]
    together = next(each for each in batches_of(there, rows) if row in each)
    for each in together:
        if each.state is CorrectionState.PROPOSED and each.first_id < row.first_id:
            made.lay(each.id, each.change, footing.ground)
    return made


def _replace(
    connection: Connection, row: CorrectionRow, change: Change, code: str | None, reason: str, person: Person, how: str
) -> None:
    new = NewCorrection(
        row.dataset_id, change, code, reason, row.author_id, row.decision_id, row.model, row.prompt_hash, row
    )
    stored.add(connection, [new])
    subject = {"correction": row.first_id, "revision": row.revision + 1, "query": row.query_id}
    activity.record(connection, f"correction-{how}", subject, person_id=person.id)

"""Proposing corrections: written by hand, read from a file, or accepted among the rewordings of a language model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from audit_core.corrections.checking import TEXT_MAX, in_form
from audit_core.corrections.coding import code_mended
from audit_core.corrections.planning import Misfit, require_fit
from audit_core.corrections.records import Action, Change, CorrectionState
from audit_core.domain import IssueCode, JsonObject, Role
from audit_core.errors import CorrectionError
from audit_core.storage import activity
from audit_core.storage import corrections as stored
from audit_core.storage.cleaning_tables import ProposalState
from audit_core.storage.corrections import CorrectionRow, NewCorrection
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.workflow.cleanings import get_run
from audit_core.workflow.correction_standing import Footing, footing_of
from audit_core.workflow.rewrites import list_rewrites
from audit_core.workflow.roles import require_role
from audit_core.workflow.workspace import Workspace
from audit_core.workflow.written_text import checked_text


@dataclass(frozen=True, slots=True)
class Draft:
    """A correction before it is stored; `code` is the issue code that it mends, None for none."""

    change: Change
    code: str | None
    reason: str
    model: str | None = None
    prompt_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Proposed:
    """What came of proposing: how many are new, were there already (proposed or accepted), or had been rejected before."""

    added: int
    there_already: int
    rejected_before: int

    def as_json(self) -> JsonObject:
        """Return it as one JSON object."""
        return {"added": self.added, "there_already": self.there_already, "rejected_before": self.rejected_before}

    @property
    def words(self) -> str:
        """It in one sentence."""
        more = [
            f"{number:,} {what}"
            for number, what in (
                (self.there_already, "were there already"),
                (self.rejected_before, "had been rejected before"),
            )
            if number
        ]
        return f"{counted(self.added)} proposed{''.join(f'; {each}' for each in more)}."


def counted(number: int) -> str:
    """Return a number of corrections in words."""
    return f"{number:,} correction{'' if number == 1 else 's'}"


def identity(change: Change) -> str:
    """Return a text that is the same for equal changes alone."""
    return json.dumps([change.query_id, change.action.value, change.key, change.before, change.after], sort_keys=True)


def propose(workspace: Workspace, person: Person, dataset: DatasetRow, drafts: Sequence[Draft]) -> Proposed:
    """Store corrections as proposed, all or none; what is proposed, accepted or rejected already is not proposed again.

    Each has to fit the query as the dataset and what is accepted make it, with the drafts before it.

    Raises:
        NotAllowed: the person is an annotator.
        CorrectionStale: one does not find what it expects to change.
        CorrectionError: one names what the dataset does not have, or is none.
        JudgmentInvalid: a reason cannot be kept.
    """
    require_role(person, Role.ADJUDICATOR)
    drafts = [
        replace(each, change=in_form(each.change), code=known_code(each.code), reason=storable_reason(each.reason))
        for each in drafts
    ]
    footing = footing_of(
        workspace, dataset, [each.change.query_id for each in drafts], [each.change for each in drafts]
    )
    with workspace.database.write() as connection:
        rows = stored.of_dataset(connection, dataset.id)
        fresh, misfits, proposed = sorted_out(footing, rows, drafts)
        for _, misfit in misfits:
            require_fit(misfit)
        new = [
            NewCorrection(
                dataset.id, each.change, each.code, each.reason, person.id, None, each.model, each.prompt_hash
            )
            for each in fresh
        ]
        if new:
            stored.add(connection, new)
            subject = {"dataset": f"{dataset.name}@{dataset.revision}", "corrections": len(new)}
            activity.record(connection, "correction-propose", subject, person_id=person.id)
    return proposed


def known_code(code: str | None) -> str | None:
    """Return an issue code that a correction mends, None for none.

    Raises:
        CorrectionError: there is no such code.
    """
    if code is not None and code not in tuple(IssueCode):
        raise CorrectionError(f"A correction mends one of {', '.join(IssueCode)}, or none of them; not {code!r}.")
    return code


def storable_reason(reason: str) -> str:
    """Return the reason of a correction, which may be empty.

    Raises:
        JudgmentInvalid: it is too long, or holds what no database keeps.
    """
    return checked_text(reason, "reason", longest=TEXT_MAX) if reason.strip() else ""


def sorted_out(
    footing: Footing, rows: Sequence[CorrectionRow], drafts: Sequence[Draft]
) -> tuple[list[Draft], list[tuple[int, Misfit]], Proposed]:
    """Return the drafts that are new, (position, what is wrong) of those that do not fit, and the counts."""
    known: dict[str, CorrectionState] = {}
    for row in rows:
        if row.state is not CorrectionState.SUPERSEDED:
            known[identity(row.change)] = row.state
    made = footing.with_accepted(rows)
    fresh: list[Draft] = []
    misfits: list[tuple[int, Misfit]] = []
    counts = dict.fromkeys(CorrectionState, 0)
    for at, draft in enumerate(drafts):
        state = known.get(identity(draft.change))
        if state is not None:
            counts[state] += 1
        if state in (CorrectionState.ACCEPTED, CorrectionState.REJECTED):
            continue
        misfit = made.lay(-1 - at, draft.change, footing.ground)
        if state is None:
            if misfit is not None:
                misfits.append((at, misfit))
            fresh.append(draft)
            known[identity(draft.change)] = CorrectionState.PROPOSED
    there = counts[CorrectionState.PROPOSED] + counts[CorrectionState.ACCEPTED]
    return fresh, misfits, Proposed(len(fresh), there, counts[CorrectionState.REJECTED])


def propose_from_rewrites(workspace: Workspace, person: Person, dataset: DatasetRow, run_id: int) -> Proposed:
    """Propose the rewordings of a run that somebody accepted there; the model and the hash of its prompt are kept.

    Raises:
        NotFound: there is no such run, or it is no rewording.
        CorrectionError: it is of another dataset, or nothing of it is accepted; or as `propose`.
    """
    require_role(person, Role.ADJUDICATOR)
    view = get_run(workspace, run_id)
    rewordings = list_rewrites(workspace, run_id, state=ProposalState.ACCEPTED.value)
    if view.row.dataset_id != dataset.id:
        raise CorrectionError(
            f"The rewording {view.row.name} is of {view.dataset.name}@{view.dataset.revision}, not of {dataset.name}@"
            f"{dataset.revision}: propose its corrections there."
        )
    if not rewordings:
        raise CorrectionError(
            f"Nothing of the rewording {view.row.name} is accepted: accept proposals on its page, or with "
            "`python -m audit_core clean rewrites`."
        )
    asked = (view.row.result or {}).get("asked") or {}
    drafts = [
        Draft(
            Change(each.query_id, Action.REWORD, {}, each.before, each.after),
            code_mended(Action.REWORD, None), each.reason, asked.get("model"), asked.get("prompt_hash"),
        )
        for each in rewordings
    ]  # fmt: skip
    return propose(workspace, person, dataset, drafts)

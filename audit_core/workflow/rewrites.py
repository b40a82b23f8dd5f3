"""Proposed rewordings of queries: reading them, and a person's word on each. No model ever accepts one."""

from __future__ import annotations

from audit_core.errors import NotFound
from audit_core.storage import activity, cleaning_runs
from audit_core.storage.cleaning_runs import ProposalRow
from audit_core.storage.cleaning_tables import ProposalState, RunKind
from audit_core.storage.people import Person
from audit_core.workflow.cleanings import get_run
from audit_core.workflow.workspace import Workspace


def list_rewrites(workspace: Workspace, run_id: int, *, state: str | None = None) -> list[ProposalRow]:
    """Return what a run proposes, by query id; of one state (`proposed`, `accepted`, `rejected`) where it is given.

    Raises:
        NotFound: there is no such run, or it is no rewording.
    """
    _refuse_other(workspace, run_id)
    with workspace.database.read() as connection:
        return cleaning_runs.proposals(connection, run_id, state=None if state is None else ProposalState(state))


def decide_rewrite(workspace: Workspace, run_id: int, query_id: str, *, accept: bool, person: Person) -> ProposalRow:
    """Note that a person accepts or rejects a proposal, and return it. The last decision counts; each is logged.

    Raises:
        NotFound: there is no such run or proposal.
    """
    _refuse_other(workspace, run_id)
    state = ProposalState.ACCEPTED if accept else ProposalState.REJECTED
    with workspace.database.write() as connection:
        found = cleaning_runs.proposals(connection, run_id, query_id=query_id)
        if not found:
            raise NotFound(
                f"Run {run_id} proposes nothing for the query {query_id!r}. `python -m audit_core clean rewrites {run_id}` "
                "lists its proposals."
            )
        cleaning_runs.decide(connection, run_id, query_id, state=state, person_id=person.id)
        subject = {"run": run_id, "query": query_id, "before": found[0].state.value}
        activity.record(connection, f"rewrite-{'accept' if accept else 'reject'}", subject, person_id=person.id)
        return cleaning_runs.proposals(connection, run_id, query_id=query_id)[0]


def _refuse_other(workspace: Workspace, run_id: int) -> None:
    view = get_run(workspace, run_id)
    if view.row.kind is not RunKind.REWRITE:
        raise NotFound(f"Run {run_id} is no rewording: `python -m audit_core clean rewrites` lists those.")

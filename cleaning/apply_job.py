"""The job kind that applies a cleaning; imported when a job is run."""

from __future__ import annotations

from audit_core.domain import JsonObject
from audit_core.errors import JobError
from audit_core.jobs.context import JobContext
from audit_core.jobs.kinds import job_kind
from audit_core.workflow.cleanings import job_kind_of
from audit_core.workflow.workspace import open_workspace


@job_kind(job_kind_of("apply"))
def apply(context: JobContext) -> JsonObject:
    """Do the cleaning that the arguments name.

    Raises:
        JobError: the arguments name no run.
        AssayError: as `applying.execute_apply`.
    """
    from cleaning.applying import execute_apply

    run_id = context.arguments.get("run")
    if not isinstance(run_id, int):
        raise JobError(f"This job names no cleaning ({run_id!r}): start the cleaning anew.")
    applied = execute_apply(open_workspace(), run_id, context.report)
    return {"run": run_id, "summary": next(applied.sentences())}

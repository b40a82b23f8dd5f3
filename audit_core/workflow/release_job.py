"""The job kind that makes a release; imported when a job is run."""

from __future__ import annotations

from audit_core.audit_report.wording import counted
from audit_core.domain import JsonObject
from audit_core.errors import JobError
from audit_core.jobs.context import JobContext
from audit_core.jobs.kinds import job_kind
from audit_core.workflow.releasing import KIND, execute_release
from audit_core.workflow.workspace import open_workspace


@job_kind(KIND)
def make(context: JobContext) -> JsonObject:
    """Make the release that the arguments name.

    Raises:
        JobError: the arguments name no release.
        AssayError: as `releasing.execute_release`.
    """
    release_id = context.arguments.get("release")
    if not isinstance(release_id, int):
        raise JobError(f"This job names no release ({release_id!r}): start the release anew.")
    view = execute_release(open_workspace(), release_id, report=context.report)
    counts = (view.row.result or {})["counts"]
    summary = f"{view.title}: {counted(counts['changes'], 'correction', 'corrections')}, proved."
    return {"release": release_id, "dataset": view.dataset.id, "summary": summary}

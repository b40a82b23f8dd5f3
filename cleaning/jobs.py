"""The job kind that runs a comparison; imported when a job is run."""

from __future__ import annotations

from audit_core.domain import JsonObject
from audit_core.errors import JobError
from audit_core.jobs.context import JobContext
from audit_core.jobs.kinds import job_kind
from audit_core.workflow.comparisons import KIND
from audit_core.workflow.workspace import open_workspace


@job_kind(KIND)
def compare(context: JobContext) -> JsonObject:
    """Run the comparison that the arguments name. Embeddings are kept as they come, so that a resumed job has them.

    Raises:
        JobError: the arguments name no comparison.
        AssayError: as `executing.execute`.
    """
    from cleaning.executing import execute

    comparison_id = context.arguments.get("comparison")
    if not isinstance(comparison_id, int):
        raise JobError(f"This job names no comparison ({comparison_id!r}): start the comparison anew.")
    record = execute(open_workspace(), comparison_id, report=context.report)
    compared = record.compared
    failed = len(compared.strategies) - len(compared.usable)
    summary = f"{len(compared.usable)} strategies on {len(compared.query_ids):,} labelled queries"
    return {"comparison": comparison_id, "summary": summary + (f"; {failed} failed" if failed else "") + "."}

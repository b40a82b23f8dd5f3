"""The job kinds that run comparisons, scorings and rewordings; imported when a job is run."""

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


@job_kind("cleaning.score")
def score(context: JobContext) -> JsonObject:
    """Run the scoring that the arguments name. Embeddings and answers are kept as they come, for a resumed job.

    Raises:
        JobError: the arguments name no run.
        AssayError: as `scoring_all.execute_score`.
    """
    from cleaning.scoring_all import execute_score

    scoring = execute_score(open_workspace(), run_of(context), report=context.report)
    failed = len(scoring.strategies) - len(scoring.usable)
    summary = f"{len(scoring.usable)} strategies on all {len(scoring.query_ids):,} queries"
    return {"run": scoring.run_id, "summary": summary + (f"; {failed} failed" if failed else "") + "."}


@job_kind("cleaning.rewrite")
def rewrite(context: JobContext) -> JsonObject:
    """Run the rewording that the arguments name. Answers are kept as they come, for a resumed job.

    Raises:
        JobError: the arguments name no run.
        AssayError: as `rewriting_run.execute_rewrite`.
    """
    from cleaning.rewriting_run import execute_rewrite

    run_id = run_of(context)
    result = execute_rewrite(open_workspace(), run_id, report=context.report)
    return {
        "run": run_id,
        "summary": f"{result['proposed']:,} rewordings of {result['queries']:,} queries are proposed.",
    }


def run_of(context: JobContext) -> int:
    """Return the number of the cleaning run that a job is to do; JobError where its arguments name none."""
    run_id = context.arguments.get("run")
    if not isinstance(run_id, int):
        raise JobError(f"This job names no cleaning run ({run_id!r}): start the run anew.")
    return run_id

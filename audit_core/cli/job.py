"""jobs, job show, job run, job cancel, job resume, job delete, dataset check-pages."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NoReturn

import click

from audit_core.cli.output import example, json_option, print_json, print_table, refusals_exit_with_1, say
from audit_core.errors import AssayError

if TYPE_CHECKING:
    from audit_core.workflow.jobs import JobView
    from audit_core.workflow.workspace import Workspace

job_argument = click.argument("number", type=click.IntRange(1, 2**31 - 1), metavar="ID")


def _workspace() -> Workspace:
    """Return the workspace, its queue looked after: a look at the jobs gets a queue going that nobody attends."""
    from audit_core.workflow.jobs import tend_queue
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace()
    tend_queue(workspace)
    return workspace


@click.command("jobs", epilog=example("jobs", "jobs --json"))
@json_option
@refusals_exit_with_1
def jobs_command(as_json: bool) -> None:
    """List the jobs: long work that goes on by itself."""
    from audit_core.workflow.jobs import list_jobs

    views = list_jobs(_workspace())
    if as_json:
        print_json([each.as_json() for each in views])
    elif views:
        header = ("id", "title", "state", "done", "step", "started by", "queued at")
        rows = [
            (
                str(each.job.id),
                each.job.title,
                each.state,
                f"{100 * each.job.share:.0f} %",
                each.job.step,
                each.person or "",
                each.job.created_at[:16].replace("T", " "),
            )
            for each in views
        ]
        print_table(header, rows)
    else:
        say("There is no job yet. `python -m audit_core dataset check-pages DATASET` starts one, for example.")


@click.group("job", epilog=example("job show 3"))
def job_group() -> None:
    """Show, run, cancel, resume or delete a job."""


@job_group.command("show", epilog=example("job show 3", "job show 3 --json"))
@job_argument
@json_option
@refusals_exit_with_1
def show(number: int, as_json: bool) -> None:
    """Show a job: its state, how far it is, what it found or why it failed, and where its log lies."""
    from audit_core.workflow.jobs import folder_of, get_job

    workspace = _workspace()
    view, folder = get_job(workspace, number), folder_of(workspace, number)
    if as_json:
        print_json({**view.as_json(), "folder": str(folder)})
        return
    _print(view)
    click.echo(f"Its folder, with its log: {folder}")


def _print(view: JobView) -> None:
    from audit_core.workflow.job_words import about, what_came_of_it

    click.echo(f"Job {view.job.id}: {view.job.title}")
    for line in (about(view), what_came_of_it(view)):
        if line:
            click.echo(line)


@job_group.command("run", epilog=example("job run 3"))
@job_argument
@json_option
@refusals_exit_with_1
def run(number: int, as_json: bool) -> None:
    """Run a queued job in this process, after the one that runs; exits with 1 when it does not end as done."""
    from audit_core.jobs.runner import run_job
    from audit_core.storage.job_state import JobState
    from audit_core.workflow.jobs import get_job
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace()
    try:
        row = run_job(
            workspace.database,
            workspace.home,
            number,
            on_wait=lambda: say("Another job runs: this one waits for its turn."),
            on_lost=_leave_at_once,
        )
        view = get_job(workspace, number)
    except KeyboardInterrupt:
        raise AssayError(f"Job {number} was stopped. Resume it: `python -m audit_core job resume {number}`.") from None
    if as_json:
        print_json(view.as_json())
    else:
        _print(view)
    if row.state is not JobState.DONE:
        raise SystemExit(1)


def _leave_at_once() -> NoReturn:
    """End this process before it writes anything more: another one works on the job, in the same folder."""
    print("Another process has this job: this one ends.", file=sys.stderr, flush=True)
    os._exit(1)


@job_group.command("cancel", epilog=example("job cancel 3"))
@job_argument
@json_option
@refusals_exit_with_1
def cancel(number: int, as_json: bool) -> None:
    """Cancel a job that waits or runs; one that runs stops within seconds, and can be resumed."""
    from audit_core.workflow.jobs import cancel_job

    view = cancel_job(_workspace(), number)
    if as_json:
        print_json(view.as_json())
    else:
        click.echo(f"Job {number} is {'asked to stop' if view.job.cancel_requested else 'cancelled'}.")


@job_group.command("resume", epilog=example("job resume 3"))
@job_argument
@json_option
@refusals_exit_with_1
def resume(number: int, as_json: bool) -> None:
    """Put a job that failed, was cancelled or was interrupted back into the queue; it goes on from what it kept."""
    from audit_core.workflow.jobs import resume_job

    view = resume_job(_workspace(), number)
    if as_json:
        print_json(view.as_json())
    else:
        click.echo(f"Job {number} is in the queue again, as attempt {view.job.attempt}.")


@job_group.command("delete", epilog=example("job delete 3", "job delete --older-than 30"))
@click.argument("number", type=click.IntRange(1, 2**31 - 1), metavar="[ID]", required=False)
@click.option(
    "--older-than", "days", type=click.IntRange(0, 36_500), metavar="DAYS", help="All that ended before that."
)
@json_option
@refusals_exit_with_1
def delete(number: int | None, days: int | None, as_json: bool) -> None:
    """Delete a job that ended, or all that ended some days ago, with log and folder; what they made stays."""
    from audit_core.workflow.jobs import delete_job, delete_old_jobs

    if (number is None) == (days is None):
        raise click.UsageError("Name a job, or give --older-than DAYS.")
    workspace = _workspace()
    if number is not None:
        delete_job(workspace, number)
        gone = [number]
    else:
        gone = delete_old_jobs(workspace, days=days or 0)
    if as_json:
        print_json({"deleted": gone})
    else:
        click.echo(f"{len(gone):,} job{'' if len(gone) == 1 else 's'} deleted.")


@click.command("check-pages", epilog=example("dataset check-pages pdf_audit", "dataset check-pages pdf_audit@1 --json"))
@click.argument("dataset")
@json_option
@refusals_exit_with_1
def check_pages_command(dataset: str, as_json: bool) -> None:
    """Start a job that looks at every page file: is it there, can it be shown, is it still what it was."""
    from audit_core.workflow.campaigns import find_dataset
    from audit_core.workflow.jobs import get_job
    from audit_core.workflow.page_check import start_page_check

    workspace = _workspace()
    row = start_page_check(workspace, find_dataset(workspace, dataset))
    if as_json:
        print_json(get_job(workspace, row.id).as_json())
    else:
        click.echo(f"Job {row.id} is started and goes on by itself. Look: `python -m audit_core job show {row.id}`.")

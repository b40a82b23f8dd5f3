"""What is said of a job, on the page and by the commands."""

from __future__ import annotations

from audit_core.jobs.queue import INTERRUPTED
from audit_core.storage.job_state import JobState
from audit_core.workflow.jobs import JobView


def duration(seconds: float) -> str:
    """Return a duration in the two largest units that say something, such as `3 min 20 s`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours:,} h {minutes} min"


def state_word(view: JobView) -> str:
    """Return the state of a job in a word or two."""
    return "stopping" if view.state == JobState.RUNNING and view.job.cancel_requested else view.state


def about(view: JobView) -> str:
    """Return one line: state, who started it and when, how long it took so far, and what is left."""
    row = view.job
    parts = [state_word(view)]
    if view.place is not None:
        parts.append(f"place {view.place} in the queue")
    parts.append(f"started by {view.person}" if view.person else "started by a command")
    parts.append(f"{row.created_at[:16].replace('T', ' ')} UTC")
    if row.attempt > 1:
        parts.append(f"attempt {row.attempt}")
    if view.seconds is not None and view.state != INTERRUPTED:
        parts.append(("took " if row.finished_at else "for ") + duration(view.seconds))
    if view.seconds_left is not None:
        parts.append(f"about {duration(view.seconds_left)} left")
    return " · ".join(parts)


def what_came_of_it(view: JobView) -> str:
    """Return what a job found, why it failed, or what can be done about it; empty where there is nothing to say."""
    row = view.job
    if view.state == JobState.DONE:
        summary = (row.result or {}).get("summary")
        return summary if isinstance(summary, str) else ""
    if view.state == JobState.FAILED:
        return row.error or ""
    if view.state == INTERRUPTED:
        where = f" at {100 * row.share:.0f} %" if row.share else ""
        return (
            f"Its process ended{where} without a word (the machine was restarted, or it was killed). "
            "Nothing that it kept is lost: resume it."
        )
    if view.state == JobState.RUNNING:
        return f"{row.step} ({100 * row.share:.0f} %)" if row.step else ""
    return ""

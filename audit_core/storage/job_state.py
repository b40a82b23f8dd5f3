"""The states of a job as they are stored."""

from __future__ import annotations

from enum import StrEnum


class JobState(StrEnum):
    """Where a job stands. One that is `running` while its runner gives no sign of life any more was interrupted."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

"""The thread beside the work of a job: it writes signs of life and progress, and hears of a cancellation."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from audit_core.errors import StorageError
from audit_core.jobs.context import JobCancelled, JobLost
from audit_core.jobs.processes import BEAT_SECONDS
from audit_core.storage import jobs
from audit_core.storage.database import Database

_LOG = logging.getLogger(__name__)
#: Progress is written at most this often, in seconds.
_PROGRESS_SECONDS = 0.5
#: Longest description of a step that is kept, in characters.
_STEP_MAX = 200


class Keeper:
    """Keeps a job that this process holds. The work never waits for the database: only this thread writes.

    `on_lost` is called in this thread when another runner has the job.
    """

    def __init__(
        self,
        database: Database,
        job_id: int,
        *,
        token: str,
        on_lost: Callable[[], None],
        beat_seconds: float = BEAT_SECONDS,
    ) -> None:
        self._database = database
        self._job_id = job_id
        self._token = token
        self._on_lost = on_lost
        self._beat_seconds = beat_seconds
        self._wake = threading.Event()
        self._ended = threading.Event()
        self._cancelled = threading.Event()
        self._lost = threading.Event()
        self._progress: tuple[str, float] = ("", 0.0)
        self._share_before: float | None = None
        self._written_at = 0.0
        self._thread = threading.Thread(target=self._keep, name=f"keeper of job {job_id}", daemon=True)

    def __enter__(self) -> Keeper:
        """Begin to give signs of life."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Write how far the work came, and no more; when this returns, the thread has ended."""
        self._ended.set()
        self._wake.set()
        self._thread.join()
        if not self._lost.is_set():
            self._try_to_beat()

    def tell(self, step: str, share: float) -> None:
        """Take the progress to write."""
        if self._share_before is None:
            self._share_before = share
        self._progress = (storable(step, limit=_STEP_MAX), share)
        if time.monotonic() - self._written_at >= _PROGRESS_SECONDS:
            self._wake.set()

    def check(self) -> None:
        """Raise JobCancelled or JobLost where the work is to stop."""
        if self._lost.is_set():
            raise JobLost
        if self._cancelled.is_set():
            raise JobCancelled

    @property
    def is_lost(self) -> bool:
        """Whether another runner has the job, or it was cancelled while it waited."""
        return self._lost.is_set()

    def _keep(self) -> None:
        while not self._ended.is_set():
            self._written_at = time.monotonic()
            self._try_to_beat()
            if self._lost.is_set():
                return
            self._wake.wait(self._beat_seconds)
            self._wake.clear()

    def _try_to_beat(self) -> None:
        try:
            self._beat()
        except StorageError as error:
            _LOG.warning("a sign of life of job %s could not be written: %s", self._job_id, error)
        except Exception:  # noqa: BLE001
            # Whatever it is, the next beat may succeed; without any the job is called interrupted.
            _LOG.exception("a sign of life of job %s could not be written", self._job_id)

    def _beat(self) -> None:
        step, share = self._progress
        with self._database.write() as connection:
            cancelled = jobs.beat(
                connection, self._job_id, token=self._token, step=step, share=share, share_before=self._share_before
            )
        if cancelled is None:
            self._lost.set()
            self._on_lost()
        elif cancelled:
            self._cancelled.set()


def storable(text: str, *, limit: int) -> str:
    """Return text as every database keeps it: without NUL and half characters, cut at `limit` characters."""
    clean = text.replace("\x00", "").encode("utf-8", "backslashreplace").decode("utf-8").strip()
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"

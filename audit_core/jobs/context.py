"""What the work of a job is given: its arguments, its folder, and the way to tell how far it is."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

from audit_core.domain import JsonObject


class JobStopped(BaseException):
    """The work is to stop now. Like KeyboardInterrupt it passes those who go on after any Exception of one item."""


class JobCancelled(JobStopped):
    """Somebody cancelled the job."""


class JobLost(JobStopped):
    """Another runner has the job: this one was silent for so long that it was taken for dead."""


class JobContext:
    """The job as its work sees it. Threads may share it.

    `folder` is the job's own and survives: what the work keeps there, a resumed job (`attempt` above 1) can go on from. Its
    `log.txt` takes what the work prints. The row's progress and signs of life are written by a thread of their own, so
    work may be silent as long as it likes; it may not hold a writing transaction for more than a few seconds.
    """

    def __init__(
        self,
        *,
        job_id: int,
        attempt: int,
        arguments: JsonObject,
        folder: Path,
        tell: Callable[[str, float], None],
        check: Callable[[], None],
    ) -> None:
        self.job_id = job_id
        self.attempt = attempt
        self.arguments = arguments
        self.folder = folder
        self._tell = tell
        self._check = check

    def report(self, step: str, share: float) -> None:
        """Tell what is being done, in words, and the share of the whole work that is done, in [0, 1]; cheap.

        It may be handed on as the progress function of what knows nothing of jobs: it stops cancelled work as well.

        Raises:
            ValueError: the share is not a number.
            JobStopped: as `check_cancelled`.
        """
        if not math.isfinite(share):
            raise ValueError(f"the share done is {share}: report a number from 0 to 1")
        self._tell(step, min(1.0, max(0.0, float(share))))
        self._check()

    def check_cancelled(self) -> None:
        """Return if the work may go on; cheap, so call it often.

        Raises:
            JobCancelled: somebody cancelled the job: leave at once, keeping in `folder` what a resumed job can use.
            JobLost: another runner has the job: leave at once, and write nothing any more.
        """
        self._check()

"""Folders for the time of one import, on the home's own disk."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from audit_core.errors import StorageError

#: No import of an upload takes so long: what is older was left by a process that was killed.
_UPLOAD_SECONDS = 86_400


@contextmanager
def scratch_folder(home: Path) -> Iterator[Path]:
    """A folder on the home's own disk, gone afterwards; those of imports that were killed go after a day.

    Raises:
        StorageError: it cannot be made.
    """
    uploads = home / "uploads"
    try:
        uploads.mkdir(parents=True, exist_ok=True)
        for old in uploads.glob("upload-*"):
            with suppress(OSError):  # another import may be removing its own at this moment
                if time.time() - old.stat().st_mtime > _UPLOAD_SECONDS:
                    shutil.rmtree(old)
        scratch = Path(tempfile.mkdtemp(prefix="upload-", dir=uploads))
    except OSError as error:
        raise StorageError(f"{uploads} cannot be written ({error.strerror}): nothing was imported.") from error
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)

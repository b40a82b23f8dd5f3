"""A bounded folder of drawn page images: the least recently used files go first.

The folder is listed once, when it is opened; a running total is kept from then on. Files are written aside and
renamed, so a file that has its name is whole. The bound holds for each process that uses the folder: a second process
adds at most its own share until the next start.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
import uuid
from collections import OrderedDict
from pathlib import Path

from audit_core.errors import PageUnavailable, StorageError

#: The newest files stay even when they pass the bound, so that a path handed to a web server can still be opened.
_NEWEST_KEPT = 8
#: Files written aside and left behind by a process that ended are removed when they are this old.
_LEFTOVER_SECONDS = 3600


class PageCache:
    """Files by name in `folder`, together at most `limit_bytes`, but always the newest eight. Thread-safe."""

    def __init__(self, folder: Path, *, limit_bytes: int) -> None:
        """Open or create the folder and list it.

        Raises:
            StorageError: the folder cannot be created or listed.
        """
        self._folder = folder
        self._limit = limit_bytes
        self._guard = threading.Lock()
        self._sizes: OrderedDict[str, int] = OrderedDict()
        self._total = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._list()
        except OSError as error:
            raise StorageError(
                f"The page cache {folder} cannot be used ({error}): make the folder writable."
            ) from error
        self._drop_oldest()

    @property
    def total_bytes(self) -> int:
        """How many bytes the cached files have together."""
        return self._total

    def _list(self) -> None:
        found: list[tuple[float, str, int]] = []
        with os.scandir(self._folder) as entries:
            for entry in entries:
                if not entry.is_file(follow_symlinks=False):
                    continue
                details = entry.stat(follow_symlinks=False)
                if not entry.name.endswith(".part"):
                    found.append((details.st_mtime, entry.name, details.st_size))
                elif time.time() - details.st_mtime > _LEFTOVER_SECONDS:
                    os.unlink(entry.path)
        for _, name, size in sorted(found):
            self._sizes[name] = size
            self._total += size

    def find(self, name: str) -> Path | None:
        """Return the path of a cached file and mark it as just used; None when it is not there."""
        path = self._folder / name
        try:
            os.utime(path)
            size = path.stat().st_size
        except OSError:
            size = 0
        with self._guard:
            self._total += size - self._sizes.pop(name, 0)
            if not size:  # gone, or emptied when the machine lost power
                return None
            self._sizes[name] = size
        return path

    def place_aside(self) -> Path:
        """Return a path in the folder to write a new file to, for `keep`."""
        return self._folder / f"{uuid.uuid4().hex}.part"

    def keep(self, aside: Path, name: str) -> Path:
        """Return the path of `aside` under its final name; the least recently used files go if the bound is passed.

        Raises:
            PageUnavailable: the file cannot be renamed.
        """
        path = self._folder / name
        try:
            size = aside.stat().st_size
            os.replace(aside, path)
        except OSError as error:
            raise PageUnavailable(f"the page cache cannot be written ({error.strerror})") from None
        with self._guard:
            self._total += size - self._sizes.pop(name, 0)
            self._sizes[name] = size
        self._drop_oldest()
        return path

    def _drop_oldest(self) -> None:
        with self._guard:
            while self._total > self._limit and len(self._sizes) > _NEWEST_KEPT:
                name, size = self._sizes.popitem(last=False)
                self._total -= size
                with contextlib.suppress(OSError):
                    os.unlink(self._folder / name)

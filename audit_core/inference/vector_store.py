"""Vectors on disk, one folder an embedder: fixed records in one file that only grows, and an index by the text's hash.

```
ASSAY_HOME/cache/embeddings/MODEL-IDENTITY/
  vectors.f32   row after row of little-endian float32
  index.sqlite  which text (SHA-256) has which row; rows that it does not list do not count
```

Rows are written and flushed to the disk before the index names them, under the index's own write lock. So whatever
happens, every row that the index names is whole, and what lies behind the last of them is overwritten by the next
writer or cut off when the store is opened.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING

from audit_core import config
from audit_core.errors import StorageError
from audit_core.inference.embedder import Identity

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DATA_FILE, INDEX_FILE = "vectors.f32", "index.sqlite"
_NUMBER_BYTES = 4
#: Values of one statement; SQLite takes 999 in its oldest builds.
_KEYS_AT_ONCE = 900
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS vector (row INTEGER PRIMARY KEY, sha256 BLOB NOT NULL UNIQUE, truncated INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)


def cache_folder() -> Path:
    """Return the folder of all vector stores (not created here)."""
    return config.home() / "cache" / "embeddings"


def text_key(text: str) -> bytes:
    """Return the SHA-256 of the exact text in UTF-8, 32 bytes.

    Raises:
        UnicodeEncodeError: the text holds half a character (a lone surrogate).
    """
    return hashlib.sha256(text.encode("utf-8")).digest()


class VectorStore:
    """The vectors of one embedder. Any number of processes and threads may read and write it at once."""

    def __init__(self, cache: Path, identity: Identity) -> None:
        """Open or create the store of `identity` below `cache`, and mend what an interrupted write left.

        Raises:
            StorageError: the folder cannot be used, or holds something else.
        """
        self.folder = cache / identity.folder_name
        self._guard = threading.Lock()
        #: Vectors that the index named but the file no longer holds; they are computed anew.
        self.lost = 0
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / DATA_FILE).touch()
            self._data = (self.folder / DATA_FILE).open("r+b", buffering=0)
        except OSError as error:
            raise StorageError(f"The vectors in {self.folder} cannot be opened ({error.strerror}).") from None
        try:
            self._index = sqlite3.connect(
                self.folder / INDEX_FILE, timeout=60, isolation_level=None, check_same_thread=False
            )
            with self._failing_clearly():
                self._open(identity)
        except BaseException:
            self.close()
            raise

    def _open(self, identity: Identity) -> None:
        self._index.execute("PRAGMA synchronous = FULL")
        with self._writing():
            for statement in _SCHEMA:
                self._index.execute(statement)
            self._about("identity", identity.as_json())
            if identity.dimensions is not None:
                self._about("dimensions", str(identity.dimensions))
            self._repair()
        _flush_folder(self.folder)

    def _about(self, name: str, value: str) -> None:
        """Write down what the store is, or compare it with what is written there."""
        self._index.execute("INSERT OR IGNORE INTO about VALUES (?, ?)", (name, value))
        (found,) = self._index.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        if found != value:
            raise StorageError(
                f"The vectors in {self.folder} are of another {name} ({found}, not {value}): delete that folder; they are "
                "computed anew."
            )

    def _repair(self) -> None:
        rows, record = self._rows(), self._record_bytes()
        size = os.fstat(self._data.fileno()).st_size
        if record and size < rows * record:
            self.lost = self._index.execute("DELETE FROM vector WHERE row >= ?", (size // record,)).rowcount
            rows = size // record
        if size > rows * record:
            self._data.truncate(rows * record)

    def close(self) -> None:
        """Close the files. Memory maps that were handed out stay readable."""
        self._data.close()
        if hasattr(self, "_index"):
            self._index.close()

    @property
    def dimensions(self) -> int | None:
        """How long the vectors are, None where the first has yet to come."""
        with self._guard, self._failing_clearly():
            found = self._record_bytes() // _NUMBER_BYTES
        return found or None

    def __len__(self) -> int:
        """Return the number of vectors."""
        with self._guard, self._failing_clearly():
            return self._rows()

    def find(self, keys: Sequence[bytes]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the row of each key in the store (-1: it has none) and whether its text was truncated."""
        import numpy as np

        rows, truncated = np.full(len(keys), -1, dtype=np.int64), np.zeros(len(keys), dtype=np.bool_)
        for start in range(0, len(keys), _KEYS_AT_ONCE):
            part = keys[start : start + _KEYS_AT_ONCE]
            with self._guard, self._failing_clearly():
                found = {key: (row, cut) for key, row, cut in self._named(part)}
            for place, key in enumerate(part, start):
                if key in found:
                    rows[place], truncated[place] = found[key]
        return rows, truncated

    def append(self, keys: Sequence[bytes], vectors: NDArray[np.float32], truncated: NDArray[np.bool_]) -> int:
        """Add vectors, whole and on the disk when this returns; those that are there already are left as they are.

        Returns how many were added. Keys must differ from each other.

        Raises:
            StorageError: they are of other dimensions than the store's, or cannot be written (the disk is full).
        """
        if not keys:
            return 0
        with self._guard, self._failing_clearly(), self._writing():
            self._about("dimensions", str(vectors.shape[1]))
            known = {each[0] for start in range(0, len(keys), _KEYS_AT_ONCE)
                     for each in self._named(keys[start : start + _KEYS_AT_ONCE])}  # fmt: skip
            new = [place for place, key in enumerate(keys) if key not in known]
            first = self._rows()
            self._data.seek(first * self._record_bytes())
            _write_all(self._data, vectors[new].astype("<f4").tobytes())
            os.fsync(self._data.fileno())
            self._index.executemany(
                "INSERT INTO vector VALUES (?, ?, ?)",
                ((first + number, keys[place], int(truncated[place])) for number, place in enumerate(new)),
            )
        return len(new)

    def matrix(self) -> NDArray[np.float32]:
        """Return all vectors as a read-only memory map of shape (rows, dimensions): nothing is read before it is used."""
        import numpy as np

        dimensions, rows = self.dimensions or 0, len(self)
        if rows == 0:
            return np.empty((0, dimensions), dtype=np.float32)
        mapped: NDArray[np.float32] = np.memmap(
            self.folder / DATA_FILE, dtype="<f4", mode="r", shape=(rows, dimensions)
        )
        return mapped

    def _named(self, keys: Sequence[bytes]) -> list[tuple[bytes, int, int]]:
        marks = ", ".join("?" * len(keys))
        # The marks are question marks alone.
        return self._index.execute(
            f"SELECT sha256, row, truncated FROM vector WHERE sha256 IN ({marks})",
            list(keys),
        ).fetchall()

    def _rows(self) -> int:
        (last,) = self._index.execute("SELECT max(row) FROM vector").fetchone()
        return 0 if last is None else int(last) + 1

    def _record_bytes(self) -> int:
        row = self._index.execute("SELECT value FROM about WHERE name = 'dimensions'").fetchone()
        return int(row[0]) * _NUMBER_BYTES if row else 0

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Hold the write lock: no other process writes data or index meanwhile."""
        self._index.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._index.execute("COMMIT")
        except BaseException:
            if self._index.in_transaction:
                self._index.execute("ROLLBACK")
            raise

    @contextmanager
    def _failing_clearly(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise StorageError(f"The index of the vectors in {self.folder} cannot be used now ({error}).") from None
        except sqlite3.Error as error:
            raise StorageError(
                f"The index of the vectors in {self.folder} is damaged ({error}): delete that folder; they are computed anew."
            ) from None
        except OSError as error:
            raise StorageError(f"Vectors cannot be written to {self.folder} ({error.strerror}).") from None


def _write_all(file: FileIO, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[file.write(view) :]


def _flush_folder(folder: Path) -> None:
    """Make the names of new files durable (where folders can be flushed at all)."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)

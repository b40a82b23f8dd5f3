"""The content hash of a dataset revision: the same content has the same hash, whatever form it was written in.

The hash is SHA-256 over dataset fields and, for each table and column in schema order, over the values after
normalisation. Every stream of values is hashed in three parts (which values are null, how long each is, the values), so
no two different columns give the same bytes: nulls as one byte each, lengths as little-endian int64, text as UTF-8,
numbers as little-endian float64 or int64. It rests on no library's own serialisation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from audit_core.importers.bundle_info import BundleInfo
from audit_core.importers.bundle_schema import Kind

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import polars as pl

#: Changes when the rule for hashing changes, so that old and new hashes are never taken for one another.
HASH_RULE = b"assay content 1"
#: So many values are hashed at a time; the result does not depend on it.
SLICE_ROWS = 100_000
#: So many columns of a table are hashed side by side.
COLUMNS_AT_ONCE = 2


class ColumnHash:
    """The running hash of one column; values may come in any number of slices."""

    def __init__(self, name: str, kind: Kind) -> None:
        self._kind = kind
        self._head = f"{name}\x00{_type_word(kind)}\x00".encode()
        self._nulls, self._lengths, self._values = hashlib.sha256(), hashlib.sha256(), hashlib.sha256()
        self._items = ColumnHash("item", Kind.TEXT) if kind in (Kind.IDS, Kind.CODES) else None
        self._rows = 0

    def add(self, values: pl.Series) -> None:
        """Take in the next values."""
        for start in range(0, values.len(), SLICE_ROWS):
            self._add(values.slice(start, SLICE_ROWS))

    def _add(self, values: pl.Series) -> None:
        import numpy as np
        import polars as pl

        self._rows += values.len()
        self._nulls.update(values.is_null().cast(pl.UInt8).to_numpy().tobytes())
        if self._items is not None:
            lengths = values.list.len().fill_null(0).cast(pl.Int64).to_numpy()
            self._lengths.update(lengths.astype("<i8").tobytes())
            self._items.add(values.drop_nulls().filter(values.drop_nulls().list.len() > 0).explode())
        elif self._kind in (Kind.NUMBER, Kind.CRITERION):
            # Adding 0.0 makes -0.0 and 0.0 the same number.
            self._values.update((values.fill_null(0.0).to_numpy() + 0.0).astype("<f8").tobytes())
        elif self._kind is Kind.WHOLE:
            self._values.update(values.fill_null(0).cast(pl.Int64).to_numpy().astype("<i8").tobytes())
        elif self._kind is Kind.FLAG:
            self._values.update(values.fill_null(False).cast(pl.UInt8).to_numpy().tobytes())
        else:
            offsets, data = _text_buffers(values.fill_null(""))
            self._lengths.update(np.diff(offsets).astype("<i8").tobytes())
            self._values.update(data)

    def digest(self) -> bytes:
        """Return the hash of the values so far."""
        whole = hashlib.sha256(self._head + self._rows.to_bytes(8, "little"))
        for part in (self._nulls, self._lengths, self._values):
            whole.update(part.digest())
        if self._items is not None:
            whole.update(self._items.digest())
        return whole.digest()


def _text_buffers(text: pl.Series) -> tuple[npt.NDArray[np.int64], memoryview]:
    """Return the text as Arrow holds it: where each value begins and ends, in bytes, and all of it as UTF-8."""
    import numpy as np
    import polars as pl

    array = text.rechunk().to_arrow(compat_level=pl.CompatLevel.oldest())
    _, offsets, data = array.buffers()
    ends = np.frombuffer(offsets, np.int64, len(array) + 1, 8 * array.offset) if len(array) else np.zeros(1, np.int64)
    return ends, memoryview(data or b"")[int(ends[0]) : int(ends[-1])]


def _type_word(kind: Kind) -> str:
    words = {Kind.NUMBER: "float64", Kind.CRITERION: "float64", Kind.WHOLE: "int64", Kind.FLAG: "bool"}
    return "list" if kind in (Kind.IDS, Kind.CODES) else words.get(kind, "text")


def frame_hash(frame: pl.DataFrame, columns: Sequence[tuple[str, Kind]]) -> bytes:
    """Return the hash of the named columns of a frame, in that order; other columns do not count."""

    def digest(column: tuple[str, Kind]) -> bytes:
        running = ColumnHash(*column)
        running.add(frame[column[0]])
        return running.digest()

    with ThreadPoolExecutor(COLUMNS_AT_ONCE, "hash") as pool:
        return hashlib.sha256(b"".join(pool.map(digest, columns))).digest()


def table_hash(frame: pl.DataFrame, columns: Sequence[tuple[str, Kind]], extra: str = "") -> str:
    """Return the hash of a table that stands alone (judgments, labels) as 64 hexadecimal digits."""
    running = hashlib.sha256(HASH_RULE + b" table\x00")
    running.update(frame_hash(frame, columns))
    running.update(_text(extra))
    return running.hexdigest()


def content_hash(info: BundleInfo, tables: Iterable[tuple[str, bytes]], attachments: Mapping[str, str]) -> str:
    """Return the hash of a dataset revision as 64 hexadecimal digits.

    `tables` are the names and `frame_hash` of the tables in schema order; `attachments` maps names of runs and
    embeddings to their hashes. The spelling of the media root does not count, for it says only where the files lie.
    """
    running = hashlib.sha256(HASH_RULE + b" dataset\x00")
    for text in (info.name, info.revision, info.license, info.page_numbering, info.box_units):
        running.update(_text(text))
    running.update(len(info.sources).to_bytes(8, "little"))
    for source in info.sources:
        running.update(_text(source))
    for name, digest in tables:
        running.update(_text(name) + digest)
    for name in sorted(attachments):
        running.update(_text(name) + _text(attachments[name]))
    return running.hexdigest()


def _text(value: str) -> bytes:
    data = value.encode("utf-8")
    return len(data).to_bytes(8, "little") + data

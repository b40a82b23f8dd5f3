"""Texts to vectors through the cache: what is there is not computed again, and what is computed is there at once."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from audit_core.errors import InferenceError
from audit_core.inference.embedder import Batch, Cancelled, Embedder, Fault, Identity, State
from audit_core.inference.vector_store import VectorStore, text_key

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: (texts that are done with, different texts in all)
Report = Callable[[int, int], object]
#: So many batches in a row without a single vector, and the rest would fare no better.
_FRUITLESS = 3
#: Vectors that lie scattered are put in order in memory up to this size, in an unnamed file above it.
_IN_MEMORY_BYTES = 256 * 1024 * 1024
_ROWS_AT_ONCE = 16_384


@dataclass(frozen=True, slots=True)
class Vectors:
    """One vector a text, in the order of the texts.

    `values` is float32 of shape (n, dimensions), perhaps a read-only memory map; rows without a vector are NaN and in
    `faults` (row -> why). Rows: `from_cache` were there before, `computed` were not, and with `faults` they make n.
    `truncated` is how many rows' texts were cut at the model's limit, those from the cache too (an endpoint does not
    tell). `tokens` were read for these vectors now; `requested` texts, each once, were given to the embedder.
    """

    identity: Identity
    values: NDArray[np.float32]
    faults: dict[int, Fault] = field(default_factory=dict)
    from_cache: int = 0
    computed: int = 0
    truncated: int = 0
    tokens: int = 0
    requested: int = 0

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.values)


def embed_texts(
    embedder: Embedder, texts: Sequence[str], *, cache: Path | None, report: Report | None = None,
    cancelled: Cancelled | None = None,
) -> Vectors:  # fmt: skip
    """Return a vector for each text, in their order; each different text is computed once, and never if it is in `cache`.

    `cache` is the folder of vector stores (`vector_store.cache_folder()`), None to keep nothing. Every batch is on the
    disk before the next is begun, so a killed run loses at most the batch in flight. Blank texts have no vector. Where
    `cancelled` returns True, the texts that are left are faults of the state CANCELLED.

    Raises:
        InferenceError: the embedder cannot work, three batches in a row gave no vector, or a text is not Unicode.
        StorageError: the cache cannot be read or written.
    """
    keys, faults = _keys(texts)
    different = list(dict.fromkeys(key for key in keys if key is not None))
    first_row = {key: row for row, key in reversed(list(enumerate(keys))) if key is not None}
    store = VectorStore(cache, embedder.identity) if cache is not None and embedder.is_cached else None
    try:
        run = _Run(embedder, store, report or _silent, cancelled or _never)
        run.start(different)
        run.compute([(key, texts[first_row[key]]) for key in different if key not in run.places])
        matrix = store.matrix() if store is not None else run.in_memory()
    finally:
        if store is not None:
            store.close()
    return _by_row(run, keys, faults, matrix, cache)


class _Run:
    """One call of `embed_texts`: which texts have a place, which a fault, and what it took."""

    def __init__(self, embedder: Embedder, store: VectorStore | None, report: Report, cancelled: Cancelled) -> None:
        self.embedder, self.store, self.report, self.cancelled = embedder, store, report, cancelled
        self.places: dict[bytes, int] = {}
        self.before: frozenset[bytes] = frozenset()
        self.faults: dict[bytes, Fault] = {}
        self.truncated: set[bytes] = set()
        self.tokens = self.requested = 0
        self._parts: list[NDArray[np.float32]] = []
        self._dimensions = store.dimensions if store is not None else embedder.identity.dimensions

    def start(self, keys: Sequence[bytes]) -> None:
        """Look up what is there already."""
        if self.store is not None:
            self._find(keys)
        self.before = frozenset(self.places)
        self.report(len(self.places), len(keys))

    def compute(self, items: Sequence[tuple[bytes, str]]) -> None:
        """Embed texts in batches, and keep each batch before the next."""
        fruitless, total = 0, len(self.places) + len(items)
        for start in range(0, len(items), self.embedder.batch_size):
            part = items[start : start + self.embedder.batch_size]
            if self.cancelled():
                says = "it was cancelled before its turn came"
                self.faults.update(dict.fromkeys((key for key, _ in items[start:]), Fault(State.CANCELLED, says)))
                return
            batch = self._checked(self.embedder.embed([text for _, text in part], cancelled=self.cancelled))
            self.requested += len(part)
            self.tokens += batch.tokens
            self._keep([key for key, _ in part], batch)
            fruitless = fruitless + 1 if len(batch.faults) == len(part) else 0
            if fruitless == _FRUITLESS and not self.cancelled():
                raise InferenceError(
                    f"{self.embedder.identity.model} gave no vector for {_FRUITLESS} batches of texts in a row, the last "
                    f"time because {next(iter(batch.faults.values())).says}. What came before is kept."
                )
            self.report(len(self.places) + len(self.faults), total)

    def _checked(self, batch: Batch) -> Batch:
        """Return the batch, its vectors turned into faults where they are of other dimensions than those before."""
        found = batch.vectors.shape[1]
        if len(batch.faults) == len(batch.vectors):
            return batch
        if self._dimensions is None:
            self._dimensions = found
        if found == self._dimensions:
            return batch
        fault = Fault(
            State.WRONG_DIMENSIONS, f"the vector has {found} dimensions, and those before it {self._dimensions}"
        )
        rows = range(len(batch.vectors))
        return Batch(batch.vectors, batch.truncated, batch.tokens, {row: batch.faults.get(row, fault) for row in rows})

    def _keep(self, keys: list[bytes], batch: Batch) -> None:
        good = [row for row in range(len(keys)) if row not in batch.faults]
        self.faults.update({keys[row]: fault for row, fault in batch.faults.items()})
        kept, vectors, truncated = [keys[row] for row in good], batch.vectors[good], batch.truncated[good]
        if self.store is not None:
            self.store.append(kept, vectors, truncated)
            # Another process may have been first: the rows are the store's to say.
            self._find(kept)
            return
        self.places.update({key: len(self.places) + number for number, key in enumerate(kept)})
        self.truncated.update(key for key, is_cut in zip(kept, truncated.tolist(), strict=True) if is_cut)
        if kept:
            self._parts.append(vectors)

    def _find(self, keys: Sequence[bytes]) -> None:
        assert self.store is not None
        rows, truncated = self.store.find(keys)
        for key, row, is_cut in zip(keys, rows.tolist(), truncated.tolist(), strict=True):
            if row >= 0:
                self.places[key] = row
                if is_cut:
                    self.truncated.add(key)

    def in_memory(self) -> NDArray[np.float32]:
        """Return the vectors of this run in order of their places, where no store keeps them."""
        import numpy as np

        return np.concatenate(self._parts) if self._parts else np.empty((0, self._dimensions or 0), dtype=np.float32)


def _by_row(
    run: _Run, keys: Sequence[bytes | None], faults: dict[int, Fault], matrix: NDArray[np.float32], folder: Path | None
) -> Vectors:
    """Return what a run found for each text; `faults` are those of the blank ones."""
    import numpy as np

    rows = np.full(len(keys), -1, dtype=np.int64)
    truncated = from_cache = 0
    for row, key in enumerate(keys):
        if key is None:
            continue
        if key in run.faults:
            faults[row] = run.faults[key]
            continue
        rows[row] = run.places[key]
        truncated += key in run.truncated
        from_cache += key in run.before
    return Vectors(
        identity=run.embedder.identity, values=in_order(matrix, rows, folder=folder), faults=faults,
        from_cache=from_cache, computed=len(keys) - len(faults) - from_cache, truncated=truncated, tokens=run.tokens,
        requested=run.requested,
    )  # fmt: skip


def in_order(matrix: NDArray[np.float32], rows: NDArray[np.int64], *, folder: Path | None) -> NDArray[np.float32]:
    """Return the rows of a matrix in the order asked for, as float32; -1 asks for a row of NaN.

    Rows that lie one after the other are a part of the matrix itself (of a memory map: nothing is read). Others are
    copied: above 256 MiB into an unnamed file in `folder` that vanishes with the array, so memory stays free.
    """
    import numpy as np

    if len(rows) and matrix.dtype == np.float32 and rows[0] >= 0 and (np.diff(rows) == 1).all():
        return matrix[rows[0] : rows[0] + len(rows)]
    shape = (len(rows), matrix.shape[1])
    values: NDArray[np.float32]
    if shape[0] * shape[1] * 4 > _IN_MEMORY_BYTES:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            values = np.memmap(file, dtype=np.float32, mode="w+", shape=shape)
    else:
        values = np.empty(shape, dtype=np.float32)
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        part = rows[start : start + _ROWS_AT_ONCE]
        into = values[start : start + len(part)]
        into[part < 0] = np.nan
        with np.errstate(over="ignore"):
            into[part >= 0] = matrix[part[part >= 0]]
    return values


def _keys(texts: Sequence[str]) -> tuple[list[bytes | None], dict[int, Fault]]:
    """Return the key of each text, None of those that are blank, and their faults."""
    keys: list[bytes | None] = []
    faults: dict[int, Fault] = {}
    for row, text in enumerate(texts):
        if not text.strip():
            faults[row] = Fault(State.EMPTY_TEXT, "there is no text to embed")
            keys.append(None)
            continue
        try:
            keys.append(text_key(text))
        except UnicodeEncodeError as error:
            raise InferenceError(
                f"Text {row + 1:,} holds half a character (a lone surrogate, at character {error.start + 1:,}): mend it."
            ) from None
    return keys, faults


def _silent(done: int, total: int) -> None:
    """Report to nobody."""


def _never() -> bool:
    return False

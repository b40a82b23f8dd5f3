"""A process that adds vectors to a store: `python -m tests.inference.appending CACHE FIRST LAST STEP [die]`.

The vector of number n is n, n + 1, n + 2. With `die` it kills itself after its last rows were written and before the
index names them.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import numpy as np

from audit_core.inference.embedder import Identity
from audit_core.inference.vector_store import VectorStore, text_key

IDENTITY = Identity("test", "numbers", "here", 3, False)


def key_of(number: int) -> bytes:
    """Return the key of a number."""
    return text_key(f"number {number}")


def vectors_of(numbers: range) -> np.ndarray:
    """Return the vectors of numbers."""
    return np.array([[number, number + 1, number + 2] for number in numbers], dtype=np.float32)


def add(store: VectorStore, numbers: range) -> int:
    """Add the vectors of numbers."""
    return store.append([key_of(number) for number in numbers], vectors_of(numbers), np.zeros(len(numbers), dtype=bool))


def main(cache: str, first: int, last: int, step: int, *, die: bool) -> None:
    """Add the numbers from first to last, so many at a time."""
    store = VectorStore(Path(cache), IDENTITY)
    flush = os.fsync
    for start in range(first, last, step):
        if die and start + step >= last:

            def flush_and_die(file: int) -> None:
                flush(file)
                os.kill(os.getpid(), signal.SIGKILL)

            os.fsync = flush_and_die
        add(store, range(start, min(start + step, last)))
    store.close()


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:5]), die="die" in sys.argv[5:])

"""Embedding: texts a second of the local model, and what it costs to open a full-size cache of vectors."""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from audit_core.inference.embedder import Identity
from audit_core.inference.embedder_minilm import MiniLm
from audit_core.inference.embedding import embed_texts
from audit_core.inference.vector_store import VectorStore
from benchmarks.measuring import peak_bytes, print_table, write_json

WORDS = (
    "which", "what", "how", "many", "report", "revenue", "page", "table", "figure", "document", "company", "law", "river",
    "author", "year", "total", "section", "the", "of", "in",
)  # fmt: skip
_AT_ONCE = 8_000


def identity(dimensions: int) -> Identity:
    """Return whose vectors those of the benchmark are."""
    return Identity("benchmark", "random numbers", "benchmarks.embed", dimensions, False)


def made_texts(count: int) -> list[str]:
    """Return different texts of 5 to 30 words, the lengths of queries."""
    random = np.random.default_rng(0)
    return [
        " ".join([*random.choice(WORDS, size=random.integers(5, 31)).tolist(), str(number)]) for number in range(count)
    ]


def keys(count: int) -> list[bytes]:
    """Return the keys of the made vectors."""
    return [hashlib.sha256(str(number).encode()).digest() for number in range(count)]


def local_model(folder: Path, count: int) -> dict[str, float]:
    """Embed texts with the local model into an empty cache, then again from it."""
    texts = made_texts(count)
    model = MiniLm()
    started = time.perf_counter()
    model.embed(texts[:1])
    loaded = time.perf_counter()
    first = embed_texts(model, texts, cache=folder)
    computed = time.perf_counter()
    embed_texts(MiniLm(), texts, cache=folder)
    again = time.perf_counter()
    return {
        "texts": count, "tokens": first.tokens, "load_seconds": loaded - started,
        "texts_a_second": first.computed / (computed - loaded), "from_cache_a_second": count / (again - computed),
        "peak_bytes": peak_bytes(),
    }  # fmt: skip


def fill(folder: Path, rows: int, dimensions: int) -> dict[str, float]:
    """Write a cache of random vectors."""
    store, names = VectorStore(folder, identity(dimensions)), keys(rows)
    random = np.random.default_rng(1)
    spent = 0.0
    for start in range(len(store), rows, _AT_ONCE):
        part = names[start : start + _AT_ONCE]
        vectors = random.random((len(part), dimensions), dtype=np.float32)
        started = time.perf_counter()
        store.append(part, vectors, np.zeros(len(part), dtype=bool))
        spent += time.perf_counter() - started
    store.close()
    return {"append_seconds": spent}


def open_it(folder: Path, rows: int, dimensions: int) -> dict[str, float]:
    """Open the cache, find every text in it, and read one vector; in a process of its own, for its memory."""
    before = peak_bytes()
    started = time.perf_counter()
    store = VectorStore(folder, identity(dimensions))
    matrix = store.matrix()
    _ = float(matrix[len(matrix) // 2, 0])
    opened, opened_peak = time.perf_counter(), peak_bytes()
    names = keys(rows)
    named, named_peak = time.perf_counter(), peak_bytes()
    found, _ = store.find(names)
    done = time.perf_counter()
    assert (found >= 0).all()
    return {
        "data_bytes": float(matrix.nbytes), "open_seconds": opened - started, "open_bytes": opened_peak - before,
        "find_seconds": done - named, "find_bytes": peak_bytes() - named_peak,
    }  # fmt: skip


def main() -> None:
    """Run the parts that are asked for, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the caches are written: 1.7 GB at full size")
    parser.add_argument("--texts", type=int, default=2000, help="texts for the local model; 0 leaves it out")
    parser.add_argument("--rows", type=int, default=388_000, help="cached vectors; 0 leaves them out")
    parser.add_argument("--dimensions", type=int, default=1024)
    parser.add_argument("--json", type=Path, help="write the figures to this file as well")
    parser.add_argument("--open-only", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.open_only:
        print_table(("figure", "value"), list(open_it(options.folder, options.rows, options.dimensions).items()))
        return
    result: dict[str, float] = {}
    if options.rows:
        result |= fill(options.folder, options.rows, options.dimensions)
        sizes = ["--rows", str(options.rows), "--dimensions", str(options.dimensions)]
        command = [sys.executable, "-m", "benchmarks.embed", str(options.folder), "--open-only", *sizes]
        subprocess.run(command, check=True)
    if options.texts:
        result |= local_model(options.folder, options.texts)
    print_table(("figure", "value"), [(name, f"{value:,.2f}") for name, value in result.items()])
    if options.json:
        write_json(options.json, result)


if __name__ == "__main__":
    main()

"""Frozen runs: for every query a hundred pages, the evidence pages among them the higher the better the method."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.full_size.layout import Ints

DEPTH = 100
_QUERIES_AT_ONCE = 20_000
#: The chance that a page of evidence is found at all, of the worst and of the best run.
_FOUND = (0.45, 0.95)
_LARGE_DICTIONARY = 64 * 1024 * 1024


def write_runs(
    folder: Path, count: int, queries: npt.NDArray[Any], pages: npt.NDArray[Any], evidence: Ints, seed: int
) -> None:
    """Write `count` runs as Parquet files to `folder`/runs, each better than the one before.

    `queries` and `pages` are ids as text; `evidence` holds the page rows of each query, -1 where it has fewer.
    """
    (folder / "runs").mkdir(exist_ok=True)
    for number in range(count):
        quality = (number + 1) / count
        place = folder / "runs" / f"method-{number + 1:02d}.parquet"
        _write_run(place, quality, queries, pages, evidence, np.random.default_rng([seed, number]))


def _write_run(
    place: Path,
    quality: float,
    queries: npt.NDArray[Any],
    pages: npt.NDArray[Any],
    evidence: Ints,
    rng: np.random.Generator,
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    fields = [("query_id", pa.string()), ("page_id", pa.string()), ("rank", pa.int32()), ("score", pa.float32())]
    query_ids, page_ids = pa.array(queries.tolist()), pa.array(pages.tolist())
    depth = min(DEPTH, len(pages))
    dictionary = pa.dictionary(pa.int32(), pa.string())
    schema = pa.schema([(name, dictionary if kind == pa.string() else kind) for name, kind in fields])
    # Without the Arrow schema the ids are read back as plain text, as any reader of Parquet sees them.
    with pq.ParquetWriter(place, schema, store_schema=False, dictionary_pagesize_limit=_LARGE_DICTIONARY) as writer:
        for start in range(0, len(queries), _QUERIES_AT_ONCE):
            own = evidence[start : start + _QUERIES_AT_ONCE]
            ranked = _rank(own, len(pages), depth, quality, rng)
            rows = np.repeat(np.arange(start, start + len(own), dtype=np.int32), depth)
            score = np.sort(rng.random((len(own), depth), dtype=np.float32), axis=1)[:, ::-1]
            columns = [
                pa.DictionaryArray.from_arrays(pa.array(rows), query_ids),
                pa.DictionaryArray.from_arrays(pa.array(ranked.ravel().astype(np.int32)), page_ids),
                pa.array(np.tile(np.arange(1, depth + 1, dtype=np.int32), len(own))),
                pa.array(np.ascontiguousarray(score).ravel()),
            ]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))


def _rank(evidence: Ints, pages: int, depth: int, quality: float, rng: np.random.Generator) -> Ints:
    """Return a row of `depth` distinct pages a query: a walk through all pages, with evidence put in among them."""
    count, most = evidence.shape
    # A step that has no factor in common with the number of pages meets none of them twice.
    steps = np.array([step for step in range(1, 2_000) if np.gcd(step, pages) == 1])
    walk = rng.integers(pages, size=(count, 1)) + np.arange(depth + most) * rng.choice(steps, size=(count, 1))
    walk %= pages
    keys = np.broadcast_to(np.arange(depth + most, dtype=np.float64), walk.shape).copy()
    found = (evidence >= 0) & (rng.random(evidence.shape) < _FOUND[0] + quality * (_FOUND[1] - _FOUND[0]))
    depths = rng.geometric(0.08 + 0.3 * quality, size=evidence.shape) - 1.5
    for column in range(most):
        keys[walk == evidence[:, [column]]] = np.inf
    every = np.hstack([walk, np.maximum(evidence, 0)])
    keys = np.hstack([keys, np.where(found, depths + 0.01 * np.arange(most), np.inf)])
    order = np.argsort(keys, axis=1, kind="stable")[:, :depth]
    return np.take_along_axis(every, order, axis=1)

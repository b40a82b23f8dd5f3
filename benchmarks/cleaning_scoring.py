"""Times scoring a whole benchmark from a memory map with each learned strategy, against the bare calls of its library.

Each measurement is a process of its own: it trains on 1,150 queries, scores all, and reports the seconds of scoring and
its peak of memory. The bare calls read the same parts of the same map.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measuring import peak_bytes, print_table, write_json

STRATEGIES = ("logistic_regression", "xgboost", "knn")
TRAINING = 1_150
#: Rows that the bare calls read at once: as many as the strategies do.
ROWS_AT_ONCE = 4096


def write_vectors(path: Path, n: int, dimensions: int, seed: int = 1) -> None:
    """Write n random unit vectors as a float32 .npy, a part at a time."""
    chance = np.random.default_rng(seed)
    out = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(n, dimensions))
    for start in range(0, n, 16_384):
        part = chance.normal(size=(min(16_384, n - start), dimensions)).astype(np.float32)
        out[start : start + len(part)] = part / np.linalg.norm(part, axis=1, keepdims=True)
    out.flush()


def training(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return the first 1,150 vectors and labels that the first numbers tell a little of."""
    vectors = np.array(np.load(path, mmap_mode="r")[:TRAINING])
    noise = np.random.default_rng(2).normal(scale=0.1, size=len(vectors))
    return vectors, vectors[:, :8].sum(axis=1) + noise > 0.05


def measure(name: str, way: str, path: Path) -> dict[str, Any]:
    """Return seconds of scoring, the peak of memory and the sum of the scores, of the strategy or of its bare library."""
    vectors, remove = training(path)
    mapped = np.load(path, mmap_mode="r")
    score = (_of_strategy if way == "strategy" else _of_library)(name, vectors, remove, len(mapped))
    started = time.perf_counter()
    values = score(mapped)
    return {"seconds": time.perf_counter() - started, "peak_bytes": peak_bytes(), "sum": float(values.sum())}


def _of_strategy(name: str, vectors: np.ndarray, remove: np.ndarray, n: int) -> Callable[[np.ndarray], np.ndarray]:
    from benchmarks.cleaning_compare import query_table
    from cleaning.catalogue import build_strategy
    from cleaning.contract import Inputs

    fitted = build_strategy(name).fit(Inputs(query_table(len(vectors)), vectors), remove, seed=1)

    queries = query_table(n)

    def score(mapped: np.ndarray) -> np.ndarray:
        return fitted.score(Inputs(queries, mapped)).values

    return score


def _of_library(name: str, vectors: np.ndarray, remove: np.ndarray, n: int) -> Callable[[np.ndarray], np.ndarray]:
    from benchmarks.cleaning_compare import bare_model

    model = bare_model(name, c=0.01).fit(vectors, remove)

    def score(mapped: np.ndarray) -> np.ndarray:
        parts = range(0, len(mapped), ROWS_AT_ONCE)
        return np.concatenate([model.predict_proba(mapped[start : start + ROWS_AT_ONCE])[:, 1] for start in parts])

    return score


def _in_a_process(name: str, way: str, path: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.cleaning_scoring", "--one", name, way, str(path)]
    found: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found


def main() -> None:
    """Print seconds, their ratio and the peaks of memory of each strategy."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=388_389)
    parser.add_argument("--dimensions", type=int, default=1_024)
    parser.add_argument("--rounds", type=int, default=2, help="the fastest of so many counts, of either way")
    parser.add_argument(
        "--folder", type=Path, help="where the vectors are written (1.6 GB); a temporary one if not given"
    )
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    parser.add_argument("--one", nargs=3, metavar=("STRATEGY", "WAY", "VECTORS"), help="one measurement, as JSON")
    given = parser.parse_args()
    if given.one:
        name, way, path = given.one
        print(json.dumps(measure(name, way, Path(path))))
        return
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        path = Path(folder) / "vectors.npy"
        write_vectors(path, given.queries, given.dimensions)
        rows = []
        for name in STRATEGIES:
            runs = [
                (way, _in_a_process(name, way, path)) for _ in range(given.rounds) for way in ("library", "strategy")
            ]
            best = {
                w: min((run for way, run in runs if way == w), key=lambda run: run["seconds"])
                for w in ("library", "strategy")
            }
            rows.append(
                {
                    "strategy": name,
                    **{f"{key}_{way}": best[way][key] for way in best for key in ("seconds", "peak_bytes")},
                }
            )
    print_table(("strategy", "library", "strategy", "ratio", "peak library", "peak strategy"), [
        (row["strategy"], f"{row['seconds_library']:.1f} s", f"{row['seconds_strategy']:.1f} s",
         f"{row['seconds_strategy'] / row['seconds_library']:.2f}", f"{row['peak_bytes_library'] / 1e9:.2f} GB",
         f"{row['peak_bytes_strategy'] / 1e9:.2f} GB") for row in rows
    ])  # fmt: skip
    if given.json:
        write_json(given.json, {"queries": given.queries, "dimensions": given.dimensions, "strategies": rows})


if __name__ == "__main__":
    main()

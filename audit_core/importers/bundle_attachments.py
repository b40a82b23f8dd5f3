"""Frozen runs and embeddings of a bundle: checked and hashed here, kept as the files they are."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit_core.importers.bundle_faults import FaultLog, shown
from audit_core.importers.bundle_runs import check_run

if TYPE_CHECKING:
    import polars as pl

RUNS_FOLDER = "runs"
EMBEDDINGS_FOLDER = "embeddings"
_ROWS_AT_ONCE = 20_000


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file (or pair of files) that goes with a dataset.

    `kind` is `run` or `embedding`, `name` the method or model, `files` the paths relative to the bundle, `rows` the
    retrieved pages or vectors, `hash` that of the content (of a run: the same in both forms).
    """

    kind: str
    name: str
    files: tuple[str, ...]
    rows: int
    hash: str


def read_attachments(
    folder: Path, query_ids: pl.Series, page_ids: pl.Series, log: FaultLog, advance: Callable[[float], None]
) -> list[Attachment]:
    """Return the runs and embeddings of a bundle; those that cannot be read are faults, and left out when lenient."""
    found: list[Attachment] = []
    jobs = [*_runs(folder, log), *_embeddings(folder, log)]
    for number, (kind, name, files) in enumerate(jobs):
        if kind == "run":
            result = check_run(folder / files[0], files[0], query_ids, page_ids, log)
        else:
            result = _check_embedding(folder, files, query_ids, log)
        if result is not None:
            found.append(Attachment(kind, name, files, *result))
            log.counts[f"{kind}s"] += 1
        advance((number + 1) / len(jobs))
    return found


def _runs(folder: Path, log: FaultLog) -> list[tuple[str, str, tuple[str, ...]]]:
    place = folder / RUNS_FOLDER
    files = sorted(each for each in place.iterdir() if each.suffix in (".trec", ".parquet")) if place.is_dir() else []
    by_name: dict[str, list[Path]] = {}
    for each in files:
        by_name.setdefault(each.name.removesuffix(each.suffix), []).append(each)
    found: list[tuple[str, str, tuple[str, ...]]] = []
    for name, forms in by_name.items():
        if len(forms) > 1:
            expected = f"one form of the run, but {name}.trec is there too: take one of them away"
            file = f"{RUNS_FOLDER}/{forms[0].name}"
            log.fault(kind="two_forms", file=file, table=f"{RUNS_FOLDER}/{name}", expected=expected)
        else:
            found.append(("run", name, (f"{RUNS_FOLDER}/{forms[0].name}",)))
    return found


def _embeddings(folder: Path, log: FaultLog) -> list[tuple[str, str, tuple[str, ...]]]:
    place = folder / EMBEDDINGS_FOLDER
    found: list[tuple[str, str, tuple[str, ...]]] = []
    for matrix in sorted(place.glob("*.npy")) if place.is_dir() else []:
        name = matrix.name.removesuffix(".npy")
        ids = f"{EMBEDDINGS_FOLDER}/{name}.ids.txt"
        if (folder / ids).is_file():
            found.append(("embedding", name, (f"{EMBEDDINGS_FOLDER}/{matrix.name}", ids)))
        else:
            expected = f"a file {ids} with the query id of each row, one a line"
            table = f"{EMBEDDINGS_FOLDER}/{name}"
            log.fault(kind="missing_file", file=f"{EMBEDDINGS_FOLDER}/{matrix.name}", table=table, expected=expected)
    return found


def _check_embedding(
    folder: Path, files: tuple[str, ...], query_ids: pl.Series, log: FaultLog
) -> tuple[int, str] | None:
    import numpy as np

    matrix_file, ids_file = files
    table = matrix_file.removesuffix(".npy")
    try:
        matrix = np.load(folder / matrix_file, mmap_mode="r", allow_pickle=False)
        is_float = matrix.dtype == np.dtype("float32") and matrix.ndim == 2
        written = f"{matrix.dtype} {matrix.shape}"
    except (OSError, ValueError) as error:
        is_float, written = False, str(error)
    if not is_float:
        expected = "a two-dimensional float32 matrix written by numpy.save"
        log.fault(kind="bad_embedding", file=matrix_file, table=table, value=written, expected=expected)
        return None
    ids = _read_ids(folder / ids_file, ids_file, table, log)
    if ids is None:
        return None
    if len(ids) != matrix.shape[0]:
        expected = f"as many ids as the matrix has rows, {matrix.shape[0]:,}"
        log.fault(kind="bad_embedding", file=ids_file, table=table, value=f"{len(ids):,} ids", expected=expected)
        return None
    _check_ids(ids, ids_file, table, query_ids, log)
    running = hashlib.sha256(f"{matrix.shape[0]} {matrix.shape[1]}\n".encode())
    for start in range(0, matrix.shape[0], _ROWS_AT_ONCE):
        part = np.asarray(matrix[start : start + _ROWS_AT_ONCE])
        for row in np.nonzero(~np.isfinite(part).all(axis=1))[0].tolist():
            log.fault(
                kind="bad_embedding", file=matrix_file, table=table, line=start + row + 1, row_key=ids[start + row],
                expected="finite numbers only",
            )  # fmt: skip
        running.update(part.astype("<f4").tobytes())
    running.update("\n".join(ids).encode("utf-8"))
    return len(ids), running.hexdigest()


def embedding_hash(matrix_file: Path, ids_file: Path, *, without: Collection[str]) -> str:
    """Return the hash of an embedding that was checked before, but for the rows of some queries."""
    import numpy as np

    matrix = np.load(matrix_file, mmap_mode="r", allow_pickle=False)
    log = FaultLog(lenient=True)
    ids = _read_ids(ids_file, ids_file.name, EMBEDDINGS_FOLDER, log) or []
    rows = [row for row, each in enumerate(ids) if each not in without]
    running = hashlib.sha256(f"{len(rows)} {matrix.shape[1]}\n".encode())
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        running.update(np.asarray(matrix[rows[start : start + _ROWS_AT_ONCE]]).astype("<f4").tobytes())
    running.update("\n".join(ids[row] for row in rows).encode("utf-8"))
    return running.hexdigest()


def _read_ids(path: Path, file: str, table: str, log: FaultLog) -> list[str] | None:
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        expected = f"UTF-8 text (byte {error.start + 1} is not)"
        log.fault(kind="invalid_utf8", file=file, table=table, expected=expected)
        return None
    ids = text.split("\n")
    if ids and ids[-1] == "":
        ids.pop()
    return [each.removesuffix("\r") for each in ids]


def _check_ids(ids: list[str], file: str, table: str, query_ids: pl.Series, log: FaultLog) -> None:
    known: set[Any] = set(query_ids)
    is_complete = "queries" not in log.incomplete or log.lenient
    seen: set[str] = set()
    for number, each in enumerate(ids):
        where = {"file": file, "table": table, "line": number + 1, "row_key": each, "value": shown(each)}
        if each not in known and is_complete:
            log.fault(kind="unknown_query", expected="a query_id that is in queries", **where)  # type: ignore[arg-type]
        if each in seen:
            log.fault(kind="conflicting_duplicate", expected="each query once", **where)  # type: ignore[arg-type]
        seen.add(each)

"""Runs and embeddings without some queries: what goes along with a revision in which these are gone or in other words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from audit_core.errors import StorageError

if TYPE_CHECKING:
    from audit_core.datasets.revision import Revision
    from audit_core.importers.bundle_attachments import Attachment

ROWS_AT_ONCE = 20_000
#: Told the part that is done, in [0, 1]; may raise to stop.
Advance = Callable[[float], None]


def without_queries(
    revision: Revision, folder: Path, gone: Collection[str], *, advance: Advance
) -> tuple[tuple[Attachment, ...], list[str]]:
    """Write the runs and embeddings of a revision below `folder/attachments` without the rows of some queries.

    Returns what was written, and a sentence on each. One of which nothing would be left is left out, and said. Lines and
    vectors of the others stay as they are, in their order. It is written a block at a time.

    Raises:
        StorageError: a file cannot be read.
    """
    kept: list[Attachment] = []
    notes: list[str] = []
    for number, each in enumerate(revision.attachments):
        places = revision.attachment_files(each)
        targets = [folder / "attachments" / name for name in each.files]
        for target in targets:
            target.parent.mkdir(parents=True, exist_ok=True)
        step = _step(advance, number, len(revision.attachments))
        try:
            if each.kind == "embedding":
                rows = _embedding(places[0], places[1], targets[0], targets[1], gone, step)
            elif places[0].suffix == ".parquet":
                rows = _parquet_run(places[0], targets[0], gone, each.rows, step)
            else:
                rows = _trec_run(places[0], targets[0], gone, each.rows, step)
        except (OSError, ValueError) as error:
            raise StorageError(
                f"The {each.kind} {each.name} of the dataset cannot be read ({error}): import its bundle again."
            ) from error
        what, unit = ("Run", "lines") if each.kind == "run" else ("Embedding", "vectors")
        if rows:
            kept.append(replace(each, rows=rows))
            notes.append(f"{what} {each.name} keeps {rows:,} of {each.rows:,} {unit}.")
        else:
            for target in targets:
                target.unlink()
            notes.append(f"{what} {each.name} is left out: none of its {each.rows:,} {unit} is of a query that stays.")
    return tuple(kept), notes


def _step(advance: Advance, number: int, count: int) -> Advance:
    return lambda part: advance((number + min(1.0, part)) / count)


def _trec_run(source: Path, target: Path, gone: Collection[str], rows: int, advance: Advance) -> int:
    left = {each.encode("utf-8") for each in gone}
    kept = 0
    with source.open("rb") as lines, target.open("wb") as out:
        for number, line in enumerate(lines):
            if line.split(None, 1)[0] not in left:
                out.write(line)
                kept += 1
            if number % ROWS_AT_ONCE == 0:
                advance(number / max(rows, 1))
    return kept


def _parquet_run(source: Path, target: Path, gone: Collection[str], rows: int, advance: Advance) -> int:
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet as pq

    left = pl.Series(list(gone), dtype=pl.String).implode()
    kept = done = 0
    with pq.ParquetFile(source) as stream, pq.ParquetWriter(target, stream.schema_arrow, compression="zstd") as out:
        for batch in stream.iter_batches(10 * ROWS_AT_ONCE):
            stays = ~pl.Series(pl.from_arrow(batch.column("query_id"))).cast(pl.String).is_in(left).fill_null(False)
            part = batch.filter(pa.array(stays.to_list(), pa.bool_()))
            out.write_batch(part)
            kept += part.num_rows
            done += batch.num_rows
            advance(done / max(rows, 1))
    return kept


def _embedding(
    matrix_file: Path, ids_file: Path, target: Path, ids_target: Path, gone: Collection[str], advance: Advance
) -> int:
    import numpy as np

    matrix = np.load(matrix_file, mmap_mode="r", allow_pickle=False)
    ids = [line.removesuffix("\r") for line in ids_file.read_bytes().decode("utf-8").split("\n")]
    if ids and ids[-1] == "":
        ids.pop()
    if len(ids) != len(matrix):
        raise ValueError(f"{ids_file.name} names {len(ids):,} queries, the matrix has {len(matrix):,} rows")
    rows = np.array([row for row, query_id in enumerate(ids) if query_id not in gone], dtype=np.intp)
    shape = (len(rows), matrix.shape[1])
    if len(rows):
        out = np.lib.format.open_memmap(target, mode="w+", dtype=np.float32, shape=shape)
        for start in _starts(len(rows)):
            out[start : start + ROWS_AT_ONCE] = matrix[rows[start : start + ROWS_AT_ONCE]]
            advance(start / len(rows))
        out.flush()
    else:
        np.save(target, np.empty(shape, np.float32), allow_pickle=False)
    ids_target.write_bytes("".join(f"{ids[row]}\n" for row in rows).encode("utf-8"))
    return len(rows)


def _starts(count: int) -> Iterator[int]:
    return iter(range(0, count, ROWS_AT_ONCE))

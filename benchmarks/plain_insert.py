"""The measure for an import: the same rows by `sqlite3.executemany` into plain tables, in one transaction."""

from __future__ import annotations

import argparse
import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.measuring import peak_bytes, write_json

if TYPE_CHECKING:
    import polars as pl

_ROWS_AT_ONCE = 50_000
_BOX = ("x0", "y0", "x1", "y1")


def insert_bundle(folder: Path, database: Path) -> dict[str, Any]:
    """Insert the rows of a bundle into a new database; return rows, seconds of reading and of inserting.

    Tables have no key and no index, rows are checked for nothing. Inserting is `executemany` and the commit alone.
    """
    reading, inserting = _Clock(), _Clock()
    counts: dict[str, int] = {}
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        batches = _batches(folder)
        while True:
            with reading:
                batch = next(batches, None)
            if batch is None:
                break
            table, columns, rows = batch
            with inserting:
                if table not in counts:
                    connection.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
                connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", rows)
            counts[table] = counts.get(table, 0) + len(rows)
        with inserting:
            connection.execute("COMMIT")
    return {
        "rows": counts, "reading_seconds": reading.wall, "inserting_seconds": inserting.wall,
        "reading_cpu_seconds": reading.cpu, "inserting_cpu_seconds": inserting.cpu, "bytes": database.stat().st_size,
        "peak_bytes": peak_bytes(),
    }  # fmt: skip


class _Clock:
    """Adds up the seconds of its blocks, by the clock and of the processor."""

    def __init__(self) -> None:
        self.wall = self.cpu = 0.0

    def __enter__(self) -> None:
        self._began = time.perf_counter(), time.process_time()

    def __exit__(self, *error: object) -> None:
        self.wall += time.perf_counter() - self._began[0]
        self.cpu += time.process_time() - self._began[1]


def _batches(folder: Path) -> Iterator[tuple[str, list[str], list[tuple[Any, ...]]]]:
    """Yield (table, columns, rows) of documents, pages, elements, queries and evidence."""
    import polars as pl

    for name in ("documents", "pages", "elements", "queries"):
        frame = _read(folder, name)
        if name != "queries":
            yield from _rows(name, frame)
            continue
        evidence = (
            frame.select("query_id", "evidence").explode("evidence", empty_as_null=False).unnest("evidence")
            if frame.height
            else frame
        )
        yield from _rows("queries", frame.drop("evidence").with_columns(pl.col("configured_pages").list.join(" ")))
        yield from _rows("evidence", evidence)


def _read(folder: Path, name: str) -> pl.DataFrame:
    import polars as pl

    parquet = folder / f"{name}.parquet"
    if parquet.is_file():
        return pl.read_parquet(parquet)
    return pl.read_ndjson(folder / f"{name}.jsonl", infer_schema_length=None)


def _rows(name: str, frame: pl.DataFrame) -> Iterator[tuple[str, list[str], list[tuple[Any, ...]]]]:
    import polars as pl

    for column in ("box", "document_box"):
        if column in frame.columns:
            sides = [pl.col(column).list.get(n, null_on_oob=True).alias(f"{column}_{s}") for n, s in enumerate(_BOX)]
            frame = frame.with_columns(sides).drop(column)
    for start in range(0, frame.height, _ROWS_AT_ONCE):
        yield name, frame.columns, frame.slice(start, _ROWS_AT_ONCE).rows()


def main() -> None:
    """Insert the bundle of the arguments and write the result."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.plain_insert", description=__doc__)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("database", type=Path, help="a new SQLite file")
    parser.add_argument("--json", type=Path, help="write the result here instead of printing it")
    arguments = parser.parse_args()
    result = insert_bundle(arguments.bundle, arguments.database)
    if arguments.json:
        write_json(arguments.json, result)
    else:
        print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()

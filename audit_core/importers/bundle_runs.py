"""Frozen runs of a bundle: every retrieved page is checked, in blocks, and the run is hashed on the way."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from audit_core.importers.bundle_faults import FaultLog, shown
from audit_core.importers.bundle_schema import Kind
from audit_core.importers.content_hash import HASH_RULE, ColumnHash

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import polars as pl

BLOCK_BYTES = 32 * 1024 * 1024
BLOCK_ROWS = 1_000_000
#: So many faults of one kind in one run become findings of a lenient import; the rest is counted in one more finding.
FINDINGS_PER_KIND = 1_000
COLUMNS = (("query_id", Kind.ID), ("page_id", Kind.ID), ("rank", Kind.WHOLE), ("score", Kind.NUMBER))
_TREC_FIELDS = ("query_id", "iteration", "page_id", "rank", "score", "tag")


class _UnreadableRunError(Exception):
    """The run cannot be read on; its fault is in the log."""


def check_run(
    path: Path, file: str, query_ids: pl.Series, page_ids: pl.Series, log: FaultLog
) -> tuple[int, str] | None:
    """Return the number of retrieved pages of a run and its hash, None where it cannot be read.

    The hash covers query, page, rank and score of each row in the file's order, whichever form the file has.
    """
    import numpy as np

    table = file.removesuffix(path.suffix)
    checker = _RunChecker(file, table, query_ids, page_ids, log)
    hashes = [ColumnHash(name, kind) for name, kind in COLUMNS]
    pairs: list[npt.NDArray[np.int64]] = []
    try:
        for frame in _parquet_blocks(path, checker) if path.suffix == ".parquet" else _trec_blocks(path, checker):
            pairs.append(checker.check(frame))
            for (name, _), running in zip(COLUMNS, hashes, strict=True):
                running.add(frame[name])
    except _UnreadableRunError:
        return None
    checker.check_pairs(np.concatenate(pairs) if pairs else np.empty(0, np.int64))
    checker.close()
    return checker.rows, _whole_hash(hashes)


def _whole_hash(hashes: list[ColumnHash]) -> str:
    return hashlib.sha256(HASH_RULE + b" run\x00" + b"".join(each.digest() for each in hashes)).hexdigest()


def run_hash(blocks: Iterable[pl.DataFrame]) -> str:
    """Return the hash of a run whose rows come in blocks, as `check_run` gives it."""
    hashes = [ColumnHash(name, kind) for name, kind in COLUMNS]
    for frame in blocks:
        for (name, _), running in zip(COLUMNS, hashes, strict=True):
            running.add(frame[name])
    return _whole_hash(hashes)


class _RunChecker:
    """Checks blocks of a run against the ids of the dataset; knows the line of the next row."""

    def __init__(self, file: str, table: str, query_ids: pl.Series, page_ids: pl.Series, log: FaultLog) -> None:
        import polars as pl

        self.file, self.table, self.log = file, table, log
        self.rows = 0
        self._pages = max(page_ids.len(), 1)
        self._queries_known = pl.DataFrame({"query_id": query_ids}).with_row_index("_query")
        self._pages_known = pl.DataFrame({"page_id": page_ids}).with_row_index("_page")
        self._left_out: dict[str, int] = {}
        self._seen: dict[str, int] = {}

    def check(self, frame: pl.DataFrame) -> npt.NDArray[np.int64]:
        """Check a block (line, query_id, page_id, rank, score); return one number for each known query and page."""
        import polars as pl

        self.rows += frame.height
        coded = frame.join(self._queries_known, on="query_id", how="left", maintain_order="left")
        coded = coded.join(self._pages_known, on="page_id", how="left", maintain_order="left")
        incomplete = set() if self.log.lenient else self.log.incomplete
        if "queries" not in incomplete:
            lost = coded.filter(pl.col("_query").is_null())
            self._report(lost, "query_id", "unknown_query", "a query_id that is in queries")
        if "pages" not in incomplete:
            lost = coded.filter(pl.col("_page").is_null())
            self._report(lost, "page_id", "unknown_page", "a page_id that is in pages")
        bad_rank = coded.filter(pl.col("rank").is_null() | (pl.col("rank") < 1))
        self._report(bad_rank, "rank", "bad_number", "a whole number of at least 1")
        bad_score = coded.filter(pl.col("score").is_null() | ~pl.col("score").is_finite())
        self._report(bad_score, "score", "bad_number", "a finite number")
        both = coded.filter(pl.col("_query").is_not_null() & pl.col("_page").is_not_null())
        pairs = both.select(pl.col("_query").cast(pl.Int64) * self._pages + pl.col("_page").cast(pl.Int64))
        return pairs.to_series().to_numpy()

    def check_pairs(self, pairs: npt.NDArray[np.int64]) -> None:
        """Report each query and page that was retrieved twice."""
        import numpy as np

        pairs.sort()
        twice = np.unique(pairs[1:][pairs[1:] == pairs[:-1]])
        for code in twice[:FINDINGS_PER_KIND].tolist():
            query = self._queries_known["query_id"][code // self._pages]
            page = self._pages_known["page_id"][code % self._pages]
            self.fault(
                None, "conflicting_duplicate", "page_id", shown(page), f"each page once for query {query}", query
            )
        if len(twice) > FINDINGS_PER_KIND:
            expected = f"each page once for a query; {len(twice) - FINDINGS_PER_KIND:,} more repeat one"
            self.fault(None, "conflicting_duplicate", "page_id", None, expected, None)

    def fault(
        self, line: int | None, kind: str, field: str | None, value: str | None, expected: str, key: str | None
    ) -> None:
        """Log one fault of this run."""
        self.log.fault(
            kind=kind,
            file=self.file,
            table=self.table,
            line=line,
            row_key=key,
            field=field,
            value=value,
            expected=expected,
        )

    def refuse(self, line: int | None, value: str | None, expected: str) -> _UnreadableRunError:
        """Log a fault that ends the reading of the run and return what to raise."""
        self.fault(line, "unreadable_run", None, value, expected, None)
        return _UnreadableRunError()

    def _report(self, bad: pl.DataFrame, field: str, kind: str, expected: str) -> None:
        import polars as pl

        if bad.is_empty():
            return
        room = max(0, FINDINGS_PER_KIND - self._seen.get(expected, 0))
        written = f"_{field}" if f"_{field}" in bad.columns else field
        rows = bad.head(room).select(
            "line", row_key="query_id", field=pl.lit(field), value=pl.col(written).cast(pl.String)
        )
        self.log.faults(rows, kind=kind, file=self.file, expected=expected, table=self.table)
        self._seen[expected] = self._seen.get(expected, 0) + bad.height
        self._left_out[expected] = self._left_out.get(expected, 0) + bad.height - rows.height

    def close(self) -> None:
        """Log how many faults of each kind were not listed."""
        for expected, count in self._left_out.items():
            if count:
                self.fault(None, "more_faults", None, f"{count:,} more rows", expected, None)


def _parquet_blocks(path: Path, checker: _RunChecker) -> Iterator[pl.DataFrame]:
    import polars as pl

    try:
        schema = pl.read_parquet_schema(path)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise checker.refuse(None, None, f"a Parquet file ({str(error).splitlines()[0]})") from error
    for name, kind in COLUMNS:
        dtype = schema.get(name)
        fits = dtype is not None and (
            dtype == pl.String if kind is Kind.ID else dtype.is_integer() or (kind is Kind.NUMBER and dtype.is_float())
        )
        if not fits:
            word = {Kind.ID: "text", Kind.WHOLE: "whole numbers"}.get(kind, "numbers")
            raise checker.refuse(None, None if dtype is None else str(dtype), f"a column {name} of {word}")
    import pyarrow.parquet as pq

    first = 1
    with pq.ParquetFile(path) as stream:
        for batch in stream.iter_batches(BLOCK_ROWS, columns=[name for name, _ in COLUMNS]):
            frame = pl.DataFrame(pl.from_arrow(batch))
            lines = pl.int_range(first, first + frame.height, dtype=pl.Int64, eager=True)
            first += frame.height
            yield frame.select(
                pl.Series("line", lines),
                "query_id",
                "page_id",
                pl.col("rank").cast(pl.Int64),
                pl.col("score").cast(pl.Float64),
            )


def _trec_blocks(path: Path, checker: _RunChecker) -> Iterator[pl.DataFrame]:
    first = 1
    rest = b""
    with path.open("rb") as stream:
        while True:
            block = stream.read(BLOCK_BYTES)
            whole, feed, tail = (rest + block).rpartition(b"\n")
            data, rest = (whole + feed, tail) if block else (rest + b"\n" * bool(rest), b"")
            if data:
                yield _trec_frame(data, first, checker)
                first += data.count(b"\n")
            if not block:
                return


def _trec_frame(data: bytes, first: int, checker: _RunChecker) -> pl.DataFrame:
    import polars as pl

    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = first + data.count(b"\n", 0, error.start)
        raise checker.refuse(line, None, "UTF-8 text") from error
    frame = _trec_fast(data)
    if frame is None:
        frame = _trec_slow(data, first, checker)
    lines = pl.int_range(first, first + frame.height, dtype=pl.Int64, eager=True)
    return frame.select(
        pl.Series("line", lines), "query_id", "page_id", _rank=pl.col("rank"), _score=pl.col("score"),
        rank=pl.col("rank").cast(pl.Int64, strict=False), score=pl.col("score").cast(pl.Float64, strict=False),
    )  # fmt: skip


def _trec_fast(data: bytes) -> pl.DataFrame | None:
    """Return the fields of a block in which every line has six, parted by one space or tab each; None otherwise."""
    import polars as pl

    data = data.replace(b"\t", b" ").replace(b"\r\n", b"\n")
    schema = dict.fromkeys(_TREC_FIELDS, pl.String())
    try:
        frame = pl.read_csv(
            io.BytesIO(data), separator=" ", has_header=False, quote_char=None, schema=schema, null_values=None,
            raise_if_empty=False,
        )  # fmt: skip
    except pl.exceptions.PolarsError:
        return None
    has_all = frame.height == data.count(b"\n") and not any(frame.null_count().row(0))
    return frame if has_all else None


def _trec_slow(data: bytes, first: int, checker: _RunChecker) -> pl.DataFrame:
    import polars as pl

    rows: list[list[str]] = []
    for number, line in enumerate(data.decode("utf-8").split("\n")[:-1], start=first):
        fields = line.split()
        if len(fields) != len(_TREC_FIELDS):
            raise checker.refuse(number, shown(line), "six fields: query_id Q0 page_id rank score tag")
        rows.append(fields)
    return pl.DataFrame(rows, schema=dict.fromkeys(_TREC_FIELDS, pl.String()), orient="row")


def read_run(path: Path, file: str) -> Iterator[pl.DataFrame]:
    """Yield a run that was checked before, a block at a time: query_id, page_id, rank, score.

    Raises:
        OSError: it cannot be read any more.
    """
    import polars as pl

    log = FaultLog(lenient=True)
    nothing = pl.Series([], dtype=pl.String)
    checker = _RunChecker(file, file.removesuffix(path.suffix), nothing, nothing, log)
    names = [name for name, _ in COLUMNS]
    try:
        for frame in _parquet_blocks(path, checker) if path.suffix == ".parquet" else _trec_blocks(path, checker):
            yield frame.select(names)
    except _UnreadableRunError as error:
        raise OSError(f"{file} is no run any more") from error

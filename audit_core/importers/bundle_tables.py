"""Tables of a bundle as frames: the file is found, read in whichever form it has, and each row is checked alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit_core.importers.bundle_columns import Whole, taken_evidence, taken_frame
from audit_core.importers.bundle_faults import FaultLog
from audit_core.importers.bundle_frames import dtype_of, evidence_frame_of, frame_of, schema_of
from audit_core.importers.bundle_info import unknown_column_warning
from audit_core.importers.bundle_lines import Batch, TableSource, read_lines
from audit_core.importers.bundle_parquet import read_parquet
from audit_core.importers.bundle_schema import EVIDENCE, MAIN_TABLES, OPTIONAL_TABLES, Column, Kind, frame_columns

if TYPE_CHECKING:
    import polars as pl


def find_file(folder: Path, name: str, log: FaultLog, *, optional: bool) -> Path | None:
    """Return the file of a table (`name` without its ending), None where it is absent or stands there in both forms."""
    lines, parquet = folder / f"{name}.jsonl", folder / f"{name}.parquet"
    if lines.is_file() and parquet.is_file():
        expected = f"one form of the table, but {name}.parquet is there too: take one of them away"
        log.fault(kind="two_forms", file=f"{name}.jsonl", table=name, expected=expected)
        return None
    if lines.is_file() or parquet.is_file():
        return lines if lines.is_file() else parquet
    if not optional:
        expected = f"a file {name}.jsonl or {name}.parquet"
        log.fault(kind="missing_file", file=f"{name}.jsonl", table=name, expected=expected)
    return None


def find_main_files(folder: Path, log: FaultLog) -> dict[str, Path | None]:
    """Return the file of each main table; no import, lenient or not, goes on without documents, pages and queries.

    Raises:
        BundleError: a required table is missing or a table stands there in two forms.
    """
    before = log.total
    files = {name: find_file(folder, name, log, optional=name in OPTIONAL_TABLES) for name in MAIN_TABLES}
    if log.total > before:
        raise log.refusal(str(folder))
    return files


def batches(path: Path, source: TableSource, advance: Callable[[float], None]) -> Iterator[Batch | Whole]:
    """Yield the checked rows of a table's file in its form."""
    yield from (read_parquet if path.suffix == ".parquet" else read_lines)(path, source, advance)


def read_table(
    path: Path | None, source: TableSource, advance: Callable[[float], None]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the table's frame (with `line`) and its evidence (empty but for queries); lost rows are logged."""
    import polars as pl

    frames = [pl.DataFrame(schema={"line": pl.Int64()} | schema_of(source.columns))]
    keys = {"line": pl.Int64(), "query_row": pl.Int64(), "position": pl.Int64()}
    evidence = [pl.DataFrame(schema=keys | schema_of(EVIDENCE))]
    has_evidence = any(column.kind is Kind.EVIDENCE for column in source.columns)
    rows = 0
    for batch in batches(path, source, advance) if path is not None else ():
        frames.append(_frame(batch, source))
        if has_evidence:
            evidence.append(_evidence(batch, rows))
        rows += frames[-1].height
    _warn(source)
    frame = _without_nul(_joined(frames), source, source.columns, pl.col(source.keys[-1]), None)
    if not has_evidence:
        return frame, pl.concat(evidence)
    flat = _joined(evidence)
    owners = frame[source.keys[-1]].gather(flat["query_row"]) if flat.height else pl.Series([], dtype=pl.String())
    flat = _without_nul(flat.with_columns(_key=owners), source, EVIDENCE, pl.col("_key"), pl.col("position"))
    return frame, flat.drop("_key")


def _joined(frames: list[pl.DataFrame]) -> pl.DataFrame:
    """Return the frames, which are given up, as one in one piece; column after column, so that none is there twice."""
    import polars as pl

    whole = pl.concat(frames)
    frames.clear()
    return pl.DataFrame([whole.drop_in_place(name).rechunk() for name in whole.columns])


def _frame(batch: Batch | Whole, source: TableSource) -> pl.DataFrame:
    if isinstance(batch, Whole):
        return taken_frame(batch.frame, source.columns, batch.first_line)
    lines, records = batch
    return frame_of(source.columns, records, lines)


def _evidence(batch: Batch | Whole, first_row: int) -> pl.DataFrame:
    if isinstance(batch, Whole):
        return taken_evidence(batch.frame, batch.first_line, first_row)
    lines, records = batch
    return evidence_frame_of(records, lines, first_row)


def _warn(source: TableSource) -> None:
    known = [column.name for column in source.columns]
    source.log.warnings.extend(unknown_column_warning(source.file, name, known) for name in source.unknown)
    inner = [f"evidence.{column.name}" for column in EVIDENCE]
    source.log.warnings.extend(
        unknown_column_warning(source.file, f"evidence.{name}", inner) for name in source.unknown_evidence
    )


def _without_nul(
    frame: pl.DataFrame, source: TableSource, columns: tuple[Column, ...], key: pl.Expr, position: pl.Expr | None
) -> pl.DataFrame:
    """Log every text with U+0000 in it, which no database takes, and put U+FFFD in its place."""
    import polars as pl

    for name, kind in frame_columns(columns):
        text = pl.col(name)
        if dtype_of(kind) == pl.List(pl.String):
            has_nul = text.list.eval(pl.element().str.contains("\x00", literal=True)).list.any()
            mended = text.list.eval(pl.element().str.replace_all("\x00", "\ufffd", literal=True))
            shown_value = text.list.join(" ", ignore_nulls=True)
        elif dtype_of(kind) == pl.String():
            has_nul = text.str.contains("\x00", literal=True)
            mended = text.str.replace_all("\x00", "\ufffd", literal=True)
            shown_value = text
        else:
            continue
        found = frame.filter(has_nul)
        if found.is_empty():
            continue
        field = pl.lit(name) if position is None else pl.format(f"evidence[{{}}].{name}", position)
        rows = found.select("line", row_key=key, field=field, value=shown_value)
        table = source.table
        expected = "text without the character U+0000"
        source.log.faults(rows, kind="nul_character", file=source.file, expected=expected, table=table)
        frame = frame.with_columns(mended.alias(name))
    return frame


def filled(frame: pl.DataFrame, columns: tuple[Column, ...]) -> pl.DataFrame:
    """Return the frame with what a lenient import lost of required columns filled in: empty text, number 0."""
    import polars as pl

    required = {column.name for column in columns if column.required}
    fills: list[Any] = []
    for name, kind in frame_columns(columns):
        if name in required and kind is not Kind.NUMBER and dtype_of(kind) == pl.String():
            fills.append(pl.col(name).fill_null(""))
        elif name in required and kind in (Kind.WHOLE, Kind.NUMBER):
            fills.append(pl.col(name).fill_null(0))
    return frame.with_columns(fills)

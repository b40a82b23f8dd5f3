"""The queries that a cleaning removed, one by one: kept as Parquet, handed out as CSV or JSON Lines without holding all."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit_core.domain import JsonObject
from audit_core.errors import CleaningError
from audit_core.exporters.report_csv import safe_text

if TYPE_CHECKING:
    import polars as pl

    from cleaning.removal_plan import Removal

REMOVED = "removed.parquet"
ROWS_AT_ONCE = 20_000
#: What is said of a query itself, before what strategies say of it.
QUERY_FIELDS = ("query_id", "text", "source", "domain", "evidence_structure")
FORMATS = ("csv", "jsonl")


def write_removed(removal: Removal, queries: pl.DataFrame, file: Path) -> int:
    """Write the removed queries of a plan, in the dataset's order, and return how many; `queries` has a row for each.

    Columns: `QUERY_FIELDS`, `strategies` (those that remove it), `scores` (of each member, null = undecided), `reasons`
    (strategy, rule, says, start, end).
    """
    import polars as pl
    import pyarrow.parquet as pq

    schema = _schema()
    removed = removal.removed()
    count = 0
    arrow = pl.DataFrame(schema=schema).to_arrow(compat_level=pl.CompatLevel.oldest()).schema
    with pq.ParquetWriter(file, arrow, compression="zstd") as out:
        while some := list(islice(removed, ROWS_AT_ONCE)):
            own = queries[[each.row for each in some]].select(QUERY_FIELDS)
            said: dict[str, list[Any]] = {
                "strategies": [list(each.strategies) for each in some],
                "scores": [list(each.scores.values()) for each in some],
                "reasons": [[{"strategy": name, **_reason(reason)} for name, reason in each.reasons] for each in some],
            }
            columns = [pl.Series(name, values, schema[name]) for name, values in said.items()]
            frame = own.with_columns(columns)
            out.write_table(frame.to_arrow(compat_level=pl.CompatLevel.oldest()).cast(arrow))
            count += len(some)
    return count


def _schema() -> dict[str, Any]:
    import polars as pl

    reason = {"strategy": pl.String, "rule": pl.String, "says": pl.String, "start": pl.Int64, "end": pl.Int64}
    return {
        **dict.fromkeys(QUERY_FIELDS, pl.String),
        "strategies": pl.List(pl.String),
        "scores": pl.List(pl.Float64),
        "reasons": pl.List(pl.Struct(reason)),
    }


def _reason(reason: Any) -> dict[str, Any]:
    return {"rule": reason.rule, "says": reason.says, "start": reason.start, "end": reason.end}


def removed_rows(file: Path, thresholds: Mapping[str, float], *, start: int = 0) -> Iterator[JsonObject]:
    """Yield the removed queries from the one at place `start` on; `thresholds` are those of the members, in their order.

    Each has the `QUERY_FIELDS`, `strategies`, `scores` and `thresholds` by strategy, and `reasons`.

    Raises:
        CleaningError: the file cannot be read.
    """
    import polars as pl

    try:
        frame = pl.scan_parquet(file)
        while (part := frame.slice(start, ROWS_AT_ONCE).collect()).height:
            for row in part.iter_rows(named=True):
                scores = dict(zip(thresholds, row["scores"], strict=True))
                yield {**row, "scores": scores, "thresholds": dict(thresholds)}
            start += part.height
    except (OSError, pl.exceptions.PolarsError) as error:
        raise CleaningError(f"The list of removed queries {file} cannot be read ({error}): put it back.") from error


def as_lines(rows: Iterator[JsonObject], form: str, members: Sequence[str]) -> Iterator[str]:
    """Yield removed queries as lines of `csv` (RFC 4180, with a header, lines end in CR LF) or `jsonl`; full precision.

    In CSV each member has a column for its score, empty where it is undecided, and one for its threshold; text that a
    spreadsheet would run as a formula is led by an apostrophe.

    Raises:
        CleaningError: there is no such form.
    """
    if form not in FORMATS:
        raise CleaningError(f"Removed queries cannot be written as {form!r}. Choose one of: {', '.join(FORMATS)}.")
    if form == "jsonl":
        for row in rows:
            yield json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n"
        return
    own = [f"{what}_{member}" for member in members for what in ("score", "threshold")]
    yield _csv_line([*QUERY_FIELDS, "strategies", *own, "reasons"])
    for row in rows:
        figures = [row[what][member] for member in members for what in ("scores", "thresholds")]
        reasons = "; ".join(f"{each['strategy']}: {each['says']}" for each in row["reasons"])
        yield _csv_line([*(row[each] for each in QUERY_FIELDS), "; ".join(row["strategies"]), *figures, reasons])


def _csv_line(cells: Sequence[Any]) -> str:
    out = io.StringIO()
    written = ["" if each is None else safe_text(each) if isinstance(each, str) else repr(each) for each in cells]
    csv.writer(out, lineterminator="\r\n").writerow(written)
    return out.getvalue()

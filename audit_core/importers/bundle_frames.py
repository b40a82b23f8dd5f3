"""Records to polars frames: one row a record, a box as four numbers, evidence in a frame of its own."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from audit_core.importers.bundle_schema import DEFAULT_RELEVANCE, EVIDENCE, Column, Kind, box_columns, frame_columns

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import polars as pl

_NO_BOX = (float("nan"),) * 4


def dtype_of(kind: Kind) -> Any:
    """Return the polars type of a frame column of this kind."""
    import polars as pl

    if kind in (Kind.IDS, Kind.CODES):
        return pl.List(pl.String)
    if kind is Kind.WHOLE:
        return pl.Int64()
    if kind in (Kind.NUMBER, Kind.CRITERION):
        return pl.Float64()
    # The targets and fields of a judgment are few and nested: they are kept as canonical JSON text.
    return pl.Boolean() if kind is Kind.FLAG else pl.String()


def schema_of(columns: Sequence[Column]) -> dict[str, Any]:
    """Return the polars schema of a table's frame, without the bookkeeping column `line`."""
    return {name: dtype_of(kind) for name, kind in frame_columns(columns)}


def frame_of(
    columns: Sequence[Column], records: Sequence[Any], lines: Sequence[int] | npt.NDArray[np.int64]
) -> pl.DataFrame:
    """Return records as a frame with the column `line` first; the evidence of queries is not in it."""
    import polars as pl

    series: list[pl.Series] = [pl.Series("line", lines, pl.Int64())]
    kinds = dict(frame_columns(columns))
    for column in columns:
        values = list(map(attrgetter(column.name), records))
        if column.kind is Kind.BOX:
            series.extend(_box_series(column.name, values))
        elif column.kind in (Kind.IDS, Kind.CODES):
            series.append(_list_series(column.name, values))
        elif column.kind in (Kind.TARGETS, Kind.OBJECT):
            series.append(pl.Series(column.name, [_canonical(each) for each in values], pl.String()))
        elif column.kind is not Kind.EVIDENCE:
            series.append(pl.Series(column.name, values, dtype_of(kinds[column.name])))
    return pl.DataFrame(series)


def evidence_frame_of(records: Sequence[Any], lines: Sequence[int], first_row: int) -> pl.DataFrame:
    """Return the evidence of query records, flat: line, query_row (number of the query, from 0), position, columns."""
    import numpy as np
    import polars as pl

    pieces = [record.evidence for record in records]
    counts = np.fromiter(map(len, pieces), np.int64, len(pieces))
    owners = np.repeat(np.arange(len(pieces)), counts)
    positions = np.arange(owners.size) - (np.cumsum(counts) - counts)[owners]
    frame = frame_of(EVIDENCE, list(chain.from_iterable(pieces)), np.asarray(lines, np.int64)[owners])
    return frame.select(
        "line",
        pl.Series("query_row", owners + first_row, pl.Int64()),
        pl.Series("position", positions, pl.Int64()),
        pl.exclude("line", "relevance"),
        pl.col("relevance").fill_null(DEFAULT_RELEVANCE),
    ).select("line", "query_row", "position", *schema_of(EVIDENCE))


def _box_series(name: str, boxes: Sequence[Any]) -> list[pl.Series]:
    import numpy as np
    import polars as pl

    sides = chain.from_iterable(_NO_BOX if each is None else each for each in boxes)
    flat = np.fromiter(sides, np.float64, 4 * len(boxes)).reshape(-1, 4)
    return [
        pl.Series(side, np.ascontiguousarray(flat[:, number])).fill_nan(None)
        for number, side in enumerate(box_columns(name))
    ]


def _list_series(name: str, lists: Sequence[list[str] | None]) -> pl.Series:
    """Return lists of text as a series; polars alone would make a series of every row first."""
    import numpy as np
    import polars as pl
    import pyarrow as pa

    lengths = np.array([0 if each is None else len(each) for each in lists], dtype=np.int64)
    offsets = pa.array(np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]))
    items = pa.array([item for each in lists if each for item in each], pa.large_string())
    series = pl.Series(name, pa.LargeListArray.from_arrays(offsets, items), pl.List(pl.String))
    missing = pl.Series([each is None for each in lists], dtype=pl.Boolean)
    return series.zip_with(~missing, pl.Series(name, [None], pl.List(pl.String)).new_from_index(0, len(lists)))


def _canonical(value: dict[str, Any] | None) -> str | None:
    import json

    if value is None:
        return None
    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    except (ValueError, RecursionError):
        return "null"  # nested too deeply to be anybody's answer; the check of the fields refuses it

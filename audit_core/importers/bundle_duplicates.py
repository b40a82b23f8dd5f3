"""Rows that occur twice: exact ones are collapsed and counted, others are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from audit_core.importers.bundle_faults import FaultLog, shown
from audit_core.importers.bundle_schema import KEYS

if TYPE_CHECKING:
    import polars as pl

#: More rows than this are filtered out instead, for every cut makes one more chunk of the table.
MOST_CUTS = 1_000


def collapse(
    frame: pl.DataFrame, *, table: str, file: str, log: FaultLog, evidence: pl.DataFrame | None = None,
    keys: tuple[str, ...] | None = None,
) -> tuple[pl.DataFrame, pl.DataFrame | None]:  # fmt: skip
    """Return the table with each id once, and the evidence of the rows that stayed with their new query rows.

    A row equal to an earlier one in every column (for a query: and in its evidence) is dropped and counted as
    `duplicate_<table>`; one that differs is a fault, and dropped too, so that a lenient import keeps the first.
    """
    import polars as pl

    names = list(keys or KEYS[table])
    numbered = frame.with_row_index("_row")
    twice = numbered.filter(pl.struct(names).is_duplicated() & pl.all_horizontal(pl.col(names).is_not_null()))
    if twice.is_empty():
        return frame, evidence
    own = _evidence_by_row(evidence, twice["_row"].to_list()) if evidence is not None else {}
    first: dict[tuple[Any, ...], tuple[int, tuple[Any, ...]]] = {}
    dropped: list[int] = []
    columns = [name for name in frame.columns if name != "line"]
    key_places = [columns.index(name) for name in names]
    for row, line, *values in twice.select("_row", "line", *columns).iter_rows():
        key = tuple(values[place] for place in key_places)
        content = (*map(_hashable, values), *own.get(row, ()))
        if key not in first:
            first[key] = (line, content)
            continue
        dropped.append(row)
        if first[key][1] == content:
            log.accepted[f"duplicate_{table}"] += 1
            continue
        log.fault(
            kind="conflicting_duplicate", file=file, table=table, line=line, row_key=str(key[-1]), field=names[-1],
            value=shown(key[-1]), expected=f"an id used once, or the same content as in line {first[key][0]}",
        )  # fmt: skip
    return _without(frame, dropped), None if evidence is None else _renumbered(evidence, dropped)


def _renumbered(evidence: pl.DataFrame, dropped: list[int]) -> pl.DataFrame:
    """Return the evidence of the rows that stay, with their new numbers; `dropped` rows are in order."""
    import polars as pl

    stay = _without(evidence, evidence["query_row"].is_in(dropped).arg_true().to_list())
    before = pl.Series(dropped, dtype=pl.Int64).search_sorted(stay["query_row"])
    return stay.with_columns(query_row=pl.col("query_row") - before.cast(pl.Int64))


def _without(frame: pl.DataFrame, rows: list[int]) -> pl.DataFrame:
    """Return the frame without these rows, given in order; a few are cut out, which copies nothing of a large table."""
    import polars as pl

    if len(rows) > MOST_CUTS:
        return frame.filter(~pl.int_range(pl.len()).is_in(rows))
    bounds = zip([0, *(row + 1 for row in rows)], [*rows, frame.height], strict=True)
    return pl.concat([frame.slice(start, stop - start) for start, stop in bounds])


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _evidence_by_row(evidence: pl.DataFrame, rows: list[int]) -> dict[int, list[tuple[Any, ...]]]:
    import polars as pl

    found: dict[int, list[tuple[Any, ...]]] = {}
    wanted = evidence.filter(pl.col("query_row").is_in(rows)).drop("line")
    for row in wanted.iter_rows():
        found.setdefault(row[0], []).append(row[1:])
    return found

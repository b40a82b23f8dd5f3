"""Cells of HTML tables: a proportion with its count, denominator and interval, or the reason why there is none."""

from __future__ import annotations

from html import escape

from audit_core.statistics.intervals import Interval
from audit_core.statistics.percent import percent, range_text
from cleaning.tables import Cell, Column, ColumnKind, Table, exact_text, number_text


def interval_cell(interval: Interval, *, strong: bool = False, more: str = "") -> str:
    """Return a table cell with the percentage over its quotient and bounds and a line `more`; or why there is none."""
    if interval.estimate is None:
        return f'<td class="none">undefined<small>{escape(interval.undefined or "")}</small></td>'
    figure = percent(interval.estimate)
    shown = f"<b>{figure}</b>" if strong else figure
    below = "".join(f"<small>{escape(each)}</small>" for each in (beside(interval), more) if each)
    return f"<td>{shown}{below}</td>"


def beside(interval: Interval) -> str:
    """Return what stands beside a percentage: `60/459 · 10.3-16.5`."""
    parts = []
    if interval.count is not None:
        parts.append(f"{interval.count:,}/{interval.n:,.0f}")
    elif interval.n:
        parts.append(f"n {interval.n:,.1f}".removesuffix(".0"))
    if interval.undefined is None:
        parts.append(range_text(interval.low, interval.high).removesuffix(" %"))
    else:
        parts.append("no interval")
    return " · ".join(parts)


def table_html(table: Table, *, caption: str | None = None, leave_out: tuple[str, ...] = (), testid: str = "") -> str:
    """Return a table of figures as HTML; columns of `leave_out` stand in its files alone."""
    columns = [each for each in table.columns if each.key not in leave_out]
    heads = "".join(
        f'<th class="text">{escape(each.head)}</th>'
        if each.kind == ColumnKind.TEXT
        else f"<th>{escape(_head(each))}</th>"
        for each in columns
    )
    lines = "".join(
        f"<tr>{''.join(_cell(each, row.get(each.key), there=each.key in row) for each in columns)}</tr>"
        for row in table.rows
    )
    title = escape(table.title if caption is None else caption)
    return (
        f'<div class="scroll"><table class="fig" data-testid="{escape(testid)}"><caption>{title}</caption>'
        f"<thead><tr>{heads}</tr></thead>{lines}</table></div>"
    )


def _head(column: Column) -> str:
    with_unit = column.kind in (ColumnKind.PROPORTION, ColumnKind.INTERVAL)
    return f"{column.head}, %" if with_unit else column.head


def _cell(column: Column, cell: Cell, *, there: bool) -> str:
    if isinstance(cell, Interval):
        return interval_cell(cell)
    if cell is None:
        shown = "" if column.kind == ColumnKind.TEXT or not there else "undefined"
        return f'<td class="none">{shown}</td>'
    if isinstance(cell, str):
        return f'<td class="text{" long" if len(cell) > 30 else ""}">{escape(cell)}</td>'
    if isinstance(cell, bool):
        return f'<td class="text">{"yes" if cell else "no"}</td>'
    if column.kind == ColumnKind.PROPORTION:
        return f"<td>{percent(cell)}</td>"
    if column.kind == ColumnKind.EXACT:
        return f"<td>{exact_text(cell)}</td>"
    if isinstance(cell, int):
        return f"<td>{cell:,}</td>"
    return f"<td>{number_text(cell)}</td>"


def p_text(p: float | None) -> str:
    """Return a p value with two digits that count, `< 0.001` below that, `-` where there is none."""
    if p is None:
        return "-"
    return "< 0.001" if p < 0.001 else f"{p:.2g}" if p < 0.1 else f"{p:.2f}"

"""A table of figures that can be written as CSV, Markdown, LaTeX or JSON, with counts, denominators and reasons."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from audit_core.errors import CleaningError
from audit_core.exporters import report_latex, report_markdown
from audit_core.exporters.report_csv import safe_text
from audit_core.statistics.intervals import Interval
from audit_core.statistics.percent import confidence_text, percent, range_text

#: What a cell may hold; an undefined proportion or number is None, never NaN.
Cell = str | int | float | bool | Interval | None


class ColumnKind(StrEnum):
    """How a column's cells are meant: text, whole counts, parts of 1, other numbers, or proportions with intervals.

    EXACT numbers are shown to the last digit, since people copy them: a threshold with fewer would be another.
    """

    TEXT = "text"
    COUNT = "count"
    PROPORTION = "proportion"
    NUMBER = "number"
    EXACT = "exact"
    INTERVAL = "interval"


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name in files, its head for people, and what its cells are."""

    key: str
    head: str
    kind: ColumnKind = ColumnKind.TEXT


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells by column key; a cell that is missing does not apply, one that is None is undefined. `notes` must be read with the figures."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Cell], ...]
    notes: tuple[str, ...] = ()


#: What an interval becomes in CSV and JSON, after the key and an underscore; the estimate itself has the bare key.
PARTS = ("count", "n", "low", "high", "confidence", "method", "undefined")


def to_csv(table: Table) -> str:
    """Return RFC 4180 text at full precision: column names, then one line a row; lines end in CR LF.

    Proportions are parts of 1. An interval takes the columns `key`, `key_count`, `key_n`, `key_low` ...; a cell that is
    undefined is empty, and `key_undefined` holds the reason. Text that a spreadsheet would run as a formula is led by
    an apostrophe. Title and notes are left out.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    flat = [_expanded(table, row) for row in table.rows]
    writer.writerow([safe_text(name) for name in _names(table)])
    for row in flat:
        writer.writerow([_csv_cell(row[name]) for name in _names(table)])
    return out.getvalue()


def to_json(table: Table) -> str:
    """Return a JSON object with title, notes, columns (key, head, kind) and rows, expanded as in the CSV; UTF-8 text.

    An infinite number (the threshold that removes nothing) is the text `inf`; undefined is null.
    """
    content = {
        "title": table.title,
        "notes": list(table.notes),
        "columns": [{"key": each.key, "head": each.head, "kind": each.kind.value} for each in table.columns],
        "rows": [{name: _json_cell(cell) for name, cell in _expanded(table, row).items()} for row in table.rows],
    }
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def to_markdown(table: Table) -> str:
    """Return a GitHub-flavoured Markdown table under its title, then the notes; percentages have one decimal."""
    escaped = report_markdown.escaped
    lines = [[escaped(each.head) for each in table.columns]]
    lines.append(["---" if each.kind == ColumnKind.TEXT else "---:" for each in table.columns])
    lines += [[escaped(_shown(table, row, each)) for each in table.columns] for row in table.rows]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    notes = "\n".join(f"- {escaped(note)}" for note in _all_notes(table))
    return "\n\n".join(block for block in (f"## {escaped(table.title)}", text, notes) if block) + "\n"


def to_latex(table: Table) -> str:
    """Return a booktabs `table` environment with the title and the notes in its caption; text is escaped, UTF-8."""
    escaped = report_latex.escaped
    alignment = "".join("l" if each.kind == ColumnKind.TEXT else "r" for each in table.columns)
    caption = " ".join([f"{table.title}.", *_all_notes(table)])
    lines = [
        "% Needs \\usepackage{booktabs}.",
        r"\begin{table}",
        r"  \centering",
        f"  \\caption{{{escaped(caption)}}}",
        f"  \\begin{{tabular}}{{{alignment}}}",
        r"    \toprule",
        _latex_line([each.head for each in table.columns]),
        r"    \midrule",
        *(_latex_line([_shown(table, row, each) for each in table.columns]) for row in table.rows),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


#: How a table is written, by the ending of the file.
WRITERS: Mapping[str, Callable[[Table], str]] = {
    ".csv": to_csv,
    ".md": to_markdown,
    ".tex": to_latex,
    ".json": to_json,
}


def write_table(table: Table, suffix: str) -> str:
    """Return the table in the format of this file ending; CleaningError, naming the known ones, for another."""
    if suffix not in WRITERS:
        raise CleaningError(f"A table cannot be written as {suffix!r}. Choose one of: {', '.join(WRITERS)}.")
    return WRITERS[suffix](table)


def _names(table: Table) -> list[str]:
    names: list[str] = []
    for column in table.columns:
        names.append(column.key)
        if column.kind == ColumnKind.INTERVAL:
            names += [f"{column.key}_{part}" for part in PARTS]
    return names


def _expanded(table: Table, row: Mapping[str, Cell]) -> dict[str, str | int | float | bool | None]:
    """Return the cells of a row by the names of `_names`, with intervals taken apart and NaN refused."""
    flat: dict[str, str | int | float | bool | None] = dict.fromkeys(_names(table))
    for column in table.columns:
        cell = _checked(table, row, column)
        if isinstance(cell, Interval):
            flat[column.key] = cell.estimate
            for part in PARTS:
                flat[f"{column.key}_{part}"] = getattr(cell, part)
        else:
            flat[column.key] = cell
    return flat


def _checked(table: Table, row: Mapping[str, Cell], column: Column) -> Cell:
    cell = row.get(column.key)
    if isinstance(cell, Interval) is not (column.kind == ColumnKind.INTERVAL) and cell is not None:
        raise CleaningError(f"Table {table.title!r}, column {column.key}: {cell!r} is no {column.kind.value}.")
    if isinstance(cell, float) and math.isnan(cell):
        raise CleaningError(f"Table {table.title!r}, column {column.key}: an undefined figure is None, never NaN.")
    return cell


def _csv_cell(value: str | int | float | bool | None) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return safe_text(value)
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _json_cell(value: str | int | float | bool | None) -> str | int | float | bool | None:
    return ("inf" if value > 0 else "-inf") if isinstance(value, float) and math.isinf(value) else value


def _shown(table: Table, row: Mapping[str, Cell], column: Column) -> str:
    """Return a cell for people: proportions in percent with one decimal, intervals with count, n and bounds."""
    cell = _checked(table, row, column)
    if cell is None:
        # A cell that is not there does not apply; one that is None has no value.
        return "" if column.kind == ColumnKind.TEXT or column.key not in row else "undefined"
    if isinstance(cell, Interval):
        return _interval_shown(cell)
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str):
        return cell
    if column.kind == ColumnKind.PROPORTION:
        return percent(cell)
    if column.kind == ColumnKind.EXACT:
        return exact_text(cell)
    return f"{cell:,}" if isinstance(cell, int) else number_text(cell)


def _interval_shown(interval: Interval) -> str:
    if interval.estimate is None:
        return f"undefined ({interval.undefined})"
    beside = []
    if interval.count is not None:
        beside.append(f"{interval.count:,}/{interval.n:,.0f}")
    elif interval.n:
        beside.append(f"n {interval.n:,.1f}".removesuffix(".0"))
    if interval.undefined is not None:
        beside.append(f"no interval: {interval.undefined}")
    else:
        beside.append(range_text(interval.low, interval.high).removesuffix(" %"))
    return f"{percent(interval.estimate)} ({'; '.join(beside)})"


def number_text(value: float) -> str:
    """Return a number with three digits that count, whole from 1,000 on; `none removed` for the threshold above all scores."""
    if math.isinf(value):
        return "none removed" if value > 0 else "-inf"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) >= 0.001 or value == 0.0 else f"{value:.1e}"


def exact_text(value: float) -> str:
    """Return a number with all its digits; `none removed` for the threshold above all scores."""
    return number_text(value) if math.isinf(value) else repr(float(value)).removesuffix(".0")


def _all_notes(table: Table) -> list[str]:
    """Return the notes, led by which interval stands in the cells."""
    found = {
        f"{confidence_text(cell.confidence)} {cell.method}"
        for row in table.rows
        for cell in row.values()
        if isinstance(cell, Interval) and cell.undefined is None
    }
    percentages = any(each.kind in (ColumnKind.PROPORTION, ColumnKind.INTERVAL) for each in table.columns)
    beside = f", with count, denominator and interval ({', '.join(sorted(found))})" if found else ""
    says = [f"Rates are percentages{beside}."]
    return [*(says if percentages else []), *table.notes]


def _latex_line(cells: Sequence[str]) -> str:
    return f"    {' & '.join(report_latex.escaped(cell) for cell in cells)} \\\\"

"""The audit table as HTML: numbers right-aligned in tabular figures, intervals drawn beside them."""

from __future__ import annotations

from html import escape

from audit_core.audit_report import AuditReport, ReportRow
from audit_core.domain import CODE_MEANINGS, IssueCode
from audit_core.statistics.percent import percent

#: How tables of counts with intervals look.
TABLE_STYLE = """
<style>
.audit { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .92rem; }
.audit caption { text-align: left; font-weight: 600; padding: .4rem 0; }
.audit th, .audit td { padding: .28rem .6rem; border-bottom: 1px solid color-mix(in srgb, currentColor 14%, transparent); }
.audit th { text-align: right; font-weight: 600; border-bottom: 2px solid color-mix(in srgb, currentColor 40%, transparent); vertical-align: bottom; }
.audit td { text-align: right; white-space: nowrap; }
.audit th.text, .audit td.text { text-align: left; }
.audit tr.first td { border-top: 2px solid color-mix(in srgb, currentColor 40%, transparent); }
.audit tr.total td { font-weight: 700; }
.audit tr.source td, .audit tr.structure td { background: color-mix(in srgb, currentColor 4%, transparent); }
.audit .none { opacity: .45; }
.audit .axis { display: block; position: relative; width: 140px; height: 14px; margin: 0 4px; }
.audit .bar { position: absolute; top: 6px; height: 2px; background: currentColor; opacity: .75; }
.audit .dot { position: absolute; top: 3px; width: 8px; height: 8px; margin-left: -4px; border-radius: 50%; background: #0072B2; }
</style>
"""


def table_html(report: AuditReport) -> str:
    """Return the table: strata, subtotals by source and by structure, the total; columns that are 0 throughout stay."""
    has_undecided = report.total.undecided > 0
    has_population = any(row.population is not None for row in report.rows)
    low = _axis_low(report)
    lines = [_head(low, has_undecided=has_undecided, has_population=has_population)]
    kind_before = None
    for row in report.rows:
        lines.append(
            _line(row, low, first=row.kind != kind_before, has_undecided=has_undecided, has_population=has_population)
        )
        kind_before = row.kind
    scroll = '<div style="overflow-x:auto">'
    return f'{TABLE_STYLE}{scroll}<table class="audit" data-testid="audit-table">{"".join(lines)}</table></div>'


def _axis_low(report: AuditReport) -> float:
    lows = [row.interval.low for row in report.rows if row.interval.low is not None]
    return max(0.0, min(lows, default=0.0) - 0.02)


def _head(low: float, *, has_undecided: bool, has_population: bool) -> str:
    cells = ['<th class="text">source</th>', '<th class="text">evidence structure</th>']
    if has_population:
        cells.append("<th>queries in<br>the benchmark</th>")
    cells.append("<th>entries</th>")
    cells.append("<th>correct /<br>decided</th>")
    cells += [f'<th title="{escape(CODE_MEANINGS[code])}">{code.value}</th>' for code in IssueCode]
    if has_undecided:
        cells += ["<th>disputed</th>", "<th>cannot<br>judge</th>", "<th>not<br>judged</th>"]
    cells += [
        "<th>correct, %</th>",
        "<th>95 % Wilson, %</th>",
        f'<th class="text">{percent(low, decimals=0)} to 100 %</th>',
    ]
    caption = "Correct and faulty entries by source and evidence structure (counts of entries)"
    return f"<caption>{caption}</caption><thead><tr>{''.join(cells)}</tr></thead>"


def _line(row: ReportRow, low: float, *, first: bool, has_undecided: bool, has_population: bool) -> str:
    cells = [f'<td class="text">{escape(row.source or "all")}</td>']
    cells.append(f'<td class="text">{escape(row.evidence_structure or "all")}</td>')
    if has_population:
        cells.append(_count(row.population) if row.population is not None else '<td class="none">not known</td>')
    cells.append(_count(row.entries))
    cells.append(f"<td>{row.correct:,} / {row.decided:,}</td>")
    cells += [_count(row.codes[code]) for code in IssueCode]
    if has_undecided:
        cells += [_count(row.disputed), _count(row.cannot_judge), _count(row.not_judged)]
    interval = row.interval
    if interval.estimate is None or interval.low is None or interval.high is None:
        reason = escape(interval.undefined or "undefined")
        cells.append(
            f'<td class="none" title="{reason}">undefined</td><td class="none" title="{reason}">undefined</td><td></td>'
        )
    else:
        cells.append(f"<td>{percent(interval.estimate)}</td>")
        cells.append(f"<td>{percent(interval.low)}-{percent(interval.high)}</td>")
        cells.append(f'<td class="text">{_drawn(interval.estimate, interval.low, interval.high, low)}</td>')
    classes = f"{row.kind} first" if first else row.kind
    return f'<tr class="{classes}">{"".join(cells)}</tr>'


def _count(number: int) -> str:
    return f"<td>{number:,}</td>" if number else '<td class="none">0</td>'


def _drawn(estimate: float, low: float, high: float, axis_low: float) -> str:
    """Return the interval as a bar with a dot, on an axis from `axis_low` to 1 (plain elements: SVG is not let through)."""

    def place(value: float) -> float:
        return 100 * (value - axis_low) / (1 - axis_low) if axis_low < 1 else 100.0

    bar = f'<span class="bar" style="left:{place(low):.1f}%;width:{place(high) - place(low):.1f}%"></span>'
    dot = f'<span class="dot" style="left:{place(estimate):.1f}%"></span>'
    return f'<span class="axis" aria-hidden="true">{bar}{dot}</span>'

"""The dot-and-interval chart of the audit report: accuracy by stratum, in the order of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit_core.audit_report import AuditReport, ReportRow
from audit_core.statistics.percent import percent

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

#: One colour and one mark a kind of row: strata plain, subtotals and the total bold.
_MARKS = {
    "stratum": ("Stratum", "#0072B2", "circle", 8),
    "source": ("Source", "#D55E00", "square", 10),
    "structure": ("Structure", "#009E73", "diamond", 11),
    "total": ("All audited entries", "#7A6A00", "star", 14),
}


def _name(row: ReportRow) -> str:
    if row.kind == "total":
        return "All entries"
    if row.kind == "stratum":
        return f"{row.source} · {row.evidence_structure}"
    return row.source or row.evidence_structure or ""


def accuracy_chart(report: AuditReport) -> Figure:
    """Return the chart: x is the share correct in percent with its 95 % Wilson interval, y the rows of the table.

    Rows without a decided entry are named, with no dot.
    """
    import plotly.graph_objects as go

    rows = [row for row in report.rows if row.entries]
    figure = go.Figure()
    for kind, (label, colour, symbol, size) in _MARKS.items():
        shown = [row for row in rows if row.kind == kind and row.interval.estimate is not None]
        if not shown:
            continue
        middle = [100 * (row.interval.estimate or 0.0) for row in shown]
        figure.add_trace(
            go.Scatter(
                name=label,
                x=middle,
                y=[f"{_name(row)} " for row in shown],
                mode="markers",
                marker={"color": colour, "symbol": symbol, "size": size, "line": {"width": 1, "color": "white"}},
                error_x={
                    "type": "data",
                    "symmetric": False,
                    "array": [100 * (row.interval.high or 0.0) - x for row, x in zip(shown, middle, strict=True)],
                    "arrayminus": [x - 100 * (row.interval.low or 0.0) for row, x in zip(shown, middle, strict=True)],
                    "thickness": 1.6,
                    "width": 4,
                    "color": colour,
                },
                customdata=[
                    (row.correct, row.decided, percent(row.interval.low), percent(row.interval.high)) for row in shown
                ],
                hovertemplate=(
                    "%{y}<br>%{customdata[0]} of %{customdata[1]} correct: %{x:.1f} %"
                    "<br>95 % Wilson %{customdata[2]}-%{customdata[3]} %<extra></extra>"
                ),
            )
        )
    low = min((row.interval.low for row in rows if row.interval.low is not None), default=0.0)
    figure.update_layout(
        title={
            "text": f"Share of correct entries by stratum (n = {report.total.decided:,} decided entries, 95 % Wilson)",
            "font": {"size": 16},
        },
        height=130 + 24 * len(rows),
        margin={"l": 10, "r": 20, "t": 56, "b": 40},
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
        hovermode="closest",
    )
    figure.update_xaxes(title="correct, % of decided entries", range=[max(0.0, 100 * low - 4), 101.5], zeroline=False)
    figure.update_yaxes(
        categoryorder="array",
        categoryarray=[f"{_name(row)} " for row in rows],
        autorange="reversed",
        automargin=True,
        showgrid=True,
        tickmode="array",
        tickvals=[f"{_name(row)} " for row in rows],
    )
    return figure

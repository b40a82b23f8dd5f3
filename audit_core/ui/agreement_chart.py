"""The dot-and-interval chart of agreement: for each thing percent agreement, alpha, and AC1 or AC2 with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from audit_core.agreement.records import Compare, Figure
from audit_core.agreement.report import AgreementReport, Item
from audit_core.agreement.wording import bounds_text, value_text

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Chart
    from plotly.graph_objects import Scatter

#: One colour and one mark a kind of figure, and how far above or below the middle of its line it stands.
_MARKS = (
    ("Percent agreement (as a part of 1)", "#009E73", "square", 8, -0.24),
    ("Krippendorff's alpha", "#0072B2", "circle", 10, 0.0),
    ("Gwet's AC1 or AC2 (quadratic)", "#D55E00", "diamond", 10, 0.24),
)


def agreement_chart(report: AgreementReport) -> Chart:
    """Return the chart: x from below 0 to 1, y the things in the order of the table.

    What is undefined has no dot; where nothing of a thing is defined, its row says why.
    """
    import plotly.graph_objects as go

    chart = go.Figure()
    names = [f"{each.title} (n = {each.agreed.amounts.items:,}) " for each in report.items]
    lows = [0.0]
    for place, (label, colour, symbol, size, shift) in enumerate(_MARKS):
        shown = [
            (row + shift, name, figure)
            for row, (item, name) in enumerate(zip(report.items, names, strict=True))
            if (figure := item.agreed.first[place]) is not None and figure.value is not None
        ]
        if not shown:
            continue
        lows += [each.value if each.low is None else each.low for _, _, each in shown if each.value is not None]
        of_sets = " (of sets MASI)" if place == 1 and any(each.compare is Compare.SET for each in report.items) else ""
        chart.add_trace(_dots(shown, label + of_sets, colour, {"symbol": symbol, "size": size}))
    for row, item in enumerate(report.items):
        if (reason := _why_blank(item)) is not None:
            chart.add_annotation(
                x=0, y=row, xanchor="left", text=f"undefined: {reason}", showarrow=False, font={"size": 12}
            )
    chart.update_layout(
        title={"text": f"Agreement on each thing ({report.interval_method}; n = items)", "font": {"size": 16}},
        height=170 + 46 * len(names),
        margin={"l": 10, "r": 20, "t": 84, "b": 40},
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
        hovermode="closest",
    )
    low = min(lows)
    chart.update_xaxes(
        title="agreement (1: always; 0: as chance would)", range=[low - 0.04 if low < 0 else -0.02, 1.03], zeroline=True
    )
    chart.update_yaxes(
        tickmode="array", tickvals=list(range(len(names))), ticktext=names, range=[len(names) - 0.4, -0.6], automargin=True,
        showgrid=False, zeroline=False,
    )  # fmt: skip
    return chart


def _why_blank(item: Item) -> str | None:
    """Return why no figure of a thing is drawn, None where one is."""
    figures = [each for each in item.agreed.first if each is not None]
    if any(each.value is not None for each in figures):
        return None
    return next((each.undefined for each in figures if each.undefined), "nothing is compared")


def _dots(shown: Sequence[tuple[float, str, Figure]], label: str, colour: str, marker: dict[str, object]) -> Scatter:
    """Return the dots of one kind of figure, given as (height, name of the thing, figure)."""
    import plotly.graph_objects as go

    return go.Scatter(
        name=label,
        x=[each.value for _, _, each in shown],
        y=[row for row, _, _ in shown],
        mode="markers",
        marker={"color": colour, "line": {"width": 1, "color": "white"}, **marker},
        error_x=_errors([each for _, _, each in shown], colour),
        customdata=[(name.strip(), each.title, value_text(each), bounds_text(each)) for _, name, each in shown],
        hovertemplate="%{customdata[0]}<br>%{customdata[1]}: %{customdata[2]}<br>%{customdata[3]}<extra></extra>",
    )


def _errors(figures: list[Figure], colour: str) -> dict[str, object]:
    """Return the intervals; a dot without one has none drawn."""
    above = [0.0 if each.high is None or each.value is None else each.high - each.value for each in figures]
    below = [0.0 if each.low is None or each.value is None else each.value - each.low for each in figures]
    return {
        "type": "data", "symmetric": False, "array": above, "arrayminus": below, "thickness": 1.6, "width": 4,
        "color": colour,
    }  # fmt: skip

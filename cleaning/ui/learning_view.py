"""Learning curves: what each learned strategy lets through, by the number of labels that it was trained on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from audit_core.domain import Role
from audit_core.statistics.intervals import Interval
from audit_core.ui.access import only_for
from audit_core.ui.plain_text import plain
from cleaning.finished import Result
from cleaning.tables import Cell, Table
from cleaning.ui.chart_frame import draw_chart
from cleaning.ui.downloads import download_table, file_stem
from cleaning.ui.palette import LineStyle, style_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


@st.fragment
@only_for(Role.LEAD)
def draw_learning(result: Result, name: str) -> None:
    """Draw the section; `name` is the comparison's."""
    table = result.learning
    if table is None:
        asked = result.request.learning_curves
        st.info("No learned strategy has a learning curve here." if asked else "No learning curve was asked for.")
        return
    names = [each.name for each in result.compared.strategies]
    figure = learning_chart(table, result.titles, names)
    if figure is not None:
        draw_chart(figure, file_name=file_stem(name, "learning-curves"), key="learning")
        st.caption(
            "Every point is evaluated on the same queries, each out of fold; training parts grow by whole documents. "
            f"{plain(' '.join(table.notes))} Bars: 95 % Wilson of repeat 1. A line that still falls at its right end says "
            "that more labels would help."
        )
    refused = [row for row in table.rows if row["says"]]
    if refused:
        with st.expander(f"{len(refused)} point{'' if len(refused) == 1 else 's'} without a figure"):
            st.markdown("\n".join(f"- {plain(_refusal(row, result.titles))}" for row in refused))
    titled = replace(table, rows=tuple({**row, "strategy": _title(row, result.titles)} for row in table.rows))
    download_table(titled, file_stem(name, "learning-curves"), key="learning")


def learning_chart(table: Table, titles: dict[str, str], order: Sequence[str]) -> Figure | None:
    """Return the chart: x is the mean number of training labels, y the FOR in percent; None without any figure."""
    import plotly.graph_objects as go

    figure = go.Figure()
    known: dict[str, list[Any]] = {
        name: [row for row in table.rows if row["strategy"] == name and _interval(row)] for name in order
    }
    shown = [name for name in order if known[name]]
    if not shown:
        return None
    # Bars at one number of labels stand beside one another instead of hiding each other.
    step = 0.005 * max(row["labels"] for name in shown for row in known[name])
    for place, name in enumerate(shown):
        shift = step * (place - (len(shown) - 1) / 2)
        figure.add_trace(_line(known[name], titles[name], style_of(order.index(name)), shift))
    figure.update_layout(
        title={"text": "What more labels bring", "font": {"size": 15}},
        height=380,
        margin={"l": 10, "r": 10, "t": 46, "b": 10},
        legend={"orientation": "h", "yanchor": "top", "y": -0.26, "x": 0},
        hovermode="closest",
    )
    figure.update_xaxes(title="training labels, mean over folds", rangemode="tozero", zeroline=False)
    figure.update_yaxes(title="false omission rate, % of the kept", rangemode="tozero", zeroline=False)
    return figure


def _line(points: Sequence[Any], title: str, style: LineStyle, shift: float) -> Any:
    import plotly.graph_objects as go

    intervals = [_interval(row) for row in points]
    middle = [100 * (each.estimate or 0.0) for each in intervals if each is not None]
    high = [100 * (each.estimate or 0.0 if each.high is None else each.high) for each in intervals if each is not None]
    low = [100 * (each.estimate or 0.0 if each.low is None else each.low) for each in intervals if each is not None]
    kept = [each.n for each in intervals if each is not None]
    return go.Scatter(
        name=title,
        x=[row["labels"] + shift for row in points],
        y=middle,
        mode="lines+markers",
        line={"color": style.colour, "dash": style.dash, "width": 2},
        marker={"color": style.colour, "symbol": style.symbol, "size": 8},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [top - y for top, y in zip(high, middle, strict=True)],
            "arrayminus": [y - bottom for bottom, y in zip(low, middle, strict=True)],
            "thickness": 1,
            "width": 3,
            "color": style.faint(0.6),
        },
        customdata=[[row["positives"], n, row["labels"]] for row, n in zip(points, kept, strict=True)],
        hovertemplate=(
            "%{customdata[2]:.0f} labels, %{customdata[0]:.0f} of them to remove<br>FOR %{y:.1f} % of %{customdata[1]:.0f} kept"
        ),
    )


def _interval(row: Any) -> Interval | None:
    """Return the interval of a point that has a rate."""
    cell: Cell = row["false_omission"]
    return cell if isinstance(cell, Interval) and cell.estimate is not None else None


def _title(row: Any, titles: dict[str, str]) -> str:
    return titles.get(row["strategy"], str(row["strategy"]))


def _refusal(row: Any, titles: dict[str, str]) -> str:
    return f"{_title(row, titles)}, {row['labels']:.0f} labels: {row['says']}"

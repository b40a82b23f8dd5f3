"""The chart of a comparison: false omission rate against share kept, a line a strategy, random removal as the base rate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cleaning.compare_summary import Summary
from cleaning.curves import ThresholdTable
from cleaning.tables import number_text
from cleaning.ui.palette import LineStyle, style_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

#: Up to so many thresholds each is marked: the line between them is a choice nobody has.
_FEW = 12


def share_chart(
    tables: dict[str, ThresholdTable],
    summaries: Sequence[Summary],
    titles: dict[str, str],
    *,
    order: Sequence[str],
    bands: Sequence[str],
    n: int,
    point: tuple[str, int] | None = None,
    share: float | None = None,
) -> Figure:
    """Return the chart of the strategies in `tables`; both axes in percent.

    `order` gives each its colour; `bands` names those whose pointwise Wilson band is drawn. `point` is a strategy and the
    row of its table to be shown large, `share` a share kept (part of 1) to be drawn as a line. Large marks are each
    strategy at its own threshold.
    """
    import plotly.graph_objects as go

    figure = go.Figure()
    shown = [each for each in order if each in tables]
    for name in shown:
        if name in bands:
            figure.add_trace(_band(tables[name], style_of(order.index(name)), name))
    for name in shown:
        figure.add_trace(_line(tables[name], style_of(order.index(name)), name, titles[name]))
    for each in summaries:
        if each.name in tables and each.rates.false_omission.estimate is not None:
            figure.add_trace(_own_threshold(each, style_of(order.index(each.name)), titles[each.name]))
    if point is not None and point[0] in tables:
        figure.add_trace(_point(tables[point[0]], point[1], style_of(order.index(point[0])), titles[point[0]]))
    _draw_base(figure, next(iter(tables.values()), None))
    if share is not None:
        figure.add_vline(x=100 * share, line={"width": 1.5, "dash": "dot", "color": "#888888"})
    highest = _highest(tables, bands)
    method = "95 % Wilson at each point by itself" if bands else ""
    figure.update_layout(
        title={"text": f"Bad queries among those kept, n = {n:,}", "font": {"size": 15}, "subtitle": {"text": method}},
        height=500,
        margin={"l": 10, "r": 10, "t": 60, "b": 10},
        legend={"orientation": "h", "yanchor": "top", "y": -0.24, "x": 0},
        hovermode="closest",
        uirevision="share-chart",
    )
    figure.update_xaxes(title="share kept, % of the queries", range=[0, 101.5], zeroline=False, showgrid=True)
    figure.update_yaxes(
        title="false omission rate, % of the kept", range=[0, 100 * highest], zeroline=False, showgrid=True
    )
    return figure


def _line(table: ThresholdTable, style: LineStyle, name: str, title: str) -> Any:
    import plotly.graph_objects as go

    few = len(table) <= _FEW
    hover = np.stack([table.fn, table.tn, table.tp, table.fp], axis=1).tolist()
    custom = [[number_text(float(at)), *counts] for at, counts in zip(table.thresholds, hover, strict=True)]
    return go.Scatter(
        name=title,
        x=100 * table.share_kept,
        y=100 * table.false_omission,
        mode="lines+markers" if few else "lines",
        line={"color": style.colour, "dash": style.dash, "width": 1.2 if few else 2},
        marker={"color": style.colour, "symbol": style.symbol, "size": 5},
        legendgroup=name,
        customdata=custom,
        hovertemplate=(
            f"<b>{_markup(title)}</b><br>threshold %{{customdata[0]}}<br>FOR %{{y:.1f}} %, kept %{{x:.1f}} %"
            "<br>FN %{customdata[1]}, TN %{customdata[2]}, TP %{customdata[3]}, FP %{customdata[4]}<extra></extra>"
        ),
    )


def _band(table: ThresholdTable, style: LineStyle, name: str) -> Any:
    import plotly.graph_objects as go

    known = ~np.isnan(table.low)
    x = 100 * table.share_kept[known]
    return go.Scatter(
        x=np.concatenate([x, x[::-1]]),
        y=100 * np.concatenate([table.high[known], table.low[known][::-1]]),
        fill="toself",
        fillcolor=style.faint(0.16),
        line={"width": 0},
        mode="lines",
        hoverinfo="skip",
        showlegend=False,
        legendgroup=name,
    )


def _own_threshold(summary: Summary, style: LineStyle, title: str) -> Any:
    import plotly.graph_objects as go

    rates = summary.rates
    return go.Scatter(
        x=[100 * (rates.share_kept.estimate or 0.0)],
        y=[100 * (rates.false_omission.estimate or 0.0)],
        mode="markers",
        marker={"color": style.colour, "symbol": style.symbol, "size": 11, "line": {"width": 1.5, "color": "white"}},
        showlegend=False,
        legendgroup=summary.name,
        hovertemplate=(
            f"<b>{_markup(title)}</b><br>at its own threshold<br>FOR %{{y:.1f}} %, kept %{{x:.1f}} %<extra></extra>"
        ),
    )


def _point(table: ThresholdTable, row: int, style: LineStyle, title: str) -> Any:
    import plotly.graph_objects as go

    return go.Scatter(
        x=[100 * table.share_kept[row]],
        y=[100 * table.false_omission[row]],
        mode="markers",
        marker={
            "color": style.colour,
            "symbol": "circle-open",
            "size": 20,
            "line": {"width": 3, "color": style.colour},
        },
        showlegend=False,
        hovertemplate=f"<b>{_markup(title)}</b><br>the chosen threshold<br>FOR %{{y:.1f}} %, kept %{{x:.1f}} %<extra></extra>",
    )


def _draw_base(figure: Figure, table: ThresholdTable | None) -> None:
    import plotly.graph_objects as go

    if table is None or table.base_rate is None:
        return
    base = 100 * table.base_rate
    figure.add_trace(
        go.Scatter(
            name=f"base rate, {base:.1f} %: what removal at random keeps",
            x=[0, 101.5],
            y=[base, base],
            mode="lines",
            line={"width": 1.5, "dash": "longdash", "color": "#888888"},
            hoverinfo="skip",
        )
    )


def _highest(tables: dict[str, ThresholdTable], bands: Sequence[str]) -> float:
    """Return the top of the axis: all lines, and bands where they do not run away at a handful of kept queries."""
    tops = [0.1]
    for name, table in tables.items():
        tops.append(table.base_rate or 0.0)
        if np.isfinite(table.false_omission).any():
            tops.append(float(np.nanmax(table.false_omission)))
        wide = (table.high - table.low < 0.3) & np.isfinite(table.high)
        if name in bands and wide.any():
            tops.append(float(table.high[wide].max()))
    return min(1.02, 1.12 * max(tops))


def _markup(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("%{", "% {")

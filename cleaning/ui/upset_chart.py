"""The UpSet plot of a cleaning: how many queries rest on which kinds of evidence together, before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cleaning.evidence_combinations import Combination, kind_sizes
from cleaning.removal_tables import Counts, total
from cleaning.ui.palette import COLOURS

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

#: So many combinations are drawn at most, the most frequent ones.
MOST = 30
#: Before is pale and after is full: told apart by lightness as well as by hue, and by their places.
BEFORE, AFTER, DOT, NO_DOT = COLOURS[5], COLOURS[0], COLOURS[1], "rgba(136,136,136,.25)"
#: Height of the bars, of a row of dots and of what is around, in pixels.
_BARS, _ROW, _AROUND = 260, 26, 130
#: Parts of the width and of the gap between.
_SIZES, _GAP = 0.2, 0.17


def upset_chart(combinations: Sequence[Combination], *, most: int = MOST) -> Figure:
    """Return the chart of combinations in their order, at most `most` of them; what is left out is said in the subtitle.

    Above are the queries of each combination before and after the cleaning; below, dots joined by a line say which kinds
    it has; at the left is how many queries have each kind, among others. All numbers are counts of queries.
    """
    import plotly.graph_objects as go

    shown = combinations[:most]
    sizes = kind_sizes(combinations)
    figure = go.Figure()
    for name, colour in (("before", BEFORE), ("after", AFTER)):
        figure.add_trace(_combination_bars(shown, name, colour))
        figure.add_trace(_size_bars(sizes, name, colour))
    for trace in _dots(shown, list(sizes)):
        figure.add_trace(trace)
    _lay_out(figure, combinations, shown, list(sizes))
    return figure


def _combination_bars(shown: Sequence[Combination], name: str, colour: str) -> Any:
    import plotly.graph_objects as go

    return go.Bar(
        name=name,
        x=list(range(len(shown))),
        y=[getattr(each.counts, name) for each in shown],
        marker={"color": colour},
        legendgroup=name,
        customdata=[[each.name, *_said(each.counts)] for each in shown],
        hovertemplate=_HOVER,
    )


def _size_bars(sizes: Mapping[str, Counts], name: str, colour: str) -> Any:
    import plotly.graph_objects as go

    return go.Bar(
        name=name,
        x=[getattr(each, name) for each in sizes.values()],
        y=list(sizes),
        orientation="h",
        xaxis="x2",
        yaxis="y2",
        marker={"color": colour},
        legendgroup=name,
        showlegend=False,
        customdata=[[kind, *_said(each)] for kind, each in sizes.items()],
        hovertemplate=_HOVER,
    )


def _dots(shown: Sequence[Combination], kinds: Sequence[str]) -> list[Any]:
    """Return the faint dots of all places, the lines within combinations, and the full dots of the kinds that each has."""
    import plotly.graph_objects as go

    own = {"xaxis": "x", "yaxis": "y2", "showlegend": False}
    places = [(x, kind) for x in range(len(shown)) for kind in kinds]
    has = [(x, kind) for x, each in enumerate(shown) for kind in each.kinds or (each.name,)]
    lines_x: list[int | None] = []
    lines_y: list[str | None] = []
    for x, each in enumerate(shown):
        if len(each.kinds) > 1:
            lines_x += [x, x, None]
            lines_y += [each.kinds[0], each.kinds[-1], None]
    named = [shown[x].name for x, _ in has]
    return [
        go.Scatter(
            x=[each[0] for each in places], y=[each[1] for each in places], mode="markers", hoverinfo="skip",
            marker={"color": NO_DOT, "size": 9}, **own,
        ),
        go.Scatter(x=lines_x, y=lines_y, mode="lines", line={"color": DOT, "width": 2}, hoverinfo="skip", **own),
        go.Scatter(
            name="kinds", x=[each[0] for each in has], y=[each[1] for each in has], mode="markers", customdata=named,
            marker={"color": DOT, "size": 10}, hovertemplate="%{customdata}<extra></extra>", **own,
        ),
    ]  # fmt: skip


_HOVER = "<b>%{customdata[0]}</b><br>before %{customdata[1]}, removed %{customdata[2]}, after %{customdata[3]}, kept %{customdata[4]}<extra></extra>"


def _said(counts: Counts) -> list[str]:
    share = "" if counts.share_kept is None else f"{100 * counts.share_kept:.1f} %"
    return [f"{counts.before:,}", f"{counts.removed:,}", f"{counts.after:,}", share]


def _lay_out(
    figure: Figure, combinations: Sequence[Combination], shown: Sequence[Combination], kinds: Sequence[str]
) -> None:
    height = _BARS + _ROW * len(kinds) + _AROUND
    split = _ROW * len(kinds) / (_BARS + _ROW * len(kinds))
    whole = total(each.counts for each in combinations)
    figure.update_layout(
        title={
            "text": f"Kinds of evidence before and after the cleaning, n = {whole.before:,} queries",
            "font": {"size": 15},
            "subtitle": {"text": _left_out(combinations, shown)},
        },
        height=height,
        margin={"l": 10, "r": 10, "t": 70, "b": 50},
        barmode="group",
        bargap=0.3,
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.02, "xanchor": "right", "x": 1.0},
        hovermode="closest",
        uirevision="upset-chart",
        xaxis={
            "domain": [_SIZES + _GAP, 1.0], "anchor": "y2", "range": [-0.6, max(len(shown), 1) - 0.4], "showgrid": False,
            "zeroline": False, "showticklabels": False, "title": "combinations, the most frequent first",
        },
        yaxis={"domain": [split + 0.03, 1.0], "anchor": "x", "title": "queries", "rangemode": "tozero", "tickformat": ",d"},
        xaxis2={
            "domain": [0.0, _SIZES], "anchor": "y2", "autorange": "reversed", "title": "queries with this kind",
            "zeroline": False, "tickformat": ",d", "nticks": 4,
        },
        yaxis2={
            "domain": [0.0, split], "anchor": "x2", "side": "right", "categoryorder": "array",
            "categoryarray": list(reversed(kinds)), "showgrid": False, "zeroline": False,
        },
    )  # fmt: skip


def _left_out(combinations: Sequence[Combination], shown: Sequence[Combination]) -> str:
    rest = combinations[len(shown) :]
    if not rest:
        return "a query counts once above, and at the left in each kind that it has"
    missing, whole = (total(each.counts for each in some).before for some in (rest, combinations))
    return f"{len(rest):,} rarer combinations with {missing:,} of {whole:,} queries are not drawn"

"""The chart of a guarantee: the bound on the bad share at each tested threshold, against the share kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cleaning.guarantee import Guarantee
from cleaning.tables import exact_text
from cleaning.ui.palette import style_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def bound_chart(found: Guarantee) -> Figure:
    """Return the chart; both axes in percent. Full marks are bounds that hold, hollow ones those that do not; the line is the risk."""
    import plotly.graph_objects as go

    figure = go.Figure()
    highest = found.risk
    for place, each in enumerate(found.strategies):
        style = style_of(place)
        tested = [step for step in each.steps if step.upper is not None]
        highest = max([highest, *(step.upper for step in tested if step.upper is not None)])
        holds = [step.outcome == "rejected" for step in tested]
        figure.add_trace(
            go.Scatter(
                name=each.title,
                x=[100 * step.share_kept for step in tested],
                y=[100 * (step.upper or 0.0) for step in tested],
                mode="lines+markers",
                line={"color": style.colour, "dash": style.dash, "width": 1.5},
                marker={
                    "color": style.colour, "size": 10, "line": {"width": 2, "color": style.colour},
                    "symbol": [style.symbol if hold else f"{style.symbol}-open" for hold in holds],
                },
                customdata=[[exact_text(step.threshold), step.bad, step.n, step.outcome.value] for step in tested],
                hovertemplate=(
                    "threshold %{customdata[0]}<br>kept %{x:.1f} %, bound %{y:.1f} %<br>%{customdata[1]} bad of "
                    "%{customdata[2]} labelled and kept: %{customdata[3]}<extra></extra>"
                ),
            )
        )  # fmt: skip
    figure.add_hline(
        y=100 * found.risk,
        line={"width": 1.5, "dash": "longdash", "color": "#888888"},
        annotation_text="what is allowed",
    )
    figure.update_layout(
        title={
            "text": f"Upper bound of the bad share of what is kept, {found.entered:,} labels",
            "font": {"size": 15},
            "subtitle": {
                "text": f"Clopper-Pearson, one-sided, {100 * (1 - found.alpha):.4g} % a strategy; full: the bound holds, hollow: it does not"
            },
        },
        height=380, margin={"l": 10, "r": 10, "t": 70, "b": 10}, legend={"orientation": "h", "y": -0.25, "x": 0}, showlegend=True,
    )  # fmt: skip
    figure.update_xaxes(title=f"share kept, % of {found.part or 'all queries'}", range=[0, 102], zeroline=False)
    figure.update_yaxes(title="bound, % of the kept", range=[0, min(105.0, 115 * highest)], zeroline=False)
    return figure

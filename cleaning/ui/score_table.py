"""What each strategy of a scoring removes, keeps and leaves undecided of all queries, as a table and as a chart."""

from __future__ import annotations

from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from audit_core.statistics.percent import percent
from cleaning.contract import Kind
from cleaning.removal_plan import threshold_words
from cleaning.scoring import ScoredAll, Scoring
from cleaning.tables import number_text
from cleaning.ui.palette import style_of

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from plotly.graph_objects import Figure

#: Bins of the chart over scores; each holds its lower edge, the last both.
BINS = 40
#: Up to so many different scores each is a bar of its own.
_FEW = 12


def scores_html(scoring: Scoring) -> str:
    """Return the table: a line a strategy, counts of all queries at the strategy's own threshold."""
    n = len(scoring.query_ids)
    lines = "".join(_line(each, place, n) for place, each in enumerate(scoring.strategies))
    return (
        '<div class="scroll"><table class="fig wide" data-testid="scores">'
        f"<caption>What each strategy would do with all {n:,} queries, at its own threshold</caption>"
        '<thead><tr><th class="text">Strategy</th><th>Threshold</th><th>Removes</th><th>Removes, %</th><th>Keeps</th>'
        f"<th>Undecided<br>(kept)</th></tr></thead>{lines}</table></div>"
    )


def _line(scored: ScoredAll, place: int, n: int) -> str:
    key = f'<span class="key" style="background:{style_of(place).colour}"></span>'
    apart = ", not ranked: it describes easy queries" if scored.kind == Kind.DIFFICULTY else ""
    name = f'<td class="text">{key}{escape(scored.title)}<small>{escape(scored.kind.value)}{apart}</small></td>'
    if scored.failed is not None:
        return f'<tr>{name}<td colspan="5" class="text long none">failed: {escape(scored.failed)}</td></tr>'
    removes = int((scored.decisions == 1.0).sum())
    undecided = int(np.isnan(scored.decisions).sum())
    share = percent(removes / n) if n else "undefined"
    says = threshold_words(scored, scored.threshold)
    return (
        f"<tr>{name}<td>{number_text(scored.threshold)}<small>{escape(says)}</small></td>"
        f"<td><b>{removes:,}</b></td><td>{share}</td><td>{n - removes - undecided:,}</td><td>{undecided:,}</td></tr>"
    )


def score_chart(scored: ScoredAll, place: int, threshold: float, *, chosen: float | None = None) -> Figure:
    """Return how many queries have which score; those at or above `threshold` go. `chosen` is a second line."""
    import plotly.graph_objects as go

    known: NDArray[np.float64] = scored.scores[~np.isnan(scored.scores)]
    values, counts = np.unique(known, return_counts=True)
    if len(values) > _FEW:
        counts, edges = np.histogram(known, bins=BINS, range=(0.0, 1.0))
        values, width = (edges[:-1] + edges[1:]) / 2, 1.0 / BINS
        ranges = [f"{low:.3f} to {high:.3f}" for low, high in pairwise(edges.tolist())]
    else:
        width, ranges = 0.02, [number_text(float(each)) for each in values]
    style = style_of(place)
    figure = go.Figure()
    for name, shown, fill in (
        ("stays", values < threshold, style.faint(0.4)),
        ("goes: at or above the threshold", values >= threshold, style.colour),
    ):
        figure.add_trace(
            go.Bar(
                name=name,
                x=values[shown],
                y=counts[shown],
                width=width * 0.92,
                customdata=[each for each, is_shown in zip(ranges, shown, strict=True) if is_shown],
                marker={"color": fill, "line": {"color": style.colour, "width": 1}},
                hovertemplate="score %{customdata}: %{y:,} queries<extra></extra>",
            )
        )
    undecided = len(scored.scores) - len(known)
    note = f"n = {len(scored.scores):,}; {undecided:,} undecided have no score" if undecided else f"n = {len(known):,}"
    figure.add_vline(
        x=threshold, line={"width": 2, "color": "#888888"}, annotation_text=f"own threshold {number_text(threshold)}"
    )
    if chosen is not None and chosen != threshold:
        figure.add_vline(
            x=chosen,
            line={"width": 2, "dash": "dot", "color": style.colour},
            annotation_text=f"chosen {number_text(chosen)}",
        )
    figure.update_layout(
        title={"text": f"Scores of {scored.title}", "font": {"size": 15}, "subtitle": {"text": note}},
        height=360, margin={"l": 10, "r": 10, "t": 70, "b": 10}, barmode="overlay", bargap=0,
        legend={"orientation": "h", "y": -0.25, "x": 0}, showlegend=True,
    )  # fmt: skip
    figure.update_xaxes(title="score (higher = more likely to remove)", range=[-0.03, 1.03], zeroline=False)
    figure.update_yaxes(title="queries", zeroline=False)
    return figure

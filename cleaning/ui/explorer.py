"""The chart with its sliders: one strategy's threshold, or one share kept for all; every figure moves with them."""

from __future__ import annotations

from html import escape

import streamlit as st

from audit_core.domain import Role
from audit_core.statistics.percent import confidence_text, percent
from audit_core.ui.access import only_for
from cleaning.compare_summary import at_equal_share
from cleaning.curves import ThresholdTable
from cleaning.finished import Result
from cleaning.metrics import Confusion, Rates, decide, measure
from cleaning.tables import number_text
from cleaning.tables_content import share_table, threshold_rows
from cleaning.ui.cells import beside, interval_cell
from cleaning.ui.chart_frame import draw_chart
from cleaning.ui.downloads import download_table, file_stem
from cleaning.ui.drawn_axis import axis_over
from cleaning.ui.palette import style_of
from cleaning.ui.share_chart import share_chart

BY_THRESHOLD, BY_SHARE = "Threshold of one strategy", "Equal share kept by all"
_BANDS = {BY_THRESHOLD: ("Chosen", "All", "None"), BY_SHARE: ("None", "All")}
_DEFAULT_SHARE = 70


@st.fragment
@only_for(Role.LEAD)
def draw_explorer(result: Result, name: str) -> None:
    """Draw the chart and beside it the choice of a point with its figures; `name` is the comparison's."""
    ranked = [each.name for each in result.summaries if each.ranked]
    if not ranked:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        how = st.segmented_control(
            "Look at", (BY_THRESHOLD, BY_SHARE), default=BY_THRESHOLD, required=True, key="explore-by"
        )
        offered = _BANDS[how or BY_THRESHOLD]
        bands = st.segmented_control("Bands", offered, default=offered[0], required=True, key=f"explore-bands-{how}")
    chart, choice = st.columns([8, 4], gap="medium")
    point: tuple[str, int] | None = None
    share: float | None = None
    with choice:
        if how == BY_SHARE:
            percent_kept = st.slider("Share kept, %", 1, 100, _DEFAULT_SHARE, key="explore-share")
            share = percent_kept / 100
            _draw_at_share(result, share, name)
        else:
            point = _threshold(result, ranked, name)
    with_bands = {"All": ranked, "None": []}.get(bands or "", [point[0]] if point else [])
    with chart:
        figure = share_chart(
            {each: result.thresholds[each] for each in ranked},
            [each for each in result.summaries if each.ranked],
            result.titles,
            order=[each.name for each in result.compared.strategies],
            bands=with_bands,
            n=result.n,
            point=point,
            share=share,
        )
        draw_chart(figure, file_name=file_stem(name, "for-by-share-kept"), key="explore-chart")


def _threshold(result: Result, ranked: list[str], name: str) -> tuple[str, int]:
    chosen = st.selectbox("Strategy", ranked, format_func=result.title, key="explore-strategy")
    table = result.thresholds[chosen]
    if len(table) == 1:
        st.info("It decided nothing, so there is no threshold to move.")
        return chosen, 0
    own = _own_row(result, chosen, table)
    row = st.select_slider(
        f"Threshold ({_how_many(table)})",
        list(range(len(table))),
        value=own,
        format_func=lambda each: number_text(float(table.thresholds[each])),
        key=f"explore-threshold-{chosen}",
        help="A query goes when its score is at or above the threshold. It starts at the strategy's own.",
    )
    scores = result.compared.of(chosen).scores[0]
    decisions = decide(scores, table.thresholds[row])
    rates = measure(decisions, result.compared.remove, probabilities=result.probabilities)
    st.html(cells_html(rates.confusion) + figures_html(rates))
    download_table(threshold_rows(result.title(chosen), table), file_stem(name, chosen, "thresholds"), key="thresholds")
    return chosen, row


def _how_many(table: ThresholdTable) -> str:
    if table.all_thresholds > len(table):
        return f"{len(table)} steps of {table.all_thresholds:,} scores"
    return f"{len(table)} steps"


def _own_row(result: Result, name: str, table: ThresholdTable) -> int:
    """Return the row whose decisions are nearest to those the strategy took: its thresholds may differ by fold."""
    removed = int((result.compared.of(name).decisions[0] == 1.0).sum())
    distance = abs((table.tp + table.fp) - removed)
    return int(distance.argmin())


def _draw_at_share(result: Result, share: float, name: str) -> None:
    rows = at_equal_share(result.compared, share_kept=share)
    order = [each.name for each in result.compared.strategies]
    ranked = {each.name for each in result.summaries if each.ranked}
    shown = [each for each in rows if each.name in ranked or each.name not in order]
    base = rows[-1].at.false_omission.estimate
    axis = axis_over((each.at.false_omission for each in shown), base)
    lines = []
    for each in shown:
        is_random = each.name not in order
        colour = "#888888" if is_random else style_of(order.index(each.name)).colour
        key = f'<span class="key" style="background:{colour}"></span>'
        title = "Base rate" if is_random else result.title(each.name)
        tied = f'<small title="{escape(each.at.says)}">ties</small>' if each.at.tied and not is_random else ""
        recall = "undefined" if each.at.recall is None else percent(each.at.recall)
        lines.append(
            f'<tr><td class="text long">{key}{escape(title)}{tied}</td>{interval_cell(each.at.false_omission, strong=True)}'
            f"{axis.cell(each.at.false_omission, colour=colour)}<td>{recall}</td></tr>"
        )
    kept = rows[-1].at
    st.html(
        f'<div class="scroll"><table class="fig wide" data-testid="equal-share"><caption>{kept.kept:,} of {result.n:,} '
        'kept by every strategy</caption><thead><tr><th class="text">Strategy</th><th>FOR, %</th><th></th>'
        f"<th>Recall, %</th></tr></thead>{''.join(lines)}</table></div>"
    )
    st.caption(
        "The highest-scored queries go until equally many are left. Where the cut falls among equal scores, the expected value over them is shown."
    )
    download_table(share_table(rows), file_stem(name, f"at-{round(100 * share)}-percent-kept"), key="equal-share")


def cells_html(counts: Confusion) -> str:
    """Return the four counts as a square, each in words; undecided queries are named with the kept."""
    bad = f" (+ {counts.undecided_positive:,} undecided)" if counts.undecided_positive else ""
    right = f" (+ {counts.undecided_negative:,} undecided)" if counts.undecided_negative else ""
    return (
        '<table class="cells" data-testid="confusion">'
        f"<tr><td><b>{counts.tp:,}</b>removed, was bad</td><td class='wrong'><b>{counts.fp:,}</b>removed, was right</td></tr>"
        f"<tr><td class='wrong'><b>{counts.fn:,}</b>kept, should go{bad}</td>"
        f"<td><b>{counts.tn:,}</b>kept, is right{right}</td></tr></table>"
    )


def figures_html(rates: Rates) -> str:
    """Return the rates of one point with counts, intervals and the bounds over the undecided."""
    named = (
        ("False omission rate", rates.false_omission),
        ("Share kept", rates.share_kept),
        ("Precision", rates.precision),
        ("Recall", rates.recall),
        ("Specificity", rates.specificity),
    )
    lines = []
    for word, each in named:
        figure = "undefined" if each.estimate is None else f"{percent(each.estimate)} %"
        more = each.undefined if each.estimate is None else beside(each)
        lines.append(f"<tr><td>{word}</td><td><b>{figure}</b><small>{escape(more or '')}</small></td></tr>")
    if rates.confusion.undecided:
        bounds = f"{percent(rates.lowest)} to {percent(rates.highest)} %"
        lines.append(f"<tr><td>FOR if the undecided were decided</td><td>{bounds}</td></tr>")
    method = f"{confidence_text(rates.false_omission.confidence)} {rates.false_omission.method}; {rates.heading}"
    return f'<table class="figures" data-testid="figures">{"".join(lines)}</table><small>{escape(method)}</small>'

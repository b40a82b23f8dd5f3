"""The figures of the strategies within each source, evidence structure or generator."""

from __future__ import annotations

from dataclasses import replace
from html import escape

import streamlit as st

from audit_core.domain import Role
from audit_core.ui.access import only_for
from cleaning.compare_summary import Summary
from cleaning.finished import Result
from cleaning.tables_content import group_table
from cleaning.ui.cells import interval_cell
from cleaning.ui.downloads import download_table, file_stem
from cleaning.ui.drawn_axis import Axis, axis_over
from cleaning.ui.palette import style_of

#: From so many kept queries on the interval says something; below it a group is marked.
_SMALL = 10


@st.fragment
@only_for(Role.LEAD)
def draw_groups(result: Result, name: str) -> None:
    """Draw the section; `name` is the comparison's."""
    kinds = list(result.groups)
    if not kinds:
        st.info("All evaluated queries are of one source, one evidence structure and one generator.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        kind = st.segmented_control(
            "By", kinds, format_func=kind_title, default=kinds[0], required=True, key="group-kind"
        )
        titled = [replace(each, title=result.title(each.name)) for each in result.summaries]
        download_table(group_table(titled, kind or kinds[0]), file_stem(name, "by", kind or ""), key="groups")
    st.html(groups_html(titled, kind or kinds[0], [each.name for each in result.compared.strategies]))
    st.caption(
        "Repeat 1. Groups of a dozen queries have intervals that reach far: read the denominators. "
        f"Fewer than {_SMALL} kept queries are marked *."
    )


def kind_title(kind: str) -> str:
    """Return how a kind of group is shown."""
    return kind.replace("_", " ").capitalize()


def groups_html(summaries: list[Summary], kind: str, order: list[str]) -> str:
    """Return one table: groups below one another, in each the strategies."""
    names = list(dict.fromkeys(group for each in summaries for group in each.groups[kind]))
    axis = axis_over(rates.false_omission for each in summaries for rates in each.groups[kind].values())
    lines = [
        _line(each, kind, group, order, axis, is_first=place == 0)
        for group in names
        for place, each in enumerate(summaries)
    ]
    return (
        f'<div class="scroll" style="max-height:560px;overflow-y:auto"><table class="fig wide" data-testid="groups"><thead><tr>'
        f'<th class="text">{escape(kind_title(kind))}</th><th class="text">Strategy</th><th>FOR, %</th>'
        f'<th class="text">{axis.head}</th>'
        f"<th>Kept, %</th>"
        f"<th>FN</th><th>TN</th><th>TP</th><th>FP</th><th>Precision, %</th><th>Recall, %</th></tr></thead>{''.join(lines)}</table></div>"
    )


def _line(each: Summary, kind: str, group: str, order: list[str], axis: Axis, *, is_first: bool) -> str:
    rates = each.groups[kind][group]
    counts = rates.confusion
    named = ""
    if is_first:
        named = f"{escape(group or '(none)')}<small>{counts.n:,} queries, {counts.positives:,} to remove</small>"
    mark = " *" if counts.kept < _SMALL else ""
    colour = style_of(order.index(each.name)).colour
    key = f'<span class="key" style="background:{colour}"></span>'
    cells = "".join(f"<td>{count:,}</td>" for count in (counts.fn, counts.tn, counts.tp, counts.fp))
    return (
        f'<tr class="{"first" if is_first else ""}"><td class="text">{named}</td><td class="text">{key}{escape(each.title)}{mark}</td>'
        f"{interval_cell(rates.false_omission, strong=True)}{axis.cell(rates.false_omission, colour=colour)}"
        f"{interval_cell(rates.share_kept)}{cells}{interval_cell(rates.precision)}{interval_cell(rates.recall)}</tr>"
    )

"""How far annotators agree on the page: the sentence, the chart, the tables, the matrix, pages and boxes, the downloads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType

import streamlit as st

from audit_core.agreement.report import AgreementReport, Item
from audit_core.agreement.tables import (
    Table,
    annotators_table,
    boxes_table,
    figures_table,
    groups_table,
    pages_table,
    prevalence_table,
)
from audit_core.agreement.wording import basis, sealed_sentence, second_reading_sentence, skew_sentence
from audit_core.statistics.percent import interval_text, percent_text
from audit_core.ui.agreement_chart import agreement_chart
from audit_core.ui.agreement_tables import figure_words, matrix_html, table_html
from audit_core.ui.plain_text import plain
from audit_core.ui.report_view import draw_downloads


def draw_agreement(
    report: AgreementReport, formats: Mapping[str, ModuleType], names: Callable[[], Mapping[str, str]], *, stem: str
) -> None:
    """Draw the whole report; `names` tells who the annotators are, and is asked only where somebody wants to know."""
    st.markdown(f"#### {plain(report.headline)}")
    if (sealed := sealed_sentence(report)) is not None:
        more = "Judge it first, and it counts" if report.sealed == 1 else "Judge them first, and they count"
        st.info(f"{plain(sealed)} {more} here too.", icon=":material/visibility_off:")
    if (skew := skew_sentence(report.items)) is not None:
        st.info(plain(skew), icon=":material/balance:")
    if not report.shared:
        st.info(
            f"No {'other ' if report.sealed else ''}entry has answers of two annotators yet: agreement can be computed once somebody "
            "judges what somebody else has judged."
        )
    else:
        st.plotly_chart(agreement_chart(report), config=_chart_config(stem), theme="streamlit", key="agreement-chart")
    st.html(table_html(figures_table(report)))
    _draw_second_reading(report)
    _draw_detail(report, names)
    for table in (pages_table(report), boxes_table(report)):
        if table.rows:
            st.html(table_html(table))
    draw_downloads(report, formats, stem=stem)
    st.markdown("##### What the numbers rest on")
    st.markdown("\n".join(f"- {plain(each)}" for each in basis(report)))


def _chart_config(stem: str) -> dict[str, object]:
    return {
        "displaylogo": False,
        "modeBarButtons": [["toImage"]],
        "displayModeBar": True,
        "toImageButtonOptions": {"format": "svg", "filename": stem},
    }


def _draw_second_reading(report: AgreementReport) -> None:
    found, sentence = report.second_reading, second_reading_sentence(report)
    if found is None or sentence is None:
        return
    with st.container(border=True):
        st.metric("Verdicts overturned by the second reading", percent_text(found.overturned.estimate))
        st.caption(f"{plain(sentence)} {plain(interval_text(found.overturned))}.")


def _draw_detail(report: AgreementReport, names: Callable[[], Mapping[str, str]]) -> None:
    """Draw what was said, groups and pairs of one thing, which is chosen here."""
    items = {each.name: each for each in report.items}
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    chosen = left.selectbox(
        "Closer look at", list(items), index=list(items).index(report.headline_item),
        format_func=lambda name: items[name].title, key="agreement-item",
    )  # fmt: skip
    is_named = right.toggle("Show names", key="agreement-names", help="Else annotators stand by their pseudonyms.")
    shown = names() if is_named else {}
    item = items[chosen]
    st.html(table_html(_only(prevalence_table(report), item)))
    if item.groups:
        st.html(table_html(groups_table(item)))
    _draw_matrix(report, item, shown)
    st.html(table_html(annotators_table(report, shown)))


def _only(table: Table, item: Item) -> Table:
    rows = tuple(row for row in table.rows if row[0] == item.title)
    return Table(table.key, table.title, table.heads, table.names, rows)


def _draw_matrix(report: AgreementReport, item: Item, names: Mapping[str, str]) -> None:
    if not item.pairs:
        return
    words = figure_words(item)
    figure = st.segmented_control(
        "Each two annotators", list(words), default="percent", format_func=words.__getitem__, key=f"matrix-{item.name}"
    )
    st.html(matrix_html(report, item, figure or "percent", names))

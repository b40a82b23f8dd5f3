"""The built-in example: nine published removal strategies with what their counts do and do not say."""

from __future__ import annotations

from html import escape

import streamlit as st

from audit_core.statistics.percent import percent
from audit_core.ui.plain_text import plain
from cleaning.published import NOTES, PUBLISHED
from cleaning.tables_content import published_table
from cleaning.ui.cells import interval_cell
from cleaning.ui.downloads import download_table
from cleaning.ui.drawn_axis import axis_over
from cleaning.ui.style import dress_comparisons


def draw_published() -> None:
    """Draw the table of the published matrices behind an expander, with its notes and downloads."""
    dress_comparisons()
    with st.expander(
        "Example: nine published removal strategies (1,438 labelled queries)", icon=":material/menu_book:"
    ):
        st.html(published_html())
        st.markdown("\n".join(f"- {plain(each)}" for each in NOTES))
        download_table(published_table(), "published-removal-strategies", key="published")


def published_html() -> str:
    """Return the table: the rate as printed, and what the counts give, with its Wilson interval drawn."""
    axis = axis_over(each.rates.false_omission for each in PUBLISHED)
    lines = []
    for each in PUBLISHED:
        rates, counts = each.rates, each.confusion
        cells = "".join(f"<td>{count:,}</td>" for count in (counts.fn, counts.tn, counts.tp, counts.fp))
        note = f"<small>{escape(each.note)}</small>" if each.note else ""
        lines.append(
            f'<tr><td class="text long">{escape(each.method)}{f"<small>{escape(each.setting)}</small>" if each.setting else ""}{note}</td>'
            f'<td class="text">{escape(each.test_set)}</td><td>{percent(each.printed, decimals=2)}</td>'
            f"{interval_cell(rates.false_omission, strong=True)}{axis.cell(rates.false_omission)}"
            f"{interval_cell(rates.share_kept)}{cells}{interval_cell(rates.precision)}{interval_cell(rates.recall)}</tr>"
        )
    return (
        f'<div class="scroll"><table class="fig wide" data-testid="published"><caption>Published counts, 95 % Wilson; labelled '
        'set only</caption><thead><tr><th class="text">Strategy</th><th class="text">Scored on</th><th>FOR, printed, %</th><th>FOR, %</th>'
        f'<th class="text">{axis.head}</th><th>Kept, %</th><th>FN</th><th>TN</th><th>TP</th><th>FP</th>'
        f"<th>Precision, %</th><th>Recall, %</th></tr></thead>{''.join(lines)}</table></div>"
    )

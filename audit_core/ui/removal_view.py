"""The report of a removal campaign on the page: the sentence, the two cards, the tables, the downloads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from types import ModuleType

import streamlit as st

from audit_core.audit_report.removal import RemovalReport, RemovalRow
from audit_core.protocols.removal import CRITERIA, STEPS
from audit_core.statistics.percent import interval_text, percent, percent_text, range_text
from audit_core.ui.plain_text import plain
from audit_core.ui.report_table import TABLE_STYLE
from audit_core.ui.report_view import draw_downloads, file_stem

Cell = tuple[str, str]


def draw_removal_report(report: RemovalReport, formats: Mapping[str, ModuleType]) -> None:
    """Draw the whole report with a download in each of the formats."""
    st.markdown(f"#### {plain(report.headline)}")
    if report.carried_sentence is not None:
        st.caption(plain(report.carried_sentence))
    _draw_cards(report)
    st.html(rows_html(report))
    st.html(criteria_html(report))
    draw_downloads(report, formats, stem=file_stem(report.context, kind="removal"))
    st.markdown("##### What the numbers rest on")
    context = report.context
    lines = [
        f"Dataset {context.dataset_name} revision {context.dataset_revision} (content {context.content_hash[:12]}), "
        f"campaign {context.campaign}, protocol {context.protocol}, computed {context.when:%Y-%m-%d %H:%M} UTC.",
        report.design_sentence,
        *report.design_notes,
        *report.notes,
    ]
    st.markdown("\n".join(f"- {plain(line)}" for line in lines))


def _draw_cards(report: RemovalReport) -> None:
    judged, whole = st.columns(2)
    total = report.total
    with judged.container(border=True, height="stretch"):
        st.metric("To remove, of the decided entries", percent_text(total.interval.estimate))
        st.caption(
            f"{total.keep:,} to keep, {total.remove:,} to remove, {total.disputed:,} disputed, {total.cannot_judge:,} "
            f"cannot be judged, {total.not_judged:,} not judged. {interval_text(total.interval)}"
        )
    with whole.container(border=True, height="stretch"):
        estimate = report.whole.estimate
        st.metric("To remove, of all queries", percent_text(estimate.interval.estimate) if estimate else "no estimate")
        for sentence in (report.whole.sentence, *report.whole.warnings):
            st.caption(plain(sentence))


def rows_html(report: RemovalReport) -> str:
    """Return the table of entries: strata, subtotals by source and by structure, the total."""
    has_population = any(row.population is not None for row in report.rows)
    heads = [
        ("text", "source"), ("text", "evidence structure"),
        *([("", "queries in<br>the benchmark")] if has_population else []),
        ("", "entries"), ("", "keep"), ("", "remove"), ("", "disputed"), ("", "cannot<br>judge"), ("", "not<br>judged"),
        ("", "remove, %"), ("", "95 % Wilson, %"),
    ]  # fmt: skip
    lines = []
    before = None
    for row in report.rows:
        classes = row.kind if row.kind == before else f"{row.kind} first"
        lines.append(html_line(_cells(row, has_population=has_population), classes))
        before = row.kind
    caption = "Entries to keep and to remove by source and evidence structure (counts of entries)"
    return html_table("removal-table", caption, heads, lines)


def _cells(row: RemovalRow, *, has_population: bool) -> list[Cell]:
    counts = (row.entries, row.keep, row.remove, row.disputed, row.cannot_judge, row.not_judged)
    population: list[Cell] = []
    if has_population:
        population = [("none", "not known") if row.population is None else html_count(row.population)]
    interval = row.interval
    if interval.estimate is None or interval.low is None:
        shares = [("none", "undefined"), ("none", escape(interval.undefined or "undefined"))]
    else:
        bounds = range_text(interval.low, interval.high).removesuffix(" %")
        shares = [("", percent(interval.estimate)), ("", bounds)]
    names = [("text", escape(row.source or "all")), ("text", escape(row.evidence_structure or "all"))]
    return [*names, *population, *(html_count(each) for each in counts), *shares]


def criteria_html(report: RemovalReport) -> str:
    """Return the table of the criteria: how many judgments gave each value, in brackets those that say remove."""
    heads = [("text", "criterion"), *(("", f"{step:g}") for step in STEPS), ("", "left<br>open"), ("text", "0 to 1")]
    lines = []
    for each in report.criteria:
        removed = dict(each.of_removed)
        counts = [("" if n else "none", f"{n:,}" + (f" ({removed[v]:,})" if n else "")) for v, n in each.values]
        _, low, high = CRITERIA[each.name]
        ends = ("text", escape(f"{low} to {high}"))
        lines.append(html_line([("text", escape(each.title)), *counts, html_count(each.left_open), ends], ""))
    caption = "Criteria by value (counts of judgments; in brackets those that say remove)"
    return html_table("criteria-table", caption, heads, lines)


def html_count(number: int) -> Cell:
    """Return a cell with a count; 0 is quiet."""
    return ("", f"{number:,}") if number else ("none", "0")


def html_line(cells: Sequence[Cell], classes: str) -> str:
    """Return a line of a table; a cell is its class and its markup."""
    return f'<tr class="{classes}">{"".join(f"<td class={kind!r}>{words}</td>" for kind, words in cells)}</tr>'


def html_table(testid: str, caption: str, heads: Sequence[Cell], lines: Sequence[str]) -> str:
    """Return a table of lines under its heads."""
    head = "".join(f"<th class={kind!r}>{words}</th>" for kind, words in heads)
    table = f"<caption>{caption}</caption><thead><tr>{head}</tr></thead>{''.join(lines)}"
    return (
        f'{TABLE_STYLE}<div style="overflow-x:auto"><table class="audit" data-testid="{testid}">{table}</table></div>'
    )

"""The report of a protocol that asks fields on the page: the sentence, the two cards, a table of entries and one of each field."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from types import ModuleType

import streamlit as st

from audit_core.audit_report.field_counts import FieldCounts, FieldRow, ValueShare
from audit_core.audit_report.fields import FieldsReport, VerdictRow
from audit_core.exporters.fields_markdown import field_title, mention_sentence
from audit_core.statistics.percent import interval_text, percent, percent_text, range_text
from audit_core.ui.plain_text import plain
from audit_core.ui.removal_view import Cell, html_count, html_line, html_table
from audit_core.ui.report_view import draw_downloads, file_stem


def draw_fields_report(report: FieldsReport, formats: Mapping[str, ModuleType]) -> None:
    """Draw the whole report with a download in each of the formats."""
    st.markdown(f"#### {plain(report.headline)}")
    if report.carried_sentence is not None:
        st.caption(plain(report.carried_sentence))
    _draw_cards(report)
    st.html(entries_html(report))
    for field in report.fields:
        st.html(field_html(field))
    for each in report.mentions:
        st.caption(plain(mention_sentence(each)))
    draw_downloads(report, formats, stem=file_stem(report.context, kind=report.context.protocol))
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


def _draw_cards(report: FieldsReport) -> None:
    judged, whole = st.columns(2)
    total, words = report.total, report.verdict.words.capitalize()
    with judged.container(border=True, height="stretch"):
        st.metric(f"{words}, of the decided entries", percent_text(total.interval.estimate))
        st.caption(
            f"{total.interval.count or 0:,} of {total.decided:,} decided, {total.disputed:,} disputed, {total.cannot_judge:,} "
            f"cannot be judged, {total.not_judged:,} not judged. {interval_text(total.interval)}"
        )
    with whole.container(border=True, height="stretch"):
        estimate = report.whole.estimate
        st.metric(f"{words}, of all queries", percent_text(estimate.interval.estimate) if estimate else "no estimate")
        for sentence in (report.whole.sentence, *report.whole.warnings):
            st.caption(plain(sentence))


def entries_html(report: FieldsReport) -> str:
    """Return the table of entries: strata, subtotals by source and by structure, the total."""
    words = escape(report.verdict.words)
    has_population = any(row.population is not None for row in report.rows)
    heads = [
        ("text", "source"), ("text", "evidence structure"),
        *([("", "queries in<br>the benchmark")] if has_population else []),
        ("", "entries"), ("", "decided"), ("", words), ("", "disputed"), ("", "cannot<br>judge"), ("", "not<br>judged"),
        ("", f"{words}, %"), ("", "95 % Wilson, %"),
    ]  # fmt: skip
    lines, before = [], None
    for row in report.rows:
        classes = row.kind if row.kind == before else f"{row.kind} first"
        lines.append(html_line(_cells(row, has_population=has_population), classes))
        before = row.kind
    caption = f"Entries {words} by source and evidence structure (counts of entries)"
    return html_table("fields-table", caption, heads, lines)


def _cells(row: VerdictRow, *, has_population: bool) -> list[Cell]:
    interval = row.interval
    counts = (row.entries, row.decided, interval.count or 0, row.disputed, row.cannot_judge, row.not_judged)
    population: list[Cell] = []
    if has_population:
        population = [("none", "not known") if row.population is None else html_count(row.population)]
    if interval.estimate is None or interval.low is None:
        shares = [("none", "undefined"), ("none", escape(interval.undefined or "undefined"))]
    else:
        shares = [("", percent(interval.estimate)), ("", range_text(interval.low, interval.high).removesuffix(" %"))]
    return [*_names(row), *population, *(html_count(each) for each in counts), *shares]


def field_html(field: FieldCounts) -> str:
    """Return the table of one field: for each value its count of the decided units, the share and its interval."""
    words = [escape(each.words) for each in field.total.shares]
    heads = [
        ("text", "source"),
        ("text", "evidence structure"),
        *(("", each) for each in words),
        ("", "disputed"),
        ("", "answered"),
    ]
    lines, before = [], None
    for row in field.rows:
        if not row.answered and row.kind != "total":
            continue
        classes = row.kind if row.kind == before else f"{row.kind} first"
        cells = [*_names(row), *map(_share, row.shares), html_count(row.disputed), html_count(row.answered)]
        lines.append(html_line(cells, classes))
        before = row.kind
    several = "; several may be named together" if field.is_several else ""
    caption = f"{escape(field_title(field))}: share of the decided {field.unit}, 95 % Wilson{several}"
    return html_table(f"field-table-{field.name}", caption, heads, lines)


def _share(each: ValueShare) -> Cell:
    interval = each.interval
    if interval.estimate is None:
        return "none", "undefined<br><small>0 of 0</small>"
    bounds = range_text(interval.low, interval.high).removesuffix(" %")
    shown = f"{interval.count:,} of {interval.n:,g}<br><small>{percent(interval.estimate)} % ({bounds})</small>"
    return ("" if interval.count else "none"), shown


def _names(row: VerdictRow | FieldRow) -> list[Cell]:
    return [("text", escape(row.source or "all")), ("text", escape(row.evidence_structure or "all"))]

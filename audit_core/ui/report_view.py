"""The audit report on the page: the sentence, the two cards, the chart, the table, the downloads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import ModuleType

import streamlit as st

from audit_core.audit_report import AuditReport, ReportContext
from audit_core.statistics.percent import interval_text, percent_text
from audit_core.ui.plain_text import plain
from audit_core.ui.report_chart import accuracy_chart
from audit_core.ui.report_table import table_html


def draw_report(report: AuditReport, formats: Mapping[str, ModuleType]) -> None:
    """Draw the whole report with a download in each of the formats."""
    st.markdown(f"#### {plain(report.headline)}")
    if report.carried_sentence is not None:
        st.caption(plain(report.carried_sentence))
    _draw_cards(report)
    if report.total.decided:
        st.plotly_chart(accuracy_chart(report), config=_chart_config(report), theme="streamlit")
    elif report.total.entries:
        st.info("Nothing is decided yet: the chart appears with the first judged entry.")
    st.html(table_html(report))
    draw_downloads(report, formats, stem=file_stem(report.context))
    _draw_notes(report)


def _draw_cards(report: AuditReport) -> None:
    audited, whole = st.columns(2)
    with audited.container(border=True, height="stretch"):
        interval = report.total.interval
        st.metric("Audited entries", percent_text(interval.estimate), help=None)
        st.caption(
            f"{report.total.correct:,} of {report.total.decided:,} decided entries are correct. {interval_text(interval)}"
        )
        if report.clustered is not None:
            st.caption(
                f"Entries share documents ({report.clustered.sharing:,} of them): {interval_text(report.clustered.interval)}"
            )
        _draw_use(report, 0)
    with whole.container(border=True, height="stretch"):
        estimate = report.benchmark.estimate
        subject = "Part of the benchmark" if report.design_check.is_part else "Whole benchmark"
        st.metric(subject, percent_text(estimate.interval.estimate) if estimate else "no estimate")
        st.caption(plain(report.benchmark.sentence))
        for sentence in (report.benchmark.remaining_sentence, *report.benchmark.warnings):
            if sentence:
                st.caption(plain(sentence))
        _draw_use(report, 1)


def _draw_use(report: AuditReport, position: int) -> None:
    if position < len(report.uses):
        st.caption(f"**Use:** {plain(report.uses[position].text)}")


def _chart_config(report: AuditReport) -> dict[str, object]:
    return {
        "displaylogo": False,
        "modeBarButtons": [["toImage"]],
        "displayModeBar": True,
        "toImageButtonOptions": {"format": "svg", "filename": file_stem(report.context)},
    }


def file_stem(context: ReportContext, *, kind: str = "audit") -> str:
    """Return the name of a download without its suffix; only letters, digits, dots and dashes."""
    words = f"{kind}-{context.dataset_name}-{context.dataset_revision}-{context.campaign}"
    return re.sub(r"[^A-Za-z0-9.-]+", "-", words).strip("-.")


def draw_downloads(report: object, formats: Mapping[str, ModuleType], *, stem: str) -> None:
    """Draw a download of a report in each of its formats; `stem` is the name of the files."""
    labels = {"csv": "CSV", "markdown": "Markdown", "latex": "LaTeX", "json": "JSON"}
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Download**")
        for name, module in formats.items():
            st.download_button(
                labels.get(name, name),
                module.write(report),
                file_name=stem + module.suffix,
                mime=module.media_type,
                on_click="ignore",
                key=f"download-{name}",
            )


def _draw_notes(report: AuditReport) -> None:
    st.markdown("##### What the numbers rest on")
    context = report.context
    lines = [
        f"Dataset {context.dataset_name} revision {context.dataset_revision} (content {context.content_hash[:12]}), "
        f"campaign {context.campaign}, protocol {context.protocol}, computed {context.when:%Y-%m-%d %H:%M} UTC.",
        report.design_sentence,
        *report.design_check.sentences,
        *report.notes,
    ]
    st.markdown("\n".join(f"- {plain(line)}" for line in lines))

"""What a cleaning did: queries before and after by stratum and by kinds of evidence, and every removed query with why."""

from __future__ import annotations

from functools import partial
from html import escape
from itertools import islice

import streamlit as st

from audit_core.domain import JsonObject, Role
from audit_core.storage.people import Person
from audit_core.ui.access import made_when_asked, only_for
from audit_core.ui.plain_text import plain
from audit_core.workflow.cleanings import RunView
from audit_core.workflow.waiting_judgments import waiting_for
from audit_core.workflow.workspace import Workspace
from cleaning.applied import EVIDENCE, TABLES, Applied, read_applied, read_removed
from cleaning.contract import Reason
from cleaning.removed_list import FORMATS, as_lines
from cleaning.tables import number_text
from cleaning.ui.cells import table_html
from cleaning.ui.chart_frame import draw_chart
from cleaning.ui.downloads import download_table, file_stem
from cleaning.ui.plain_words import with_code
from cleaning.ui.query_list import marked
from cleaning.ui.style import dress_comparisons
from cleaning.ui.upset_chart import upset_chart
from cleaning.ui.waiting_queries import draw_waiting

AT_ONCE = 20
_TITLES = {"source": "By source", "domain": "By domain", EVIDENCE: "By kinds of evidence"}
_TYPES = {"csv": "text/csv", "jsonl": "application/x-ndjson"}


def draw_cleaned(workspace: Workspace, person: Person, view: RunView) -> None:
    """Draw the page of a finished cleaning."""
    dress_comparisons()
    applied = read_applied(workspace, view)
    first, *rest = applied.sentences()
    st.markdown(f"**{plain(first)}**")
    st.caption("\n".join(f"- {with_code(each)}" for each in rest))
    if view.made is None:
        st.warning("The cleaned revision was deleted since; this account of it stays.", icon=":material/delete:")
    else:
        st.caption(
            f"It is the dataset {plain(view.made.shown)} revision {plain(view.made.revision)}: judge it, score it and export it as "
            f"any other. `python -m audit_core export-bundle {view.made.name}@{view.made.revision} FOLDER` writes it as a bundle."
        )
    _draw_tables(applied, view.row.name)
    _draw_removed(workspace, person, view, applied)


def _draw_tables(applied: Applied, name: str) -> None:
    for tab, table_name in zip(st.tabs([_TITLES[each] for each in TABLES]), TABLES, strict=True):
        table = applied.table(table_name)
        with tab:
            if table_name == EVIDENCE:
                draw_chart(upset_chart(applied.combinations), file_name=file_stem(name, "evidence-kinds"), key="upset")
            st.html(table_html(table, testid=f"changes-{table_name}"))
            for note in table.notes:
                st.caption(plain(note))
            download_table(table, file_stem(name, table_name), key=f"changes-{table_name}")


@st.fragment
@only_for(Role.LEAD)
def _draw_removed(workspace: Workspace, person: Person, view: RunView, applied: Applied) -> None:
    count = applied.counts.removed
    st.subheader(f"Removed queries ({count:,})", anchor="removed")
    with st.container(horizontal=True):
        for form in FORMATS:
            st.download_button(
                f"All of them ({form.upper()})",
                made_when_asked(partial(_removed_text, workspace, view, applied, form), Role.LEAD),
                file_name=f"{file_stem(view.row.name, 'removed')}.{form}", mime=_TYPES[form], on_click="ignore", key=f"removed-{form}",
            )  # fmt: skip
    waiting = waiting_for(workspace, view.dataset, person)
    draw_waiting(waiting)
    shown = (
        [each for each in read_removed(workspace, view, applied) if each["query_id"] not in waiting]
        if waiting
        else None
    )
    count = count if shown is None else len(shown)
    parts = max(1, -(-count // AT_ONCE))
    number = 1
    if parts > 1:
        number = int(st.number_input(f"Page of {parts:,}", 1, parts, 1, key="removed-part", width=240))
    start = AT_ONCE * (number - 1)
    rows = read_removed(workspace, view, applied, start=start) if shown is None else iter(shown[start:])
    for row in islice(rows, AT_ONCE):
        st.html(_removed_html(applied, row))


def _removed_text(workspace: Workspace, view: RunView, applied: Applied, form: str) -> str:
    return "".join(as_lines(read_removed(workspace, view, applied), form, list(applied.thresholds)))


def _removed_html(applied: Applied, row: JsonObject) -> str:
    titles = {each.name: each.title for each in applied.members}
    reasons = [Reason(each["rule"], each["says"], each["start"], each["end"]) for each in row["reasons"]]
    why = "".join(f"<small>{escape(each)}</small>" for each in dict.fromkeys(reason.says for reason in reasons))
    by = "; ".join(
        f"{titles.get(each, each)}: score {number_text(row['scores'][each])}, threshold {number_text(row['thresholds'][each])}"
        for each in row["strategies"]
    )
    about = f"{row['query_id']} · {row['source']} · {row['evidence_structure']}"
    return f'<div class="said">{marked(row["text"], reasons)}{why}<small>{escape(by)}</small><small>{escape(about)}</small></div>'

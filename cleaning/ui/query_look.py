"""A look at one query, to be read alone: its words, its labels and scores, and its evidence pages with their boxes."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import streamlit as st

from audit_core.datasets.revision import Revision
from audit_core.domain import JsonObject, Query, Role
from audit_core.errors import AssayError
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.ui.access import only_for
from audit_core.workflow.entry_view import alternatives, evidence_by_page
from audit_core.workflow.page_view import describe_page
from audit_core.workflow.waiting_judgments import waiting_for
from audit_core.workflow.workspace import Workspace
from cleaning.contract import Reason
from cleaning.finished import Result
from cleaning.ui.waiting_queries import draw_waiting, told

#: As many pages as are shown at once.
_PAGES = 8


@st.dialog("Query", width="large")
@only_for(Role.LEAD)
def look_at_query(workspace: Workspace, person: Person, dataset: DatasetRow, result: Result, query_id: str) -> None:
    """Show one query in a dialog of its own."""
    draw_query(workspace, person, dataset, result, query_id)


def draw_query(workspace: Workspace, person: Person, dataset: DatasetRow, result: Result, query_id: str) -> None:
    """Draw one query with its label and what every strategy said of it, then its evidence pages.

    Of one that waits for the person's own judgment neither label nor strategies are shown.
    """
    try:
        revision = workspace.revision(dataset)
        query = revision.query(query_id)
    except AssayError as error:
        st.error(str(error), icon=":material/error:")
        return
    st.html(
        f'<div data-testid="look"><b>{escape(query.text)}</b><br>{escape(query.answer or "(no answer)")}'
        f"<br><small>{escape(_about(query_id, [query.source, query.evidence_structure, query.domain]))}</small></div>"
    )
    words, sheets = st.columns([4, 7], gap="medium")
    waiting = waiting_for(workspace, dataset, person)
    with words:
        if query_id in waiting:
            draw_waiting(waiting, {query_id})
        else:
            st.html(_strategies_html(result, query_id, waiting))
    with sheets:
        draw_pages(workspace, person, dataset, revision, query)


def draw_pages(workspace: Workspace, person: Person, dataset: DatasetRow, revision: Revision, query: Query) -> None:
    """Draw the evidence pages of a query with their boxes, the first few where there are many."""
    pieces = evidence_by_page(query)
    sets = alternatives(query)
    if not pieces:
        st.caption("The query has no evidence pages.")
        return
    pages = [
        describe_page(workspace, dataset, revision, page_id, each, person_id=person.id, many_sets=bool(sets))
        for page_id, each in list(pieces.items())[:_PAGES]
    ]
    st.html(f'<div class="look-pages">{"".join(page_html(each) for each in pages)}</div>')
    if len(pieces) > _PAGES:
        st.caption(f"The first {_PAGES} of {len(pieces):,} evidence pages.")


def page_html(page: JsonObject) -> str:
    """Return one page as HTML: its image with the boxes over it, or why there is none."""
    place = "" if page["page_number"] is None else f", page {page['page_number'] + 1}"
    count = f" of {page['page_count']}" if page["page_count"] else ""
    named = f' ("{page["printed_label"]}")' if page["printed_label"] else ""
    caption = f"{page['title'] or page['document_id']}{place}{count if place else ''}{named}"
    if page["src"] is None:
        sheet = f'<div class="look-problem">{escape(str(page["problem"]))}</div>'
    else:
        boxes = "".join(_box_html(box) for box in page["boxes"])
        sheet = f'<img src="{escape(page["src"])}" alt="{escape(caption)}">{boxes}'
    return f'<figure class="look-page"><figcaption>{escape(caption)}</figcaption><div class="look-sheet">{sheet}</div></figure>'


def _box_html(box: JsonObject) -> str:
    """Return a box over its page; its corners are parts of the page's width and height."""
    left, top = 100 * box["x0"], 100 * box["y0"]
    wide, high = 100 * (box["x1"] - box["x0"]), 100 * (box["y1"] - box["y0"])
    place = f"left:{left:.2f}%;top:{top:.2f}%;width:{wide:.2f}%;height:{high:.2f}%"
    return f'<span class="look-box" style="{place}" title="{escape(str(box["kind"] or "evidence"))}"></span>'


def _about(query_id: str, parts: list[str | None]) -> str:
    return " · ".join([query_id, *(each for each in parts if each)])


def _strategies_html(result: Result, query_id: str, waiting: Mapping[str, str]) -> str:
    row = result.rows[query_id]
    label = "remove" if result.compared.remove[row] else "keep"
    cells = []
    for each in result.compared.usable:
        why = "; ".join(dict.fromkeys(reason.says for reason in told(reasons_of(result, each.name, row), waiting)))
        because = f"<small>{escape(why)}</small>" if why else ""
        cells.append(
            f'<tr><td class="text long">{escape(result.title(each.name))}{because}</td>'
            f'<td class="text">{decision_word(result, each.name, row)}</td><td>{score_text(float(each.scores[0, row]))}</td></tr>'
        )
    return (
        f'<div class="scroll"><table class="fig"><caption>Label: {label}</caption><thead><tr><th class="text">Strategy</th>'
        f'<th class="text">says</th><th>score</th></tr></thead>{"".join(cells)}</table></div>'
    )


def decision_word(result: Result, name: str, row: int) -> str:
    """Return what a strategy decided of a query in repeat 1: remove, keep or undecided."""
    decision = result.compared.of(name).decisions[0, row]
    return "remove" if decision == 1.0 else "keep" if decision == 0.0 else "undecided"


def score_text(score: float) -> str:
    """Return a score with three decimals; `none` where the strategy is undecided."""
    return "none" if score != score else f"{score:.3f}"


def reasons_of(result: Result, name: str, row: int) -> tuple[Reason, ...]:
    """Return why a strategy fired on a query; empty where it cannot say or did not."""
    reasons = result.compared.of(name).reasons
    return reasons[row] if reasons else ()

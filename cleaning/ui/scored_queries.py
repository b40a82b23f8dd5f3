"""Queries of a scoring, some at a time: those that a strategy removes, keeps or leaves open, with what it said of them."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from audit_core.domain import Role
from audit_core.errors import AssayError
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.ui.access import only_for
from audit_core.workflow.waiting_judgments import waiting_for
from audit_core.workflow.workspace import Workspace
from cleaning.scoring import ScoredAll, Scoring
from cleaning.ui.query_list import marked
from cleaning.ui.query_look import draw_pages, score_text
from cleaning.ui.waiting_queries import draw_waiting, told

if TYPE_CHECKING:
    from numpy.typing import NDArray

AT_ONCE = 10
REMOVED, KEPT, UNDECIDED = "removed", "kept", "undecided"
HIGHEST, LOWEST, ORDER = "highest score first", "lowest score first", "order of the dataset"


def draw_scored_queries(
    workspace: Workspace, person: Person, dataset: DatasetRow, scoring: Scoring, scored: ScoredAll
) -> None:
    """Draw the choice of queries and the list; those that wait for the person's own judgment are left out and counted."""
    waiting = waiting_for(workspace, dataset, person)
    draw_waiting(waiting)
    visible = _visible(scoring, waiting)
    lists = {each: np.flatnonzero(_rows(scored, each) & visible) for each in (REMOVED, KEPT, UNDECIDED)}
    offered = [each for each, rows in lists.items() if len(rows)]
    if not offered:
        st.info("There is no other query.")
        return
    which, order = _choose_list(scored, {each: len(lists[each]) for each in offered})
    rows = _ordered(scored, lists[which], order)
    parts = max(1, -(-len(rows) // AT_ONCE))
    number = 1
    if parts > 1:
        number = int(
            st.number_input(
                f"Page of {parts:,}",
                1,
                parts,
                1,
                key=f"scored-part-{scored.name}-{which}",
                width=240,
            )
        )
    revision = workspace.revision(dataset)
    for row in rows[AT_ONCE * (number - 1) : AT_ONCE * number].tolist():
        query_id = scoring.query_ids[row]
        query = revision.query(query_id)
        reasons = told(scored.reasons.get(row, ()), waiting)
        why = "".join(f"<small>{escape(each)}</small>" for each in dict.fromkeys(reason.says for reason in reasons))
        with st.container(border=True, key=f"scored-{row}"):
            words, said, door = st.columns([8, 4, 1.2], vertical_alignment="center")
            words.html(
                f'<div class="said">{marked(query.text, reasons)}<small>{escape(query.answer or "(no answer)")}</small>{why}</div>'
            )
            about = f"{query.source} · {query.evidence_structure}"
            said.html(
                f'<div class="said"><b>score {score_text(float(scored.scores[row]))}</b><small>{escape(about)}</small>'
                f"<small>{escape(query_id)}</small></div>"
            )
            if door.button("Look", key=f"scored-look-{row}", help="Its evidence pages, and what every strategy said"):
                _look(workspace, person, dataset, scoring, row)


def _choose_list(scored: ScoredAll, counts: Mapping[str, int]) -> tuple[str, str]:
    """Draw the choice of one of the lists, with how many queries each has, and of the order; return both."""
    offered, key = list(counts), f"scored-which-{scored.name}"
    if st.session_state.get(key) not in offered:
        # Its last query may have begun to wait since it was chosen.
        st.session_state.pop(key, None)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        which = st.segmented_control(
            "Queries", offered, default=offered[0], required=True, format_func=lambda each: f"{each} ({counts[each]:,})",
            key=key,
        )  # fmt: skip
        order = st.selectbox("Order", (HIGHEST, LOWEST, ORDER), key=f"scored-order-{scored.name}", width=240)
    return which or offered[0], order


def _visible(scoring: Scoring, waiting: Mapping[str, str]) -> NDArray[np.bool_]:
    """Return which rows may be shown, of shape (n,)."""
    if not waiting:
        return np.ones(len(scoring.query_ids), dtype=bool)
    return np.fromiter((each not in waiting for each in scoring.query_ids), dtype=bool, count=len(scoring.query_ids))


def _rows(scored: ScoredAll, which: str) -> NDArray[np.bool_]:
    decisions = np.asarray(scored.decisions)
    if which == UNDECIDED:
        return np.isnan(decisions)
    return np.asarray(decisions == (1.0 if which == REMOVED else 0.0), dtype=bool)


def _ordered(scored: ScoredAll, rows: NDArray[np.intp], order: str) -> NDArray[np.intp]:
    if order == ORDER:
        return rows
    scores = np.asarray(scored.scores)[rows]
    return rows[np.argsort(-scores if order == HIGHEST else scores, kind="stable")]


@st.dialog("Query", width="large")
@only_for(Role.LEAD)
def _look(workspace: Workspace, person: Person, dataset: DatasetRow, scoring: Scoring, row: int) -> None:
    draw_scored_query(workspace, person, dataset, scoring, row)


def draw_scored_query(workspace: Workspace, person: Person, dataset: DatasetRow, scoring: Scoring, row: int) -> None:
    """Draw one query with what every strategy said of it, then its evidence pages.

    Of one that waits for the person's own judgment nothing that strategies said is shown.
    """
    query_id = scoring.query_ids[row]
    try:
        revision = workspace.revision(dataset)
        query = revision.query(query_id)
    except AssayError as error:
        st.error(str(error), icon=":material/error:")
        return
    st.html(f'<div data-testid="look"><b>{escape(query.text)}</b><br>{escape(query.answer or "(no answer)")}</div>')
    words, sheets = st.columns([4, 7], gap="medium")
    waiting = waiting_for(workspace, dataset, person)
    with words:
        if query_id in waiting:
            draw_waiting(waiting, {query_id})
        else:
            st.html(_strategies_html(scoring, row, waiting))
    with sheets:
        draw_pages(workspace, person, dataset, revision, query)


def _strategies_html(scoring: Scoring, row: int, waiting: Mapping[str, str]) -> str:
    cells = []
    for each in scoring.usable:
        why = "; ".join(dict.fromkeys(reason.says for reason in told(each.reasons.get(row, ()), waiting)))
        because = f"<small>{escape(why)}</small>" if why else ""
        decision = each.decisions[row]
        word = "remove" if decision == 1.0 else "keep" if decision == 0.0 else "undecided"
        cells.append(
            f'<tr><td class="text long">{escape(each.title)}{because}</td><td class="text">{word}</td>'
            f"<td>{score_text(float(each.scores[row]))}</td></tr>"
        )
    return (
        '<div class="scroll"><table class="fig"><thead><tr><th class="text">Strategy</th><th class="text">says</th>'
        f"<th>score</th></tr></thead>{''.join(cells)}</table></div>"
    )

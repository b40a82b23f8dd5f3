"""A list of queries, some at a time: words with what fired marked in them, label, what strategies said, and a closer look."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

import streamlit as st

from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.workflow.waiting_judgments import waiting_for
from audit_core.workflow.workspace import Workspace
from cleaning.contract import Reason
from cleaning.finished import Result
from cleaning.ui.query_look import look_at_query, reasons_of
from cleaning.ui.waiting_queries import draw_waiting, told

#: Queries shown at once.
AT_ONCE = 10


def draw_query_list(
    workspace: Workspace,
    person: Person,
    dataset: DatasetRow,
    result: Result,
    query_ids: Sequence[str],
    says: Callable[[int], str],
    *,
    strategies: Sequence[str] = (),
    key: str,
    at_once: int = AT_ONCE,
) -> None:
    """Draw the queries, `at_once` at a time, each with its label and the plain line that `says` gives for its row.

    Of the named strategies the reasons stand below the query, and their stretches are marked in it. Queries that wait for
    the person's own judgment are left out, and it is said how many of the comparison's do.
    """
    waiting = waiting_for(workspace, dataset, person)
    draw_waiting(waiting, result.rows)
    query_ids = [each for each in query_ids if each not in waiting]
    if not query_ids:
        st.info("No other query is in this list.")
        return
    pages = max(1, -(-len(query_ids) // at_once))
    number = 1
    if pages > 1:
        number = int(st.number_input(f"Page of {pages:,}", 1, pages, 1, key=f"{key}-part", width=240))
    texts = result.queries["text"]
    answers = result.queries["answer"]
    for query_id in query_ids[at_once * (number - 1) : at_once * number]:
        row = result.rows[query_id]
        reasons = told([each for name in strategies for each in reasons_of(result, name, row)], waiting)
        label = "label: remove" if result.compared.remove[row] else "label: keep"
        why = "".join(f"<small>{escape(each)}</small>" for each in dict.fromkeys(reason.says for reason in reasons))
        with st.container(border=True, key=f"{key}-{row}"):
            words, said, door = st.columns([8, 4, 1.2], vertical_alignment="center")
            words.html(
                f'<div class="said">{marked(texts[row], reasons)}<small>{escape(answers[row] or "(no answer)")}</small>{why}</div>'
            )
            said.html(
                f'<div class="said"><b>{label}</b><small>{escape(says(row))}</small><small>{escape(query_id)}</small></div>'
            )
            if door.button("Look", key=f"{key}-look-{row}", help="Its evidence pages, and what every strategy said"):
                look_at_query(workspace, person, dataset, result, query_id)


def marked(text: str, reasons: Sequence[Reason]) -> str:
    """Return text as HTML with the stretches of the reasons marked; overlapping ones become one."""
    stretches = sorted((each.start, each.end) for each in reasons if each.start is not None and each.end is not None)
    merged: list[list[int]] = []
    for start, end in stretches:
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    out, at = [], 0
    for start, end in merged:
        out += [escape(text[at:start]), f"<mark>{escape(text[start:end])}</mark>"]
        at = end
    return "".join([*out, escape(text[at:])])

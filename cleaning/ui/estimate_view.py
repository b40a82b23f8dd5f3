"""What asking a language model would come to, before a question is sent: questions, calls, tokens, money."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from audit_core.errors import AssayError
from audit_core.ui.plain_text import plain
from cleaning.catalogue import strategies

if TYPE_CHECKING:
    from cleaning.comparison_asking import PlannedFor

_STATE = "llm-estimate"


def draw_estimate(plan: Callable[[], Sequence[PlannedFor]], *, of: dict[str, Any]) -> None:
    """Draw the button and, for the same choices as when it was pressed, what came of it. `of` is what is estimated."""
    choices = json.dumps(of, sort_keys=True, default=str)
    if st.button(
        "Estimate calls and cost", icon=":material/calculate:", key="llm-estimate-button", help="Nothing is sent."
    ):
        try:
            with st.spinner("Writing the questions, sending none ..."):
                st.session_state[_STATE] = (choices, list(plan()))
        except AssayError as error:
            st.session_state.pop(_STATE, None)
            st.error(plain(str(error)), icon=":material/block:")
    kept_for, planned = st.session_state.get(_STATE, ("", []))
    if kept_for != choices:
        return
    st.html(estimate_html(planned))
    for says in dict.fromkeys(each.planned.estimate.says for each in planned):
        st.caption(plain(says))


def estimate_html(planned: Sequence[PlannedFor]) -> str:
    """Return the table: a line for each step of a strategy, what of it is answered already, and what the rest may cost."""
    steps = Counter(each.strategy for each in planned)
    rows = "".join(_row(each, is_alone=steps[each.strategy] == 1) for each in planned)
    return (
        '<div class="scroll"><table class="fig" data-testid="llm-estimate"><caption>What would be asked</caption><thead><tr>'
        '<th class="text">Strategy</th><th class="text">Model</th><th>Questions</th><th>Answered before</th><th>Calls</th>'
        f"<th>Tokens in,<br>about</th><th>Tokens out,<br>at most</th><th>US $,<br>at most</th></tr></thead>{rows}</table></div>"
    )


def _row(each: PlannedFor, *, is_alone: bool) -> str:
    found = each.planned.estimate
    money = "0.00" if not found.calls else "unknown" if found.spend is None else f"{found.spend:,.2f}"
    # A strategy with one step is not told twice what it asks.
    step = "" if is_alone else f"<small>{escape(each.planned.step)}</small>"
    return (
        f'<tr><td class="text">{escape(_title(each.strategy))}{step}</td><td class="text">{escape(each.planned.model.model)}</td>'
        f"<td>{found.asks:,}</td><td>{found.kept:,}</td><td>{found.calls:,}</td><td>{found.tokens_input:,}</td>"
        f"<td>{found.tokens_output_most:,}</td><td>{money}</td></tr>"
    )


def _title(name: str) -> str:
    """Return the title of a strategy; a step that is none, such as rewordings, is called as it is."""
    known = strategies()
    return str(known[name].title) if name in known else name

"""What asking a language model would come to, before a question is sent: questions, calls, tokens, money."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from audit_core.errors import AssayError
from audit_core.ui.plain_text import plain

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
    st.html(_table(planned))
    for says in dict.fromkeys(each.planned.estimate.says for each in planned):
        st.caption(plain(says))


def _table(planned: Sequence[PlannedFor]) -> str:
    rows = "".join(_row(each) for each in planned)
    return (
        '<div class="scroll"><table class="fig" data-testid="llm-estimate"><caption>What would be asked</caption><thead><tr>'
        '<th class="text">Strategy</th><th class="text">Model</th><th>Questions</th><th>Answered before</th><th>Calls</th>'
        f"<th>Tokens in,<br>about</th><th>Tokens out,<br>at most</th><th>US $,<br>at most</th></tr></thead>{rows}</table></div>"
    )


def _row(each: PlannedFor) -> str:
    found = each.planned.estimate
    money = "unknown" if found.spend is None else f"{found.spend:,.2f}"
    step = f"<small>{escape(each.planned.step)}</small>"
    return (
        f'<tr><td class="text">{escape(each.strategy)}{step}</td><td class="text">{escape(each.planned.model.model)}</td>'
        f"<td>{found.asks:,}</td><td>{found.kept:,}</td><td>{found.calls:,}</td><td>{found.tokens_input:,}</td>"
        f"<td>{found.tokens_output_most:,}</td><td>{money}</td></tr>"
    )

"""The log of who did what, as a lead reads it."""

from __future__ import annotations

import streamlit as st

from audit_core.workflow.activity_log import list_actions, list_activity
from audit_core.workflow.workspace import Workspace

#: Lines shown at once.
LINES = 100


def draw_activity(workspace: Workspace) -> None:
    """Draw the log, the newest line first, with a choice of one action and older lines on demand."""
    everything = "Everything"
    chosen = st.selectbox("Show", [everything, *list_actions(workspace)], key="activity-action", width=320)
    count = st.session_state.setdefault("activity-lines", LINES)
    lines = list_activity(workspace, count=count + 1, action=None if chosen == everything else chosen)
    if not lines:
        st.info("Nothing has been done yet.")
        return
    st.dataframe(
        {
            "When (UTC)": [each.at[:19].replace("T", " ") for each in lines[:count]],
            "Who": [each.name or "terminal, or signed out" for each in lines[:count]],
            "What": [each.action for each in lines[:count]],
            "About": [each.about for each in lines[:count]],
        },
        hide_index=True,
        height=600 if len(lines) > 15 else "content",
    )
    if len(lines) > count:
        st.button("Older lines", on_click=lambda: st.session_state.update({"activity-lines": count + LINES}))

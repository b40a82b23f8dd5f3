"""The tabs of a scoring, and how one hands a choice over to another and opens it."""

from __future__ import annotations

import streamlit as st

SCORES, GUARANTEE, WHOLE = "Scores", "Threshold with a guarantee", "How many are bad in all"
QUEUE, REWORD, APPLY = "Next to label", "Reword", "Clean the dataset"
TABS = (SCORES, GUARANTEE, WHOLE, QUEUE, REWORD, APPLY)


def tabs_key(run_id: int) -> str:
    """Return the key under which the open tab of a scoring is kept."""
    return f"scoring-tabs-{run_id}"


def hand_over(run_id: int, thresholds: dict[str, float]) -> None:
    """Set strategies and their thresholds in the tab that cleans, and open it; for use as a callback."""
    st.session_state[_key(run_id)] = thresholds
    st.session_state[tabs_key(run_id)] = APPLY


def handed_over(run_id: int) -> dict[str, float]:
    """Return the strategies and thresholds that the guarantee handed over; empty where it did not."""
    found: dict[str, float] = st.session_state.get(_key(run_id), {})
    return found


def _key(run_id: int) -> str:
    return f"apply-chosen-{run_id}"

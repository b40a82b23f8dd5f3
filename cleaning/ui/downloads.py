"""The way to take a table along: as CSV, Markdown, LaTeX or JSON."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import streamlit as st

from audit_core.domain import Role
from audit_core.ui.access import made_when_asked
from cleaning.tables import WRITERS, Table, write_table

_LABELS = {".csv": "CSV", ".md": "Markdown", ".tex": "LaTeX", ".json": "JSON"}
_TYPES = {".csv": "text/csv", ".md": "text/markdown", ".tex": "application/x-tex", ".json": "application/json"}


def file_stem(*words: str) -> str:
    """Return the name of a file without its ending; only letters, digits, dots and dashes."""
    return re.sub(r"[^A-Za-z0-9.-]+", "-", "-".join(words)).strip("-.").lower() or "table"


def download_table(table: Table, stem: str, *, key: str) -> None:
    """Draw a small door behind which the table can be had in each format; it is written when somebody asks."""
    with st.popover("Download", icon=":material/download:", type="tertiary", key=f"download-{key}"):
        st.caption("Full precision in CSV and JSON; percentages with counts and intervals in Markdown and LaTeX.")
        with st.container(horizontal=True):
            for suffix in WRITERS:
                st.download_button(
                    _LABELS[suffix],
                    made_when_asked(partial(write_table, table, suffix), Role.LEAD),
                    file_name=stem + suffix,
                    mime=_TYPES[suffix],
                    on_click="ignore",
                    key=f"download-{key}{suffix}",
                )


def download_scores(make: Callable[[], Table], stem: str, *, key: str) -> None:
    """Draw the way to take a large table along as CSV; it is made when somebody asks."""
    st.download_button(
        "Scores of every query (CSV)",
        made_when_asked(lambda: write_table(make(), ".csv"), Role.LEAD),
        file_name=f"{stem}.csv",
        mime=_TYPES[".csv"],
        on_click="ignore",
        key=key,
    )

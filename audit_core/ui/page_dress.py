"""Styles that hold for every page: little room above, calm headings, who is signed in at the top right."""

from __future__ import annotations

import streamlit as st

_STYLE = """
<style>
[data-testid="stMainBlockContainer"] { padding: 3.6rem 2.5rem 3rem; max-width: 1500px; }
[data-testid="stHeader"] { height: 3rem; }
h1 { font-size: 1.65rem !important; padding: .4rem 0 .6rem !important; }
h4 { font-weight: 600 !important; line-height: 1.4 !important; }
.st-key-who { position: fixed; top: 1.15rem; right: 1.4rem; z-index: 999991; width: auto; }
[data-testid="stMetricValue"] { font-variant-numeric: tabular-nums; }
/* A dialog opened from a menu stands alone: the menu would lie above it. */
body:has([data-testid="stDialog"]) [data-testid="stPopoverBody"] { display: none; }
[data-testid="stCaptionContainer"] { color: inherit; opacity: .82; }
</style>
"""


def dress_page() -> None:
    """Add the styles to the page."""
    st.html(_STYLE)

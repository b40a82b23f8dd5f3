"""What stands in a page's address, and the addresses of other pages."""

from __future__ import annotations

import streamlit as st


def whole_number(name: str) -> int | None:
    """Return a whole number of the page's query string, None where it is absent or something else."""
    raw = st.query_params.get(name, "")
    return int(raw) if raw.isascii() and raw.isdigit() and len(raw) <= 9 else None


def judge_address(campaign_id: int) -> str:
    """Return the address of the judging page of a campaign."""
    return f"/judge?campaign={campaign_id}"


def report_address(campaign_id: int) -> str:
    """Return the address of the report of a campaign."""
    return f"/report?campaign={campaign_id}"

"""What stands in a page's address, and the ways from one page to another."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import streamlit as st

from audit_core.workflow.sign_in import own_address

#: The folder of the pages; each is named by its file.
PAGES = Path(__file__).parents[2] / "pages"


def whole_number(name: str) -> int | None:
    """Return a whole number of the page's query string, None where it is absent or something else."""
    raw = st.query_params.get(name, "")
    return int(raw) if raw.isascii() and raw.isdigit() and len(raw) <= 9 else None


def judge_address(campaign_id: int) -> str:
    """Return the address of the judging page of a campaign, which is a document of its own."""
    return f"/judge?campaign={campaign_id}"


def adjudicate_address(campaign_id: int, *, number: int | None = None, only: str = "disputed") -> str:
    """Return the address of the adjudication page of a campaign, at an entry and going through those of one filter."""
    entry = "" if number is None else f"&entry={number}"
    through = "" if only == "disputed" else f"&filter={only}"
    return f"/adjudicate?campaign={campaign_id}{entry}{through}"


def next_address() -> str | None:
    """Return where to go on to after the sign-in, None where nothing is asked for; never an address elsewhere."""
    return own_address(st.query_params.get("next"))


def go_to_report(campaign_id: int) -> NoReturn:
    """Go on to the report of a campaign."""
    st.switch_page(PAGES / "report.py", query_params={"campaign": str(campaign_id)})


def go_to_agreement(campaign_id: int) -> NoReturn:
    """Go on to how far the annotators of a campaign agree."""
    st.switch_page(PAGES / "agreement.py", query_params={"campaign": str(campaign_id)})


def go_to_progress(campaign_id: int) -> NoReturn:
    """Go on to the page on which a lead follows a campaign."""
    st.switch_page(PAGES / "campaign.py", query_params={"campaign": str(campaign_id)})


def go_to_questions(campaign_id: int) -> NoReturn:
    """Go on to the questions that annotators of a campaign asked."""
    st.switch_page(PAGES / "questions.py", query_params={"campaign": str(campaign_id)})


def go_to_adjudication(campaign_id: int) -> NoReturn:
    """Go on to the page on which a campaign is adjudicated."""
    st.switch_page(PAGES / "adjudication.py", query_params={"campaign": str(campaign_id)})


def link_to_corrections(dataset_id: int, label: str = "Corrections") -> None:
    """Draw a link to the corrections of a dataset."""
    query = {"dataset": str(dataset_id)}
    st.page_link(PAGES / "corrections.py", label=label, icon=":material/edit_note:", query_params=query)


def link_to_releases(dataset_id: int) -> None:
    """Draw a link to the releases of a dataset."""
    query = {"dataset": str(dataset_id)}
    st.page_link(PAGES / "release.py", label="Releases", icon=":material/publish:", query_params=query)


def link_to(page: str, label: str, *, icon: str | None = None) -> None:
    """Draw a link to another page, which is named by its file without the suffix."""
    st.page_link(PAGES / f"{page}.py", label=label, icon=icon)

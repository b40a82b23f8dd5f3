"""Whom a campaign is handed to, and what they are told: added, taken out, written as a new version."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from audit_core.errors import AssayError
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.ui.plain_text import plain
from audit_core.workflow.annotators import add_annotators, annotators_of, open_to_all, remove_annotator
from audit_core.workflow.guidelines import TEXT_MAX, guidelines_of, write_guidelines
from audit_core.workflow.people_list import people_who_judge
from audit_core.workflow.workspace import Workspace

#: Says what was done and draws the page anew.
Done = Callable[[str], None]


def draw_annotators(workspace: Workspace, person: Person, campaign: CampaignRow, done: Done) -> None:
    """Draw who judges in a campaign, with the ways to add and take out people."""
    seats = annotators_of(workspace, campaign)
    inside = [each for each in seats if each.removed_at is None]
    st.markdown(
        "Everybody who signs in may judge."
        if campaign.is_open
        else "Only the people named here see this campaign and judge in it."
    )
    label = "Let only the named ones judge" if campaign.is_open else "Let everybody judge"
    if (inside or not campaign.is_open) and st.button(label, key="campaign-open-to-all"):
        _act(lambda: open_to_all(workspace, campaign, not campaign.is_open, person=person), "Changed.", done)
    for each in seats:
        name, button = st.columns([8, 2], vertical_alignment="center")
        gone = f"  :gray-badge[taken out {each.removed_at[:10]}]" if each.removed_at else ""
        name.markdown(f"{plain(each.person.name)}{gone}")
        if each.removed_at is None and button.button("Take out", key=f"take-out-{each.person.id}", width="stretch"):
            freed = _tried(partial(remove_annotator, workspace, campaign, each.person.id, person=person))
            if freed is not None:
                done(
                    f"{each.person.name} is taken out; what they judged stays. {freed} entries in hand are free for others."
                )
    known = {each.person.id for each in inside}
    others = {each.id: each.name for each in people_who_judge(workspace) if each.id not in known}
    if not others:
        st.caption("Everybody who can sign in is named. A lead makes accounts on the accounts page.")
        return
    with st.form("add-annotators", border=False):
        words, button = st.columns([8, 2], vertical_alignment="bottom")
        chosen = words.multiselect(
            "Add annotators", list(others), format_func=lambda each: plain(others[each]), key="add-annotators-names"
        )
        if button.form_submit_button("Add", width="stretch") and chosen:
            _act(lambda: add_annotators(workspace, campaign, chosen, person=person), f"{len(chosen)} added.", done)


def draw_guidelines(workspace: Workspace, person: Person, campaign: CampaignRow, done: Done) -> None:
    """Draw the newest guidelines to be changed, and the earlier versions."""
    versions = guidelines_of(workspace, campaign)
    newest = versions[0] if versions else None
    st.caption(
        "Shown beside the pages, before the guidelines of the protocol. Each judgment keeps the version that it was made under."
    )
    with st.form("write-guidelines", border=False):
        text = st.text_area(
            f"Guidelines (version {newest.version})" if newest else "Guidelines", value=newest.text if newest else "",
            max_chars=TEXT_MAX, height=260, key=f"guidelines-text-{newest.version if newest else 0}",
        )  # fmt: skip
        if st.form_submit_button("Save as a new version", type="primary"):
            version = _tried(lambda: write_guidelines(workspace, campaign, text, person=person))
            if version is not None:
                done(
                    f"Version {version} is what annotators are shown from their next entry on."
                    if newest is None or version != newest.version
                    else "Nothing changed."
                )
    for each in versions[1:]:
        with st.expander(f"Version {each.version}, {each.created_at[:16].replace('T', ' ')} UTC"):
            st.text(each.text)


def _tried(action: Callable[[], int]) -> int | None:
    try:
        return action()
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None


def _act(action: Callable[[], object], notice: str, done: Done) -> None:
    try:
        action()
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    done(notice)

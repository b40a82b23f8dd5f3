"""Campaigns as the campaigns page shows them."""

from __future__ import annotations

import streamlit as st

from audit_core.domain import CampaignState, Role
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.ui.addresses import (
    PAGES,
    go_to_adjudication,
    go_to_agreement,
    go_to_progress,
    go_to_questions,
    go_to_report,
    judge_address,
)
from audit_core.ui.carry_over import carry_over_button
from audit_core.ui.housekeeping import campaign_menu
from audit_core.ui.judgments_file import judgments_menu
from audit_core.ui.plain_text import plain
from audit_core.ui.same_tab_link import same_tab_link
from audit_core.workflow.campaigns import CampaignSummary, set_campaign_state
from audit_core.workflow.workspace import Workspace


def draw_campaign(workspace: Workspace, person: Person, summary: CampaignSummary, *, has_seat: bool) -> None:
    """Draw one campaign: what it is, how far it and the person are, and what the person can do with it.

    `has_seat` says that they may judge in it. Annotators learn nothing of what others did, nor how the entries were chosen.
    """
    campaign, dataset = summary.campaign, summary.dataset
    knows_others = person.role.allows(Role.ADJUDICATOR)
    is_open = campaign.state == CampaignState.OPEN
    with st.container(border=True):
        words, numbers, doors = st.columns([5, 3, 4], vertical_alignment="center")
        with words:
            st.markdown(f"**{plain(campaign.name)}**{_badge(campaign, is_open=is_open)}")
            st.caption(_about(summary) if knows_others else _asked(summary))
        with numbers:
            if knows_others:
                people = f"{summary.annotators} annotator{'' if summary.annotators == 1 else 's'}"
                st.caption(f"{summary.answered:,} of {summary.entries:,} entries answered by {people}")
            if has_seat:
                _draw_own_numbers(summary, is_open=is_open)
        with doors:
            _draw_doors(workspace, person, summary, is_open=is_open, has_seat=has_seat)
        if dataset.is_lenient and person.role.allows(Role.LEAD):
            st.caption("The dataset was imported leniently: its faults are listed on the datasets page.")


def _badge(campaign: CampaignRow, *, is_open: bool) -> str:
    if not is_open:
        return "  :gray-badge[closed]"
    return "" if campaign.paused_at is None else "  :orange-badge[paused]"


def _asked(summary: CampaignSummary) -> str:
    """Return what is asked about which dataset."""
    dataset = summary.dataset
    return f"{plain(dataset.shown)} revision {plain(dataset.revision)} · protocol {summary.campaign.protocol}"


def _about(summary: CampaignSummary) -> str:
    campaign = summary.campaign
    each = f"{campaign.judgments_per_entry} judgment{'s' if campaign.judgments_per_entry > 1 else ''} an entry"
    origin = "imported judgments" if campaign.origin == "imported" else _sample(campaign)
    if summary.carried_from:
        earlier, place = summary.carried_from
        origin += f" · carried over from {plain(earlier.name)} on revision {plain(place.revision)}"
    return f"{_asked(summary)} · {each} · {origin}"


def _sample(campaign: CampaignRow) -> str:
    """Return how the entries of a campaign that was started here were chosen."""
    parts = [campaign.sample_method or "started here"]
    if campaign.frame_condition:
        parts.append(f"only {campaign.frame_condition}")
    if campaign.sample_seed is not None:
        parts.append(f"seed {campaign.sample_seed}")
    return plain(", ".join(parts))


def _draw_own_numbers(summary: CampaignSummary, *, is_open: bool) -> None:
    if summary.mine is None:
        return
    done = summary.entries - summary.mine["left"]
    if not is_open:
        if done:
            st.caption(f"You: {done:,} answered")
        return
    share = done / summary.entries if summary.entries else 0.0
    st.progress(share, text=f"You: {done:,} answered, {summary.mine['left']:,} left")


def _draw_doors(
    workspace: Workspace, person: Person, summary: CampaignSummary, *, is_open: bool, has_seat: bool
) -> None:
    campaign = summary.campaign
    with st.container(horizontal=True, horizontal_alignment="right"):
        if is_open and has_seat:
            started = summary.mine is not None and summary.mine["left"] < summary.entries
            label = "Review" if summary.mine and not summary.mine["left"] else "Go on" if started else "Judge"
            same_tab_link(label, judge_address(campaign.id), key=f"judge-{campaign.id}")
        if not person.role.allows(Role.ADJUDICATOR):
            return
        if st.button("Report", key=f"report-{campaign.id}"):
            go_to_report(campaign.id)
        if summary.answered and st.button("Adjudicate", key=f"adjudicate-{campaign.id}"):
            go_to_adjudication(campaign.id)
        if person.role.allows(Role.LEAD) and st.button("Progress", key=f"progress-{campaign.id}"):
            go_to_progress(campaign.id)
        with st.popover("", icon=":material/more_horiz:", help="More"):
            if st.button("Agreement", key=f"agreement-{campaign.id}"):
                go_to_agreement(campaign.id)
            if st.button("Questions and comments", key=f"questions-{campaign.id}"):
                go_to_questions(campaign.id)
            if not person.role.allows(Role.LEAD):
                return
            _state_switch(workspace, person, summary, is_open=is_open)
            campaign_menu(workspace, person, campaign)
            carry_over_button(workspace, person, campaign)
            judgments_menu(workspace, person, campaign)


def _state_switch(workspace: Workspace, person: Person, summary: CampaignSummary, *, is_open: bool) -> None:
    target = CampaignState.CLOSED if is_open else CampaignState.OPEN
    st.caption(
        "Closing stops new judgments; what is saved stays."
        if is_open
        else "Opening lets people add judgments of their own to this campaign, which changes its report."
    )
    label = "Close the campaign" if is_open else "Open the campaign"
    if st.button(label, key=f"state-{summary.campaign.id}"):
        set_campaign_state(workspace, summary.campaign, target, person=person)
        st.rerun()


def new_campaign_button() -> None:
    """Draw the button to the page that starts a campaign, and say which one was started there."""
    if started := st.session_state.pop("campaign-started", None):
        st.toast(f"Campaign {plain(started)} is open: judge it from the list.", icon=":material/check:")
    if st.button("Start a campaign", icon=":material/add:", type="primary", key="new-campaign"):
        st.switch_page(PAGES / "new_campaign.py")

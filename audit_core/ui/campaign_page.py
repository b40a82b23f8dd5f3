"""A campaign as its lead follows it: how far it is, who does what and how well, and what can be changed on the way."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from audit_core.domain import CampaignState, Role
from audit_core.errors import AssayError
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.ui.access import only_for
from audit_core.ui.addresses import PAGES, go_to_adjudication, go_to_agreement, go_to_report
from audit_core.ui.campaign_team import draw_annotators, draw_guidelines
from audit_core.ui.plain_text import plain
from audit_core.ui.progress_tables import annotators_html, pilot_html, strata_html
from audit_core.workflow.campaign_copy import copy_campaign
from audit_core.workflow.campaign_progress import campaign_progress
from audit_core.workflow.campaign_states import end_pilot, pause_campaign, resume_campaign, set_campaign_state
from audit_core.workflow.handing_out import Stage, stage_of
from audit_core.workflow.job_words import duration
from audit_core.workflow.pilot import pilot_report
from audit_core.workflow.workspace import Workspace

_NOTICE = "campaign-page-notice"


def draw_campaign_page(workspace: Workspace, person: Person, campaign_id: int) -> None:
    """Draw the whole page."""
    campaign, dataset = workspace.campaign(campaign_id)
    st.title(plain(campaign.name), anchor=False)
    if notice := st.session_state.pop(_NOTICE, None):
        st.success(plain(notice), icon=":material/check:")
    st.caption(
        f"{plain(dataset.shown)} revision {plain(dataset.revision)} · protocol {plain(campaign.protocol)} · {_state(campaign)}"
    )
    _draw_doors(workspace, person, campaign)
    progress, quality, annotators, guidelines = st.tabs(["Progress", "Pilot and quality", "Annotators", "Guidelines"])
    with progress:
        _draw_progress(workspace, campaign)
    with quality:
        _draw_quality(workspace, person, campaign)
    with annotators:
        draw_annotators(workspace, person, campaign, done)
    with guidelines:
        draw_guidelines(workspace, person, campaign, done)


def _state(campaign: CampaignRow) -> str:
    if campaign.state != CampaignState.OPEN:
        return "closed"
    if campaign.paused_at is not None:
        return "paused: nobody can save, drafts are kept"
    return {Stage.PILOT: "open, in its pilot", Stage.PRODUCTION: "open, the pilot has ended", None: "open"}[
        stage_of(campaign)
    ]


def _draw_doors(workspace: Workspace, person: Person, campaign: CampaignRow) -> None:
    is_open = campaign.state == CampaignState.OPEN
    with st.container(horizontal=True):
        if st.button("Report", icon=":material/insights:", key="campaign-report"):
            go_to_report(campaign.id)
        if st.button("Agreement", icon=":material/handshake:", key="campaign-agreement"):
            go_to_agreement(campaign.id)
        if st.button("Adjudicate", icon=":material/balance:", key="campaign-adjudicate"):
            go_to_adjudication(campaign.id)
        if is_open and campaign.paused_at is None and st.button("Pause", icon=":material/pause:", key="campaign-pause"):
            _act(
                lambda: pause_campaign(workspace, campaign, person=person),
                "Paused. What annotators have in hand stays as a draft.",
            )
        if (
            is_open
            and campaign.paused_at is not None
            and st.button("Go on", icon=":material/play_arrow:", type="primary", key="campaign-resume")
        ):
            _act(lambda: resume_campaign(workspace, campaign, person=person), "It takes judgments again.")
        if is_open and st.button("Close", icon=":material/lock:", key="campaign-close"):
            _act(
                lambda: set_campaign_state(workspace, campaign, CampaignState.CLOSED, person=person),
                "Closed. What is saved stays.",
            )
        if not is_open and st.button("Open", icon=":material/lock_open:", key="campaign-open"):
            _act(
                lambda: set_campaign_state(workspace, campaign, CampaignState.OPEN, person=person),
                "It takes judgments again.",
            )
        with st.popover("Copy", icon=":material/content_copy:"):
            _draw_copy(workspace, person, campaign)


def _draw_copy(workspace: Workspace, person: Person, campaign: CampaignRow) -> None:
    st.caption(
        "Protocol, hand-out, annotators, gold entries, pilot and guidelines are the same; judgments are not copied."
    )
    with st.form("copy-campaign", border=False):
        name = st.text_input("Name of the copy", value=f"{campaign.name} 2", key="copy-name")
        same = st.toggle("The same entries", key="copy-same", help="Else the sample is drawn again with a new seed.")
        if not st.form_submit_button("Copy", type="primary"):
            return
    try:
        made = copy_campaign(workspace, campaign, name=name, same_entries=same, person=person)
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.session_state[_NOTICE] = f"{made.name} is open."
    st.switch_page(PAGES / "campaign.py", query_params={"campaign": str(made.id)})


@st.fragment(run_every=30)
@only_for(Role.LEAD)
def _draw_progress(workspace: Workspace, campaign: CampaignRow) -> None:
    found = campaign_progress(workspace, campaign)
    whole = found.whole
    complete, judgments, pace, left = st.columns(4)
    complete.metric("Entries complete", f"{whole.complete:,} of {whole.entries:,}")
    judgments.metric("Judgments", f"{whole.filled:,} of {whole.places:,}")
    if found.time is not None:
        middle = f"{found.time.median:.0f} s"
        pace.metric(
            "Active time an entry, median",
            middle,
            help=f"Quartiles {found.time.low:.0f} to {found.time.high:.0f} s over {found.time.entries:,} answers.",
        )
    left.metric(
        "Active time left",
        "not known" if found.seconds_left is None else duration(found.seconds_left),
        help="Judgments left at the mean time of all, of one person.",
    )
    st.progress(whole.filled / whole.places if whole.places else 0.0)
    st.html(annotators_html(found))
    st.html(strata_html(found))
    st.caption(
        "Active time is that in which an annotator did something on an entry. Gold and pilot entries are in none of these counts. "
        "Under way: entries that somebody has in hand now. The page renews itself every half minute."
    )


def _draw_quality(workspace: Workspace, person: Person, campaign: CampaignRow) -> None:
    stage = stage_of(campaign)
    if stage is None:
        st.info(
            "This campaign has no pilot. How annotators do on gold entries stands in the table of the tab Progress."
        )
        return
    report = pilot_report(workspace, campaign, person)
    st.html(pilot_html(report))
    if report.sealed:
        entries, are = ("entry waits", "is") if report.sealed == 1 else ("entries wait", "are")
        st.info(
            f"{report.sealed:,} {entries} for your own judgment and {are} left out of the agreement.",
            icon=":material/visibility_off:",
        )
    st.caption(
        "Agreement here is plain: the share of pairs of annotators who say exactly the same, not corrected for chance. Pilot "
        "entries enter no estimate."
    )
    if stage is Stage.PILOT:
        if not report.is_complete:
            st.warning(
                f"{report.complete:,} of {report.entries:,} pilot entries have all their judgments.",
                icon=":material/hourglass_top:",
            )
        label = "End the pilot and hand out the rest" if report.is_complete else "End it all the same"
        if st.button(label, type="primary" if report.is_complete else "secondary", key="end-pilot"):
            _act(
                lambda: end_pilot(workspace, campaign, person=person, anyway=not report.is_complete),
                "The pilot has ended: the entries of the sample are handed out now.",
            )


def done(notice: str) -> None:
    """Say what was done, once, on the page drawn anew."""
    st.session_state[_NOTICE] = notice
    st.rerun()


def _act(action: Callable[[], object], notice: str) -> None:
    try:
        action()
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    done(notice)

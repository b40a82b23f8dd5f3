"""Agreement: how far the annotators of a campaign agree, and on what they do not; `?campaign=ID` in the address."""

import re

import streamlit as st

from audit_core import registry
from audit_core.agreement.report import AgreementReport
from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.ui.addresses import link_to, whole_number
from audit_core.ui.agreement_view import draw_agreement
from audit_core.workflow.agreement import agreement_state, annotator_names, campaign_agreement
from audit_core.workflow.campaigns import is_archived, list_campaigns

person = require_person(Role.ADJUDICATOR)
asked = whole_number("campaign")
summaries = [
    each
    for each in list_campaigns(workspace(), archived=None)
    if each.campaign.id == asked or not is_archived(each.campaign, each.dataset)
]
st.title("Agreement")
if not summaries:
    st.info("There is no campaign yet. Start one on the campaigns page, and let two people judge the same entries.")
    link_to("campaigns", "Go to the campaigns")
    st.stop()
found = {each.campaign.id: each for each in summaries}
names = {
    number: f"{each.campaign.name}, on {each.dataset.shown} {each.dataset.revision}" for number, each in found.items()
}
if "campaign" in st.query_params and asked not in found:
    st.warning("There is no campaign of that number here; this is the newest one's agreement.")
ids = list(found)
choice, part = st.columns([3, 1], vertical_alignment="bottom")
chosen = choice.selectbox("Campaign", ids, index=ids.index(asked) if asked in ids else 0, format_func=names.__getitem__)
st.query_params["campaign"] = str(chosen)
campaign = found[chosen].campaign
pilot = campaign.pilot_judgments is not None and (
    part.segmented_control("Entries of", ["the sample", "the pilot"], default="the sample", key="agreement-part")
    == "the pilot"
)


@st.cache_data(show_spinner=False, max_entries=8)
def kept(_home: str, campaign_id: int, pilot: bool, state: tuple[object, ...]) -> AgreementReport:
    """Return the report, computed again only when judgments, decisions, or what was revealed or is sealed have changed.

    `state` holds who reads it: entries that wait for a judgment of their own are left out.
    """
    return campaign_agreement(workspace(), campaign_id, pilot=pilot, viewer=person)


with st.spinner("Computing the agreement ..."):
    state = (str(workspace().home), names[chosen], *agreement_state(workspace(), chosen, viewer=person))
    report = kept(str(workspace().home), chosen, pilot, state)
stem = re.sub(r"[^A-Za-z0-9.-]+", "-", f"agreement-{report.dataset_name}-{report.dataset_revision}-{campaign.name}")
draw_agreement(
    report,
    registry.load_folder("audit_core.exporters", "agreement_"),
    lambda: annotator_names(workspace(), chosen),
    stem=stem.strip("-."),
)

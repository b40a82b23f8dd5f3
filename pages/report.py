"""Report: the table of a campaign with its intervals, by its protocol; `?campaign=ID` in the address."""

import streamlit as st

from audit_core.audit_report.fields import FieldsReport
from audit_core.audit_report.removal import RemovalReport
from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.ui.addresses import go_to_adjudication, go_to_agreement, link_to, link_to_corrections, whole_number
from audit_core.ui.comment_list import draw_comments
from audit_core.ui.fields_view import draw_fields_report
from audit_core.ui.removal_view import draw_removal_report
from audit_core.ui.report_view import draw_report
from audit_core.workflow.campaigns import is_archived, list_campaigns
from audit_core.workflow.reporting import campaign_report, report_formats

person = require_person(Role.ADJUDICATOR)
asked = whole_number("campaign")
# An archived campaign is reported where its address asks for it.
summaries = [
    each
    for each in list_campaigns(workspace(), archived=None)
    if each.campaign.id == asked or not is_archived(each.campaign, each.dataset)
]
heading = st.container()
if not summaries:
    heading.title("Audit report")
    st.info("There is no campaign to report on yet. Start one on the campaigns page.")
    link_to("campaigns", "Go to the campaigns")
    st.stop()
ids = [each.campaign.id for each in summaries]
names = {
    each.campaign.id: f"{each.campaign.name}, on {each.dataset.shown} {each.dataset.revision}" for each in summaries
}
if "campaign" in st.query_params and asked not in ids:
    st.warning("There is no campaign of that number here; this is the newest one's report.")
chosen = st.selectbox("Campaign", ids, index=ids.index(asked) if asked in ids else 0, format_func=names.__getitem__)
st.query_params["campaign"] = str(chosen)
with st.spinner("Computing the report ..."):
    report = campaign_report(workspace(), chosen, person)
if report.context.sealed_sentence is not None:
    st.info(report.context.sealed_sentence, icon=":material/visibility_off:")
formats = report_formats(report.context.protocol)
if isinstance(report, RemovalReport):
    heading.title("Removal report")
    draw_removal_report(report, formats)
elif isinstance(report, FieldsReport):
    heading.title(f"{report.title.partition(':')[0]} report")
    draw_fields_report(report, formats)
else:
    heading.title("Audit report")
    draw_report(report, formats)
if st.button("How far annotators agree", icon=":material/handshake:", key="report-agreement"):
    go_to_agreement(chosen)
if st.button("Adjudicate this campaign", icon=":material/balance:", key="report-adjudicate"):
    go_to_adjudication(chosen)
link_to_corrections(
    next(each.dataset.id for each in summaries if each.campaign.id == chosen), "Corrections of the dataset"
)
with st.expander("Comments"):
    draw_comments(workspace(), person, chosen)

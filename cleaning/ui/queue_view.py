"""What to label next: a campaign of a random share, queries on which strategies disagree, and queries near a threshold."""

from __future__ import annotations

import streamlit as st

from audit_core.errors import AssayError
from audit_core.protocols import audit, removal
from audit_core.storage.people import Person
from audit_core.ui.addresses import judge_address
from audit_core.ui.plain_text import plain
from audit_core.workflow.campaigns import list_campaigns
from audit_core.workflow.cleanings import RunView
from audit_core.workflow.workspace import Workspace
from cleaning.label_queue import QueueRequest, plan_queue, start_queue
from cleaning.queue_weights import voters
from cleaning.scoring import Scoring

_PROTOCOLS = {removal.name: "keep or remove", audit.name: "correct, or F, E, U, N"}


def draw_queue(workspace: Workspace, person: Person, view: RunView, scoring: Scoring) -> None:
    """Draw the shares, what they would draw, and the button that starts the campaign."""
    st.caption(
        "A campaign that mixes a random share with the queries that teach most: those on which strategies disagree, and those "
        "near a threshold. The random share may choose and evaluate; the others may only train, since the scores chose them. "
        "Annotators see no score, and cannot tell which entry is which."
    )
    choosing = voters(scoring, ())
    if not choosing:
        st.info("No strategy of this scoring says which queries are bad, so there is nothing to choose by.")
        return
    try:
        request = _request(workspace, view, scoring)
        with st.spinner("Drawing ..."):
            planned = plan_queue(workspace, view.dataset, scoring, request).as_json()
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/block:")
        return
    for sentence in planned["sentences"]:
        st.markdown(f"- {plain(sentence)}")
    with st.form("start-queue"):
        words, protocol, button = st.columns([5, 3, 2], vertical_alignment="bottom")
        name = words.text_input("Name of the campaign", value=f"{view.row.name} next", key="queue-name")
        asked = protocol.selectbox(
            "Annotators say", list(_PROTOCOLS), format_func=_PROTOCOLS.__getitem__, key="queue-protocol"
        )
        if not button.form_submit_button("Start the campaign", type="primary", width="stretch"):
            return
    try:
        campaign, _ = start_queue(workspace, view.dataset, scoring, request, name=name, protocol=asked, person=person)
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.success(f"The campaign {plain(campaign.name)} is open.", icon=":material/check:")
    st.link_button("Judge", judge_address(campaign.id), type="primary")


def _request(workspace: Workspace, view: RunView, scoring: Scoring) -> QueueRequest:
    entries, random, disagreement, near = st.columns(4)
    chosen = voters(scoring, ())
    size = min(100, max(2, len(scoring.query_ids) // 2))
    has_pair = len(chosen) > 1
    number = int(entries.number_input("Entries", 2, max(2, len(scoring.query_ids)), size, key="queue-entries"))
    shares = [
        random.number_input("Random, %", 1, 99, 40, key="queue-random"),
        disagreement.number_input(
            "Disagreement, %", 0, 99, 30 if has_pair else 0, key="queue-disagreement", disabled=not has_pair,
            help=None if has_pair else "Needs two strategies that say which queries are bad.",
        ),
        near.number_input("Near a threshold, %", 0, 99, 30 if has_pair else 60, key="queue-near"),
    ]  # fmt: skip
    strategies, earlier, seed = st.columns([4, 4, 2])
    titles = {each.name: each.title for each in chosen}
    by = strategies.multiselect(
        "By the scores of", list(titles), default=list(titles), format_func=titles.__getitem__, key="queue-by"
    )
    campaigns = [each for each in list_campaigns(workspace) if each.dataset.id == view.dataset.id]
    known = {each.campaign.id: each.campaign.name for each in campaigns}
    # A campaign on the whole dataset leaves nothing to draw.
    parts = [each.campaign.id for each in campaigns if each.entries < len(scoring.query_ids)]
    left = earlier.multiselect(
        "Without the queries of", list(known), default=parts, format_func=known.__getitem__, key="queue-left"
    )
    return QueueRequest(
        entries=number, random=shares[0] / 100, disagreement=shares[1] / 100, near_threshold=shares[2] / 100,
        strategies=tuple(by), leave_out=tuple(left), seed=int(seed.number_input("Seed", 0, 2**31 - 1, 1, key="queue-seed")),
    )  # fmt: skip

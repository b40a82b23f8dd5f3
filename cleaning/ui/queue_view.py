"""What to label next: a campaign of a random share, queries on which strategies disagree, and queries near a threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

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
from cleaning.queue_weights import disagreement_weights, near_threshold_weights, voters
from cleaning.scoring import ScoredAll, Scoring
from cleaning.ui.one_start import note_started, started_before

_PROTOCOLS = {removal.name: "keep or remove", audit.name: "correct, or F, E, U, N"}


@dataclass(frozen=True, slots=True)
class _Numbers:
    """How many entries, the shares of the three parts in percent, and the seed."""

    entries: int
    random: int
    disagreement: int
    near: int
    seed: int


def draw_queue(workspace: Workspace, person: Person, view: RunView, scoring: Scoring, *, is_open: bool) -> None:
    """Draw the shares and, where the tab is open, what they would draw and the button that starts the campaign."""
    st.caption(
        "A campaign that mixes a random share with the queries that teach most: those on which strategies disagree, and those "
        "near a threshold. The random share may choose and evaluate; the others may only train, since the scores chose them. "
        "Annotators see no score, and cannot tell which entry is which."
    )
    choosing = voters(scoring, ())
    if not choosing:
        st.info("No strategy of this scoring says which queries are bad, so there is nothing to choose by.")
        return
    chosen, numbers, earlier = _draw_choice(workspace, view, scoring, choosing)
    if says := _missing(chosen, numbers):
        st.info(says)
        return
    if not is_open:
        return
    try:
        request = QueueRequest(
            entries=numbers.entries, random=numbers.random / 100, disagreement=numbers.disagreement / 100,
            near_threshold=numbers.near / 100, strategies=tuple(each.name for each in chosen), leave_out=earlier,
            seed=numbers.seed,
        )  # fmt: skip
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
        wanted = {**asdict(request), "leave_out": None, "scoring": scoring.run_id, "name": name, "protocol": asked}
        number = started_before("campaign", wanted)
        if number is None:
            campaign, _ = start_queue(
                workspace, view.dataset, scoring, request, name=name, protocol=asked, person=person
            )
            number = campaign.id
            note_started("campaign", wanted, number)
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.success(f"The campaign {plain(name)} is open.", icon=":material/check:")
    st.link_button("Judge", judge_address(number), type="primary")


def _draw_choice(
    workspace: Workspace, view: RunView, scoring: Scoring, choosing: Sequence[ScoredAll]
) -> tuple[list[ScoredAll], _Numbers, tuple[int, ...]]:
    """Draw what is wanted; return the strategies whose scores choose, the numbers, and the campaigns left out."""
    n = len(scoring.query_ids)
    entries, random, disagreement, near = st.columns(4)
    shares = _first_shares(choosing)
    numbers = [
        entries.number_input("Entries", 2, max(2, n), min(100, max(2, n // 2)), key="queue-entries"),
        random.number_input("Random, %", 1, 100, shares[0], key="queue-random"),
        disagreement.number_input("Disagreement, %", 0, 99, shares[1], key="queue-disagreement"),
        near.number_input("Near a threshold, %", 0, 99, shares[2], key="queue-near"),
    ]
    strategies, earlier, seed = st.columns([4, 4, 2])
    titles = {each.name: each.title for each in choosing}
    by = strategies.multiselect(
        "By the scores of", list(titles), default=list(titles), format_func=titles.__getitem__, key="queue-by"
    )
    campaigns = [each for each in list_campaigns(workspace) if each.dataset.id == view.dataset.id]
    known = {each.campaign.id: each.campaign.name for each in campaigns}
    left: list[int] = []
    if known:
        left = earlier.multiselect(
            "Without the queries of", list(known), format_func=known.__getitem__, key="queue-left",
            help="Where a campaign is named here, the random share stands for the rest alone: it then chooses no threshold.",
        )  # fmt: skip
    lots = seed.number_input("Seed", 0, 2**31 - 1, 1, key="queue-seed")
    return [each for each in choosing if each.name in by], _Numbers(*map(int, [*numbers, lots])), tuple(left)


def _first_shares(choosing: Sequence[ScoredAll]) -> tuple[int, int, int]:
    """Return the shares to begin with, in percent: those that these scores allow."""
    differs, is_graded = _differ(choosing), _are_graded(choosing)
    if differs and is_graded:
        return 40, 30, 30
    return (40, 60, 0) if differs else (40, 0, 60) if is_graded else (100, 0, 0)


def _missing(chosen: Sequence[ScoredAll], numbers: _Numbers) -> str:
    """Return why these shares cannot be drawn from the scores of these strategies, and what to do; empty where they can."""
    if not chosen:
        return "Choose at least one strategy whose scores choose."
    titles = plain(" and ".join(each.title for each in chosen))
    if numbers.disagreement and not _differ(chosen):
        why = f"{titles} decide every query alike" if len(chosen) > 1 else f"{titles} alone disagrees with nobody"
        return f"{why}: set the share of disagreement to 0, or choose other strategies."
    if numbers.near and not _are_graded(chosen):
        return (
            f"The scores of {titles} say yes or no, so no query is near a threshold: set that share to 0, or choose a strategy "
            "with graded scores."
        )
    if not numbers.disagreement and not numbers.near:
        return "All shares but the random one are 0. Set one of them, or start a campaign on a random sample on the campaigns page."
    return ""


def _differ(chosen: Sequence[ScoredAll]) -> bool:
    return len(chosen) > 1 and bool(disagreement_weights(chosen).any())


def _are_graded(chosen: Sequence[ScoredAll]) -> bool:
    return bool(near_threshold_weights(chosen, wanted=1)[1])

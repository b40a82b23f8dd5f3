"""Whom a new campaign is handed to: everybody or some, how many an entry, gold entries, a pilot, guidelines."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from audit_core.domain import HandOut
from audit_core.storage.campaigns import CampaignRow
from audit_core.ui.plain_text import plain
from audit_core.workflow.campaigns import JUDGMENTS_MAX
from audit_core.workflow.gold import GoldAnswer, gold_from_campaign
from audit_core.workflow.gold_file import gold_of_file
from audit_core.workflow.guidelines import TEXT_MAX
from audit_core.workflow.people_list import people_who_judge
from audit_core.workflow.team_campaigns import GOLD_SHARE_MAX, TeamRequest
from audit_core.workflow.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Sequence

_HANDED = {
    HandOut.ALL: "Everybody judges every entry",
    HandOut.EXACT: "Each entry to exactly so many annotators",
}
_NO_GOLD, _FILE, _CAMPAIGN = "none", "from a file", "from a campaign"


@dataclass(frozen=True, slots=True)
class TeamChoice:
    """What was chosen; `guidelines` is empty where the protocol's own are enough."""

    request: TeamRequest
    guidelines: str


def team_choices(workspace: Workspace, protocol: str, campaigns: Sequence[CampaignRow]) -> TeamChoice:
    """Draw the choices and return them.

    Raises:
        AssayError: a file of right answers cannot be read, or the numbers do not go together.
    """
    handed, needed = st.columns([5, 3], vertical_alignment="bottom")
    hand_out = handed.segmented_control(
        "Hand-out", list(HandOut), default=HandOut.ALL, required=True, format_func=_HANDED.__getitem__, key="team-hand-out",
        help="Exactly so many: entries are divided among the annotators, and nobody collides. Everybody: as many judgments as "
        "there are annotators; the number beside says how many a decision needs.",
    )  # fmt: skip
    judgments = int(
        needed.number_input(
            "Judgments an entry needs", 1, JUDGMENTS_MAX, 1, key="campaign-judgments",
            help="With 1, one annotator's judgment counts. With more, they must agree; else the entry is disputed.",
        )
    )  # fmt: skip
    with st.expander("Annotators, gold entries, pilot, guidelines", icon=":material/group:"):
        annotators = _annotators(workspace)
        own_order = st.toggle(
            "An order of their own for each annotator", value=hand_out is HandOut.EXACT, key="team-own-order"
        )
        gold, share = _gold(workspace, protocol, campaigns)
        pilot, pilot_judgments = _pilot()
        guidelines = st.text_area(
            "Guidelines of this campaign", max_chars=TEXT_MAX, key="team-guidelines", height=120,
            placeholder="What annotators are to know beside the protocol's own guidelines. An empty line begins a paragraph.",
            help="You can change them later: each judgment keeps the version that it was made under.",
        )  # fmt: skip
    request = TeamRequest(
        hand_out=hand_out or HandOut.ALL,
        judgments_per_entry=judgments,
        annotators=annotators,
        own_order=own_order,
        gold=gold,
        gold_share=share,
        pilot_entries=pilot,
        pilot_judgments=pilot_judgments,
    )
    return TeamChoice(request, guidelines.strip())


def _annotators(workspace: Workspace) -> tuple[int, ...] | None:
    people = people_who_judge(workspace)
    names = {each.id: each.name for each in people}
    chosen = st.multiselect(
        "Annotators", list(names), format_func=lambda each: plain(names[each]), key="team-annotators",
        placeholder="everybody who signs in", help="Nobody named: everybody who signs in may judge. Others do not see the campaign.",
    )  # fmt: skip
    return tuple(chosen) or None


def _gold(
    workspace: Workspace, protocol: str, campaigns: Sequence[CampaignRow]
) -> tuple[tuple[GoldAnswer, ...], float | None]:
    same = {each.id: each for each in campaigns if each.protocol == protocol}
    ways = [_NO_GOLD, _FILE, *([_CAMPAIGN] if same else [])]
    way = st.segmented_control(
        "Gold entries", ways, default=_NO_GOLD, required=True, key="team-gold",
        help="Entries whose right answer is known, mixed among the others. They show how well each annotator does, and enter no "
        "estimate. Annotators cannot tell them apart.",
    )  # fmt: skip
    if way not in (_FILE, _CAMPAIGN):
        return (), None
    if way == _FILE:
        sent = st.file_uploader(
            "Right answers (JSON Lines or CSV: query_id, and codes or the fields of the protocol)",
            type=["jsonl", "csv"],
            key="team-gold-file",
        )
        gold = () if sent is None else gold_of_file(protocol, io.BytesIO(sent.getvalue()), name=sent.name)
    else:
        chosen = st.selectbox(
            "Entries on which all annotators say the same",
            list(same),
            format_func=lambda each: same[each].name,
            key="team-gold-campaign",
        )
        gold = gold_from_campaign(workspace, same[chosen])
    st.caption(f"{len(gold):,} right answers.")
    if not gold:
        return (), None
    share = st.slider(
        "Share of gold entries among what each annotator gets, %",
        1,
        round(100 * GOLD_SHARE_MAX),
        10,
        key="team-gold-share",
    )
    return gold, share / 100


def _pilot() -> tuple[int, int | None]:
    if not st.toggle(
        "Begin with a pilot", key="team-pilot",
        help="Some entries that several annotators judge first. The rest is handed out when a lead ends the pilot; pilot entries enter no estimate.",
    ):  # fmt: skip
        return 0, None
    entries, judgments = st.columns(2)
    return (
        int(entries.number_input("Entries of the pilot", 1, 500, 20, key="team-pilot-entries")),
        int(judgments.number_input("Annotators for each", 1, JUDGMENTS_MAX, 2, key="team-pilot-judgments")),
    )

"""Adjudication as its page shows it: how the entries of a campaign stand, unanimous ones accepted together, doors to the rest."""

from __future__ import annotations

import streamlit as st

from audit_core.domain import JsonObject
from audit_core.errors import AssayError
from audit_core.statistics.percent import interval_text
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.ui.addresses import adjudicate_address
from audit_core.ui.adjudication_table import entries_html
from audit_core.ui.plain_text import plain
from audit_core.ui.same_tab_link import same_tab_link
from audit_core.workflow.adjudicating import Accepted, accept_unanimous
from audit_core.workflow.adjudication_list import AdjudicationPage, adjudication_page
from audit_core.workflow.adjudication_states import Tally, tally
from audit_core.workflow.agreement import second_reading_of
from audit_core.workflow.campaigns import is_archived
from audit_core.workflow.workspace import Workspace

#: Entries of a list that are drawn at once.
SHOWN = 50
_NOTICE = "adjudication-notice"
#: List -> what it is called, and what is said where it is empty.
_LISTS = {
    "disputed": ("Disputed", "No disputed entry is left to decide."),
    "unanimous": ("Unanimous", "No unanimous entry waits to be accepted."),
    "second": ("One judgment", "No lone judgment waits for a second reading."),
    "decided": ("Decided", "Nothing is decided yet."),
}
#: State -> what it is called, and what it means.
_STATES = {
    "disputed": ("Disputed", "the judgments differ"),
    "unanimous": ("Unanimous", "all say the same"),
    "single": ("One judgment", "to be read a second time"),
    "decided": ("Decided", "a decision counts"),
    "open": ("Open", "judgments are still to come"),
}


def draw_adjudication(workspace: Workspace, person: Person, campaign_id: int) -> None:
    """Draw the page of one campaign: counts, the way to decide, and its entries by state."""
    campaign, dataset = workspace.campaign(campaign_id)
    st.caption(f"Campaign {plain(campaign.name)} on {plain(dataset.shown)} revision {plain(dataset.revision)}")
    if notice := st.session_state.pop(_NOTICE, None):
        st.success(plain(notice[0]), icon=":material/check:")
        if notice[1]:
            st.warning(plain(notice[1]))
    found = tally(workspace, campaign, person)
    _draw_counts(found.counts)
    if is_archived(campaign, dataset):
        st.info("This campaign is archived: bring it back from the archive to adjudicate it.")
    else:
        _draw_doors(campaign, found)
    draw_second_reading(workspace, person, campaign_id)
    key = f"adjudication-list-{campaign_id}"
    st.session_state.setdefault(key, _first_shown(found.counts))
    shown = st.segmented_control(
        "Show",
        list(_LISTS),
        required=True,
        format_func=lambda each: _LISTS[each][0],
        key=key,
        label_visibility="collapsed",
    )
    names = st.toggle(
        "Show names",
        key=f"adjudication-names-{campaign_id}",
        help="Of annotators and of whoever decided, in these lists.",
    )
    can_decide = not is_archived(campaign, dataset)
    _draw_list(workspace, person, campaign, shown or "disputed", can_decide=can_decide, names=names)


def _first_shown(counts: dict[str, int]) -> str:
    """Return the list that is shown first: the first one in which something waits, else what is decided."""
    waiting = {"disputed": counts["disputed"], "unanimous": counts["unanimous"], "second": counts["single"]}
    return next((each for each, number in waiting.items() if number), "decided" if counts["decided"] else "disputed")


def _draw_counts(counts: dict[str, int]) -> None:
    for column, (state, (name, meaning)) in zip(st.columns(len(_STATES)), _STATES.items(), strict=True):
        column.metric(name, f"{counts[state]:,}")
        column.caption(meaning)


def _draw_doors(campaign: CampaignRow, found: Tally) -> None:
    counts, decided = found.counts, found.disputed_decided
    with st.container(horizontal=True, vertical_alignment="center"):
        if counts["disputed"]:
            label = "Go on deciding" if decided else "Decide the disputed entries"
            same_tab_link(label, adjudicate_address(campaign.id), key="adjudicate-disputed")
        if counts["single"]:
            address = adjudicate_address(campaign.id, only="second")
            same_tab_link("Read lone judgments a second time", address, key="adjudicate-second")
    st.caption(
        f"{decided:,} of {decided + counts['disputed']:,} disputed entries are decided. Entries that wait for your own "
        "judgment are not shown to you: judge them first."
    )


def draw_second_reading(workspace: Workspace, person: Person, campaign_id: int) -> None:
    """Say how often a second reading overturned the only judgment; nothing where none was read again."""
    found = second_reading_of(workspace, campaign_id, viewer=person)
    if found is None or not found.read:
        return
    st.caption(
        f"Second reading: {found.changed:,} of {found.read:,} lone judgments were overturned. "
        f"{plain(interval_text(found.overturned))} Whoever read them had seen the judgment: this is no agreement."
    )


def _draw_list(
    workspace: Workspace, person: Person, campaign: CampaignRow, only: str, *, can_decide: bool, names: bool
) -> None:
    key = f"adjudication-from-{campaign.id}-{only}"
    where: dict[str, int] = st.session_state.get(key, {"first": 1})
    page = adjudication_page(workspace, person, campaign.id, only=only, count=SHOWN, names=names, **where)
    if not page.rows and (page.has_earlier or where != {"first": 1}):
        # What stood here was decided meanwhile: from the start.
        st.session_state.pop(key, None)
        page = adjudication_page(workspace, person, campaign.id, only=only, count=SHOWN, names=names)
    if not page.rows:
        st.info(_LISTS[only][1])
        return
    if only == "unanimous" and can_decide:
        _draw_acceptance(workspace, person, campaign, page.rows)
    st.html(entries_html(page.rows, campaign, only, names=names))
    _draw_turning(page, key)


def _draw_turning(page: AdjudicationPage, key: str) -> None:
    if not page.has_earlier and not page.has_later:
        return
    first, last = page.rows[0]["number"], page.rows[-1]["number"]
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Earlier", disabled=not page.has_earlier, key=f"{key}-earlier"):
            st.session_state[key] = {"before": first}
            st.rerun()
        st.caption(f"entries {first:,} to {last:,}")
        if st.button("Later", disabled=not page.has_later, key=f"{key}-later"):
            st.session_state[key] = {"first": last + 1}
            st.rerun()


def _draw_acceptance(workspace: Workspace, person: Person, campaign: CampaignRow, rows: tuple[JsonObject, ...]) -> None:
    numbers = [row["number"] for row in rows]
    them = "this one" if len(numbers) == 1 else f"these {len(numbers):,} together"
    with st.popover(f"Accept {them}", icon=":material/done_all:"):
        st.markdown(
            f"The {len(numbers):,} listed below are decided as the list says, with the places meant and the corrections that "
            "stand there, entry by entry in the history, and each can be reopened. What has changed meanwhile is left out, and "
            "you are told."
        )
        if not st.button(f"Accept {len(numbers):,}", type="primary", key="accept-unanimous"):
            return
    try:
        accepted = accept_unanimous(workspace, person, campaign.id, numbers)
    except AssayError as error:
        st.error(str(error))
        return
    st.session_state[_NOTICE] = _told(accepted)
    st.rerun()


def _told(accepted: Accepted) -> tuple[str, str]:
    """Return what was accepted, and what was left with its reasons (empty: nothing)."""
    entries = "entry was" if accepted.accepted == 1 else "entries were"
    left = "; ".join(f"entry {number}: {reason}" for number, reason in accepted.left[:20])
    more = f"; and {len(accepted.left) - 20:,} more" if len(accepted.left) > 20 else ""
    return f"{accepted.accepted:,} unanimous {entries} accepted.", f"Left: {left}{more}." if left else ""

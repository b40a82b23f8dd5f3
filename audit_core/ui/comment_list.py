"""Comments of a campaign as leads and adjudicators see them: a list that can be narrowed."""

from __future__ import annotations

import streamlit as st

from audit_core.storage.comments import CommentView
from audit_core.storage.people import Person
from audit_core.ui.addresses import judge_address
from audit_core.ui.plain_text import plain
from audit_core.ui.same_tab_link import same_tab_link
from audit_core.workflow.comments import list_comments
from audit_core.workflow.workspace import Workspace

#: Most comments that are drawn at once.
_SHOWN = 100
_EVERYBODY = "everybody"


def draw_comments(workspace: Workspace, person: Person, campaign_id: int) -> None:
    """Draw the comments of a campaign, the newest first, with fields to narrow them by author, words and entry."""
    found = list_comments(workspace, person, campaign_id)
    if not found:
        st.info(
            "There are no comments that you may see yet. On the judging page, the key ; comments on the entry in view."
        )
        return
    by, words, number = st.columns([3, 5, 2])
    names = sorted({each.author for each in found}, key=str.casefold)
    author = by.selectbox("By", [_EVERYBODY, *names], key=f"comments-by-{campaign_id}")
    asked = words.text_input("Words", key=f"comments-words-{campaign_id}", max_chars=200)
    entry = number.number_input("Entry", min_value=1, value=None, step=1, key=f"comments-entry-{campaign_id}")
    chosen = list_comments(
        workspace,
        person,
        campaign_id,
        author=None if author == _EVERYBODY else author,
        words=asked,
        entry=None if entry is None else int(entry),
    )
    more = f"; the newest {_SHOWN} are shown" if len(chosen) > _SHOWN else ""
    st.caption(
        f"{len(chosen):,} of {len(found):,} comments{more}. Annotators see those of others once they have judged the entry. "
        "Where you judge yourself, you see them as annotators do."
    )
    for each in chosen[:_SHOWN]:
        _draw(each, campaign_id)


def _draw(view: CommentView, campaign_id: int) -> None:
    with st.container(border=True):
        words, door = st.columns([8, 2], vertical_alignment="center")
        with words:
            st.markdown(plain(view.comment.text).replace("\n", "  \n"))
            st.caption(
                f"{plain(view.author)} on entry {view.entry_number} (query {plain(view.query_id)}), "
                f"{view.comment.created_at[:16].replace('T', ' ')} UTC"
            )
        with door.container(horizontal=True, horizontal_alignment="right"):
            address = f"{judge_address(campaign_id)}&entry={view.entry_number}"
            same_tab_link("Open the entry", address, key=f"entry-of-comment-{view.comment.id}")

"""Queries that wait for the reader's own judgment: left out of what shows scores, counted, and told why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from audit_core.audit_report.wording import counted
from audit_core.ui.plain_text import plain
from cleaning.contract import Reason

#: Stands for a reason that names such a query, since it would tell what was decided of it.
_WITHHELD = "names a query that waits for your own judgment"


def draw_waiting(waiting: Mapping[str, str], query_ids: Collection[str] | None = None) -> None:
    """Draw how many queries wait for the reader's judgment, and where; nothing where none does.

    `waiting` has the campaign of each (`waiting_for`); `query_ids` are those that the page is about, None: all of them.
    The number is that of the whole page and not of one list: else it would tell in which list the queries belong.
    """
    sentence = waiting_sentence(
        campaign for each, campaign in waiting.items() if query_ids is None or each in query_ids
    )
    if sentence:
        st.caption(plain(sentence))


def waiting_sentence(campaigns: Iterable[str]) -> str:
    """Return in words how many queries wait; `campaigns` has one name for each of them. Empty where there is none."""
    counts = Counter(campaigns)
    if not counts:
        return ""
    (first, number), *others = counts.most_common()
    verb = "waits" if number == 1 else "wait"
    said = f"{counted(number, 'query', 'queries')} {verb} for your own judgment in the campaign {first}"
    said += "".join(f", {more:,} in {name}" for name, more in others)
    if counts.total() == 1:
        return f"{said}; its scores are shown after it."
    return f"{said}; their scores are shown after it."


def told(reasons: Sequence[Reason], waiting: Mapping[str, str]) -> tuple[Reason, ...]:
    """Return reasons as they may be shown: a duplicate names the query that stays, which may be one that waits."""
    return tuple(replace(each, says=_WITHHELD) if _names_one(each.says, waiting) else each for each in reasons)


def _names_one(says: str, waiting: Mapping[str, str]) -> bool:
    # Most reasons quote nothing; only in the others is each of the waiting queries looked for.
    return ("'" in says or '"' in says) and any(repr(each) in says for each in waiting)

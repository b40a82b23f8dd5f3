"""From groups of duplicates to what a rule says: which member of each group stays, and what the others are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cleaning.contract import Reason
from cleaning.duplicates import Groups, Likeness
from cleaning.rules.finding import Found

if TYPE_CHECKING:
    import polars as pl

_WORDS = {Likeness.EXACT: "the same text", Likeness.NEAR: "nearly the same text"}


def spare_members(rule: str, queries: pl.DataFrame, groups: Groups) -> Found:
    """Return the finding that fires on all members of each group but the one with the smallest query id.

    Every member has a reason: those that fire name the query that stays, and that one counts the others. It spans the
    whole text. Nothing in it depends on the order of the rows.
    """
    ids: list[str] = queries["query_id"].to_list()
    lengths = [len(text or "") for text in queries["text"].to_list()]
    fired = np.zeros(len(ids), dtype=bool)
    reasons: list[tuple[Reason, ...]] = [()] * len(ids)
    for rows, likeness in zip(groups.members(), groups.reasons, strict=True):
        stays = min(rows, key=lambda row: ids[row])
        others = len(rows) - 1
        for row in rows:
            if row == stays:
                kept = f"{others} other{'s' if others > 1 else ''} with {_WORDS[likeness]}; this one stays"
                reasons[row] = (Reason(rule, kept, 0, lengths[row]),)
            else:
                fired[row] = True
                reasons[row] = (Reason(rule, f"{_WORDS[likeness]} as {ids[stays]!r}, which stays", 0, lengths[row]),)
    return Found(fired, tuple(reasons))

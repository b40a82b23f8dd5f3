"""What a reader must know before the figures: failures, twins, queries that were left out, how the split came out."""

from __future__ import annotations

import streamlit as st

from audit_core.ui.plain_text import plain
from cleaning.finished import Result

#: As many ids are named in place.
_NAMED = 5


def draw_notices(result: Result) -> None:
    """Draw failed strategies as warnings of their own, everything else as one quiet list."""
    for each in result.compared.strategies:
        if each.failed is not None:
            st.warning(
                f"**{plain(result.title(each.name))}** failed and has no figures: {plain(each.failed)}",
                icon=":material/error:",
            )
    lines = [
        f"{' and '.join(result.title(name) for name in each.about)}: {each.says}."
        for each in result.compared.notices
        if not each.says.startswith("failed: ")
    ]
    lines += left_out_lines(result)
    lines += list(result.record.split.notes)
    if lines:
        st.markdown("\n".join(f"- {plain(each)}" for each in lines))


def left_out_lines(result: Result) -> list[str]:
    """Return one line a reason for which labelled queries are not among the figures."""
    card = result.record.card
    lines = []
    for what, groups in (
        ("without a usable label", card.left_out),
        ("that no strategy could be given", card.ineligible),
    ):
        lines += [f"{len(ids):,} queries {what}: {reason} ({_named(ids)})." for reason, ids in groups.items() if ids]
    if card.unknown:
        lines.append(
            f"{len(card.unknown):,} labels are of queries that the dataset does not have ({_named(card.unknown)})."
        )
    return lines


def _named(ids: object) -> str:
    known = [str(each) for each in ids] if isinstance(ids, list | tuple) else []
    more = f" and {len(known) - _NAMED:,} more" if len(known) > _NAMED else ""
    return ", ".join(known[:_NAMED]) + more

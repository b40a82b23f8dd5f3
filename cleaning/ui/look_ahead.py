"""What a comparison will rest on, before anything runs: labels, what is left out and why, what each fold holds."""

from __future__ import annotations

import json
from collections import Counter

import streamlit as st

from audit_core.errors import AssayError
from audit_core.statistics.percent import percent
from audit_core.storage.datasets import DatasetRow
from audit_core.ui.plain_text import plain
from audit_core.workflow.workspace import Workspace
from cleaning.preparing import Prepared, prepare, read_labels
from cleaning.request import ComparisonRequest
from cleaning.tables_content import fold_table
from cleaning.ui.cells import table_html

_KEPT = "compare-look-ahead"
#: Rows of the fold table that are shown at once.
_SHOWN = 340


def look_ahead(workspace: Workspace, dataset: DatasetRow, request: ComparisonRequest) -> Prepared | None:
    """Draw what the comparison will rest on and return it; where it is refused, draw the reason and return None."""
    try:
        prepared = _prepared(workspace, dataset, request)
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/block:")
        return None
    _draw(prepared)
    return prepared


def _prepared(workspace: Workspace, dataset: DatasetRow, request: ComparisonRequest) -> Prepared:
    """Return the look ahead, the last one where the same is asked again of the same labels.

    Names and strategies do not change it; a judgment that was saved meanwhile does.
    """
    asked = request.as_json()
    parts = ("labels", "remove_codes", "folds", "repeats", "train", "fewer_folds", "seed")
    key = json.dumps([dataset.id, *(asked[each] for each in parts)])
    kept: tuple[str, Prepared] | None = st.session_state.get(_KEPT)
    if kept is not None and kept[0] == key and kept[1].labels == read_labels(workspace, dataset, request)[1]:
        return kept[1]
    with st.spinner("Looking ahead ..."):
        prepared = prepare(workspace, dataset, request, with_vectors=False)
    st.session_state[_KEPT] = (key, prepared)
    return prepared


def _draw(prepared: Prepared) -> None:
    split = prepared.split
    n, positives = len(split.evaluated), int(split.remove[split.evaluated].sum())
    labels, bad, kept = st.columns(3)
    labels.metric("Queries scored", f"{n:,}")
    bad.metric(f"To remove ({percent(positives / n)} %)" if n else "To remove", f"{positives:,}")
    kept.metric("Folds", f"{split.repeats} x {split.k}" if split.k > 1 else "one split")
    sentences = [f"{len(prepared.labels):,} labels from {prepared.source.name} ({prepared.labels.origin})."]
    if prepared.labels.repeated:
        sentences.append(f"{prepared.labels.repeated:,} labels say the same once more and count once.")
    reasons = Counter(each.reason for each in prepared.left_out)
    sentences += [f"{count:,} labelled queries are left out: {reason}." for reason, count in reasons.most_common()]
    if not reasons:
        sentences.append("No labelled query is left out.")
    groups = Counter(each for each in prepared.duplicate_group if each >= 0)
    alike = sum(count for count in groups.values() if count > 1)
    if alike:
        sentences.append(f"{alike:,} queries are near-duplicates of one another: none trains for another.")
    sentences += split.notes
    st.markdown("\n".join(f"- {plain(each)}" for each in sentences))
    table = fold_table(split)
    with st.container(height=min(_SHOWN, 80 + 27 * len(table.rows)), border=False):
        idle = tuple(
            each.key
            for each in table.columns
            if each.key.startswith("dropped_") and not any(row[each.key] for row in table.rows)
        )
        st.html(table_html(table, caption="What each fold holds", leave_out=idle, testid="look-ahead-folds"))
    st.caption(
        "Dropped: queries that share a document, a group, pages or their wording with the fold that they would train for. "
        "One query may be dropped for several reasons."
    )

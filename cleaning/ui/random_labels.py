"""The choice of labels that may speak for all queries of a scored dataset: random samples first, others with the reason."""

from __future__ import annotations

import streamlit as st

from audit_core.domain import CODE_MEANINGS, IssueCode
from audit_core.storage.datasets import DatasetRow
from audit_core.ui.addresses import link_to
from audit_core.ui.plain_text import plain
from audit_core.workflow.label_sources import AUDIT, LabelSource, label_sources
from audit_core.workflow.workspace import Workspace
from cleaning.labels import REMOVE_CODES


def choose_random_labels(workspace: Workspace, dataset: DatasetRow, *, key: str) -> tuple[LabelSource, str] | None:
    """Draw the choice and return the source and the audit codes that mean removal; None where there is no random sample."""
    sources = label_sources(workspace, dataset)
    random = [each for each in sources if each.is_probability and not each.is_of_part]
    others = len(sources) - len(random)
    if not random:
        there = (
            f"{plain(dataset.shown)} has {others} source{'' if others == 1 else 's'} of labels, none of them"
            if others
            else "There are no labels that are"
        )
        st.warning(
            f"{there} a random sample of its queries. Only such a sample can speak for the queries that nobody looked at: "
            "start a campaign on a random draw and judge it.",
            icon=":material/casino:",
        )
        link_to("new_campaign", "Start a campaign", icon=":material/add:")
        return None
    chosen = st.selectbox(
        "Labels of a random sample",
        random,
        format_func=lambda each: f"{each.name} ({each.kind}, {each.queries:,})",
        key=f"labels-{key}",
    )
    if chosen.says:
        st.caption(plain(chosen.says))
    if others:
        st.caption(f"{others} other source{' is' if others == 1 else 's are'} no random sample, and not offered.")
    return chosen, _codes(chosen, key)


def _codes(source: LabelSource, key: str) -> str:
    default = [code.value for code in IssueCode if code in REMOVE_CODES]
    if source.kind != AUDIT:
        return "".join(default)
    chosen = st.multiselect(
        "Codes that mean removal", [code.value for code in IssueCode], default=default, key=f"codes-{key}",
        format_func=lambda code: f"{code}: {CODE_MEANINGS[IssueCode(code)]}",
    )  # fmt: skip
    return "".join(code.value for code in IssueCode if code.value in chosen)

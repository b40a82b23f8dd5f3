"""What a release would hold, what is in its way, and the form that starts one."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

import streamlit as st

from audit_core.audit_report.wording import counted
from audit_core.corrections.records import Action
from audit_core.corrections.wording import ACTION_WORDS
from audit_core.domain import CODE_MEANINGS, IssueCode, Role
from audit_core.errors import AssayError
from audit_core.exporters.bundle import FORMS
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.ui.access import acting_person
from audit_core.ui.addresses import PAGES
from audit_core.ui.plain_text import plain
from audit_core.workflow.release_preview import ReleasePreview, preview_release
from audit_core.workflow.release_request import REVISION_MAX, ReleaseRequest
from audit_core.workflow.releasing import start_release
from audit_core.workflow.workspace import Workspace

NOTICE = "release-notice"
_STYLE = """
<style>
.held { display: flex; flex-wrap: wrap; gap: .4rem 2.5rem; align-items: flex-start; }
.held table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
.held caption { text-align: left; font-weight: 600; padding-bottom: .2rem; white-space: nowrap; }
.held td { padding: .12rem .9rem .12rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 18%, transparent); }
.held td:last-child { text-align: right; padding-right: 0; }
</style>
"""


def draw_release_form(workspace: Workspace, person: Person, dataset: DatasetRow) -> None:
    """Draw what a release would hold now, and the form that makes it; where nothing can be released, why."""
    if notice := st.session_state.pop(NOTICE, None):
        st.success(plain(notice), icon=":material/check:")
    found = preview_release(workspace, dataset)
    st.subheader("What would be released", anchor=False)
    if found.blocks is not None:
        st.warning(plain(found.blocks), icon=":material/block:")
    else:
        _draw_held(found)
    if found.proposed:
        st.info(
            f"{counted(found.proposed, 'proposed correction is', 'proposed corrections are')} left out, since nobody has accepted or "
            "rejected them.",
            icon=":material/pending:",
        )
    if (found.proposed or found.stale or found.blocks) and st.button("Review corrections", icon=":material/rule:"):
        st.switch_page(PAGES / "corrections.py", query_params={"dataset": str(dataset.id)})
    if found.blocks is None:
        _draw_form(workspace, dataset, found)


def _draw_held(found: ReleasePreview) -> None:
    changed = found.queries - found.withdrawn
    bare = f" {found.without_evidence:,} of these left without evidence." if found.without_evidence else ""
    made = counted(found.corrections, "accepted correction", "accepted corrections")
    queries = counted(changed, "query", "queries")
    st.markdown(f"**{made}: {queries} changed, {found.withdrawn:,} withdrawn.**{bare}")
    codes = [
        (f"{code} · {CODE_MEANINGS[IssueCode(code)]}" if code else "mends no code", count)
        for code, count in found.by_code.items()
    ]
    actions = [(ACTION_WORDS[Action(action)], count) for action, count in found.by_action.items()]
    campaigns = [(name or "no campaign", count) for name, count in found.campaigns.items()]
    states = list(found.states.items())
    tables = (("By code", codes), ("By action", actions), ("By campaign", campaigns), ("All by state", states))
    body = "".join(_table(title, rows) for title, rows in tables)
    st.html(f'{_STYLE}<div class="held" data-testid="held">{body}</div>')


def _table(title: str, rows: Iterable[tuple[str, int]]) -> str:
    cells = "".join(f"<tr><td>{escape(str(name))}</td><td>{count:,}</td></tr>" for name, count in rows)
    return f"<table><caption>{escape(title)}</caption>{cells}</table>"


def _draw_form(workspace: Workspace, dataset: DatasetRow, found: ReleasePreview) -> None:
    named = [each for each in found.campaigns if each]
    with st.form("release", border=True):
        left, right = st.columns(2)
        revision = left.text_input("Name of the new revision", max_chars=REVISION_MAX, placeholder=found.free_revision)
        chosen = right.multiselect(
            "Only corrections from these campaigns", named, placeholder="All accepted corrections"
        )
        form = left.radio("Tables of the bundle", FORMS, horizontal=True)
        media = right.radio("Page files", ["refer to where they lie", "copy them"], horizontal=True)
        beir = left.checkbox("BEIR-style Parquet as well (corpus, queries, qrels, row status)")
        imports = right.checkbox("Import the new revision here")
        ids_only = left.checkbox(
            "Ids and codes only",
            help="No text of queries, answers or pages: texts stand as hashes, and there is no bundle.",
        )
        if not st.form_submit_button("Make the release", type="primary", icon=":material/publish:"):
            return
    request = ReleaseRequest(
        revision, tuple(chosen), form, "copy" if media == "copy them" else "refer", beir, ids_only, imports
    )  # fmt: skip
    _start(workspace, dataset, request)


def _start(workspace: Workspace, dataset: DatasetRow, request: ReleaseRequest) -> None:
    try:
        job = start_release(workspace, dataset, request, person=acting_person(Role.LEAD))
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.session_state[NOTICE] = f"Job {job.id} makes the release. It goes on by itself: you can leave this page."
    st.rerun()

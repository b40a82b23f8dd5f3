"""Renaming, archiving, restoring and deleting a comparison; a deletion says what goes and what stays."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from audit_core.errors import AssayError
from audit_core.storage.people import Person
from audit_core.ui.addresses import PAGES
from audit_core.ui.plain_text import plain
from audit_core.workflow.comparisons import (
    ComparisonView,
    archive_comparison,
    comparison_folder,
    delete_comparison,
    rename_comparison,
)
from audit_core.workflow.workspace import Workspace

_NOTICE = "comparison-notice"


def draw_comparison_notice() -> None:
    """Say what the last action did, once."""
    if notice := st.session_state.pop(_NOTICE, None):
        st.success(plain(notice), icon=":material/check:")


def comparison_menu(workspace: Workspace, person: Person, view: ComparisonView) -> None:
    """Draw the menu: rename, archive or restore, delete."""
    row = view.row
    with st.popover("", icon=":material/more_horiz:", help="Rename, archive, delete", key=f"menu-{row.id}"):
        with st.form(f"rename-comparison-{row.id}", border=False):
            wanted = st.text_input("Name", value=row.name, key=f"comparison-name-{row.id}")
            renamed = st.form_submit_button("Rename")
        if renamed:
            _act(
                lambda: rename_comparison(workspace, row.id, wanted, person=person),
                f"Renamed: {row.name} is now {' '.join(wanted.split())}.",
            )
        if row.archived_at is None:
            if st.button(
                "Archive",
                icon=":material/archive:",
                key=f"archive-comparison-{row.id}",
                help="Hides it; nothing is lost.",
            ):
                _act(
                    lambda: archive_comparison(workspace, row.id, archived=True, person=person),
                    f"{row.name} is archived: it stands under Archived, below.",
                )
        elif st.button("Restore", icon=":material/unarchive:", key=f"restore-comparison-{row.id}"):
            _act(lambda: archive_comparison(workspace, row.id, archived=False, person=person), f"{row.name} is back.")
        if st.button("Delete ...", icon=":material/delete:", key=f"delete-comparison-{row.id}"):
            _ask_to_delete(workspace, person, view)


@st.dialog("Delete a comparison", width="medium")
def _ask_to_delete(workspace: Workspace, person: Person, view: ComparisonView) -> None:
    comparison_deletion_form(workspace, person, view)


def comparison_deletion_form(workspace: Workspace, person: Person, view: ComparisonView) -> None:
    """Draw what a deletion takes away, the field for the name and the button."""
    row = view.row
    if view.job is not None and view.job.is_active:
        st.error(f"{plain(row.name)} is being made: cancel it first, on its page.", icon=":material/block:")
        return
    files = [each for each in comparison_folder(workspace, row.id).rglob("*") if each.is_file()]
    size = sum(each.stat().st_size for each in files)
    goes = f"its results go: {len(files):,} files, {size / 1e6:.1f} MB" if files else "it has no results yet"
    st.markdown(
        f"**{plain(row.name)}**\n\n- {goes}\n- labels, judgments, embeddings and the dataset {plain(view.dataset.shown)} stay\n"
        "- the same choices and seed give the same figures again, as long as labels and packages are the same"
    )
    with st.form("comparison-deletion", border=False):
        typed = st.text_input("Type the name to delete it", placeholder=row.name, key="typed-comparison")
        if not st.form_submit_button("Delete for good", type="primary"):
            return
    if typed.strip() != row.name:
        st.error(f"That is not its name: type {plain(row.name)}.")
        return
    _act(
        lambda: delete_comparison(workspace, row.id, person=person),
        f"Comparison {row.name} is deleted.",
        leave=True,
    )


def _act(action: Callable[[], object], notice: str, *, leave: bool = False) -> None:
    try:
        action()
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.session_state[_NOTICE] = notice
    if leave:
        st.switch_page(PAGES / "cleaning.py")
    st.rerun()

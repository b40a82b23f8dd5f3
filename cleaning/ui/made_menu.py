"""Renaming, archiving, restoring and deleting what a job made; a deletion says what goes and what stays."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from audit_core.domain import Role
from audit_core.errors import AssayError
from audit_core.ui.access import only_for
from audit_core.ui.addresses import PAGES
from audit_core.ui.plain_text import plain
from cleaning.ui.made import Made

_NOTICE = "made-notice"


def draw_made_notice() -> None:
    """Say what the last action did, once."""
    if notice := st.session_state.pop(_NOTICE, None):
        st.success(plain(notice), icon=":material/check:")


def made_menu(made: Made) -> None:
    """Draw the menu: rename, archive or restore, delete."""
    key = made.key
    with st.popover("", icon=":material/more_horiz:", help="Rename, archive, delete", key=f"menu-{key}"):
        with st.form(f"rename-{key}", border=False):
            wanted = st.text_input("Name", value=made.name, key=f"name-{key}")
            renamed = st.form_submit_button("Rename")
        if renamed:
            _act(lambda: made.rename(wanted), f"Renamed: {made.name} is now {' '.join(wanted.split())}.")
        if not made.is_archived:
            if st.button("Archive", icon=":material/archive:", key=f"archive-{key}", help="Hides it; nothing is lost."):
                _act(lambda: made.archive(True), f"{made.name} is archived: it stands under Archived, below.")
        elif st.button("Restore", icon=":material/unarchive:", key=f"restore-{key}"):
            _act(lambda: made.archive(False), f"{made.name} is back.")
        if st.button("Delete ...", icon=":material/delete:", key=f"delete-{key}"):
            _ask_to_delete(made)


@st.dialog("Delete", width="medium")
@only_for(Role.LEAD)
def _ask_to_delete(made: Made) -> None:
    deletion_form(made)


def deletion_form(made: Made) -> None:
    """Draw what a deletion takes away, the field for the name and the button."""
    if made.job is not None and made.job.is_active:
        st.error(f"{plain(made.name)} is being made: cancel it first, on its page.", icon=":material/block:")
        return
    files = [each for each in made.folder.rglob("*") if each.is_file()]
    size = sum(each.stat().st_size for each in files)
    goes = f"its results go: {len(files):,} files, {size / 1e6:.1f} MB" if files else "it has no results yet"
    st.markdown(f"The {made.word} **{plain(made.name)}**\n\n- {goes}\n- {plain(made.stays)}\n- {plain(made.remade)}")
    with st.form("made-deletion", border=False):
        typed = st.text_input("Type the name to delete it", placeholder=made.name, key="typed-name")
        if not st.form_submit_button("Delete for good", type="primary"):
            return
    if typed.strip() != made.name:
        st.error(f"That is not its name: type {plain(made.name)}.")
        return
    _act(made.delete, f"The {made.word} {made.name} is deleted.", leave=True)


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

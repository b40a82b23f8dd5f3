"""Rewordings: how far one run is, then each proposal with accept and reject; `?rewordings=ID` in the address."""

import streamlit as st

from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.ui.addresses import link_to, whole_number
from audit_core.ui.plain_text import plain
from audit_core.workflow.cleanings import find_run, get_run
from cleaning.ui.made import of_run
from cleaning.ui.made_menu import draw_made_notice, made_menu
from cleaning.ui.progress import draw_progress
from cleaning.ui.rewordings_view import draw_rewordings

person = require_person(Role.LEAD)
link_to("cleaning", "Cleaning", icon=":material/arrow_back:")
run_id = whole_number("rewordings")
if run_id is None:
    st.title("Rewordings", anchor=False)
    st.info("Choose a run first: the cleaning page lists them.")
    st.stop()
view = find_run(workspace(), run_id, "rewrite")
heading, menu = st.columns([11, 1], vertical_alignment="center")
heading.title(plain(view.row.name), anchor=False)
with menu.container(horizontal=True, horizontal_alignment="right"):
    made_menu(of_run(workspace(), person, view))
draw_made_notice()
if view.is_finished:
    draw_rewordings(workspace(), person, view)
else:
    draw_progress(workspace(), person, lambda: of_run(workspace(), person, get_run(workspace(), view.row.id)))

"""Scoring: how far one is, then its scores and what follows from them; `?scoring=ID` in the address."""

import streamlit as st

from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.ui.addresses import link_to, whole_number
from audit_core.ui.plain_text import plain
from audit_core.workflow.cleanings import find_run, get_run
from cleaning.ui.loading import load_scoring
from cleaning.ui.made import of_run
from cleaning.ui.made_menu import draw_made_notice, made_menu
from cleaning.ui.progress import draw_progress
from cleaning.ui.scoring_view import draw_scoring

person = require_person(Role.LEAD)
link_to("cleaning", "Cleaning", icon=":material/arrow_back:")
scoring_id = whole_number("scoring")
if scoring_id is None:
    st.title("Scoring", anchor=False)
    st.info("Choose a scoring first: the cleaning page lists them.")
    st.stop()
view = find_run(workspace(), scoring_id)
heading, menu = st.columns([11, 1], vertical_alignment="center")
heading.title(plain(view.row.name), anchor=False)
with menu.container(horizontal=True, horizontal_alignment="right"):
    made_menu(of_run(workspace(), person, view))
draw_made_notice()
if view.is_finished:
    draw_scoring(workspace(), person, view, load_scoring(workspace(), view))
else:
    draw_progress(workspace(), person, lambda: of_run(workspace(), person, get_run(workspace(), view.row.id)))

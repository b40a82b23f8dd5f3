"""Comparison: how far one is, then its figures; `?comparison=ID` in the address."""

import streamlit as st

from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.ui.addresses import link_to, whole_number
from audit_core.ui.plain_text import plain
from audit_core.workflow.comparisons import get_comparison
from cleaning.ui.loading import load_result
from cleaning.ui.made import of_comparison
from cleaning.ui.made_menu import draw_made_notice, made_menu
from cleaning.ui.progress import draw_progress
from cleaning.ui.result_view import draw_result

person = require_person(Role.LEAD)
link_to("cleaning", "Cleaning", icon=":material/arrow_back:")
comparison_id = whole_number("comparison")
if comparison_id is None:
    st.title("Comparison", anchor=False)
    st.info("Choose a comparison first: the cleaning page lists them.")
    st.stop()
view = get_comparison(workspace(), comparison_id)
heading, menu = st.columns([11, 1], vertical_alignment="center")
heading.title(plain(view.row.name), anchor=False)
with menu.container(horizontal=True, horizontal_alignment="right"):
    made_menu(of_comparison(workspace(), person, view))
draw_made_notice()
if view.is_finished:
    draw_result(workspace(), person, view, load_result(workspace(), view))
else:
    draw_progress(
        workspace(), person, lambda: of_comparison(workspace(), person, get_comparison(workspace(), view.row.id))
    )

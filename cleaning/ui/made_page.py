"""The page of one thing that a job makes: which one, its name and menu, and how far it is until it is there."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from audit_core.storage.people import Person
from audit_core.ui.addresses import link_to, whole_number
from audit_core.ui.plain_text import plain
from audit_core.workflow.workspace import Workspace
from cleaning.ui.made import Made
from cleaning.ui.made_menu import draw_made_notice, made_menu
from cleaning.ui.progress import draw_progress


def chosen_id(parameter: str, title: str, ask: str) -> int:
    """Return the number that the address gives; without one the page says what to do (`ask`), and ends."""
    link_to("cleaning", "Cleaning", icon=":material/arrow_back:")
    chosen = whole_number(parameter)
    if chosen is None:
        st.title(title, anchor=False)
        st.info(ask)
        st.stop()
    return chosen


def draw_made(
    workspace: Workspace, person: Person, made: Made, look: Callable[[], Made], draw: Callable[[], None]
) -> None:
    """Draw its name, its menu, and what `draw` draws of it; until it is finished, how far it is, which `look` tells."""
    heading, menu = st.columns([11, 1], vertical_alignment="center")
    heading.title(plain(made.name), anchor=False)
    with menu.container(horizontal=True, horizontal_alignment="right"):
        made_menu(made)
    draw_made_notice()
    if made.is_finished:
        draw()
    else:
        draw_progress(workspace, person, look)

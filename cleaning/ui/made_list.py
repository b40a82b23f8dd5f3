"""Lists of what jobs make: what each is about, how far it is, and the way to its figures."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from audit_core.domain import Role
from audit_core.errors import AssayError
from audit_core.jobs.queue import INTERRUPTED
from audit_core.storage.job_state import JobState
from audit_core.ui.access import only_for
from audit_core.ui.addresses import PAGES
from audit_core.ui.plain_text import plain
from audit_core.workflow.job_words import about, state_word, what_came_of_it
from audit_core.workflow.jobs import tend_queue
from audit_core.workflow.workspace import Workspace
from cleaning.ui.made import Made
from cleaning.ui.made_menu import made_menu

#: How often a list is renewed while something in it is being made, in seconds.
RENEW_SECONDS = 2.0
_COLOURS = {JobState.QUEUED.value: "gray", JobState.RUNNING.value: "blue", JobState.FAILED.value: "red"}


def draw_made(workspace: Workspace, look: Callable[[bool], list[Made]], *, kind: str, empty: str) -> None:
    """Draw what there is, the newest first; while one is being made the list renews itself.

    `look` returns those that are archived (True) or the others; `empty` is said where there is none.
    """
    found = look(False)
    is_active = any(each.is_active for each in found)
    if not found:
        st.info(empty)

    @st.fragment(run_every=RENEW_SECONDS if is_active else None)
    @only_for(Role.LEAD)
    def listed() -> None:
        try:
            tend_queue(workspace)
        except AssayError as error:
            st.error(plain(str(error)), icon=":material/error:")
        now = look(False)
        for each in now:
            _draw(each)
        if is_active and not any(each.is_active for each in now):
            st.rerun()  # without the clock

    listed()
    archived = look(True)
    if archived:
        with st.expander(f"Archived ({len(archived)})", icon=":material/archive:", key=f"archived-{kind}"):
            for each in archived:
                _draw(each)


def _draw(made: Made) -> None:
    job = made.job
    with st.container(border=True, key=made.key):
        words, doors = st.columns([8, 4], vertical_alignment="center")
        words.markdown(f"**{plain(made.name)}**  {state_badge(made)}")
        words.caption(plain(_about(made)))
        with doors.container(horizontal=True, horizontal_alignment="right"):
            label = "Open" if made.is_finished else "Look"
            if st.button(label, key=f"open-{made.key}", type="primary" if made.is_finished else "secondary"):
                st.switch_page(PAGES / f"{made.page}.py", query_params={made.page: str(made.id)})
            made_menu(made)
        if made.is_finished or job is None:
            return
        said = what_came_of_it(job)
        if job.state == JobState.RUNNING:
            st.progress(job.job.share, text=plain(said) or "Beginning ...")
        elif job.state in (JobState.FAILED, INTERRUPTED) and said:
            st.caption(f":red[{plain(said)}]")


def state_badge(made: Made) -> str:
    """Return the state of a made thing as a Markdown badge with its word."""
    if made.is_finished:
        return ":green-badge[done]"
    if made.job is None:
        return ":gray-badge[no results]"
    colour = _COLOURS.get(made.job.state, "orange")
    word = "no results" if made.job.state == JobState.DONE else state_word(made.job)
    return f":{colour}-badge[{word}]"


def _about(made: Made) -> str:
    if made.job is not None and made.is_active:
        return f"{made.about} · {about(made.job).partition(' · ')[2]}"
    return f"{made.about} · {made.created_at[:16].replace('T', ' ')} UTC"

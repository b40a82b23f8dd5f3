"""Something that is being made: how far it is, and what can be done where it stopped."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from audit_core.domain import Role
from audit_core.errors import AssayError
from audit_core.storage.people import Person
from audit_core.ui.access import only_for
from audit_core.ui.addresses import link_to
from audit_core.ui.plain_text import plain
from audit_core.workflow.job_words import about, state_word, what_came_of_it
from audit_core.workflow.jobs import JobView, cancel_job, log_tail, resume_job, tend_queue
from audit_core.workflow.workspace import Workspace
from cleaning.ui.made import Made

#: How often what is being made is looked at, in seconds.
RENEW_SECONDS = 1.5


def draw_progress(workspace: Workspace, person: Person, look: Callable[[], Made]) -> None:
    """Draw how far it is; when that ends, the page is drawn again as a whole."""
    made = look()
    st.caption(f"On {plain(made.dataset.shown)} revision {plain(made.dataset.revision)}")
    if made.job is None:
        st.info(
            "It has no results, and no job that makes them. It was started by a command that has not ended yet, or its job "
            "was deleted: start another one, and delete this one."
        )
        if made.again != "cleaning":
            link_to(made.again, "Start another", icon=":material/add:")
        return
    is_active = made.job.is_active

    @st.fragment(run_every=RENEW_SECONDS if is_active else None)
    @only_for(Role.LEAD)
    def state() -> None:
        try:
            tend_queue(workspace)
        except AssayError as error:
            st.error(plain(str(error)), icon=":material/error:")
        now = look()
        if now.is_finished or now.job is None or (is_active and not now.job.is_active):
            st.rerun()
        _draw_state(workspace, person, now.job, now.kind)

    state()


def _draw_state(workspace: Workspace, person: Person, job: JobView, kind: str) -> None:
    words = what_came_of_it(job)
    if job.is_active:
        st.progress(job.job.share, text=plain(words) or f"{state_word(job).capitalize()} ...")
        st.caption(plain(about(job)))
        st.caption("It goes on by itself: you can leave this page. When it is done, the figures appear here.")
    else:
        st.error(
            plain(words) or f"Its job is {state_word(job)}: there are no figures. Resume it to go on.",
            icon=":material/error:",
        )
        st.caption(f"Job {job.job.id}: {plain(about(job))}")
    with st.container(horizontal=True):
        if job.can_be_resumed and st.button(
            "Resume", icon=":material/play_arrow:", type="primary", key=f"resume-{kind}"
        ):
            _act(lambda: resume_job(workspace, job.job.id, person=person))
        if job.can_be_cancelled and st.button("Cancel", icon=":material/stop:", key=f"cancel-{kind}"):
            _act(lambda: cancel_job(workspace, job.job.id, person=person))
    if not job.is_active and (tail := log_tail(workspace, job.job.id)):
        with st.expander("Log"):
            st.code(tail, language=None, wrap_lines=True)


def _act(action: Callable[[], object]) -> None:
    try:
        action()
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.rerun()

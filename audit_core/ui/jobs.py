"""Jobs as the jobs page shows them: a list that renews itself while something in it changes."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from audit_core.domain import Role
from audit_core.errors import AssayError
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.job_state import JobState
from audit_core.storage.people import Person
from audit_core.ui.access import only_for
from audit_core.ui.addresses import PAGES
from audit_core.ui.plain_text import plain
from audit_core.workflow.job_words import about, state_word, what_came_of_it
from audit_core.workflow.jobs import (
    JobView,
    cancel_job,
    delete_job,
    list_jobs,
    log_tail,
    resume_job,
    tend_queue,
)
from audit_core.workflow.page_check import start_page_check
from audit_core.workflow.workspace import Workspace

#: How often the list is renewed while something in it changes, in seconds.
RENEW_SECONDS = 2.0
#: Where the result of a kind can be looked at: the page's file, the name in its address, and the key of the result that
#: holds what stands there. Kinds without a page tell their result here.
RESULT_PAGES = {
    "cleaning.compare": ("comparison", "comparison", "comparison"),
    "cleaning.score": ("scoring", "scoring", "run"),
    "cleaning.apply": ("cleaned", "cleaned", "run"),
    "cleaning.rewrite": ("rewordings", "rewordings", "run"),
    "release.make": ("release", "dataset", "dataset"),
}
_NOTICE = "jobs-notice"
_COLOURS = {
    JobState.QUEUED.value: "gray",
    JobState.RUNNING.value: "blue",
    JobState.DONE.value: "green",
    JobState.FAILED.value: "red",
}


def draw_job_notice() -> None:
    """Say what the last action did, once."""
    if notice := st.session_state.pop(_NOTICE, None):
        st.success(plain(notice), icon=":material/check:")


def page_check_form(workspace: Workspace, person: Person, datasets: list[DatasetRow]) -> None:
    """Draw the way to start a check of the page files of a dataset; nothing where there is no dataset."""
    if not datasets:
        return
    with st.popover("Check page files", icon=":material/plagiarism:"):
        st.caption("Looks at every page file of a dataset: is it there, can it be shown, is it still what it was.")
        with st.form("page-check", border=False):
            chosen = st.selectbox(
                "Dataset", datasets, format_func=lambda each: f"{each.shown} revision {each.revision}"
            )
            if not st.form_submit_button("Start", type="primary"):
                return
        row = start_page_check(workspace, chosen, person=person)
        _done(f"Job {row.id} is started. It goes on by itself: you can leave this page.")


def draw_jobs(workspace: Workspace, person: Person) -> None:
    """Draw all jobs. While one waits or runs the list renews itself, and nothing else on the page does."""
    some_active = any(each.is_active for each in list_jobs(workspace))

    @st.fragment(run_every=RENEW_SECONDS if some_active else None)
    @only_for(Role.LEAD)
    def list_of_jobs() -> None:
        try:
            tend_queue(workspace)
        except AssayError as error:
            st.error(plain(str(error)), icon=":material/error:")
        views = list_jobs(workspace)
        for each in views:
            _draw_job(workspace, person, each)
        if not views:
            st.info(
                "No job yet. What takes long, such as comparing cleaning strategies or checking the page files of a dataset, "
                "runs as a job: it goes on when you leave the page or the app is stopped, and shows here how far it is."
            )
        if some_active and not any(each.is_active for each in views):
            st.rerun()  # without the clock

    list_of_jobs()


def _draw_job(workspace: Workspace, person: Person, view: JobView) -> None:
    row = view.job
    with st.container(border=True, key=f"job-{row.id}"):
        words, doors = st.columns([8, 4], vertical_alignment="center")
        colour = _COLOURS.get(view.state, "orange")
        words.markdown(f"**{plain(row.title)}**  :{colour}-badge[{state_word(view)}]")
        words.caption(f"job {row.id} · {plain(about(view).partition(' · ')[2])}")
        with doors.container(horizontal=True, horizontal_alignment="right"):
            _draw_doors(workspace, person, view)
        _draw_outcome(workspace, view)


def _draw_doors(workspace: Workspace, person: Person, view: JobView) -> None:
    row = view.job
    if view.state == JobState.DONE:
        _result_door(view)
    if view.can_be_resumed and st.button("Resume", key=f"resume-{row.id}", icon=":material/play_arrow:"):
        _act(lambda: resume_job(workspace, row.id, person=person), f"Job {row.id} is in the queue again.")
    if view.can_be_cancelled and st.button("Cancel", key=f"cancel-{row.id}", icon=":material/stop:"):
        _act(
            lambda: cancel_job(workspace, row.id, person=person), f"Job {row.id} is cancelled, or stops within seconds."
        )
    if view.is_active or view.can_be_cancelled:
        return
    with st.popover("", icon=":material/more_horiz:", help="More"):
        st.caption("Its log goes, and what it kept to go on from. What it made stays.")
        if st.button("Delete the job", key=f"delete-{row.id}", icon=":material/delete:"):
            _act(lambda: delete_job(workspace, row.id, person=person), f"Job {row.id} is deleted.")


def _result_door(view: JobView) -> None:
    page, name, key = RESULT_PAGES.get(view.job.kind, ("", "", ""))
    value = (view.job.result or {}).get(key)
    if value is None or not (PAGES / f"{page}.py").is_file():
        return
    if st.button("Open the result", key=f"result-{view.job.id}", type="primary"):
        st.switch_page(PAGES / f"{page}.py", query_params={name: str(value)})


def _draw_outcome(workspace: Workspace, view: JobView) -> None:
    row, words = view.job, what_came_of_it(view)
    if view.state == JobState.RUNNING:
        st.progress(row.share, text=plain(words) or "Beginning ...")
    elif view.state == JobState.FAILED:
        st.error(plain(words), icon=":material/error:")
    elif view.can_be_cancelled and words:  # interrupted
        st.warning(plain(words), icon=":material/power_off:")
    elif words:
        st.markdown(plain(words))
    problems = (row.result or {}).get("problems")
    if isinstance(problems, list) and problems and all(isinstance(each, dict) for each in problems):
        with st.expander(f"{len(problems):,} problems", key=f"problems-{row.id}"):
            st.dataframe(pd.DataFrame(problems), hide_index=True)
            if file := (row.result or {}).get("problems_file"):
                st.caption(f"All of them: {plain(str(file))}")
    if view.can_be_resumed and (tail := log_tail(workspace, row.id)):
        with st.expander("Log", key=f"log-{row.id}"):
            st.code(tail, language=None, wrap_lines=True)


def _act(action: Callable[[], object], notice: str) -> None:
    try:
        action()
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    _done(notice)


def _done(notice: str) -> None:
    st.session_state[_NOTICE] = notice
    st.rerun()

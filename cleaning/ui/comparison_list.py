"""Comparisons as the cleaning page lists them: what they compare, how far they are, and the way to their figures."""

from __future__ import annotations

import streamlit as st

from audit_core.errors import AssayError
from audit_core.jobs.queue import INTERRUPTED
from audit_core.storage.job_state import JobState
from audit_core.storage.people import Person
from audit_core.ui.addresses import PAGES
from audit_core.ui.plain_text import plain
from audit_core.workflow.comparisons import ComparisonView, list_comparisons
from audit_core.workflow.job_words import about, state_word, what_came_of_it
from audit_core.workflow.jobs import tend_queue
from audit_core.workflow.workspace import Workspace
from cleaning.ui.comparison_menu import comparison_menu

#: How often the list is renewed while a comparison in it is being made, in seconds.
RENEW_SECONDS = 2.0
_COLOURS = {JobState.QUEUED.value: "gray", JobState.RUNNING.value: "blue", JobState.FAILED.value: "red"}


def draw_comparisons(workspace: Workspace, person: Person) -> None:
    """Draw the comparisons, the newest first; while one is being made the list renews itself."""
    views = list_comparisons(workspace)
    is_active = any(_is_active(each) for each in views)
    if not views:
        st.info(
            "No comparison yet. One takes the labels of a dataset, or of a campaign on it, and shows what each strategy would "
            "remove, keep and let through. Nothing is changed by it, and nothing leaves this machine."
        )

    @st.fragment(run_every=RENEW_SECONDS if is_active else None)
    def listed() -> None:
        try:
            tend_queue(workspace)
        except AssayError as error:
            st.error(plain(str(error)), icon=":material/error:")
        now = list_comparisons(workspace)
        for each in now:
            draw_comparison(workspace, person, each)
        if is_active and not any(_is_active(each) for each in now):
            st.rerun()  # without the clock

    listed()
    _draw_archived(workspace, person)


def draw_comparison(workspace: Workspace, person: Person, view: ComparisonView) -> None:
    """Draw one comparison with its state and the door to it."""
    row, job = view.row, view.job
    with st.container(border=True, key=f"comparison-{row.id}"):
        words, doors = st.columns([8, 4], vertical_alignment="center")
        words.markdown(f"**{plain(row.name)}**  {state_badge(view)}")
        words.caption(plain(_about(view)))
        with doors.container(horizontal=True, horizontal_alignment="right"):
            label = "Open" if view.is_finished else "Look"
            if st.button(label, key=f"open-comparison-{row.id}", type="primary" if view.is_finished else "secondary"):
                st.switch_page(PAGES / "comparison.py", query_params={"comparison": str(row.id)})
            comparison_menu(workspace, person, view)
        if view.is_finished or job is None:
            return
        said = what_came_of_it(job)
        if job.state == JobState.RUNNING:
            st.progress(job.job.share, text=plain(said) or "Beginning ...")
        elif job.state in (JobState.FAILED, INTERRUPTED) and said:
            st.caption(f":red[{plain(said)}]")


def state_badge(view: ComparisonView) -> str:
    """Return the state of a comparison as a Markdown badge with its word."""
    if view.is_finished:
        return ":green-badge[done]"
    if view.job is None:
        return ":gray-badge[no results]"
    colour = _COLOURS.get(view.job.state, "orange")
    word = "no results" if view.job.state == JobState.DONE else state_word(view.job)
    return f":{colour}-badge[{word}]"


def _about(view: ComparisonView) -> str:
    row, spec = view.row, view.row.spec
    strategies = spec.get("strategies")
    count = len(strategies) if isinstance(strategies, list) else 0
    parts = [
        f"{view.dataset.shown} revision {view.dataset.revision}",
        f"labels {str(spec.get('labels', '')).partition(':')[2]}",
        f"{count} strateg{'y' if count == 1 else 'ies'}",
    ]
    is_active = view.job is not None and view.job.is_active
    parts.append(
        about(view.job).partition(" · ")[2]
        if view.job and is_active
        else f"{row.created_at[:16].replace('T', ' ')} UTC"
    )
    return " · ".join(parts)


def _is_active(view: ComparisonView) -> bool:
    return not view.is_finished and view.job is not None and view.job.is_active


def _draw_archived(workspace: Workspace, person: Person) -> None:
    archived = list_comparisons(workspace, archived=True)
    if not archived:
        return
    with st.expander(f"Archived ({len(archived)})", icon=":material/archive:"):
        for each in archived:
            draw_comparison(workspace, person, each)

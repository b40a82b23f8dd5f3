"""The releases of a dataset: how far one in the making is, what the proof says, and its files to download."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

import streamlit as st

from audit_core.audit_report.wording import counted
from audit_core.domain import Role
from audit_core.errors import AssayError
from audit_core.release.verification import Verification
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.ui.access import acting_person, made_when_asked, only_for
from audit_core.ui.addresses import PAGES
from audit_core.ui.plain_text import plain
from audit_core.ui.release_form import NOTICE
from audit_core.workflow.job_words import state_word, what_came_of_it
from audit_core.workflow.jobs import JobView, list_jobs
from audit_core.workflow.release_list import ReleaseView, delete_release, list_releases
from audit_core.workflow.release_making import CARD, CERTIFICATE, CERTIFICATE_READABLE, ISSUE, LEDGER
from audit_core.workflow.release_request import request_from
from audit_core.workflow.release_told import released_text, size_of, verify_stored, write_zip
from audit_core.workflow.releasing import KIND
from audit_core.workflow.workspace import Workspace

#: How often the list is renewed while a release is made, in seconds.
RENEW_SECONDS = 2.0
#: Larger releases are taken from their folder: a download is held in memory.
MOST_ZIPPED = 200_000_000
_FILES = (
    (LEDGER, "Ledger", "application/x-ndjson"),
    (CARD, "Dataset card", "text/markdown"),
    (ISSUE, "Issue text", "text/markdown"),
    (CERTIFICATE, "Certificate (JSON)", "application/json"),
    (CERTIFICATE_READABLE, "Certificate", "text/markdown"),
)


def draw_releases(workspace: Workspace, person: Person, dataset: DatasetRow) -> None:
    """Draw the releases of a dataset, the newest first; while one is made, the list renews itself."""
    st.subheader("Releases", anchor=False)
    some_active = any(each.is_active for each in _jobs(workspace).values())

    @st.fragment(run_every=RENEW_SECONDS if some_active else None)
    @only_for(Role.LEAD)
    def releases() -> None:
        views, jobs = list_releases(workspace, dataset), _jobs(workspace)
        if not views:
            st.caption(
                "None yet. A release is a new revision with the ledger of its corrections and a proof that nothing else changed."
            )
        for view in views:
            with st.container(border=True, key=f"release-{view.row.id}"):
                _draw_release(workspace, view, jobs.get(view.row.id))
        if some_active and not any(each.is_active for each in jobs.values()):
            st.rerun()  # without the clock

    releases()


def _jobs(workspace: Workspace) -> dict[int, JobView]:
    """Return the newest job of each release."""
    found: dict[int, JobView] = {}
    for each in list_jobs(workspace):
        release_id = (each.job.arguments or {}).get("release")
        if (
            each.job.kind == KIND
            and isinstance(release_id, int)
            and (release_id not in found or each.job.id > found[release_id].job.id)
        ):
            found[release_id] = each
    return found


def _draw_release(workspace: Workspace, view: ReleaseView, job: JobView | None) -> None:
    heading, menu = st.columns([11, 1], vertical_alignment="center")
    moment = (view.row.finished_at or view.row.created_at)[:16].replace("T", " ")
    heading.markdown(f"**{plain(view.title)}** · release {view.row.id}")
    with menu.container(horizontal=True, horizontal_alignment="right").popover(
        "", icon=":material/more_horiz:", help="More"
    ):
        _draw_menu(workspace, view)
    if view.row.finished_at is None:
        _draw_unfinished(job)
        return
    result = view.row.result or {}
    made_of = counted(result["counts"]["changes"], "correction", "corrections")
    said = f"{made_of} · content {result['hash'][:12]} · {moment} UTC by {plain(view.person)}"
    made = "" if view.made is None else f" · imported as {plain(view.made.name)}@{plain(view.made.revision)}"
    st.caption(said + made)
    _draw_proof(result["verification"])
    _draw_downloads(view)
    _draw_verifying(workspace, view)


def _draw_unfinished(job: JobView | None) -> None:
    if job is None:
        st.warning("It broke off. Make it again under the same name.", icon=":material/power_off:")
        return
    words = what_came_of_it(job)
    if job.is_active:
        st.progress(job.job.share, text=plain(words) or f"Job {job.job.id} is {state_word(job)}")
    else:
        st.error(plain(words) or f"Job {job.job.id}: {state_word(job)}", icon=":material/error:")
        st.caption("Nothing of it was kept. Make it again under the same name.")


def _draw_proof(said: dict[str, object]) -> None:
    counts = said["counts"]
    assert isinstance(counts, dict)
    st.markdown(
        f":material/verified: Proved when it was made: {counted(counts['changed'], 'query', 'queries')} changed, {counts['withdrawn']:,} withdrawn, "
        f"{counts['unchanged']:,} and all other tables unchanged."
    )


def _draw_downloads(view: ReleaseView) -> None:
    stem = f"{view.dataset.name}-{view.row.revision}".replace("/", "-")
    with st.container(horizontal=True):
        for name, label, mime in _FILES:
            st.download_button(
                label, made_when_asked(partial(released_text, view, name), Role.LEAD), file_name=f"{stem}-{name}", mime=mime,
                on_click="ignore", key=f"file-{view.row.id}-{name}",
            )  # fmt: skip
        if size_of(view) <= MOST_ZIPPED:
            st.download_button(
                "All files (zip)", made_when_asked(partial(_zipped, view), Role.LEAD), file_name=f"{stem}.zip",
                mime="application/zip", on_click="ignore", key=f"zip-{view.row.id}", type="primary", help=_zip_help(view),
            )  # fmt: skip
    st.caption(f"Its folder: {plain(str(view.folder))}")


def _zip_help(view: ReleaseView) -> str | None:
    request = request_from(view.row.spec)
    if request.ids_only or request.media == "copy":
        return None
    return "The bundle in it refers to page files that stay here. To publish it, make a release with copies of them."


def _zipped(view: ReleaseView) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return write_zip(view, Path(folder) / "release.zip").read_bytes()


def _draw_verifying(workspace: Workspace, view: ReleaseView) -> None:
    if request_from(view.row.spec).ids_only:
        st.caption("Ids and codes only: prove it with `python -m audit_core verify` and an export of the new revision.")
        return
    if not st.button("Verify now", key=f"verify-{view.row.id}", icon=":material/fact_check:"):
        return
    try:
        with st.spinner("Rebuilding the new revision from the old one and the ledger"):
            found = verify_stored(workspace, view)
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    _draw_verified(found)


def _draw_verified(found: Verification) -> None:
    lines = [plain(each) for each in found.sentences()]
    if found.is_proved:
        st.success("  \n".join(lines), icon=":material/verified:")
    else:
        st.error("  \n".join(lines), icon=":material/gpp_bad:")


def _draw_menu(workspace: Workspace, view: ReleaseView) -> None:
    if view.made is not None and st.button("Go to the datasets", key=f"made-{view.row.id}", icon=":material/database:"):
        st.switch_page(PAGES / "datasets.py")
    st.caption("Deleting takes its files. Corrections stay, and so does a revision that was imported.")
    typed = st.text_input(f"To delete it, type {view.row.revision}", key=f"typed-{view.row.id}")
    if not st.button("Delete the release", key=f"delete-{view.row.id}", icon=":material/delete:"):
        return
    if typed.strip() != view.row.revision:
        st.error(f"Type the name of its revision first: {plain(view.row.revision)}")
        return
    try:
        delete_release(workspace, view.row.id, person=acting_person(Role.LEAD))
    except AssayError as error:
        st.error(plain(str(error)))
        return
    st.session_state[NOTICE] = f"Release {view.row.id} is deleted."
    st.rerun()

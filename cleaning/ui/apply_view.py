"""Making a cleaned revision of a scored dataset: which strategies remove, what that takes away, then the start."""

from __future__ import annotations

import math

import streamlit as st

from audit_core.errors import AssayError
from audit_core.storage.cleaning_tables import ProposalState, RunKind
from audit_core.storage.people import Person
from audit_core.ui.addresses import PAGES
from audit_core.ui.plain_text import plain
from audit_core.workflow.cleanings import RunView, list_runs, start_run
from audit_core.workflow.importing import list_datasets
from audit_core.workflow.workspace import Workspace
from cleaning.applied import TABLES
from cleaning.apply_request import NAME_MAX, ApplyRequest, AtThreshold, Combine
from cleaning.applying import plan_application
from cleaning.contract import Kind
from cleaning.scoring import Scoring
from cleaning.ui.cells import table_html
from cleaning.ui.handing_over import handed_over
from cleaning.ui.one_start import note_started, started_before
from cleaning.ui.plain_words import with_code

_WAYS = {
    Combine.UNION: "any of them removes it",
    Combine.INTERSECTION: "all of them remove it",
    Combine.K_OF_N: "several of them remove it",
}


def draw_apply(workspace: Workspace, person: Person, view: RunView, scoring: Scoring, *, is_open: bool) -> None:
    """Draw the choice and, where the tab is open, a preview of what would go and the button that starts."""
    st.caption(
        "A new revision of the dataset without the queries that go; the revision that was scored stays as it is. Documents and "
        "pages all stay, so that retrieval searches the same collection. Undecided queries stay."
    )
    try:
        request = _request(workspace, view, scoring)
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/block:")
        return
    if request is None:
        st.info("Choose at least one strategy.")
        return
    if not is_open or not _draw_preview(workspace, request):
        return
    if st.button("Make the cleaned revision", type="primary", icon=":material/cleaning_services:", key="apply-start"):
        try:
            asked = {**request.as_json(), "name": None, "revision": None}
            if (number := started_before("cleaning", asked)) is None:
                with st.spinner("Starting ..."):
                    row, _ = start_run(
                        workspace, view.dataset, kind=RunKind.APPLY, name=request.name, spec=request.as_json(), person=person
                    )  # fmt: skip
                    number = row.id
                    note_started("cleaning", asked, number)
        except AssayError as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        st.switch_page(PAGES / "cleaned.py", query_params={"cleaned": str(number)})


def _request(workspace: Workspace, view: RunView, scoring: Scoring) -> ApplyRequest | None:
    handed = handed_over(scoring.run_id)
    usable = {each.name: each for each in scoring.usable}
    first = [each for each in handed if each in usable] or [
        each.name for each in scoring.usable if each.kind not in (Kind.BASELINE, Kind.DIFFICULTY)
    ][:1]
    names = st.multiselect(
        "Strategies that remove", list(usable), default=first, format_func=lambda each: usable[each].title,
        key=f"apply-strategies-{scoring.run_id}-{'-'.join(first)}",
    )  # fmt: skip
    if not names:
        return None
    if handed:
        st.caption(
            "Strategy and threshold are those that the guarantee chose. It holds for them alone, not for others."
        )
    members = []
    for name, column in zip(names, st.columns(max(3, len(names))), strict=False):
        own = handed.get(name, usable[name].threshold)
        shown = min(1.0, max(0.0, own if math.isfinite(own) else 1.0))
        at = column.number_input(
            f"Threshold of {plain(usable[name].title)}", 0.0, 1.0, shown, 0.05, format="%.12g",
            key=f"apply-threshold-{scoring.run_id}-{name}-{own!r}", help="A query goes when its score is at or above it.",
        )  # fmt: skip
        members.append(AtThreshold(name, float(at)))
    combine, k = _combination(names)
    named, revision, rewrites = st.columns(3)
    suffix = _free_suffix(workspace, view)
    name = named.text_input(
        "Name of the cleaning", value=f"{scoring.name} applied{suffix}", max_chars=NAME_MAX, key="apply-name"
    )
    new = revision.text_input(
        "New revision",
        value=f"{view.dataset.revision}-cleaned{suffix.replace(' ', '-')}",
        max_chars=NAME_MAX,
        key="apply-revision",
    )
    with rewrites:
        reworded = _rewordings(workspace, view)
    return ApplyRequest(
        name=" ".join(name.split()), scoring=scoring.run_id, strategies=tuple(members), revision=new.strip(),
        combine=combine, k=k, rewrites=reworded,
    )  # fmt: skip


def _combination(names: list[str]) -> tuple[Combine | None, int | None]:
    if len(names) < 2:
        return None, None
    way = st.segmented_control(
        "A query goes when",
        list(_WAYS),
        default=Combine.UNION,
        required=True,
        format_func=lambda each: _WAYS[each],
        key="apply-combine",
    )
    if way is not Combine.K_OF_N:
        return way or Combine.UNION, None
    return way, int(st.number_input("How many", 1, len(names), min(2, len(names)), key="apply-k", width=140))


def _rewordings(workspace: Workspace, view: RunView) -> int | None:
    runs = [each for each in list_runs(workspace, kind=RunKind.REWRITE, dataset=view.dataset) if each.is_finished]
    if not runs:
        return None
    names = {each.row.id: each.row.name for each in runs}
    return st.selectbox(
        f"{ProposalState.ACCEPTED.value.capitalize()} rewordings that go in", [None, *names], key="apply-rewrites",
        format_func=lambda each: "none" if each is None else names[each],
        help="A query with an accepted rewording stays, in its new words, whatever its score says.",
    )  # fmt: skip


def _free_suffix(workspace: Workspace, view: RunView) -> str:
    """Return what makes the proposed name and revision new: empty, ` 2`, ` 3` ..."""
    taken = {each.row.name for each in list_runs(workspace, kind=RunKind.APPLY, archived=None, dataset=view.dataset)}
    revisions = {each.revision for each in list_datasets(workspace) if each.name == view.dataset.name}
    for number in range(1, 10_000):
        suffix = "" if number == 1 else f" {number}"
        is_free = f"{view.row.name} applied{suffix}" not in taken
        if is_free and f"{view.dataset.revision}-cleaned{suffix.replace(' ', '-')}" not in revisions:
            return suffix
    return ""


def _draw_preview(workspace: Workspace, request: ApplyRequest) -> bool:
    """Draw what would go; return whether it can be done."""
    try:
        with st.spinner("Working out what goes ..."):
            applied = plan_application(workspace, request).applied
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/block:")
        return False
    first, *rest = applied.sentences()
    st.markdown(f"**{plain(first)}**")
    st.caption("\n".join(f"- {with_code(each)}" for each in rest))
    with st.expander("By stratum, before it is done"):
        for name in TABLES:
            st.html(table_html(applied.table(name), testid=f"preview-{name}"))
    return True

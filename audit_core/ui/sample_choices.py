"""The choices of a new campaign: dataset, what to draw, how many, from which part, with which guess and seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from audit_core.datasets.revision import Revision
from audit_core.protocols import audit
from audit_core.sampling import DEFAULT_ACCURACY, Allocation, StratumKey, Wanted
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.sample_frame import filter_choices, frame_rows
from audit_core.workflow.sample_request import SampleFilter, SampleKind, SampleRequest, fresh_seed, ids_in

_KINDS = {
    SampleKind.STRATIFIED: ("Stratified sample", "Every source and structure gets entries: an interval for each, and for the whole."),
    SampleKind.SIMPLE: ("Simple random sample", "Every query has the same chance; small strata may get no entry."),
    SampleKind.ALL: ("All queries", "In random order, so that an unfinished campaign tells something too."),
    SampleKind.IDS: ("Queries that I name", "A list of ids. Describes these entries only."),
}  # fmt: skip
_ALLOCATIONS = {
    Allocation.PROPORTIONAL: "in proportion to its queries",
    Allocation.NEYMAN: "more where faults are guessed (Neyman)",
    Allocation.EQUAL: "the same to each",
}
_SCOPES = {
    "whole": "the whole benchmark",
    "source": "every source",
    "structure": "every structure",
    "stratum": "every stratum",
}
_BY_WIDTH, _BY_NUMBER, _BY_HAND = "a width of the interval", "a number of entries", "sizes by hand"
#: What the table of sizes by hand begins with; with fewer in a stratum a warning is shown.
_ENTRIES_BY_HAND = 20
#: Up to so many queries, judging all of them is what is offered first.
_FEW_QUERIES = 500
#: The largest seed that a browser keeps whole.
_SEED_MAX = 2**53 - 1
_FILTERS = {
    "source": "Source",
    "structure": "Evidence structure",
    "domain": "Domain",
    "generator": "Generator",
    "finding": "Finding of the import",
}


def sample_choices(dataset: DatasetRow, revision: Revision, earlier: Sequence[CampaignRow]) -> SampleRequest:
    """Draw the choices and return what they ask for; `earlier` are the campaigns of the dataset.

    Raises:
        AssayError: the choices contradict each other; says how.
    """
    first = SampleKind.ALL if revision.counts.get("queries", 0) <= _FEW_QUERIES else SampleKind.STRATIFIED
    kind = st.radio(
        "What to draw",
        list(_KINDS),
        index=list(_KINDS).index(first),
        format_func=lambda each: _KINDS[each][0],
        captions=[caption for _, caption in _KINDS.values()],
        key=f"sample-kind-{dataset.id}",
    )
    if kind is SampleKind.IDS:
        return SampleRequest(kind, query_ids=_named_ids())
    how = _how(kind) if kind is not SampleKind.ALL else None
    wanted, total = _how_many(kind, how)
    allocation = Allocation.PROPORTIONAL
    if kind is SampleKind.STRATIFIED and how != _BY_HAND:
        allocation = st.selectbox(
            "Each stratum gets", list(_ALLOCATIONS), format_func=_ALLOCATIONS.__getitem__, key="sample-allocation"
        )
    guess, guess_from = _guess(earlier) if kind is not SampleKind.ALL else (DEFAULT_ACCURACY, None)
    where = _part_of(dataset, revision)
    sizes = _sizes_by_hand(dataset, revision, where) if how == _BY_HAND else None
    return SampleRequest(
        kind, seed=_seed(), where=where, leave_out=_left_out(dataset, earlier), wanted=wanted, total=total, sizes=sizes,
        allocation=allocation, guess=guess, guess_from=guess_from,
    )  # fmt: skip


def _how(kind: SampleKind) -> str | None:
    is_stratified = kind is SampleKind.STRATIFIED
    return st.segmented_control(
        "Decide by",
        [_BY_WIDTH, _BY_NUMBER, *([_BY_HAND] if is_stratified else [])],
        default=_BY_WIDTH,
        required=True,
        key="sample-how" if is_stratified else "sample-how-simple",
    )


def _sizes_by_hand(dataset: DatasetRow, revision: Revision, where: SampleFilter) -> dict[StratumKey, int]:
    """Draw a table of the strata in which the entries of each are typed, and return these."""
    rows, _ = frame_rows(revision, where)
    counts = Counter(rows.select("source", "structure").iter_rows())
    strata = sorted(counts)
    table = pd.DataFrame(
        {
            "source": [source for source, _ in strata],
            "structure": [structure for _, structure in strata],
            "queries": [counts[each] for each in strata],
            "entries": [min(_ENTRIES_BY_HAND, counts[each]) for each in strata],
        }
    )
    edited = st.data_editor(
        table,
        hide_index=True,
        disabled=["source", "structure", "queries"],
        column_config={"entries": st.column_config.NumberColumn("entries", min_value=0, step=1, required=True)},
        key=f"sample-sizes-{dataset.id}-{where.condition}",
    )
    return {each: int(size) for each, size in zip(strata, edited["entries"], strict=True)}


def _how_many(kind: SampleKind, how: str | None) -> tuple[Wanted | None, int | None]:
    if how is None or how == _BY_HAND:
        return None, None
    if how == _BY_NUMBER:
        return None, int(st.number_input("Entries in all", 1, 1_000_000, 800, step=50, key="sample-total"))
    scope = "whole"
    if kind is SampleKind.STRATIFIED:
        scope = st.selectbox("Interval of", list(_SCOPES), format_func=_SCOPES.__getitem__, key="sample-scope")
    points = st.slider(
        "Half-width of the 95 % interval, percentage points",
        0.5,
        10.0,
        1.5,
        step=0.1,
        format="± %.1f",
        key="sample-width",
    )
    return Wanted(**{scope: points / 100}), None


def _guess(earlier: Sequence[CampaignRow]) -> tuple[float, int | None]:
    # Removal campaigns say nothing of what is correct.
    names = {each.id: each.name for each in earlier if each.protocol == audit.name}
    source = st.selectbox(
        "Guess of the share correct",
        [None, *names],
        format_func=lambda each: "one for all strata" if each is None else f"from the campaign {names[each]}",
        help="The width of an interval depends on how many queries are correct, which is not known yet. Nearer to 50 % needs more entries.",
        key="sample-guess-from",
    )
    if source is not None:
        return DEFAULT_ACCURACY, source
    percent = st.slider(
        "Guessed correct in every stratum, %",
        50.0,
        99.5,
        100 * DEFAULT_ACCURACY,
        step=0.5,
        format="%.1f",
        key="sample-guess",
    )
    return percent / 100, None


def _part_of(dataset: DatasetRow, revision: Revision) -> SampleFilter:
    with st.expander("Only a part of the dataset", icon=":material/filter_alt:"):
        st.caption("The queries that match become the frame: the report then speaks of these alone.")
        chosen: dict[str, tuple[str, ...]] = {}
        for key, label in _FILTERS.items():
            values = filter_choices(revision, key)
            if len(values) > 1 or (values and key == "finding"):
                chosen[key] = tuple(st.multiselect(label, values, placeholder="all", key=f"filter-{key}-{dataset.id}"))
        words = st.text_input("Words in the query or its answer", key=f"filter-text-{dataset.id}").strip()
        return SampleFilter(**chosen, text=(words,) if words else ())


def _left_out(dataset: DatasetRow, earlier: Sequence[CampaignRow]) -> tuple[int, ...]:
    if not earlier:
        return ()
    names = {each.id: each.name + ("" if each.dataset_id == dataset.id else " (another revision)") for each in earlier}
    return tuple(
        st.multiselect(
            "Leave out the queries of",
            list(names),
            format_func=names.__getitem__,
            placeholder="nothing",
            help="Queries that these campaigns have as entries are not drawn again.",
            key=f"leave-out-{dataset.id}",
        )
    )


def _seed() -> int:
    if "sample-seed" not in st.session_state:
        st.session_state["sample-seed"] = fresh_seed()
    field, another = st.columns([3, 2], vertical_alignment="bottom")

    def renew() -> None:
        st.session_state["sample-seed"] = fresh_seed()

    another.button("Another seed", on_click=renew, key="sample-another-seed")
    seed = field.number_input(
        "Seed",
        0,
        _SEED_MAX,
        step=1,
        help="The same seed and the same choices draw the same queries, at any time.",
        key="sample-seed",
    )
    return int(seed)


def _named_ids() -> tuple[str, ...]:
    text = st.text_area("Query ids, one a line", height=180, key="sample-ids")
    file = st.file_uploader("or a text file of them", type=["txt", "csv"], key="sample-ids-file")
    return ids_in(text) + (ids_in(file.getvalue().decode("utf-8", "replace")) if file is not None else ())

"""Differences between strategies on the same queries: a matrix of pairs, one pair in full, the queries that it parts on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape

import streamlit as st

from audit_core.domain import Role
from audit_core.statistics.percent import percent
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.ui.access import only_for
from audit_core.workflow.workspace import Workspace
from cleaning.contract import Kind
from cleaning.differences import Difference, McNemar, Pair
from cleaning.finished import Result
from cleaning.tables_content import difference_table
from cleaning.ui.cells import p_text
from cleaning.ui.downloads import download_table, file_stem
from cleaning.ui.pair_matrix import draw_pair_matrix
from cleaning.ui.query_list import draw_query_list
from cleaning.ui.query_look import decision_word, score_text

MEASURES = {"false_omission": "False omission rate", "share_kept": "Share kept", "recall": "Recall"}
_TESTED = {"recall": "Recall (sensitivity)", "specificity": "Specificity"}
_FIRST, _SECOND = "pair-first", "pair-second"
#: A matrix of more strategies than this is no longer read; pairs are then chosen by name.
_MATRIX_MOST = 14
#: From this Holm-adjusted p on a difference is set in bold.
_CLEAR = 0.05


@st.fragment
@only_for(Role.LEAD)
def draw_differences(workspace: Workspace, person: Person, dataset: DatasetRow, result: Result, name: str) -> None:
    """Draw the section; `name` is the comparison's."""
    names = [each.name for each in result.compared.usable]
    if len(names) < 2:
        st.info("A difference needs two strategies that did not fail.")
        return
    with st.spinner("Comparing every pair ..."):
        pairs = result.pairs
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        measure = st.segmented_control(
            "Difference in", list(MEASURES), format_func=MEASURES.__getitem__, default="false_omission", required=True,
            key="pair-measure",
        )  # fmt: skip
        titled = [replace(each, first=result.title(each.first), second=result.title(each.second)) for each in pairs]
        table = difference_table(titled, resamples=result.request.resamples, heading=result.heading)
        download_table(table, file_stem(name, "differences"), key="differences")
    _choose_default(pairs, names, {each.name for each in result.compared.usable if each.kind == Kind.BASELINE})
    if len(names) <= _MATRIX_MOST:
        _draw_matrix(result, pairs, names, measure or "false_omission")
    st.caption(
        "Row minus column in percentage points, with Holm's p over all pairs of the measure; bold where it is below "
        f"{_CLEAR:g}. Documents are re-weighted ({result.request.resamples:,} resamples): this shows the uncertainty from "
        "sampling queries, not from wrong labels. Repeat 1; undecided queries count as kept."
    )
    _draw_pair(workspace, person, dataset, result, pairs, names)


def _choose_default(pairs: Sequence[Pair], names: Sequence[str], baselines: set[str]) -> None:
    """Begin with the pair that parts on most queries, no baseline in it; keep a choice while its strategies are there."""
    if st.session_state.get(_FIRST) in names and st.session_state.get(_SECOND) in names:
        return
    most = max(pairs, key=lambda each: (not {each.first, each.second} & baselines, _parted(each)))
    st.session_state[_FIRST], st.session_state[_SECOND] = most.first, most.second


def _parted(pair: Pair) -> int:
    return len(pair.only_first_removes) + len(pair.only_second_removes)


def _draw_matrix(result: Result, pairs: Sequence[Pair], names: list[str], measure: str) -> None:
    found = {(each.first, each.second): _difference(each, measure) for each in pairs}
    cells = [[_cell(found, row, column) for column in names] for row in names]

    def pressed() -> None:
        chosen = st.session_state["pair-matrix"].pair
        if chosen is not None:
            st.session_state[_FIRST], st.session_state[_SECOND] = names[chosen[0]], names[chosen[1]]

    draw_pair_matrix(
        [result.title(each) for each in names],
        cells,
        caption=f"{MEASURES[measure]}: row minus column",
        chosen=(names.index(st.session_state[_FIRST]), names.index(st.session_state[_SECOND])),
        on_pair=pressed,
        key="pair-matrix",
    )


def _difference(pair: Pair, measure: str) -> Difference:
    return next(each for each in pair.differences if each.measure == measure)


def _cell(found: dict[tuple[str, str], Difference], row: str, column: str) -> dict[str, object] | None:
    if row == column:
        return None
    each = found.get((row, column)) or _turned(found[(column, row)])
    if each.difference is None:
        return {"figure": "undefined", "beside": "", "title": each.undefined or "", "clear": False}
    bounds = f"{_points(each.low)} to {_points(each.high)}"
    return {
        "figure": _points(each.difference),
        "beside": f"p {p_text(each.holm)}",
        "title": f"{_points(each.difference)} points, 95 % {bounds}; press to see the queries on which the two differ",
        "clear": each.holm is not None and each.holm < _CLEAR,
    }


def _turned(each: Difference) -> Difference:
    """Return second minus first."""
    turned = replace(each, first=each.second, second=each.first)
    if each.difference is None or each.low is None or each.high is None:
        return turned
    return replace(turned, difference=-each.difference, low=-each.high, high=-each.low)


def _points(value: float | None) -> str:
    """Return a difference of proportions in percentage points with its sign."""
    if value is None:
        return "undefined"
    shown = percent(abs(value))
    return shown if float(shown) == 0 else f"{'+' if value > 0 else '-'}{shown}"


def _draw_pair(
    workspace: Workspace, person: Person, dataset: DatasetRow, result: Result, pairs: Sequence[Pair], names: list[str]
) -> None:
    one, other = st.columns(2)
    first = one.selectbox("First", names, format_func=result.title, key=_FIRST)
    second = other.selectbox("Second", names, format_func=result.title, key=_SECOND)
    if first == second:
        st.info("Choose two different strategies.")
        return
    pair = next((each for each in pairs if {each.first, each.second} == {first, second}), pairs[0])
    if pair.first == first:
        differences, tests = pair.differences, pair.tests
        only_first, only_second = pair.only_first_removes, pair.only_second_removes
    else:
        differences = tuple(_turned(each) for each in pair.differences)
        tests = tuple(replace(each, only_first=each.only_second, only_second=each.only_first) for each in pair.tests)
        only_first, only_second = pair.only_second_removes, pair.only_first_removes
    st.html(_pair_html(differences, tests, result.title(first), result.title(second)))
    _draw_queries(workspace, person, dataset, result, first, second, only_first, only_second)


def _draw_queries(
    workspace: Workspace,
    person: Person,
    dataset: DatasetRow,
    result: Result,
    first: str,
    second: str,
    only_first: tuple[str, ...],
    only_second: tuple[str, ...],
) -> None:
    lists = {
        f"All {len(only_first) + len(only_second):,}": (*only_first, *only_second),
        f"Only {result.title(first)} removes: {len(only_first):,}": only_first,
        f"Only {result.title(second)} removes: {len(only_second):,}": only_second,
    }
    words = list(lists)
    chosen = st.segmented_control(
        "Queries on which the two differ", range(3), format_func=words.__getitem__, default=0, required=True,
        key="pair-list",
    )  # fmt: skip
    query_ids = list(lists.values())[chosen or 0]

    def says(row: int) -> str:
        parts = [
            f"{result.title(name)}: {decision_word(result, name, row)} ({score_text(float(result.compared.of(name).scores[0, row]))})"
            for name in (first, second)
        ]
        return " · ".join(parts)

    if not query_ids:
        st.info("There is no such query.")
        return
    draw_query_list(workspace, person, dataset, result, query_ids, says, strategies=(first, second), key="pair-query")


def _pair_html(differences: Sequence[Difference], tests: Sequence[McNemar], first: str, second: str) -> str:
    lines = []
    for each in differences:
        figures = "".join(
            f"<td>{'undefined' if value is None else percent(value)}</td>" for value in (each.first, each.second)
        )
        bounds = "" if each.difference is None else f"<small>{_points(each.low)} to {_points(each.high)}</small>"
        note = each.undefined or each.says
        lines.append(
            f'<tr><td class="text">{MEASURES[each.measure]}</td>{figures}<td>{_points(each.difference)}{bounds}</td>'
            f'<td>{p_text(each.p)}</td><td>{p_text(each.holm)}</td><td class="text">document bootstrap'
            f"<small>{escape(note)}</small></td></tr>"
        )
    for test in tests:
        lines.append(
            f'<tr class="{"first" if test is tests[0] else ""}"><td class="text">{_TESTED[test.measure]}</td>'
            f"<td>{test.only_first:,}<small>only the first</small></td><td>{test.only_second:,}<small>only the second</small></td>"
            f"<td>of {test.n:,}</td><td>{p_text(test.p)}</td><td>{p_text(test.holm)}</td>"
            f'<td class="text">exact McNemar test<small>{escape(test.says or "queries taken for independent")}</small></td></tr>'
        )
    return (
        f'<div class="scroll"><table class="fig" data-testid="pair-figures"><caption>{escape(first)} minus {escape(second)}'
        f'</caption><thead><tr><th class="text">Measure</th><th>First, %</th><th>Second, %</th><th>Difference, points</th>'
        f'<th>p</th><th>p (Holm)</th><th class="text">Method</th></tr></thead>{"".join(lines)}</table></div>'
    )

"""A threshold with a guarantee: what is allowed to be bad, how sure, on which labels; then what each strategy reaches."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from audit_core.errors import AssayError
from audit_core.statistics.percent import percent_text
from audit_core.ui.plain_text import plain
from audit_core.workflow.cleanings import RunView
from audit_core.workflow.label_sources import LabelSource
from audit_core.workflow.workspace import Workspace
from cleaning.choosing_tables import guarantee_table, sequence_table
from cleaning.drawn_labels import read_drawn_labels
from cleaning.fixed_sequence import fewest_labels
from cleaning.guarantee import DEFAULT_KINDS, Guarantee, StrategyGuarantee, choose
from cleaning.scoring import Scoring
from cleaning.tables import Table, exact_text, number_text
from cleaning.ui.bound_chart import bound_chart
from cleaning.ui.cells import table_html
from cleaning.ui.chart_frame import draw_chart
from cleaning.ui.downloads import download_table, file_stem
from cleaning.ui.handing_over import hand_over
from cleaning.ui.random_labels import choose_random_labels


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a guarantee is asked for: on which labels, for which strategies; shares are parts of 1."""

    labels: str
    codes: str
    strategies: tuple[str, ...]
    risk: float
    confidence: float
    held_out: float
    seed: int


def draw_guarantee(workspace: Workspace, view: RunView, scoring: Scoring) -> None:
    """Draw the choice, and what came of it."""
    st.caption(
        "The threshold that keeps most while at most so many of the kept queries are bad. The strategies and the order of the "
        "thresholds are fixed before a label is looked at, so the confidence covers the search as well. Choose few strategies: "
        "each shares in the error that is allowed."
    )
    titles = {each.name: each.title for each in scoring.usable if each.kind in DEFAULT_KINDS}
    if not titles:
        st.info("No strategy of this scoring says which queries are bad, so there is no threshold to choose.")
        return
    labelled = choose_random_labels(workspace, view.dataset, key=f"guarantee-{scoring.run_id}")
    if labelled is None:
        return
    state = f"guarantee-{scoring.run_id}"
    wanted, is_asked = _draw_choice(state, labelled, titles, queries=len(scoring.query_ids))
    if is_asked:
        try:
            with st.spinner("Testing the thresholds ..."):
                drawn = read_drawn_labels(workspace, scoring, wanted.labels, remove_codes=wanted.codes)
                found = choose(
                    scoring, drawn, strategies=wanted.strategies, risk=wanted.risk, confidence=wanted.confidence,
                    seed=wanted.seed, test_share=wanted.held_out,
                )  # fmt: skip
        except AssayError as error:
            st.session_state.pop(state, None)
            st.error(plain(str(error)), icon=":material/block:")
            return
        st.session_state[state] = (wanted, found)
    kept_for, kept = st.session_state.get(state, (None, None))
    if kept_for == wanted:
        _draw_found(scoring, kept)
    elif kept is not None:
        st.caption("What was chosen before is not shown: it is of other choices. Choose again.")


def _draw_choice(
    state: str, labelled: tuple[LabelSource, str], titles: Mapping[str, str], *, queries: int
) -> tuple[_Wanted, bool]:
    """Draw what is wanted, and how many labels that takes at least; return it, and whether the button was pressed."""
    source, codes = labelled
    with st.container(border=True, key=f"choose-{state}"):
        risk, confidence, test, seed = st.columns(4)
        at_most = risk.number_input(
            "At most bad among the kept, %", 0.1, 99.0, 10.0, 1.0, key=f"{state}-risk", format="%.1f"
        )
        sure = confidence.number_input("Confidence, %", 50.0, 99.9, 95.0, 1.0, key=f"{state}-confidence", format="%.1f")
        held = test.number_input(
            "Labels held out, %", 0, 80, 0, 10, key=f"{state}-held",
            help="They choose nothing, and measure the chosen threshold once.",
        )  # fmt: skip
        lots = seed.number_input(
            "Seed", 0, 2**31 - 1, 1, key=f"{state}-seed",
            help="Of the lots among the labels. The confidence holds for one that was set before, not for the best of several.",
        )  # fmt: skip
        words, button = st.columns([8, 2], vertical_alignment="bottom")
        names = words.multiselect(
            "Strategies", list(titles), default=list(titles), format_func=titles.__getitem__, key=f"{state}-names"
        )
        is_asked = button.button("Choose", type="primary", width="stretch", disabled=not names, key=f"{state}-choose")
        wanted = _Wanted(source.key, codes, tuple(names), at_most / 100, 1 - (100 - sure) / 100, held / 100, int(lots))
        st.caption(_labels_hint(wanted, source.queries, queries) if names else "Choose at least one strategy.")
    return wanted, is_asked


def _labels_hint(wanted: _Wanted, labels: int, queries: int) -> str:
    """Return how many labels there are, and how many a bound takes at least."""
    fewest = fewest_labels(wanted.risk, (1 - wanted.confidence) / len(wanted.strategies))
    return (
        f"{labels:,} of {queries:,} queries have a label. The bound takes at least {fewest:,} labelled queries among those that "
        "are kept, of documents of their own and none of them bad; more where some are bad."
    )


def _draw_found(scoring: Scoring, found: Guarantee) -> None:
    risk, sure = _share(found.risk), _share(found.confidence)
    best = found.best
    if best is None or best.chosen is None:
        st.warning(
            f"No threshold gives at most {risk} with {sure} confidence on these labels.", icon=":material/block:"
        )
    else:
        st.success(_promise(best, risk, sure, part=found.part), icon=":material/verified:")
        if math.isinf(best.chosen.threshold):
            st.caption("This threshold keeps every query, so there is nothing to clean.")
        else:
            st.button(
                "Clean the dataset with this threshold", key=f"take-guarantee-{scoring.run_id}",
                icon=":material/arrow_forward:", on_click=hand_over,
                args=(scoring.run_id, {best.name: best.chosen.threshold}),
            )  # fmt: skip
            if found.trained:
                st.caption(
                    f"That decides on the other {found.trained:,} queries as well, whose labels trained a strategy: the promise "
                    "is not about those."
                )
    # The sentences stand here instead of in a column of the table, which is too wide for them.
    st.markdown("\n".join(f"- {plain(each.title)}: {plain(each.says)}" for each in found.strategies if each.says))
    draw_chart(bound_chart(found), file_name=file_stem(scoring.name, "guarantee"), key="guarantee-chart")
    table = guarantee_table(found)
    caption = table.title.partition("; scoring ")[0]
    st.html(table_html(table, caption=caption, leave_out=_without_values(table), testid="guarantee"))
    for note in table.notes:
        st.caption(plain(note))
    download_table(table, file_stem(scoring.name, "guarantee"), key="guarantee")
    with st.expander("Every test, in its order"):
        steps = sequence_table(found)
        st.html(table_html(steps, testid="guarantee-steps"))
        download_table(steps, file_stem(scoring.name, "guarantee-tests"), key="guarantee-steps")


def _without_values(table: Table) -> tuple[str, ...]:
    """Return the columns that no line has a value in, and that of the sentences."""
    return tuple(
        each.key for each in table.columns if each.key == "says" or not any(each.key in row for row in table.rows)
    )


def _share(part: float) -> str:
    """Return a share in percent that does not break over two lines, without a needless zero."""
    return percent_text(part).replace(".0 %", " %").replace(" %", "\u00a0%")


def _promise(best: StrategyGuarantee, risk: str, sure: str, *, part: str) -> str:
    """Return the promise in words; `part` is what it is about, empty where that is the whole dataset."""
    step = best.chosen
    assert step is not None
    rated = "" if step.rating is None else f", that is, any rating at or below {number_text(step.rating)}"
    where = (
        "keeps every query"
        if math.isinf(step.threshold)
        else f"removes at a score of {exact_text(step.threshold)} or more{rated}"
    )
    upper = (
        ""
        if step.upper is None
        else f" The bound is {_share(step.upper)}, on {step.bad} bad of {step.n} labelled queries that it keeps."
    )
    return plain(
        f"With {sure} confidence at most {risk} of what is kept{f' of {part}' if part else ''} is bad: {best.title} {where}. "
        f"It keeps {step.kept:,} {'of these' if part else 'queries'}, {_share(step.share_kept)}.{upper}"
    )

"""What the pages of scorings draw, piece by piece: charts, tables, sentences."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from audit_core.storage.cleaning_tables import RunKind
from audit_core.ui.text_difference import compared
from cleaning.contract import Kind
from cleaning.fixed_sequence import Outcome, Step
from cleaning.guarantee import Guarantee, StrategyGuarantee, choose
from cleaning.ui.bound_chart import bound_chart
from cleaning.ui.estimate_view import estimate_html
from cleaning.ui.model_answers import stage_words
from cleaning.ui.plain_words import with_code
from cleaning.ui.run_words import what_came
from cleaning.ui.score_table import BINS, score_chart, scores_html
from tests.cleaning.applied_cleanings import NAN, scoring_of, strategy
from tests.cleaning.scored_sets import drawn, scored, scoring
from tests.cleaning.ui.finished_scoring import ASKED

STAGE: dict[str, Any] = ASKED["stages"][0]  # type: ignore[index]


def bars(chart: Any) -> dict[str, list[tuple[float, int]]]:
    """The bars of a chart by name: place and height."""
    return {each.name: list(zip(each.x, each.y, strict=True)) for each in chart.data}


def test_each_of_a_few_scores_is_a_bar_of_its_own_on_its_side_of_the_threshold() -> None:
    chart = score_chart(strategy("rated", [0.0, 0.0, 0.25, 0.5, 1.0, NAN]), 0, 0.5)
    assert bars(chart) == {"stays": [(0.0, 2), (0.25, 1)], "goes: at or above the threshold": [(0.5, 1), (1.0, 1)]}
    assert chart.layout.title.subtitle.text == "n = 6; 1 undecided have no score"
    assert [each.x0 for each in chart.layout.shapes] == [0.5]


def test_many_scores_share_bins_and_a_second_threshold_is_a_second_line() -> None:
    values = np.linspace(0, 1, 401)
    chart = score_chart(strategy("fine", values.tolist()), 0, 0.5, chosen=0.75)
    found = bars(chart)
    assert sum(len(each) for each in found.values()) == BINS
    assert sum(count for each in found.values() for _, count in each) == 401
    assert sum(count for _, count in found["stays"]) == 200
    assert chart.layout.title.subtitle.text == "n = 401"
    assert [each.x0 for each in chart.layout.shapes] == [0.5, 0.75]


def test_the_table_of_scores_counts_over_all_queries_and_shows_no_numbers_of_a_failure() -> None:
    broken = strategy("broken", [NAN] * 4, failed="<no answer>")
    html = scores_html(scoring_of(["a", "b", "c", "d"], strategy("some", [1.0, 0.5, 0.1, NAN]), broken))
    assert "<b>2</b></td><td>50.0</td><td>1</td><td>1</td>" in html
    assert '<td colspan="5" class="text long none">failed: &lt;no answer&gt;</td>' in html
    assert "all 4 queries" in html


def test_a_difficulty_filter_is_said_not_to_be_ranked() -> None:
    assert "not ranked" in scores_html(scoring_of(["a"], strategy("easy", [1.0], kind=Kind.DIFFICULTY)))


def guarantee() -> Guarantee:
    """A guarantee on 400 labels of 1,000 queries, of one strategy that knows most."""
    chance = np.random.default_rng(2)
    bad = chance.random(1000) < 0.25
    values = np.clip(0.3 + 0.4 * bad + chance.normal(0, 0.1, 1000), 0, 1)
    return choose(scoring(scored(values)), drawn(chance.choice(1000, 400, replace=False), bad))


def test_the_chart_of_a_guarantee_has_a_full_mark_for_each_bound_that_holds_and_the_risk_as_a_line() -> None:
    found = guarantee()
    chart = bound_chart(found)
    (line,) = chart.data
    tested = [each for each in found.strategies[0].steps if each.upper is not None]
    assert list(line.x) == [100 * each.share_kept for each in tested]
    assert list(line.y) == [100 * (each.upper or 0) for each in tested]
    full = [not each.endswith("-open") for each in line.marker.symbol]
    assert full == [each.outcome is Outcome.REJECTED for each in tested]
    assert True in full
    assert False in full
    assert [each.y0 for each in chart.layout.shapes] == [10.0]
    assert "400 labels" in chart.layout.title.text


def test_the_chart_of_a_guarantee_without_any_test_is_empty_and_stands() -> None:
    step = Step(0.5, None, 10, 0.1, None, None, None, None, Outcome.SKIPPED, "too few")
    nothing = replace(guarantee(), strategies=(StrategyGuarantee("a", "A", (step,), None, None, 5, "needs more"),))
    (line,) = bound_chart(nothing).data
    assert not line.x


def test_words_that_changed_are_marked_and_text_stays_text() -> None:
    before, after = compared("What is <b> in the table?", "What is <b> in Berlin in 1950?")
    assert before == "What is &lt;b&gt; in <s>the table?</s>"
    assert after == "What is &lt;b&gt; in <mark>Berlin in 1950?</mark>"
    assert compared("same", "same") == ("same", "same")
    assert compared("one two", "two") == ("<s>one</s> two", "two")


@pytest.mark.parametrize(
    ("kind", "result", "says"),
    [
        (RunKind.SCORE, {"queries": 1, "strategies": []}, "1 query"),
        (
            RunKind.SCORE,
            {"queries": 1200, "strategies": [{"name": "a", "failed": None}, {"name": "b", "failed": "no"}]},
            "1,200 queries · 1 strategy failed",
        ),
        (RunKind.APPLY, {"before": 1000, "removed": 0, "reworded": 0}, "0 of 1,000 queries removed"),
        (RunKind.APPLY, {"before": 9, "removed": 2, "reworded": 1}, "2 of 9 queries removed, 1 reworded"),
        (RunKind.REWRITE, {"queries": 1, "proposed": 1, "unchanged": 0, "unanswered": 0}, "1 proposal for 1 query"),
        (
            RunKind.REWRITE,
            {"queries": 5, "proposed": 2, "unchanged": 2, "unanswered": 1},
            "2 proposals for 5 queries, 2 left as they are by the model, 1 without a usable answer",
        ),
        (RunKind.SCORE, {}, ""),
        (RunKind.APPLY, None, ""),
        (RunKind.REWRITE, {"other": 1}, ""),
    ],
)
def test_what_came_of_a_run_is_one_line(kind: RunKind, result: dict[str, Any] | None, says: str) -> None:
    view: Any = SimpleNamespace(row=SimpleNamespace(kind=kind, result=result))
    assert what_came(view) == says


def test_who_was_asked_is_told_without_a_link_and_with_what_is_not_known() -> None:
    unknown = {**STAGE, "spend": None, "probe": None, "calls": 1, "model": "a`b"}
    words = stage_words(unknown)
    assert "to `ab` at `http://127.0.0.1:1/v1`" in words
    assert "1 call, " in words
    assert "price unknown; whether it keeps to a schema is not known." in words


def test_backticks_are_code_and_all_else_is_text() -> None:
    assert with_code("`clean removed` lists *all*.") == r"`clean removed` lists \*all\*."
    assert with_code("a ` alone") == r"a \` alone"


def planned(name: str, step: str, **more: Any) -> Any:
    """What one step of a strategy would take."""
    values = {"asks": 4, "kept": 1, "calls": 3, "tokens_input": 1200, "tokens_output_most": 3000, "spend": 0.5, **more}
    model = SimpleNamespace(model="<a model>")
    return SimpleNamespace(
        strategy=name, planned=SimpleNamespace(step=step, model=model, estimate=SimpleNamespace(**values))
    )


def test_the_estimate_names_strategies_by_their_titles_and_steps_only_where_there_are_several() -> None:
    html = estimate_html(
        [
            planned("llm_rating", "asking llm_rating"),
            planned("closed_book", "first", spend=None),
            planned("closed_book", "judging answers from memory", calls=0, spend=None),
        ]
    )
    assert '<td class="text">Rated by a language model</td>' in html
    assert "asking llm_rating" not in html
    assert "Easy by memory<small>judging answers from memory</small>" in html
    assert "&lt;a model&gt;" in html
    # Of what is not asked the price is known.
    assert html.count("<td>unknown</td>") == 1
    assert "<td>0.00</td>" in html
    assert "<td>1,200</td><td>3,000</td><td>0.50</td>" in html

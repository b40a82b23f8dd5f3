"""What the pages of cleaning draw, piece by piece: charts, marked stretches, rules, tables, file names."""

from __future__ import annotations

import numpy as np
import pytest

from audit_core.statistics.intervals import Interval, wilson
from cleaning.compare import Compared, Scored
from cleaning.compare_summary import summarise
from cleaning.contract import Kind, Reason
from cleaning.curves import threshold_table
from cleaning.learning import LearningCurve, learning_curve
from cleaning.splits_plan import plan_folds
from cleaning.tables import Column, ColumnKind, Table, number_text
from cleaning.tables_content import learning_table
from cleaning.ui.cells import interval_cell, p_text, table_html
from cleaning.ui.downloads import file_stem
from cleaning.ui.drawn_axis import Axis, axis_over
from cleaning.ui.learning_view import learning_chart
from cleaning.ui.palette import COLOURS, style_of
from cleaning.ui.query_list import marked
from cleaning.ui.rule_hits import rule_hits, rule_table
from cleaning.ui.share_chart import share_chart
from tests.cleaning.stub_strategies import Column as FixedScores
from tests.cleaning.stub_strategies import benchmark, entrant

REMOVE = np.array([True, True, False, False, False, True, False, False])
SCORES = {
    "good": [0.9, 0.8, 0.3, 0.2, 0.1, 0.7, 0.2, 0.1],
    "poor": [0.0, 0.9, 0.9, 0.2, np.nan, 0.2, 0.3, 0.1],
}


def scored(name: str, values: list[float], reasons: tuple[tuple[Reason, ...], ...] = ()) -> Scored:
    scores = np.array([values])
    decisions = np.where(np.isnan(scores), np.nan, (scores >= 0.5).astype(float))
    return Scored(
        name, name.title(), Kind.RULE, {}, None, scores, decisions, np.array([[0.5]]), False, 0.0, reasons=reasons
    )


def compared(**reasons: tuple[tuple[Reason, ...], ...]) -> Compared:
    strategies = tuple(scored(name, values, reasons.get(name, ())) for name, values in SCORES.items())
    return Compared("h", tuple(f"q{row}" for row in range(len(REMOVE))), REMOVE, strategies, ())


def test_the_chart_has_a_line_a_strategy_its_own_point_and_the_base_rate() -> None:
    tables = {name: threshold_table(values, REMOVE) for name, values in SCORES.items()}
    summaries = summarise(compared())
    chart = share_chart(
        tables, summaries, {"good": "Good", "poor": "Poor"}, order=["good", "poor"], bands=["good"], n=8,
        point=("good", 2), share=0.5,
    )  # fmt: skip
    lines = {each.name: each for each in chart.data if each.name}
    assert set(lines) == {"Good", "Poor", "base rate, 37.5 %: what removal at random keeps"}
    table = tables["good"]
    assert list(lines["Good"].x) == [100 * each for each in table.share_kept]
    # Nothing kept has no rate: the line is interrupted, not 0.
    assert np.isnan(lines["Good"].y[0])
    assert lines["Good"].y[-1] == 37.5
    assert list(lines["base rate, 37.5 %: what removal at random keeps"].y) == [37.5, 37.5]
    own = [each for each in chart.data if each.mode == "markers" and each.marker.size == 11]
    assert [(each.x[0], each.y[0]) for each in own] == [(62.5, 0.0), (75.0, pytest.approx(100 * 2 / 6))]
    assert sum(each.fill == "toself" for each in chart.data) == 1
    (chosen,) = [each for each in chart.data if each.marker.size == 20]
    assert chosen.x[0] == 100 * table.share_kept[2]
    assert chart.layout.shapes[0].x0 == 50


def test_colours_dashes_and_marks_tell_forty_strategies_apart() -> None:
    looks = {(each.colour, each.dash, each.symbol) for each in map(style_of, range(40))}
    assert len(looks) == 40
    assert [style_of(place).colour for place in range(6)] == list(COLOURS)
    assert style_of(0).faint(0.5) == "rgba(0,114,178,0.5)"


def test_learning_points_without_a_figure_are_left_out_of_the_line() -> None:
    inputs, remove = benchmark(120, seed=1)
    split = plan_folds(inputs.queries, remove, folds=3, repeats=1)
    knows = dict(zip(inputs.queries["query_id"], np.where(remove, 0.9, 0.2).tolist(), strict=True))
    curve = learning_curve(
        entrant("one", FixedScores(knows)), inputs, split, share_kept=0.7, fractions=(0.01, 0.5, 1.0)
    )
    chart = learning_chart(learning_table([curve]), {"one": "One"}, ["one"])
    assert chart is not None
    (line,) = chart.data
    known = [point for point in curve.points if point.at is not None]
    assert 1 <= len(known) < 3
    assert list(line.x) == [point.labels for point in known]
    empty = LearningCurve("one", split.hash, 0.7, tuple(each for each in curve.points if each.at is None))
    assert learning_chart(learning_table([empty]), {"one": "One"}, ["one"]) is None


def test_stretches_are_marked_once_even_where_they_overlap_and_text_stays_text() -> None:
    reasons = [Reason("a", "x", 0, 4), Reason("b", "y", 2, 6), Reason("c", "z"), Reason("d", "w", 9, 12)]
    assert marked("in <b> & the table", reasons) == "<mark>in &lt;b&gt;</mark> &amp; <mark>the</mark> table"
    assert marked("plain", []) == "plain"


def test_a_rule_counts_each_query_once_and_only_where_its_strategy_fired() -> None:
    table_rule, number_rule = Reason("layout", "in the table", 0, 3), Reason("number", "a number")
    first = tuple((table_rule,) if row in (0, 1, 2) else () for row in range(8))
    second = tuple(
        (table_rule, number_rule) if row == 1 else (number_rule,) if row in (0, 4) else () for row in range(8)
    )
    layout, number = rule_hits(compared(good=first, poor=second))
    assert (layout.rule, layout.rows, layout.strategies) == ("layout", (0, 1, 2), ("good", "poor"))
    assert (layout.precision.count, layout.precision.n) == (2, 3)
    assert (number.rows, number.precision.estimate) == ((1,), 1.0)
    rows = rule_table((layout, number), {"good": "Good", "poor": "Poor"}).rows
    assert (rows[0]["fired"], rows[0]["share"], rows[0]["strategies"]) == (3, 3 / 8, "Good, Poor")


def test_a_cell_shows_count_denominator_and_bounds_or_why_there_is_none() -> None:
    # 52 of 398: 13.1 %, Wilson 10.1-16.7 % (published logistic regression).
    assert interval_cell(wilson(52, 398)) == "<td>13.1<small>52/398 · 10.1-16.7</small></td>"
    undefined = Interval(None, None, None, 0.95, "Wilson", 0, 0, "0 kept")
    assert interval_cell(undefined) == '<td class="none">undefined<small>0 kept</small></td>'


def test_an_axis_holds_every_interval_and_the_base_rate_in_whole_percent() -> None:
    # Wilson of 52 of 398: 10.1-16.7 %.
    axis = axis_over([wilson(52, 398), Interval(None, None, None, 0.95, "Wilson", 0, 0, "0 kept")], 0.3)
    assert (axis.low, axis.high, axis.head) == (0.09, 0.31, "9 to 31 %")
    assert Axis(0.0, 1.0).cell(Interval(None, None, None, 0.95, "Wilson", 0, 0, "0 kept")) == "<td></td>"
    cell = Axis(0.0, 0.5, 0.1).cell(wilson(1, 4), colour="#123456")
    assert "left:50.0%;background:#123456" in cell
    assert 'class="base" style="left:20.0%"' in cell
    assert axis_over([]).head == "0 to 100 %"


def test_texts_of_users_are_escaped_in_tables() -> None:
    columns = (Column("name", "<Name>"), Column("part", "Part", ColumnKind.PROPORTION))
    html = table_html(Table("T & t", columns, ({"name": "<script>", "part": None}, {"name": "b", "part": 0.5})))
    assert "<script>" not in html
    assert "&lt;Name&gt;" in html
    assert "T &amp; t" in html
    assert '<td class="none">undefined</td>' in html
    assert "<td>50.0</td>" in html


def test_numbers_are_written_without_false_digits() -> None:
    assert (number_text(float("inf")), number_text(0.51234), number_text(0.0)) == ("none removed", "0.512", "0")
    assert number_text(3543.2) == "3,543"
    assert (p_text(None), p_text(0.00004), p_text(0.0452), p_text(0.5)) == ("-", "< 0.001", "0.045", "0.50")


def test_file_names_hold_no_blanks_slashes_or_marks() -> None:
    assert file_stem("../My run: 1", "FOR") == "my-run-1-for"
    assert file_stem("日本") == "table"

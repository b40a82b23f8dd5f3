"""Tables in four formats: counts and reasons survive, text is only text, undefined is never a number."""

from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import pytest

from audit_core.errors import CleaningError
from audit_core.statistics.intervals import Interval, wilson
from cleaning.compare import run
from cleaning.compare_summary import at_equal_share, summarise
from cleaning.contract import Kind
from cleaning.curves import threshold_table
from cleaning.differences import pairwise_differences
from cleaning.learning import learning_curve
from cleaning.metrics import LABELLED_ONLY, WEIGHTED
from cleaning.splits_plan import plan_folds
from cleaning.tables import (
    WRITERS,
    Column,
    ColumnKind,
    Table,
    to_csv,
    to_json,
    to_latex,
    to_markdown,
    write_table,
)
from cleaning.tables_content import (
    difference_table,
    fold_table,
    group_table,
    learning_table,
    published_table,
    share_table,
    summary_tables,
    threshold_rows,
)
from tests.cleaning.stub_strategies import Column as ColumnStrategy
from tests.cleaning.stub_strategies import Nearer, benchmark, entrant

COLUMNS = (
    Column("name", "Name"),
    Column("n", "N_1", ColumnKind.COUNT),
    Column("part", "Part", ColumnKind.PROPORTION),
    Column("p", "p", ColumnKind.NUMBER),
    Column("rate", "Rate", ColumnKind.INTERVAL),
)
UNDEFINED = Interval(None, None, None, 0.95, "Wilson", 0, 0, "0 kept")
TABLE = Table(
    "A | table & more",
    COLUMNS,
    (
        {"name": "=1+1", "n": 1438, "part": 0.9325, "p": 0.00004, "rate": wilson(746, 800)},
        {"name": "ё_*|%", "n": 0, "part": None, "p": math.inf, "rate": UNDEFINED},
        {"name": "short"},
    ),
    ("mind *this*",),
)


def test_csv_keeps_counts_denominators_and_reasons_and_disarms_formulas() -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(TABLE), newline="")))
    assert rows[0]["name"] == "'=1+1"
    assert (rows[0]["rate_count"], rows[0]["rate_n"], rows[0]["rate_method"]) == ("746", "800", "Wilson")
    assert float(rows[0]["rate"]) == 746 / 800
    assert float(rows[0]["rate_low"]) == wilson(746, 800).low
    assert (rows[1]["rate"], rows[1]["rate_low"], rows[1]["rate_undefined"]) == ("", "", "0 kept")
    assert (rows[1]["part"], rows[1]["p"]) == ("", "inf")
    assert rows[2]["n"] == ""
    assert to_csv(TABLE).endswith("\r\n")


def test_json_is_strict_and_complete() -> None:
    content = json.loads(to_json(TABLE), parse_constant=lambda text: pytest.fail(f"{text} is not JSON"))
    assert content["notes"] == ["mind *this*"]
    assert [each["kind"] for each in content["columns"]] == ["text", "count", "proportion", "number", "interval"]
    assert content["rows"][0]["name"] == "=1+1"
    assert content["rows"][1]["p"] == "inf"
    assert content["rows"][1]["rate"] is None
    assert content["rows"][1]["rate_undefined"] == "0 kept"
    assert "ё" in to_json(TABLE)


def test_markdown_cannot_be_broken_by_text_and_says_undefined() -> None:
    lines = to_markdown(TABLE).splitlines()
    assert lines[0] == r"## A \| table \& more"
    assert lines[4] == "| =1+1 | 1,438 | 93.3 | 4.0e-05 | 93.3 (746/800; 91.3-94.8) |"
    assert lines[5] == r"| ё\_\*\|% | 0 | undefined | none removed | undefined (0 kept) |"
    assert lines[6] == "| short |  |  |  |  |"
    assert lines[8] == "- Rates are percentages, with count, denominator and interval (95 % Wilson)."
    assert lines[9] == r"- mind \*this\*"


def test_numbers_are_written_out_whatever_their_size() -> None:
    values = {0.0: "0", 0.04522: "0.0452", 12.345: "12.3", 999.4: "999", 3543.2: "3,543", 0.00004: "4.0e-05"}
    for value, shown in values.items():
        table = Table("t", (Column("p", "p", ColumnKind.NUMBER),), ({"p": value},))
        assert to_markdown(table).splitlines()[4] == f"| {shown} |"


def test_latex_escapes_every_text() -> None:
    text = to_latex(TABLE)
    assert r"\caption{A \textbar{} table \& more." in text
    assert r"Name & N\_1 & Part" in text
    assert r"ё\_{*}\textbar{}\% & 0 & undefined" in text
    assert r"\begin{tabular}{lrrrr}" in text


def test_an_estimate_without_an_interval_says_why() -> None:
    bare = Interval(0.3, None, None, 0.95, "Wilson", 120, None, "expected")
    table = Table("t", (Column("r", "R", ColumnKind.INTERVAL),), ({"r": bare},))
    assert "| 30.0 (n 120; no interval: expected) |" in to_markdown(table)


def test_cells_that_are_not_what_their_column_says_are_refused() -> None:
    with pytest.raises(CleaningError, match="never NaN"):
        to_csv(Table("t", COLUMNS, ({"part": math.nan},)))
    with pytest.raises(CleaningError, match="is no interval"):
        to_markdown(Table("t", COLUMNS, ({"rate": 0.5},)))
    with pytest.raises(CleaningError, match="is no count"):
        to_json(Table("t", COLUMNS, ({"n": UNDEFINED},)))
    with pytest.raises(CleaningError, match=r"Choose one of: \.csv, \.md, \.tex, \.json"):
        write_table(TABLE, ".doc")


def test_every_table_of_a_comparison_can_be_written_in_every_format() -> None:
    inputs, remove = benchmark(150)
    split = plan_folds(inputs.queries, remove, repeats=2)
    removes_all = ColumnStrategy(dict.fromkeys(split.query_ids, 1.0))
    compared = run(
        [
            entrant("nearer", Nearer()),
            entrant("everything", removes_all, Kind.RULE),
            entrant("easy", removes_all, Kind.DIFFICULTY),
        ],
        inputs,
        split,
    )
    summaries = summarise(
        compared,
        groups={"evidence_structure": [*["a", None] * 74, "a", "b"]},
        resamples=100,
        documents=inputs.queries["documents"].to_list(),
    )
    documents = [set(each) for each in inputs.queries["documents"].to_list()]
    curve = learning_curve(entrant("nearer", Nearer()), inputs, split, share_kept=0.6, fractions=[0.02, 1.0])
    ranked, filters = summary_tables(summaries, split_hash=split.hash)
    tables = [
        fold_table(split),
        ranked,
        filters,
        group_table(summaries, "evidence_structure"),
        share_table(at_equal_share(compared, share_kept=0.6)),
        difference_table(
            pairwise_differences(compared, documents, resamples=100), resamples=100, heading=LABELLED_ONLY
        ),
        threshold_rows("nearer", threshold_table(compared.of("nearer").scores[0], remove)),
        learning_table([curve]),
        published_table(),
    ]
    for table in tables:
        assert len(table.rows) > 0
        for suffix in WRITERS:
            assert len(write_table(table, suffix)) > 100
    assert [row["strategy"] for row in ranked.rows] == ["Nearer", "Everything"]
    assert ranked.title == "Strategies (labelled set only)"
    assert "document-clustered" in to_csv(ranked)
    assert "not from wrong labels" in to_latex(ranked)
    assert "A single query stands for: b." in to_markdown(tables[3])
    assert "undefined (0 kept)" in to_markdown(ranked)
    assert [row["strategy"] for row in filters.rows] == ["Easy"]
    assert "not bad ones" in to_markdown(filters)
    assert len(tables[0].rows) == 10
    assert len(tables[3].rows) == 9
    assert tables[3].rows[0]["group"] == "(none)"


def test_every_table_with_rates_says_whether_they_hold_for_more_than_the_labelled_queries() -> None:
    inputs, remove = benchmark(100)
    split = plan_folds(inputs.queries, remove, repeats=1)
    taking_part = [entrant("nearer", Nearer()), entrant("easy", ColumnStrategy({}), Kind.RULE)]
    compared = run(taking_part, inputs, split)
    documents = [set(each) for each in inputs.queries["documents"].to_list()]
    groups = {"source": ["a", "b"] * 50}
    curve = learning_curve(taking_part[0], inputs, split, share_kept=0.6, fractions=[1.0])
    pairs = pairwise_differences(compared, documents, resamples=100)
    titles = [
        group_table(summarise(compared, groups=groups), "source").title,
        group_table(summarise(compared, groups=groups, probabilities=np.full(100, 0.5)), "source").title,
        learning_table([curve]).title,
        difference_table(pairs, resamples=100, heading=LABELLED_ONLY).title,
        difference_table(pairs, resamples=100, heading=WEIGHTED).title,
    ]
    assert titles == [
        "Strategies by source (labelled set only)",
        "Strategies by source (weighted by 1/selection probability)",
        "Learning curves (labelled set only)",
        "Differences on the same queries (labelled set only)",
        "Differences on the same queries (weighted by 1/selection probability)",
    ]
    assert "Bootstrap: 95 % percentile interval, 100 resamples" in to_markdown(
        difference_table(pairs, resamples=100, heading=LABELLED_ONLY)
    )


def test_the_published_table_shows_fn_tn_and_share_kept_beside_the_rate() -> None:
    row = to_markdown(published_table()).splitlines()[10]
    assert "| Logistic regression | 800 training queries | 638 of its own | 13.1 | 13.1 (52/398; 10.1-16.7)" in row
    assert "| 62.4 (398/638; 58.6-66.1) | 52 | 346 | 141 | 99 |" in row


def test_only_one_kind_of_strategy_gives_one_table() -> None:
    inputs, remove = benchmark(100)
    split = plan_folds(inputs.queries, remove, repeats=1)
    compared = run([entrant("nearer", Nearer())], inputs, split)
    summaries = summarise(compared, probabilities=np.full(100, 0.5))
    (table,) = summary_tables(summaries, split_hash=split.hash)
    assert "weighted by 1/selection probability" in table.title

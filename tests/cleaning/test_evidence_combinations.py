"""Sets of evidence kinds before and after a cleaning, counted by hand and on the built-in sample."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from audit_core.workflow.importing import import_bundle
from audit_core.workflow.sample import SAMPLE
from audit_core.workflow.workspace import Workspace, open_workspace
from cleaning.applying import plan_application
from cleaning.evidence_combinations import Combination, evidence_combinations, evidence_table, kind_sizes
from cleaning.removal_tables import Counts
from cleaning.tables import to_csv
from cleaning.ui.upset_chart import upset_chart
from tests.cleaning.applied_cleanings import asked, scored, strategy
from tests.importers.small_bundle import write_bundle_folder


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    """The workspace of the test's own home."""
    found = open_workspace()
    yield found
    found.close()


def decided(*rows: tuple[list[str], str]) -> pl.DataFrame:
    frame = pl.DataFrame(
        {"evidence_kinds": [each[0] for each in rows], "fate": [each[1] for each in rows]},
        schema={"evidence_kinds": pl.List(pl.String), "fate": pl.String},
    )
    return frame.with_columns((pl.col("fate") == each).alias(each) for each in ("removed", "undecided", "reworded"))


MADE = decided(
    (["Table", "Text"], "removed"),
    (["Text"], "kept"),
    (["Text", "Table"], "kept"),
    ([], "removed"),
    (["Image"], "kept"),
    (["Text"], "removed"),
    (["Text", "Table"], "removed"),
    (["Table", "Text", "Image"], "undecided"),
)


def test_combinations_are_sets_and_the_most_frequent_comes_first() -> None:
    found = evidence_combinations(MADE)
    assert [(each.name, each.counts) for each in found] == [
        ("Text + Table", Counts(3, 2)),
        ("Text", Counts(2, 1)),
        ("none", Counts(1, 1)),
        ("Image", Counts(1, 0)),
        ("Text + Table + Image", Counts(1, 0, undecided=1)),
    ]
    assert found[0].counts.share_kept == pytest.approx(1 / 3)


def test_sizes_count_a_query_in_each_of_its_kinds() -> None:
    assert kind_sizes(evidence_combinations(MADE)) == {
        "Text": Counts(6, 3, undecided=1),
        "Table": Counts(4, 2, undecided=1),
        "Image": Counts(2, 0, undecided=1),
        "none": Counts(1, 1),
    }


def test_the_table_ends_with_all_queries_counted_once() -> None:
    table = evidence_table(evidence_combinations(MADE))
    lines = to_csv(table).splitlines()
    assert lines[0] == "kinds,number,before,removed,after,share_kept,undecided"
    assert lines[3] == "none,0,1,1,0,0.0,0"
    assert lines[-1] == "all,,8,4,4,0.5,1"
    assert any("whole pages only" in note for note in table.notes)


def test_the_kinds_of_the_sample_are_those_that_its_rows_name(workspace: Workspace) -> None:
    dataset = import_bundle(workspace, SAMPLE).dataset
    rows = [json.loads(line) for line in (SAMPLE / "queries.jsonl").read_text(encoding="utf-8").splitlines()]
    gold = [json.loads(line) for line in (SAMPLE / "gold.jsonl").read_text(encoding="utf-8").splitlines()]
    elements = [json.loads(line) for line in (SAMPLE / "elements.jsonl").read_text(encoding="utf-8").splitlines()]
    kind_of = {(each["document_id"], each["element_id"]): each["kind"] for each in elements}
    before: Counter[frozenset[str]] = Counter()
    removed: Counter[frozenset[str]] = Counter()
    for row, verdict in zip(rows, gold, strict=True):
        named = [
            each.get("kind") or kind_of.get((each.get("document_id"), each.get("element_id")))
            for each in row["evidence"]
        ]
        kinds = frozenset(filter(None, named))
        before[kinds] += 1
        removed[kinds] += bool(verdict["codes"])
    run = scored(workspace, dataset, strategy("gold", [float(bool(each["codes"])) for each in gold]))
    found = plan_application(workspace, asked(run, "gold")).applied.combinations
    assert {frozenset(each.kinds): (each.counts.before, each.counts.removed) for each in found} == {
        kinds: (count, removed[kinds]) for kinds, count in before.items()
    }
    # `grep -c` over queries.jsonl: 88 rest on text alone and 42 on table rows; one more of each has a whole page besides.
    assert [(each.kinds, each.counts) for each in found[:2]] == [
        (("Text",), Counts(89, 29)),
        (("Table Row",), Counts(43, 11)),
    ]


def test_kinds_come_from_elements_and_alternatives_where_evidence_names_none(
    workspace: Workspace, tmp_path: Path
) -> None:
    dataset = import_bundle(workspace, write_bundle_folder(tmp_path / "b")).dataset
    run = scored(workspace, dataset, strategy("s", [1.0, 0.0, 0.0]))
    found = plan_application(workspace, asked(run, "s")).applied.combinations
    # q1 names Text; q2 has an alternative with whole pages and the element e2, a table row; q3 two whole pages.
    assert [(each.name, each.counts.before, each.counts.removed) for each in found] == [
        ("none", 1, 0),
        ("Text", 1, 1),
        ("Table Row", 1, 0),
    ]


def test_the_chart_draws_each_combination_before_and_after_with_its_kinds() -> None:
    figure = upset_chart(evidence_combinations(MADE))
    bars = [each for each in figure.data if each.type == "bar"]
    before, after = (
        next(each for each in bars if each.name == name and each.xaxis != "x3") for name in ("before", "after")
    )
    assert list(before.y) == [3, 2, 1, 1, 1]
    assert list(after.y) == [1, 1, 0, 1, 1]
    sizes = {each.name: dict(zip(each.y, each.x, strict=True)) for each in bars if each.orientation == "h"}
    assert sizes["before"] == {"Text": 6, "Table": 4, "Image": 2, "none": 1}
    assert sizes["after"] == {"Text": 3, "Table": 2, "Image": 2, "none": 0}
    dots = next(each for each in figure.data if each.name == "kinds")
    assert {(x, y) for x, y in zip(dots.x, dots.y, strict=True)} == {
        (0, "Text"), (0, "Table"), (1, "Text"), (2, "none"), (3, "Image"), (4, "Text"), (4, "Table"), (4, "Image"),
    }  # fmt: skip
    words = figure.to_json()
    assert "n = 8 queries" in words
    assert {figure.layout.yaxis.title.text, figure.layout.xaxis2.title.text} == {"queries", "queries with this kind"}


def test_many_combinations_are_cut_and_the_rest_is_said() -> None:
    kinds = ["Text", "Headline", "List", "Table", "Image", "Formula"]
    sets = [[one, two] for place, one in enumerate(kinds) for two in kinds[place + 1 :]]
    many = evidence_combinations(decided(*[(each, "kept") for each in sets], *[(["Text"], "removed")] * 3))
    figure = upset_chart(many, most=10)
    bars = [each for each in figure.data if each.type == "bar" and each.orientation != "h"]
    assert [len(each.x) for each in bars] == [10, 10]
    assert "6 rarer combinations with 6 of 18 queries are not drawn" in figure.layout.title.subtitle.text


def test_a_combination_says_its_name() -> None:
    assert Combination((), Counts(1, 0)).name == "none"
    assert Combination(("Text", "Table"), Counts(1, 0)).name == "Text + Table"

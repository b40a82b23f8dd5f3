"""Counts of a cleaning by stratum, against the table of planted faults in data/sample/README.md, and by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from audit_core.errors import CleaningError
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.sample import SAMPLE
from audit_core.workflow.workspace import Workspace, open_workspace
from cleaning.applying import plan_application
from cleaning.removal_tables import Counts, stratum_counts, stratum_table
from cleaning.tables import to_csv, to_latex, to_markdown
from tests.cleaning.applied_cleanings import asked, scored, strategy

SOURCES = ("Handbook", "Report", "Encyclopaedia", "Magazine")
#: data/sample/README.md, "Strata, and what is planted": queries (faulty ones) by structure and source.
PLANTED = {
    "Page-Single": ((11, 4), (9, 4), (7, 4), (7, 3)),
    "Page-Multi": ((9, 2), (8, 1), (6, 0), (7, 2)),
    "Doc-Adjacent": ((8, 2), (9, 3), (5, 1), (6, 2)),
    "Doc-Near": ((8, 2), (7, 3), (6, 1), (7, 3)),
    "Doc-Far": ((7, 3), (10, 3), (7, 2), (6, 2)),
    "Cross-Doc": ((6, 1), (8, 3), (6, 2), (7, 3)),
}
#: The same file: how many are planted in each source, and in all.
OF_SOURCES = {"Handbook": (49, 14), "Report": (51, 17), "Encyclopaedia": (37, 10), "Magazine": (40, 15)}


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    """The workspace of the test's own home."""
    found = open_workspace()
    yield found
    found.close()


def decided(rows: list[tuple[str, str, str, str]]) -> pl.DataFrame:
    """Queries of (source, domain, structure, fate): fate is removed, kept, undecided or reworded."""
    frame = pl.DataFrame(rows, schema=["source", "domain", "evidence_structure", "fate"], orient="row")
    return frame.with_columns((pl.col("fate") == each).alias(each) for each in ("removed", "undecided", "reworded"))


MADE = [
    ("law", "tax", "Cross-Doc", "removed"),
    ("wiki", "sea", "Page-Single", "kept"),
    ("law", "tax", "Page-Single", "undecided"),
    ("law", "sea", "Page-Single", "removed"),
    ("wiki", "sea", "Page-Single", "removed"),
    ("law", "tax", "Cross-Doc", "removed"),
]


def test_removing_all_faulty_queries_of_the_sample_takes_from_each_stratum_what_is_planted_there(
    workspace: Workspace,
) -> None:
    dataset = import_bundle(workspace, SAMPLE).dataset
    gold = [json.loads(line) for line in (SAMPLE / "gold.jsonl").read_text(encoding="utf-8").splitlines()]
    run = scored(workspace, dataset, strategy("gold", [float(bool(each["codes"])) for each in gold]))
    plan = plan_application(workspace, asked(run, "gold"))
    expected = {
        (source, structure): Counts(*cells[place])
        for place, source in enumerate(SOURCES)
        for structure, cells in PLANTED.items()
    }
    assert plan.applied.sources == expected
    assert list(plan.applied.sources) == list(expected), "in the order of the dataset's sources, then of structures"
    table = plan.applied.table("source")
    sums = {row["source"]: (row["before"], row["removed"]) for row in table.rows if row["evidence_structure"] == "all"}
    assert sums == {**OF_SOURCES, "all": (177, 56)}
    last = table.rows[-1]
    assert (last["after"], last["share_kept"], last["undecided"]) == (121, 121 / 177, 0)
    by_structure = {row["evidence_structure"]: row["removed"] for row in table.rows if row["source"] == "all"}
    assert by_structure == {
        "Page-Single": 15, "Page-Multi": 5, "Doc-Adjacent": 8, "Doc-Near": 9, "Doc-Far": 10, "Cross-Doc": 9, "all": 56,
    }  # fmt: skip
    domains = plan.applied.table("domain")
    assert sum(int(str(row["removed"])) for row in domains.rows if row["evidence_structure"] != "all") == 2 * 56
    assert domains.rows[-1]["removed"] == 56


def test_strata_are_counted_with_undecided_ones_among_those_that_stay() -> None:
    counts = stratum_counts(decided(MADE), "source", first=("wiki",))
    assert counts == {
        ("wiki", "Page-Single"): Counts(2, 1),
        ("law", "Page-Single"): Counts(2, 1, undecided=1),
        ("law", "Cross-Doc"): Counts(2, 2),
    }
    assert list(counts) == [("wiki", "Page-Single"), ("law", "Page-Single"), ("law", "Cross-Doc")]
    assert (counts["law", "Page-Single"].after, counts["law", "Page-Single"].share_kept) == (1, 0.5)


def test_domains_stand_by_name_and_cross_the_structures() -> None:
    counts = stratum_counts(decided(MADE), "domain")
    assert [(key, each.before, each.removed) for key, each in counts.items()] == [
        (("sea", "Page-Single"), 3, 2),
        (("tax", "Page-Single"), 1, 0),
        (("tax", "Cross-Doc"), 2, 2),
    ]


def test_the_table_has_a_sum_for_each_source_each_structure_and_all() -> None:
    table = stratum_table("source", stratum_counts(decided(MADE), "source"))
    assert [(row["source"], row["evidence_structure"], row["before"], row["removed"]) for row in table.rows] == [
        ("law", "Page-Single", 2, 1),
        ("law", "Cross-Doc", 2, 2),
        ("law", "all", 4, 3),
        ("wiki", "Page-Single", 2, 1),
        ("wiki", "all", 2, 1),
        ("all", "Page-Single", 4, 2),
        ("all", "Cross-Doc", 2, 2),
        ("all", "all", 6, 4),
    ]
    assert any("Undecided queries stay" in note for note in table.notes)


def test_the_table_is_written_in_each_format_with_its_numbers() -> None:
    table = stratum_table("source", stratum_counts(decided(MADE), "source"))
    lines = to_csv(table).splitlines()
    assert lines[0] == "source,evidence_structure,before,removed,after,share_kept,undecided"
    assert lines[1] == "law,Page-Single,2,1,1,0.5,1"
    assert "| law | Cross-Doc | 2 | 2 | 0 | 0.0 | 0 |" in to_markdown(table)
    assert "retrieval searches the same pages as before" in to_markdown(table)
    assert r"all & all & 6 & 4 & 2 & 33.3 & 1 \\" in to_latex(table)


def test_reworded_queries_have_a_column_only_where_there_are_some() -> None:
    plain = stratum_table("source", stratum_counts(decided(MADE), "source"))
    assert "reworded" not in [each.key for each in plain.columns]
    with_one = stratum_counts(decided([*MADE, ("law", "tax", "Cross-Doc", "reworded")]), "source")
    table = stratum_table("source", with_one)
    assert [each.key for each in table.columns][-1] == "reworded"
    assert (table.rows[-1]["reworded"], table.rows[-1]["after"]) == (1, 3)


def test_a_table_by_anything_else_is_refused() -> None:
    with pytest.raises(CleaningError, match=r"There is no table by 'generator'\. Choose one of: source, domain\."):
        stratum_counts(decided(MADE), "generator")


def test_strange_structures_of_a_lenient_import_stand_last() -> None:
    counts = stratum_counts(decided([("s", "d", "Somewhere", "kept"), ("s", "d", "Cross-Doc", "kept")]), "source")
    assert [key[1] for key in counts] == ["Cross-Doc", "Somewhere"]


def test_sample_is_where_the_counts_were_read_from() -> None:
    text = Path(SAMPLE / "README.md").read_text(encoding="utf-8")
    for structure, cells in PLANTED.items():
        assert f"| {structure} | " + " | ".join(f"{before} ({bad})" for before, bad in cells) in text

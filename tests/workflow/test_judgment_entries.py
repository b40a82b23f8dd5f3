"""Which entry and revision each imported judgment becomes."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from audit_core.importers.judgment_entries import assign_entries, judgments_hash
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle
from tests.homes import row_counts
from tests.importers.small_bundle import Rows


def _row(query: str, annotator: str = "a", **more: Any) -> dict[str, Any]:
    return {"query_id": query, "annotator": annotator, "codes": [], **more}


def _assigned(*rows: dict[str, Any]) -> list[tuple[int, int]]:
    return [(each.entry, each.revision) for each in assign_entries(rows)]


def test_without_entries_they_are_numbered_in_order_of_first_mention() -> None:
    rows = [_row("q2"), _row("q1"), _row("q2", "b"), _row("q1", "b")]
    assert _assigned(*rows) == [(1, 1), (2, 1), (1, 1), (2, 1)]


def test_an_annotator_s_second_judgment_on_a_query_is_its_second_entry() -> None:
    rows = [_row("q"), _row("q"), _row("q", "b"), _row("q", "b"), _row("q", "b")]
    assert _assigned(*rows) == [(1, 1), (2, 1), (1, 1), (2, 1), (3, 1)]


@pytest.mark.parametrize("order", list(permutations([1, 2, 3])))
def test_revisions_of_one_entry_stay_together_in_whatever_order_they_stand(order: tuple[int, ...]) -> None:
    assert _assigned(*(_row("q", revision=each) for each in order)) == [(1, each) for each in order]


def test_two_entries_with_two_revisions_each_are_told_apart_in_either_order() -> None:
    assert _assigned(*(_row("q", revision=each) for each in (1, 2, 1, 2))) == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert _assigned(*(_row("q", revision=each) for each in (1, 1, 2, 2))) == [(1, 1), (2, 1), (1, 2), (2, 2)]


def test_given_numbers_are_kept_where_they_can_be() -> None:
    assert _assigned(_row("q", entry=7), _row("p", entry=3)) == [(7, 1), (3, 1)]
    assert _assigned(_row("q", entry=7), _row("p", entry=7)) == [(1, 1), (2, 1)]
    assert _assigned(_row("q", entry=0), _row("q", entry=1)) == [(1, 1), (2, 1)]
    assert _assigned(_row("q", entry=2**40), _row("p", entry=1)) == [(1, 1), (2, 1)]


def test_a_judgment_without_an_entry_joins_the_query_s_entry_that_another_named() -> None:
    assert _assigned(_row("q", "a", entry=5), _row("q", "b")) == [(1, 1), (1, 1)]


@pytest.mark.parametrize("revisions", [(None, 2), (2, None), (1, 2), (2, 1), (2, 5), (3, None, 4), (None,)])
def test_no_two_judgments_of_one_annotator_on_one_entry_get_the_same_revision(
    workspace: Workspace, tmp_path: Path, revisions: tuple[int | None, ...]
) -> None:
    def change(rows: Rows) -> None:
        rows["judgments/audit"] = [
            {**_row("q1", entry=1), "note": str(each), **({} if each is None else {"revision": each})}
            for each in revisions
        ]

    import_bundle(workspace, small_bundle(tmp_path / "b", change))
    assert row_counts(workspace)["judgment"] == len(revisions)
    assert row_counts(workspace)["entry"] == 1


def test_the_hash_does_not_depend_on_how_the_file_said_it() -> None:
    short = assign_entries([_row("q", seconds=2, targets={"E": ["b", "a", "a"], "F": []}), _row("q", "b")])
    long = assign_entries([
        {"query_id": "q", "annotator": "a", "codes": [], "seconds": 2.0, "entry": 1, "revision": 1, "note": "",
         "outcome": "judged", "targets": {"E": ["a", "b"]}},
        _row("q", "b", entry=1, reason=None),
    ])  # fmt: skip
    assert judgments_hash(short, None) == judgments_hash(long, None)
    other = assign_entries([_row("q", note="x"), _row("q", "b")])
    assert judgments_hash(other, None) != judgments_hash(short, None)
    assert judgments_hash(short, {"method": "all"}) != judgments_hash(short, None)

"""Changes between two lists of evidence give, applied to the one, exactly the other."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from audit_core.corrections.applying import QueryContent, apply_changes, structure_of
from audit_core.corrections.diffing import changes_between
from audit_core.corrections.pieces import canonical, canonical_list, counted
from audit_core.corrections.records import Action, Change
from audit_core.domain import JsonObject
from audit_core.errors import CorrectionError
from tests.conftest import REAL_DATA, ROOT

PDF_AUDIT = REAL_DATA / "pdf_audit"
#: A real set and the project's own, whose gold rows say what each faulty query should be.
SETS = [
    pytest.param(
        PDF_AUDIT, 22, marks=pytest.mark.skipif(not PDF_AUDIT.is_dir(), reason="needs the collected real data"), id="pdf_audit"
    ),
    pytest.param(ROOT / "data" / "sample", 56, id="sample"),
]  # fmt: skip


def piece(page: str, box: int | None = None, *, set_id: str | None = None, element: str | None = None) -> JsonObject:
    sides = None if box is None else [box, 0, box + 10, 10]
    return canonical({"page_id": page, "box": sides, "set_id": set_id, "element_id": element})


def applied(old: list[JsonObject], changes: list[Change]) -> tuple[JsonObject, ...]:
    return apply_changes(QueryContent("q", "", None, tuple(old)), changes).evidence


def rows(path: Path) -> Iterator[JsonObject]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def of(changes: list[Change]) -> list[str]:
    return [f"{each.action} {each.key['page_id']}" for each in changes]


def test_equal_evidence_in_another_order_needs_no_change() -> None:
    assert changes_between([piece("a"), piece("b", 1)], [piece("b", 1), piece("a")], query_id="q") == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([], [piece("a")], ["add-page a"]),
        ([], [piece("a", 1)], ["add-page a", "add-box a"]),
        ([piece("a", 1), piece("a", 20)], [], ["drop-page a"]),
        ([piece("a")], [piece("a", 1), piece("a", 20)], ["add-box a", "add-box a"]),
        ([piece("a", 1)], [piece("a", 2)], ["move-box a"]),
        ([piece("a", 1), piece("a", 20)], [piece("a", 1)], ["drop-box a"]),
        ([piece("a", 1), piece("a", 20)], [piece("a")], ["drop-box a", "drop-box a"]),
        ([piece("a", 1)], [piece("b", 1)], ["drop-page a", "add-page b", "add-box b"]),
        ([piece("a", 1)], [piece("a", 1, set_id="s")], ["drop-page a", "add-page a", "add-box a"]),
        ([piece("a"), piece("a", 1)], [piece("a", 1)], ["drop-page a", "add-page a", "add-box a"]),
    ],
)  # fmt: skip
def test_the_changes_are_the_fewest_of_their_kind_and_lead_there(
    old: list[JsonObject], new: list[JsonObject], expected: list[str]
) -> None:
    changes = changes_between(old, new, query_id="q")
    assert of(changes) == expected
    assert counted(applied(old, changes)) == counted(new)


def test_a_box_moves_to_where_its_element_or_the_largest_overlap_is() -> None:
    old = [piece("a", 0, element="x"), piece("a", 100), piece("a", 50)]
    new = [piece("a", 103), piece("a", 300, element="x"), piece("a", 48)]
    moved = {each.before["box"][0]: each.after["box"][0] for each in changes_between(old, new, query_id="q")}
    assert moved == {0: 300, 100: 103, 50: 48}


def test_the_last_box_of_a_page_leaves_the_whole_page_where_that_is_wanted() -> None:
    (change,) = changes_between([piece("a", 1)], [piece("a")], query_id="q")
    assert (change.action, change.after) == (Action.DROP_BOX, piece("a"))


@pytest.mark.parametrize("new", [[piece("a"), piece("a", 1)], [piece("a", 1), piece("a", 1)]])
def test_a_page_that_would_be_whole_beside_its_boxes_or_twice_the_same_is_refused(new: list[JsonObject]) -> None:
    with pytest.raises(CorrectionError, match="page 'a'"):
        changes_between([], new, query_id="q")


def test_what_stood_there_twice_may_stay_twice() -> None:
    old = [piece("a", 1), piece("a", 1)]
    changes = changes_between(old, [*old, piece("a", 30)], query_id="q")
    assert of(changes) == ["add-box a"]


def test_any_two_lists_of_evidence_lead_to_one_another() -> None:
    draw = random.Random(7)

    def some() -> list[JsonObject]:
        found = []
        for page in draw.sample("abc", draw.randint(0, 3)):
            for set_id in draw.sample([None, "s"], draw.randint(1, 2)):
                boxes: list[int | None] = [*draw.sample(range(0, 60, 5), draw.randint(0, 3))]
                found += [piece(page, box, set_id=set_id) for box in boxes or [None]]
        return draw.sample(found, len(found))

    for _ in range(500):
        old, new = some(), some()
        assert counted(applied(old, changes_between(old, new, query_id="q"))) == counted(new)


@pytest.mark.parametrize(("folder", "least"), SETS)
def test_every_faulty_query_of_a_gold_set_becomes_exactly_what_gold_wants(folder: Path, least: int) -> None:
    gold = {row["query_id"]: row for row in rows(folder / "gold.jsonl")}
    changed = 0
    for row in rows(folder / "queries.jsonl"):
        wanted = gold[row["query_id"]]
        old = canonical_list(row["evidence"])
        new = canonical_list(wanted.get("corrected_evidence", row["evidence"]))
        changes = changes_between(old, new, query_id=row["query_id"])
        assert counted(applied(old, changes)) == counted(new)
        changed += bool(changes) or "corrected_text" in wanted
    assert changed >= least


@pytest.mark.parametrize(("folder", "least"), SETS)
def test_the_structure_of_every_query_of_a_real_set_is_the_stored_one(folder: Path, least: int) -> None:
    places = {row["page_id"]: (row["document_id"], row["page_index"]) for row in rows(folder / "pages.jsonl")}
    found = {row["query_id"]: structure_of(row["evidence"], places) for row in rows(folder / "queries.jsonl")}
    stored = {row["query_id"]: row["evidence_structure"] for row in rows(folder / "queries.jsonl")}
    assert found == stored
    assert len(found) > least

"""Leafing through the documents of an entry: which pages come, which are listed, and where a number or label leads."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit_core.errors import NotFound
from audit_core.workflow import judging
from audit_core.workflow.campaigns import start_campaign
from audit_core.workflow.entry_view import describe_entry
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.leafing import PAGES_MAX, document_pages
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle, without_judgments
from tests.campaigns_in_order import in_dataset_order
from tests.importers.small_bundle import Rows


class Leaves:
    """The tiny bundle with a campaign over it, as Ada leafs through it."""

    def __init__(self, workspace: Workspace, bundle: Path, *, lenient: bool = False) -> None:
        self.workspace = workspace
        self.dataset = import_bundle(workspace, bundle, lenient=lenient).dataset
        self.campaign = in_dataset_order(workspace, start_campaign(workspace, dataset=self.dataset, name="fresh"))
        self.ada = sign_in(workspace, "Ada")

    def pages(self, number: int, **asked: Any) -> dict[str, Any]:
        mine = judging.entry_numbered(self.workspace, self.ada, campaign_id=self.campaign.id, number=number)
        found = document_pages(
            self.workspace, self.dataset, mine.row, person_id=self.ada.id, **{"document": 0, **asked}
        )
        json.dumps(found, allow_nan=False).encode()
        return found

    def entry(self, number: int) -> dict[str, Any]:
        mine = judging.entry_numbered(self.workspace, self.ada, campaign_id=self.campaign.id, number=number)
        return describe_entry(self.workspace, self.dataset, mine)


@pytest.fixture
def leaf(workspace: Workspace, tmp_path: Path) -> Callable[..., Leaves]:
    """A function that imports the tiny bundle, changed, and starts a campaign."""

    def make(change: Callable[[Rows], object] | None = None, *, lenient: bool = False) -> Leaves:
        def bare(rows: Rows) -> None:
            without_judgments(rows)
            if change is not None:
                change(rows)

        return Leaves(workspace, small_bundle(tmp_path / "b", bare), lenient=lenient)

    return make


def _long_document(rows: Rows) -> None:
    """Document d1 has 40 pages with numbers 11 to 50 (page_index 10 ...), printed i, ii, then 1, 2, ..."""
    page = rows["pages"][0]
    rows["documents"][0]["page_count"] = 60
    labels = ["i", "ii", *map(str, range(1, 39))]
    rows["pages"] = [
        {**page, "page_id": f"p{at + 1}" if at < 2 else f"more-{at + 1}", "page_index": at + 10, "printed_label": label}
        for at, label in enumerate(labels)
    ] + rows["pages"][2:]


def test_the_pages_around_a_page_come_with_what_is_listed_and_with_their_elements(leaf: Callable[..., Leaves]) -> None:
    found = leaf().pages(1, around="p1", count=9)
    assert {name: found[name] for name in ("document", "document_id", "total", "matches")} == {
        "document": 0, "document_id": "d1", "total": 2, "matches": [],
    }  # fmt: skip
    first, second = found["pages"]
    assert (first["page_id"], first["position"], first["listed"]) == ("p1", 1, True)
    assert (second["page_id"], second["position"], second["listed"]) == ("p2", 2, False)
    assert first["elements"] == [{"element_id": "e1", "kind": "Text", "x0": 0.01, "y0": 0.01, "x1": 0.03, "y1": 0.02}]
    assert second["elements"] == []
    assert second["boxes"] == []
    assert all(page["src"] and page["page_count"] == 2 for page in (first, second))


def test_a_listed_page_is_described_as_in_its_entry(leaf: Callable[..., Leaves]) -> None:
    leaves = leaf()
    (page,) = leaves.entry(1)["pages"]
    (same,) = leaves.pages(1, around="p1", count=1)["pages"]
    assert {name: same[name] for name in page} == page


def test_pages_are_counted_by_their_place_also_where_the_dataset_has_only_some(leaf: Callable[..., Leaves]) -> None:
    leaves = leaf(_long_document)
    found = leaves.pages(1, first=3, count=2)
    assert [(page["position"], page["page_number"], page["printed_label"]) for page in found["pages"]] == [
        (3, 13, "1"), (4, 14, "2"),
    ]  # fmt: skip
    assert found["total"] == 40
    assert [page["position"] for page in leaves.pages(1, around="more-20", count=5)["pages"]] == [18, 19, 20, 21, 22]
    assert [page["position"] for page in leaves.pages(1, around="p1", count=5)["pages"]] == [1, 2, 3, 4, 5]
    assert [page["position"] for page in leaves.pages(1, around="more-40", count=5)["pages"]] == [36, 37, 38, 39, 40]
    assert len(leaves.pages(1, first=1, count=10_000)["pages"]) == PAGES_MAX
    assert leaves.pages(1, first=41)["pages"] == []
    assert [page["position"] for page in leaves.pages(1, first=0, count=0)["pages"]] == [1]


@pytest.mark.parametrize(
    ("find", "matches"),
    [("13", [3, 15]), ('"13"', [15]), ("ii", [2]), ("II", [2]), (" 14 ", [4, 16]), ("38", [28, 40]), ("50", [40])],
)
def test_a_page_is_found_by_its_number_before_its_printed_label(
    leaf: Callable[..., Leaves], find: str, matches: list[int]
) -> None:
    found = leaf(_long_document).pages(1, find=find, count=1)
    assert found["matches"] == matches
    assert [page["position"] for page in found["pages"]] == matches[:1]


@pytest.mark.parametrize("find", ["", " ", "0", "99", "51", "-13", "13.0", "iii", '""', "١٣", "\x00", "x" * 5_000])
def test_a_page_that_is_not_there_is_said_not_to_be(leaf: Callable[..., Leaves], find: str) -> None:
    with pytest.raises(NotFound, match="No page of this document"):
        leaf(_long_document).pages(1, find=find)


def test_only_documents_of_the_entrys_evidence_are_open(leaf: Callable[..., Leaves]) -> None:
    leaves = leaf()
    assert leaves.entry(3)["documents"] == ["d1", "d2"]
    assert leaves.pages(3, document=1)["document_id"] == "d2"
    assert leaves.entry(1)["documents"] == ["d1"]
    for document in (1, 2, -1, 10**9):
        with pytest.raises(NotFound, match="no document"):
            leaves.pages(1, document=document)
    with pytest.raises(NotFound, match="no such page"):
        leaves.pages(1, around="p3")


def test_a_page_that_is_nowhere_opens_no_document(leaf: Callable[..., Leaves]) -> None:
    def change(rows: Rows) -> None:
        rows["queries"][2]["evidence"] = [
            {"page_id": "p99", "document_id": "d2", "box": [1, 2, 3, 4]},
            {"page_id": "p1"},
        ]

    leaves = leaf(change, lenient=True)
    assert leaves.entry(3)["documents"] == ["d1"]
    assert leaves.pages(3)["document_id"] == "d1"


def test_an_image_of_a_leafed_page_that_is_missing_is_told_in_place(leaf: Callable[..., Leaves]) -> None:
    def change(rows: Rows) -> None:
        rows["pages"][1]["image"] = "images/gone.png"

    page = leaf(change, lenient=True).pages(1)["pages"][1]
    assert page["src"] is None
    assert "images/gone.png cannot be shown" in page["problem"]


def test_elements_without_a_usable_box_are_left_out(leaf: Callable[..., Leaves]) -> None:
    def change(rows: Rows) -> None:
        element = rows["elements"][0]
        rows["elements"] += [
            {**element, "element_id": "e3", "box": [50, 100, 40, 90]},
            {**element, "element_id": "e4", "page_id": "p2", "box": [0, 0, 100, 200]},
        ]
        rows["pages"][0]["width"] = 0

    pages = leaf(change, lenient=True).pages(1)["pages"]
    assert [[each["element_id"] for each in page["elements"]] for page in pages] == [[], ["e4"]]
    assert {name: pages[1]["elements"][0][name] for name in ("x0", "y0", "x1", "y1")} == {
        "x0": 0, "y0": 0, "x1": 1, "y1": 1,
    }  # fmt: skip


def test_a_manual_of_468_pages_is_leafed_by_number_and_label(workspace: Workspace, real_data: Path) -> None:
    leaves = Leaves(workspace, real_data / "pdf_audit")
    entry = leaves.entry(1)
    found = leaves.pages(1, around=entry["pages"][0]["page_id"], count=9)
    assert found["total"] == 468
    assert [page["position"] for page in found["pages"]] == list(range(100, 109))
    assert [page["listed"] for page in found["pages"]].count(True) == 2
    assert all(page["resolutions"] == [200, 300, 400] for page in found["pages"])

"""What the judging surface gets of an entry: odd ids and texts, boxes, alternatives, and pages that cannot be shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from audit_core.storage.people import Person
from audit_core.workflow import judging
from audit_core.workflow.campaigns import start_campaign
from audit_core.workflow.entry_view import describe_entry
from audit_core.workflow.exporting import export_bundle
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle, without_judgments
from tests.campaigns_in_order import in_dataset_order
from tests.homes import another_home
from tests.importers.small_bundle import Rows

ODD_IDS = ("007", "NA", "null", "1e5", "True", " 1 ", "é\u0301", "a/../b?c=d&e#f%2F", "\u2028", "-0", "nan", "ما هو")


class Shown:
    """A dataset with a campaign over it, as Ada gets it."""

    def __init__(self, workspace: Workspace, bundle: Path, *, lenient: bool = False) -> None:
        self.workspace = workspace
        self.dataset = import_bundle(workspace, bundle, lenient=lenient).dataset
        self.campaign = in_dataset_order(workspace, start_campaign(workspace, dataset=self.dataset, name="fresh"))
        self.ada: Person = sign_in(workspace, "Ada")

    def entry(self, number: int) -> dict[str, Any]:
        mine = judging.entry_numbered(self.workspace, self.ada, campaign_id=self.campaign.id, number=number)
        entry = describe_entry(self.workspace, self.dataset, mine)
        json.dumps(entry, allow_nan=False).encode()
        return entry


@pytest.fixture
def show(workspace: Workspace, tmp_path: Path) -> Callable[..., Shown]:
    """A function that imports the tiny bundle, changed, and starts a campaign."""

    def make(change: Callable[[Rows], object] | None = None, *, lenient: bool = False) -> Shown:
        def bare(rows: Rows) -> None:
            without_judgments(rows)
            if change is not None:
                change(rows)

        return Shown(workspace, small_bundle(tmp_path / "b", bare), lenient=lenient)

    return make


def test_an_entry_has_its_pages_in_order_of_first_mention_with_boxes_in_parts(show: Callable[..., Shown]) -> None:
    shown = show()
    first, second = shown.entry(1), shown.entry(2)
    assert {name: first[name] for name in ("number", "query_id", "query", "answer", "language", "sets", "saved", "draft")} == {
        "number": 1, "query_id": "q1", "query": "what is one?", "answer": "1", "language": None, "sets": [],
        "saved": None, "draft": None,
    }  # fmt: skip
    (page,) = first["pages"]
    assert {name: page[name] for name in page if name not in ("src", "boxes")} == {
        "page_id": "p1", "document_id": "d1", "title": "One", "page_number": 1, "page_count": 2, "printed_label": None,
        "width": 100, "height": 200, "resolutions": [], "problem": None, "warning": None, "sets": [],
    }  # fmt: skip
    assert page["boxes"] == [
        {"element_id": "e1", "kind": "Text", "set": None, "x0": 0.01, "y0": 0.01, "x1": 0.03, "y1": 0.02}
    ]
    assert [each["page_id"] for each in second["pages"]] == ["p3", "p4"]
    assert second["answer"] is None


def test_a_page_without_a_box_is_shown_whole(show: Callable[..., Shown]) -> None:
    pages = show().entry(3)["pages"]
    assert [(each["page_id"], each["boxes"]) for each in pages] == [("p1", []), ("p3", [])]
    assert all(each["src"] for each in pages)


def test_alternatives_are_named_with_the_pages_and_boxes_that_belong_to_them(show: Callable[..., Shown]) -> None:
    def change(rows: Rows) -> None:
        rows["queries"][0]["evidence"] = [
            {"page_id": "p1", "set_id": "spoken", "box": [0, 0, 50, 100]},
            {"page_id": "p2", "set_id": "prepared"},
            {"page_id": "p1", "set_id": "prepared", "box": [50, 100, 100, 200]},
            {"page_id": "p3"},
        ]
        rows["queries"][0]["evidence_structure"] = "Cross-Doc"
        rows["queries"][2]["evidence"] = [{"page_id": "p1", "set_id": "only"}, {"page_id": "p3", "set_id": "only"}]

    shown = show(change)
    entry = shown.entry(1)
    assert entry["sets"] == ["spoken", "prepared", ""]
    assert [(page["page_id"], page["sets"]) for page in entry["pages"]] == [
        ("p1", ["spoken", "prepared"]), ("p2", ["prepared"]), ("p3", [""]),
    ]  # fmt: skip
    assert [box["set"] for box in entry["pages"][0]["boxes"]] == ["spoken", "prepared"]
    assert shown.entry(3)["sets"] == []
    assert shown.entry(3)["pages"][0]["sets"] == []


def test_eight_pages_of_four_documents_all_come(show: Callable[..., Shown]) -> None:
    def change(rows: Rows) -> None:
        rows["documents"] += [{**rows["documents"][1], "document_id": each, "title": each} for each in ("d3", "d4")]
        for number in range(5, 9):
            owner = "d3" if number < 7 else "d4"
            index = (number - 5) % 2
            rows["pages"].append(
                {**rows["pages"][0], "page_id": f"p{number}", "document_id": owner, "page_index": index}
            )
        rows["queries"][2]["evidence"] = [{"page_id": f"p{number}"} for number in range(8, 0, -1)]

    pages = show(change).entry(3)["pages"]
    assert [page["page_id"] for page in pages] == [f"p{number}" for number in range(8, 0, -1)]
    assert len({page["document_id"] for page in pages}) == 4


def test_long_foreign_and_dangerous_texts_come_as_they_are(show: Callable[..., Shown]) -> None:
    texts = ["ما هو رقم الصفحة؟", '<script>alert(1)</script> & "quotes"', "one\u2028two\u2029three\ttab\nline"]
    answer = "x" * 20_000

    def change(rows: Rows) -> None:
        for row, text in zip(rows["queries"], texts, strict=True):
            row["text"] = text
        rows["queries"][1]["answer"] = answer

    shown = show(change)
    assert [shown.entry(number)["query"] for number in (1, 2, 3)] == texts
    assert shown.entry(2)["answer"] == answer


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_odd_ids_come_through_import_judging_and_export_unchanged(
    workspace: Workspace, tmp_path: Path, form: str
) -> None:
    def change(rows: Rows) -> None:
        without_judgments(rows)
        page, query = rows["pages"][0], rows["queries"][0]
        rows["pages"] = [{**page, "page_id": each, "document_id": each, "page_index": 0} for each in ODD_IDS]
        rows["documents"] = [{**rows["documents"][0], "document_id": each} for each in ODD_IDS]
        rows["elements"] = [
            {**rows["elements"][0], "document_id": each, "element_id": each, "page_id": each} for each in ODD_IDS
        ]
        evidence = [{"page_id": each, "element_id": each} for each in ODD_IDS]
        rows["queries"] = [
            {**query, "query_id": each, "group_id": each, "evidence": [one]}
            for each, one in zip(ODD_IDS, evidence, strict=True)
        ]

    shown = Shown(workspace, small_bundle(tmp_path / "b", change))
    for number, odd in enumerate(ODD_IDS, start=1):
        entry = shown.entry(number)
        (page,) = entry["pages"]
        assert (entry["query_id"], page["page_id"], page["document_id"]) == (odd, odd, odd)
        assert parse_qs(urlsplit(page["src"]).query, keep_blank_values=True)["page"] == [odd]
        body = {
            "nonce": f"nonce-{number:06}", "outcome": "judged", "codes": "E", "targets": {"E": [odd]}, "note": odd,
        }  # fmt: skip
        judging.save_judgment(workspace, shown.ada, entry_id=entry["id"], body=body)
        saved = shown.entry(number)["saved"]
        assert saved["targets"] == {"E": [odd]}
    out = export_bundle(workspace, shown.dataset, tmp_path / "out", form=form, media="copy")
    with another_home(tmp_path / "fresh") as fresh:
        result = import_bundle(fresh, out)
        assert result.dataset.content_hash == shown.dataset.content_hash
        assert fresh.revision(result.dataset).query_ids() == list(ODD_IDS)
        again = export_bundle(fresh, result.dataset, tmp_path / "again", form="jsonl", media="refer")
    rows = [json.loads(line) for line in (again / "judgments" / "fresh.jsonl").read_bytes().split(b"\n")[:-1]]
    assert [(row["query_id"], row["note"], row["targets"]) for row in rows] == [
        (odd, odd, {"E": [odd]}) for odd in ODD_IDS
    ]


# --- lenient imports: what is missing is shown in place -------------------------------------------------------------


def test_a_missing_image_is_told_in_place_and_the_rest_is_shown(show: Callable[..., Shown]) -> None:
    def change(rows: Rows) -> None:
        rows["pages"][0]["image"] = "images/gone.png"

    pages = show(change, lenient=True).entry(3)["pages"]
    assert "images/gone.png cannot be shown: the file is not there" in pages[0]["problem"]
    assert pages[0]["src"] is None
    assert pages[0]["height"] == 2 * pages[0]["width"], "laid out in the proportions that the dataset tells"
    assert (pages[1]["problem"], pages[1]["width"]) == (None, 100)


def test_a_page_that_is_nowhere_is_told_in_place(show: Callable[..., Shown]) -> None:
    def change(rows: Rows) -> None:
        rows["queries"][2]["evidence"][0] = {"page_id": "p99", "document_id": "d9", "box": [1, 2, 3, 4]}

    pages = show(change, lenient=True).entry(3)["pages"]
    assert pages[0]["problem"] == "The dataset names page 'p99', but has no such page."
    assert (pages[0]["title"], pages[0]["page_number"], pages[0]["src"]) == ("d9", None, None)
    assert min(pages[0]["width"], pages[0]["height"]) > 0
    assert pages[1]["problem"] is None


@pytest.mark.parametrize("field", ["width", "height", "document_id", "image"])
def test_a_page_that_lacks_a_field_is_still_described(show: Callable[..., Shown], field: str) -> None:
    def change(rows: Rows) -> None:
        del rows["pages"][0][field]

    pages = show(change, lenient=True).entry(3)["pages"]
    assert pages[0]["page_id"] == "p1"
    assert min(pages[0]["width"], pages[0]["height"]) > 0


def test_an_image_outside_of_the_media_root_is_not_shown(show: Callable[..., Shown], tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(b"secret")

    def change(rows: Rows) -> None:
        rows["pages"][0]["image"] = "../secret.png"

    page = show(change, lenient=True).entry(1)["pages"][0]
    assert page["src"] is None
    assert page["problem"]


def test_the_entries_of_a_lenient_import_carry_the_documents_that_their_evidence_names(
    workspace: Workspace, tmp_path: Path
) -> None:
    """An imported campaign and one started here count the same documents, so their clustered intervals agree."""

    def change(rows: Rows) -> None:
        rows["queries"][2]["evidence"] = [
            {"page_id": "p99", "document_id": "d9"},
            {"page_id": "p3", "document_id": "d2"},
        ]

    from audit_core.storage import campaigns

    dataset = import_bundle(workspace, small_bundle(tmp_path / "b", change), lenient=True).dataset
    start_campaign(workspace, dataset=dataset, name="fresh")
    with workspace.database.read() as connection:
        documents = {
            row.name: {each.query_id: each.document_ids for each in campaigns.entries_of(connection, row.id)}
            for row in campaigns.all_rows(connection)
        }
    assert documents["audit"] == documents["fresh"]
    assert documents["fresh"]["q3"] == ["d9", "d2"]

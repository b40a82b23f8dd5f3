"""Looking things up in a dataset revision."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from audit_core.datasets.build import build_revision
from audit_core.datasets.revision import Revision, open_revision
from audit_core.domain import Box, Document, Evidence, Page
from audit_core.errors import NotFound, StorageError
from audit_core.importers.bundle import read_bundle
from tests.importers.small_bundle import Rows, right_rows, write_bundle_folder


def revision_of(tmp_path: Path, rows: Rows | None = None, *, lenient: bool = False) -> Revision:
    bundle = read_bundle(write_bundle_folder(tmp_path / "bundle", rows, extras=rows is None), lenient=lenient)
    return open_revision(build_revision(bundle, tmp_path / "datasets"))


def test_a_query_comes_with_its_evidence_in_fractions_of_the_page(tmp_path: Path) -> None:
    query = revision_of(tmp_path).query("q2")
    assert (query.text, query.answer, query.evidence_structure) == ("what is two?", None, "Doc-Adjacent")
    assert (query.language, query.generator, query.group_id) == ("en", "hand", "g1")
    assert query.configured_pages == ("p3", "p4")
    assert query.evidence == (
        Evidence("p3", None, None, Box(0.1, 0.1, 0.30125, 0.2), None, 2, "a"),
        Evidence("p4", None, None, None, None, 1, None),
        Evidence("p4", None, "e2", Box(0.005, 0.01125, 0.3, 0.2), "Table Row", 1, None),
    )


def test_evidence_without_a_box_has_that_of_its_element_only_on_the_same_page(tmp_path: Path) -> None:
    rows = right_rows()
    rows["queries"][1]["evidence"][1]["element_id"] = "e1"
    pieces = revision_of(tmp_path, rows, lenient=True).query("q2").evidence
    assert (pieces[1].page_id, pieces[1].box, pieces[1].kind) == ("p4", None, None)
    assert (pieces[2].page_id, pieces[2].kind) == ("p4", "Table Row")


def test_fraction_boxes_are_given_as_they_are(tmp_path: Path) -> None:
    rows = right_rows()
    rows["dataset"]["box_units"] = "fraction"
    rows["queries"][0]["evidence"][0]["box"] = [0.1, 0.2, 0.3, 0.4]
    for element in rows["elements"]:
        element["box"] = [0, 0, 0.5, 0.5]
    rows["queries"][1]["evidence"][0].pop("box")
    assert revision_of(tmp_path, rows).query("q1").evidence[0].box == Box(0.1, 0.2, 0.3, 0.4)


def test_pages_and_documents_are_found_by_id_and_pages_count_from_1(tmp_path: Path) -> None:
    revision = revision_of(tmp_path)
    assert revision.page("p2") == Page("p2", "d1", 2, None, "images/p2.png", 100.0, 200.0)
    assert revision.document("d1") == Document("d1", "wiki", "x", "One", "files/d1.txt", 2, None)
    assert [each.page_id for each in revision.pages_of("d2")] == ["p3", "p4"]
    assert revision.pages_of("nowhere") == []
    rows = right_rows()
    rows["dataset"]["page_numbering"] = "1-based"
    for page in rows["pages"]:
        page["page_index"] += 1
    assert revision_of(tmp_path / "one", rows).page("p2").page_number == 2


@pytest.mark.parametrize("key", ["nowhere", "", "Q1", "q1 ", "\ud800", "a\0b"])
def test_what_is_not_there_is_not_found(key: str, tmp_path: Path) -> None:
    revision = revision_of(tmp_path)
    for look_up in (revision.query, revision.page, revision.document):
        with pytest.raises(NotFound, match="dataset small revision 1"):
            look_up(key)


def test_strata_and_lists_of_queries_follow_the_dataset(tmp_path: Path) -> None:
    revision = revision_of(tmp_path)
    assert revision.strata() == [("wiki", "Page-Single", 1), ("law", "Doc-Adjacent", 1), ("law", "Cross-Doc", 1)]
    assert revision.query_ids() == ["q1", "q2", "q3"]
    assert revision.query_ids("law") == ["q2", "q3"]
    assert revision.query_ids("law", "Cross-Doc") == ["q3"]
    assert revision.query_ids(structure="Page-Single") == ["q1"]
    assert revision.query_ids(offset=1, limit=1) == ["q2"]
    assert revision.query_ids(offset=-1, limit=2**70) == ["q1", "q2", "q3"]
    assert revision.queries_index() == [
        ("q1", "wiki", "Page-Single"), ("q2", "law", "Doc-Adjacent"), ("q3", "law", "Cross-Doc"),
    ]  # fmt: skip
    assert revision.evidence_documents() == {"q1": ("d1",), "q2": ("d2",), "q3": ("d1", "d2")}


def test_a_search_asks_for_all_words_in_text_or_answer(tmp_path: Path) -> None:
    rows = right_rows()
    rows["queries"][0].update(text="Wie hoch ist der Anteil für Geräte?", answer="42 Prozent")
    revision = revision_of(tmp_path, rows)
    assert revision.search("anteil gerate") == ["q1"]
    assert revision.search("hoch prozent") == ["q1"]
    assert revision.search("Anteil three") == []
    assert revision.search("thr") == ["q3"]
    assert revision.search("thr ") == []
    assert revision.search("what is") == ["q2", "q3"]
    assert revision.search("what", limit=1, offset=1) == ["q3"]
    assert revision.search("q2") == ["q2"]


@pytest.mark.parametrize(
    "text",
    [
        '"',
        "'",
        "(",
        "a AND",
        "NOT",
        "NEAR(a b",
        "text : x",
        "-",
        "*",
        "^a",
        "",
        " ",
        "a\0b",
        "\ud800",
        "%",
        "{a}",
        "a" * 9999,
        "日本",
    ],
)
def test_a_search_takes_any_text(text: str, tmp_path: Path) -> None:
    assert isinstance(revision_of(tmp_path).search(text), list)


def test_operators_in_a_search_are_words(tmp_path: Path) -> None:
    rows = right_rows()
    rows["queries"][0]["text"] = "this or that"
    assert revision_of(tmp_path, rows).search("two OR three") == []


def test_many_threads_may_share_one_revision(tmp_path: Path) -> None:
    revision = revision_of(tmp_path)
    found: list[str] = []

    def look() -> None:
        found.extend(revision.query(query_id).text for _ in range(50) for query_id in ("q1", "q2", "q3"))

    threads = [threading.Thread(target=look) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(found) == 8 * 50 * 3


def test_a_lenient_revision_gives_what_there_is(tmp_path: Path) -> None:
    rows = right_rows()
    rows["pages"][2]["width"] = 0
    rows["queries"][2]["evidence"][0] = {"page_id": "lost", "document_id": "d1", "box": [1, 2, 3, 4]}
    rows["queries"][0]["evidence_structure"] = "Doc-Close"
    rows["queries"][0]["text"] = None
    revision = revision_of(tmp_path, rows, lenient=True)
    assert revision.query("q2").evidence[0].box is None
    assert revision.query("q3").evidence[0] == Evidence("lost", "d1", None, None, None, 1, None)
    assert revision.query("q1").text == ""
    assert revision.strata()[0] == ("wiki", "Doc-Close", 1)
    assert revision.evidence_documents()["q3"] == ("d1", "d2")
    kinds = {each["kind"] for each in revision.findings()}
    assert kinds == {"bad_number", "unknown_page", "unknown_value", "missing_value"}
    assert [each["row_key"] for each in revision.findings(kind="unknown_page")] == ["q3"]
    assert len(revision.findings(limit=1, offset=1)) == 1


def test_tables_and_attachments_can_be_read(tmp_path: Path) -> None:
    revision = revision_of(tmp_path)
    assert revision.table("evidence").select("page_id").collect().height == 6
    with pytest.raises(NotFound, match="Choose one of: documents"):
        revision.table("secrets")
    files = {each.name: revision.attachment_files(each) for each in revision.attachments}
    assert all(each.is_file() for names in files.values() for each in names)
    assert revision.counts["runs"] == 1


def test_a_folder_without_a_whole_revision_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="import its bundle again"):
        open_revision(tmp_path / "nowhere")
    revision = revision_of(tmp_path)
    (revision.folder / "index.sqlite").unlink()
    with pytest.raises(StorageError, match=r"index\.sqlite cannot be read"):
        revision.query("q1")
    (revision.folder / "manifest.json").write_text("{}")
    with pytest.raises(StorageError, match=r"manifest\.json cannot be read"):
        open_revision(revision.folder)

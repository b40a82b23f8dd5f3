"""Nothing outside the media root is referenced, and every page file is looked for."""

from __future__ import annotations

import os
from pathlib import Path

import pypdfium2
import pytest

from audit_core.errors import BundleError
from audit_core.importers.bundle import read_bundle
from audit_core.importers.bundle_media import pdf_page_counts
from tests.importers.small_bundle import Rows, right_rows, write_bundle_folder


def write_pdf(path: Path, pages: int) -> None:
    document = pypdfium2.PdfDocument.new()
    for _ in range(pages):
        document.new_page(100, 200)
    document.save(str(path))
    document.close()


def refusal_of(folder: Path) -> list[tuple[str | None, str]]:
    with pytest.raises(BundleError) as refusal:
        read_bundle(folder)
    return [(each.value, each.expected) for each in refusal.value.problems]


def with_image(image: str) -> Rows:
    rows = right_rows()
    rows["pages"][0]["image"] = image
    return rows


def test_the_media_root_of_the_dataset_file_is_honoured_and_can_be_overridden(tmp_path: Path) -> None:
    rows = with_image("../shared/p.png")
    rows["dataset"]["media_root"] = ".."
    folder = write_bundle_folder(tmp_path / "bundle", rows)
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "p.png").write_bytes(b"image")
    bundle = read_bundle(folder)
    assert bundle.info.media_root == tmp_path.resolve()
    assert bundle.pages["image"].to_list()[:2] == ["shared/p.png", "bundle/images/p2.png"]
    assert bundle.documents["uri"].to_list() == ["bundle/files/d1.txt", None]
    with pytest.raises(BundleError, match="below the media root"):
        read_bundle(folder, media_root=folder)


def test_paths_are_normalised_and_different_spellings_are_the_same_content(tmp_path: Path) -> None:
    plain = read_bundle(write_bundle_folder(tmp_path / "plain"))
    spelled = read_bundle(write_bundle_folder(tmp_path / "spelled", with_image("./images/../images//p1.png")))
    assert spelled.pages["image"][0] == "images/p1.png"
    assert spelled.content_hash == plain.content_hash


def test_a_link_that_leaves_the_media_root_is_refused_and_one_inside_is_taken(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "p.png").write_bytes(b"secret")
    folder = write_bundle_folder(tmp_path / "bundle", with_image("images/link.png"))
    os.symlink("p2.png", folder / "images" / "link.png")
    assert read_bundle(folder).pages["image"][0] == "images/link.png"
    (folder / "images" / "link.png").unlink()
    os.symlink(tmp_path / "secret" / "p.png", folder / "images" / "link.png")
    assert [value for value, _ in refusal_of(folder)] == ['"images/link.png"']
    folder = write_bundle_folder(tmp_path / "second", with_image("aside/p.png"))
    os.symlink(tmp_path / "secret", folder / "aside")
    assert "below the media root" in refusal_of(folder)[0][1]
    lenient = read_bundle(folder, lenient=True)
    assert lenient.pages["image"][0] == ""
    os.symlink("nowhere.png", folder / "images" / "dangling.png")
    rows = with_image("images/dangling.png")
    rows["pages"][1]["image"] = "images/p2.png"
    third = write_bundle_folder(tmp_path / "third", rows)
    os.symlink("nowhere.png", third / "images" / "dangling.png")
    assert "exists" in refusal_of(third)[0][1]


def test_a_link_back_out_through_a_linked_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere" / "deep").mkdir(parents=True)
    (tmp_path / "elsewhere" / "p.png").write_bytes(b"secret")
    folder = write_bundle_folder(tmp_path / "bundle", with_image("inner/../p.png"))
    os.symlink(tmp_path / "elsewhere" / "deep", folder / "inner")
    (folder / "p.png").write_bytes(b"by the text of the path, this is the file")
    assert "below the media root" in refusal_of(folder)[0][1]


def test_pages_of_a_pdf_are_counted_and_a_broken_pdf_is_refused(tmp_path: Path) -> None:
    rows = right_rows()
    for page, image in zip(
        rows["pages"], ["a.pdf#page=1", "a.pdf#page=2", "a.pdf#page=3", "b.pdf#page=1"], strict=True
    ):
        page["image"] = image
    folder = write_bundle_folder(tmp_path / "bundle", rows)
    write_pdf(folder / "a.pdf", 2)
    (folder / "b.pdf").write_bytes(b"%PDF-1.7 but no more")
    problems = dict(refusal_of(folder))
    assert problems['"a.pdf#page=3"'] == "a page from 1 to 2, for the PDF has no more"
    assert problems['"b.pdf#page=1"'].startswith("a PDF that can be opened (")
    lenient = read_bundle(folder, lenient=True)
    assert lenient.pages["image"].to_list()[2:] == ["a.pdf#page=3", "b.pdf#page=1"]
    assert sorted(lenient.findings["kind"]) == ["bad_pdf_page", "broken_pdf"]
    write_pdf(folder / "a.pdf", 3)
    write_pdf(folder / "b.pdf", 1)
    assert read_bundle(folder).pages["image"][2] == "a.pdf#page=3"


def test_a_pdf_that_brings_the_library_down_costs_only_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "pdf_page_counts.py"
    program.write_text(
        "import json, os, sys\n"
        "for line in sys.stdin:\n"
        "    if 'bad' in line:\n"
        "        os.abort()\n"
        "    print(json.dumps({'pages': 4}), flush=True)\n"
    )
    monkeypatch.setattr("audit_core.importers.bundle_media.__file__", str(tmp_path / "bundle_media.py"))
    counts = pdf_page_counts(["one.pdf", "bad.pdf", "two.pdf"])
    assert counts == {"one.pdf": 4, "bad.pdf": "the PDF library crashed on it or took too long", "two.pdf": 4}


def test_web_addresses_of_documents_stay_and_missing_files_are_findings(tmp_path: Path) -> None:
    rows = right_rows()
    rows["documents"][0]["uri"] = "https://example.org/a.pdf"
    rows["documents"][1]["uri"] = "files/gone.pdf"
    bundle = read_bundle(write_bundle_folder(tmp_path / "bundle", rows))
    assert bundle.documents["uri"].to_list() == ["https://example.org/a.pdf", "files/gone.pdf"]
    assert bundle.findings.select("kind", "row_key", "value").rows() == [
        ("missing_document_file", "d2", "files/gone.pdf")
    ]
    rows["documents"][0]["uri"] = "file:///etc/passwd"
    bundle = read_bundle(write_bundle_folder(tmp_path / "second", rows))
    assert bundle.documents["uri"][0] == "file:/etc/passwd"
    assert not (bundle.info.media_root / "file:/etc/passwd").exists()

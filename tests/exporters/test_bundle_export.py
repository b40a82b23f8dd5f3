"""What is exported and imported again is the same dataset, byte for byte."""

from __future__ import annotations

import filecmp
import json
from pathlib import Path

import pytest

from audit_core.datasets.build import build_revision
from audit_core.datasets.revision import Revision, open_revision
from audit_core.domain import JsonObject
from audit_core.errors import AssayError, StorageError
from audit_core.exporters import bundle as exporter
from audit_core.exporters.bundle import write_bundle
from audit_core.importers.bundle import read_bundle
from tests.importers.small_bundle import DESIGN, right_rows, write_bundle_folder

JUDGED: dict[str, tuple[list[JsonObject], JsonObject | None]] = {"audit": (right_rows()["judgments/audit"], DESIGN)}
LABELS: dict[str, list[JsonObject]] = {"removal": right_rows()["labels/removal"]}


def revision_of(bundle_folder: Path, root: Path, *, lenient: bool = False) -> Revision:
    return open_revision(build_revision(read_bundle(bundle_folder, lenient=lenient), root))


def files_of(folder: Path) -> list[str]:
    return sorted(str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file())


def assert_same(first: Path, second: Path) -> None:
    assert files_of(first) == files_of(second)
    _, different, odd = filecmp.cmpfiles(first, second, files_of(first), shallow=False)
    assert (different, odd) == ([], [])


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
@pytest.mark.parametrize("media", ["copy", "refer"])
def test_a_round_trip_keeps_the_content_and_the_second_export_is_the_first(
    form: str, media: str, tmp_path: Path
) -> None:
    source = read_bundle(write_bundle_folder(tmp_path / "bundle", extras=True))
    revision = revision_of(tmp_path / "bundle", tmp_path / "one")
    first = write_bundle(revision, tmp_path / "first", judgments=JUDGED, labels=LABELS, form=form, media=media)
    again = read_bundle(first)
    assert again.content_hash == source.content_hash
    assert again.judgments["audit"].hash == source.judgments["audit"].hash
    assert again.labels["removal"].hash == source.labels["removal"].hash
    assert again.warnings == []
    assert (first / "images").is_dir() == (media == "copy")
    assert ("media_root" in json.loads((first / "dataset.json").read_text())) == (media == "refer")
    second = write_bundle(
        revision_of(first, tmp_path / "two"),
        tmp_path / "second",
        judgments=JUDGED,
        labels=LABELS,
        form=form,
        media=media,
    )
    assert_same(first, second)


def test_exported_lines_are_the_imported_ones(tmp_path: Path) -> None:
    rows = right_rows()
    rows["queries"][0]["text"] = 'a\u2028b \u0085 é "q" \\ 007'
    rows["queries"][1]["evidence"][0]["box"] = [0.1, 1 / 3, 1e-7, 123.456789012345678]
    rows["queries"][1]["evidence"][0]["box"][2] = 77.00000000000001
    write_bundle_folder(tmp_path / "bundle", rows)
    revision = revision_of(tmp_path / "bundle", tmp_path / "one")
    folder = write_bundle(revision, tmp_path / "out", judgments=JUDGED, labels=LABELS, media="copy")
    for table in ("documents", "pages", "elements", "queries", "judgments/audit", "labels/removal"):
        written = [json.loads(line) for line in (folder / f"{table}.jsonl").read_text("utf-8").split("\n") if line]
        assert written == rows[table], table
    assert "\u2028".encode() in (folder / "queries.jsonl").read_bytes()


def test_an_export_into_a_filled_folder_or_under_a_bad_name_is_refused(tmp_path: Path) -> None:
    write_bundle_folder(tmp_path / "bundle")
    revision = revision_of(tmp_path / "bundle", tmp_path / "one")
    with pytest.raises(AssayError, match="not an empty folder"):
        write_bundle(revision, tmp_path / "bundle", judgments={}, labels={})
    for name in ("../x", "a/b", "", ".hidden", "a\\b"):
        with pytest.raises(AssayError, match="cannot be the name of a file"):
            write_bundle(revision, tmp_path / "out", judgments={name: ([], None)}, labels={})
    with pytest.raises(AssayError, match="no form 'csv'"):
        write_bundle(revision, tmp_path / "out", judgments={}, labels={}, form="csv")
    with pytest.raises(AssayError, match="Choose one of: copy, refer"):
        write_bundle(revision, tmp_path / "out", judgments={}, labels={}, media="move")
    assert not (tmp_path / "out").exists()
    (tmp_path / "empty").mkdir()
    assert read_bundle(write_bundle(revision, tmp_path / "empty", judgments={}, labels={})).counts["queries"] == 3


def test_a_page_file_named_like_a_table_cannot_be_copied(tmp_path: Path) -> None:
    rows = right_rows()
    rows["pages"][0]["image"] = "queries.jsonl"
    write_bundle_folder(tmp_path / "bundle", rows)
    revision = revision_of(tmp_path / "bundle", tmp_path / "one")
    with pytest.raises(AssayError, match="has the name of a table"):
        write_bundle(revision, tmp_path / "out", judgments={}, labels={}, media="copy")
    assert not (tmp_path / "out").exists()


def test_a_full_disk_leaves_no_half_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    write_bundle_folder(tmp_path / "bundle")
    revision = revision_of(tmp_path / "bundle", tmp_path / "one")
    monkeypatch.setattr(exporter, "_write_tables", full)
    (tmp_path / "place").mkdir()
    with pytest.raises(StorageError, match="is full; nothing was kept"):
        write_bundle(revision, tmp_path / "place" / "out", judgments={}, labels={})
    assert list((tmp_path / "place").iterdir()) == []


def test_an_exported_link_in_a_documents_folder_is_not_followed(tmp_path: Path) -> None:
    rows = right_rows()
    rows["documents"][0]["uri"] = "files"
    folder = write_bundle_folder(tmp_path / "bundle", rows)
    (tmp_path / "secret").write_text("secret")
    (folder / "files" / "link.txt").symlink_to(tmp_path / "secret")
    revision = revision_of(folder, tmp_path / "one")
    out = write_bundle(revision, tmp_path / "out", judgments={}, labels={}, media="copy")
    assert (out / "files" / "d1.txt").is_file()
    assert not (out / "files" / "link.txt").exists()


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
@pytest.mark.parametrize(("name", "lenient"), [("pdf_audit", False), ("pdf_census", True)])
def test_the_real_bundles_make_the_round_trip(
    name: str, lenient: bool, form: str, real_data: Path, tmp_path: Path
) -> None:
    source = read_bundle(real_data / name, lenient=lenient)
    revision = open_revision(build_revision(source, tmp_path / "one"))
    first = write_bundle(revision, tmp_path / "first", judgments={}, labels={}, form=form)
    assert read_bundle(first, lenient=lenient).content_hash == source.content_hash
    again = revision_of(first, tmp_path / "two", lenient=lenient)
    second = write_bundle(again, tmp_path / "second", judgments={}, labels={}, form=form)
    assert_same(first, second)
    if form == "jsonl" and not lenient:
        written = [json.loads(line) for line in (first / "queries.jsonl").read_text("utf-8").split("\n") if line]
        original = [
            json.loads(line) for line in (real_data / name / "queries.jsonl").read_text("utf-8").split("\n") if line
        ]
        for query in original:
            for piece in query["evidence"]:
                if piece.get("relevance") == 1:
                    del piece["relevance"]
        assert written == original

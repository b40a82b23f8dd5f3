"""A dataset revision is there whole or not at all."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from audit_core.datasets import build
from audit_core.datasets.aside import LOCK_FILE, PREFIX, built_aside, write_parquet
from audit_core.datasets.build import build_revision, sweep_unfinished
from audit_core.datasets.revision import open_revision
from audit_core.errors import StorageError
from audit_core.importers.bundle import Bundle, read_bundle
from tests.importers.small_bundle import right_rows, write_bundle_folder


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    return read_bundle(write_bundle_folder(tmp_path / "bundle", extras=True))


def test_a_revision_is_a_folder_named_by_its_content(bundle: Bundle, tmp_path: Path) -> None:
    told: list[float] = []
    folder = build_revision(bundle, tmp_path / "datasets", progress=lambda step, part: told.append(part))
    assert folder == tmp_path / "datasets" / bundle.content_hash
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert sorted(str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file()) == [
        "attachments/embeddings/model.ids.txt", "attachments/embeddings/model.npy", "attachments/runs/bm25.trec",
        "documents.parquet", "elements.parquet", "evidence.parquet", "findings.parquet", "index.sqlite", "manifest.json",
        "pages.parquet", "queries.parquet",
    ]  # fmt: skip
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["content_hash"] == bundle.content_hash
    assert manifest["media_root"] == str((tmp_path / "bundle").resolve())
    assert manifest["counts"]["queries"] == 3
    assert list((tmp_path / "datasets").iterdir()) == [folder]


def test_a_revision_that_is_there_is_left_untouched(bundle: Bundle, tmp_path: Path) -> None:
    folder = build_revision(bundle, tmp_path)
    before = {each: each.stat().st_mtime_ns for each in folder.rglob("*")}
    assert build_revision(bundle, tmp_path) == folder
    assert {each: each.stat().st_mtime_ns for each in folder.rglob("*")} == before


@pytest.mark.parametrize(
    "failure",
    [
        OSError(28, "No space left on device"),
        sqlite3.OperationalError("database or disk is full"),
    ],
)
@pytest.mark.parametrize("stage", ["_write_tables", "write_index", "_bring_attachments", "manifest_of"])
def test_a_full_disk_leaves_nothing_and_says_what_to_do(
    stage: str, failure: Exception, bundle: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise failure

    monkeypatch.setattr(build, stage, full)
    with pytest.raises(StorageError, match=r"is full; nothing was kept\. Free some space"):
        build_revision(bundle, tmp_path / "datasets")
    assert list((tmp_path / "datasets").iterdir()) == []


def test_a_full_disk_is_told_from_other_errors_of_the_table_writer(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with pytest.raises(OSError, match="No space left") as failure:
        write_parquet(pl.DataFrame({"a": range(100_000)}), Path("/dev/full"))
    assert failure.value.errno == errno.ENOSPC


@pytest.mark.parametrize("failure", [RuntimeError("a fault of the program"), KeyboardInterrupt()])
def test_any_other_failure_leaves_nothing_too(
    failure: BaseException, bundle: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise failure

    monkeypatch.setattr(build, "write_index", fail)
    with pytest.raises(type(failure)):
        build_revision(bundle, tmp_path / "datasets")
    assert list((tmp_path / "datasets").iterdir()) == []


def test_a_folder_that_cannot_be_written_says_so(bundle: Bundle, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError, match="cannot be written"):
        build_revision(bundle, tmp_path / "file" / "datasets")


_BUILDER = """
import signal, sys, os
from pathlib import Path
from audit_core.datasets import build
from audit_core.importers.bundle import read_bundle

def hang(*_, **__):
    print("half-way", flush=True)
    signal.pause()

build._bring_attachments = hang
build.build_revision(read_bundle(Path(sys.argv[1])), Path(sys.argv[2]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kills with a POSIX signal")
def test_a_builder_killed_half_way_leaves_no_revision_and_is_swept(bundle: Bundle, tmp_path: Path) -> None:
    root = tmp_path / "datasets"
    command = [sys.executable, "-c", _BUILDER, str(bundle.folder), str(root)]
    environment = {**os.environ, "PYTHONPATH": str(Path(build.__file__).parents[2])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as builder:
        assert builder.stdout is not None
        try:
            assert builder.stdout.readline() == "half-way\n"
            aside = list(root.iterdir())
            assert [each.name.startswith(PREFIX) for each in aside] == [True]
            assert (aside[0] / "queries.parquet").exists()
            assert sweep_unfinished(root) == []
        finally:
            os.kill(builder.pid, signal.SIGKILL)
    assert [each.name for each in root.iterdir()] == [aside[0].name]
    assert sweep_unfinished(root) == aside
    assert list(root.iterdir()) == []
    assert build_revision(bundle, root).is_dir()


def test_a_lock_of_an_earlier_process_with_the_same_number_does_not_hold(tmp_path: Path) -> None:
    aside = tmp_path / f"{PREFIX}x"
    aside.mkdir()
    (aside / LOCK_FILE).write_text(json.dumps({"pid": os.getpid(), "started": "another boot"}))
    assert sweep_unfinished(tmp_path) == [aside]


def test_a_folder_without_a_lock_is_swept_only_when_it_is_old(tmp_path: Path) -> None:
    aside = tmp_path / f"{PREFIX}x"
    aside.mkdir()
    assert sweep_unfinished(tmp_path) == []
    old = time.time() - 3_600
    os.utime(aside, (old, old))
    (tmp_path / "other").mkdir()
    assert sweep_unfinished(tmp_path) == [aside]
    assert sweep_unfinished(tmp_path / "nowhere") == []


def test_of_two_builders_of_the_same_content_the_first_stays(tmp_path: Path) -> None:
    target = tmp_path / "same"
    with built_aside(target, keep_existing=True) as second:
        (second / "who").write_text("second")
        with built_aside(target) as first:
            (first / "who").write_text("first")
    assert (target / "who").read_text() == "first"
    assert list(tmp_path.iterdir()) == [target]
    with pytest.raises(StorageError, match="cannot be written"), built_aside(target) as third:
        (third / "who").write_text("third")
    assert (target / "who").read_text() == "first"


def test_the_media_of_an_upload_go_with_the_revision_which_can_be_moved(tmp_path: Path) -> None:
    rows = right_rows()
    rows["pages"][1]["image"] = "images/gone.png"
    folder = write_bundle_folder(tmp_path / "upload", rows)
    (folder / "images" / "unused.png").write_bytes(b"x")
    bundle = read_bundle(folder, media_root=folder, lenient=True)
    revision = build_revision(bundle, tmp_path / "home" / "datasets", media=folder)
    shutil.rmtree(folder)
    assert open_revision(revision).media_root == revision / "media"
    shutil.move(tmp_path / "home", tmp_path / "moved")
    opened = open_revision(tmp_path / "moved" / "datasets" / bundle.content_hash)
    kept = sorted(str(each.relative_to(opened.media_root)) for each in opened.media_root.rglob("*") if each.is_file())
    assert kept == ["files/d1.txt", "images/p1.png", "images/p3.png", "images/p4.png"]
    assert (opened.media_root / opened.page("p1").image).read_bytes() == b"image"
    assert opened.manifest.is_lenient
    assert opened.manifest.finding_counts == {"missing_image": 1}


def test_a_revision_whose_page_files_were_moved_away_points_to_where_the_bundle_has_them_now(tmp_path: Path) -> None:
    first = write_bundle_folder(tmp_path / "first")
    folder = build_revision(read_bundle(first), tmp_path / "datasets")
    moved = tmp_path / "second"
    first.rename(moved)
    assert build_revision(read_bundle(moved), tmp_path / "datasets") == folder
    assert open_revision(folder).media_root == moved


def test_a_revision_whose_page_files_are_in_place_keeps_pointing_to_them(tmp_path: Path) -> None:
    first = write_bundle_folder(tmp_path / "first")
    folder = build_revision(read_bundle(first), tmp_path / "datasets")
    build_revision(read_bundle(write_bundle_folder(tmp_path / "second")), tmp_path / "datasets")
    assert open_revision(folder).media_root == first

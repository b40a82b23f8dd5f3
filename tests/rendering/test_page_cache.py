from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path

import pytest
from made_pages import MakeImages, pdf_bytes, write

from audit_core.errors import PageUnavailable, StorageError
from audit_core.rendering.file_ledger import FileLedger
from audit_core.rendering.page_cache import PageCache


def put(cache: PageCache, name: str, size: int = 1000) -> Path:
    aside = cache.place_aside()
    aside.write_bytes(b"x" * size)
    return cache.keep(aside, name)


def names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def test_the_least_recently_used_files_go_when_the_bound_is_passed(tmp_path: Path) -> None:
    cache = PageCache(tmp_path, limit_bytes=10_000)
    for number in range(10):
        put(cache, f"{number}")
    assert cache.total_bytes == 10_000
    assert cache.find("0") == tmp_path / "0"  # used again: 1 is the oldest now
    put(cache, "10", size=2000)
    assert names(tmp_path) == {"0", "3", "4", "5", "6", "7", "8", "9", "10"}
    assert cache.total_bytes == 10_000
    assert cache.find("1") is None


def test_the_newest_files_stay_though_they_pass_the_bound(tmp_path: Path) -> None:
    cache = PageCache(tmp_path, limit_bytes=1)
    for number in range(20):
        put(cache, f"{number:02}")
    assert names(tmp_path) == {f"{number:02}" for number in range(12, 20)}
    assert cache.total_bytes == 8000


def test_the_order_of_use_outlives_a_restart_and_a_smaller_bound_is_applied_at_once(tmp_path: Path) -> None:
    cache = PageCache(tmp_path, limit_bytes=100_000)
    for number in range(12):
        os.utime(put(cache, f"{number}"), (1_000_000 + number, 1_000_000 + number))
    cache.find("0")
    again = PageCache(tmp_path, limit_bytes=9_000)
    assert names(tmp_path) == {"0", "4", "5", "6", "7", "8", "9", "10", "11"}
    assert again.total_bytes == 9000


def test_files_that_others_removed_added_or_emptied_are_seen(tmp_path: Path) -> None:
    cache = PageCache(tmp_path, limit_bytes=100_000)
    put(cache, "gone").unlink()
    put(cache, "emptied").write_bytes(b"")
    (tmp_path / "added").write_bytes(b"12345")
    assert cache.find("gone") is None
    assert cache.find("emptied") is None
    assert cache.find("added") == tmp_path / "added"
    assert cache.total_bytes == 5


def test_a_file_that_is_replaced_counts_once(tmp_path: Path) -> None:
    cache = PageCache(tmp_path, limit_bytes=100_000)
    put(cache, "a", size=1000)
    put(cache, "a", size=300)
    assert cache.total_bytes == 300


def test_what_an_ended_process_left_aside_is_removed_when_it_is_old(tmp_path: Path) -> None:
    old, new = tmp_path / "old.part", tmp_path / "new.part"
    for file in (old, new):
        file.write_bytes(b"half a page")
    os.utime(old, (time.time() - 7200, time.time() - 7200))
    assert PageCache(tmp_path, limit_bytes=100_000).total_bytes == 0
    assert names(tmp_path) == {"new.part"}


def test_a_folder_that_cannot_be_used_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StorageError, match="make the folder writable"):
        PageCache(tmp_path / "file" / "cache", limit_bytes=1)


def test_drawn_pages_that_went_are_drawn_again(media: Path, make_images: MakeImages) -> None:
    images = make_images(cache_bytes=1)
    write(media / "a.pdf", pdf_bytes([("/MediaBox [0 0 72 72]", "")] * 12))
    keys = [images.describe(media, f"a.pdf#page={page}").key for page in range(1, 13)]
    paths = [images.content(media, f"a.pdf#page={page}", key=keys[page - 1])[0] for page in range(1, 13)]
    assert [path.is_file() for path in paths] == [False] * 4 + [True] * 8
    assert images.content(media, "a.pdf#page=1", key=keys[0])[0].is_file()


def test_a_cache_that_cannot_be_written_is_reported_as_such(media: Path, make_images: MakeImages) -> None:
    images = make_images()
    write(media / "a.pdf", pdf_bytes([("/MediaBox [0 0 72 72]", "")]))
    key = images.describe(media, "a.pdf#page=1").key
    (media.parent / "cache" / "pages").rmdir()
    with pytest.raises(PageUnavailable, match="the page cache cannot be written"):
        images.content(media, "a.pdf#page=1", key=key)


def test_a_list_of_files_that_is_none_is_refused_with_what_to_do(tmp_path: Path) -> None:
    file = write(tmp_path / "files.sqlite", b"this is no database, but long enough to be looked at" * 20)
    with pytest.raises(StorageError, match=r"files.sqlite cannot be used .*: delete it and start again"):
        FileLedger(file)


def test_pages_are_shown_though_the_list_of_files_cannot_be_written(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ledger = FileLedger(tmp_path / "files.sqlite")
    page = write(tmp_path / "a.png", b"content")
    ledger._database.execute("DROP TABLE content")
    digest = "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73"  # printf content | sha256sum
    assert ledger.content_hash(page) == ledger.content_hash(page) == digest
    assert "no such table: content" in caplog.text
    ledger.close()


def test_two_processes_may_keep_one_list(tmp_path: Path) -> None:
    page = write(tmp_path / "a.png", b"content")
    one, other = FileLedger(tmp_path / "files.sqlite"), FileLedger(tmp_path / "files.sqlite")
    assert one.first_shown(tmp_path, page, "aa") == other.first_shown(tmp_path, page, "bb")
    one.close()
    other.close()
    with sqlite3.connect(tmp_path / "files.sqlite") as database:
        assert database.execute("SELECT count(*) FROM first_shown").fetchone() == (1,)
    database.close()

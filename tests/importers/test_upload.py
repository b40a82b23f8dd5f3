"""An uploaded archive can do nothing but bring one bundle of plain files."""

from __future__ import annotations

import stat
import struct
import zipfile
from pathlib import Path

import pytest

from audit_core.errors import BundleError, StorageError
from audit_core.importers import upload
from audit_core.importers.bundle import read_bundle
from audit_core.importers.upload import unpack
from tests.importers.small_bundle import write_bundle_folder

LIMIT = 1_000_000


def zipped(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def refused(archive: Path, into: Path, match: str, max_bytes: int = LIMIT) -> None:
    with pytest.raises(BundleError, match=match):
        unpack(archive, into, max_bytes=max_bytes)
    assert [each for each in into.rglob("*") if each.is_file()] == []


@pytest.mark.parametrize("top", ["", "small/", "a/b/"])
def test_a_zipped_bundle_is_unpacked_wherever_it_lies_in_the_archive(top: str, tmp_path: Path) -> None:
    folder = write_bundle_folder(tmp_path / "bundle", extras=True)
    members = {f"{top}{each.relative_to(folder)}": each.read_bytes() for each in folder.rglob("*") if each.is_file()}
    members |= {"__MACOSX/._dataset.json": b"x", f"{top}.DS_Store": b"x"}
    unpacked = unpack(zipped(tmp_path / "a.zip", members), tmp_path / "into", max_bytes=LIMIT)
    assert unpacked.is_relative_to(tmp_path / "into")
    bundle = read_bundle(unpacked, media_root=unpacked)
    assert bundle.content_hash == read_bundle(folder).content_hash
    assert not list((tmp_path / "into").rglob(".DS_Store"))


ATTACKS = [
    "../out.txt", "a/../../out.txt", "/etc/out.txt", "C:/out.txt", "..\\out.txt", "a\\b.txt", "a:b", "a\nb", "..", "x" * 1001,
]  # fmt: skip


@pytest.mark.parametrize("name", ATTACKS)
def test_a_path_that_leaves_the_folder_or_is_not_portable_is_refused(name: str, tmp_path: Path) -> None:
    archive = zipped(tmp_path / "a.zip", {"dataset.json": b"{}", name: b"x"})
    refused(archive, tmp_path / "into", "may not be unpacked")


def test_a_name_with_a_hidden_end_is_refused(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "a.zip", {"dataset.json": b"{}", "abcQ.txt": b"x"})
    archive.write_bytes(archive.read_bytes().replace(b"abcQ.txt", b"abc\0.txt"))
    refused(archive, tmp_path / "into", "may not be unpacked")


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_devices_are_refused(kind: int, tmp_path: Path) -> None:
    archive = zipped(tmp_path / "a.zip", {"dataset.json": b"{}"})
    with zipfile.ZipFile(archive, "a") as more:
        member = zipfile.ZipInfo("pages.jsonl")
        member.create_system = 3
        member.external_attr = (kind | 0o777) << 16
        more.writestr(member, "/etc/passwd")
    refused(archive, tmp_path / "into", "link or a device")


def test_encrypted_files_are_refused(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "a.zip", {"dataset.json": b"{}"})
    raw = bytearray(archive.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        raw[raw.index(signature) + offset] |= 1
    archive.write_bytes(bytes(raw))
    refused(archive, tmp_path / "into", "encrypted")


def test_bytes_are_counted_while_they_are_written(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "a.zip", {"dataset.json": b"{}", "pages.jsonl": b"0" * 3_000_000})
    assert archive.stat().st_size < 10_000
    refused(archive, tmp_path / "into", "more than 1 MB once unpacked")
    unpack(archive, tmp_path / "again", max_bytes=3_000_002)


def test_a_header_that_understates_its_size_gains_nothing(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "a.zip", {"dataset.json": b"{}", "pages.jsonl": b"0" * 3_000_000})
    raw = archive.read_bytes().replace(struct.pack("<L", 3_000_000), struct.pack("<L", 10))
    archive.write_bytes(raw)
    refused(archive, tmp_path / "into", "cannot? be read|not a zip archive")


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "MOST_MEMBERS", 2)
    archive = zipped(tmp_path / "a.zip", {"dataset.json": b"{}", "a": b"", "b": b""})
    refused(archive, tmp_path / "into", "holds 3 files, more than 2")


@pytest.mark.parametrize(
    ("members", "match"),
    [
        ({"pages.jsonl": b""}, "holds no dataset.json"),
        ({"a/dataset.json": b"{}", "b/dataset.json": b"{}"}, "holds 2 files dataset.json"),
        ({"dataset.json": b"{}", "A.png": b"", "a.png": b""}, "is in the upload twice"),
        ({"dataset.json": b"{}", "a": b"", "a/b": b""}, "cannot? be read|not a zip archive"),
    ],
)
def test_an_archive_that_is_not_one_bundle_is_refused(members: dict[str, bytes], match: str, tmp_path: Path) -> None:
    refused(zipped(tmp_path / "a.zip", members), tmp_path / "into", match)


def test_a_file_that_is_no_archive_or_a_cut_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"no archive")
    refused(tmp_path / "a.zip", tmp_path / "one", "not a zip archive")
    archive = zipped(tmp_path / "b.zip", {"dataset.json": b"{}" * 100, "pages.jsonl": bytes(range(256)) * 100})
    raw = bytearray(archive.read_bytes())
    raw[200] ^= 0xFF
    archive.write_bytes(bytes(raw))
    refused(archive, tmp_path / "two", "not a zip archive")


def test_a_full_disk_is_a_storage_error_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(upload, "_write", full)
    archive = zipped(tmp_path / "a.zip", {"dataset.json": b"{}"})
    with pytest.raises(StorageError, match="free some space"):
        unpack(archive, tmp_path / "into", max_bytes=LIMIT)
    assert list((tmp_path / "into").iterdir()) == []

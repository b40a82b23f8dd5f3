"""Unpacks an uploaded bundle: nothing but plain files, nothing outside its folder, nothing beyond the limit."""

from __future__ import annotations

import lzma
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from audit_core.errors import BundleError, StorageError
from audit_core.importers.bundle_info import INFO_FILE

MOST_MEMBERS = 500_000
LONGEST_PATH = 1_000
_COPY_BYTES = 1024 * 1024
_ENCRYPTED = 0x1
_BROKEN = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, UnicodeError)
_FORBIDDEN = set('\\:*?"<>|') | {chr(code) for code in range(32)}


def unpack(zip_path: Path, into: Path, *, max_bytes: int) -> Path:
    """Unpack a zipped bundle below the folder `into` and return the bundle's folder.

    The bundle may lie at the top of the archive or in one of its folders. Bytes are counted while they are written, for
    what an archive says of its own size proves nothing. What was written is removed on any error.

    Raises:
        BundleError: the file is not a zip archive or is broken; a member leaves the folder, is a link, is encrypted or
            is there twice; there are too many members or bytes; there is not exactly one dataset.json.
        StorageError: the disk is full or cannot be written.
    """
    target = into / "bundle"
    target.mkdir(parents=True)
    try:
        with zipfile.ZipFile(zip_path) as archive:
            folder = _bundle_folder(_checked(archive))
            written = 0
            for member, path in _checked(archive):
                written = _write(archive, member, target / path, written, max_bytes)
        return target / folder
    except (*_BROKEN, FileExistsError, NotADirectoryError, IsADirectoryError) as error:
        shutil.rmtree(target, ignore_errors=True)
        raise BundleError(
            f"The upload is not a zip archive that can be read ({error}): zip the folder again."
        ) from error
    except OSError as error:
        shutil.rmtree(target, ignore_errors=True)
        raise StorageError(
            f"The upload cannot be unpacked into {into} ({error}): free some space and try again."
        ) from error
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise


def _checked(archive: zipfile.ZipFile) -> Iterator[tuple[zipfile.ZipInfo, PurePosixPath]]:
    """Yield the files of an archive with their paths; folders and what systems add on their own are passed over."""
    members = archive.infolist()
    if len(members) > MOST_MEMBERS:
        raise BundleError(
            f"The zip holds {len(members):,} files, more than {MOST_MEMBERS:,}: unpack it and import the folder with `python -m audit_core import`."
        )
    seen: set[str] = set()
    for member in members:
        path = _safe_path(member)
        if member.is_dir() or path.parts[0] == "__MACOSX" or path.name == ".DS_Store":
            continue
        if member.flag_bits & _ENCRYPTED:
            raise BundleError(f"{member.filename} in the upload is encrypted: zip the folder without a password.")
        # Some disks do not tell upper from lower case, so two such names would be one file.
        name = str(path).casefold()
        if name in seen:
            raise BundleError(f"{member.filename} is in the upload twice: zip the folder again.")
        seen.add(name)
        yield member, path


def _safe_path(member: zipfile.ZipInfo) -> PurePosixPath:
    # `filename` is cut at a NUL and has the system's separators replaced; the original is what the archive says.
    name = member.orig_filename
    path = PurePosixPath(name)
    leaves = path.is_absolute() or ".." in path.parts or not path.parts
    if leaves or len(name) > LONGEST_PATH or set(name) & _FORBIDDEN:
        raise BundleError(
            f"The zip holds a file named {name[:80]!r}, which may not be unpacked: use relative paths inside the "
            'bundle, without `..` and without any of \\ : * ? " < > |.'
        )
    mode = member.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise BundleError(f"{name[:80]} in the upload is a link or a device: put the file itself into the archive.")
    return path


def _bundle_folder(members: Iterator[tuple[zipfile.ZipInfo, PurePosixPath]]) -> PurePosixPath:
    found = [path.parent for _, path in members if path.name == INFO_FILE]
    if not found:
        raise BundleError(f"The zip holds no {INFO_FILE}: zip the folder of a bundle.")
    if len(found) > 1:
        places = ", ".join(str(each) for each in found[:5])
        raise BundleError(f"The zip holds {len(found)} files {INFO_FILE} (in {places}): zip one bundle at a time.")
    return found[0]


def _write(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, written: int, max_bytes: int) -> int:
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(member) as source, target.open("xb") as stream:
        while block := source.read(_COPY_BYTES):
            written += len(block)
            if written > max_bytes:
                raise BundleError(
                    f"The zip holds more than {max_bytes / 1_000_000:,.0f} MB once unpacked: unpack it and import the folder "
                    "with `python -m audit_core import`, or raise ASSAY_MAX_UPLOAD_MB."
                )
            stream.write(block)
    return written

"""Proof that runs, embeddings and page files are the same on both sides, but for the rows of queries that lost theirs."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from audit_core.datasets.media import media_files
from audit_core.importers.bundle_runs import COLUMNS, read_run
from audit_core.release.comparing import Difference, Findings, compare_tables, shown
from audit_core.release.corrected import is_one_of
from audit_core.release.sides import Advance, Side

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from audit_core.importers.bundle_attachments import Attachment

_RUN_COLUMNS = [name for name, _ in COLUMNS]
_BLOCK = 1 << 20
_VECTORS_AT_ONCE = 20_000


def prove_attachments(old: Side, new: Side, gone: Collection[str], findings: Findings, advance: Advance) -> None:
    """Compare runs and embeddings; those of queries in `gone` must have no row any more, and one without rows may be left out."""
    here = {(each.kind, each.name): each for each in new.attachments}
    for number, each in enumerate(old.attachments):
        found = here.pop((each.kind, each.name), None)
        if found is None:
            _missing(old, each, gone, findings)
        elif each.kind == "run":
            _prove_run(old.attachment_files(each)[0], new.attachment_files(found)[0], gone, found.files[0], findings)
        else:
            _prove_embedding(old.attachment_files(each), new.attachment_files(found), gone, found.files, findings)
        advance((number + 1) / len(old.attachments))
    for extra in here.values():
        findings.say(extra.files[0], f"OLD has no {extra.kind} {extra.name}, and the ledger adds none")


def _missing(old: Side, attachment: Attachment, gone: Collection[str], findings: Findings) -> None:
    if attachment.kind == "run":
        blocks = read_run(old.attachment_files(attachment)[0], attachment.files[0])
        left = sum(block.filter(~is_one_of("query_id", gone)).height for block in blocks)
    else:
        left = sum(each not in gone for each in _ids(old.attachment_files(attachment)[1]))
    if left:
        findings.say(
            attachment.files[0],
            f"the {attachment.kind} is missing; {left:,} of its rows are of queries that kept theirs",
        )
    else:
        findings.notes.append(
            f"The {attachment.kind} {attachment.name} is left out: no row of it is of a query that kept its rows."
        )


def _prove_run(old: Path, new: Path, gone: Collection[str], file: str, findings: Findings) -> None:
    are_lines = old.suffix == new.suffix == ".trec"
    first = _first_other_line(old, new, gone) if are_lines else None
    if (are_lines and first is None) or (not are_lines and _same_blocks(old, new, gone, file)):
        return
    before, notes = findings.total, len(findings.notes)
    expected = _whole(block.filter(~is_one_of("query_id", gone)) for block in read_run(old, file))
    compare_tables(
        expected, _whole(read_run(new, file)), keys=("query_id", "page_id"), columns=_RUN_COLUMNS, file=file,
        findings=findings,
    )  # fmt: skip
    if first is None or findings.total > before:
        return
    if len(findings.notes) == notes or sorted(_lines(old, gone)) != sorted(_lines(new, ())):
        number, one, other = first
        message = f"found {shown(other)}; expected {shown(one)} (the same page, rank and score, spelled otherwise)"
        findings.add(Difference(file, number, None, None, message))


def _lines(place: Path, gone: Collection[str]) -> Iterator[bytes]:
    left = {each.encode("utf-8") for each in gone}
    with place.open("rb") as lines:
        for line in lines:
            if not left or line.split(None, 1)[0] not in left:
                yield line


def _first_other_line(old: Path, new: Path, gone: Collection[str]) -> tuple[int, bytes | None, bytes | None] | None:
    """Return the first line in which a run differs from the old one without `gone`: its number and both; None where none does."""
    for number, (one, other) in enumerate(zip_longest(_lines(old, gone), _lines(new, ())), start=1):
        if one != other:
            return number, one, other
    return None


def _same_blocks(old: Path, new: Path, gone: Collection[str], file: str) -> bool:
    """Return whether a run is the old one without `gone`, row by row in its order, held against it a block at a time."""
    import polars as pl

    expected = (block.filter(~is_one_of("query_id", gone)) for block in read_run(old, file))
    found = read_run(new, file)
    one = other = pl.DataFrame(
        schema=dict(zip(_RUN_COLUMNS, (pl.String, pl.String, pl.Int64, pl.Float64), strict=True))
    )
    while True:
        if one.is_empty():
            one = next((each for each in expected if each.height), one)
        if other.is_empty():
            other = next((each for each in found if each.height), other)
        rows = min(one.height, other.height)
        if rows == 0:
            return one.height == other.height
        if not one.head(rows).equals(other.head(rows)):
            return False
        one, other = one.slice(rows), other.slice(rows)


def _whole(blocks: Iterator[pl.DataFrame]) -> pl.DataFrame:
    import polars as pl

    empty = pl.DataFrame(schema=dict(zip(_RUN_COLUMNS, (pl.String, pl.String, pl.Int64, pl.Float64), strict=True)))
    return pl.concat([empty, *blocks])


def _ids(place: Path) -> list[str]:
    ids = [line.removesuffix("\r") for line in place.read_bytes().decode("utf-8").split("\n")]
    return ids[:-1] if ids and ids[-1] == "" else ids


def _prove_embedding(
    old: list[Path], new: list[Path], gone: Collection[str], files: tuple[str, ...], findings: Findings
) -> None:
    import numpy as np

    one, other = (np.load(each[0], mmap_mode="r", allow_pickle=False) for each in (old, new))
    own = {each: row for row, each in enumerate(_ids(old[1])) if each not in gone}
    ids = _ids(new[1])
    if one.shape[1] != other.shape[1]:
        findings.say(files[0], f"the vectors have {other.shape[1]:,} numbers; expected {one.shape[1]:,}")
        return
    for each in sorted(own.keys() - set(ids)):
        findings.add(Difference(files[1], None, f"query_id {each!r}", None, "the row is missing"))
    rows = [(row, own[each], each) for row, each in enumerate(ids) if each in own]
    for row, each in enumerate(ids):
        if each not in own:
            message = "the row is not in OLD, or is of a query that lost its vector"
            findings.add(Difference(files[1], row + 1, f"query_id {each!r}", None, message))
    _compare_vectors(one, other, rows, files[0], findings)
    if [each for _, _, each in rows] != [each for each in own if each in set(ids)]:
        findings.say_reordered(files[1])


def _compare_vectors(
    one: NDArray[np.float32],
    other: NDArray[np.float32],
    rows: list[tuple[int, int, str]],
    file: str,
    findings: Findings,
) -> None:
    """Compare vectors bit by bit; `rows` are (row found, row expected, query)."""
    import numpy as np

    for start in range(0, len(rows), _VECTORS_AT_ONCE):
        part = rows[start : start + _VECTORS_AT_ONCE]
        found = np.ascontiguousarray(other[[each[0] for each in part]]).view(np.uint32)
        expected = np.ascontiguousarray(one[[each[1] for each in part]]).view(np.uint32)
        for at in np.nonzero((found != expected).any(axis=1))[0].tolist():
            row, before, query_id = part[at]
            column = int(np.nonzero(found[at] != expected[at])[0][0])
            message = f"found {shown(float(other[row, column]))}; expected {shown(float(one[before, column]))}"
            findings.add(Difference(file, row + 1, f"query_id {query_id!r}", f"[{column}]", message))


def prove_media(old: Side, new: Side, findings: Findings, advance: Advance) -> int:
    """Compare the page files by hash and return how many were; 0 where NEW refers to the very files of OLD."""
    one, other = old.info.media_root.resolve(), new.info.media_root.resolve()
    if one == other:
        findings.notes.append("NEW refers to the page files of OLD where they lie, so there is no copy to compare.")
        return 0
    named = media_files(old.tables["pages"]["image"], old.tables["documents"]["uri"])
    files = sorted(
        {each for name in named for each in _files(one, name)}
        | {each for name in named for each in _files(other, name)}
    )
    for number, name in enumerate(files):
        _compare_file(one / name, other / name, name, findings)
        advance((number + 1) / len(files))
    return len(files)


def _files(root: Path, name: str) -> Iterator[str]:
    """Yield a file, or the files of a folder, relative to the root; links in a folder are not followed, as an export does."""
    place = root / name
    if not place.is_dir():
        if place.is_file():
            yield name
        return
    for parent, _, inner in os.walk(place):
        for each in inner:
            if not (Path(parent) / each).is_symlink():
                yield (Path(parent) / each).relative_to(root).as_posix()


def _compare_file(one: Path, other: Path, name: str, findings: Findings) -> None:
    if not other.is_file():
        findings.say(name, "the page file is missing in NEW")
    elif not one.is_file():
        findings.say(name, "the page file is not in OLD")
    elif one.stat().st_size != other.stat().st_size or file_hash(one) != file_hash(other):
        findings.say(name, "the page file has other bytes than in OLD")


def file_hash(place: Path) -> str:
    """Return the SHA-256 of a file as 64 hexadecimal digits."""
    running = hashlib.sha256()
    with place.open("rb") as stream:
        while block := stream.read(_BLOCK):
            running.update(block)
    return running.hexdigest()

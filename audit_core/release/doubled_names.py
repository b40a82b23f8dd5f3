"""Objects of a bundle in which a name stands twice: readers take one of the values each, so no proof can rest on them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from audit_core.errors import BundleError, Problem

#: So many are listed; the others are counted.
LISTED = 20
_LISTED_FOLDERS = ("", "judgments", "labels")


def refuse_doubled_names(folder: Path) -> None:
    """Do nothing where each name stands once in each object of a bundle's JSON files.

    Raises:
        BundleError: one stands twice; names file, line and name of each.
    """
    found = [each for place in _places(folder) for each in _doubled(place, place.relative_to(folder).as_posix())]
    if not found:
        return
    listed = "".join(f"\n  {each}" for each in found[:LISTED])
    more = f"\n  and {len(found) - LISTED:,} more" if len(found) > LISTED else ""
    words = "a name stands twice in one object, and readers differ in which of both they take"
    raise BundleError(f"There is no proof of {folder}: {words}.{listed}{more}", found[:LISTED], len(found))


def _places(folder: Path) -> Iterator[Path]:
    for name in _LISTED_FOLDERS:
        place = folder / name
        files = sorted(place.iterdir()) if place.is_dir() else []
        yield from (each for each in files if each.suffix in (".json", ".jsonl") and each.is_file())


def _doubled(place: Path, file: str) -> Iterator[Problem]:
    twice: list[str] = []

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice.append(next(name for name in names if names.count(name) > 1))
        return found

    decoder = json.JSONDecoder(object_pairs_hook=once)
    is_lines = place.suffix == ".jsonl"
    with place.open("rb") as stream:
        for number, line in enumerate(stream if is_lines else [stream.read()], start=1):
            try:
                decoder.decode(line.decode("utf-8"))
            except (ValueError, RecursionError):
                continue  # a row that cannot be read, which the reader of the bundle has judged
            for name in twice:
                yield Problem(file, number if is_lines else None, name, None, "the name once in an object")
            twice.clear()

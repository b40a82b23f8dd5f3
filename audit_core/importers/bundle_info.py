"""What `dataset.json` says of a bundle, read and checked field by field."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit_core.importers.bundle_faults import FaultLog, shown
from audit_core.importers.bundle_schema import BOX_UNITS, FORMAT, FORMAT_VERSION, PAGE_NUMBERINGS

INFO_FILE = "dataset.json"
_KNOWN = {
    "format", "format_version", "name", "revision", "license", "page_numbering", "box_units", "sources", "media_root",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class BundleInfo:
    """What holds for a whole dataset revision. `media_root` is absolute and resolved."""

    name: str
    revision: str
    license: str
    page_numbering: str
    box_units: str
    sources: tuple[str, ...]
    media_root: Path

    @property
    def first_page_index(self) -> int:
        """The `page_index` of a document's first page: 0 or 1."""
        return 0 if self.page_numbering == "0-based" else 1


def read_info(folder: Path, log: FaultLog, media_root: Path | None) -> BundleInfo:
    """Return what `dataset.json` says.

    Without it no row can be read rightly, so its faults are refused in a lenient import too.

    Raises:
        BundleError: the file is missing, is not JSON or a field is missing or wrong; all its faults are named.
    """
    raw = _read_object(folder, log)
    for name in sorted(set(raw) - _KNOWN):
        log.warnings.append(unknown_column_warning(INFO_FILE, name, _KNOWN))
    _check(raw, log, "format", raw.get("format") == FORMAT, f'"{FORMAT}"')
    version = raw.get("format_version")
    known_version = type(version) is int and version == FORMAT_VERSION
    _check(raw, log, "format_version", known_version, f"{FORMAT_VERSION}, the version that is read here")
    for name in ("name", "revision"):
        _check(raw, log, name, _is_text(raw.get(name)) and raw[name] != "", "text of at least one character")
    _check(raw, log, "license", _is_text(raw.get("license")), "text")
    _check(raw, log, "page_numbering", raw.get("page_numbering") in PAGE_NUMBERINGS, " or ".join(PAGE_NUMBERINGS))
    _check(raw, log, "box_units", raw.get("box_units") in BOX_UNITS, " or ".join(BOX_UNITS))
    sources = raw.get("sources")
    fits = sources is None or (isinstance(sources, list) and all(map(_is_text, sources)))
    _check(raw, log, "sources", fits, "a list of text")
    root = _media_root(folder, raw, log) if media_root is None else media_root.resolve()
    if log.total:
        raise log.refusal(str(folder))
    return BundleInfo(
        name=raw["name"], revision=raw["revision"], license=raw["license"], page_numbering=raw["page_numbering"],
        box_units=raw["box_units"], sources=tuple(sources or ()), media_root=root,
    )  # fmt: skip


def unknown_column_warning(file: str, name: str, known: set[str] | list[str]) -> str:
    """Return the warning for a column that the format does not have, with the nearest known one."""
    import difflib

    near = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.6)
    hint = f"; did you mean `{near[0]}`?" if near else "."
    return f"{file}: `{shown(name)[1:-1]}` is not part of the format and is left out{hint}"


def _read_object(folder: Path, log: FaultLog) -> dict[str, Any]:
    expected = f"a file {INFO_FILE} with one JSON object"
    try:
        text = (folder / INFO_FILE).read_bytes().decode("utf-8")
        raw = json.loads(text)
    except FileNotFoundError:
        log.fault(kind="missing_file", file=INFO_FILE, table="dataset", expected=f"{expected} (there is no such file)")
        raise log.refusal(str(folder)) from None
    except (OSError, ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        log.fault(kind="unreadable_file", file=INFO_FILE, table="dataset", line=line, expected=f"{expected} ({error})")
        raise log.refusal(str(folder)) from error
    if not isinstance(raw, dict):
        log.fault(kind="unreadable_file", file=INFO_FILE, table="dataset", value=shown(raw), expected=expected)
        raise log.refusal(str(folder))
    return raw


def _is_text(value: Any) -> bool:
    if not isinstance(value, str) or "\x00" in value:
        return False
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _check(raw: dict[str, Any], log: FaultLog, name: str, fits: bool, expected: str) -> None:
    if fits:
        return
    kind = "wrong_value" if name in raw else "missing_value"
    value = shown(raw[name]) if name in raw else None
    log.fault(kind=kind, file=INFO_FILE, table="dataset", field=name, value=value, expected=expected)


def _media_root(folder: Path, raw: dict[str, Any], log: FaultLog) -> Path:
    written = raw.get("media_root")
    if written is None:
        return folder.resolve()
    root = Path(os.path.normpath(folder.resolve() / written)) if _is_text(written) and written else None
    expected = "a folder, relative to the bundle, that exists"
    _check(raw, log, "media_root", root is not None and root.is_dir(), expected)
    return root.resolve() if root is not None else folder.resolve()

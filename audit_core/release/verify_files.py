"""The verifier on files alone: bundles as folders or zip archives, a ledger, and a certificate where there is one."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from audit_core import config
from audit_core.errors import LedgerError
from audit_core.release.certificate import FORMAT
from audit_core.release.comparing import Difference
from audit_core.release.ledger_reading import read_ledger
from audit_core.release.proving_files import file_hash
from audit_core.release.sides import read_side
from audit_core.release.verify import Report, Verification, verify_release


def verify_files(
    old: Path,
    ledger: Path,
    new: Path,
    *,
    certificate: Path | None = None,
    lenient: bool = False,
    report: Report | None = None,
) -> Verification:
    """Return whether the bundle `new` is what the ledger makes of the bundle `old`; a zip archive is unpacked for the time.

    With a certificate its hashes must be those of both bundles and of the ledger.

    Raises:
        LedgerError: a file or folder is not there, or the ledger or certificate is none.
        BundleError: a bundle breaks the format; its faults are named.
    """
    tell = report or (lambda step, part: None)
    read = read_ledger(ledger)
    said = None if certificate is None else _certificate(certificate)
    with ExitStack() as stack:
        one = read_side(_unpacked(old, stack), lenient=lenient, advance=lambda part: tell("reading OLD", 0.25 * part))
        other = read_side(
            _unpacked(new, stack), lenient=lenient, advance=lambda part: tell("reading NEW", 0.25 + 0.25 * part)
        )
        found = verify_release(one, read, other, report=lambda step, part: tell(step, 0.5 + 0.5 * part))
    return found if said is None or certificate is None else _with_certificate(found, ledger, certificate, said)


def _unpacked(place: Path, stack: ExitStack) -> Path:
    """Return the folder of a bundle; what an archive holds lies in a folder that goes with the stack."""
    if not place.is_file():
        return place
    from audit_core.importers.upload import unpack

    scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="assay-verify-")))
    return unpack(place, scratch, max_bytes=config.max_upload_bytes())


def _certificate(place: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(place.read_text(encoding="utf-8"))
    except OSError as error:
        raise LedgerError(f"The certificate {place} cannot be read ({error.strerror}): check the path.") from error
    except ValueError as error:
        raise LedgerError(f"{place} is no certificate ({error}): give certificate.json of the release.") from error
    try:
        _ = found["dataset"]["hash"], found["result"]["hash"], found["files"]["ledger.jsonl"]
        is_one = found["format"] == FORMAT
    except (TypeError, KeyError):
        is_one = False
    if not is_one:
        raise LedgerError(f"{place} is no certificate: give certificate.json of the release.")
    return dict(found)


def _with_certificate(found: Verification, ledger: Path, certificate: Path, said: Mapping[str, Any]) -> Verification:
    pairs = (
        ("dataset.hash", said["dataset"]["hash"], found.old_hash, "OLD"),
        ("result.hash", said["result"]["hash"], found.new_hash, "NEW"),
        ("files.ledger.jsonl", said["files"]["ledger.jsonl"], file_hash(ledger), "the ledger"),
    )  # fmt: skip
    wrong, notes = [], list(found.notes)
    reordered = any("another order" in each for each in found.notes)
    for field, expected, there, what in pairs:
        if expected == there:
            continue
        if what == "NEW" and reordered and found.is_proved:
            notes.append("NEW has another content hash than the certificate says, as its rows stand in another order.")
        else:
            wrong.append(Difference(certificate.name, None, None, field, f"found {expected}; {what} has {there}"))
    if not wrong:
        notes.append(
            f"The hashes are those of {certificate.name}."
            if len(notes) == len(found.notes)
            else "The other hashes are the certificate's."
        )
    return replace(found, differences=(*found.differences, *wrong), total=found.total + len(wrong), notes=tuple(notes))

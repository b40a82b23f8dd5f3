"""The verifier on files alone: bundles as folders or zip archives, a ledger, and a certificate where there is one."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path

from audit_core import config
from audit_core.release.certificate_check import read_certificate, with_certificate
from audit_core.release.doubled_names import refuse_doubled_names
from audit_core.release.ledger_reading import read_ledger
from audit_core.release.sides import Advance, Side, read_side
from audit_core.release.verification import Verification
from audit_core.release.verify import Report, verify_release


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

    With a certificate, all of it that follows from these files must be so: names, revisions, hashes, licence and counts.

    Raises:
        LedgerError: a file or folder is not there, or the ledger or certificate is none.
        BundleError: a bundle breaks the format; its faults are named.
    """
    tell = report or (lambda step, part: None)
    read = read_ledger(ledger)
    said = None if certificate is None else read_certificate(certificate)
    with ExitStack() as stack:
        one = _side(_unpacked(old, stack), lenient, lambda part: tell("reading OLD", 0.25 * part))
        other = _side(_unpacked(new, stack), lenient, lambda part: tell("reading NEW", 0.25 + 0.25 * part))
        found = verify_release(one, read, other, report=lambda step, part: tell(step, 0.5 + 0.5 * part))
    return found if said is None or certificate is None else with_certificate(found, ledger, certificate, said)


def _side(folder: Path, lenient: bool, advance: Advance) -> Side:
    side = read_side(folder, lenient=lenient, advance=advance)
    refuse_doubled_names(folder)
    return side


def _unpacked(place: Path, stack: ExitStack) -> Path:
    """Return the folder of a bundle; what an archive holds lies in a folder that goes with the stack."""
    if not place.is_file():
        return place
    from audit_core.importers.upload import unpack

    scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="assay-verify-")))
    return unpack(place, scratch, max_bytes=config.max_upload_bytes())

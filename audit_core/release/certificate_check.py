"""A certificate held against what a proof recomputed from the files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from audit_core.errors import LedgerError
from audit_core.release.certificate import FORMAT, FORMAT_VERSION
from audit_core.release.comparing import Difference, shown
from audit_core.release.proving_files import file_hash
from audit_core.release.verification import Verification
from audit_core.strict_json import JsonFault, read_json

LEDGER_NAME = "ledger.jsonl"
#: What a release says of runs and embeddings, in words: the proof compares these themselves.
_IN_WORDS = {"counts.notes", "verification.notes", "verification.counts.media"}
_NOTHING = object()


def read_certificate(place: Path) -> Mapping[str, Any]:
    """Return the certificate in a file.

    Raises:
        LedgerError: it cannot be read, or is none.
    """
    try:
        found = read_json(place.read_bytes())
    except OSError as error:
        raise LedgerError(f"The certificate {place} cannot be read ({error.strerror}): check the path.") from error
    except JsonFault as error:
        field = "" if error.field is None else f", field {error.field}"
        raise LedgerError(
            f"{place}{field} is no certificate ({error}): give certificate.json of the release."
        ) from None
    is_one = isinstance(found, dict) and found.get("format") == FORMAT and _has_hashes(found)
    if not is_one:
        raise LedgerError(f"{place} is no certificate: give certificate.json of the release.")
    if found.get("format_version") != FORMAT_VERSION:
        raise LedgerError(
            f"{place}, field format_version: found {shown(found.get('format_version'))}; expected {FORMAT_VERSION}, the version "
            "that is read here."
        )
    return dict(found)


def _has_hashes(found: Mapping[str, Any]) -> bool:
    parts = [found.get(name) for name in ("dataset", "result", "files")]
    if not all(isinstance(each, dict) for each in parts):
        return False
    dataset, result, files = parts
    hashes = [dataset.get("hash"), result.get("hash"), files.get(LEDGER_NAME), *files.values()]  # type: ignore[union-attr]
    return all(isinstance(each, str) for each in hashes)


def with_certificate(found: Verification, ledger: Path, certificate: Path, said: Mapping[str, Any]) -> Verification:
    """Return what a proof found with what a certificate says otherwise as differences."""
    notes, wrong = list(found.notes), []
    for field, there, recomputed in _pairs(said, found.certified):
        wrong.append(_difference(certificate, field, there, recomputed))
    wrong += list(_files(said, ledger, certificate, notes))
    if not wrong:
        notes.append(f"The hashes are those of {certificate.name}.{_order_words(found)}")
        notes.append(f"So are its names, revisions, licence and counts. {_unproved(certificate)}")
    return replace(found, differences=(*found.differences, *wrong), total=found.total + len(wrong), notes=tuple(notes))


def _order_words(found: Verification) -> str:
    if found.ordered_hash == found.new_hash:
        return ""
    return f" NEW has it once its rows are put back into the order of OLD; as they stand, its hash is {found.new_hash}."


def _unproved(certificate: Path) -> str:
    return (
        f"What {certificate.name} says of campaigns (samples, guidelines, audit, agreement), of the seed and of Assay's version "
        "is not proved by these files."
    )


def _pairs(said: Mapping[str, Any], certified: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Yield (field, what the certificate says, what comes out of the files) of what differs."""
    for name, part in certified.items():
        yield from _differing(name, said.get(name, _NOTHING), part)


def _differing(field: str, said: Any, part: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(said, dict) and isinstance(part, dict):
        for name in dict.fromkeys((*part, *said)):
            if f"{field}.{name}" not in _IN_WORDS:
                yield from _differing(f"{field}.{name}", said.get(name, _NOTHING), part.get(name, _NOTHING))
    elif said is _NOTHING or part is _NOTHING or json.dumps(said) != json.dumps(part):
        # Compared as JSON, where 1 and true are not the same.
        yield field, said, part


def _difference(certificate: Path, field: str, said: Any, part: Any) -> Difference:
    there = "nothing" if said is _NOTHING else shown(said)
    expected = "nothing" if part is _NOTHING else shown(part)
    return Difference(certificate.name, None, None, field, f"found {there}; the files give {expected}")


def _files(said: Mapping[str, Any], ledger: Path, certificate: Path, notes: list[str]) -> Iterator[Difference]:
    """Yield the files that have another hash than the certificate says: the ledger, and others that lie beside it."""
    absent = []
    for name, digest in said["files"].items():
        place = ledger if name == LEDGER_NAME else certificate.parent / Path(name).name
        if not place.is_file():
            absent.append(name)
        elif (there := file_hash(place)) != digest:
            what = "the ledger" if name == LEDGER_NAME else f"{place.name} beside it"
            yield Difference(certificate.name, None, None, f"files.{name}", f"found {digest}; {what} has {there}")
    if absent:
        notes.append(f"Not beside {certificate.name}, and so not compared: {', '.join(absent)}.")

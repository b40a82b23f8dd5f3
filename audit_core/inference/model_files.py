"""Files that installed packages bring, found without importing those packages and believed only by their hash."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from audit_core.errors import InferenceError


@dataclass(frozen=True, slots=True)
class PackagedFile:
    """A file of an installed package: which package and version, where in it, and what it must hold."""

    package: str
    version: str
    path: str
    sha256: str
    license: str


def read_packaged(file: PackagedFile) -> bytes:
    """Return the bytes of the file, after their SHA-256 was compared: what is returned is what was checked.

    Raises:
        InferenceError: the package or the file is not there, or holds something else.
    """
    wanted = f"install {file.package}=={file.version}"
    try:
        found = distribution(file.package)
    except PackageNotFoundError:
        raise InferenceError(
            f"The package {file.package} is not installed, so its model cannot be loaded: {wanted}."
        ) from None
    place = Path(str(found.locate_file(file.path)))
    try:
        content = place.read_bytes()
    except OSError as error:
        raise InferenceError(
            f"{file.path} of the package {file.package} {found.version} cannot be read ({error.strerror}): {wanted}."
        ) from None
    actual = hashlib.sha256(content).hexdigest()
    if actual != file.sha256:
        raise InferenceError(
            f"{file.path} of the package {file.package} {found.version} is not the file that Assay knows: its SHA-256 is "
            f"{actual}, not {file.sha256}. Its vectors could not be compared with earlier ones: {wanted}."
        )
    return content

"""The secret of a home: what signs or hides things that leave the process, made at first use."""

from __future__ import annotations

import os
import secrets
from functools import lru_cache
from pathlib import Path

from audit_core.errors import StorageError

#: A secret that is shorter was not written by us (a file that a crash left empty).
_SECRET_MIN = 32


@lru_cache(maxsize=8)
def home_secret(home: Path) -> str:
    """Return the secret of a home, made at first use and readable by its owner only.

    Raises:
        StorageError: it cannot be read or made, or is damaged.
    """
    file = home / "cookie.secret"
    try:
        if not file.exists():
            fresh = home / f".cookie-{secrets.token_hex(8)}"
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w") as handle:
                handle.write(secrets.token_urlsafe(48))
            try:
                os.link(fresh, file)  # whoever comes first wins; a second process takes the first one's
            except FileExistsError:
                pass
            finally:
                fresh.unlink()
        secret = file.read_text()
    except OSError as error:
        raise StorageError(f"The secret {file} cannot be read or made ({error.strerror}).") from error
    if len(secret) < _SECRET_MIN:
        raise StorageError(f"The secret {file} is damaged: delete it, and a new one is made.")
    return secret

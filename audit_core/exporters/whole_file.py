"""Files that people ask for, which appear when they are whole."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from audit_core.errors import AssayError


@contextmanager
def written_whole(place: Path) -> Iterator[Path]:
    """Give a file beside `place` to write to, which takes its place when the block ends well; one that was there is replaced.

    Raises:
        AssayError: it cannot be written; nothing was kept.
    """
    aside = place.with_name(f".{place.name[:100]}.{uuid.uuid4().hex}")
    try:
        yield aside
        os.replace(aside, place)
    except OSError as error:
        raise AssayError(
            f"{place} cannot be written ({error.strerror or error}); nothing was kept. Name another file, or free some space."
        ) from error
    finally:
        aside.unlink(missing_ok=True)

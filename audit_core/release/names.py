"""Taking the names of people out of what people wrote."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

#: What stands where a name stood.
SOMEBODY = "(somebody)"
#: Shorter names are taken out only where they are written in the same letters, large or small.
_SHORT = 3


def name_remover(names: Iterable[str]) -> Callable[[str], str]:
    """Return what takes these names out of a text: as whole words, long ones before those that are part of them."""
    ordered = sorted({each for each in names if each.strip()}, key=lambda each: (-len(each), each))
    if not ordered:
        return str
    parts = [re.escape(each) if len(each) < _SHORT else f"(?i:{re.escape(each)})" for each in ordered]
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)")
    return lambda text: pattern.sub(SOMEBODY, text)

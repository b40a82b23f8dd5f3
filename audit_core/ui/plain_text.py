"""Text from users and datasets, made safe for places that read Markdown or HTML."""

from __future__ import annotations

import re

_MARKS = re.compile(r"([\\`*_{}\[\]()<>#+\-!|~:$])")


def plain(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return _MARKS.sub(r"\\\1", text)

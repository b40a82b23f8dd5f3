"""Any text of a user as an expression of SQLite's full-text search."""

from __future__ import annotations

import re

#: More words than this narrow a search no further.
MOST_WORDS = 32
_WORD = re.compile(r"\w+", re.UNICODE)


def match_expression(text: str) -> str | None:
    """Return an FTS5 expression that asks for all words of `text`, the last as a beginning; None where it has no word.

    Each word is quoted, so operators, quotes, brackets and column names in the text mean nothing.
    """
    words = [word.strip("_") for word in _WORD.findall(text.encode("utf-8", "ignore").decode("utf-8"))]
    words = [word for word in words if word][:MOST_WORDS]
    if not words:
        return None
    quoted = [f'"{word}"' for word in words]
    is_whole = text[-1:].isspace()
    return " AND ".join(quoted) + ("" if is_whole else "*")

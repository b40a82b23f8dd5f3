"""The text of each page, as a retrieval method sees it."""

from __future__ import annotations

import re

from audit.resolve import Row

_WORD = re.compile(r"[^\W_]+(?:[.,]\d+)*")


def page_texts(elements: list[tuple[str, Row]], pages: list[Row]) -> dict[str, str]:
    """Page id -> words of its elements in reading order; a table counts once, not again by row."""
    out: dict[str, list[str]] = {row["page_id"]: [] for row in pages}
    for _, row in elements:
        if row["kind"] not in ("Table Row", "Table Head"):
            out[row["page_id"]].append(row["text"])
    return {page: " ".join(parts) for page, parts in out.items()}


def words(text: str) -> list[str]:
    """Words and numbers in lower case; a plural s is cut off."""
    found = _WORD.findall(text.casefold())
    return [word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith("ss") else word for word in found]

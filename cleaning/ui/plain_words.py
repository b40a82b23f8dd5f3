"""Sentences of the package that name commands: their backticks are code, everything else is text."""

from __future__ import annotations

from audit_core.ui.plain_text import plain


def with_code(sentence: str) -> str:
    """Return a sentence for Markdown: what stands between backticks as code, the rest as it is."""
    parts = sentence.split("`")
    if len(parts) % 2 == 0:  # a backtick without its partner is text
        return plain(sentence)
    return "".join(f"`{part}`" if place % 2 and part else plain(part) for place, part in enumerate(parts))

"""Two texts side by side, with what the one has and the other has not marked."""

from __future__ import annotations

from difflib import SequenceMatcher
from html import escape


def compared(before: str, after: str) -> tuple[str, str]:
    """Return both texts as HTML, the words that the other does not have marked."""
    one, two = before.split(), after.split()
    left, right = [], []
    for what, start, end, begin, stop in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        gone, come = escape(" ".join(one[start:end])), escape(" ".join(two[begin:stop]))
        if what == "equal":
            left.append(gone)
            right.append(come)
            continue
        if gone:
            left.append(f"<s>{gone}</s>")
        if come:
            right.append(f"<mark>{come}</mark>")
    return " ".join(left), " ".join(right)

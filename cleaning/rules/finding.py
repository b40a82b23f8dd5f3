"""What a rule gives back, and how wordings are looked for in texts.

A rule's module has these names:

```python
name = "layout_reference"
title = "Refers to the layout"
describe = "..."  # what fires it and what does not
compares_queries = False  # whether what it says of a query depends on the other queries of the frame


def find(queries: pl.DataFrame) -> Found: ...  # a frame with the columns `contract.QUERY_COLUMNS`
```

Rules learn nothing, see no label, and say the same of a query whatever the order of the rows.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cleaning.contract import Reason

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Looks at one text: the stretches that fire a rule, in the order of the text.
TextRule = Callable[[str], Sequence[Reason]]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What a rule says of n queries: `fired` of shape (n,), and the reasons, a sequence a query.

    A query may have a reason without being fired on: the one of a group of duplicates that stays tells its group.
    """

    fired: NDArray[np.bool_]
    reasons: tuple[tuple[Reason, ...], ...]


@dataclass(frozen=True, slots=True)
class Wording:
    """A pattern and what a match of it says to a reader."""

    says: str
    pattern: re.Pattern[str]


def wording(says: str, *patterns: str) -> Wording:
    r"""Return a wording that any of these patterns is; case is ignored outside `(?-i:...)`.

    A space in a pattern stands for any white space, one with a question mark after it for any or none. Look-behinds,
    which have one width, write theirs as `\x20`.
    """
    joined = "|".join(f"(?:{each})" for each in patterns)
    spaced = re.sub(r" (\?(?!\?))?", lambda found: r"\s*" if found.group(1) else r"\s+", joined)
    return Wording(says, re.compile(spaced, re.IGNORECASE))


def one_of(*words: str) -> str:
    """Return a pattern group of words given in strings parted by spaces; `_` stands for a space within a word."""
    alternatives = " ".join(words).split()
    return "(?:" + "|".join(each.replace("_", r"\s+") for each in alternatives) + ")"


def matches(rule: str, text: str, wordings: Iterable[Wording]) -> list[Reason]:
    """Return a reason for each stretch of `text` that a wording matches, none inside another, in order."""
    spans: list[tuple[int, int, str]] = []
    for each in wordings:
        spans.extend((found.start(), found.end(), each.says) for found in each.pattern.finditer(text))
    spans.sort(key=lambda span: (span[0], -span[1], span[2]))
    reasons: list[Reason] = []
    reached = -1
    for start, end, says in spans:
        if end > reached:
            reasons.append(Reason(rule, says, start, end))
            reached = end
    return reasons


def find_in_texts(texts: Iterable[str | None], rule: TextRule) -> Found:
    """Return what a rule that looks at one text at a time says of each; a missing text counts as empty."""
    reasons = tuple(tuple(rule(text or "")) for text in texts)
    return Found(np.fromiter((bool(each) for each in reasons), dtype=bool, count=len(reasons)), reasons)


def without_reasons(fired: NDArray[np.bool_], reason: Callable[[int], Reason]) -> Found:
    """Return the finding of a rule whose reason for row i is `reason(i)`, for the rows that are fired on."""
    return Found(fired, tuple((reason(row),) if hit else () for row, hit in enumerate(fired.tolist())))


def has_capital(text: str) -> bool:
    """Return whether a word other than the first of `text` begins with a capital: the sign of a name in most languages."""
    return any(_is_capital(word) for word in re.findall(r"[^\W_][\w'’-]*", text)[1:])


def _is_capital(word: str) -> bool:
    return unicodedata.category(word[0]) == "Lu" and word not in {"I", "I'm", "I’m"}

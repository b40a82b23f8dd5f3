"""How entries were drawn from a benchmark, and what may be concluded from that."""

from __future__ import annotations

#: Words in the name of a method that mark a choice by somebody or something else than chance.
NOT_BY_CHANCE = (
    "convenience", "purposive", "judgement", "judgment", "by hand", "manual", "hand-picked", "handpicked", "quota",
    "volunteer", "filter", "active", "disagreement", "uncertainty", "near-threshold", "non-probability", "unknown",
)  # fmt: skip
#: Whole names of methods that are a choice as well.
NOT_BY_CHANCE_EXACTLY = ("ids", "list", "list of ids", "selected", "first")


def is_probability_method(method: str) -> bool:
    """Return whether a sample drawn by `method` (free text of a design) gives every query a known chance.

    A design names its method in words of its own; it is believed unless the words say that something else than chance
    chose, such as `convenience`, `by hand` or `filter`. Taking all queries is a census and counts.
    """
    words = " ".join(method.casefold().split())
    return bool(words) and words not in NOT_BY_CHANCE_EXACTLY and not any(word in words for word in NOT_BY_CHANCE)


#: Names of a simple random sample, drawn from all queries whatever their stratum.
SIMPLE_METHODS = tuple(
    f"simple random{kind}{way}"
    for kind in ("", " sample", " sampling", " draw")
    for way in ("", " without replacement")
)


def is_simple_method(method: str) -> bool:
    """Return whether `method` (free text of a design) says that the sample was drawn from the frame as one stratum."""
    return " ".join(method.casefold().split()) in SIMPLE_METHODS

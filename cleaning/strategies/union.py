"""The combination that removes where any of its members does."""

from __future__ import annotations

from collections.abc import Mapping

from cleaning.contract import Kind
from cleaning.strategies.combining import Combination, members_option

name = "union"
title = "Union"
kind = Kind.COMBINATION
describe = "Removes where any member removes, at the members' own thresholds. Where none does but one is undecided, it is undecided."
needs_embeddings = False
default_threshold = 0.5


def build(options: Mapping[str, object]) -> Combination:
    """Return the strategy. Option: `members`, the names of the strategies that it combines (needed).

    Raises:
        CleaningError: an option is unknown, or no member is named.
    """
    return Combination(title, members_option(name, options, known=("members",)), 1)

"""The combination that removes where at least k of its members do."""

from __future__ import annotations

from collections.abc import Mapping

from audit_core.errors import CleaningError
from cleaning.contract import Kind
from cleaning.strategies.combining import Combination, members_option
from cleaning.strategies.options import whole_number

name = "k_of_n"
title = "k of n"
kind = Kind.COMBINATION
describe = (
    "Removes where at least k members remove, at their own thresholds (k: more than half of them, where it is not given). "
    "It is undecided where the undecided members could turn the balance."
)
needs_embeddings = False
default_threshold = 0.5


def build(options: Mapping[str, object]) -> Combination:
    """Return the strategy. Options: `members`, the names of the strategies that it combines (needed), and `k`.

    Raises:
        CleaningError: an option is unknown, no member is named, or k is not from 1 to the number of members.
    """
    members = members_option(name, options, known=("members", "k"))
    k = whole_number(name, options, "k", len(members) // 2 + 1, low=1, high=max(len(members), 1))
    if len(members) < 2:
        raise CleaningError(f"The strategy {name} combines at least two members; found {members[0]!r} alone.")
    return Combination(title, members, k)

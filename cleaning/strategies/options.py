"""Options of strategies: read from a mapping of names to values, and refused with what would be right."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from audit_core.errors import CleaningError


def check_options(strategy: str, options: Mapping[str, object], known: Sequence[str]) -> None:
    """Refuse options that a strategy does not know.

    Raises:
        CleaningError: names them, and the known ones.
    """
    unknown = sorted(map(str, set(options) - set(known)))
    if unknown:
        there = f"Its options are: {', '.join(known)}." if known else "It has none."
        raise CleaningError(f"The strategy {strategy} has no option {', '.join(unknown)}. {there}")


def whole_number(
    strategy: str, options: Mapping[str, object], option: str, default: int, *, low: int, high: int
) -> int:
    """Return an option that is a whole number from `low` to `high`; CleaningError where it is not."""
    given = options.get(option, default)
    if isinstance(given, bool) or not isinstance(given, int) or not low <= given <= high:
        raise CleaningError(
            f"The option {option} of the strategy {strategy} is {given!r}: give a whole number from {low} to {high:,}."
        )
    return given


def number(
    strategy: str, options: Mapping[str, object], option: str, default: float, *, low: float, high: float
) -> float:
    """Return an option that is a number from `low` to `high`; CleaningError where it is not."""
    given = options.get(option, default)
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        raise CleaningError(f"The option {option} of the strategy {strategy} is {given!r}: give a number.")
    if not low <= given <= high:
        raise CleaningError(
            f"The option {option} of the strategy {strategy} is {given}: give a number from {low:g} to {high:g}."
        )
    return float(given)


def names(
    strategy: str, options: Mapping[str, object], option: str, default: Sequence[str], *, known: Sequence[str] | None
) -> tuple[str, ...]:
    """Return an option that is a list of names, each once and, where `known` is given, among those.

    Raises:
        CleaningError: it is empty or no list, or a name comes twice or is unknown.
    """
    given = options.get(option, default)
    if isinstance(given, str) or not isinstance(given, Sequence) or not all(isinstance(each, str) for each in given):
        raise CleaningError(f"The option {option} of the strategy {strategy} is {given!r}: give a list of names.")
    chosen = tuple(given)
    choice = "" if known is None else f" Choose from: {', '.join(known)}."
    if not chosen:
        raise CleaningError(f"The option {option} of the strategy {strategy} is empty.{choice} Name at least one.")
    wrong = [each for each in chosen if chosen.count(each) > 1 or (known is not None and each not in known)]
    if wrong:
        fault = "is named twice" if chosen.count(wrong[0]) > 1 else "is not known"
        raise CleaningError(f"In the option {option} of the strategy {strategy}, {wrong[0]!r} {fault}.{choice}")
    return chosen

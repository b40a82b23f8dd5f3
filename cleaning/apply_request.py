"""What applying a cleaning is asked to do: which scores, which thresholds, and what the new revision is called."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from audit_core.domain import JsonObject
from audit_core.errors import CleaningError

NAME_MAX = 120


class Combine(StrEnum):
    """How several strategies decide together: a query goes where any, all, or at least k of them remove it."""

    UNION = "union"
    INTERSECTION = "intersection"
    K_OF_N = "k_of_n"


@dataclass(frozen=True, slots=True)
class AtThreshold:
    """A strategy of a scoring, by its name there, and the score from which it removes; None: that of the scoring."""

    strategy: str
    threshold: float | None = None

    def __post_init__(self) -> None:
        if self.threshold is not None and not 0.0 <= self.threshold <= 1.0:
            raise CleaningError(
                f"The threshold of {self.strategy} is {self.threshold}: scores go from 0 to 1, so choose one between these."
            )


@dataclass(frozen=True, slots=True)
class ApplyRequest:
    """Removing what strategies of a finished scoring remove, as a new revision of the dataset that was scored.

    `scoring` is the number of its run. One strategy decides by itself (`combine` None), several by `combine`, with `k` for
    K_OF_N. `rewrites` is the number of a run whose accepted rewordings go in. Undecided queries are kept.
    """

    name: str
    scoring: int
    strategies: tuple[AtThreshold, ...]
    revision: str
    combine: Combine | None = None
    k: int | None = None
    rewrites: int | None = None

    def __post_init__(self) -> None:
        _refuse_unshown("A cleaning needs a name", self.name)
        _refuse_unshown("The new revision needs a name", self.revision)
        if self.revision != self.revision.strip():
            raise CleaningError(f"The revision {self.revision!r} begins or ends with a blank: leave it out.")
        names = [each.strategy for each in self.strategies]
        if not names:
            raise CleaningError("No strategy was chosen. Choose at least one that took part in the scoring.")
        if twice := sorted({each for each in names if names.count(each) > 1}):
            raise CleaningError(f"{twice[0]!r} is named twice. Name each strategy once, with one threshold.")
        if (len(names) > 1) is (self.combine is None):
            raise CleaningError(
                "Several strategies need a way to decide together: union, intersection, or how many must agree."
                if len(names) > 1
                else f"{names[0]} decides alone: leave union, intersection and the like out, or name another strategy."
            )
        if (self.combine is Combine.K_OF_N) is (self.k is None):
            raise CleaningError("k says how many strategies must agree: it goes with k_of_n, and only with that.")
        if self.k is not None and not 1 <= self.k <= len(names):
            raise CleaningError(f"k is {self.k}: use 1 to {len(names)}, the number of strategies.")

    @property
    def rule(self) -> str:
        """How the strategies decide together, in words."""
        if self.combine is None:
            return "one strategy"
        if self.combine is Combine.K_OF_N:
            return f"at least {self.k} of {len(self.strategies)}"
        return "any of them" if self.combine is Combine.UNION else "all of them"

    def as_json(self) -> JsonObject:
        """Return it as JSON holds it."""
        combine = None if self.combine is None else self.combine.value
        return {**asdict(self), "combine": combine, "strategies": [asdict(each) for each in self.strategies]}


def combine_from(word: str) -> tuple[Combine, int | None]:
    """Return how strategies decide together from `union`, `intersection` or a number, the k of k-of-n.

    Raises:
        CleaningError: it is neither.
    """
    if word in (Combine.UNION, Combine.INTERSECTION):
        return Combine(word), None
    if word.isascii() and word.isdigit() and len(word) <= 4:
        return Combine.K_OF_N, int(word)
    raise CleaningError(f"{word!r} is no way to combine strategies: say union, intersection, or how many must agree.")


def apply_request_from(document: object) -> ApplyRequest:
    """Return the request that a JSON document holds, checked.

    Raises:
        CleaningError: a field is missing, unknown or of the wrong kind; the message names it.
    """
    if not isinstance(document, dict):
        raise CleaningError("A cleaning is described by a JSON object with name, scoring, strategies and revision.")
    if unknown := sorted(set(map(str, document)) - set(_KINDS)):
        raise CleaningError(f"{unknown[0]!r} is no part of a cleaning. Use {', '.join(_KINDS)}.")
    for needed in ("name", "scoring", "strategies", "revision"):
        if needed not in document:
            raise CleaningError(f"{needed} is missing from the cleaning.")
    values: dict[str, Any] = {name: _checked(name, value, _KINDS[name]) for name, value in document.items()}
    values["strategies"] = tuple(_strategy(each) for each in values["strategies"])
    if values.get("combine") is not None:
        if values["combine"] not in tuple(Combine):
            raise CleaningError(f"combine is {values['combine']!r}: use {', '.join(Combine)}.")
        values["combine"] = Combine(values["combine"])
    return ApplyRequest(**values)


_NONE = type(None)
_KINDS: dict[str, tuple[type, ...]] = {
    "name": (str,), "scoring": (int,), "strategies": (list, tuple), "revision": (str,), "combine": (str, _NONE),
    "k": (int, _NONE), "rewrites": (int, _NONE),
}  # fmt: skip
_WORDS = {str: "text", int: "a whole number", list: "a list", _NONE: "null", float: "a number"}


def _checked(name: str, value: object, kinds: tuple[type, ...]) -> object:
    if not isinstance(value, kinds) or isinstance(value, bool):
        # A whole number is a number, a tuple what JSON calls a list.
        named = [each for each in kinds if each is not tuple and not (each is int and float in kinds)]
        needed = " or ".join(_WORDS[each] for each in named)
        raise CleaningError(f"{name} is {value!r}: {needed} is needed.")
    return value


def _strategy(value: object) -> AtThreshold:
    if isinstance(value, str):
        return AtThreshold(value)
    if not isinstance(value, dict) or not set(value) <= {"strategy", "threshold"} or "strategy" not in value:
        raise CleaningError("A strategy is named by text, or by an object with strategy and threshold.")
    _checked("strategy", value["strategy"], (str,))
    _checked("threshold", value.get("threshold"), (int, float, _NONE))
    return AtThreshold(value["strategy"], value.get("threshold"))


def _refuse_unshown(what: str, text: str) -> None:
    if not 1 <= len(text.strip()) <= NAME_MAX or not text.isprintable():
        raise CleaningError(f"{what} of 1 to {NAME_MAX} characters that can be shown.")

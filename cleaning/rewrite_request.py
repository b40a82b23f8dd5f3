"""What a rewording run is asked to do: which queries, who is asked and what it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from audit_core.domain import JsonObject
from audit_core.errors import CleaningError
from cleaning.request import check_asking

_KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "name": ((str,), "text"),
    "scoring": ((int, type(None)), "a whole number or null"),
    "strategy": ((str, type(None)), "text or null"),
    "query_ids": ((list, type(None)), "a list or null"),
    "options": ((dict,), "an object"),
    "caps": ((dict, type(None)), "an object or null"),
    "in_flight": ((int, type(None)), "a whole number or null"),
}


@dataclass(frozen=True, slots=True)
class RewriteRequest:
    """Rewordings of some queries: those that a strategy of a scoring removes, or those of a list.

    `scoring` is the number of the scoring run; its strategy's reasons are told to the model. `options` are those of
    `cleaning.llm.rewriting.rewrite_settings`; `caps` and `in_flight` as in `ScoreRequest`.
    """

    name: str
    scoring: int | None = None
    strategy: str | None = None
    query_ids: tuple[str, ...] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    caps: Mapping[str, float] | None = None
    in_flight: int | None = None

    def __post_init__(self) -> None:
        if (self.scoring is None) != (self.strategy is None):
            raise CleaningError("A scoring and one of its strategies belong together: name both, or neither.")
        if (self.scoring is None) == (self.query_ids is None):
            raise CleaningError("Name the queries to reword: by a scoring and its strategy, or by a list; not both.")
        if self.query_ids is not None and not self.query_ids:
            raise CleaningError("The list names no query. Write one query id a line.")
        check_asking(self.caps, self.in_flight)

    def as_json(self) -> JsonObject:
        """Return it as JSON holds it."""
        return {**asdict(self), "query_ids": None if self.query_ids is None else list(self.query_ids)}


def rewrite_request_from(document: object) -> RewriteRequest:
    """Return the request that a JSON document holds, checked.

    Raises:
        CleaningError: a field is missing, unknown or of the wrong kind; the message names it.
    """
    if not isinstance(document, dict) or "name" not in document:
        raise CleaningError("A rewording is described by a JSON object with a name, and what is to be reworded.")
    for name, value in document.items():
        if name not in _KINDS:
            raise CleaningError(f"{name!r} is no part of a rewording. Use {', '.join(_KINDS)}.")
        kinds, words = _KINDS[name]
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise CleaningError(f"{name} is {value!r}: {words} is needed.")
    ids = document.get("query_ids")
    if ids is not None and not all(isinstance(each, str) for each in ids):
        raise CleaningError("query_ids holds something that is no text: list query ids.")
    return RewriteRequest(**{**document, "query_ids": None if ids is None else tuple(ids)})

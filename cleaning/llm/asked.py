"""What was asked and how the answers fell out: counted as they come, and kept beside the scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from audit_core.inference.chat import Status

if TYPE_CHECKING:
    from audit_core.domain import JsonObject
    from audit_core.inference.chat import Answer, ChatModel
    from cleaning.llm.prompt import Prompt

#: Fields of a stage that are added up over stages.
_SUMS = ("asked", "kept", "calls", "tokens_input", "tokens_output")
#: So many different reasons are told apart, of these so many are kept, cut to so many characters.
_TOLD_APART, _REASONS, _LONGEST = 200, 3, 240


@dataclass(slots=True)
class Stage:
    """The questions that one prompt put to one model, counted.

    `kept` answers came out of the store: their calls and tokens were paid for before, and are not counted here.
    """

    prompt: Prompt
    model: ChatModel
    about: Mapping[str, Any] = field(default_factory=dict)
    statuses: Counter[Status] = field(default_factory=Counter)
    kept: int = 0
    calls: int = 0
    tokens_input: int = 0
    tokens_output: int = 0
    #: Why answers were not accepted, as the server or whoever read the reply says it.
    reasons: Counter[str] = field(default_factory=Counter)

    def counting(self, answers: Iterable[Answer]) -> Iterator[Answer]:
        """Yield the answers and count them."""
        for answer in answers:
            self.statuses[answer.status] += 1
            if answer.status is not Status.ACCEPTED:
                self._note(answer.says)
            if answer.was_kept:
                self.kept += 1
            else:
                self.calls += answer.attempts
                self.tokens_input += answer.tokens_input
                self.tokens_output += answer.tokens_output
            yield answer

    def _note(self, says: str) -> None:
        text = " ".join(says.split()).rstrip(".")
        text = text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
        # A server that says something else each time must not fill memory.
        if text and (text in self.reasons or len(self.reasons) < _TOLD_APART):
            self.reasons[text] += 1

    @property
    def spend(self) -> float | None:
        """What the tokens cost in US dollars; None where a price is not known."""
        if self.model.price_input is None or self.model.price_output is None:
            return None
        return (self.tokens_input * self.model.price_input + self.tokens_output * self.model.price_output) / 1e6

    def as_json(self) -> JsonObject:
        """Return it as JSON holds it; the key to the server is not among it."""
        return {
            "prompt": self.prompt.name, "prompt_hash": self.prompt.hash, "model": self.model.model,
            "base_url": self.model.base_url, "parameters": self.model.parameters, **dict(self.about),
            "asked": sum(self.statuses.values()), "statuses": status_counts(self.statuses), "kept": self.kept,
            "calls": self.calls, "tokens_input": self.tokens_input, "tokens_output": self.tokens_output,
            "spend": self.spend, "reasons": _commonest(self.reasons),
        }  # fmt: skip


def _commonest(reasons: Counter[str]) -> list[JsonObject]:
    """Return the reasons that came most often with their counts, of equal ones the first that came."""
    return [{"says": says, "count": count} for says, count in reasons.most_common(_REASONS)]


def status_counts(statuses: Mapping[Status, int]) -> dict[str, int]:
    """Return the counts by the statuses' words, in the order of `Status`, those that did not come left out."""
    return {each.value: statuses[each] for each in Status if statuses.get(each)}


def summary(stages: Sequence[Stage], **more: object) -> JsonObject:
    """Return what a strategy asked altogether: sums over its stages, the stages themselves, and `more`.

    `spend` is None where the price of any of the models is not known.
    """
    documents = [each.as_json() for each in stages]
    statuses: Counter[Status] = Counter()
    reasons: Counter[str] = Counter()
    for stage in stages:
        statuses.update(stage.statuses)
        reasons.update(stage.reasons)
    sums = {name: sum(each[name] for each in documents) for name in _SUMS}
    spends = [each.spend for each in stages]
    return {
        **more, **sums, "statuses": status_counts(statuses),
        "spend": None if None in spends else sum(each for each in spends if each is not None),
        "reasons": _commonest(reasons), "stages": documents,
    }  # fmt: skip


def reason_words(asked: Mapping[str, Any] | None) -> str:
    """Return why answers were not accepted, what came most often first; empty where nobody said anything."""
    reasons = (asked or {}).get("reasons") or ()
    return "; ".join(f"{each['says']} ({each['count']:,})" for each in reasons)


def none_accepted(asked: Mapping[str, Any] | None, *, therefore: str = "") -> str:
    """Return how often each status came where no answer was accepted, what follows, and why most often.

    There is no full stop at the end.
    """
    statuses: Mapping[str, int] = (asked or {}).get("statuses", {})
    counts = ", ".join(f"{count:,} {status}" for status, count in statuses.items()) or "nothing was asked"
    why = reason_words(asked)
    return ". ".join(each for each in (counts, therefore, f"Most often: {why}" if why else "") if each)


def nothing_decided(asked: Mapping[str, Any] | None) -> str:
    """Return in words that a strategy decided nothing, with how often each status came, and why most often."""
    if not (asked or {}).get("statuses"):
        return "nothing was decided: every query is undecided, and so kept"
    return f"nothing was decided: {none_accepted(asked, therefore='No query has a score, so there are no figures')}"

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

    def counting(self, answers: Iterable[Answer]) -> Iterator[Answer]:
        """Yield the answers and count them."""
        for answer in answers:
            self.statuses[answer.status] += 1
            if answer.was_kept:
                self.kept += 1
            else:
                self.calls += answer.attempts
                self.tokens_input += answer.tokens_input
                self.tokens_output += answer.tokens_output
            yield answer

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
            "spend": self.spend,
        }  # fmt: skip


def status_counts(statuses: Mapping[Status, int]) -> dict[str, int]:
    """Return the counts by the statuses' words, in the order of `Status`, those that did not come left out."""
    return {each.value: statuses[each] for each in Status if statuses.get(each)}


def summary(stages: Sequence[Stage], **more: object) -> JsonObject:
    """Return what a strategy asked altogether: sums over its stages, the stages themselves, and `more`.

    `spend` is None where the price of any of the models is not known.
    """
    documents = [each.as_json() for each in stages]
    statuses: Counter[Status] = Counter()
    for stage in stages:
        statuses.update(stage.statuses)
    sums = {name: sum(each[name] for each in documents) for name in _SUMS}
    spends = [each.spend for each in stages]
    return {
        **more, **sums, "statuses": status_counts(statuses),
        "spend": None if None in spends else sum(each for each in spends if each is not None), "stages": documents,
    }  # fmt: skip


def nothing_decided(asked: Mapping[str, Any] | None) -> str:
    """Return in words that a strategy decided nothing, with how often each status came."""
    statuses: Mapping[str, int] = (asked or {}).get("statuses", {})
    counts = ", ".join(f"{count:,} {status}" for status, count in statuses.items())
    if not counts:
        return "nothing was decided: every query is undecided, and so kept"
    return f"nothing was decided: {counts}. No query has a score, so there are no figures"

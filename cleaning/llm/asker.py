"""Who asks: the live one that sends and keeps, and the planner that sends nothing and adds up what it would take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from audit_core.errors import InferenceError
from audit_core.inference.chat import Answer, Status

if TYPE_CHECKING:
    from audit_core.domain import JsonObject
    from audit_core.inference.answer_store import AnswerStore
    from audit_core.inference.asking_progress import AskingProgress
    from audit_core.inference.budget import Caps
    from audit_core.inference.chat import Ask, ChatModel
    from audit_core.inference.estimate import Estimate
    from audit_core.inference.ledger import Spent
    from audit_core.inference.retrying import Patience

#: Called with (what is being done, the share of it that is done).
Report = Callable[[str, float], None]
#: Questions that the planner looks up at once.
_AT_ONCE = 500
#: Stands for the text of an answer that is not there: about as long as a short one.
_STAND_IN = "an answer of a few words, as long as this"


class Asker(Protocol):
    """Brings the answers to questions."""

    def ask_all(
        self, asks: Iterable[Ask], model: ChatModel, *, total: int, step: str, part: tuple[int, int] = (0, 1)
    ) -> Iterator[Answer]:
        """Yield one answer a question, in any order; questions are taken as they are needed.

        Args:
            asks: the questions, about `total` of them.
            model: whom to ask.
            total: for the progress alone.
            step: what is being done, in words.
            part: (i, n): this is the i-th, from 0, of n parts of the strategy's asking, for the progress alone.

        Raises:
            InferenceError: a cap is reached, or the server refuses for good; what arrived is kept.
        """
        ...

    def about(self, model: ChatModel) -> JsonObject:
        """Return what is known of how this server answers: `probe` with its `mode` and `says`, None where unknown."""
        ...


@dataclass(frozen=True, slots=True)
class LiveAsker:
    """Sends what is not answered yet. All models of one run share its caps and its account, over all its attempts.

    `run_id` names the account; `report` may raise to stop. `in_flight` and `patience` None: those of the settings.
    """

    store: AnswerStore
    run_id: str
    caps: Caps
    in_flight: int | None = None
    report: Report | None = None
    patience: Patience | None = None

    def reporting(self, report: Report | None) -> LiveAsker:
        """Return the same asker with another listener."""
        return replace(self, report=report)

    def ask_all(
        self, asks: Iterable[Ask], model: ChatModel, *, total: int, step: str, part: tuple[int, int] = (0, 1)
    ) -> Iterator[Answer]:
        """Yield the answers (see `Asker.ask_all`); those that are kept cost nothing.

        Raises:
            CapReached: the next request could pass a cap.
            InferenceError: key, model or account are refused, the server is gone, or money is capped without a price.
            StorageError: an answer cannot be kept.
        """
        from audit_core import config
        from audit_core.inference.asking import ask_all
        from audit_core.inference.budget import Budget
        from audit_core.inference.ledger import Ledger

        def progress(now: AskingProgress) -> None:
            if self.report is not None:
                self.report(progress_words(step, now, total), (part[0] + now.done / max(1, total)) / part[1])

        yield from ask_all(
            asks,
            model,
            store=self.store,
            budget=Budget(self.caps, model, Ledger(self.store, self.run_id)),
            in_flight=config.llm_in_flight() if self.in_flight is None else self.in_flight,
            patience=self.patience,
            report=progress,
            total=total,
        )

    def about(self, model: ChatModel) -> JsonObject:
        """Return what the server does with a JSON schema, as it was found out before the first question."""
        from audit_core.inference.probe import kept_probe

        probe = kept_probe(self.store, model)
        return {"probe": None if probe is None else probe.as_json()}

    def spent(self) -> Spent:
        """Return what the run has spent so far, with its earlier attempts."""
        from audit_core.inference.ledger import Ledger

        return Ledger(self.store, self.run_id).spent()


@contextmanager
def live_asker(
    run_id: str, *, caps: Mapping[str, Any] | None = None, in_flight: int | None = None, report: Report | None = None
) -> Iterator[LiveAsker]:
    """Give an asker on the answers that are kept under ASSAY_HOME; `caps` holds calls, tokens and spend, or some of them.

    Raises:
        StorageError: the answers cannot be opened.
        InferenceError: a cap is negative or no number.
    """
    from audit_core.inference.answer_store import AnswerStore, answers_folder

    kept_to = caps_of(caps)
    with AnswerStore(answers_folder()) as store:
        yield LiveAsker(store, run_id, kept_to, in_flight, report)


def caps_of(caps: Mapping[str, Any] | None) -> Caps:
    """Return caps as the client knows them; None, or one that is left out, caps nothing."""
    from audit_core.inference.budget import Caps

    given = caps or {}
    return Caps(calls=given.get("calls"), tokens=given.get("tokens"), spend=given.get("spend"))


def refuse_unpriced(caps: Caps, models: Sequence[ChatModel]) -> None:
    """Refuse a cap on money where a model's price is not known, before anything is spent.

    Raises:
        InferenceError: names the model.
    """
    for model in models if caps.spend is not None else ():
        if model.price_input is None or model.price_output is None:
            raise InferenceError(
                f"The price of {model.model} is not known, so money cannot be capped: cap calls or tokens instead, or give "
                "the prices of input and output (price_input and price_output of the model, or the settings "
                "ASSAY_LLM_PRICE_INPUT and ASSAY_LLM_PRICE_OUTPUT)."
            )


def progress_words(step: str, now: AskingProgress, total: int) -> str:
    """Return how far the asking is: questions done, questions a second, and the time left where a rate is known."""
    words = f"{step}: {now.done:,} of {total:,}"
    left = now.seconds_left(total)
    if not now.rate or left is None:
        return words
    minutes = max(1, round(left / 60))
    time = f"{left:.0f} s" if left < 90 else f"{minutes} min" if minutes < 120 else f"{minutes / 60:.0f} h"
    return f"{words}, {now.rate:.1f}/s, {time} left"


@dataclass(frozen=True, slots=True)
class Planned:
    """What one step would take."""

    step: str
    model: ChatModel
    estimate: Estimate


class Planner:
    """Sends nothing: brings what is kept, stand-ins for the rest, and adds up in `planned` what asking would take.

    Stand-ins keep the schema, so that questions about answers can be counted as well. They are no answers: what a strategy
    makes of them is thrown away.
    """

    def __init__(self, store: AnswerStore | None) -> None:
        self._store = store
        self.planned: list[Planned] = []

    def ask_all(
        self, asks: Iterable[Ask], model: ChatModel, *, total: int, step: str, part: tuple[int, int] = (0, 1)
    ) -> Iterator[Answer]:
        """Yield what is kept and stand-ins; when all are taken, the step is in `planned`."""
        from audit_core.inference.estimate import Estimate, estimate

        waiting, parts = iter(asks), [estimate((), model, None)]
        while some := list(islice(waiting, _AT_ONCE)):
            parts.append(estimate(some, model, self._store))
            keys = [each.key(model) for each in some]
            kept = {} if self._store is None else self._store.get_many(keys)
            for ask, key in zip(some, keys, strict=True):
                yield kept.get(key) or _stand_in(ask, key, model)
        spends = [each.spend for each in parts]
        added = Estimate(
            asks=sum(each.asks for each in parts),
            kept=sum(each.kept for each in parts),
            calls=sum(each.calls for each in parts),
            tokens_input=sum(each.tokens_input for each in parts),
            tokens_output_most=sum(each.tokens_output_most for each in parts),
            spend=None if None in spends else sum(each for each in spends if each is not None),
            says=max(parts, key=lambda each: each.calls).says,
        )
        self.planned.append(Planned(step, model, added))

    def about(self, model: ChatModel) -> JsonObject:
        """Return that nothing was tried out."""
        return {"probe": None}


def _stand_in(ask: Ask, key: str, model: ChatModel) -> Answer:
    # Another text for each model: answers in the same words would be judged once.
    value = _of_schema(ask.schema, f"{_STAND_IN} ({model.model})")
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Answer(
        key, ask.purpose, ask.query_id, ask.repeat, Status.ACCEPTED, value, "a stand-in", "", model.model, model.base_url,
        0, 0, 0, 0.0, now,
    )  # fmt: skip


def _of_schema(schema: Mapping[str, Any], text: str) -> Any:
    """Return a value that keeps a schema of the plain kinds that our prompts ask for; every free text is `text`."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema["type"]
    if kind == "object":
        return {name: _of_schema(each, text) for name, each in schema["properties"].items()}
    return {"string": text, "number": schema.get("minimum", 0), "boolean": True, "array": []}[kind]

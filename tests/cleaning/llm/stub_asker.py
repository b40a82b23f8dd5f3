"""An asker without a server: it answers by the schema, by the query's id or as a test says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from audit_core.inference.chat import Answer, Ask, ChatModel, Status
from tests.inference.chat_answers import example

#: What becomes of a question: its value, or a status where there is none.
Reply = Callable[[Ask], Mapping[str, Any] | Status]
MODEL = ChatModel("http://127.0.0.1:9/v1", "stub", price_input=1.0, price_output=10.0)


def by_schema(ask: Ask) -> Mapping[str, Any]:
    """An answer that keeps the schema; which one follows from the query's id and the repeat alone."""
    value: Mapping[str, Any] = example(ask.schema, f"{ask.query_id} {ask.repeat}")
    return value


class StubAsker:
    """Answers every question by `reply`, the last first; `asks` holds them in the order in which they came."""

    def __init__(self, reply: Reply = by_schema) -> None:
        self.reply = reply
        self.asks: list[Ask] = []
        self.steps: list[tuple[str, int, tuple[int, int]]] = []

    def ask_all(
        self, asks: Iterable[Ask], model: ChatModel, *, total: int, step: str, part: tuple[int, int] = (0, 1)
    ) -> Iterator[Answer]:
        """Yield the answers."""
        self.steps.append((step, total, part))
        came = list(asks)
        self.asks += came
        for ask in reversed(came):
            yield answer_to(ask, model, self.reply(ask))

    def about(self, model: ChatModel) -> dict[str, Any]:
        """Say that the schema is enforced."""
        return {"probe": {"mode": "enforced", "says": "a stub"}}


def answer_to(ask: Ask, model: ChatModel, reply: Mapping[str, Any] | Status) -> Answer:
    """The record of an answer: 100 tokens in and 10 out, one attempt."""
    status, value = (reply, None) if isinstance(reply, Status) else (Status.ACCEPTED, dict(reply))
    return Answer(
        ask.key(model), ask.purpose, ask.query_id, ask.repeat, status, value, "" if value else status.value, "", model.model,
        model.base_url, 100, 10, 1, 0.1, "2026-01-01T00:00:00+00:00",
    )  # fmt: skip

"""What tests of asking share: a server, a store, questions, and a run over them; as a program, a run that can be killed."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from audit_core.inference.answer_store import AnswerStore
from audit_core.inference.asking import ask_all
from audit_core.inference.budget import Budget, Caps
from audit_core.inference.chat import Answer, Ask, ChatModel, SentImage
from audit_core.inference.ledger import Ledger, Spent
from audit_core.inference.probe import Probe
from audit_core.inference.retrying import Patience
from tests.inference.chat_server import ChatServer, running

SCHEMA: dict[str, Any] = {
    "type": "object", "properties": {"clarity": {"type": "number", "enum": [0, 0.25, 0.5, 0.75, 1]}},
    "required": ["clarity"], "additionalProperties": False,
}  # fmt: skip
#: Given to a run, so that the server gets nothing but the questions.
KNOWN = Probe("enforced", "max_tokens", "")
QUICK = Patience(attempts=4, first=0.01, longest=0.02)


def asks(count: int, *, start: int = 0, user: str = "Rate query {}.", **more: Any) -> list[Ask]:
    """Return questions about the queries q0, q1 ..."""
    texts = [(f"q{number}", user.format(number)) for number in range(start, start + count)]
    return [Ask("llm_rating", "0" * 64, name, "Answer in JSON.", text, SCHEMA, **more) for name, text in texts]


def image(key: str, content: bytes, *, tokens: int = 1000) -> SentImage:
    """Return a page image of these bytes."""
    return SentImage(key, "image/png", lambda: content, tokens)


@dataclass
class Desk:
    """A server, a store and a model of that server."""

    server: ChatServer
    store: AnswerStore
    model: ChatModel

    def budget(self, caps: Caps | None = None, *, run: str = "run") -> Budget:
        """Return a budget of the run."""
        return Budget(caps or Caps(), self.model, Ledger(self.store, run))

    def run(
        self, questions: Iterable[Ask], caps: Caps | None = None, *, run: str = "run", **options: Any
    ) -> Iterator[Answer]:
        """Return the run over questions; with `KNOWN` and `QUICK` unless the options say otherwise."""
        given = {"probe": KNOWN, "patience": QUICK} | options
        return ask_all(questions, self.model, store=self.store, budget=self.budget(caps, run=run), **given)

    def spent(self, run: str = "run") -> Spent:
        """Return what a run has spent."""
        return Ledger(self.store, run).spent()

    def with_model(self, **changes: Any) -> Desk:
        """Return the desk with another model."""
        return Desk(self.server, self.store, replace(self.model, **changes))


@contextmanager
def desk_in(folder: Path, **model: Any) -> Iterator[Desk]:
    """Give a desk whose store lies in `folder`."""
    with running() as server, AnswerStore(folder) as store:
        yield Desk(server, store, ChatModel(server.url, "stub", timeout_seconds=20.0, **model))


def until_stopped(answers: Iterator[Answer]) -> tuple[list[Answer], Exception]:
    """Return the answers of a run that ends with an error, and the error."""
    found: list[Answer] = []
    try:
        for answer in answers:
            found.append(answer)
    except Exception as error:
        return found, error
    raise AssertionError("the run did not stop")


def main() -> None:
    """Ask questions: URL, folder of the store, how many, at once, and the name of the run; tell each answer as it comes."""
    url, folder, count, in_flight, run = sys.argv[1:]
    model = ChatModel(url, "stub", timeout_seconds=20.0)
    with AnswerStore(Path(folder)) as store:
        budget = Budget(Caps(), model, Ledger(store, run))
        for answer in ask_all(asks(int(count)), model, store=store, budget=budget, in_flight=int(in_flight)):
            print(answer.query_id, "kept" if answer.was_kept else "asked", flush=True)


if __name__ == "__main__":
    main()

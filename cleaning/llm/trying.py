"""Trying a server of language models out: one short question, so that a wrong address, key or model shows before a run."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from audit_core.errors import InferenceError

if TYPE_CHECKING:
    from audit_core.inference.answer_store import AnswerStore
    from audit_core.inference.chat import ChatModel

#: Nobody waits longer for a page.
_SECONDS = 30.0
_SCHEMA = {
    "type": "object", "properties": {"ready": {"type": "boolean"}}, "required": ["ready"], "additionalProperties": False,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tried:
    """What a server did: `probe` is `enforced`, `ignored` or `refused` (a JSON schema), `seconds` how long a reply took.

    `says` tells what is wrong with the reply to the short question, empty where it came as asked.
    """

    probe: str
    seconds: float
    says: str


def try_model(model: ChatModel, store: AnswerStore) -> Tried:
    """Return what the server does with a schema and with one short question; both are asked anew and counted nowhere.

    Raises:
        InferenceError: it cannot be reached, refuses key or model, or does not answer within half a minute.
    """
    from audit_core.inference.asking import ask_all
    from audit_core.inference.budget import Budget, Caps
    from audit_core.inference.chat import Ask, Status
    from audit_core.inference.ledger import Ledger
    from audit_core.inference.probe import forget_probe, kept_probe
    from audit_core.inference.retrying import Patience

    quick = replace(model, timeout_seconds=min(model.timeout_seconds, _SECONDS))
    forget_probe(store, quick)
    nonce = secrets.token_hex(8)
    question = Ask(
        purpose="try", prompt_hash="", query_id=nonce, schema=_SCHEMA, system="You answer with one JSON object and nothing else.",
        user=f'Reply with {{"ready": true}}. (Number of this question: {nonce}.)',
    )  # fmt: skip
    budget = Budget(Caps(calls=8), quick, Ledger(store, f"try:{nonce}"))
    (answer,) = ask_all(
        [question],
        quick,
        store=store,
        budget=budget,
        in_flight=1,
        patience=Patience(attempts=2, longest=2.0, obeyed=5.0),
        total=1,
    )
    if answer.status is Status.HTTP_FAILURE:
        raise InferenceError(answer.says)
    probe = kept_probe(store, quick)
    says = "" if answer.status is Status.ACCEPTED else f"{answer.status}: {answer.says}"
    return Tried("ignored" if probe is None else probe.mode, answer.seconds, says)

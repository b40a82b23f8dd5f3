"""What a server does with a JSON schema, tried out once before a run with a question that asks for prose."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any, Final

from audit_core.domain import JsonObject
from audit_core.errors import InferenceError
from audit_core.inference.answer_store import AnswerStore
from audit_core.inference.budget import Budget
from audit_core.inference.chat import Ask, ChatModel, Status
from audit_core.inference.chat_endpoint import ChatEndpoint, QuestionRefused
from audit_core.inference.chat_request import LimitName, Mode, request_content
from audit_core.inference.line import Line, Tally, Unanswered, done
from audit_core.inference.retrying import Patience

#: What was found out is believed for so long, in seconds: servers are changed.
BELIEVED_SECONDS = 7 * 86_400.0
_SCHEMA: Final[dict[str, Any]] = {
    "type": "object", "properties": {"weather": {"type": "string", "enum": ["calm", "rough"]}}, "required": ["weather"],
    "additionalProperties": False,
}  # fmt: skip
_PROSE = Ask(
    purpose="probe",
    prompt_hash="",
    query_id="",
    system="You write plain English prose. You never write code, lists or data.",
    user="Describe the sea on a quiet evening in one short sentence.",
    schema=_SCHEMA,
)
#: What to do where the server does not answer at all as servers of the protocol do.
_LOOK: Final = "Look at ASSAY_LLM_URL and ASSAY_LLM_MODEL, or at base_url and model of the strategy."
#: How the question is asked, one after the other until it is taken; the other name is tried where the refusal names it.
_FORMS: Final[tuple[tuple[Mode, LimitName], ...]] = (
    ("ignored", "max_tokens"),
    ("refused", "max_tokens"),
    ("ignored", "max_completion_tokens"),
    ("refused", "max_completion_tokens"),
)


@dataclass(frozen=True, slots=True)
class Probe:
    """What a server does with a schema: it enforces it, ignores it, or refuses requests that carry one.

    With "refused" no later request carries one. Replies are validated whatever it says. `limit_name` is the name under
    which the server takes the bound on a reply's tokens.
    """

    mode: Mode
    limit_name: LimitName
    says: str

    def as_json(self) -> JsonObject:
        """Return it as a run records it."""
        return {"mode": self.mode, "limit_name": self.limit_name, "says": self.says}

    @classmethod
    def from_json(cls, record: JsonObject) -> Probe:
        """Return what `as_json` gave.

        Raises:
            InferenceError: the record is none of these.
        """
        mode, name = record.get("mode"), record.get("limit_name")
        if mode not in ("enforced", "ignored", "refused") or name not in ("max_tokens", "max_completion_tokens"):
            raise InferenceError(f"{record!r} is no record of a probe: leave it out, and the server is tried out anew.")
        return cls(mode, name, str(record.get("says", "")))


def kept_probe(store: AnswerStore, model: ChatModel) -> Probe | None:
    """Return what was found out about the model's server within a week, None where nothing was."""
    record = store.ability(_server(model), oldest=BELIEVED_SECONDS)
    return None if record is None else Probe.from_json(record)


def forget_probe(store: AnswerStore, model: ChatModel) -> None:
    """Let the server be tried out anew by the next run."""
    store.keep_ability(_server(model), None).result()


def probe(
    model: ChatModel, *, store: AnswerStore, budget: Budget, patience: Patience | None = None, anew: bool = False
) -> Probe:
    """Return what the model's server does with a schema: what the store tells or, without that or `anew`, after asking it.

    Not to be called inside an event loop.

    Raises:
        CapReached, InferenceError: as in `try_out`.
    """
    found = None if anew else kept_probe(store, model)
    return found or asyncio.run(_alone(model, store, budget, patience or Patience()))


async def _alone(model: ChatModel, store: AnswerStore, budget: Budget, patience: Patience) -> Probe:
    endpoint = ChatEndpoint(model)
    line = Line(endpoint, budget, store, patience)
    try:
        return await try_out(line)
    finally:
        line.images.close()
        await endpoint.close()


async def try_out(line: Line) -> Probe:
    """Return what the server of `line` does with a schema, after asking it: one request, or few where it refuses some.

    Each counts in the budget. What is found out is kept in the store.

    Raises:
        InferenceError: the server refuses the question in every form, does not answer, or the run must stop.
        CapReached: a cap leaves no room for it.
    """
    refusal = ""
    for mode, limit_name in _FORMS:
        if limit_name == "max_completion_tokens" and limit_name not in refusal:
            continue
        try:
            found = await _asked(line, mode, limit_name)
        except QuestionRefused as error:
            if error.may_have_cost:
                raise InferenceError(f"{error} {_LOOK}") from None
            refusal = str(error)
        except Unanswered as error:
            raise InferenceError(f"{error} It was asked {line.patience.attempts} times. {_LOOK}") from None
        else:
            await done(line.store.keep_ability(_server(line.budget.model), found.as_json()))
            return found
    raise InferenceError(
        f"{refusal} It refuses a plain question with these parameters: look at temperature, max_tokens, seed and extra."
    )


async def _asked(line: Line, mode: Mode, limit_name: LimitName) -> Probe:
    model = line.budget.model
    limit = model.max_tokens
    content = request_content(_PROSE, model, mode=mode, limit_name=limit_name, max_tokens=limit, images=[])
    came = await line.came(_PROSE, content, limit, Tally())
    await line.commit(came.settling)
    if mode == "refused":
        return Probe("refused", limit_name, "The server refuses requests with a schema, so none is sent.")
    if came.reading.status is Status.ACCEPTED:
        return Probe("enforced", limit_name, "The server keeps to the schema even where the prompt asks for prose.")
    if came.reading.status is Status.TRUNCATED:
        return Probe(
            "ignored", limit_name, "Whether the server keeps to a schema cannot be told: its reply was cut off."
        )
    return Probe("ignored", limit_name, "The server takes a schema and does not keep to it.")


def _server(model: ChatModel) -> str:
    """Return what names a server with a model and parameters."""
    return json.dumps([model.base_url.rstrip("/"), model.model, model.parameters], sort_keys=True)

"""What a language model is asked, and what came of it: the records that client, store and strategies share.

One `Ask` is one question about one query; its key names it for ever. One `Answer` is what came back: a value that keeps
the schema, or a status that says why there is none. Only `Status.ACCEPTED` carries a value; every other status is
"undecided", never a score.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from audit_core.domain import JsonObject


class Status(StrEnum):
    """What became of a question. `NOT_ASKED` and `HTTP_FAILURE` are no answers: the next run asks again."""

    ACCEPTED = "accepted"
    TRUNCATED = "truncated"
    EMPTY = "empty"
    REFUSED = "refused"
    FILTERED = "filtered"
    OFF_SCALE = "off the scale"
    TWO_OBJECTS = "two different objects"
    MISMATCH = "mismatch"
    HTTP_FAILURE = "http failure"
    #: A page cannot be shown, so the question cannot be asked as it should be.
    NO_PAGE = "page cannot be sent"
    #: A cap was reached or the run was stopped before.
    NOT_ASKED = "not asked"


#: A reply came: it is kept, and not paid for again.
ARRIVED = frozenset(Status) - {Status.HTTP_FAILURE, Status.NO_PAGE, Status.NOT_ASKED}


@dataclass(frozen=True, slots=True)
class ChatModel:
    """A model behind a server that speaks the OpenAI protocol.

    `temperature`, `max_tokens` (of the reply, thinking included), `seed` and `extra` (further members of the request's
    body, such as `{"chat_template_kwargs": {"enable_thinking": False}}`) change what is answered and so belong to the key
    of an answer; address, key and time-out do not. Prices are in US dollars for a million tokens, None where unknown.
    """

    base_url: str
    model: str
    api_key: str | None = field(default=None, repr=False)
    temperature: float | None = 0.0
    max_tokens: int = 1024
    seed: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    timeout_seconds: float = 120.0
    price_input: float | None = None
    price_output: float | None = None

    @property
    def parameters(self) -> JsonObject:
        """What of it decides the answer, as JSON holds it."""
        return {
            "temperature": self.temperature, "max_tokens": self.max_tokens, "seed": self.seed, "extra": dict(self.extra),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class SentImage:
    """A page image that goes along. `key` is the hash of the bytes that are sent; `read` returns them when they are needed.

    `tokens` is the guess of what it costs. `read` raises PageUnavailable where the page cannot be shown.
    """

    key: str
    media_type: str
    read: Callable[[], bytes]
    tokens: int = 1000


@dataclass(frozen=True, slots=True)
class Ask:
    """One question about one query.

    `purpose` names who asks (`llm_rating`), `prompt_hash` is the SHA-256 of the prompt file that `system` and `user` were
    made of, `schema` the JSON schema that the answer must keep. Repeats differ by `repeat` alone.
    """

    purpose: str
    prompt_hash: str
    query_id: str
    system: str
    user: str
    schema: Mapping[str, Any]
    images: tuple[SentImage, ...] = ()
    repeat: int = 0

    def key(self, model: ChatModel) -> str:
        """Return the name of the answer: 64 hex digits of prompt, model, parameters, query, page images and repeat."""
        content = {
            "prompt": [self.prompt_hash, self.system, self.user, self.schema], "model": model.model,
            "parameters": model.parameters, "query": self.query_id, "images": [each.key for each in self.images],
            "repeat": self.repeat,
        }  # fmt: skip
        text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one question.

    `value` is the accepted object, None with any other status. `says` explains a status other than accepted. `raw` is the
    body of the last reply as it came, "" where none came. `attempts` counts the requests that were sent for it, those that
    failed too; `tokens_input` and `tokens_output` are what the server says they used, summed over them (a guess where it
    does not say). `was_kept` is True where it came out of the store and nothing was sent now.
    """

    key: str
    purpose: str
    query_id: str
    repeat: int
    status: Status
    value: JsonObject | None
    says: str
    raw: str
    model: str
    base_url: str
    tokens_input: int
    tokens_output: int
    attempts: int
    seconds: float
    asked_at: str
    was_kept: bool = False

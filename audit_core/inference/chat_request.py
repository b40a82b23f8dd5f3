"""A question as the body of a chat completion, and how many tokens it may have."""

from __future__ import annotations

import base64
import json
import math
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from audit_core.domain import JsonObject
from audit_core.errors import InferenceError
from audit_core.inference.chat import Ask, ChatModel

#: How a server takes a schema: `enforced` and `ignored` are told by `probe`, `refused` means that none is sent.
Mode = Literal["enforced", "ignored", "refused"]
#: The two names under which servers know the bound on a reply's tokens.
LimitName = Literal["max_tokens", "max_completion_tokens"]
#: What roles, marks between messages and the beginning of the reply may take, in tokens.
_FRAME_TOKENS = 64
#: Characters of a token in running English text.
_CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Size:
    """Tokens of a prompt: `guess`, a quarter of its characters, and `bound`, its bytes in UTF-8.

    A token of a text stands for a byte at least, so a text never has more tokens than `bound`, however it is cut. Images add
    their guesses to both.
    """

    guess: int
    bound: int


def size_of(ask: Ask, *, with_schema: bool = True) -> Size:
    """Return how many tokens a question may have: its texts, its images and, where it goes along, its schema."""
    texts = [ask.system, ask.user]
    if with_schema:
        texts.append(json.dumps(ask.schema, ensure_ascii=False))
    images = sum(image.tokens for image in ask.images)
    characters = sum(len(text) for text in texts)
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
    return Size(math.ceil(characters / _CHARACTERS_A_TOKEN) + images, size + _FRAME_TOKENS + images)


def request_content(
    ask: Ask, model: ChatModel, *, mode: Mode, limit_name: LimitName, max_tokens: int, images: Sequence[bytes]
) -> bytes:
    """Return the body of the request, UTF-8 JSON; images go in as data URLs, in the order of `ask.images`.

    What the model's `extra` says gives way to what is said here.

    Raises:
        InferenceError: `extra` or the schema cannot be written as JSON.
    """
    # Images are put in afterwards, so that their text is not copied by every step of writing JSON.
    mark = secrets.token_hex(16)
    body: JsonObject = {
        **model.extra, "model": model.model, "messages": _messages(ask, mark), limit_name: max_tokens, "stream": False,
    }  # fmt: skip
    if model.temperature is not None:
        body["temperature"] = model.temperature
    if model.seed is not None:
        body["seed"] = model.seed
    if mode != "refused":
        name = re.sub(r"[^A-Za-z0-9_-]", "_", ask.purpose)[:64] or "answer"
        schema = {"name": name, "schema": dict(ask.schema), "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    try:
        text = json.dumps(body, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InferenceError(
            f"What the model {model.model} is to be sent cannot be written as JSON ({error})."
        ) from None
    parts = text.encode("ascii").split(mark.encode("ascii"))
    pieces = [parts[0]]
    for image, part in zip(images, parts[1:], strict=True):
        pieces.extend((base64.b64encode(image), part))
    return b"".join(pieces)


def _messages(ask: Ask, mark: str) -> list[JsonObject]:
    said: list[JsonObject] = [{"role": "system", "content": ask.system}] if ask.system else []
    if not ask.images:
        return [*said, {"role": "user", "content": ask.user}]
    content: list[JsonObject] = [{"type": "text", "text": ask.user}]
    for image in ask.images:
        content.append({"type": "image_url", "image_url": {"url": f"data:{image.media_type};base64,{mark}"}})
    return [*said, {"role": "user", "content": content}]

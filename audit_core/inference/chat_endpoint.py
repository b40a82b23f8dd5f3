"""One request to a server that speaks the OpenAI protocol, and what its failure means: again, this question alone, or stop."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TypeGuard

from audit_core.domain import JsonObject
from audit_core.errors import InferenceError
from audit_core.inference.chat import ChatModel
from audit_core.inference.key_masking import without_key
from audit_core.inference.retrying import Again, asked_to_wait

#: Replies that say the question is at fault: too long, an image that cannot be read, a parameter that is not known.
_QUESTION_AT_FAULT = (400, 413, 422)
_PASSING = (408, 409, 425, 429)
_NO_QUOTA = ("insufficient_quota", "billing_hard_limit_reached", "billing_not_active")
#: Failures before anything was sent, by the names of their classes.
_NEVER_SENT = ("ConnectError", "ConnectTimeout", "PoolTimeout", "UnsupportedProtocol", "ProxyError")
#: The largest reply that is read, in bytes: a thousand times what our prompts ask for.
MOST_BYTES = 4_000_000
#: More tokens than any request has: a server that names more says nothing about them.
_MOST_TOKENS = 1_000_000_000
#: The longest message of a server that is repeated, in characters.
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Reply:
    """What came with 200: the body as JSON (None where it is none), the same as it came, and the tokens that it names."""

    body: JsonObject | None
    raw: str
    usage: tuple[int, int] | None


class PassingFailure(Again):
    """An attempt failed in a way that may pass. `may_have_cost` tells whether the server may have worked for it all the same."""

    def __init__(self, says: str, *, after: float | None = None, may_have_cost: bool = False) -> None:
        super().__init__(says, after=after)
        self.may_have_cost = may_have_cost


class QuestionRefused(Exception):
    """The server refuses this question; others may well be answered. `may_have_cost` as of a `PassingFailure`."""

    def __init__(self, says: str, *, may_have_cost: bool = False) -> None:
        super().__init__(says)
        self.may_have_cost = may_have_cost


class ChatEndpoint:
    """The connections to a server, for one event loop. No text that leaves it holds the key."""

    def __init__(self, model: ChatModel) -> None:
        import openai

        from audit_core.inference.bounded_client import BoundedAsyncClient

        self._model = model
        try:
            self._client = openai.AsyncOpenAI(
                base_url=model.base_url.rstrip("/"),
                # Without a text here the client would take the key from the environment.
                api_key=model.api_key or "none",
                timeout=model.timeout_seconds,
                max_retries=0,
                http_client=BoundedAsyncClient(most=MOST_BYTES, key=model.api_key or "none"),
            )
        except openai.OpenAIError as error:
            raise InferenceError(f"{self._place} cannot be used: {self.without_key(str(error))}") from None

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def attempt(self, content: bytes) -> Reply:
        """Return the reply to one request (the body of a chat completion, JSON in UTF-8). Nothing is repeated.

        Raises:
            PassingFailure: 408, 409, 425, 429, 5xx, no connection, one that broke off, or no reply in time.
            QuestionRefused: 400, 413 or 422, or a reply larger than `MOST_BYTES`.
            InferenceError: anything else, such as 401, 402, 403, 404, a redirect, which is not followed, or a quota that is
                used up: the run must stop.
        """
        import httpx2
        import openai

        from audit_core.inference.bounded_client import ReplyNotRead, place_sent_to

        seconds = self._model.timeout_seconds
        try:
            # The client's own time-out starts anew with every byte that comes.
            async with asyncio.timeout(seconds):
                reply = await self._client.post(
                    "/chat/completions",
                    cast_to=httpx2.Response,
                    content=content,
                    options={"headers": {"Content-Type": "application/json"}},
                )
            return self._read(reply.content)
        except (TimeoutError, openai.APITimeoutError) as error:
            may_have_cost = type(error.__cause__).__name__ not in _NEVER_SENT
            raise PassingFailure(
                f"{self._place} did not answer within {seconds:g} seconds.", may_have_cost=may_have_cost
            ) from None
        except openai.APIConnectionError as error:
            cause = self.without_key(str(error.__cause__ or error)) or type(error.__cause__).__name__
            may_have_cost = type(error.__cause__).__name__ not in _NEVER_SENT
            raise PassingFailure(
                f"{self._place} cannot be reached, or broke off ({cause}).", may_have_cost=may_have_cost
            ) from None
        except ReplyNotRead as error:
            raise QuestionRefused(f"{self._place} {error}.", may_have_cost=True) from None
        except openai.APIStatusError as error:
            if (to := place_sent_to(error.response)) is not None:
                raise InferenceError(
                    f"{self._place} answered {error.status_code}: it sends on to {self.without_key(to)}, and nothing was sent "
                    "there. If that is the place that is meant, give its address in ASSAY_LLM_URL."
                ) from None
            raise self._meaning(error.status_code, error.body, asked_to_wait(error.response.headers)) from None
        except openai.OpenAIError as error:
            raise InferenceError(f"{self._place} failed: {self.without_key(str(error))}") from None

    def _read(self, content: bytes) -> Reply:
        raw = self.without_key(content.decode("utf-8-sig", "replace"))
        try:
            body = json.loads(raw)
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict):
            return Reply(None, raw, None)
        # Some that pass questions on answer 200, with the failure of the server behind them inside.
        if "choices" not in body and isinstance(body.get("error"), dict) and isinstance(body["error"].get("code"), int):
            raise self._meaning(body["error"]["code"], body["error"], None)
        return Reply(body, raw, _usage(body))

    def _meaning(self, status: int, body: object, after: float | None) -> Exception:
        """Return what an error reply means: ask again, leave this question, or stop."""
        told = f"{self._place} answered {status}: {self._message(body)}"
        kinds = (body.get("code"), body.get("type")) if isinstance(body, dict) else ()
        if status == 429 and any(kind in _NO_QUOTA for kind in kinds):
            return InferenceError(f"{told} Start again when there is quota.")
        if status in _PASSING or status >= 500:
            return PassingFailure(told, after=after)
        if status in _QUESTION_AT_FAULT:
            return QuestionRefused(told)
        if status == 402:
            return InferenceError(f"{told} Start again when the account has credit.")
        return InferenceError(f"{told} Look at ASSAY_LLM_URL, ASSAY_LLM_MODEL and ASSAY_LLM_KEY.")

    def _message(self, body: object) -> str:
        """Return what the server says, cut to 300 characters, with a full stop."""
        says = (body.get("message") or body.get("detail")) if isinstance(body, dict) else None
        text = self.without_key(" ".join(str(says or body or "no reason given").split()))
        return (text if len(text) <= _LONGEST else text[:_LONGEST] + "…").rstrip(".") + "."

    @property
    def _place(self) -> str:
        return f"The server {self._model.base_url}"

    def without_key(self, text: str) -> str:
        """Return a text with three stars for the key."""
        return without_key(text, self._model.api_key)


def _usage(body: JsonObject) -> tuple[int, int] | None:
    """Return the tokens of prompt and reply that a body names, None where it does not, or not as whole numbers."""
    usage = body.get("usage")
    if not isinstance(usage, dict):
        return None
    prompt, reply = usage.get("prompt_tokens"), usage.get("completion_tokens")
    return (prompt, reply) if _is_count(prompt) and _is_count(reply) else None


def _is_count(number: object) -> TypeGuard[int]:
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= _MOST_TOKENS

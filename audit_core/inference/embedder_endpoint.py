"""An embeddings endpoint that speaks the OpenAI protocol: a server of one's own, or a provider's."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from audit_core import config
from audit_core.errors import InferenceError
from audit_core.inference.embedder import Batch, Cancelled, Fault, Identity, State, check_options, whole_number
from audit_core.inference.endpoint_reply import ReplyError, joined, read_reply, without_vectors
from audit_core.inference.key_masking import without_key
from audit_core.inference.retrying import Again, GivenUp, Patience, WasCancelled, asked_to_wait, until_it_works

if TYPE_CHECKING:
    import openai

name = "openai-endpoint"
title = "Embeddings endpoint (OpenAI protocol)"
describe = (
    "Sends the texts to the endpoint that ASSAY_EMBEDDINGS_URL names, with the model ASSAY_EMBEDDINGS_MODEL; the provider's "
    "price and terms apply. Vectors are kept as they arrive, scaled to length 1, so an interrupted run goes on where it "
    "stopped. What the endpoint cuts off long texts by itself cannot be known here."
)
needs_fitting = False

_OPTIONS = ("base_url", "model", "dimensions", "encoding", "batch_size", "timeout_seconds")
#: Replies that say the texts are at fault: they are asked for in halves until the culprit is found.
_TEXTS_AT_FAULT = (400, 413, 422)
_PASSING = (408, 409, 425, 429)
#: The largest reply that is read, in bytes: 2,048 vectors of 4,096 numbers as base64 are 45 million.
MOST_BYTES = 64_000_000


def build(options: Mapping[str, object]) -> Endpoint:
    """Return the embedder.

    Options: `base_url` and `model` (default: the settings ASSAY_EMBEDDINGS_URL and ASSAY_EMBEDDINGS_MODEL), `dimensions`
    (default: what the model has), `encoding` (`float`, or `base64`, which is a third of the size), `batch_size` (64),
    `timeout_seconds` (60). The key is the setting ASSAY_EMBEDDINGS_KEY and no option, for options are recorded; it is sent to the
    server of ASSAY_EMBEDDINGS_URL alone.

    Raises:
        InferenceError: an option is unknown or wrong, or endpoint or model are not named at all.
        SettingError: a setting has a value that cannot be used.
    """
    check_options(name, options, _OPTIONS)
    url, model = options.get("base_url") or config.embeddings_url(), options.get("model") or config.embeddings_model()
    if not url or not model:
        raise InferenceError("No embeddings endpoint is named: set ASSAY_EMBEDDINGS_URL and ASSAY_EMBEDDINGS_MODEL.")
    if not isinstance(url, str) or (fault := config.url_fault(url)):
        raise InferenceError(
            f"The base URL of the embeddings endpoint {fault if isinstance(url, str) else 'is no text'}."
        )
    if not isinstance(model, str):
        raise InferenceError("The model of the embeddings endpoint is no text.")
    encoding = options.get("encoding", "float")
    if encoding not in ("float", "base64"):
        raise InferenceError(f"The option encoding of the embedder {name} is {encoding!r}: give float or base64.")
    has_dimensions = options.get("dimensions") is not None
    return Endpoint(
        base_url=url,
        model=model,
        # An option may name any server: the key is for that of the settings alone.
        key=config.embeddings_key() if url.rstrip("/") == (config.embeddings_url() or "").rstrip("/") else None,
        dimensions=whole_number(name, options, "dimensions", 0, low=1, high=65_536) if has_dimensions else None,
        encoding=str(encoding),
        batch_size=whole_number(name, options, "batch_size", 64, low=1, high=2048),
        timeout_seconds=whole_number(name, options, "timeout_seconds", 60, low=1, high=3600),
    )


class Endpoint:
    """Texts to unit vectors, by requests one after another. It holds nothing but its connections; threads may share it."""

    is_cached = True

    def __init__(
        self, *, base_url: str, model: str, key: str | None = None, dimensions: int | None = None,
        encoding: str = "float", batch_size: int = 64, timeout_seconds: float = 60.0, patience: Patience | None = None,
    ) -> None:  # fmt: skip
        self.batch_size = batch_size
        self.identity = Identity("endpoint", model, base_url.rstrip("/"), dimensions, True)
        self._key = key
        self._encoding = encoding
        self._timeout_seconds = timeout_seconds
        self._patience = patience or Patience()
        self._connecting = threading.Lock()
        self._client: openai.OpenAI | None = None

    def embed(self, texts: Sequence[str], *, cancelled: Cancelled | None = None) -> Batch:
        """Return one vector a text. A text or vector that is at fault by itself is a fault of its row.

        A request that may succeed later (429, 5xx, no connection, a timeout, a reply that makes no sense) is repeated.

        Raises:
            InferenceError: the endpoint cannot be reached, refuses the key or model, or keeps failing.
        """
        try:
            return until_it_works(lambda: self._ask(texts), self._patience, cancelled=cancelled)
        except _TextsRefused as refusal:
            if len(texts) == 1:
                return without_vectors(1, Fault(State.REFUSED, str(refusal)))
            middle = len(texts) // 2
            halves = (texts[:middle], texts[middle:])
            return joined(*(self.embed(half, cancelled=cancelled) for half in halves))
        except WasCancelled:
            return without_vectors(len(texts), Fault(State.CANCELLED, "it was cancelled before the endpoint answered"))
        except GivenUp as last:
            if last.state is not None:
                return without_vectors(len(texts), Fault(last.state, str(last)))
            raise InferenceError(
                f"{last} It was asked {self._patience.attempts} times. What arrived before is kept: start again when the "
                "endpoint answers, and only the rest is asked for."
            ) from None

    def _ask(self, texts: Sequence[str]) -> Batch:
        import openai

        from audit_core.inference.bounded_client import ReplyNotRead

        try:
            reply = self._connected().embeddings.with_raw_response.create(
                input=list(texts),
                model=self.identity.model,
                encoding_format="base64" if self._encoding == "base64" else "float",
                dimensions=self.identity.dimensions or openai.omit,
            )
            return read_reply(reply.http_response.content, len(texts), dimensions=self.identity.dimensions)
        except ReplyError as error:
            raise Again(str(error), state=error.state) from None
        except ReplyNotRead as error:
            raise InferenceError(
                f"{self._place} {error}: it was asked for the vectors of {len(texts):,} texts. Take a smaller batch_size, or look "
                "at the endpoint."
            ) from None
        except openai.APITimeoutError:
            raise Again(f"{self._place} did not answer within {self._timeout_seconds:g} seconds.") from None
        except openai.APIConnectionError as error:
            cause = self._without_key(str(error.__cause__ or error))
            raise Again(f"{self._place} cannot be reached, or broke off ({cause}).") from None
        except openai.APIStatusError as error:
            raise self._meaning(error) from None
        except openai.OpenAIError as error:
            raise InferenceError(f"{self._place} failed: {self._without_key(str(error))}") from None

    def _meaning(self, error: openai.APIStatusError) -> Exception:
        """Return what an error reply means: ask again, ask without some text, or stop."""
        from audit_core.inference.bounded_client import place_sent_to

        says = self._without_key(_message(error))
        status = error.status_code
        if (to := place_sent_to(error.response)) is not None:
            return InferenceError(
                f"{self._place} answered {status}: it sends on to {self._without_key(to)}, and nothing was sent there. If that is "
                "the place that is meant, give its address in ASSAY_EMBEDDINGS_URL."
            )
        told = f"{self._place} answered {status}: {says}"
        if status == 429 and error.code == "insufficient_quota":
            return InferenceError(f"{told} Nothing that arrived is lost: start again when there is quota.")
        if status in _PASSING or status >= 500:
            return Again(told, after=asked_to_wait(error.response.headers))
        if status in _TEXTS_AT_FAULT:
            return _TextsRefused(told)
        return InferenceError(f"{told} Look at ASSAY_EMBEDDINGS_URL, ASSAY_EMBEDDINGS_MODEL and ASSAY_EMBEDDINGS_KEY.")

    def _connected(self) -> openai.OpenAI:
        import openai

        from audit_core.inference.bounded_client import BoundedClient

        with self._connecting:
            if self._client is None:
                self._client = openai.OpenAI(
                    base_url=self.identity.source,
                    # Without a text here the client would take the key from the environment.
                    api_key=self._key or "none",
                    timeout=self._timeout_seconds,
                    max_retries=0,
                    http_client=BoundedClient(most=MOST_BYTES, key=self._key or "none"),
                )
            return self._client

    @property
    def _place(self) -> str:
        return f"The embeddings endpoint {self.identity.source}"

    def _without_key(self, text: str) -> str:
        return without_key(text, self._key)


class _TextsRefused(Exception):
    """The endpoint refuses these texts."""


def _message(error: openai.APIStatusError) -> str:
    """Return what the server says, cut to 300 characters, with a full stop."""
    body: Any = error.body
    says = body.get("message") if isinstance(body, dict) else None
    text = " ".join(str(says or body or "no reason given").split())
    return (text if len(text) <= 300 else text[:300] + "…").rstrip(".") + "."

"""The reply of an embeddings endpoint to vectors in the order of the texts; nothing in it is believed unseen."""

from __future__ import annotations

import base64
import binascii
import json
from typing import TYPE_CHECKING, Any

from audit_core.inference.embedder import Batch, Fault, State
from audit_core.inference.normalising import normalised

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class ReplyError(Exception):
    """A reply that cannot be read as vectors of these texts; the text says why, `state` in one word."""

    def __init__(self, state: State, says: str) -> None:
        super().__init__(says)
        self.state = state


def read_reply(content: bytes, texts: int, *, dimensions: int | None) -> Batch:
    """Return the vectors of a reply, of length 1, put in order by their `index`.

    A vector of NaN or infinity, or of other dimensions than `dimensions` (where None: than most of the reply), is a
    fault of its row. Numbers may be lists or base64 of little-endian float32.

    Raises:
        ReplyError: no JSON of the protocol, or not one vector for each text.
    """
    import numpy as np

    body = _body(content)
    rows = _by_index(body["data"], texts)
    lengths = [len(each) for each in rows]
    wanted = dimensions or max(set(lengths), key=lambda length: (lengths.count(length), length))
    vectors = np.full((texts, wanted), np.nan, dtype=np.float32)
    faults: dict[int, Fault] = {}
    for row, numbers in enumerate(rows):
        if len(numbers) != wanted or wanted == 0:
            says = f"the endpoint sent a vector of {len(numbers)} dimensions instead of {wanted}"
            faults[row] = Fault(State.WRONG_DIMENSIONS, says)
        elif not np.isfinite(numbers).all():
            faults[row] = Fault(State.NOT_FINITE, "the endpoint sent a vector with NaN, infinity or null in it")
        else:
            vectors[row] = normalised(numbers[None, :])[0]
    return Batch(vectors, np.zeros(texts, dtype=np.bool_), _tokens(body), faults)


def _body(content: bytes) -> dict[str, Any]:
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        raise ReplyError(State.UNREADABLE, "the endpoint's reply is no JSON, or was cut off") from None
    if not isinstance(body, dict) or not isinstance(body.get("data"), list):
        raise ReplyError(State.UNREADABLE, "the endpoint's reply holds no list `data` of vectors")
    return body


def _by_index(data: list[Any], texts: int) -> list[NDArray[np.float64]]:
    indexes = [each.get("index") if isinstance(each, dict) else None for each in data]
    whole = [each for each in indexes if isinstance(each, int) and not isinstance(each, bool)]
    if len(data) != texts:
        raise ReplyError(State.WRONG_COUNT, f"the endpoint sent {len(data):,} vectors for {texts:,} texts")
    if sorted(whole) != list(range(texts)):
        # Without indexes the order of arrival would have to be trusted.
        raise ReplyError(State.WRONG_COUNT, f"the endpoint's indexes are not 0 to {texts - 1:,}, each once")
    by_index = dict(zip(whole, data, strict=True))
    return [_numbers(by_index[row].get("embedding")) for row in range(texts)]


def _numbers(value: object) -> NDArray[np.float64]:
    """Return the numbers of one vector; null is NaN."""
    import numpy as np

    try:
        if isinstance(value, str):
            return np.frombuffer(base64.b64decode(value, validate=True), dtype="<f4").astype(np.float64)
        if isinstance(value, list):
            numbers = np.array(value, dtype=np.float64)
            if numbers.ndim == 1:
                return numbers
    except (ValueError, TypeError, OverflowError, binascii.Error):
        pass
    raise ReplyError(
        State.UNREADABLE, "the endpoint sent a vector that is neither a list of numbers nor base64 of float32"
    )


def without_vectors(texts: int, fault: Fault) -> Batch:
    """Return a batch in which every text has the same fault; it has no dimensions."""
    import numpy as np

    vectors = np.full((texts, 0), np.nan, dtype=np.float32)
    return Batch(vectors, np.zeros(texts, dtype=np.bool_), 0, dict.fromkeys(range(texts), fault))


def joined(first: Batch, second: Batch) -> Batch:
    """Return two batches as one; where their dimensions differ, the vectors of the second are faults."""
    import numpy as np

    rows, dimensions = len(first.vectors), first.vectors.shape[1] or second.vectors.shape[1]
    vectors = np.full((rows + len(second.vectors), dimensions), np.nan, dtype=np.float32)
    faults = dict(first.faults) | {rows + row: fault for row, fault in second.faults.items()}
    if first.vectors.shape[1]:
        vectors[:rows] = first.vectors
    if second.vectors.shape[1] == dimensions:
        vectors[rows:] = second.vectors
    else:
        says = f"the endpoint sent a vector of {second.vectors.shape[1]} dimensions instead of {dimensions}"
        for row in range(rows, len(vectors)):
            faults.setdefault(row, Fault(State.WRONG_DIMENSIONS, says))
    truncated = np.concatenate([first.truncated, second.truncated])
    return Batch(vectors, truncated, first.tokens + second.tokens, faults)


def _tokens(body: dict[str, Any]) -> int:
    usage = body.get("usage")
    count = usage.get("prompt_tokens", usage.get("total_tokens")) if isinstance(usage, dict) else None
    return count if isinstance(count, int) and not isinstance(count, bool) and count > 0 else 0

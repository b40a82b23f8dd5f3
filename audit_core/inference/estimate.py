"""What questions would cost, before one is sent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from audit_core.inference.answer_store import AnswerStore
from audit_core.inference.budget import price
from audit_core.inference.chat import Ask, ChatModel
from audit_core.inference.chat_request import size_of

_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Estimate:
    """What it would come to: `asks` different questions, `kept` of them answered already, `calls` to be asked.

    `tokens_input` is a guess; `tokens_output_most` is `max_tokens` for each call, which few replies need. `spend` is in US
    dollars with that most, None where the price is unknown. `says` tells in words what is left out.
    """

    asks: int
    kept: int
    calls: int
    tokens_input: int
    tokens_output_most: int
    spend: float | None
    says: str


def estimate(asks: Iterable[Ask], model: ChatModel, store: AnswerStore | None) -> Estimate:
    """Return what asking would cost. Nothing is sent; a question that comes twice counts once.

    Tokens of a text are guessed as a quarter of its characters, those of an image as the image says. `store` None means that
    nothing is kept.

    Raises:
        StorageError: the store cannot be read.
    """
    seen: set[bytes] = set()
    kept = tokens = 0
    waiting = iter(asks)
    while part := list(islice(waiting, _AT_ONCE)):
        new: dict[str, Ask] = {}
        for ask in part:
            key = ask.key(model)
            if (short := bytes.fromhex(key)) not in seen:
                seen.add(short)
                new[key] = ask
        there = set() if store is None else store.keys_of(list(new))
        kept += len(there)
        tokens += sum(size_of(ask).guess for key, ask in new.items() if key not in there)
    calls = len(seen) - kept
    most = calls * model.max_tokens
    return Estimate(len(seen), kept, calls, tokens, most, price(model, tokens, most), _words(calls, model))


def _words(calls: int, model: ChatModel) -> str:
    if calls == 0:
        return "Everything is answered already; nothing would be sent."
    words = [
        "Tokens are guessed: a quarter of the characters, and a fixed number for an image. Output is counted at its most. "
        "One request more tries the server out; what fails or is cut off is asked again and counts again."
    ]
    if price(model, 0, 0) is None:
        words.append(f"The price of {model.model} is not known, so money cannot be estimated.")
    return " ".join(words)

"""How much a run may ask: caps on calls, tokens and money that are never passed, whatever is under way at once."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from sqlite3 import Connection

from audit_core.errors import InferenceError
from audit_core.inference.chat import ChatModel
from audit_core.inference.ledger import Cost, Ledger, Spent


class CapReached(InferenceError):
    """The next request could pass a cap: nothing more is sent."""


@dataclass(frozen=True, slots=True)
class Caps:
    """The most that a run may use: `calls` (requests, failed ones too), `tokens` (input and output), `spend` (US dollars).

    None means no cap. A run that is started again goes on with what it has used before.

    Raises:
        InferenceError: a cap is negative or no number.
    """

    calls: int | None = None
    tokens: int | None = None
    spend: float | None = None

    def __post_init__(self) -> None:
        for name, value in (("calls", self.calls), ("tokens", self.tokens), ("spend", self.spend)):
            if value is not None and not (math.isfinite(value) and value >= 0):
                raise InferenceError(f"The cap on {name} is {value}: give a number of at least 0, or leave it out.")


class Budget:
    """What one model may still be asked for in one run.

    Each request is entered in the ledger before it is sent, with the most that it can cost: the bound on the prompt's tokens
    (see `chat_request.Size`) and `max_tokens` of output. It is settled with the server's own figures. Where the server gives
    none, or a reply breaks off, the most stays entered: it may have been used. A request that was refused, or never
    reached the server, counts as a call without tokens.

    The server may count more than the bound (only of images, whose tokens are a guess): then later bounds grow by as much.
    """

    def __init__(self, caps: Caps, model: ChatModel, ledger: Ledger) -> None:
        """Make the budget.

        Raises:
            InferenceError: money is capped, and the model's price (or that of one that the run has asked) is unknown.
        """
        self.caps = caps
        self.model = model
        self.ledger = ledger
        self._grown = 1.0
        self._guard = threading.Lock()
        #: What the run has used, without what is under way or was given up.
        self._used = ledger.spent()
        is_priced = model.price_input is not None and model.price_output is not None
        if caps.spend is not None and (not is_priced or self._used.spend is None):
            whose = model.model if not is_priced else "a model that this run has asked"
            raise InferenceError(
                f"The price of {whose} is not known, so money cannot be capped: cap calls or tokens instead, or give the "
                "prices of input and output (ASSAY_LLM_PRICE_INPUT and ASSAY_LLM_PRICE_OUTPUT)."
            )

    def cost(self, tokens_input: int, tokens_output: int) -> Cost:
        """Return what so many tokens cost with this model."""
        return Cost(tokens_input, tokens_output, price(self.model, tokens_input, tokens_output))

    def most(self, prompt_bound: int, max_tokens: int) -> Cost:
        """Return the most that a request can cost."""
        return self.cost(math.ceil(prompt_bound * self._grown), max_tokens)

    def reserve(self, most: Cost) -> Future[None]:
        """Enter a request before it is sent. The future raises CapReached where it could pass a cap, and enters nothing."""
        return self.ledger.reserve(most, lambda spent: self._allow(spent, most))

    def settling(self, most: Cost, used: Cost) -> Callable[[Connection], None]:
        """Return the work that replaces the most by what was used, for `AnswerStore.write`."""
        if used.tokens_input > most.tokens_input > 0:
            self._grown *= used.tokens_input / most.tokens_input
        with self._guard:
            self._used = self._used.with_one(used)
        return self.ledger.settling(most, used)

    def returning(self, most: Cost) -> Callable[[Connection], None]:
        """Return the work that takes out a request that was not sent after all."""
        return self.ledger.returning(most)

    def used(self) -> Spent:
        """Return what the run has used so far, by the figures of what came back: requests under way are left out.

        What other processes use for the same run meanwhile is left out too; `Ledger.spent` tells all.
        """
        with self._guard:
            return self._used

    def _allow(self, spent: Spent, most: Cost) -> None:
        caps = self.caps
        if caps.calls is not None and spent.calls + 1 > caps.calls:
            raise CapReached(f"The cap of {_many(caps.calls, 'call')} is reached: {spent.calls:,} were made.")
        tokens = most.tokens_input + most.tokens_output
        if caps.tokens is not None and spent.tokens + tokens > caps.tokens:
            raise CapReached(
                f"The cap of {_many(caps.tokens, 'token')} is reached: {spent.tokens:,} were used, and the next request could "
                f"use {tokens:,}."
            )
        # A rest of rounding must not stop a request that just fits.
        if caps.spend is not None and (spent.spend or 0.0) + (most.spend or 0.0) > caps.spend + 1e-9:
            raise CapReached(
                f"The cap of US ${caps.spend:,.2f} is reached: ${spent.spend or 0.0:,.4f} were spent, and the next request could "
                f"cost ${most.spend or 0.0:,.4f}."
            )


def price(model: ChatModel, tokens_input: int, tokens_output: int) -> float | None:
    """Return what tokens cost in US dollars, None where a price of the model is unknown."""
    if model.price_input is None or model.price_output is None:
        return None
    return (tokens_input * model.price_input + tokens_output * model.price_output) / 1_000_000


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"

"""Caps and costs: what is entered, what is refused, and what it says."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from audit_core.errors import InferenceError
from audit_core.inference.answer_store import AnswerStore
from audit_core.inference.budget import Budget, CapReached, Caps, price
from audit_core.inference.chat import ChatModel
from audit_core.inference.chat_request import size_of
from audit_core.inference.ledger import Cost, Ledger, Spent
from tests.inference.asking_desk import asks, image

MODEL = ChatModel("http://127.0.0.1:1/v1", "stub", price_input=0.5, price_output=1.5)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """The account of a run."""
    with AnswerStore(tmp_path) as store:
        yield Ledger(store, "run")


def settle(ledger: Ledger, budget: Budget, most: Cost, used: Cost) -> None:
    ledger._store.write(budget.settling(most, used)).result()


def test_a_cost_is_tokens_times_the_price_of_a_million() -> None:
    assert price(MODEL, 2_000_000, 1_000_000) == 2.5
    assert price(replace(MODEL, price_output=None), 1, 0) is None
    assert price(replace(MODEL, price_input=0.0, price_output=0.0), 10, 10) == 0.0


def test_a_request_is_entered_at_its_most_and_settled_with_what_it_used(ledger: Ledger) -> None:
    budget = Budget(Caps(), MODEL, ledger)
    most = budget.most(1_000, 200)
    budget.reserve(most).result()
    assert ledger.spent() == Spent(1, 1_000, 200, pytest.approx(0.0008))
    assert budget.used() == Spent(), "what is under way has not been used yet"
    settle(ledger, budget, most, budget.cost(300, 20))
    assert ledger.spent() == budget.used() == Spent(1, 300, 20, pytest.approx(0.00018))
    budget.reserve(most).result()
    ledger._store.write(budget.returning(most)).result()
    assert ledger.spent() == budget.used()


def test_a_cap_refuses_the_request_that_could_pass_it_and_enters_nothing(ledger: Ledger) -> None:
    budget = Budget(Caps(tokens=2_400), MODEL, ledger)
    most = budget.most(1_000, 200)
    for _ in range(2):
        budget.reserve(most).result()
    with pytest.raises(
        CapReached,
        match=r"The cap of 2,400 tokens is reached: 2,400 were used, and the next request could use 1,200\.",
    ):
        budget.reserve(most).result()
    assert ledger.spent().calls == 2
    settle(ledger, budget, most, budget.cost(100, 0))
    with pytest.raises(CapReached):
        budget.reserve(most).result()
    settle(ledger, budget, most, budget.cost(1_100, 0))
    budget.reserve(most).result()


def test_money_that_just_fits_is_not_stopped_by_a_rest_of_rounding(ledger: Ledger) -> None:
    budget = Budget(Caps(spend=0.3), replace(MODEL, price_input=1.0, price_output=1.0), ledger)
    most = budget.most(100_000, 0)
    for _ in range(3):
        budget.reserve(most).result()
    with pytest.raises(CapReached, match=r"The cap of US \$0\.30 is reached: \$0\.3000 were spent"):
        budget.reserve(most).result()


def test_money_cannot_be_capped_in_a_run_that_asked_a_model_without_a_price(ledger: Ledger) -> None:
    free = Budget(Caps(calls=5), replace(MODEL, price_input=None), ledger)
    free.reserve(free.most(10, 10)).result()
    assert ledger.spent().spend is None
    with pytest.raises(InferenceError, match="The price of a model that this run has asked is not known"):
        Budget(Caps(spend=1.0), MODEL, ledger)


@pytest.mark.parametrize("wrong", [{"calls": -1}, {"tokens": -5}, {"spend": math.nan}, {"spend": math.inf}])
def test_a_cap_is_a_number_of_at_least_0(wrong: dict[str, float]) -> None:
    with pytest.raises(InferenceError, match="give a number of at least 0"):
        Caps(**wrong)  # type: ignore[arg-type]
    assert Caps(calls=0).calls == 0


def test_a_cap_of_no_calls_sends_nothing(ledger: Ledger) -> None:
    with pytest.raises(CapReached, match="The cap of 0 calls is reached"):
        Budget(Caps(calls=0), MODEL, ledger).reserve(Cost(0, 0, 0.0)).result()


def test_the_size_of_a_prompt_is_guessed_in_characters_and_bounded_in_bytes() -> None:
    (ask,) = asks(1, user="Ж" * 400 + "{}", images=(image("a", b"x", tokens=700), image("b", b"x", tokens=300)))
    without = size_of(ask, with_schema=False)
    characters = len("Answer in JSON.") + 401
    assert without.guess == math.ceil(characters / 4) + 1_000
    assert without.bound == characters + 400 + 64 + 1_000
    assert size_of(ask).bound > without.bound

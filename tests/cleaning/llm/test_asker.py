"""Who asks: against a real server with caps and progress, and the planner that sends nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from audit_core.errors import InferenceError
from audit_core.inference.answer_store import AnswerStore
from audit_core.inference.asking_progress import AskingProgress
from audit_core.inference.budget import CapReached, Caps
from audit_core.inference.chat import Ask, ChatModel, Status
from cleaning.catalogue import build_strategy
from cleaning.llm.asker import LiveAsker, Planner, caps_of, live_asker, progress_words, refuse_unpriced
from tests.cleaning.stub_strategies import query_table
from tests.inference.chat_answers import said
from tests.inference.chat_server import ChatServer, running

SCHEMA = {
    "type": "object", "properties": {"valid": {"type": "boolean"}}, "required": ["valid"], "additionalProperties": False,
}  # fmt: skip


@pytest.fixture
def server() -> Iterator[ChatServer]:
    """A server that answers by the schema."""
    with running() as found:
        yield found


@pytest.fixture
def store(tmp_path: Path) -> Iterator[AnswerStore]:
    """An empty store."""
    with AnswerStore(tmp_path / "answers") as found:
        yield found


def questions(n: int) -> list[Ask]:
    return [Ask("test", "0" * 64, f"q{row}", "You answer in JSON.", f"Is {row} valid?", SCHEMA) for row in range(n)]


def model(server: ChatServer, name: str = "one", **more: Any) -> ChatModel:
    return ChatModel(server.url, name, **more)


def test_what_is_asked_is_kept_and_the_progress_tells_the_share_of_its_part(
    server: ChatServer, store: AnswerStore
) -> None:
    told: list[tuple[str, float]] = []
    asker = LiveAsker(store, "run", Caps(), 2, lambda step, share: told.append((step, share)))
    found = list(asker.ask_all(questions(12), model(server), total=12, step="asking", part=(1, 4)))
    assert {each.status for each in found} == {Status.ACCEPTED}
    assert told[-1][0].startswith("asking: 12 of 12")
    assert told[-1][1] == pytest.approx(0.5)
    assert all(0.25 <= share <= 0.5 for _, share in told)
    assert asker.about(model(server))["probe"]["mode"] == "enforced"
    assert asker.spent().calls == server.count == 13
    again = list(asker.ask_all(questions(12), model(server), total=12, step="asking"))
    assert all(each.was_kept for each in again)
    assert server.count == 13


def test_all_models_of_a_run_share_its_caps(server: ChatServer, store: AnswerStore) -> None:
    asker = LiveAsker(store, "run", caps_of({"calls": 10}), 1)
    assert len(list(asker.ask_all(questions(5), model(server), total=5, step="asking"))) == 5
    # Six are spent, the question that tries the server out among them; three answers are left for the other model.
    found = []
    with pytest.raises(CapReached, match="cap of 10 calls is reached"):
        found.extend(asker.ask_all(questions(5), model(server, "two"), total=5, step="asking"))
    assert server.count == 10
    other_run = LiveAsker(store, "other", caps_of(None), 1)
    assert len(list(other_run.ask_all(questions(5), model(server, "two"), total=5, step="asking"))) == 5
    assert server.count == 12


def test_a_listener_that_raises_stops_the_asking_and_what_arrived_is_kept(
    server: ChatServer, store: AnswerStore
) -> None:
    class Stopped(BaseException):
        pass

    def stop(step: str, share: float) -> None:
        raise Stopped

    asker = LiveAsker(store, "run", Caps(), 1)
    with pytest.raises(Stopped):
        list(asker.reporting(stop).ask_all(questions(200), model(server), total=200, step="asking"))
    assert len(store) < 200
    sent = server.count
    rest = list(asker.ask_all(questions(200), model(server), total=200, step="asking"))
    assert len(rest) == 200
    assert sum(each.was_kept for each in rest) > 0
    assert server.count <= sent + 200


def test_the_asker_of_a_run_opens_the_answers_of_the_home(server: ChatServer) -> None:
    for attempt in range(2):
        with live_asker("run", in_flight=1) as asker:
            found = list(asker.ask_all(questions(3), model(server), total=3, step="asking"))
        assert [each.was_kept for each in found] == [attempt == 1] * 3


def test_money_is_not_capped_without_a_price() -> None:
    priced, unpriced = ChatModel("http://x/v1", "a", price_input=1.0, price_output=2.0), ChatModel("http://x/v1", "b")
    refuse_unpriced(Caps(spend=1.0), [priced])
    refuse_unpriced(Caps(calls=1), [unpriced])
    with pytest.raises(InferenceError, match=r"price of b is not known.*cap calls or tokens instead"):
        refuse_unpriced(Caps(spend=1.0), [priced, unpriced])


@pytest.mark.parametrize(
    ("done", "rate", "says"),
    [
        (0, 0.0, "asking: 0 of 1,200"),
        (1200, 3.0, "asking: 1,200 of 1,200, 3.0/s, 0 s left"),
        (1080, 2.0, "asking: 1,080 of 1,200, 2.0/s, 60 s left"),
        (0, 1.0, "asking: 0 of 1,200, 1.0/s, 20 min left"),
        (0, 0.1, "asking: 0 of 1,200, 0.1/s, 3 h left"),
    ],
)
def test_progress_is_told_in_words(done: int, rate: float, says: str) -> None:
    now = AskingProgress(done=done, kept=0, statuses={}, calls=0, tokens=0, spend=None, rate=rate)
    assert progress_words("asking", now, 1200) == says


def test_the_planner_counts_the_judge_as_well_and_sends_nothing(server: ChatServer, store: AnswerStore) -> None:
    of = {"base_url": server.url, "price_input": 1.0, "price_output": 10.0, "max_tokens": 100}
    panel = [{**of, "model": "one"}, {**of, "model": "two"}]
    strategy: Any = build_strategy("closed_book", {"panel": panel, "judge": {**of, "model": "judge"}})
    queries = query_table([["d"]] * 20)
    planner = Planner(store)
    strategy.ask(queries, planner)
    assert server.count == 0
    # The most that it can be: in truth the two may answer in the same words, which are judged once.
    counts = [(each.model.model, each.estimate.asks, each.estimate.calls) for each in planner.planned]
    assert counts == [("one", 20, 20), ("two", 20, 20), ("judge", 40, 40)]
    judged = planner.planned[2].estimate
    assert judged.tokens_output_most == 4000
    assert judged.spend == pytest.approx((judged.tokens_input + 10 * 4000) / 1e6)
    strategy.ask(queries, LiveAsker(store, "run", Caps(), 4))
    assert len([each for each in server.requests if "<data>" in said(each)]) == 60
    after = Planner(store)
    strategy.ask(queries, after)
    assert [(each.estimate.kept, each.estimate.calls, each.estimate.spend) for each in after.planned] == [
        (20, 0, 0.0)
    ] * 3


@pytest.mark.parametrize("name", ["llm_rating", "llm_classifier", "context_check"])
def test_what_a_strategy_asks_is_planned_whatever_its_schema(name: str, store: AnswerStore) -> None:
    strategy: Any = build_strategy(name, {"model": {"base_url": "http://127.0.0.1:9/v1", "model": "m"}, "repeats": 2})
    planner = Planner(store)
    strategy.ask(query_table([["d"]] * 5), planner)
    (planned,) = planner.planned
    assert (planned.estimate.asks, planned.estimate.calls, planned.estimate.spend) == (10, 10, None)
    assert "price of m is not known" in planned.estimate.says

"""The table of what language models were asked, and the words on a model that decided nothing."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from audit_core.inference.chat import Answer, ChatModel, Status
from audit_core.ui.plain_text import plain
from cleaning.compare import Scored
from cleaning.contract import Kind
from cleaning.llm.asked import Stage, none_accepted, nothing_decided, reason_words, summary
from cleaning.llm.prompt import load_prompt
from cleaning.tables import WRITERS, write_table
from cleaning.tables_asked import asked_table, limit_notes
from cleaning.ui.model_answers import stage_words

MODEL = ChatModel("http://127.0.0.1:9/v1", "stub", temperature=None, seed=7, price_input=1.0, price_output=10.0)
UNPRICED = ChatModel("http://127.0.0.1:9/v1", "free", extra={"top_k": 1})


def stage(model: ChatModel = MODEL, **counts: int) -> Stage:
    statuses = Counter({Status[name]: count for name, count in counts.items()})
    about = {"probe": {"mode": "ignored", "says": "so"}}
    return Stage(
        load_prompt("llm_rating"), model, about, statuses, kept=2, calls=9, tokens_input=1000, tokens_output=100
    )


def asked(*stages: Stage, flips: dict[str, Any] | None = None) -> dict[str, Any]:
    return summary(list(stages), queries=10, undecided=1, flips=flips)


def scored(name: str, asked: dict[str, Any] | None, *, failed: str | None = None, **options: Any) -> Scored:
    nothing = np.full((1, 3), np.nan)
    return Scored(
        name, name.title(), Kind.MODEL, {"strategy": "llm_rating", **options}, None, nothing, nothing, nothing, False, 0.1,
        failed, (), asked,
    )  # fmt: skip


def titles(*strategies: Scored) -> dict[str, str]:
    return {each.name: each.title for each in strategies}


def test_sums_are_over_all_stages_and_money_is_unknown_where_one_price_is() -> None:
    both = asked(stage(ACCEPTED=8, EMPTY=2), stage(UNPRICED, ACCEPTED=5, TRUNCATED=1))
    assert both["statuses"] == {"accepted": 13, "truncated": 1, "empty": 2}
    assert (both["asked"], both["kept"], both["calls"], both["tokens_input"], both["spend"]) == (16, 4, 18, 2000, None)
    assert asked(stage(ACCEPTED=8), stage(ACCEPTED=1))["spend"] == pytest.approx(2 * 0.002)
    assert asked()["spend"] == 0


def test_a_row_for_every_prompt_and_model_with_the_statuses_that_came() -> None:
    flips = {"count": 2, "n": 8, "low": 0.1, "high": 0.6, "threshold": 0.5}
    one = scored("one", asked(stage(ACCEPTED=8, EMPTY=2), stage(UNPRICED, ACCEPTED=5), flips=flips))
    two = scored("two", asked(stage(REFUSED=10)), failed="nothing was decided: 10 refused")
    rules = scored("rules", None)
    table = asked_table([one, two, rules], titles(one, two, rules))
    assert table is not None
    keys = [each.key for each in table.columns]
    assert [each for each in keys if each in {status.value.replace(" ", "_") for status in Status}] == [
        "accepted", "empty", "refused",
    ]  # fmt: skip
    first, second, third = table.rows
    assert (first["strategy"], first["queries"], first["undecided"], first["accepted"], first["empty"]) == (
        "One", 10, 1, 8, 2,
    )  # fmt: skip
    assert (getattr(first["flips"], "count", None), getattr(first["flips"], "n", None)) == (2, 8)
    assert "queries" not in second
    assert (second["model"], second["spend"], first["spend"]) == ("free", None, pytest.approx(0.002))
    assert (third["accepted"], third["refused"]) == (0, 10)
    notes = " ".join(table.notes)
    assert "Two failed: nothing was decided: 10 refused." in notes
    assert "to stub at http://127.0.0.1:9/v1 (max_tokens 1024, seed 7); schema ignored." in notes
    assert "(temperature 0.0, max_tokens 1024, extra {'top_k': 1})" in notes
    for suffix in WRITERS:
        assert len(write_table(table, suffix)) > 200


def test_without_a_language_model_there_is_no_table() -> None:
    rules = scored("rules", None)
    assert asked_table([rules], titles(rules)) is None


def test_what_a_threshold_means_for_the_criteria_is_said_for_each_rating() -> None:
    plain, one, each = (
        scored("plain", None),
        scored("one", None, thresholds=0.25),
        scored("each", None, thresholds={"clarity": 0, "no_layout_reference": 0.75}),
    )
    other = scored("other", None)
    other.options["strategy"] = "llm_classifier"  # type: ignore[index]
    strategies = [plain, one, each, other]
    assert limit_notes(strategies, titles(*strategies)) == (
        "Plain: a query goes when any criterion is at or below 1 minus the threshold: at a threshold of 0.75 at or below 0.25.",
        "One: a query goes when any criterion is at or below 0.25.",
        "Each: a query goes when any criterion is at or below its limit (clarity 0, no layout reference 0.75).",
    )


def test_a_model_that_decided_nothing_is_told_with_its_statuses_in_their_order() -> None:
    found = nothing_decided(asked(stage(HTTP_FAILURE=12, REFUSED=3)))
    assert found == "nothing was decided: 3 refused, 12 http failure. No query has a score, so there are no figures"
    assert nothing_decided(None) == "nothing was decided: every query is undecided, and so kept"


def answer(says: str, status: Status = Status.HTTP_FAILURE) -> Answer:
    return Answer("k", "p", "q", 0, status, None, says, "", "stub", "http://127.0.0.1:9/v1", 0, 0, 1, 0.1, "now")


def test_why_answers_were_not_accepted_is_told_in_the_servers_words_what_came_most_often_first() -> None:
    one = stage()
    says = ["answered 400: images are not supported."] * 5 + ["broke off."] * 2 + ["no object."] + ["prose."]
    list(one.counting([*map(answer, says), answer("fine", Status.ACCEPTED)]))
    why = "answered 400: images are not supported (5); broke off (2); no object (1)"
    assert one.as_json()["reasons"][0] == {"says": "answered 400: images are not supported", "count": 5}
    both = asked(one, stage(UNPRICED, REFUSED=1))
    assert reason_words(both) == why
    assert nothing_decided(both).endswith(f"so there are no figures. Most often: {why}")
    assert none_accepted(both) == f"1 accepted, 1 refused, 9 http failure. Most often: {why}"
    found = scored("one", both)
    table = asked_table([found], titles(found))
    assert table is not None
    assert table.notes[3].endswith(f"schema ignored. Not accepted, most often: {why}.")
    assert "Not accepted" not in table.notes[4]
    assert f"Not accepted, most often: {plain(why)}." in stage_words(both["stages"][0])


def test_a_server_that_says_something_long_and_else_each_time_fills_no_memory() -> None:
    one = stage()
    list(one.counting(answer(f"{number} " + "x" * 10_000) for number in range(1000)))
    assert (len(one.reasons), max(map(len, one.reasons))) == (200, 241)
    assert len(reason_words(one.as_json())) < 800

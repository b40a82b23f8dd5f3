"""The table of what language models were asked, and the words on a model that decided nothing."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from audit_core.inference.chat import ChatModel, Status
from cleaning.compare import Scored
from cleaning.contract import Kind
from cleaning.llm.asked import Stage, nothing_decided, summary
from cleaning.llm.prompt import load_prompt
from cleaning.tables import WRITERS, write_table
from cleaning.tables_asked import asked_table, limit_notes

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

"""The strategies that put one prompt to one model: scores, thresholds, orders, repeats and flips, computed by hand."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
import pytest
from strategy_cases import cases

from audit_core.errors import CleaningError, InferenceError
from audit_core.inference.chat import Ask, SentImage, Status
from cleaning.catalogue import build_strategy, strategy_module
from cleaning.contract import Kind, Scores
from cleaning.strategies.llm_rating import CRITERIA, STEPS, rating_score
from tests.cleaning.llm.stub_asker import Reply, StubAsker

MODEL = {"base_url": "http://127.0.0.1:9/v1", "model": "stub", "price_input": 1.0, "price_output": 10.0}
GOOD = dict.fromkeys(CRITERIA, 1)
NAN = float("nan")


class Pages:
    """A page source of which each page is an image that nobody reads."""

    def images(self, page_ids: list[str], *, side: int) -> tuple[SentImage, ...]:
        return tuple(SentImage(f"{each} {side}", "image/jpeg", lambda: b"") for each in page_ids)


def rated(
    reply: Reply, n: int = 6, pages: Any = None, strategy: str = "llm_rating", **options: Any
) -> tuple[Any, StubAsker]:
    """The strategy after it asked about n queries, and its asker."""
    asker = StubAsker(reply)
    queries = cases(n)[0].queries
    return build_strategy(strategy, {"model": MODEL, **options}).ask(queries, asker, pages), asker  # type: ignore[attr-defined]


def scores(strategy: Any, n: int = 6) -> Scores:
    inputs, remove = cases(n)
    found: Scores = strategy.fit(inputs, remove, seed=1).score(inputs)
    return found


def by_row(*values: Mapping[str, Any] | Status) -> Reply:
    """Answers by the number of the query, whatever the repeat."""
    return lambda ask: values[int(ask.query_id[1:])]


def by_repeat(*queries: tuple[Mapping[str, Any] | Status, ...]) -> Reply:
    return lambda ask: queries[int(ask.query_id[1:])][ask.repeat]


def test_the_score_is_one_minus_the_lowest_rating() -> None:
    strategy, _ = rated(
        by_row(
            GOOD,
            {**GOOD, "clarity": 0},
            {**GOOD, "closedness": 0.75},
            Status.REFUSED,
            {**GOOD, "correctness": 0.25},
            GOOD,
        )
    )
    np.testing.assert_array_equal(scores(strategy).values, [0.0, 1.0, 0.25, NAN, 0.75, 0.0])


@pytest.mark.parametrize("limit", STEPS)
def test_a_query_goes_exactly_when_any_rating_is_at_or_below_the_limit(limit: float) -> None:
    for ratings in itertools.product(STEPS, repeat=3):
        goes = any(each <= limit for each in ratings)
        # The threshold of the score is 1 minus the limit; with limits as an option it is 0.5.
        assert (rating_score(ratings, None) >= 1 - limit) == goes
        assert (rating_score(ratings, (limit,) * 3) >= 0.5) == goes
        assert 0.0 <= rating_score(ratings, (limit,) * 3) <= 1.0


def test_limits_may_differ_by_criterion() -> None:
    for ratings in itertools.product(STEPS, repeat=2):
        assert (rating_score(ratings, (0.25, 0.75)) >= 0.5) == (ratings[0] <= 0.25 or ratings[1] <= 0.75)
    strategy, asker = rated(
        by_row({"clarity": 0.5, "closedness": 1}, {"clarity": 0.25, "closedness": 1}, {"clarity": 1, "closedness": 0.75}),
        n=3, criteria=["clarity", "closedness"], thresholds={"closedness": 0.75, "clarity": 0.25},
    )  # fmt: skip
    # max of 0.5 + (limit - rating) / 2: by hand.
    np.testing.assert_array_equal(scores(strategy, 3).values, [0.375, 0.5, 0.5])
    assert all(set(each.schema["properties"]) == {"clarity", "closedness"} for each in asker.asks)
    assert '"no_layout_reference"' not in asker.asks[0].user
    assert [[each.rule for each in row] for row in scores(strategy, 3).reasons] == [[], ["clarity"], ["closedness"]]


def test_repeats_give_the_median_and_queries_whose_repeats_disagree_have_flipped() -> None:
    def clarity(*values: float | Status) -> tuple[Mapping[str, Any] | Status, ...]:
        return tuple(each if isinstance(each, Status) else {**GOOD, "clarity": each} for each in values)

    strategy, asker = rated(
        by_repeat(
            clarity(1, 1, 1),
            clarity(0, 0.75, 0.5),
            clarity(0.75, 1, 0.25),
            clarity(0.5, Status.TRUNCATED, 0.25),
            clarity(Status.EMPTY, 0.25, Status.OFF_SCALE),
            clarity(Status.EMPTY, Status.TWO_OBJECTS, Status.HTTP_FAILURE),
        ),
        repeats=3,
    )
    assert len(asker.asks) == len({each.key(strategy.settings.model) for each in asker.asks}) == 18
    np.testing.assert_array_equal(scores(strategy).values, [0.0, 0.5, 0.25, 0.625, 0.75, NAN])
    asked = strategy.asked_summary(0.5)
    # Removed at or above 0.5: the second says yes, no, yes; the third no, no, yes. Two accepted repeats or more: four.
    assert asked["flips"] == pytest.approx(
        {"count": 2, "n": 4, "low": 0.15003898915214955, "high": 0.8499610108478506, "threshold": 0.5}
    )
    assert strategy.asked_summary(0.75)["flips"]["count"] == 3
    assert (asked["queries"], asked["undecided"], asked["asked"]) == (6, 1, 18)
    assert asked["statuses"] == {
        "accepted": 12, "truncated": 1, "empty": 2, "off the scale": 1, "two different objects": 1, "http failure": 1,
    }  # fmt: skip
    # 100 tokens in at 1 dollar and 10 out at 10 dollars a million, 18 times.
    assert (asked["calls"], asked["tokens_input"], asked["tokens_output"]) == (18, 1800, 180)
    assert asked["spend"] == pytest.approx(18 * 200e-6)
    (stage,) = asked["stages"]
    assert (stage["prompt"], stage["prompt_hash"], stage["probe"]["mode"]) == (
        "llm_rating",
        strategy.prompt.hash,
        "enforced",
    )
    assert "api_key" not in stage


def test_one_repeat_has_no_flip_rate() -> None:
    strategy, _ = rated(by_row(*[GOOD] * 6))
    assert strategy.asked_summary()["flips"] is None


def test_criteria_and_steps_are_put_in_another_order_for_every_query_and_repeat_the_same_again() -> None:
    _, asker = rated(lambda ask: GOOD, n=80, repeats=4)
    _, again = rated(lambda ask: GOOD, n=80, repeats=4)
    _, other = rated(lambda ask: GOOD, n=80, repeats=4, seed=2)
    assert asker.asks == again.asks
    assert asker.asks != other.asks
    first = Counter(order_of(each)[0] for each in asker.asks)
    # Over four repeats each criterion stands once at each place: exactly balanced.
    assert first == dict.fromkeys(CRITERIA, 80)
    assert len({order_of(each) for each in asker.asks}) == 24
    steps = {tuple(re.findall(r"^- ([0-9.]+):", each.user, re.MULTILINE)) for each in asker.asks}
    assert len(steps) > 60
    assert all(sorted(each) == ["0", "0.25", "0.5", "0.75", "1"] for each in steps)
    for each in asker.asks[:8]:
        # Prompt and schema have one order.
        assert list(each.schema["properties"]) == list(each.schema["required"]) == list(order_of(each))
        assert each.user.endswith(
            f"Rate the query by: {', '.join(f'{chr(34)}{name}{chr(34)}' for name in order_of(each))}. One JSON object."
        )


def order_of(ask: Ask) -> tuple[str, ...]:
    return tuple(re.findall(r'^- "(\w+)":', ask.user, re.MULTILINE))


def test_the_answer_and_the_first_pages_are_shown_where_they_are_wanted() -> None:
    _, bare = rated(lambda ask: GOOD)
    assert all('"answer"' not in each.user and each.images == () for each in bare.asks)
    assert "Its answer is not shown" in bare.asks[1].user
    _, asker = rated(lambda ask: GOOD, pages=Pages(), with_answer=True, with_pages=True, max_pages=1, image_side=256)
    for place, each in enumerate(asker.asks):
        assert '"answer": ' in each.user
        assert [image.key for image in each.images] == [f"p{place} 256"]
        assert "Attached: 1 of the 2 pages of the evidence" in each.user
    assert '"answer": null' in asker.asks[0].user
    queries = cases(1)[0].queries.with_columns(evidence_pages=pl.lit([], pl.List(pl.String)))
    without = StubAsker(lambda ask: GOOD)
    build_strategy("llm_rating", {"model": MODEL, "with_pages": True}).ask(queries, without, Pages())  # type: ignore[attr-defined]
    assert "No page of the evidence is attached" in without.asks[0].user


def test_pages_that_are_to_be_shown_and_are_not_there_are_asked_for() -> None:
    with pytest.raises(CleaningError, match="was given none to show"):
        rated(lambda ask: GOOD, with_pages=True)


def test_before_anything_is_asked_there_is_no_score_and_asking_changes_nothing_of_the_strategy() -> None:
    inputs, _ = cases(4)
    strategy: Any = build_strategy("llm_rating", {"model": MODEL})
    with pytest.raises(CleaningError, match="asked nothing yet"):
        strategy.score(inputs)
    assert strategy.asked_summary() is None
    answered = strategy.ask(inputs.queries[:3], StubAsker(lambda ask: GOOD))
    # One that was not asked about is undecided.
    np.testing.assert_array_equal(answered.score(inputs).values, [0.0, 0.0, 0.0, NAN])
    with pytest.raises(CleaningError, match="asked nothing yet"):
        strategy.score(inputs)


def test_reasons_name_what_is_below_and_the_median_over_repeats() -> None:
    low = {**GOOD, "clarity": 0.25}
    strategy, _ = rated(by_repeat(*[(low, GOOD, low)] * 6), repeats=3)
    assert [(each.rule, each.says) for each in scores(strategy).reasons[0]] == [
        ("clarity", "clarity 0.25, the median of 3")
    ]


def test_the_classifier_scores_the_share_of_discards_with_their_reasons() -> None:
    def says(*decisions: str | Status) -> tuple[Mapping[str, Any] | Status, ...]:
        return tuple(
            each if isinstance(each, Status) else {"decision": each, "reason": f" because\n it is {each}ed "}
            for each in decisions
        )

    strategy, asker = rated(
        by_repeat(
            says("accept", "accept", "accept", "accept"),
            says("discard", "accept", "discard", "accept"),
            says("discard", "discard", "discard", Status.FILTERED),
            says("accept", "discard", "accept", "accept"),
            says(*[Status.REFUSED] * 4),
            says("discard", Status.EMPTY, Status.EMPTY, Status.EMPTY),
        ),
        strategy="llm_classifier", repeats=4,
    )  # fmt: skip
    found = scores(strategy)
    np.testing.assert_array_equal(found.values, [0.0, 0.5, 1.0, 0.25, NAN, 1.0])
    assert [[each.says for each in row] for row in found.reasons[:3]] == [
        [], ["because it is discarded"], ["because it is discarded"],
    ]  # fmt: skip
    flips = strategy.asked_summary()["flips"]
    assert (flips["count"], flips["n"]) == (2, 4)
    accept_first = [each.user.index('"accept":') < each.user.index('"discard":') for each in asker.asks]
    assert sum(accept_first) == 12


def test_the_check_without_the_document_scores_by_verdict_and_confidence() -> None:
    def says(valid: bool, confidence: float, *modes: str) -> Mapping[str, Any]:
        return {"valid": valid, "confidence": confidence, "failure_modes": list(modes)}

    strategy, asker = rated(
        by_row(
            says(True, 1), says(False, 1, "layout_reference", "unfinished", "layout_reference"), says(True, 0),
            says(False, 0), says(False, 0.5), says(True, 0.5, "missing_scope"),
        ),
        strategy="context_check",
    )  # fmt: skip
    found = scores(strategy)
    np.testing.assert_allclose(found.values, [0.0, 1.0, 0.5, 0.5, 0.75, 0.25], atol=1e-15)
    # What is called understandable stays, be it without any confidence.
    assert (found.values >= 0.5).tolist() == [False, True, False, True, True, False]
    assert [[each.says for each in row] for row in found.reasons] == [
        [], ["layout reference", "unfinished"], [], ["not understandable by itself, no fault named"],
        ["not understandable by itself, no fault named"], [],
    ]  # fmt: skip
    assert not any('"answer"' in each.user or each.images for each in asker.asks)


@pytest.mark.parametrize("name", ["llm_rating", "llm_classifier", "context_check", "closed_book"])
def test_who_asks_a_model_says_so_and_needs_one(name: str) -> None:
    module = strategy_module(name)
    assert module.asks_model
    assert module.kind == (Kind.DIFFICULTY if name == "closed_book" else Kind.MODEL)
    with pytest.raises(InferenceError, match="ASSAY_LLM_URL"):
        build_strategy(name)
    wrong = {"panel": [{"url": "x"}]} if name == "closed_book" else {"model": {"url": "x"}}
    with pytest.raises(InferenceError, match="no option url"):
        build_strategy(name, wrong)


def test_limits_of_the_criteria_are_said_wherever_the_threshold_is() -> None:
    assert "at or below" in strategy_module("llm_rating").describe


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"repeats": 0}, "option repeats"),
        ({"repeats": 21}, "option repeats"),
        ({"seed": -1}, "option seed"),
        ({"with_answer": "yes"}, "option with_answer .* give true or false"),
        ({"max_pages": 0}, "option max_pages"),
        ({"image_side": 10}, "option image_side"),
        ({"model": 3}, "option model"),
        ({"criteria": []}, "option criteria"),
        ({"criteria": ["beauty"]}, "option criteria"),
        ({"thresholds": 1.5}, "clarity is 1.5"),
        ({"thresholds": True}, "clarity is True"),
        ({"thresholds": NAN}, "clarity is nan"),
        ({"thresholds": {"clarity": 0.5}}, "one limit for each of clarity, correctness"),
        ({"thresholds": {**GOOD, "beauty": 0.5}}, "one limit for each of"),
        ({"thresholds": {}}, "names nothing"),
    ],
)
def test_options_that_cannot_be_used_are_refused_by_name(options: dict[str, object], says: str) -> None:
    with pytest.raises(CleaningError, match=says):
        build_strategy("llm_rating", {"model": MODEL, **options})

"""What every strategy keeps, whichever it is: each test runs over all of them."""

from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np
import pytest
from strategy_cases import BUILT, built, cases, training

from audit_core.errors import CleaningError
from cleaning.catalogue import build_strategy, strategies, strategy_module
from cleaning.contract import Fitted, Inputs, Kind, Scores

EVERY = pytest.mark.parametrize("case", list(BUILT))
LEARNED = [case for case, (name, _) in BUILT.items() if strategy_module(name).kind == Kind.LEARNED]
WITH_VECTORS = [case for case, (name, _) in BUILT.items() if strategy_module(name).needs_embeddings]


def _fit(case: str, *, seed: int = 1) -> Fitted:
    inputs, remove = training()
    return built(case).fit(inputs, remove, seed=seed)


def test_no_strategy_is_left_out() -> None:
    assert {name for name, _ in BUILT.values()} == set(strategies())


@EVERY
def test_scores_are_one_number_a_query_between_0_and_1(case: str) -> None:
    inputs, _ = cases()
    scores = _fit(case).score(inputs)
    assert isinstance(scores, Scores)
    assert scores.values.shape == (len(inputs),)
    assert scores.values.dtype == np.float64
    decided = scores.values[~np.isnan(scores.values)]
    assert ((decided >= 0.0) & (decided <= 1.0)).all()
    assert len(decided)
    assert len(scores.reasons) in (0, len(inputs))
    texts = inputs.queries["text"].to_list()
    for text, reasons in zip(texts, scores.reasons, strict=False):
        for each in reasons:
            assert each.start is None or 0 <= each.start <= (each.end or 0) <= len(text)


@EVERY
def test_the_same_seed_gives_the_same_scores(case: str) -> None:
    inputs, _ = cases()
    one, other = _fit(case, seed=7).score(inputs), _fit(case, seed=7).score(inputs)
    np.testing.assert_array_equal(one.values, other.values)
    assert one.reasons == other.reasons


@EVERY
def test_the_order_of_the_rows_changes_no_score(case: str) -> None:
    inputs, _ = cases()
    order = np.random.default_rng(5).permutation(len(inputs))
    fitted = _fit(case)
    straight, mixed = fitted.score(inputs), fitted.score(inputs.take(order))
    np.testing.assert_array_equal(mixed.values, straight.values[order])
    if straight.reasons:
        assert list(mixed.reasons) == [straight.reasons[row] for row in order]


@EVERY
def test_the_order_of_the_training_rows_changes_no_score(case: str) -> None:
    inputs, remove = training()
    order = np.random.default_rng(6).permutation(len(inputs))
    evaluation, _ = cases()
    straight = built(case).fit(inputs, remove, seed=2).score(evaluation)
    mixed = built(case).fit(inputs.take(order), remove[order], seed=2).score(evaluation)
    np.testing.assert_array_equal(mixed.values, straight.values)


@EVERY
def test_a_query_alone_scores_as_it_does_among_others(case: str) -> None:
    inputs, _ = cases()
    fitted = _fit(case)
    together = fitted.score(inputs).values
    if BUILT[case] == ("rules", {}):
        # The duplicate rules look at what stands beside a query: with its copy gone it stays.
        fitted = build_strategy("rules", {"rules": ["no_question"]}).fit(*training(), seed=1)
        together = fitted.score(inputs).values
    alone = np.array([fitted.score(inputs.take(np.array([row]))).values[0] for row in range(len(inputs))])
    np.testing.assert_array_equal(alone, together)


@EVERY
def test_nothing_that_was_given_is_changed(case: str) -> None:
    _, options = BUILT[case]
    inputs, remove = training()
    evaluation, _ = cases()
    kept = copy.deepcopy((options, remove, inputs.vectors, evaluation.vectors, evaluation.other, evaluation.decisions))
    frames = inputs.queries.clone(), evaluation.queries.clone()
    built(case).fit(inputs, remove, seed=1).score(evaluation)
    assert options == kept[0]
    for now, before in zip((remove, inputs.vectors, evaluation.vectors), kept[1:4], strict=True):
        np.testing.assert_array_equal(now, before)
    for of_now, of_before in ((evaluation.other, kept[4]), (evaluation.decisions, kept[5])):
        for key, before in of_before.items():
            np.testing.assert_array_equal(of_now[key], before)
    assert inputs.queries.equals(frames[0])
    assert evaluation.queries.equals(frames[1])


@EVERY
def test_labels_that_reach_the_scoring_by_accident_change_no_score(case: str) -> None:
    """A column of labels in the table, and labels of training that change after it: neither is looked at."""
    inputs, remove = training()
    evaluation, truth = cases()
    given = remove.copy()
    fitted = built(case).fit(inputs, given, seed=1)
    before = fitted.score(evaluation).values
    given[:] = ~given
    betrayed = replace(evaluation, queries=evaluation.queries.with_columns(remove=truth, label=truth))
    np.testing.assert_array_equal(fitted.score(betrayed).values, before)


@EVERY
def test_no_queries_give_no_scores_and_one_gives_one(case: str) -> None:
    inputs, _ = cases()
    fitted = _fit(case)
    nothing = fitted.score(inputs.take(np.array([], dtype=np.intp)))
    assert nothing.values.shape == (0,)
    assert nothing.reasons == ()
    assert fitted.score(inputs.take(np.array([4]))).values.shape == (1,)


@EVERY
def test_missing_texts_and_answers_break_nothing(case: str) -> None:
    import polars as pl

    inputs, _ = cases(12)
    empty = inputs.queries.with_columns(
        text=pl.Series(["", None, " ", "?"] * 3, dtype=pl.String), answer=pl.lit(None, pl.String),
        evidence_structure=pl.lit(None, pl.String), documents=pl.lit([], pl.List(pl.String)),
    )  # fmt: skip
    scores = _fit(case).score(Inputs(empty, inputs.vectors, inputs.answer_vectors, inputs.other, inputs.decisions))
    assert scores.values.shape == (12,)


@EVERY
def test_unknown_options_are_refused_by_name(case: str) -> None:
    name, options = BUILT[case]
    with pytest.raises(CleaningError, match=rf"{name} has no option magic"):
        build_strategy(name, {**options, "magic": 1})


@pytest.mark.parametrize("case", WITH_VECTORS)
def test_a_query_without_a_finite_vector_is_undecided_and_trains_nothing(case: str) -> None:
    name, options = BUILT[case]
    inputs, remove = training()
    evaluation, _ = cases()
    assert inputs.vectors is not None
    assert evaluation.vectors is not None
    clean = (
        build_strategy(name, options).fit(inputs.take(np.arange(3, 120)), remove[3:], seed=1).score(evaluation).values
    )
    inputs.vectors[:3, 1] = np.nan, np.inf, -np.inf
    evaluation.vectors[[2, 5], 0] = np.nan
    values = build_strategy(name, options).fit(inputs, remove, seed=1).score(evaluation).values
    assert np.flatnonzero(np.isnan(values)).tolist() == [2, 5]
    others = ~np.isnan(values)
    np.testing.assert_array_equal(values[others], clean[others])


@pytest.mark.parametrize("case", WITH_VECTORS)
def test_vectors_that_are_missing_are_asked_for(case: str) -> None:
    name, options = BUILT[case]
    inputs, remove = training()
    with pytest.raises(CleaningError, match="needs an embedding of each query"):
        build_strategy(name, options).fit(Inputs(inputs.queries), remove, seed=1)


@pytest.mark.parametrize("case", [*LEARNED, "length"])
def test_too_few_labels_or_labels_of_one_kind_are_refused(case: str) -> None:
    name, options = BUILT[case]
    inputs, remove = training()
    for labels in (np.zeros(120, dtype=bool), np.ones(120, dtype=bool)):
        with pytest.raises(CleaningError, match="cannot be trained on"):
            build_strategy(name, options).fit(inputs, labels, seed=1)
    with pytest.raises(CleaningError, match="at least 10 queries, 2 of either kind"):
        build_strategy(name, options).fit(inputs.take(np.arange(9)), remove[:9], seed=1)
    with pytest.raises(CleaningError, match="one each is needed"):
        build_strategy(name, options).fit(inputs, remove[:5], seed=1)


@pytest.mark.parametrize("case", [*LEARNED, "length"])
def test_the_fewest_labels_that_are_enough_train(case: str) -> None:
    name, options = BUILT[case]
    inputs, _ = training()
    remove = np.array([True, True] + [False] * 8)
    scores = build_strategy(name, options).fit(inputs.take(np.arange(10)), remove, seed=1).score(inputs)
    assert not np.isnan(scores.values).any()


@pytest.mark.parametrize("case", LEARNED)
def test_what_is_learned_tells_bad_queries_from_good_ones(case: str) -> None:
    inputs, remove = cases(300, first=5000)
    values = _fit(case).score(inputs).values
    assert values[remove].mean() > values[~remove].mean() + 0.05

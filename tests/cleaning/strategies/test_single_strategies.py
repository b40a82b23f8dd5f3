"""What each strategy does that others do not."""

from __future__ import annotations

import numpy as np
import pytest
from strategy_cases import PAGES, cases, training

from audit_core.errors import CleaningError
from cleaning.catalogue import build_strategy
from cleaning.contract import Inputs
from cleaning.strategies.bm25 import Bm25Index


def _wordings() -> Inputs:
    inputs, _ = cases(6)
    texts = [
        "What does the table show?",
        "When did they split?",
        "What is rain?",
        "what is rain",
        "What is hail?",
        "The end.",
    ]
    import polars as pl

    return Inputs(inputs.queries.with_columns(text=pl.Series(texts), answer=pl.lit(None, pl.String)))


def test_rules_say_which_fired_and_where_and_keep_one_of_a_group() -> None:
    inputs = _wordings()
    scores = build_strategy("rules").fit(inputs, np.zeros(6, dtype=bool), seed=1).score(inputs)
    assert scores.values.tolist() == [1, 1, 0, 1, 0, 0]
    assert {each.rule for each in scores.reasons[0]} == {"layout_reference"}
    assert {each.rule for each in scores.reasons[2]} == {"exact_duplicate", "near_duplicate"}
    chosen = build_strategy("rules", {"rules": ["unresolved_pointer"]}).fit(inputs, np.zeros(6, dtype=bool), seed=1)
    assert chosen.score(inputs).values.tolist() == [0, 1, 0, 0, 0, 0]


def test_the_filter_on_evidence_is_apart_from_the_rules_unless_it_is_chosen() -> None:
    inputs, remove = cases(30)
    apart = build_strategy("evidence_filter").fit(inputs, remove, seed=1).score(inputs)
    fires = [
        structure != "Page-Single" and (len(set(pages)) == 1 or structure == "Cross-Doc")
        for structure, pages in zip(inputs.queries["evidence_structure"], inputs.queries["evidence_pages"], strict=True)
    ]
    assert apart.values.tolist() == [float(each) for each in fires]
    assert 0 < sum(fires) < 30
    rules = build_strategy("rules").fit(inputs, remove, seed=1).score(inputs)
    assert not any(each.rule == "evidence_on_one_page" for reasons in rules.reasons for each in reasons)


@pytest.mark.parametrize("wrong", [[], "layout_reference", ["magic"], ["no_question", "no_question"]])
def test_rules_that_are_unknown_or_named_twice_are_refused(wrong: object) -> None:
    with pytest.raises(CleaningError, match="option rules"):
        build_strategy("rules", {"rules": wrong})


def test_random_scores_are_even_and_differ_by_seed() -> None:
    inputs, remove = cases(4_000)
    one = build_strategy("random").fit(inputs, remove, seed=1).score(inputs).values
    other = build_strategy("random").fit(inputs, remove, seed=2).score(inputs).values
    assert np.histogram(one, bins=4, range=(0, 1))[0].min() > 900
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.05


def test_length_takes_its_direction_from_the_labels() -> None:
    inputs, _ = cases(100)
    lengths = np.array([len(each) for each in inputs.queries["text"]])
    short = lengths < np.median(lengths)
    for remove in (short, ~short):
        values = build_strategy("length").fit(inputs, remove, seed=1).score(inputs).values
        assert values[remove].min() > values[~remove].max()


def test_logistic_regression_gives_the_probabilities_of_scikit_learn() -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    inputs, remove = training()
    evaluation, _ = cases()
    bare = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=1000, tol=1e-8))
    wanted = bare.fit(np.asarray(inputs.vectors, dtype=np.float64), remove).predict_proba(evaluation.vectors)[:, 1]
    found = build_strategy("logistic_regression", {"c": [0.1]}).fit(inputs, remove, seed=1).score(evaluation).values
    np.testing.assert_allclose(found, wanted, atol=2e-3)


def test_xgboost_gives_the_probabilities_of_its_library() -> None:
    import xgboost

    inputs, remove = training()
    evaluation, _ = cases()
    bare = xgboost.XGBClassifier(
        n_estimators=20, max_depth=4, learning_rate=0.1, colsample_bytree=0.3, tree_method="hist", n_jobs=2, random_state=5,
        base_score=float(remove.mean()),
    )  # fmt: skip
    # Rows are sorted by query id already.
    wanted = bare.fit(inputs.vectors, remove).predict_proba(evaluation.vectors)[:, 1]
    found = build_strategy("xgboost", {"trees": 20}).fit(inputs, remove, seed=5).score(evaluation).values
    np.testing.assert_allclose(found, wanted, atol=1e-6)


def test_nearest_neighbours_vote_as_those_of_scikit_learn() -> None:
    from sklearn.neighbors import KNeighborsClassifier

    inputs, remove = training()
    evaluation, _ = cases(300)
    bare = KNeighborsClassifier(n_neighbors=5, metric="cosine", algorithm="brute").fit(inputs.vectors, remove)
    wanted = bare.predict_proba(evaluation.vectors)[:, 1]
    found = build_strategy("knn").fit(inputs, remove, seed=1).score(evaluation).values
    np.testing.assert_allclose(found, wanted, atol=1e-9)


def test_neighbours_equally_far_share_the_last_places() -> None:
    inputs, _ = cases(12)
    vectors = np.zeros((12, 2), dtype=np.float32)
    vectors[:2] = [1.0, 0.1]
    vectors[2:] = [0.0, 1.0]
    remove = np.array([True, True, True, True, False, False, False, False, False, False, False, False])
    fitted = build_strategy("knn", {"k": 4}).fit(Inputs(inputs.queries, vectors), remove, seed=1)
    values = fitted.score(Inputs(inputs.queries[:1], np.array([[1.0, 0.0]], dtype=np.float32))).values
    # Two certain neighbours to remove, and two places shared by ten of which two are to be removed.
    assert values[0] == pytest.approx((2 + 2 * 0.2) / 4)
    nothing = fitted.score(Inputs(inputs.queries[:1], np.zeros((1, 2), dtype=np.float32))).values
    assert nothing[0] == pytest.approx(4 / 12)


def test_more_neighbours_than_training_queries_are_refused() -> None:
    inputs, remove = training()
    with pytest.raises(CleaningError, match="choose a smaller k"):
        build_strategy("knn", {"k": 121}).fit(inputs, remove, seed=1)


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("logistic_regression", {"c": []}, "option c"),
        ("logistic_regression", {"c": [0.0]}, "option c"),
        ("logistic_regression", {"c": "0.1"}, "option c"),
        ("logistic_regression", {"blocks": ["magic"]}, "option blocks"),
        ("xgboost", {"trees": 0}, "option trees"),
        ("xgboost", {"learning_rate": float("nan")}, "option learning_rate"),
        ("xgboost", {"columns": 2.0}, "option columns"),
        ("xgboost", {"calibrate": "yes"}, "option calibrate"),
        ("knn", {"k": 0}, "option k"),
        ("bm25_difficulty", {}, "needs the option page_texts"),
        ("bm25_difficulty", {"page_texts": ["text"]}, "of type list"),
        ("bm25_difficulty", {"page_texts": {}, "piece_words": 1}, "option piece_words"),
    ],
)
def test_options_that_cannot_be_used_are_refused_by_name(name: str, options: dict[str, object], says: str) -> None:
    with pytest.raises(CleaningError, match=says):
        build_strategy(name, options)


def test_vectors_too_large_to_be_added_up_are_refused() -> None:
    inputs, remove = training()
    assert inputs.vectors is not None
    inputs.vectors[0, 0] = 1e30
    with pytest.raises(CleaningError, match="beyond"):
        build_strategy("knn").fit(inputs, remove, seed=1)


def test_word_search_scores_follow_the_formula() -> None:
    index = Bm25Index({"a": "rain rain snow", "b": "snow", "c": ""}, piece_words=100)
    found = index.page_scores("Rain?")
    # idf = ln(1 + (2 - 1 + 0.5) / (1 + 0.5)); tf 2, length 3 of a mean of 2; Robertson and Zaragoza 2009.
    assert found.tolist() == pytest.approx([np.log(2) * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 1.5)), 0.0, 0.0])
    assert index.page_scores("hail").tolist() == [0.0, 0.0, 0.0]


def test_a_page_scores_as_its_best_piece() -> None:
    words = " ".join(["filler"] * 30)
    index = Bm25Index({"a": f"rain {words} snow", "b": f"{words} rain snow", "c": words}, piece_words=16)
    scores = index.page_scores("rain snow")
    assert scores[1] > scores[0] > scores[2] == 0.0


def test_easy_queries_find_their_evidence_first() -> None:
    import polars as pl

    texts = {
        "rain": "rain falls on the plain",
        "snow": "snow falls in winter",
        "hail": "hail falls and breaks glass",
        "void": "",
    }
    inputs, remove = cases(5)
    frame = inputs.queries.with_columns(
        text=pl.Series(["hail glass", "rain and snow", "falls", "sunshine", "rain"]),
        evidence_pages=pl.Series([["hail"], ["rain", "snow"], ["rain"], ["rain"], ["elsewhere"]]),
    )
    calls = []

    def give() -> dict[str, str]:
        calls.append(1)
        return texts

    strategy = build_strategy("bm25_difficulty", {"page_texts": give}).fit(inputs, remove, seed=1)
    values = strategy.score(Inputs(frame)).values
    assert values[0] == 1.0
    # "and" gives the page of hail as much as "rain" gives its own: the tie counts against the query.
    assert values[1] == pytest.approx(2 / 3)
    # All three pages have the word, and the page of snow is shorter.
    assert values[2] == pytest.approx(1 / 3)
    assert values[3] == 0.0
    assert np.isnan(values[4])
    strategy.score(Inputs(frame))
    assert calls == [1]


def test_pages_without_any_text_cannot_be_searched() -> None:
    inputs, remove = cases(3)
    strategy = build_strategy("bm25_difficulty", {"page_texts": dict.fromkeys(PAGES, "")}).fit(inputs, remove, seed=1)
    with pytest.raises(CleaningError, match="No page has any text"):
        strategy.score(inputs)

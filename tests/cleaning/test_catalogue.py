"""All strategies and rules by name."""

from __future__ import annotations

import pytest

from audit_core.errors import CleaningError
from cleaning.catalogue import build_strategy, ranked, rule_module, rules, strategies, strategy_module
from cleaning.contract import Kind


def test_every_strategy_keeps_the_names_of_the_contract() -> None:
    found = strategies()
    assert {
        "rules", "evidence_filter", "logistic_regression", "logistic_regression_surface", "xgboost", "knn", "union",
        "intersection", "k_of_n", "keep_all", "random", "length", "bm25_difficulty", "llm_rating",
        "llm_classifier", "context_check", "closed_book",
    } <= set(found)  # fmt: skip
    for name, module in found.items():
        assert module.name == name
        assert module.__name__ == f"cleaning.strategies.{name}"
        assert isinstance(module.kind, Kind)
        assert module.title
        assert module.describe.endswith(".")
        assert isinstance(module.needs_embeddings, bool)
        assert 0.0 <= module.default_threshold <= 1.0
    titles = [module.title for module in found.values()]
    assert len(set(titles)) == len(titles)


def test_difficulty_filters_are_not_ranked() -> None:
    assert not {"bm25_difficulty", "closed_book"} & set(ranked())
    assert "llm_rating" in ranked()
    assert "rules" in ranked()


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(CleaningError, match=r"no strategy 'magic'. Choose one of: .*knn.*logistic_regression"):
        build_strategy("magic")
    with pytest.raises(CleaningError, match="no strategy 'options'"):
        strategy_module("options")
    with pytest.raises(CleaningError, match=r"no rule 'magic'. Choose one of: .*layout_reference"):
        rule_module("magic")
    assert set(rules()) == {
        "layout_reference", "document_reference", "unresolved_pointer", "no_question", "evidence_on_one_page",
        "answer_in_query", "exact_duplicate", "near_duplicate",
    }  # fmt: skip
    assert rule_module("no_question").name == "no_question"

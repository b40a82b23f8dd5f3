"""Blocks of features: what each holds, that they are fitted on training queries alone, and what is refused."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from audit_core.errors import CleaningError
from cleaning.contract import QUERY_COLUMNS, Inputs
from cleaning.features import BLOCKS, check_blocks, fit_features, usable_rows
from cleaning.strategies.scoring import read_part
from cleaning.strategies.training import inner_folds
from cleaning.surface import fit_surface, forms_of

_LISTS = ("configured_pages", "evidence_pages", "documents", "evidence_kinds")
GOOD = "What is the population of {} ?"
BAD = "population how much {} it is ?"


def _inputs(n: int = 60) -> tuple[Inputs, np.ndarray]:
    chance = np.random.default_rng(1)
    remove = np.arange(n) % 3 == 0
    texts = [(BAD if bad else GOOD).format(chr(97 + row % 26) * 5) for row, bad in enumerate(remove)]
    values: dict[str, object] = {name: [[]] * n if name in _LISTS else [None] * n for name in QUERY_COLUMNS}
    values |= {
        "query_id": [f"q{row:03d}" for row in range(n)], "text": texts, "answer": ["12 million"] * n,
        "evidence_structure": ["Cross-Doc" if row % 2 else "unheard of" for row in range(n)],
        "evidence_pages": [["a", "b"]] * n, "documents": [[f"d{row}"] for row in range(n)],
        "evidence_kinds": [["Table", "Ghost"]] * n,
    }  # fmt: skip
    frame = pl.DataFrame(values, schema={c: pl.List(pl.String) if c in _LISTS else pl.String for c in QUERY_COLUMNS})
    vectors = chance.normal(size=(n, 5)).astype(np.float32)
    return Inputs(frame, vectors, answer_vectors=vectors[::-1].copy()), remove


def test_blocks_stand_side_by_side_in_their_own_order() -> None:
    inputs, remove = _inputs()
    folds = inner_folds(inputs.queries, remove, parts=3, seed=1)
    blocks = check_blocks(list(reversed(BLOCKS)))
    features, matrix = fit_features(inputs, remove, folds, blocks)
    assert features.blocks == tuple(BLOCKS)
    assert features.widths[:2] == (5, 5)
    assert matrix.shape == (60, sum(features.widths))
    assert matrix.dtype == np.float32
    assert np.isfinite(matrix).all()
    parts = list(features.parts(inputs, at_once=7))
    assert [part.start for part, _ in parts] == list(range(0, 60, 7))
    again = np.vstack([rows for _, rows in parts])
    np.testing.assert_array_equal(again[:, :-1], matrix[:, :-1])


def test_structure_knows_its_words_and_takes_unknown_ones_for_none() -> None:
    inputs, remove = _inputs()
    features, matrix = fit_features(inputs, remove, None, ("structure",))
    assert features.widths == (6 + 3 + 10,)
    assert matrix[1, :6].tolist() == [0, 0, 0, 0, 0, 1]
    assert matrix[0, :6].tolist() == [0, 0, 0, 0, 0, 0]
    assert matrix[0, 6] == pytest.approx(np.log(3))
    assert matrix[0, 9:].sum() == 1


def test_surface_of_a_training_query_comes_from_a_fit_without_it() -> None:
    inputs, remove = _inputs()
    texts = inputs.queries["text"].to_list()
    folds = inner_folds(inputs.queries, remove, parts=3, seed=1)
    assert folds is not None
    _, held_out = fit_surface(texts, remove, folds)
    inside = np.flatnonzero(folds == 0)
    flipped = remove.copy()
    flipped[inside] = ~flipped[inside]
    _, with_other_labels = fit_surface(texts, flipped, folds)
    np.testing.assert_array_equal(held_out[inside], with_other_labels[inside])
    assert held_out[remove].min() > held_out[~remove].max()


def test_word_forms_keep_function_words_and_endings() -> None:
    assert forms_of("What is the capital of Berlin, 2019?") == [
        "<",
        "what",
        "is",
        "the",
        "~al",
        "of",
        "X~",
        ",",
        "#",
        "?",
        ">",
    ]


def test_missing_vectors_are_named_and_other_widths_refused() -> None:
    inputs, remove = _inputs()
    with pytest.raises(CleaningError, match="block query needs an embedding"):
        usable_rows(Inputs(inputs.queries), ("query",))
    with pytest.raises(CleaningError, match="block answer needs an embedding"):
        usable_rows(Inputs(inputs.queries), ("answer",))
    features, _ = fit_features(inputs, remove, None, ("query",))
    with pytest.raises(CleaningError, match="has 4 numbers a query, but had 5 in training"):
        list(features.parts(Inputs(inputs.queries, np.zeros((60, 4), dtype=np.float32))))


@pytest.mark.parametrize("blocks", [[], ["query", "query"], ["words"]])
def test_unknown_or_repeated_blocks_are_refused(blocks: list[str]) -> None:
    with pytest.raises(CleaningError, match="Choose from: query, answer, structure, lengths, rules, surface"):
        check_blocks(blocks)


def test_inner_folds_keep_a_document_together_and_leave_both_labels_outside() -> None:
    inputs, remove = _inputs()
    frame = inputs.queries.with_columns(documents=pl.Series([[f"d{row // 4}"] for row in range(60)]))
    folds = inner_folds(frame, remove, parts=3, seed=4)
    assert folds is not None
    assert set(folds.tolist()) == {0, 1, 2}
    for row in range(60):
        assert folds[row] == folds[row // 4 * 4]
    assert inner_folds(frame, np.arange(60) == 5, parts=3, seed=4) is None
    one_document = frame.with_columns(documents=pl.Series([["d"]] * 60))
    assert inner_folds(one_document, remove, parts=3, seed=4) is None


def test_a_memory_map_is_read_in_parts_and_not_changed(tmp_path: object) -> None:
    path = f"{tmp_path}/vectors.npy"
    content = np.arange(40, dtype=np.float32).reshape(10, 4)
    np.save(path, content)
    mapped = np.load(path, mmap_mode="r")
    np.testing.assert_array_equal(read_part(mapped, slice(2, 5)), content[2:5])
    np.testing.assert_array_equal(read_part(mapped[1:], slice(2, 5)), content[3:6])
    writable = np.load(path, mmap_mode="r+")
    writable[0, 0] = 7.0
    assert read_part(writable, slice(0, 1))[0, 0] == 7.0
    assert writable[0, 0] == 7.0

"""Vectors that cannot be used are found first, and listed with the reason."""

from __future__ import annotations

import numpy as np
import pytest

from audit_core.errors import InferenceError
from audit_core.inference import screening
from audit_core.inference.embedder import Fault, Identity, State
from audit_core.inference.embedding import Vectors
from audit_core.inference.normalising import normalised
from audit_core.inference.screening import screen


def forty() -> np.ndarray:
    """40 vectors: three with NaN or infinity (rows 4, 17, 39) and one zero (row 22)."""
    vectors = np.random.default_rng(0).normal(size=(40, 6)).astype(np.float32)
    vectors[4, 2] = np.nan
    vectors[17] = np.nan
    vectors[39, :2] = np.inf, -np.inf
    vectors[22] = 0
    return vectors


@pytest.mark.parametrize("rows_at_once", [16_384, 7])
def test_of_40_queries_3_with_nan_and_1_zero_36_are_eligible(
    rows_at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screening, "_ROWS_AT_ONCE", rows_at_once)
    found = screen(forty())
    assert int(found.eligible.sum()) == 36
    assert np.flatnonzero(~found.eligible).tolist() == [4, 17, 22, 39]
    assert [(each.row, each.state, each.says) for each in found.ineligible] == [
        (4, State.NOT_FINITE, "1 of 6 numbers are NaN or infinite"),
        (17, State.NOT_FINITE, "6 of 6 numbers are NaN or infinite"),
        (22, State.ZERO, "all numbers of the vector are 0, so it points nowhere"),
        (39, State.NOT_FINITE, "2 of 6 numbers are NaN or infinite"),
    ]
    assert found.counts == {State.NOT_FINITE: 3, State.ZERO: 1}


def test_a_row_without_a_vector_keeps_the_reason_that_it_came_with() -> None:
    vectors = Vectors(Identity("bundle", "m", "", 6, False), forty(), {17: Fault(State.MISSING, "not brought")})
    found = screen(vectors)
    assert [(each.row, each.state) for each in found.ineligible][1] == (17, State.MISSING)
    assert found.counts == {State.NOT_FINITE: 2, State.MISSING: 1, State.ZERO: 1}


def test_equal_vectors_and_tiny_ones_are_no_fault() -> None:
    same = np.tile(np.array([[1e-30, 0.0, -0.0]], dtype=np.float32), (5, 1))
    assert screen(same).eligible.all()
    assert not screen(np.array([[-0.0, 0.0]], dtype=np.float32)).eligible.any()


def test_vectors_without_dimensions_are_missing_and_anything_but_a_matrix_is_refused() -> None:
    assert screen(np.empty((2, 0), dtype=np.float32)).counts == {State.MISSING: 2}
    assert screen(np.empty((0, 4), dtype=np.float32)).ineligible == ()
    with pytest.raises(InferenceError, match="one row a text"):
        screen(np.zeros(4, dtype=np.float32))


def test_lengths_become_1_whatever_the_size_and_zero_and_nan_stay_what_they_are() -> None:
    rows = np.array([[3.0, 4.0], [3e200, 4e200], [3e-200, 4e-200], [0.0, 0.0], [np.nan, 1.0], [np.inf, 1.0]])
    unit = normalised(rows)
    assert unit.dtype == np.float32
    np.testing.assert_allclose(unit[:3], [[0.6, 0.8]] * 3, rtol=1e-6)
    assert not unit[3].any()
    assert np.isnan(unit[4:]).all()
    assert normalised(np.empty((2, 0))).shape == (2, 0)

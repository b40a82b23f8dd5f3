"""Embeddings that came with a dataset, by query id."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from audit_core.datasets.build import build_revision
from audit_core.datasets.revision import Revision, open_revision
from audit_core.errors import InferenceError, NotFound
from audit_core.importers.bundle import read_bundle
from audit_core.inference.bundle_vectors import bundled_models, bundled_vectors, read_vectors
from audit_core.inference.embedder import State
from audit_core.inference.screening import screen
from tests.importers.small_bundle import write_bundle_folder


@pytest.fixture
def revision(tmp_path: Path) -> Revision:
    """The small bundle with the vectors (0, 1), (2, 3), (4, 5) of q1, q2, q3."""
    bundle = read_bundle(write_bundle_folder(tmp_path / "bundle", extras=True))
    return open_revision(build_revision(bundle, tmp_path / "datasets"))


def files(folder: Path, matrix: np.ndarray, ids: str) -> tuple[Path, Path]:
    np.save(folder / "m.npy", matrix)
    (folder / "m.ids.txt").write_bytes(ids.encode())
    return folder / "m.npy", folder / "m.ids.txt"


def test_vectors_are_found_by_query_and_as_they_lie_they_are_a_memory_map(revision: Revision) -> None:
    assert bundled_models(revision) == ["model"]
    whole = bundled_vectors(revision, "model", ["q1", "q2", "q3"])
    assert isinstance(whole.values, np.memmap)
    assert whole.values.tolist() == [[0, 1], [2, 3], [4, 5]], "taken as they are, not scaled"
    assert (whole.identity.kind, whole.identity.model, whole.identity.normalised) == ("bundle", "model", False)
    (hash_of_content,) = [each.hash for each in revision.attachments if each.kind == "embedding"]
    assert whole.identity.source == hash_of_content
    assert bundled_vectors(revision, "model", ["q3", "q1"]).values.tolist() == [[4, 5], [0, 1]]


def test_queries_without_a_vector_are_listed(revision: Revision) -> None:
    found = bundled_vectors(revision, "model", ["q2", "q9", "q1", "q8"])
    assert found.values[[0, 2]].tolist() == [[2, 3], [0, 1]]
    listed = [(each.row, each.state, each.says) for each in screen(found).ineligible]
    says = "the bundle's embeddings of model have no vector of this query"
    assert listed == [(1, State.MISSING, says), (3, State.MISSING, says)]
    assert found.values.dtype == np.float32


def test_a_model_that_did_not_come_along_is_not_found(revision: Revision) -> None:
    with pytest.raises(NotFound, match=r"No embeddings of 'bm25' .*There are: model"):
        bundled_vectors(revision, "bm25", ["q1"])


def test_40_queries_with_3_nan_vectors_and_1_zero_one_are_screened(tmp_path: Path) -> None:
    matrix = np.ones((40, 3), dtype=np.float32)
    matrix[[3, 11, 30], 1] = np.nan
    matrix[20] = 0
    ids = [f"q{number}" for number in range(40)]
    found = read_vectors(*files(tmp_path, matrix, "\n".join(ids)), ids[::-1], model="m", source="s")
    screened = screen(found)
    assert [(39 - each.row, each.state.value) for each in screened.ineligible] == [
        (30, "not finite"), (20, "zero vector"), (11, "not finite"), (3, "not finite"),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["float16", "float64", ">f4", ">f8"])
def test_other_floats_are_converted_to_float32(kind: str, tmp_path: Path) -> None:
    matrix = np.array([[0.5, -2.0], [3.25, 4.0]], dtype=kind)
    found = read_vectors(*files(tmp_path, matrix, "a\r\nb\r\n"), ["a", "b"], model="m", source="s")
    assert found.values.dtype == np.dtype("float32")
    assert found.values.dtype.isnative
    assert found.values.tolist() == [[0.5, -2.0], [3.25, 4.0]]


def test_a_double_beyond_float32_is_found_by_screening_and_of_a_repeated_id_the_first_row_counts(
    tmp_path: Path,
) -> None:
    matrix = np.array([[1.0, 2.0], [1e300, 0.0], [7.0, 7.0]])
    found = read_vectors(*files(tmp_path, matrix, "a\nb\na\n"), ["a", "b"], model="m", source="s")
    assert found.values[0].tolist() == [1.0, 2.0]
    assert [each.state for each in screen(found).ineligible] == [State.NOT_FINITE]


@pytest.mark.parametrize(
    ("matrix", "ids", "says"),
    [
        (np.zeros((2, 2), dtype=np.int64), "a\nb\n", "int64 of shape"),
        (np.zeros(2, dtype=np.float32), "a\nb\n", r"float32 of shape \(2,\)"),
        (np.zeros((2, 2), dtype=np.float32), "a\n", "names 1 queries, but m.npy has 2 rows"),
        (np.array([[None]]), "a\n", "cannot be read"),
    ],
)
def test_files_that_hold_no_vectors_are_refused(matrix: np.ndarray, ids: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(InferenceError, match=says):
        read_vectors(*files(tmp_path, matrix, ids), ["a"], model="m", source="s")


def test_files_that_are_gone_cut_or_not_text_are_refused(tmp_path: Path) -> None:
    matrix, ids = files(tmp_path, np.ones((4, 4), dtype=np.float32), "a\nb\nc\nd\n")
    with pytest.raises(InferenceError, match="cannot be read"):
        read_vectors(tmp_path / "gone.npy", ids, ["a"], model="m", source="s")
    ids.write_bytes(b"\xff\xfe")
    with pytest.raises(InferenceError, match="cannot be read"):
        read_vectors(matrix, ids, ["a"], model="m", source="s")
    ids.write_bytes(b"a\nb\nc\nd\n")
    matrix.write_bytes(matrix.read_bytes()[:-7])
    with pytest.raises(InferenceError, match="cannot be read"):
        read_vectors(matrix, ids, ["a"], model="m", source="s")

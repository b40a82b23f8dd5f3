"""Embeddings that a bundle brought: `embeddings/MODEL.npy` with the query ids of its rows, one a line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from audit_core.errors import InferenceError, NotFound
from audit_core.inference.embedder import Fault, Identity, State
from audit_core.inference.embedding import Vectors, in_order
from audit_core.inference.vector_store import cache_folder

if TYPE_CHECKING:
    from audit_core.datasets.revision import Revision


def bundled_models(revision: Revision) -> list[str]:
    """Return the models whose embeddings came with a dataset, sorted."""
    return sorted(each.name for each in revision.attachments if each.kind == "embedding")


def bundled_vectors(revision: Revision, model: str, query_ids: Sequence[str]) -> Vectors:
    """Return the vectors of these queries that came with the dataset, in this order, exactly as they are there.

    They are not scaled to length 1. Queries that the bundle has no vector of are faults of the state MISSING. Where the
    ids ask for the rows as they lie, the values are a memory map and nothing is read.

    Raises:
        NotFound: no such model came with the dataset.
        InferenceError: its files cannot be read.
    """
    for each in revision.attachments:
        if each.kind == "embedding" and each.name == model:
            matrix, ids = revision.attachment_files(each)
            return read_vectors(matrix, ids, query_ids, model=model, source=each.hash)
    known = ", ".join(bundled_models(revision)) or "none"
    raise NotFound(f"No embeddings of {model!r} came with this dataset. There are: {known}.")


def read_vectors(matrix_file: Path, ids_file: Path, query_ids: Sequence[str], *, model: str, source: str) -> Vectors:
    """Return the vectors of these queries from a matrix and the ids of its rows.

    float32 is taken as it is; float16, float64 and big-endian numbers are converted to float32 as they are read (a
    float64 beyond float32 becomes infinite, which screening finds). Of an id that comes twice the first row counts.

    Raises:
        InferenceError: a file cannot be read, is no matrix of floats, or the ids are not as many as its rows.
    """
    import numpy as np

    try:
        matrix = np.load(matrix_file, mmap_mode="r", allow_pickle=False)
        ids = [line.removesuffix("\r") for line in ids_file.read_bytes().decode("utf-8").split("\n")]
    except (OSError, ValueError) as error:
        raise InferenceError(
            f"The embeddings {matrix_file} cannot be read ({error}): import the bundle again."
        ) from None
    if ids[-1] == "":
        ids.pop()
    if matrix.ndim != 2 or matrix.dtype.kind != "f" or matrix.dtype.itemsize > 8:
        raise InferenceError(
            f"The embeddings {matrix_file} are {matrix.dtype} of shape {matrix.shape}; a matrix of float16, float32 or "
            "float64 is needed."
        )
    if len(ids) != len(matrix):
        raise InferenceError(f"{ids_file} names {len(ids):,} queries, but {matrix_file.name} has {len(matrix):,} rows.")
    places = {query_id: row for row, query_id in reversed(list(enumerate(ids)))}
    rows = np.array([places.get(query_id, -1) for query_id in query_ids], dtype=np.int64)
    faults = {
        row: Fault(State.MISSING, f"the bundle's embeddings of {model} have no vector of this query")
        for row in np.flatnonzero(rows < 0).tolist()
    }
    return Vectors(
        identity=Identity("bundle", model, source, matrix.shape[1], False),
        values=in_order(matrix, rows, folder=cache_folder()),
        faults=faults,
    )

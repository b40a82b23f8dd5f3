"""Latent semantic vectors: TF-IDF of letter groups, cut to a few dimensions by singular values."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_DIMENSIONS = 48


def similarities(texts: dict[str, str], queries: list[str]) -> list[dict[str, float]]:
    """For each query page id -> cosine of the two vectors, -1 to 1."""
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer

    letters = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True, min_df=2)
    pages = letters.fit_transform(texts.values()).toarray()
    _, _, directions = np.linalg.svd(pages, full_matrices=False)
    basis = directions[: min(_DIMENSIONS, len(directions))].T
    corpus = _unit(pages @ basis)
    asked = _unit(letters.transform(queries).toarray() @ basis)
    return [dict(zip(texts, map(float, row), strict=True)) for row in asked @ corpus.T]


def _unit(matrix: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    import numpy as np

    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    scaled: npt.NDArray[np.float64] = matrix / np.where(lengths == 0, 1.0, lengths)
    return scaled

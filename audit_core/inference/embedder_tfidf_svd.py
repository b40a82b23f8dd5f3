"""The floor: TF-IDF of words and word pairs, reduced by a truncated SVD. Fitted on training texts alone."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from audit_core.errors import InferenceError
from audit_core.inference.embedder import Batch, Cancelled, Identity, check_options, whole_number
from audit_core.inference.normalising import normalised

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

name = "tfidf-svd"
title = "TF-IDF and SVD"
describe = (
    "Counts words and pairs of words, weighted by how rare they are in the training texts (TF-IDF), and keeps the main "
    "directions of these counts (truncated SVD). It knows no meanings: the floor that a language model has to beat. "
    "Fitted on the training texts of each fold alone, so its vectors are not kept."
)
needs_fitting = True

_OPTIONS = ("dimensions",)
_WORD = r"(?u)\b\w+\b"
#: Words and pairs that are counted at most, the most frequent ones.
MAX_FEATURES = 50_000


def build(options: Mapping[str, object]) -> TfidfSvd:
    """Return what is to be fitted. Option: `dimensions` (256).

    Raises:
        InferenceError: an option is unknown or out of bounds.
    """
    check_options(name, options, _OPTIONS)
    return TfidfSvd(dimensions=whole_number(name, options, "dimensions", 256, low=1, high=4096))


class TfidfSvd:
    """TF-IDF and SVD before they have seen a text."""

    def __init__(self, *, dimensions: int = 256) -> None:
        self.dimensions = dimensions

    def fit(self, texts: Sequence[str], *, seed: int) -> FittedTfidfSvd:
        """Return the embedder fitted on these texts; same texts and seed, same vectors.

        It has fewer dimensions than asked for where the texts do not hold as many: `reduced` says why.

        Raises:
            InferenceError: fewer than two different texts with words in them.
        """
        import numpy as np
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.utils.extmath import randomized_svd

        # Every run of letters and digits is a word, single ones too, for numbers and Chinese signs matter.
        vectoriser = TfidfVectorizer(
            ngram_range=(1, 2), token_pattern=_WORD, sublinear_tf=True, max_features=MAX_FEATURES,
            dtype=np.float32,
        )  # fmt: skip
        try:
            counts = vectoriser.fit_transform(texts)
        except ValueError:
            raise InferenceError(
                f"None of the {len(texts):,} training texts holds a word, so TF-IDF cannot be fitted on them."
            ) from None
        different = len({text.lower() for text in texts})
        features = counts.shape[1]
        # No more directions than texts or features less one hold anything.
        most = min(different, features - 1)
        if most < 1 or (counts.max(axis=0) != counts.min(axis=0)).nnz == 0:
            raise InferenceError(
                f"TF-IDF needs at least two training texts of different words; the {len(texts):,} given are all alike, or "
                "hold one word in all."
            )
        kept = min(self.dimensions, most)
        _, _, directions = randomized_svd(counts, n_components=kept, n_iter=4, random_state=seed)
        reduced = None
        if kept < self.dimensions:
            reduced = (
                f"{kept} dimensions instead of {self.dimensions}: the training texts are {different:,} different ones "
                f"with {features:,} words and pairs"
            )
        running = hashlib.sha256(f"{kept} {seed}\n".encode())
        for text in texts:
            running.update(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())
        return FittedTfidfSvd(vectoriser, directions, running.hexdigest(), reduced)


class FittedTfidfSvd:
    """Texts to unit vectors. A text that shares no word with the training texts has the zero vector."""

    is_cached = False
    batch_size = 4096

    def __init__(self, vectoriser: Any, directions: NDArray[np.float64], fitted_on: str, reduced: str | None) -> None:
        self.identity = Identity("fitted", name, fitted_on, directions.shape[0], True)
        #: Why there are fewer dimensions than asked for, None where there are as many.
        self.reduced = reduced
        self._vectoriser = vectoriser
        self._directions = directions

    def embed(self, texts: Sequence[str], *, cancelled: Cancelled | None = None) -> Batch:
        """Return one vector a text."""
        import numpy as np

        counts = self._vectoriser.transform(texts)
        return Batch(
            vectors=normalised(counts @ self._directions.T),
            truncated=np.zeros(len(texts), dtype=np.bool_),
            tokens=0,
        )

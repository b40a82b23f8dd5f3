"""Embedders that must be fitted, fitted inside each training fold: no evaluation text has any part in the vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cleaning.contract import Fitted, Inputs, Scores, Strategy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from audit_core.inference.embedder import Embedder, Trainable

#: So many fitted embedders are kept: the strategies of one fold come one after the other on the same texts.
_KEPT = 2


class FoldEmbeddings:
    """One trainable embedder, shared by the strategies of a comparison: fitted once for each set of training texts."""

    def __init__(self, trainable: Trainable) -> None:
        self._trainable = trainable
        self._fitted: dict[tuple[int, int], tuple[list[str], Embedder]] = {}

    def fitted(self, texts: Sequence[str], *, seed: int) -> Embedder:
        """Return the embedder fitted on these texts."""
        given = list(texts)
        key = (hash(tuple(given)), seed)
        found = self._fitted.get(key)
        if found is None or found[0] != given:
            while len(self._fitted) >= _KEPT:
                self._fitted.pop(next(iter(self._fitted)))
            found = self._fitted[key] = (given, self._trainable.fit(given, seed=seed))
        return found[1]


@dataclass(frozen=True, slots=True)
class EmbeddedInFolds:
    """A strategy that gets its vectors from an embedder fitted on its training texts."""

    inner: Strategy
    embeddings: FoldEmbeddings

    def fit(self, inputs: Inputs, remove: NDArray[np.bool_], *, seed: int) -> Fitted:
        """Return the strategy trained on the vectors of these texts."""
        embedder = self.embeddings.fitted(inputs.queries["text"].to_list(), seed=seed)
        return _Fitted(self.inner.fit(_with_vectors(inputs, embedder), remove, seed=seed), embedder)


@dataclass(frozen=True, slots=True)
class _Fitted:
    inner: Fitted
    embedder: Embedder

    def score(self, inputs: Inputs) -> Scores:
        """Return one score a query."""
        return self.inner.score(_with_vectors(inputs, self.embedder))


def _with_vectors(inputs: Inputs, embedder: Embedder) -> Inputs:
    from audit_core.inference.embedding import embed_texts

    vectors = embed_texts(embedder, inputs.queries["text"].to_list(), cache=None)
    # A blank text has no vector; it shares no word with any other, which is what the zero vector says.
    return replace(inputs, vectors=np.nan_to_num(vectors.values, nan=0.0))

"""Logistic regression that reads the wording besides the embedding: embeddings alone hardly tell how well a text is put."""

from __future__ import annotations

from collections.abc import Mapping

from cleaning.contract import Kind
from cleaning.strategies import logistic_regression
from cleaning.strategies.learned import Learned

name = "logistic_regression_surface"
title = "Logistic regression with wording"
kind = Kind.LEARNED
describe = (
    "Logistic regression on the embedding of the query and on how its wording reads (words, word forms and their order, "
    "and which rules fire), all fitted on the training queries. The score is the probability of removal at their share of bad ones."
)
needs_embeddings = True
default_threshold = 0.5

#: Blocks of features where no others are chosen.
BLOCKS = ("query", "lengths", "rules", "surface")


def build(options: Mapping[str, object]) -> Learned:
    """Return the strategy; options as those of `logistic_regression`, but other blocks where none are chosen.

    Raises:
        CleaningError: an option is unknown or cannot be used.
    """
    return logistic_regression.build_named(name, title, {"blocks": BLOCKS, **options})

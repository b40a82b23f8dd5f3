"""How a comparison is made: embeddings, the split, and how much is computed."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from audit_core import config
from audit_core.datasets.revision import Revision
from audit_core.inference.bundle_vectors import bundled_models
from audit_core.inference.embedder import embedders
from audit_core.inference.embedder_endpoint import name as endpoint
from audit_core.ui.plain_text import plain
from cleaning.request import BUNDLED, DEFAULT_EMBEDDER, FOLDS_MAX, NO_VECTORS, REPEATS_MAX

FOLDS, SINGLE = "Cross-validation over documents", "A single split"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The split that is asked for; `train` is None for cross-validation."""

    folds: int = 5
    repeats: int = 5
    train: int | None = None
    fewer_folds: bool = False
    seed: int = 1


def choose_embedder(revision: Revision, *, needed: bool) -> str:
    """Draw the choice of embeddings and return it; without a strategy that needs any there is nothing to choose."""
    if not needed:
        st.caption("Embeddings: none of the chosen strategies needs any.")
        return NO_VECTORS
    known = embedders()
    names = [each for each in known if each != endpoint or (config.embeddings_url() and config.embeddings_model())]
    names.sort(key=lambda each: each != DEFAULT_EMBEDDER)
    brought = [f"{BUNDLED}{model}" for model in bundled_models(revision)]

    def named(each: str) -> str:
        return f"{each.removeprefix(BUNDLED)} (came with the dataset)" if each in brought else str(known[each].title)

    chosen = st.selectbox("Embeddings", [*names, *brought], format_func=named, key="compare-embedder")
    says = "Vectors of the queries as the dataset brought them." if chosen in brought else known[chosen].describe
    st.caption(plain(says))
    return chosen


def choose_evaluation() -> Evaluation:
    """Draw the choice of the split and return it."""
    how = st.radio("Evaluation", [FOLDS, SINGLE], key="compare-how", horizontal=True)
    if how == SINGLE:
        train, seed = st.columns(2)
        return Evaluation(
            repeats=1,
            train=int(train.number_input("Training queries", 1, 1_000_000, 800, key="compare-train")),
            seed=int(seed.number_input("Seed", 0, 2**31 - 1, 1, key="compare-seed")),
        )
    folds, repeats, seed = st.columns(3)
    return Evaluation(
        folds=int(folds.number_input("Folds", 2, FOLDS_MAX, 5, key="compare-folds")),
        repeats=int(repeats.number_input("Repeats", 1, REPEATS_MAX, 5, key="compare-repeats")),
        fewer_folds=st.toggle(
            "Fewer folds where so many are impossible", key="compare-fewer",
            help="Queries of one document never part. Without this a split that is impossible is refused, with the reason.",
        ),
        seed=int(seed.number_input("Seed", 0, 2**31 - 1, 1, key="compare-seed")),
    )  # fmt: skip

"""A chosen strategy as it takes part: built with its options, its threshold and what it needs of the dataset."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from cleaning.catalogue import build_strategy, strategy_module
from cleaning.compare import Entrant
from cleaning.fold_embedding import EmbeddedInFolds, FoldEmbeddings
from cleaning.request import Choice, wanted_of

if TYPE_CHECKING:
    from audit_core.datasets.revision import Revision
    from cleaning.contract import Strategy


def entrant_of(choice: Choice, revision: Revision, embeddings: FoldEmbeddings | None) -> Entrant:
    """Return a chosen strategy, built; `embeddings` where its vectors come from an embedder that must be fitted.

    Raises:
        CleaningError: an unknown strategy, or an option or threshold that cannot be used.
    """
    module = strategy_module(choice.strategy)
    options: dict[str, Any] = dict(choice.options)
    if choice.strategy == "bm25_difficulty":
        from cleaning.strategies.page_texts import page_texts

        options["page_texts"] = partial(page_texts, revision)
    strategy: Strategy = build_strategy(choice.strategy, options)
    if embeddings is not None and module.needs_embeddings:
        strategy = EmbeddedInFolds(strategy, embeddings)
    tune = wanted_of(choice)
    return Entrant(
        name=choice.name,
        title=module.title if choice.label is None else f"{module.title} ({choice.label})",
        kind=module.kind,
        strategy=strategy,
        threshold=module.default_threshold if choice.threshold is None else choice.threshold,
        tune=tune,
        options={"strategy": choice.strategy, **choice.options},
    )

"""Labels that are likely wrong: where a learned strategy, out of fold, is sure of the other label (confident learning)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cleaning.contract import Kind
from cleaning.labels import MINIMUM_LABELS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cleaning.compare import Compared

#: Fewest labels of either kind from which the usual sureness of a kind is told.
FEWEST_OF_A_KIND = 5


@dataclass(frozen=True, slots=True)
class Suspect:
    """One label that is likely wrong.

    `probability` is the mean out-of-fold probability of "remove"; `score` that of the given label, in [0, 1]: the lower,
    the likelier it is wrong.
    """

    query_id: str
    given: bool
    suggested: bool
    probability: float
    score: float


@dataclass(frozen=True, slots=True)
class LabelErrors:
    """Likely wrong labels, worst first, among the `checked` queries that have a score; or why none can be told.

    They are hints for another look: a label may not be changed for the strategy that found it and then evaluate it.
    """

    strategy: str
    suspects: tuple[Suspect, ...]
    checked: int
    without_score: int
    undefined: str | None = None


def likely_label_errors(compared: Compared, name: str) -> LabelErrors:
    """Return the labels that confident learning holds for wrong, from one learned strategy's out-of-fold scores.

    The probability of a query is the mean over the repeats that scored it. Source: Northcutt, Jiang and Chuang 2021
    (Journal of Artificial Intelligence Research 70, 1373-1411), as in the package cleanlab, pruned by noise rate.
    Undefined, with the reason: the strategy failed or is no learned one (its scores are no probabilities), too few
    scored labels, or too few of one kind.

    Raises:
        CleaningError: no strategy of this name took part.
    """
    scored = compared.of(name)
    known: NDArray[np.bool_] = np.any(~np.isnan(scored.scores), axis=0)
    remove = compared.remove[known]
    checked, positives = len(remove), int(remove.sum())
    fewest = min(positives, checked - positives)
    reason = None
    if scored.failed is not None:
        reason = f"{name} failed: {scored.failed}"
    elif scored.kind != Kind.LEARNED:
        reason = f"{name} is no learned strategy, so its scores are no probabilities of a label"
    elif checked < MINIMUM_LABELS:
        reason = f"only {checked} labels have a score; at least {MINIMUM_LABELS} are needed"
    elif fewest < FEWEST_OF_A_KIND:
        kind = "remove" if positives == fewest else "keep"
        reason = f"only {fewest} of {checked} labels say {kind}; at least {FEWEST_OF_A_KIND} of either kind are needed"
    if reason is not None:
        return LabelErrors(name, (), checked, len(known) - checked, reason)
    probability = np.nanmean(scored.scores[:, known], axis=0)
    rows = np.flatnonzero(known)
    suspects = []
    for place in _issues(remove.astype(int).tolist(), probability.tolist()):
        given = bool(remove[place])
        chance = float(probability[place])
        suspects.append(
            Suspect(compared.query_ids[int(rows[place])], given, not given, chance, chance if given else 1.0 - chance)
        )
    return LabelErrors(name, tuple(suspects), checked, len(known) - checked)


def _issues(labels: list[int], probability: list[float]) -> list[int]:
    """Return the places of likely wrong labels (1 = remove), the least self-confident first."""
    from cleanlab.filter import find_label_issues

    chances = np.asarray(probability)
    found = find_label_issues(
        np.asarray(labels),
        np.stack([1.0 - chances, chances], axis=1),
        return_indices_ranked_by="self_confidence",
        filter_by="prune_by_noise_rate",
        n_jobs=1,
    )
    return [int(place) for place in found]

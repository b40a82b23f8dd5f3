"""What to label next: a campaign of a random share, queries on which strategies disagree, and queries near a threshold.

The random share evaluates; what scores chose may train and never evaluates. Annotators see neither scores nor which entry
is which (`audit_core.workflow.mixed_campaigns`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from audit_core.errors import CleaningError
from audit_core.protocols import removal
from audit_core.sampling.mixed_draw import ActivePart, Selection
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.workflow.mixed_campaigns import MixedRequest, MixedSample, draw_mixed, start_mixed_campaign
from audit_core.workflow.workspace import Workspace
from cleaning.queue_weights import disagreement_weights, near_threshold_weights, voters
from cleaning.scoring import ScoredAll, Scoring

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class QueueRequest:
    """What to label next. The three shares are relative: 4, 3, 3 is the same as 0.4, 0.3, 0.3.

    `strategies` are those whose scores choose, by name; none named: all but baselines, difficulty filters and
    combinations. `leave_out` are the ids of campaigns whose queries are not drawn again. `seed` None: one is made up.
    """

    entries: int = 100
    random: float = 0.4
    disagreement: float = 0.3
    near_threshold: float = 0.3
    strategies: tuple[str, ...] = ()
    leave_out: tuple[int, ...] = ()
    seed: int | None = None

    def __post_init__(self) -> None:
        shares = (self.random, self.disagreement, self.near_threshold)
        if not all(math.isfinite(each) and each >= 0 for each in shares):
            raise CleaningError("The shares of a queue are numbers from 0, such as 0.4, 0.3 and 0.3.")
        if self.entries < 1:
            raise CleaningError(f"A queue of {self.entries} entries holds nothing: ask for at least 2.")
        if not self.random:
            raise CleaningError(
                "Without a random share nothing could be evaluated: what scores chose may only train. Give --random a share "
                "above 0."
            )
        if not (self.disagreement or self.near_threshold):
            raise CleaningError(
                "A queue needs disagreement or near-threshold entries beside the random ones; for a random sample alone use "
                "`python -m audit_core campaign start`."
            )

    def sizes(self) -> dict[Selection, int]:
        """Return how many entries each part gets: whole numbers that add up to `entries`, by the largest remainder.

        Raises:
            CleaningError: the entries are too few for a random and an active one.
        """
        shares = {
            Selection.RANDOM: self.random,
            Selection.DISAGREEMENT: self.disagreement,
            Selection.NEAR_THRESHOLD: self.near_threshold,
        }
        total = math.fsum(shares.values())
        exact = {each: self.entries * share / total for each, share in shares.items()}
        sizes = {each: math.floor(size) for each, size in exact.items()}
        by_remainder = sorted(exact, key=lambda each: sizes[each] - exact[each])
        for each in by_remainder[: self.entries - sum(sizes.values())]:
            sizes[each] += 1
        if not sizes[Selection.RANDOM] or sizes[Selection.RANDOM] == self.entries:
            raise CleaningError(
                f"{self.entries} entries are too few for these shares: a part would be empty. Ask for more entries."
            )
        return sizes


def plan_queue(workspace: Workspace, dataset: DatasetRow, scoring: Scoring, request: QueueRequest) -> MixedSample:
    """Return what a queue would hold, as counts and chances; changes nothing. The seed that is shown draws the same again.

    Raises:
        CleaningError: the scoring is of another dataset revision; a strategy has no scores; no query is disputed, or near a
            threshold, where such are asked for.
        StatisticsError: more entries than there are queries.
    """
    return draw_mixed(workspace, dataset, _mixed_request(dataset, scoring, request))


def start_queue(
    workspace: Workspace,
    dataset: DatasetRow,
    scoring: Scoring,
    request: QueueRequest,
    *,
    name: str,
    protocol: str = removal.name,
    judgments_per_entry: int = 1,
    person: Person | None = None,
) -> tuple[CampaignRow, MixedSample]:
    """Start a campaign of what to label next; return it with the draw.

    Raises:
        CleaningError, StatisticsError: as `plan_queue`.
        NameTaken, AssayError: as `start_campaign`.
    """
    return start_mixed_campaign(
        workspace, dataset, _mixed_request(dataset, scoring, request), name=name, protocol=protocol,
        judgments_per_entry=judgments_per_entry, person=person,
    )  # fmt: skip


def _mixed_request(dataset: DatasetRow, scoring: Scoring, request: QueueRequest) -> MixedRequest:
    if dataset.content_hash != scoring.dataset_hash:
        raise CleaningError(
            f"The scoring {scoring.name} is of {scoring.dataset_name} {scoring.dataset_revision}, not of {dataset.shown} "
            f"{dataset.revision}: its scores say nothing of these queries. Score this revision."
        )
    chosen = voters(scoring, request.strategies)
    if not chosen:
        raise CleaningError(
            f"No strategy of the scoring {scoring.name} says which queries are bad. Name some with --strategy."
        )
    sizes = request.sizes()
    parts = []
    basis: dict[str, Any] = {
        "scoring": {"run": scoring.run_id, "name": scoring.name, "dataset_hash": scoring.dataset_hash},
        "strategies": {each.name: each.threshold for each in chosen},
    }
    if wanted := sizes[Selection.DISAGREEMENT]:
        weights = _disagreement(chosen)
        parts.append(ActivePart(Selection.DISAGREEMENT, wanted, _by_id(scoring, weights)))
        basis["disagreement"] = "entropy, in bits, of the share that removes among the strategies that decide"
    if wanted := sizes[Selection.NEAR_THRESHOLD]:
        weights, bands = _near_threshold(chosen, wanted)
        parts.append(ActivePart(Selection.NEAR_THRESHOLD, wanted, _by_id(scoring, weights)))
        basis["near_threshold"] = {"weight": "mean of 1 - |score - threshold| / band", "bands": bands}
    return MixedRequest(sizes[Selection.RANDOM], tuple(parts), request.seed, request.leave_out, basis)


def _disagreement(chosen: tuple[ScoredAll, ...]) -> NDArray[np.float64]:
    if len(chosen) < 2:
        raise CleaningError(
            f"{chosen[0].title} alone disagrees with nobody: name at least two strategies, or give --disagreement 0."
        )
    weights = disagreement_weights(chosen)
    if not weights.any():
        names = ", ".join(each.name for each in chosen)
        raise CleaningError(
            f"No query is decided differently by {names}: name other strategies, or give --disagreement 0."
        )
    return weights


def _near_threshold(chosen: tuple[ScoredAll, ...], wanted: int) -> tuple[NDArray[np.float64], dict[str, float]]:
    weights, bands = near_threshold_weights(chosen, wanted=wanted)
    if not bands:
        names = ", ".join(each.name for each in chosen)
        raise CleaningError(
            f"The scores of {names} all lie equally far from the threshold (such strategies say yes or no), so none is near "
            "it: name a strategy with graded scores, or give --near-threshold 0."
        )
    return weights, bands


def _by_id(scoring: Scoring, weights: NDArray[np.float64]) -> Mapping[str, float]:
    return {scoring.query_ids[row]: float(weights[row]) for row in np.flatnonzero(weights)}

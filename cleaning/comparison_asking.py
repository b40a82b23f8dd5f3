"""The strategies of a comparison that ask a language model: what they are asked about, and what that would take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from audit_core.storage.comparisons import ComparisonRow
from cleaning.catalogue import strategy_module
from cleaning.llm.asker import Asker, Planned, Planner, Report, caps_of, refuse_unpriced

if TYPE_CHECKING:
    import polars as pl

    from audit_core.inference.chat import ChatModel
    from cleaning.compare import Entrant
    from cleaning.contract import Inputs
    from cleaning.llm.evidence_images import PageSource
    from cleaning.request import ComparisonRequest
    from cleaning.splits import Split


@dataclass(frozen=True, slots=True)
class PlannedFor:
    """What one step of a strategy's asking would take."""

    strategy: str
    planned: Planned


def asks_model(strategy: str) -> bool:
    """Return whether the strategy of this name asks a language model."""
    return bool(getattr(strategy_module(strategy), "asks_model", False))


def asking_id(row: ComparisonRow) -> str:
    """Return under which name what a comparison spends on language models is counted, over all its attempts.

    The time is part of it: the number of a comparison that was deleted may be given to a later one.
    """
    return f"comparison:{row.id}:{row.created_at}"


def with_answers(
    entrants: Sequence[Entrant],
    inputs: Inputs,
    split: Split,
    asker_for: Callable[[Report], Asker],
    pages: PageSource,
    *,
    report: Report | None = None,
) -> list[Entrant]:
    """Return the strategies, those that ask a model with the answers about the queries that they score.

    These are the evaluated queries; those that train as well only where a threshold is tuned on them. `asker_for` gives an
    asker that reports to a function; `report` gets the share of all asking that is done.

    Raises:
        InferenceError: a cap is reached, or a server refuses for good; what arrived is kept.
    """
    count = sum(_asks(each) for each in entrants)
    found: list[Entrant] = []
    place = 0
    for entrant in entrants:
        if not _asks(entrant):
            found.append(entrant)
            continue
        asker = asker_for(_part_of(report, place, count))
        strategy = cast("Any", entrant.strategy).ask(_asked_about(entrant, inputs, split), asker, pages)
        found.append(replace(entrant, strategy=strategy))
        place += 1
    return found


def refuse_unpriced_models(entrants: Sequence[Entrant], request: ComparisonRequest) -> None:
    """Refuse a cap on money where a model's price is not known, before anything is spent.

    Raises:
        InferenceError: names the model.
    """
    refuse_unpriced(caps_of(request.caps), [model for each in entrants for model in _models(each)])


def plan(
    entrants: Sequence[Entrant], inputs: Inputs, split: Split, planner: Planner, pages: PageSource
) -> list[PlannedFor]:
    """Return what the strategies would ask, step by step; nothing is sent."""
    found: list[PlannedFor] = []
    for each in entrants:
        before = len(planner.planned)
        with_answers([each], inputs, split, lambda _: planner, pages)
        found += [PlannedFor(each.name, planned) for planned in planner.planned[before:]]
    return found


def _part_of(report: Report | None, place: int, count: int) -> Report:
    def tell(step: str, share: float) -> None:
        if report is not None:
            report(step, (place + min(1.0, share)) / count)

    return tell


def _asked_about(entrant: Entrant, inputs: Inputs, split: Split) -> pl.DataFrame:
    rows = np.arange(len(inputs), dtype=np.intp) if entrant.tune is not None else split.evaluated
    return inputs.queries[rows]


def _asks(entrant: Entrant) -> bool:
    return asks_model(str(entrant.options["strategy"]))


def _models(entrant: Entrant) -> tuple[ChatModel, ...]:
    found: tuple[ChatModel, ...] = getattr(entrant.strategy, "models", ())
    return found

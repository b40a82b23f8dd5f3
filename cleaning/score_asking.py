"""The strategies of a scoring that ask a language model: who asks for them, under which caps, and what that would take."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from audit_core.domain import JsonObject
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.cleanings import RunView, asking_id
from audit_core.workflow.workspace import Workspace
from cleaning.compare import Entrant
from cleaning.comparison_asking import PlannedFor, asks_model
from cleaning.entrants import entrant_of
from cleaning.llm.asker import Asker, Planner, live_asker
from cleaning.llm.evidence_images import PageSource
from cleaning.preparing import Report
from cleaning.query_frame import query_frame
from cleaning.score_request import ScoreRequest

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks for one run: `asker_for` gives an asker that reports to a function, `pages` the pages that are shown.

    `spent` says what the run has spent so far, with its earlier attempts, as JSON holds it.
    """

    asker_for: Callable[[Report], Asker]
    pages: PageSource
    spent: Callable[[], JsonObject]

    def answered(self, entrant: Entrant, queries: pl.DataFrame, report: Report) -> Entrant:
        """Return a strategy with the answers about these queries.

        Raises:
            CleaningError: this strategy cannot ask about them; the others can go on.
            InferenceError: a cap is reached, or the server refuses for good; what arrived is kept.
        """
        strategy = cast("Any", entrant.strategy).ask(queries, self.asker_for(report), self.pages)
        return replace(entrant, strategy=strategy)


@contextmanager
def asking_for(
    workspace: Workspace, view: RunView, *, caps: Mapping[str, float] | None, in_flight: int | None
) -> Iterator[Asking]:
    """Give who asks for a run; what it spends is counted under the run's own name, over all its attempts.

    Raises:
        StorageError: the answers that are kept cannot be opened.
    """
    with live_asker(asking_id(view.row), caps=caps, in_flight=in_flight) as asker:

        def spent() -> JsonObject:
            so_far = asker.spent()
            return {
                "calls": so_far.calls, "tokens_input": so_far.tokens_input, "tokens_output": so_far.tokens_output,
                "spend": so_far.spend,
            }  # fmt: skip

        yield Asking(asker.reporting, page_source(workspace, view.dataset), spent)


def page_source(workspace: Workspace, dataset: DatasetRow) -> PageSource:
    """Return the page images of a dataset, as they are sent to a language model."""
    return PageSource(workspace.revision(dataset), workspace.page_images)


def asks(entrant: Entrant) -> bool:
    """Return whether a strategy asks a language model."""
    return asks_model(str(entrant.options["strategy"]))


def any_asks(request: ScoreRequest) -> bool:
    """Return whether any strategy of a request asks a language model."""
    return any(asks_model(each.strategy) for each in request.strategies)


def asked_summary(entrant: Entrant) -> JsonObject | None:
    """Return what a strategy asked and how the answers fell out, at its threshold; None of one that asks nothing."""
    if not asks(entrant):
        return None
    document: JsonObject = cast("Any", entrant.strategy).asked_summary(entrant.threshold)
    return document


def plan_score(workspace: Workspace, dataset: DatasetRow, request: ScoreRequest) -> list[PlannedFor]:
    """Return what the strategies of a request would ask about all queries, step by step; nothing is sent.

    Raises:
        CleaningError, InferenceError: a strategy's options or its model cannot be used.
        StorageError: the answers that are kept cannot be read.
    """
    revision = workspace.revision(dataset)
    entrants = [entrant_of(choice, revision, None) for choice in request.strategies]
    asking = [each for each in entrants if asks(each)]
    if not asking:
        return []
    queries, pages = query_frame(revision), page_source(workspace, dataset)
    found: list[PlannedFor] = []
    with planner() as planning:
        for entrant in asking:
            before = len(planning.planned)
            cast("Any", entrant.strategy).ask(queries, planning, pages)
            found += [PlannedFor(entrant.name, each) for each in planning.planned[before:]]
    return found


@contextmanager
def planner() -> Iterator[Planner]:
    """Give one that sends nothing, and knows what is kept."""
    from audit_core.inference.answer_store import AnswerStore, answers_folder

    with AnswerStore(answers_folder()) as store:
        yield Planner(store)

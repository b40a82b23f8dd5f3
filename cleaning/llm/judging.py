"""What strategies have in common that put one prompt to one model, once or several times about each query."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from audit_core.errors import CleaningError
from audit_core.inference.chat import Ask, Status
from audit_core.statistics.intervals import wilson
from cleaning.contract import Inputs, Reason, Scores
from cleaning.llm.asked import Stage, summary
from cleaning.llm.prompt import Prompt, load_prompt, quoted, shuffled

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from audit_core.domain import JsonObject
    from audit_core.inference.chat import ChatModel, SentImage
    from cleaning.llm.asker import Asker
    from cleaning.llm.evidence_images import PageSource
    from cleaning.llm.options import JudgeSettings

#: A query as the frame holds it, column -> cell.
Row = Mapping[str, Any]


class RepeatedJudge(ABC):
    """One prompt, one model, `settings.repeats` questions a query; the score is the median over the accepted ones.

    It learns nothing. `ask` returns a copy that holds the answers; without them there is no score.
    """

    #: The threshold of its decision where none is said.
    own_threshold = 0.5
    #: Whether the answer and the pages may be shown besides the query.
    shows_more = True

    def __init__(self, name: str, settings: JudgeSettings) -> None:
        self.name = name
        self.settings = settings
        self.prompt: Prompt = load_prompt(name)
        #: By query id the answers of its repeats in short, None where not accepted; None before anything was asked.
        self._answers: dict[str, list[Any]] | None = None
        self._stage: Stage | None = None

    @property
    def models(self) -> tuple[ChatModel, ...]:
        """The models that are asked."""
        return (self.settings.model,)

    def fit(self, inputs: Inputs, remove: NDArray[np.bool_], *, seed: int) -> Self:
        """Return the strategy itself; queries and labels are not looked at."""
        return self

    def ask(self, queries: pl.DataFrame, asker: Asker, pages: PageSource | None = None) -> Self:
        """Return the strategy with the answers about these queries, which have the columns of the contract.

        Raises:
            CleaningError: pages are to be shown, but there are none.
            InferenceError: a cap is reached, or the server refuses for good; what arrived is kept.
        """
        if self.settings.with_pages and pages is None:
            raise CleaningError(f"The strategy {self.name} shows evidence pages, but was given none to show.")
        repeats = self.settings.repeats
        total = queries.height * repeats
        stage = Stage(self.prompt, self.settings.model)
        answers: dict[str, list[Any]] = {each: [None] * repeats for each in queries["query_id"].to_list()}
        asked = asker.ask_all(self._asks(queries, pages), self.settings.model, total=total, step=f"asking {self.name}")
        for answer in stage.counting(asked):
            if answer.status is Status.ACCEPTED and answer.value is not None:
                answers[answer.query_id][answer.repeat] = self._short(answer.value)
        stage.about = asker.about(self.settings.model)
        found = copy.copy(self)
        found._answers, found._stage = answers, stage
        return found

    def score(self, inputs: Inputs) -> Scores:
        """Return one score a query: the median of its accepted repeats, NaN where there is none or it was not asked.

        Raises:
            CleaningError: nothing was asked yet.
        """
        answers = self._asked()
        given = [_accepted(answers.get(each, ())) for each in inputs.queries["query_id"].to_list()]
        values = [median([self._score(each) for each in accepted]) if accepted else np.nan for accepted in given]
        reasons = tuple(tuple(self._reasons(accepted)) if accepted else () for accepted in given)
        return Scores(np.asarray(values, dtype=np.float64), reasons)

    def asked_summary(self, threshold: float | None = None) -> JsonObject | None:
        """Return what was asked and how the answers fell out, None where nothing was asked yet.

        The flip rate is that of the decision at this threshold, the strategy's own where it is None: a query flips where its
        accepted repeats, two at least, do not all decide the same.
        """
        if self._answers is None or self._stage is None:
            return None
        answers = self._answers
        threshold = self.own_threshold if threshold is None else threshold
        several = [accepted for each in answers.values() if len(accepted := _accepted(each)) > 1]
        flipped = sum(len({self._score(each) >= threshold for each in accepted}) > 1 for accepted in several)
        settings = self.settings
        return summary(
            [self._stage],
            queries=len(answers),
            undecided=sum(not _accepted(each) for each in answers.values()),
            repeats=settings.repeats,
            seed=settings.seed,
            shown=[
                "query", *(["answer"] if settings.with_answer else []),
                *([f"up to {settings.max_pages} pages of {settings.image_side} pixels"] if settings.with_pages else []),
            ],
            flips=flips(flipped, len(several), threshold) if settings.repeats > 1 else None,
        )  # fmt: skip

    @abstractmethod
    def _texts(self, row: Row, repeat: int, given: str) -> tuple[str, str, Mapping[str, Any]]:
        """Return what the system says, what the user says and the schema; `given` tells what the material holds."""

    @abstractmethod
    def _short(self, value: JsonObject) -> Any:
        """Return of an accepted answer what score and reasons are made of."""

    @abstractmethod
    def _score(self, short: Any) -> float:
        """Return the score of one accepted answer, in [0, 1]."""

    @abstractmethod
    def _reasons(self, accepted: Sequence[Any]) -> Sequence[Reason]:
        """Return what speaks against a query by its accepted answers, one at least."""

    def _asks(self, queries: pl.DataFrame, pages: PageSource | None) -> Iterator[Ask]:
        settings = self.settings
        for row in queries.select("query_id", "text", "answer", "evidence_pages").iter_rows(named=True):
            images = page_images(row, pages, settings) if settings.with_pages else ()
            given = told(self.prompt, row, images, settings) if self.shows_more else ""
            for repeat in range(settings.repeats):
                system, user, schema = self._texts(row, repeat, given)
                yield Ask(self.name, self.prompt.hash, row["query_id"], system, user, schema, images, repeat)

    def _material(self, row: Row) -> str:
        values: dict[str, object] = {"query": row["text"] or ""}
        if self.settings.with_answer:
            values["answer"] = row["answer"]
        return quoted(values)

    def _shuffled(self, values: Sequence[str], row: Row, repeat: int, what: str) -> tuple[str, ...]:
        return shuffled(values, seed=self.settings.seed, query_id=row["query_id"], repeat=repeat, what=what)

    def _asked(self) -> dict[str, list[Any]]:
        if self._answers is None:
            raise CleaningError(f"The strategy {self.name} has asked nothing yet, so it has no scores. Ask first.")
        return self._answers


def flips(flipped: int, n: int, threshold: float) -> JsonObject:
    """Return the flip rate as JSON holds it: of n queries with two accepted repeats or more; Wilson at 95 %."""
    rate = wilson(flipped, n)
    return {"count": flipped, "n": n, "low": rate.low, "high": rate.high, "threshold": threshold}


def page_images(row: Row, pages: PageSource | None, settings: JudgeSettings) -> tuple[SentImage, ...]:
    """Return the images of a query's first evidence pages, as many as the settings allow."""
    shown = list(row["evidence_pages"] or ())[: settings.max_pages]
    return pages.images(shown, side=settings.image_side) if pages is not None and shown else ()


def told(prompt: Prompt, row: Row, images: Sequence[SentImage], settings: JudgeSettings) -> str:
    """Return the prompt's words on what the material holds and which pages are attached."""
    parts = [prompt.fill("given query and answer" if settings.with_answer else "given query")]
    if images:
        n = len(row["evidence_pages"])
        of = f"{len(images)} of the {n} pages" if len(images) < n else f"all {n} pages" if n > 1 else "the one page"
        parts.append(prompt.fill("pages", pages=of))
    else:
        parts.append(prompt.fill("no pages"))
    return "\n\n".join(parts)


def _accepted(answers: Sequence[Any]) -> list[Any]:
    return [each for each in answers if each is not None]

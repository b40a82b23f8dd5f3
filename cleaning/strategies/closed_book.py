"""The difficulty filter by memory: queries that models answer without any document are easy, not bad."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from audit_core.errors import CleaningError
from audit_core.inference.chat import Ask, Status
from cleaning.contract import Inputs, Kind, Reason, Scores
from cleaning.llm.asked import Stage, summary
from cleaning.llm.options import model_option, panel_option, seed_option
from cleaning.llm.prompt import load_prompt, quoted, shuffled
from cleaning.strategies.options import check_options

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from audit_core.domain import JsonObject
    from audit_core.inference.chat import ChatModel
    from cleaning.llm.asker import Asker
    from cleaning.llm.evidence_images import PageSource

name = "closed_book"
title = "Easy by memory"
kind = Kind.DIFFICULTY
describe = (
    "A panel of models answers the query without any document, and a judge compares each answer with the recorded one. The score "
    "is that of the best of them: 1 correct, 0.5 partly correct, 0 incorrect; undecided without a recorded answer. It describes "
    "easy queries, not bad ones, and is never ranked by false omission rate."
)
needs_embeddings = False
default_threshold = 1.0
asks_model = True

VERDICTS = {"correct": 1.0, "partly": 0.5, "incorrect": 0.0}
_ANSWER, _JUDGE = "closed_book_answer", "closed_book_judge"
_ANSWER_SCHEMA = {
    "type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"], "additionalProperties": False,
}  # fmt: skip


def build(options: Mapping[str, object]) -> ClosedBook:
    """Return the strategy.

    Options: `panel` (a list of models, each a name or an object of the client's model options; that of the settings where it
    is not given), `judge` (one model likewise), `seed` (1, of the order of the verdicts in the prompt).

    Raises:
        CleaningError: an option is unknown or cannot be used.
        InferenceError: no model is set, or not one that can be asked.
    """
    check_options(name, options, ("panel", "judge", "seed"))
    return ClosedBook(
        panel_option(name, options, "panel"), model_option(name, options, "judge"), seed_option(name, options)
    )


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A query with the answer that a member of the panel gave."""

    query_id: str
    text: str
    recorded: str
    given: str


class ClosedBook:
    """The filter. It learns nothing; `ask` returns a copy that holds the verdicts."""

    def __init__(self, panel: tuple[ChatModel, ...], judge: ChatModel, seed: int) -> None:
        self.panel = panel
        self.judge = judge
        self.seed = seed
        #: By query id one verdict's score a member of the panel, NaN where undecided; None before anything was asked.
        self._verdicts: dict[str, list[float]] | None = None
        self._stages: list[Stage] = []
        self._unrecorded = 0

    @property
    def models(self) -> tuple[ChatModel, ...]:
        """The models that are asked: the panel, then the judge."""
        return (*self.panel, self.judge)

    def fit(self, inputs: Inputs, remove: NDArray[np.bool_], *, seed: int) -> Self:
        """Return the strategy itself; queries and labels are not looked at."""
        return self

    def ask(self, queries: pl.DataFrame, asker: Asker, pages: PageSource | None = None) -> Self:
        """Return the strategy with the verdicts on these queries; one without a recorded answer is not asked about.

        Raises:
            InferenceError: a cap is reached, or the server refuses for good; what arrived is kept.
        """
        rows = {
            query_id: (text or "", answer)
            for query_id, text, answer in queries.select("query_id", "text", "answer").iter_rows()
        }
        askable = {query_id: each for query_id, each in rows.items() if (each[1] or "").strip()}
        verdicts = {query_id: [np.nan] * len(self.panel) for query_id in rows}
        stages: list[Stage] = []
        #: Answers that are the same in words are judged once: key of the judge's question -> (query id, place in the panel).
        places: dict[str, list[tuple[str, int]]] = {}
        judged: list[_Candidate] = []
        for place, model in enumerate(self.panel):
            answers, stage = self._answers(askable, model, asker, (place, len(self.panel) + 1))
            stages.append(stage)
            for query_id, given in answers.items():
                candidate = _Candidate(query_id, *askable[query_id], given)
                known = places.setdefault(self._judge_ask(candidate).key(self.judge), [])
                judged += [] if known else [candidate]
                known.append((query_id, place))
        stage = Stage(load_prompt(_JUDGE), self.judge)
        asks = (self._judge_ask(each) for each in judged)
        part = (len(self.panel), len(self.panel) + 1)
        replies = asker.ask_all(asks, self.judge, total=len(judged), step="judging answers from memory", part=part)
        for reply in stage.counting(replies):
            if reply.status is Status.ACCEPTED and reply.value is not None:
                for query_id, place in places[reply.key]:
                    verdicts[query_id][place] = VERDICTS[reply.value["verdict"]]
        stage.about = asker.about(self.judge) if judged else {}
        found = copy.copy(self)
        found._verdicts, found._stages, found._unrecorded = verdicts, [*stages, stage], len(rows) - len(askable)
        return found

    def score(self, inputs: Inputs) -> Scores:
        """Return the best verdict of each query: 1, 0.5 or 0.

        NaN where it was not asked, or where a member of the panel is undecided and no other was correct.

        Raises:
            CleaningError: nothing was asked yet.
        """
        verdicts = self._asked()
        of_queries = [verdicts.get(each, [np.nan]) for each in inputs.queries["query_id"].to_list()]
        values = np.asarray([_best(each) for each in of_queries], dtype=np.float64)
        return Scores(values, tuple(self._reasons(each) for each in of_queries))

    def asked_summary(self, threshold: float | None = None) -> JsonObject | None:
        """Return what was asked and how the answers fell out, None where nothing was asked yet.

        There is one repeat, so no flip rate, whatever the threshold.
        """
        if self._verdicts is None:
            return None
        scores = [_best(each) for each in self._verdicts.values()]
        return summary(
            self._stages, queries=len(scores), undecided=int(np.isnan(scores).sum()), unrecorded=self._unrecorded,
            repeats=1, seed=self.seed, shown=["query", "answer to the judge"], flips=None,
        )  # fmt: skip

    def _answers(
        self, askable: Mapping[str, tuple[str, str]], model: ChatModel, asker: Asker, part: tuple[int, int]
    ) -> tuple[dict[str, str], Stage]:
        """Return what a member of the panel answers, by query id, and the count of its questions."""
        prompt = load_prompt(_ANSWER)
        stage = Stage(prompt, model)
        system = prompt.fill("system")

        def asks() -> Iterator[Ask]:
            for query_id, (text, _) in askable.items():
                user = prompt.fill("user", data=quoted({"question": text}))
                yield Ask(_ANSWER, prompt.hash, query_id, system, user, _ANSWER_SCHEMA)

        step = f"{model.model} answers from memory"
        replies = stage.counting(asker.ask_all(asks(), model, total=len(askable), step=step, part=part))
        answers = {
            each.query_id: str(each.value["answer"])
            for each in replies
            if each.status is Status.ACCEPTED and each.value is not None
        }
        stage.about = asker.about(model) if askable else {}
        return answers, stage

    def _judge_ask(self, candidate: _Candidate) -> Ask:
        prompt = load_prompt(_JUDGE)
        order = shuffled(list(VERDICTS), seed=self.seed, query_id=candidate.query_id, repeat=0, what="verdicts")
        material = {"question": candidate.text, "recorded": candidate.recorded, "given": candidate.given}
        user = prompt.fill(
            "user", verdicts="\n".join(prompt.fill(f"verdict {each}") for each in order), data=quoted(material)
        )
        schema = {
            "type": "object", "properties": {"verdict": {"type": "string", "enum": list(order)}},
            "required": ["verdict"], "additionalProperties": False,
        }  # fmt: skip
        system = prompt.fill("system", names=", ".join(f'"{each}"' for each in order))
        return Ask(_JUDGE, prompt.hash, candidate.query_id, system, user, schema)

    def _reasons(self, verdicts: list[float]) -> tuple[Reason, ...]:
        words = {score: word for word, score in VERDICTS.items()}
        return tuple(
            Reason(name, f"{model.model}: {words[verdict]}")
            for model, verdict in zip(self.panel, verdicts, strict=False)
            if verdict > 0
        )

    def _asked(self) -> dict[str, list[float]]:
        if self._verdicts is None:
            raise CleaningError(f"The strategy {name} has asked nothing yet, so it has no scores. Ask first.")
        return self._verdicts


def _best(verdicts: list[float]) -> float:
    if 1.0 in verdicts:
        return 1.0
    return float("nan") if any(each != each for each in verdicts) else max(verdicts)

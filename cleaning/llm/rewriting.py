"""Other wordings of queries, as a language model proposes them: nothing is changed before a human accepts it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from unicodedata import bidirectional, category

from audit_core.errors import CleaningError
from audit_core.inference.chat import Answer, Ask, Status
from cleaning.llm.asked import Stage
from cleaning.llm.judging import page_images, told
from cleaning.llm.options import SHOWING_OPTIONS, JudgeSettings, judge_settings
from cleaning.llm.prompt import load_prompt, quoted
from cleaning.strategies.options import check_options

if TYPE_CHECKING:
    import polars as pl

    from cleaning.llm.asker import Asker
    from cleaning.llm.evidence_images import PageSource

PROMPT = "rewrite"
#: Longer wordings are no queries; in characters.
_LONGEST = 4000
#: Marks that make a text look other than it is (Unicode Standard Annex 9: embeddings, overrides, isolates).
_TURNING = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
_SCHEMA = {
    "type": "object", "properties": {"reason": {"type": "string"}, "query": {"type": "string"}},
    "required": ["reason", "query"], "additionalProperties": False,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rewording:
    """What became of one query: `after` is the proposed wording, None where there is none, and `reason` says why.

    With an accepted status and no wording the model holds that nothing is to be changed, or that it cannot be mended.
    """

    query_id: str
    before: str
    after: str | None
    reason: str
    status: Status


def rewrite_settings(options: Mapping[str, object]) -> JudgeSettings:
    """Return the settings of rewordings. Options: `model`, `with_answer`, `with_pages`, `max_pages`, `image_side`.

    Raises:
        CleaningError: an option is unknown or cannot be used.
        InferenceError: no model is set, or not one that can be asked.
    """
    check_options(PROMPT, options, ("model", *SHOWING_OPTIONS))
    return judge_settings(PROMPT, options)


def reword(
    queries: pl.DataFrame,
    settings: JudgeSettings,
    asker: Asker,
    *,
    faults: Mapping[str, Sequence[str]] | None = None,
    pages: PageSource | None = None,
    stage: Stage | None = None,
) -> Iterator[Rewording]:
    """Yield what became of each query, in the order in which answers come.

    Args:
        queries: those to reword, with the columns of the contract.
        settings: who is asked and what is shown (`rewrite_settings`).
        asker: who asks.
        faults: by query id what was found wrong with it, in words, such as the reasons of a strategy.
        pages: the page images, where they are shown.
        stage: where the answers are counted (`rewrite_stage`); only counted where it is given.

    Raises:
        CleaningError: pages are to be shown, but there are none.
        InferenceError: a cap is reached, or the server refuses for good; what arrived is kept.
    """
    if settings.with_pages and pages is None:
        raise CleaningError("The rewordings show evidence pages, but were given none to show.")
    before = dict(queries.select("query_id", "text").iter_rows())
    asks = _asks(queries, settings, faults or {}, pages)
    counted = stage or rewrite_stage(settings)
    answers = asker.ask_all(asks, settings.model, total=queries.height, step="asking for other wordings")
    for answer in counted.counting(answers):
        yield _rewording(answer, before[answer.query_id] or "")
    counted.about = asker.about(settings.model)


def rewrite_stage(settings: JudgeSettings) -> Stage:
    """Return a fresh count of the questions for rewordings."""
    return Stage(load_prompt(PROMPT), settings.model)


def _asks(
    queries: pl.DataFrame, settings: JudgeSettings, faults: Mapping[str, Sequence[str]], pages: PageSource | None
) -> Iterator[Ask]:
    prompt = load_prompt(PROMPT)
    system = prompt.fill("system")
    for row in queries.select("query_id", "text", "answer", "evidence_pages").iter_rows(named=True):
        images = page_images(row, pages, settings) if settings.with_pages else ()
        material: dict[str, object] = {"query": row["text"] or ""}
        if settings.with_answer:
            material["answer"] = row["answer"]
        given = [told(prompt, row, images, settings)]
        if found := list(faults.get(row["query_id"], ())):
            material["faults"] = found
            given.append(prompt.fill("faults"))
        user = prompt.fill("user", given="\n\n".join(given), data=quoted(material))
        yield Ask(PROMPT, prompt.hash, row["query_id"], system, user, _SCHEMA, images)


def _rewording(answer: Answer, before: str) -> Rewording:
    if answer.status is not Status.ACCEPTED or answer.value is None:
        return Rewording(answer.query_id, before, None, answer.says, answer.status)
    after = " ".join(str(answer.value["query"]).split())
    is_new = bool(after) and after != " ".join(before.split())
    reason = _shown(" ".join(str(answer.value["reason"]).split()))[:_LONGEST]
    if is_new and (fault := _fault(after)):
        return Rewording(answer.query_id, before, None, f"The model's wording {fault}.", Status.MISMATCH)
    return Rewording(answer.query_id, before, after if is_new else None, reason, answer.status)


def _fault(wording: str) -> str:
    """Return why a wording is not shown to people and put into a dataset, empty where nothing speaks against it."""
    if len(wording) > _LONGEST:
        return f"has {len(wording):,} characters, more than {_LONGEST:,}"
    return "" if _shown(wording) == wording else "holds characters that cannot be shown, or that turn the text around"


def _shown(text: str) -> str:
    """Return a text without control characters, halves of characters, and marks that show it in another order."""
    return "".join(each for each in text if category(each) not in ("Cc", "Cs") and bidirectional(each) not in _TURNING)

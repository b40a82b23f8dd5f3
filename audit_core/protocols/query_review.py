"""The query-review protocol: is the query natural, unambiguous and answerable, and is it kept, rewritten or discarded.

An answer's fields are `naturalness`, `ambiguity` and `answerability` (each ok, rewrite or remove, with `..._reasons` where
it is not ok), `quality` (1 to 10, may be left open), `evidence` (yes or no: what is listed answers the query), `outcome`
and, where the outcome is rewrite, `rewritten`.

The rule of the outcome: it is at least as strict as the strictest of the three. Any remove makes it discard; else any
rewrite makes it rewrite or discard; where all three are ok, it may be any. Quality serves calibration among annotators and
decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from audit_core.domain import Answer, JsonObject, Outcome
from audit_core.errors import JudgmentInvalid
from audit_core.protocols.agreement import Compared, Level, each_option
from audit_core.protocols.audit_corrections import CorrectionPlaces
from audit_core.protocols.field_answers import Headline, describe_fields, parse_answer, refuse_correction
from audit_core.protocols.field_kinds import Choice, Choices, Condition, Field, Option, Scale, Text
from audit_core.protocols.query_review_guidelines import guidelines

name = "query-review"
title = "Query review: keep, rewrite or discard"

#: Longest rewritten query, in characters.
QUERY_MAX = 20_000
QUALITY = tuple(range(1, 11))
#: Criterion -> title, and reason -> words for whoever does not find it ok.
CRITERIA: dict[str, tuple[str, dict[str, str]]] = {
    "naturalness": (
        "Naturalness",
        {
            "stiff": "stiff, not as a person asks",
            "copied": "copies a sentence of the page",
            "layout": "points at a place on a page",
            "several": "several questions in one",
            "other": "something else (say it in the note)",
        },
    ),
    "ambiguity": (
        "Ambiguity",
        {
            "readings": "can be read in several ways",
            "unnamed": "speaks of something that it does not name",
            "broad": "fits too many documents",
            "other": "something else (say it in the note)",
        },
    ),
    "answerability": (
        "Answerability",
        {
            "absent": "no page answers it",
            "partly": "the pages answer a part only",
            "outside": "needs knowledge from elsewhere",
            "false_premise": "takes something for true that is not",
            "other": "something else (say it in the note)",
        },
    ),
}
VERDICTS = ("ok", "rewrite", "remove")
OUTCOMES = ("keep", "rewrite", "discard")
#: The mildest outcome that a verdict allows.
MILDEST = dict(zip(VERDICTS, OUTCOMES, strict=True))
_ASKS = "a review of the query"
_COLOURS = ("#009E73", "#E69F00", "#D55E00")


def _criterion(each: str) -> tuple[Field, Field]:
    words, reasons = CRITERIA[each]
    meanings = ("nothing to change", "a rewording mends it", "no rewording mends it")
    verdict = Choice(
        name=each,
        title=words,
        is_required=True,
        options=tuple(
            Option(value=value, short=value, meaning=f"{words.lower()}: {meaning}", colour=colour)
            for value, meaning, colour in zip(VERDICTS, meanings, _COLOURS, strict=True)
        ),
    )
    why = Choices(
        name=f"{each}_reasons",
        title="Why",
        asked_if=(Condition(each, ("rewrite", "remove")),),
        is_required=True,
        options=tuple(
            Option(value=value, short=value.replace("_", " "), meaning=meaning, colour="#D55E00")
            for value, meaning in reasons.items()
        ),
    )
    return verdict, why


FIELDS: tuple[Field, ...] = (
    *(field for each in CRITERIA for field in _criterion(each)),
    Choice(
        name="evidence",
        title="Evidence confirmed",
        is_required=True,
        options=(
            Option(value="yes", short="yes", meaning="the listed pages answer the query", colour="#009E73"),
            Option(value="no", short="no", meaning="they do not, or not wholly", colour="#D55E00"),
        ),
    ),
    Scale(name="quality", title="Quality", low="unusable", high="could not be better", steps=QUALITY),
    Choice(
        name="outcome",
        title="Outcome",
        is_required=True,
        proposed_from=(tuple(CRITERIA), MILDEST),
        options=(
            Option(value="keep", letter="K", short="keep", meaning="keep the query as it is", colour="#009E73"),
            Option(value="rewrite", letter="R", short="rewrite", meaning="keep it in other words", colour="#E69F00"),
            Option(value="discard", letter="D", short="discard", meaning="take it out", colour="#D55E00"),
        ),
    ),
    Text(
        name="rewritten",
        title="Rewritten query",
        asked_if=(Condition("outcome", ("rewrite",)),),
        is_required=True,
        longest=QUERY_MAX,
        placeholder="the query in better words",
    ),
)
HEADLINE = Headline("outcome", "discard", "to be discarded", "to be kept or rewritten")
AGREEMENT = (
    *(Compared(each, words, each, Level.ORDINAL, VERDICTS) for each, (words, _) in CRITERIA.items()),
    *(
        compared
        for each, (words, reasons) in CRITERIA.items()
        for compared in each_option(f"{each}_reasons", words, reasons)
    ),
    Compared("evidence", "Evidence confirmed", "evidence", Level.NOMINAL, ("yes", "no")),
    Compared("quality", "Quality", "quality", Level.ORDINAL, QUALITY),
    Compared("outcome", "Outcome", "outcome", Level.ORDINAL, OUTCOMES),
)


def description() -> dict[str, Any]:
    """Return what the judging surface needs to know: the fields with their options and conditions, limits, guidelines."""
    return describe_fields(name, title, FIELDS, guidelines(), marks_first=True)


def parse(body: Mapping[str, Any], *, is_draft: bool = False, places: CorrectionPlaces | None = None) -> Answer:
    """Return the answer that a request body holds, checked, the rule of the outcome as well.

    `places` is not used: this protocol names none. `refuse_unchanged` looks at what needs the query's text.

    Raises:
        JudgmentInvalid: the message names the field and what it may hold.
    """
    answer = parse_answer(body, FIELDS, is_draft=is_draft, places=None, asks=_ASKS)
    if answer.outcome is Outcome.JUDGED:
        _refuse_too_mild(answer.fields)
    return answer


def _refuse_too_mild(fields: JsonObject) -> None:
    outcome = fields.get("outcome")
    if outcome is None:
        return
    for each in CRITERIA:
        mildest = MILDEST.get(fields.get(each, "ok"), "keep")
        if OUTCOMES.index(outcome) < OUTCOMES.index(mildest):
            stricter = " or ".join(OUTCOMES[OUTCOMES.index(mildest) :])
            raise JudgmentInvalid(f"outcome is {outcome}, but {each} says {fields[each]}: it must be {stricter}.")


def refuse_unchanged(fields: Mapping[str, Any], text: str) -> None:
    """Refuse a rewritten query that is the query's own text, but for blanks.

    Raises:
        JudgmentInvalid: it is.
    """
    rewritten = fields.get("rewritten")
    if rewritten is not None and rewritten.split() == text.split():
        raise JudgmentInvalid(
            "rewritten is the query as it stands: write it in other words, or choose another outcome."
        )


def parse_correction(raw: object, *, places: object = None) -> JsonObject | None:
    """Return None: this protocol proposes no corrections.

    Raises:
        JudgmentInvalid: there is one.
    """
    return refuse_correction(raw, asks=_ASKS)


def removes(fields: Mapping[str, Any]) -> bool:
    """Return whether a judged answer says that the query is to be removed: a discarded one is, a rewritten one is not."""
    return bool(fields["outcome"] == "discard")

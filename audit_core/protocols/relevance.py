"""The relevance protocol: is the query good, how relevant is each page, what on it answers, and what is the answer.

An answer's fields are `query` (good or poor) and, of a poor one, `reasons` and nothing else. Of a good one: `pages` (those
of the entry's documents that were added to the listed ones), `grades` (page id -> 0, 1 or 2, of every listed and every
added page), `types` (page id -> kinds of content that answer, where the grade is above 0), `boxes` (drawn on such pages),
`answered` (answer or unanswerable) and `answer_text`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from audit_core.domain import Answer, JsonObject
from audit_core.protocols.agreement import Compared, Level, Unit, each_option
from audit_core.protocols.audit_corrections import CorrectionPlaces
from audit_core.protocols.field_answers import Headline, describe_fields, parse_answer, refuse_correction
from audit_core.protocols.field_kinds import Boxes, Choice, Choices, Condition, Field, Option, Pages, Text
from audit_core.protocols.relevance_guidelines import guidelines

name = "relevance"
title = "Relevance: grade every page"

#: Longest answer, in characters.
ANSWER_MAX = 4_000
GRADES = (0, 1, 2)
#: Reason why a query is poor -> words.
REASONS = {
    "unclear": "cannot be understood",
    "unidentified": "does not say what it is about",
    "unlikely": "nobody would search for it",
    "false_premise": "takes something for true that is not",
    "other": "something else (say it in the note)",
}
#: Kind of content that answers -> words.
TYPES = {
    "text": "text",
    "table": "table",
    "chart": "chart",
    "infographic": "infographic",
    "image": "image",
    "other": "other",
}
_ASKS = "the relevance of pages"
_GOOD, _POOR = (Condition("query", ("good",)),), (Condition("query", ("poor",)),)
_RELEVANT = (Condition("grades", (1, 2)),)
_GREY, _BLUE, _DARK_BLUE, _GREEN, _RED = "#6B7280", "#56B4E9", "#0072B2", "#009E73", "#D55E00"

FIELDS: tuple[Field, ...] = (
    Choice(
        name="query",
        title="Query",
        is_required=True,
        options=(
            Option(value="good", letter="G", short="good", meaning="somebody could search for this", colour=_GREEN),
            Option(
                value="poor",
                letter="P",
                short="poor",
                meaning="not fit to grade pages for; ends the entry",
                colour=_RED,
            ),
        ),
    ),
    Choices(
        name="reasons",
        title="Why poor",
        asked_if=_POOR,
        is_required=True,
        options=tuple(
            Option(value=each, short=each.replace("_", " "), meaning=words, colour=_RED)
            for each, words in REASONS.items()
        ),
    ),
    Pages(name="pages", title="Pages added", asked_if=_GOOD),
    Choice(
        name="grades",
        title="Grade",
        asked_if=_GOOD,
        is_required=True,
        per_page=True,
        options=(
            Option(value=0, digit="0", short="0", meaning="not relevant", colour=_GREY),
            Option(value=1, digit="1", short="1", meaning="answers a part, or is needed to answer", colour=_BLUE),
            Option(value=2, digit="2", short="2", meaning="answers by itself", colour=_DARK_BLUE),
        ),
    ),
    Choices(
        name="types",
        title="Answers by",
        asked_if=_RELEVANT,
        is_required=True,
        per_page=True,
        options=tuple(
            Option(value=each, short=words, meaning=f"what answers is: {words}", colour=_DARK_BLUE)
            for each, words in TYPES.items()
        ),
    ),
    Boxes(name="boxes", title="Boxes", asked_if=_RELEVANT),
    Choice(
        name="answered",
        title="Answer",
        asked_if=_GOOD,
        is_required=True,
        options=(
            Option(value="answer", short="there is one", meaning="the pages answer the query: write it", colour=_GREEN),
            Option(value="unanswerable", short="unanswerable", meaning="the documents do not answer it", colour=_RED),
        ),
    ),
    Text(
        name="answer_text",
        title="In words",
        asked_if=(Condition("answered", ("answer",)),),
        is_required=True,
        longest=ANSWER_MAX,
        placeholder="the answer, as the pages give it",
    ),
)
HEADLINE = Headline("query", "poor", "poor", "good")
AGREEMENT = (
    Compared("query", "Query", "query", Level.NOMINAL, ("good", "poor")),
    Compared("grades", "Grade", "grades", Level.ORDINAL, GRADES, Unit.PAGE),
    *each_option("types", "Answers by", TYPES, unit=Unit.PAGE),
    Compared("answered", "Answer", "answered", Level.NOMINAL, ("answer", "unanswerable")),
)


def description() -> dict[str, Any]:
    """Return what the judging surface needs to know: the fields with their options and conditions, limits, guidelines."""
    return describe_fields(name, title, FIELDS, guidelines(), marks_first=True)


def parse(body: Mapping[str, Any], *, is_draft: bool = False, places: CorrectionPlaces | None = None) -> Answer:
    """Return the answer that a request body holds, checked.

    `places` are the pages that it may name, and the listed ones that all need a grade (None: any, and no page is missed).

    Raises:
        JudgmentInvalid: the message names the field and what it may hold.
    """
    return parse_answer(body, FIELDS, is_draft=is_draft, places=places, asks=_ASKS)


def parse_correction(raw: object, *, places: object = None) -> JsonObject | None:
    """Return None: this protocol proposes no corrections.

    Raises:
        JudgmentInvalid: there is one.
    """
    return refuse_correction(raw, asks=_ASKS)


def removes(fields: Mapping[str, Any]) -> bool:
    """Return whether a judged answer says that the query is to be removed: a poor one is."""
    return bool(fields["query"] == "poor")

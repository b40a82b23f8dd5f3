"""The rule on queries whose pointer words point at nothing in the query: "When did they disband?", "the company"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cleaning.contract import Reason
from cleaning.rules.finding import Found, find_in_texts, has_capital
from cleaning.rules.pointer_words import (
    ABROAD,
    BARE_NOUN,
    EVENT_VERBS,
    EXPLETIVE,
    FUNCTION_WORDS,
    IDIOM,
    OPENING,
    PRONOUN,
    QUESTION_PHRASE,
    TIME,
    TITLE_PRONOUN,
)

if TYPE_CHECKING:
    import polars as pl

name = "unresolved_pointer"
title = "Points at something not said"
describe = (
    "A word such as he, they, it, this, the former, the company or that year comes before anything in the query that it "
    "could stand for. Empty uses (is it true that, how long does it take to) and titles (This Is Us) do not count."
)
compares_queries = False

_WORD = re.compile(r"[^\W_][\w'’-]*")


def find(queries: pl.DataFrame) -> Found:
    """Return what the rule says of each query's text."""
    return find_in_texts(queries["text"].to_list(), find_in_text)


def find_in_text(text: str) -> Sequence[Reason]:
    """Return the first pointer word of each kind that nothing before it can stand behind."""
    found = [_pronoun(text), _bare_noun(text), _time(text), _abroad(text)]
    return sorted((each for each in found if each is not None), key=lambda reason: reason.start or 0)


def has_antecedent(before: str) -> bool:
    """Return whether the words before a pointer hold something that it may stand for.

    A name (a capital inside the text) or any word of content does, but not the words of a leading question phrase
    ("what kind of music did"), since what is asked for is not what is pointed at, nor verbs of happening and saying.
    """
    if has_capital(before):
        return True
    opening = OPENING.match(before)
    rest = before[opening.end() :] if opening else before
    phrase = QUESTION_PHRASE.match(rest)
    if phrase:
        rest = rest[phrase.end() :]
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(rest)]
    return any(word not in FUNCTION_WORDS and word not in EVENT_VERBS for word in words)


def _pronoun(text: str) -> Reason | None:
    for found in PRONOUN.finditer(text):
        start, end = found.span()
        if TITLE_PRONOUN.match(text, start) and found.group()[0].isupper():
            continue
        if IDIOM.match(text, start) or (found.group().casefold() in {"it", "this", "that"} and _is_empty(text, start)):
            continue
        if not (_has_two if found.group().casefold().endswith(("former", "latter")) else has_antecedent)(text[:start]):
            return Reason(name, "points at something that the query does not say", start, end)
        # Whatever comes later may point at the same thing.
        return None
    return None


def _is_empty(text: str, start: int) -> bool:
    return any(found.start() <= start < found.end() for found in EXPLETIVE.finditer(text))


def _has_two(before: str) -> bool:
    """Return whether two things are named before "the former" or "the latter"."""
    return has_antecedent(before) and re.search(r"\b(?:and|or|versus|vs)\b|,", before) is not None


def _bare_noun(text: str) -> Reason | None:
    found = BARE_NOUN.search(text)
    if found is None or has_capital(text):
        return None
    before = text[: found.start()].casefold()
    article, noun = found.group().casefold().split()
    # "that city" points at a city; "the company" may stand for anything that was named.
    if noun in before if article in {"that", "this"} else has_antecedent(before):
        return None
    return Reason(name, "says which one by the definite article alone", *found.span())


def _time(text: str) -> Reason | None:
    found = TIME.search(text)
    if found is None or re.search(r"\d", text[: found.start()]) or has_antecedent(text[: found.start()]):
        return None
    return Reason(name, "points at a time that the query does not say", *found.span())


def _abroad(text: str) -> Reason | None:
    found = ABROAD.search(text)
    if found is None or has_capital(text[: found.start()]):
        return None
    group = next(key for key, value in found.groupdict().items() if value is not None)
    return Reason(name, "points at something that the query does not say", *found.span(group))

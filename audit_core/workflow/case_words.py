"""Words of decided cases: how a decision is written in a line, and how texts and searches are folded so that they meet."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from audit_core import registry
from audit_core.domain import JsonObject, Outcome, Query
from audit_core.errors import NotFound
from audit_core.protocols.audit import SHORT_MEANINGS, codes_from_text

#: Most words of a search that count, and the longest of them, in characters.
WORDS_MAX = 12
WORD_MAX = 60
#: Longest folded text of one case, in characters: query, answer and note come before what is cut.
CASE_MAX = 20_000
_CODES = "FEUN"


def fold(text: str) -> str:
    """Return a text as it is compared: compatible forms and accents made plain, case-folded, white space as one space."""
    apart = unicodedata.normalize("NFKD", text.replace("\x00", " ")).casefold()
    plain = "".join(each for each in unicodedata.normalize("NFKD", apart) if not unicodedata.combining(each))
    return " ".join(plain.encode("utf-8", "ignore").decode("utf-8").split())


@dataclass(frozen=True, slots=True)
class SearchedWord:
    """One word of a search: found where any of `texts` stands in a case's folded words."""

    shown: str
    texts: tuple[str, ...]


def searched_words(asked: str) -> list[SearchedWord]:
    """Return the words of a search, each once. A single letter F, E, U or N, and several as one word (FE), mean codes.

    Quotes hold words together: `"north basin"` is one.
    """
    found: dict[str, SearchedWord] = {}
    for quoted, single in re.findall(r'"([^"]*)"|(\S+)', asked[: WORDS_MAX * WORD_MAX]):
        shown = (quoted or single)[:WORD_MAX]
        word = fold(shown)
        if not word:
            continue
        letters = shown if shown.isupper() else shown.upper() if len(shown) == 1 else ""
        is_codes = letters and set(letters) <= set(_CODES) and len(set(letters)) == len(letters) and not quoted
        codes = code_mark("".join(each for each in _CODES if each in letters)) if is_codes else None
        texts = (codes,) if codes and len(shown) == 1 else (codes, word) if codes else (word,)
        found.setdefault(word, SearchedWord(shown, texts))
    return list(found.values())[:WORDS_MAX]


def code_mark(codes: str) -> str:
    """Return how codes stand in a case's words, so that those of one decision are found together or one by one."""
    return f"={codes.casefold()}="


def case_words(query: Query, *parts: str) -> str:
    """Return what a case is found by, folded: query, answer, source, structure, domain, and what was said of it."""
    texts = (query.text, query.answer or "", query.source, query.evidence_structure, query.domain or "", query.query_id)
    return fold(" \n ".join((*texts[:2], *parts, *texts[2:])))[:CASE_MAX]


def decision_parts(
    protocol: str, *, outcome: str, codes: str, fields: Mapping[str, Any], reason: str
) -> tuple[str, ...]:
    """Return what a decision is found by: its line, the words of its codes and each code and set of codes as a mark."""
    named = codes_from_text(codes)
    marks = [code_mark("".join(chosen)) for chosen in _subsets(codes)]
    line = decision_line(protocol, outcome=outcome, codes=codes, fields=fields)
    return (line, *(SHORT_MEANINGS[each] for each in named), *marks, reason)


def _subsets(codes: str) -> Iterator[str]:
    for chosen in range(1, 2 ** len(codes)):
        yield "".join(letter for at, letter in enumerate(codes) if chosen >> at & 1)


def decision_line(protocol: str, *, outcome: str, codes: str, fields: Mapping[str, Any]) -> str:
    """Return a decision in a line: `F E`, `correct`, `cannot judge`, or the fields of its protocol, as `remove, Clarity 0.25`."""
    if outcome == Outcome.CANNOT_JUDGE:
        return "cannot judge"
    if codes:
        return " ".join(codes)
    asked = _asked_fields(protocol)
    said = [_field_words(asked.get(name, {"name": name}), value) for name, value in fields.items()]
    return ", ".join(filter(None, said)) or "correct"


@lru_cache(maxsize=16)
def _asked_fields(protocol: str) -> dict[str, JsonObject]:
    try:
        description = registry.look_up("audit_core.protocols", protocol).description()
    except NotFound:
        return {}
    return {each["name"]: each for each in description.get("fields", [])}


def _field_words(field: JsonObject, value: Any) -> str:
    if isinstance(value, Mapping):
        # Asked of each page: what was said of any, once.
        values = list(dict.fromkeys(_value_words(field, each) for each in value.values()))
    else:
        values = [_value_words(field, each) for each in (value if isinstance(value, list) else [value])]
    words = " + ".join(filter(None, values))
    title = field.get("title", "")
    return f"{title} {words}".strip() if words else ""


def _value_words(field: JsonObject, value: Any) -> str:
    for option in field.get("options", []):
        if option["value"] == value and type(option["value"]) is type(value):
            return str(option["short"])
    if isinstance(value, bool):
        return field["name"] if value else f"not {field['name']}"
    if isinstance(value, int | float):
        return f"{value:g}"
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return " + ".join(_value_words(field, each) for each in value if isinstance(each, str | int | float))
    return ""

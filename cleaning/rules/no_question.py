"""The rule on texts that ask for nothing: a bare statement or a fragment instead of question, instruction or keywords."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cleaning.contract import Reason
from cleaning.rules.finding import Found, find_in_texts
from cleaning.rules.pointer_words import FUNCTION_WORDS

if TYPE_CHECKING:
    import polars as pl

name = "no_question"
title = "No question, instruction or keywords"
describe = (
    "The text is empty, breaks off, holds function words only, or states something. A question without its mark, an "
    "instruction (list, explain ...) and keywords (annual revenue 2019 Tesla) are queries and do not count."
)
compares_queries = False

_QUESTION_WORD = (
    r"(?:what|which|who|whom|whose|when|where|why|how|whats|what['’]s|who['’]s|whos|where['’]s|how['’]s|hows|whether|"
    r"was|wer|wen|wem|wessen|wann|wo|woher|wohin|warum|wieso|weshalb|wie|welche[rnms]?|womit|wodurch|wofür|"
    r"qui|que|quoi|quel(?:le)?s?|quand|où|pourquoi|comment|combien|lequel|laquelle|est-ce|qu['’]\w+|"
    r"qué|quién(?:es)?|cuál(?:es)?|cuándo|dónde|cómo|cuánt[oa]s?)"
)
_AUXILIARY = (
    r"(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|must|isn['’]t|aren['’]t|"
    r"wasn['’]t|weren['’]t|don['’]t|doesn['’]t|didn['’]t|can['’]t|won['’]t|ist|sind|war|waren|hat|haben|kann|gibt|est|sont|"
    r"es|son|hay|puede)"
)
_INSTRUCTION = (
    r"(?:list|find|name|give|describe|explain|compare|contrast|identify|show|tell|summari[sz]e|calculate|compute|define|"
    r"determine|state|provide|outline|discuss|analy[sz]e|evaluate|estimate|convert|translate|solve|write|look|search|get|"
    r"report|enumerate|mention|specify|indicate|locate|choose|select|rank|sort|count|classify|differentiate|distinguish|"
    r"elaborate|illustrate|justify|prove|derive|retrieve|return|extract|match|draw|let|put|say|assign|arrange|order|check|complete|fill|help|recommend|suggest|"
    r"i (?:want|need)|"
    r"i['’]d like|i['’]m looking|looking for|nenne|nennen|beschreibe|beschreiben|erkläre|erklären|vergleiche|liste|finde|zeige|"
    r"gib|décris|décrivez|expliquez|explique|listez|citez|cite|donnez|nommez|comparez|trouvez|describe|explica|enumera|"
    r"nombra|menciona|compara|indica|encuentra|da|dime)"
)
_ASKS = re.compile(
    r"[?¿？؟;՞]\s*$|[?？؟]|^\W*¿"
    rf"|^\W*(?:(?:and|but|so|or|also|then|please|kindly|exactly|approximately|about|by|in|on|at|for|from|to|with|of|under|"
    rf"during|through|into|per|as of|until|since|within|over|across|between|among|after|before|zu|mit|von|aus|bei|nach|seit|"
    rf"auf|für|à|de|dans|depuis|avec|pour|par|sur|en|con|por|para|a|desde)\s+)*{_QUESTION_WORD}\b"
    rf"|[,;:–—]\s*(?:(?:and|by|in|on|at|for|from|to|with|of)\s+)*{_QUESTION_WORD}\b"
    rf"|^\W*(?:and\s+|but\s+|so\s+)?{_AUXILIARY}\s+(?!it\s*\.)\w"
    rf"|^\W*(?:(?:please|kindly|briefly|bitte|veuillez|por favor)[\s,]+)*{_INSTRUCTION}\b"
    rf"|[,;:–—.!]\s*(?:please\s+)?{_INSTRUCTION}\b|\b(?:please|bitte|s['’]il vous plaît|por favor)\b"
    rf"|\b(?:{_QUESTION_WORD})\s*(?:many|much|long|far)?\s*[.!]?\s*$"
    r"|\b(?:how many|how much|by whom|for whom|to whom|for what)\b",
    re.IGNORECASE,
)
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_OTHER_LETTER = re.compile(r"[^\W\d_A-Za-zÀ-ɏ]")
_WORD = re.compile(r"[^\W_][\w'’.-]*")
_BREAKS_OFF = re.compile(
    r"(?:\.\.\.|…|[,:;(–—-]|\b(?:the|an|and|or|of|in|at|by|for|from|to|with|than|because|that|which|is|are|was|were|und|der|"
    r"die|das|oder|mit|von|et|ou|du|des|les|la|y|del|los|las|el|con))\s*$",
    re.IGNORECASE,
)
#: A subject and a verb that tells a statement from keywords: "the agency was", "it has been", "we find".
_STATES = re.compile(
    r"^\W*(?:[\w'’.,%$()/-]+\s+){1,9}?(?:is|are|was|were|has|have|had|will|would|can|could|should|must|does|did|do|may|might|"
    r"been|ist|sind|war|waren|hat|hatte|wurde|wird|werden|est|sont|était|étaient|fut|sera|fue|fueron|era|eran|está|están|"
    r"isn['’]t|wasn['’]t|don['’]t|didn['’]t)\s+[\w'’(\"“]"
    r"|^\W*(?:i|we|they|he|she|it|this|these|there)\s+(?-i:[a-z]+)\s+\w",
    re.IGNORECASE,
)
_ABBREVIATED = re.compile(
    r"\b(?:inc|ltd|co|corp|llc|plc|st|jr|sr|etc|vs|no|dr|mr|ms|vol|ed|e\.g|i\.e|[a-z]\.[a-z]|[a-z])\.$", re.IGNORECASE
)
#: A sentence that ends in a full stop states something from this many words on.
SENTENCE_WORDS = 5


def find(queries: pl.DataFrame) -> Found:
    """Return what the rule says of each query's text."""
    return find_in_texts(queries["text"].to_list(), find_in_text)


def find_in_text(text: str) -> Sequence[Reason]:
    """Return one reason over the whole text where it asks for nothing, else none."""
    says = _fault(text.strip())
    return [Reason(name, says, 0, len(text))] if says else []


def _fault(text: str) -> str | None:
    words = _WORD.findall(text)
    if not words:
        return "holds no word"
    if _OTHER_LETTER.search(text) and not _LATIN.search(text):
        # Scripts whose questions these patterns cannot read: no opinion.
        return None
    if not any(re.search(r"[^\W\d_]", word) for word in words):
        return "holds no word" if len(words) < 2 else None
    if _BREAKS_OFF.search(text):
        return "breaks off"
    if _ASKS.search(text):
        return None
    if all(word.casefold() in FUNCTION_WORDS for word in words):
        return "holds function words only"
    is_sentence = text.endswith((".", "!")) and not _ABBREVIATED.search(text)
    long_enough = len(words) >= SENTENCE_WORDS or any(word.rstrip(".").endswith("ed") for word in words[1:])
    return "states something instead of asking" if _STATES.search(text) or (is_sentence and long_enough) else None

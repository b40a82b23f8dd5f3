"""Machine checks of the verdicts: that right evidence holds the answer and that planted faults are faults."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable

from typeset.errors import BuildError

from audit.spec import Query

_NUMBER = re.compile(r"\d+(?:[ .]\d+)*")
_ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Sub: operator.sub,
    ast.Add: operator.add,
    ast.Mult: operator.mul,
}


def squashed(text: str) -> str:
    """The text without spaces, in lower case, with one kind of minus sign."""
    return re.sub(r"\s+", "", text).replace("\u2212", "-").casefold()


def check_answer(query: Query, texts: list[str], where: str) -> None:
    """Raise BuildError where a number or a word of the answer is in none of the evidence texts.

    `texts` are those of the corrected evidence where the listed one is wrong. A query that nothing answers passes.
    """
    if query.answer is None or "N" in query.gold.codes:
        return
    joined = squashed(" ".join(texts))
    for number, sum_text in query.derived.items():
        for operand in _NUMBER.findall(sum_text):
            if operand not in joined:
                raise BuildError(f"{where}: {operand} of the sum {sum_text} is not in the evidence.")
        if f"{_value(ast.parse(sum_text, mode='eval').body):g}" != number:
            raise BuildError(f"{where}: {sum_text} is not {number}.")
    missing = _missing(query, joined)
    if missing:
        raise BuildError(f"{where}: {missing} of the answer are not in the evidence: {texts}")


def check_faults(query: Query, texts: list[str], where: str) -> None:
    """Raise BuildError where a fault of code E, U or N is not one; `texts` are those of the evidence as listed."""
    gold, joined = query.gold, squashed(" ".join(texts))
    if "E" in gold.codes and not _missing(query, joined):
        raise BuildError(f"{where}: has code E, but the listed evidence holds the whole answer.")
    if "N" in gold.codes and any(squashed(number) in joined for number in _NUMBER.findall(query.answer or "")):
        raise BuildError(f"{where}: has code N, but a number of the answer is in the listed evidence.")
    if "N" in gold.codes and not gold.absent:
        raise BuildError(f"{where}: has code N; say which words would be in the document if it were answered.")
    if "U" in gold.codes and "N" not in gold.codes:
        _check_unnecessary(query, where)


def check_wording(query: Query, where: str) -> None:
    """Raise BuildError where an F query is neither vague nor fits several places, or its mended text is still vague."""
    gold = query.gold
    if "F" not in gold.codes:
        return
    if not gold.vague and not gold.rivals:
        raise BuildError(f"{where}: has code F; name the vague words or the rivals.")
    if absent := [words for words in gold.vague if words.casefold() not in query.text.casefold()]:
        raise BuildError(f"{where}: {absent} are not in the query.")
    if "N" not in gold.codes and (not gold.corrected_text or gold.corrected_text == query.text):
        raise BuildError(f"{where}: has code F; give the mended text.")
    for rival in gold.rivals:
        if (rival.document, rival.key) in {(ev.document, ev.key) for ev in query.evidence}:
            raise BuildError(f"{where}: the rival {rival.key} is the evidence itself.")


def _check_unnecessary(query: Query, where: str) -> None:
    gold = query.gold
    kept = {ev.key for ev in gold.corrected or ()}
    dropped = {ev.key for ev in query.evidence} - kept
    if not kept or not set(gold.wrong["U"]) <= dropped or ("E" not in gold.codes and dropped != set(gold.wrong["U"])):
        raise BuildError(f"{where}: has code U; the corrected evidence must be the listed one without {gold.wrong}.")


def _missing(query: Query, joined: str) -> list[str]:
    answer = query.answer or ""
    for words in (*query.derived, *query.own_words):
        answer = answer.replace(words, "")
    tokens = [*_NUMBER.findall(answer), *re.findall(r"[^\W\d_]{4,}", answer)]
    return [token for token in tokens if squashed(token) not in joined]


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        return _ARITHMETIC[type(node.op)](_value(node.left), _value(node.right))
    raise BuildError(f"Not plain arithmetic: {ast.dump(node)}")

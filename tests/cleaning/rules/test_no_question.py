"""Texts that ask for nothing, and questions, instructions and keywords that look like them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cleaning.rules import no_question

FIRES = [
    "The agency was founded in 1970.",
    "Revenue increased in 2019.",
    "This is the third largest ocean",
    "The report describes how the agency works.",
    "It has been shown that coffee is healthy.",
    "Tesla sold 300,000 cars in 2019.",
    "The results of the",
    "What is the",
    "annual revenue of",
    "Because of the...",
    "In the year 1998, the",
    "The company has offices in ten countries",
    "We find no effect of the drug on mortality.",
    "There are seven continents",
    "He won the election",
    "The amount paid by the state and",
    "Die Firma wurde 1970 gegründet und ist heute die größte.",
    "Le rapport est publié en 2019.",
    "La empresa fue fundada en 1970.",
    "Sales were higher than in the year before",
    "The city will build a new bridge",
    "Her answer was not given in court.",
    "Water boils at one hundred degrees.",
    "The committee voted against the bill on Monday.",
    "A total of 40 patients were treated",
    "and then",
    "?",
    "...",
    "42",
]
NEAR_MISSES = [
    "What is the capital of France?",
    "what is the capital of france",
    "annual revenue 2019 Tesla",
    "Tesla annual revenue 2019",
    "List the members of the committee.",
    "Explain how a heat pump works.",
    "Please name three rivers in Germany.",
    "The European Union includes how many ?",
    "In 2019, how many cars did Tesla sell",
    "According to the WHO, which vaccines are safe",
    "Is water wet",
    "does a heat pump need electricity",
    "The capital of France is what?",
    "weather in Berlin",
    "MMDetection 2.18.0 ONNX opset version",
    "how to boil an egg",
    "Two figures for Larkmouth in 2016, please: the cargo of August, and mean high water springs in March.",
    "The Curies announced two elements in 1898. Name all three.",
    "Put a year to each: the rescue; the departure.",
    "Say which SI prefixes came in 1975.",
    "Welche Stadt ist die Hauptstadt von Frankreich",
    "Nenne drei Flüsse in Deutschland.",
    "Quelle est la capitale de la France",
    "Expliquez le fonctionnement d'une pompe.",
    "¿Cuál es la capital de Francia",
    "Dime la capital de Francia.",
    "フランスの首都はどこですか",
    "ما هي عاصمة فرنسا",
    "annual report of Apple Inc.",
    "side effects of aspirin",
    "GDP of Germany compared to France",
    "By whom was the treaty signed",
    "Which of these is larger, A or B?",
]


@pytest.mark.parametrize("text", FIRES)
def test_it_fires_and_shows_where(text: str) -> None:
    reasons = no_question.find_in_text(text)
    assert reasons
    for reason in reasons:
        assert reason.rule == no_question.name
        assert reason.start is not None
        assert reason.end is not None
        assert text[reason.start : reason.end].strip()


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_it_lets_near_misses_pass(text: str) -> None:
    assert [text[each.start : each.end] for each in no_question.find_in_text(text)] == []


def test_there_are_enough_wordings_to_trust_it() -> None:
    assert len(set(FIRES)) >= 25
    assert len(set(NEAR_MISSES)) >= 25


def test_a_text_without_any_word_fires_though_there_is_nothing_to_show() -> None:
    for text in ("", "   ", "?!"):
        (reason,) = no_question.find_in_text(text)
        assert (reason.start, reason.end, reason.says) == (0, len(text), "holds no word")


def test_hardly_any_real_query_is_taken_for_a_statement(real_data: Path) -> None:
    lines = (real_data / "query-wellformedness" / "dev.tsv").read_text(encoding="utf-8").splitlines()
    texts = [line.split("\t")[0] for line in lines]
    assert sum(bool(no_question.find_in_text(text)) for text in texts) < 0.005 * len(texts)

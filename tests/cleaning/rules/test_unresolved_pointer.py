"""Pointer words without anything to point at, and pointers that the query resolves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cleaning.rules import unresolved_pointer

FIRES = [
    "When did they disband?",
    "What group did they play in?",
    "Where was he born?",
    "What was his first album?",
    "Did she win the prize?",
    "Who were its founders?",
    "What is it made of?",
    "How did it end?",
    "What happened to him?",
    "Why did this happen?",
    "What happened after that?",
    "Who supported them?",
    "It was founded in which year?",
    "He played for which team?",
    "They live where?",
    "These are used for what purpose?",
    "What is the difference between the former and the latter?",
    "When was the company founded?",
    "Where is the company's headquarters?",
    "What did the plaintiff claim?",
    "How many people live in that city?",
    "How many of them arrived that year?",
    "What happened that year?",
    "And what did she do next?",
    "Was that released in Europe?",
    "What else did he write?",
    "Does this work?",
    "How much did the company earn?",
    "In what year did her mother die?",
    "What were the previous year's results?",
    "What does this flag mean?",
    "Wann wurde er geboren?",
    "Wo hat sie gewohnt?",
    "Quand est-il né ?",
    "Où vit-elle ?",
    "¿Dónde nació él?",
    "¿Qué es esto?",
    "Cela a commencé quand ?",
]
NEAR_MISSES = [
    "When did the Beatles disband and why did they split?",
    "When was the telephone invented and who invented it?",
    "Where was Napoleon born and where did he die?",
    "Is it true that sharks never sleep?",
    "How long does it take to boil an egg?",
    "What time is it in Tokyo?",
    "Is it legal to own a tiger in Texas?",
    "How much does it cost to build a house?",
    "Who is in the cast of This Is Us?",
    "This Is Us cast",
    "These Days lyrics",
    "They Might Be Giants albums",
    "It (2017 film) director",
    "What is the company with the largest market value?",
    "What is the city of Paris known for?",
    "Which company made the iPod, and when did the company release it?",
    "In 1998, Google was founded; who led it that year?",
    "What year did the war end and what happened in the following year?",
    "What holidays are there this year?",
    "Which country uses the euro but left the zone and its bank?",
    "What do those who study birds call themselves?",
    "Why do cats purr when they sleep?",
    "What does a bee do with its sting?",
    "Does it rain in the Sahara?",
    "Quand Napoléon est-il mort ?",
    "Est-il possible de voler ?",
    "Wann wurde Mozart geboren und wo starb er?",
    "Wie alt war Goethe, als er starb?",
    "What is the country with the most lakes?",
    "annual revenue Tesla 2019",
    "Who wrote Pride and Prejudice, and where did she live?",
    "How does a heart pump blood through its chambers?",
]


@pytest.mark.parametrize("text", FIRES)
def test_it_fires_and_shows_where(text: str) -> None:
    reasons = unresolved_pointer.find_in_text(text)
    assert reasons
    for reason in reasons:
        assert reason.rule == unresolved_pointer.name
        assert reason.start is not None
        assert reason.end is not None
        assert text[reason.start : reason.end].strip()


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_it_lets_near_misses_pass(text: str) -> None:
    assert [text[each.start : each.end] for each in unresolved_pointer.find_in_text(text)] == []


def test_there_are_enough_wordings_to_trust_it() -> None:
    assert len(set(FIRES)) >= 25
    assert len(set(NEAR_MISSES)) >= 25


def test_the_stretch_is_the_pointer() -> None:
    text = "When did they disband?"
    (reason,) = unresolved_pointer.find_in_text(text)
    assert text[reason.start : reason.end] == "they"


def test_on_real_dialogues_it_fires_on_questions_and_hardly_on_their_rewrites(real_data: Path) -> None:
    rows = json.loads((real_data / "canard" / "dev.json").read_text(encoding="utf-8"))
    questions = sum(bool(unresolved_pointer.find_in_text(row["Question"])) for row in rows)
    rewrites = sum(bool(unresolved_pointer.find_in_text(row["Rewrite"])) for row in rows)
    assert questions > 0.55 * len(rows)
    assert rewrites < 0.03 * len(rows)

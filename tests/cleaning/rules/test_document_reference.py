"""Queries that speak of a document without its name, and texts that name theirs."""

from __future__ import annotations

import pytest

from cleaning.rules import document_reference

FIRES = [
    "What method is used in this paper?",
    "What did the study find?",
    "What do the authors conclude?",
    "What is the aim of this report?",
    "When was the document signed?",
    "According to the report, how many people were affected?",
    "What does the article say about vaccines?",
    "Which dataset is used in the study?",
    "What is the main topic of the document?",
    "What limitations do the authors mention?",
    "What does the present study contribute?",
    "In this chapter, what is said about risk?",
    "What is recommended in the annual report?",
    "Who wrote the passage?",
    "What is the main argument of the paper?",
    "How many participants were in the study?",
    "What did the researchers recommend?",
    "What is our paper about?",
    "What is the purpose of this document?",
    "What model is proposed in the paper?",
    "When was the report published?",
    "What was the study's main result?",
    "What does this manual explain?",
    "What is the thesis of the text?",
    "Which framework does the paper use?",
    "Welche Methode wird in diesem Artikel verwendet?",
    "Was sagen die Autoren?",
    "Was steht im Bericht?",
    "Laut dem Bericht, wie viele?",
    "Was zeigt die vorliegende Studie?",
    "Quelle méthode est utilisée dans cet article ?",
    "Que concluent les auteurs ?",
    "Selon le rapport, combien ?",
    "¿Qué método usa este estudio?",
    "¿Qué concluyen los autores?",
    "¿Según el informe, cuántos casos hubo?",
]
NEAR_MISSES = [
    "What does the 2021 IPCC report say about sea level?",
    "What is the document object model?",
    "How does the paper industry recycle water?",
    "Who are the authors of Good Omens?",
    "What is the study of birds called?",
    "What does the survey on correcting LLMs call critics?",
    "How do I write a report?",
    "What is a research paper?",
    "Which text editor is the most popular?",
    "What does Article 5 of the GDPR say?",
    "What did Smith et al. find and what do the authors conclude?",
    "In the MMDetection 2.18.0 manual, what does the document list?",
    'What does the paper "Attention Is All You Need" propose?',
    "Which museum shows the work of art?",
    "What does the report by the World Bank on poverty say?",
    "What is the guide to the galaxy?",
    "How thick is paper?",
    "What does the Mueller report conclude?",
    "When is the book of Job set?",
    "How many authors contributed to Wikipedia?",
    "What is a case study?",
    "What is the author's guild?",
    "Was sagt der IPCC-Bericht?",
    "Was sind die Autoren der Bibel?",
    "Quel est le rapport de force ?",
    "Qui sont les auteurs de la Bible ?",
    "¿Quiénes son los autores de la Biblia?",
    "What is the report card grade of Texas?",
    "What does the study by Harvard on sugar show?",
    "Who published the study that linked smoking to cancer?",
    "How does Logic-LM's refinement work, and why do the authors stop it?",
]


@pytest.mark.parametrize("text", FIRES)
def test_it_fires_and_shows_where(text: str) -> None:
    reasons = document_reference.find_in_text(text)
    assert reasons
    for reason in reasons:
        assert reason.rule == document_reference.name
        assert reason.start is not None
        assert reason.end is not None
        assert text[reason.start : reason.end].strip()


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_it_lets_near_misses_pass(text: str) -> None:
    assert [text[each.start : each.end] for each in document_reference.find_in_text(text)] == []


def test_there_are_enough_wordings_to_trust_it() -> None:
    assert len(set(FIRES)) >= 25
    assert len(set(NEAR_MISSES)) >= 25


def test_the_same_words_pass_once_the_document_is_named() -> None:
    assert document_reference.find_in_text("What do the authors conclude about sugar?")
    assert (
        document_reference.find_in_text('What do the authors of "Pure, White and Deadly" conclude about sugar?') == []
    )

"""Queries that point at the layout of a page, and texts that only look as if they did."""

from __future__ import annotations

import pytest

from cleaning.rules import layout_reference

FIRES = [
    "What is the value in the table above?",
    "As shown in Figure 3, what is the peak?",
    "What does the left column list?",
    "What trend does this chart show?",
    "What is described on this page?",
    "What is the number in the highlighted cell?",
    "What percentage is shown in the figure?",
    "According to the table, which country has the highest GDP?",
    "Which region leads in the bar chart?",
    "How many participants are listed in Table 2?",
    "What does the y-axis represent?",
    "Which of the following is true?",
    "What color is the line shown below?",
    "Based on the graph, when did sales peak?",
    "What is depicted in the image?",
    "Which city is marked on the map?",
    "What is the total in the bottom row?",
    "What value is in the third column?",
    "What does the diagram illustrate?",
    "On page 12, what is the definition of risk?",
    "What does fig. 4b show?",
    "What is the label in the top left corner?",
    "Which company has the red bar?",
    "What does the caption say about whales?",
    "What is the above-mentioned limit?",
    "What is given in the following table?",
    "In the screenshot, which button is selected?",
    "What is the title at the top of the page?",
    "How many boxes does the flowchart contain?",
    "What is the result in the last row of the table?",
    "What does Table IV report?",
    "What does the table on the left compare?",
    "Which years do these graphs cover?",
    "What is shown in the picture?",
    "Welche Werte stehen in der Tabelle?",
    "Was zeigt die Abbildung 3?",
    "Was steht auf dieser Seite?",
    "Welcher Wert steht in der linken Spalte?",
    "Was zeigt das folgende Diagramm?",
    "Wie hoch ist der oben genannte Wert?",
    "Was ist in der obigen Grafik dargestellt?",
    "Quel pays arrive en tête dans le tableau ci-dessus ?",
    "Que montre ce graphique ?",
    "Selon la figure 2, quelle est la moyenne ?",
    "Que contient la colonne de gauche ?",
    "Que dit cette page ?",
    "¿Qué muestra la tabla anterior?",
    "¿Qué país aparece en la figura 3?",
    "¿Qué muestra este gráfico?",
    "¿Qué valor está en la columna izquierda?",
    "¿Qué dato aparece en la tabla?",
    "What differs between the upper and lower code block of the page?",
    "What does Table 7.3 give for the third metal?",
]
NEAR_MISSES = [
    "Who won the table tennis world championship?",
    "When did figure skating become Olympic?",
    "How many elements are in the periodic table?",
    "What is the weight of iron according to the 2019 table of atomic weights?",
    "How deep is the water table in Kansas?",
    "How high did the single rise in the Billboard chart?",
    "What is table salt made of?",
    "What is a pie chart?",
    "Which figure of speech is a metaphor?",
    "Who are the key figures of the Renaissance?",
    "What is the column of Trajan made of?",
    "What temperatures are reported below zero in Oslo?",
    "How do you insert a table in Word?",
    "What is the first image of a black hole?",
    "How many pages does the novel War and Peace have?",
    "What happened on page six of the New York Post?",
    "What is the fifth column in politics?",
    "Who sat at the head of the round table?",
    "What is the image of God in Christian theology?",
    "How does image classification work?",
    "Which chart type suits time series best?",
    "What is on the table in the trade talks between the US and China?",
    "What do row houses cost in Baltimore?",
    "How do I draw a figure 8 knot?",
    "Wie steht es in der Tabelle der Bundesliga?",
    "Was ist das Periodensystem?",
    "Combien d'éléments y a-t-il dans le tableau périodique ?",
    "Qui a peint le tableau de la Joconde ?",
    "¿Cuántos elementos hay en la tabla periódica?",
    "¿Qué es una tabla de multiplicar?",
    "What does the red line in Chicago connect?",
    "What is the bottom line of Tesla in 2020?",
    "How many people live below the poverty line?",
    "What is the graph theory term for a cycle?",
    "What is the left ventricle's function?",
    "What is a table of contents?",
    "What does the figure of Justice hold?",
    "Who took the photograph of the Earthrise?",
    "annual revenue 2019 Tesla chart",
    "What is the right of first refusal?",
    "Which page size does A4 paper have?",
    "How far above sea level is Denver?",
    "What is the top speed of the Bugatti Chiron?",
    "How do you reserve a table for two?",
]


@pytest.mark.parametrize("text", FIRES)
def test_it_fires_and_shows_where(text: str) -> None:
    reasons = layout_reference.find_in_text(text)
    assert reasons
    for reason in reasons:
        assert reason.rule == layout_reference.name
        assert reason.start is not None
        assert reason.end is not None
        assert text[reason.start : reason.end].strip()


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_it_lets_near_misses_pass(text: str) -> None:
    assert [text[each.start : each.end] for each in layout_reference.find_in_text(text)] == []


def test_there_are_enough_wordings_to_trust_it() -> None:
    assert len(set(FIRES)) >= 25
    assert len(set(NEAR_MISSES)) >= 25


def test_the_stretch_is_the_pointing_words() -> None:
    text = "What is the value in the table above for the third one?"
    (reason,) = layout_reference.find_in_text(text)
    assert text[reason.start : reason.end] in {"in the table", "the table above", "in the table above"}


def test_two_places_are_two_reasons_in_order() -> None:
    text = "Does Figure 3 agree with the left column?"
    found = [text[each.start : each.end] for each in layout_reference.find_in_text(text)]
    assert found == ["Figure 3", "the left column"]


def test_case_and_line_breaks_do_not_matter() -> None:
    assert layout_reference.find_in_text("AS SHOWN IN THE\nFIGURE, WHAT IS THE PEAK?")
    assert layout_reference.find_in_text("what is in table 2")

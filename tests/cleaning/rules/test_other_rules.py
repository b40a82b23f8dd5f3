"""The rules on answers, evidence and duplicates, and the list of all rules."""

from __future__ import annotations

import numpy as np
import pytest
from query_rows import query_rows

from cleaning.catalogue import rules
from cleaning.rules import answer_in_query, evidence_on_one_page, exact_duplicate, near_duplicate

HOLDS_ITS_ANSWER = [
    ("Which city is Paris, the capital of France?", "Paris"),
    ("Why did Apollo 11 land in 1969 on the Moon?", "1969"),
    ("Who is the author Jane Austen of Pride and Prejudice?", "Jane Austen"),
    ("What is the 45 % share of coal in percent?", "45"),
    ("Which company, TESLA, made the Model S?", "Tesla"),
    ("Wie heißt die Stadt München?", "münchen"),
    ("Quelle est la ville de Genève ?", "Genève"),
    ("What do ﬁlters remove?", "filters"),
]
NEAR_MISSES = [
    ("Is Paris or London larger?", "Paris"),
    ("Which of Rome and Athens is older?", "Athens"),
    ("Is the Earth round?", "Yes"),
    ("Did nobody say yes?", "yes"),
    ("How many moons has Mars?", "2"),
    ("Which vitamin is it?", "A"),
    ("What is the capital of France?", "Paris"),
    ("What is the capital of France?", ""),
    ("", "Paris"),
    ("What is the capital of the Parisians?", "Paris"),
    ("Who wrote Pride and Prejudice?", "Austen, Jane"),
    ("What happened in 19690?", "1969"),
]


@pytest.mark.parametrize(("text", "answer"), HOLDS_ITS_ANSWER)
def test_an_answer_that_stands_in_the_query_is_found_and_shown(text: str, answer: str) -> None:
    (reason,) = answer_in_query.find_in_text(text, answer)
    assert reason.start is not None
    assert reason.end is not None
    assert text[reason.start : reason.end].strip()


@pytest.mark.parametrize(("text", "answer"), NEAR_MISSES)
def test_choices_and_answers_that_say_nothing_pass(text: str, answer: str) -> None:
    assert answer_in_query.find_in_text(text, answer) == []


def test_a_missing_text_or_answer_never_fires() -> None:
    found = answer_in_query.find(query_rows([None, "Where is Paris?"], answer=["Paris", None]))
    assert found.fired.tolist() == [False, False]


@pytest.mark.parametrize(
    ("structure", "pages", "documents", "fires"),
    [
        ("Page-Single", ["p1"], ["d1"], False),
        ("Page-Multi", ["p1"], ["d1"], False),
        ("Doc-Adjacent", ["p1"], ["d1"], True),
        ("Doc-Near", ["p1", "p1"], ["d1"], True),
        ("Doc-Far", ["p1", "p2"], ["d1"], False),
        ("Cross-Doc", ["p1"], ["d1"], True),
        ("Cross-Doc", ["p1", "p2"], ["d1"], True),
        ("Cross-Doc", ["p1", "p2"], ["d1", "d2"], False),
        ("Cross-Doc", [], [], False),
        ("Doc-Near", [], [], False),
    ],
)
def test_evidence_of_several_pages_must_lie_on_several(
    structure: str, pages: list[str], documents: list[str], fires: bool
) -> None:
    frame = query_rows(["What?"], evidence_structure=[structure], evidence_pages=[pages], documents=[documents])
    found = evidence_on_one_page.find(frame)
    assert found.fired.tolist() == [fires]
    assert bool(found.reasons[0]) == fires
    if fires:
        assert found.reasons[0][0].start is None


def test_all_but_the_smallest_id_of_equal_texts_fire_and_all_are_told_their_group() -> None:
    frame = query_rows(
        ["What is it?", "A question", "what is it", "", "", "WHAT  IS IT?!"], query_id=["c", "x", "a", "e", "f", "b"]
    )
    found = exact_duplicate.find(frame)
    assert found.fired.tolist() == [True, False, False, False, False, True]
    assert found.reasons[0][0].says == "the same text as 'a', which stays"
    assert found.reasons[2][0].says == "2 others with the same text; this one stays"
    assert [bool(each) for each in found.reasons] == [True, False, True, False, False, True]


SIX_WORDINGS = [
    "What was the cargo of coal landed at Larkmouth in 2016?",
    "How much coal cargo was landed at Larkmouth in 2016?",
    "In 2016, what cargo of coal was landed at Larkmouth?",
    "Please tell me the coal cargo landed at Larkmouth in 2016.",
    "what was Larkmouth's landed cargo of coal in 2016",
    "Give the cargo of coal that was landed at Larkmuoth in 2016.",
]


def test_one_query_in_six_wordings_keeps_one() -> None:
    other = ["What was the cargo of coal landed at Larkmouth in 2017?", "Who was harbour master of Larkmouth in 2016?"]
    frame = query_rows([*SIX_WORDINGS, *other])
    found = near_duplicate.find(frame)
    assert found.fired.tolist() == [False, True, True, True, True, True, False, False]
    assert all(found.reasons[row] for row in range(6))
    assert not any(found.reasons[row] for row in (6, 7))
    turned = frame[::-1]
    assert near_duplicate.find(turned).fired.tolist() == found.fired.tolist()[::-1]


def test_near_duplicates_differ_in_no_number_name_or_opposite() -> None:
    texts = [
        "What was the annual revenue of Tesla Motors in the fiscal year 2019?",
        "What was the annual revenue of Tesla Motors in the fiscal year 2020?",
        "What was the annual revenue of Toyota Motors in the fiscal year 2019?",
        "Which region had the highest rate of unemployment among young workers?",
        "Which region had the lowest rate of unemployment among young workers?",
    ]
    assert not near_duplicate.find(query_rows(texts)).fired.any()


@pytest.mark.parametrize("name", sorted(rules()))
def test_every_rule_takes_empty_strange_and_reordered_tables(name: str) -> None:
    rule = rules()[name]
    assert rule.name == name
    assert rule.title
    assert rule.describe
    assert rule.find(query_rows([])).reasons == ()
    texts = [
        "What does this table show?",
        None,
        "",
        "🙂",
        "表中的数值是多少？",
        "a\x00b",
        "x" * 20_000,
        "What does this table show?",
    ]
    frame = query_rows(texts, answer=["table", None, "", "🙂", "数", "b", "x", None])
    before = frame.clone()
    found = rule.find(frame)
    assert frame.equals(before)
    assert found.fired.dtype == np.bool_
    assert found.fired.shape == (len(texts),)
    assert len(found.reasons) == len(texts)
    assert all(reasons or not fired for fired, reasons in zip(found.fired, found.reasons, strict=True))
    order = [3, 0, 7, 2, 6, 1, 5, 4]
    again = rule.find(frame[order])
    assert again.fired.tolist() == found.fired[order].tolist()
    assert list(again.reasons) == [found.reasons[row] for row in order]
    alone = [rule.find(frame[[row]]).fired[0] for row in range(len(texts))]
    assert rule.compares_queries or alone == found.fired.tolist()

"""Grouping texts that say the same: what counts, what does not, and planted near-duplicates found again."""

from __future__ import annotations

import random

import pytest

from audit_core.errors import CleaningError
from benchmarks.cleaning_duplicates import KINDS, make_texts
from cleaning.duplicate_words import alike, normalised, words_of
from cleaning.duplicates import Likeness, group_exact_duplicates, group_near_duplicates

COAL = "What was the cargo of coal landed at Larkmouth in 2016?"


def _likeness(one: str, other: str) -> float:
    return alike(words_of(one), words_of(other))


def test_case_marks_spaces_and_unicode_form_make_no_difference() -> None:
    assert normalised("  Wie   HEIẞT die «Straße»? ") == normalised("wie heißt die strasse")
    groups = group_exact_duplicates(["Café?", "a", "CAFE\u0301", "b", None, "", "?!"])
    assert groups.group.tolist() == [0, -1, 0, -1, -1, -1, -1]
    assert groups.reasons == (Likeness.EXACT,)
    assert groups.members() == [[0, 2]]


@pytest.mark.parametrize(
    "other",
    [
        "In 2016, what was the cargo of coal landed at Larkmouth?",
        "What was the cargo of coal landed at Larkmuoth in 2016?",
        "Please tell me exactly: what was the cargo of coal landed at Larkmouth in 2016?",
        "What was the total cargo of coal landed at Larkmouth in 2016?",
        "what was larkmouth's landed coal cargo in 2016",
        "WHAT WAS THE CARGO OF COAL LANDED AT LARKMOUTH IN 2016?",
    ],
)
def test_order_typing_errors_small_words_and_one_word_more_are_near(other: str) -> None:
    assert _likeness(COAL, other) >= 0.75
    assert _likeness(COAL, other) == _likeness(other, COAL)
    assert group_near_duplicates([COAL, "Who?", other]).group.tolist() == [0, -1, 0]


@pytest.mark.parametrize(
    "other",
    [
        "What was the cargo of coal landed at Larkmouth in 2017?",
        "What was the cargo of coal landed at Larkmouth?",
        "What was the cargo of coal landed at Ravensport in 2016?",
        "What was the cargo of coal not landed at Larkmouth in 2016?",
        "Who was harbour master of Larkmouth in 2016?",
    ],
)
def test_another_number_name_or_opposite_is_another_question(other: str) -> None:
    assert group_near_duplicates([COAL, other]).group.tolist() == [-1, -1]


def test_groups_are_closed_numbered_by_first_appearance_and_say_why() -> None:
    groups = group_near_duplicates(
        ["Who?", "b c d e f g", COAL, COAL.upper(), "b c d e f g!", COAL.replace("coal", "caol")]
    )
    assert groups.group.tolist() == [-1, 0, 1, 1, 0, 1]
    assert groups.reasons == (Likeness.EXACT, Likeness.NEAR)


def test_texts_of_scripts_without_spaces_are_compared_by_pairs_of_characters() -> None:
    texts = [
        "東京タワーの高さは何メートルですか",
        "東京タワーの高さは何メートルですか?",
        "東京タワーの高さは何メートルなのですか",
        "富士山はどこにありますか",
    ]
    assert group_near_duplicates(texts).group.tolist() == [0, 0, 0, -1]


def test_no_text_and_one_text_have_no_groups() -> None:
    for texts in ([], ["alone"], [None], ["", ""]):
        groups = group_near_duplicates(texts)
        assert groups.group.tolist() == [-1] * len(texts)
        assert groups.reasons == ()


@pytest.mark.parametrize("threshold", [0.0, -1.0, 1.01, float("nan")])
def test_a_threshold_that_no_part_can_be_is_refused(threshold: float) -> None:
    with pytest.raises(CleaningError, match="above 0 and at most 1"):
        group_near_duplicates(["a", "b"], threshold=threshold)


def test_the_texts_are_not_changed_and_their_order_changes_no_group() -> None:
    texts, _ = make_texts(1_500, 210, seed=5)
    given = list(texts)
    one = {frozenset(texts[row] for row in rows) for rows in group_near_duplicates(texts).members()}
    assert texts == given
    random.Random(3).shuffle(given)
    other = {frozenset(given[row] for row in rows) for rows in group_near_duplicates(given).members()}
    assert one == other
    assert len(one) > 150


def test_planted_near_duplicates_are_found_and_hardly_any_made_up() -> None:
    texts, pairs = make_texts(6_000, 1_400, seed=11)
    groups = group_near_duplicates(texts)
    found = [0 <= groups.group[one] == groups.group[other] for one, other, _ in pairs]
    assert sum(found) / len(found) >= 0.95
    easy = [
        hit
        for hit, (_, _, kind) in zip(found, pairs, strict=True)
        if kind in ("words exchanged", "clauses reordered", KINDS[-1])
    ]
    assert sum(easy) / len(easy) >= 0.99
    claimed = sum(len(rows) * (len(rows) - 1) // 2 for rows in groups.members())
    assert sum(found) / claimed >= 0.99


def test_many_texts_with_one_key_do_not_hide_the_ones_that_are_alike() -> None:
    common = [f"report {word} annual budget committee of the northern harbour authority" for word in _names(300)]
    texts = [*common, common[7].replace("northern", "norhtern")]
    groups = group_near_duplicates(texts, threshold=0.9)
    assert 0 <= groups.group[7] == groups.group[-1]


def _names(n: int) -> list[str]:
    chance = random.Random(2)
    return ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=9)) for _ in range(n)]

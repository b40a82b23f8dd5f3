"""Keys in texts of servers: long ones go wherever they stand, short ones where they stand as a word that is no word."""

from __future__ import annotations

import pytest

from audit_core.inference.key_masking import without_key


@pytest.mark.parametrize(
    ("text", "key", "shown"),
    [
        ("the key is xsk-1234567890x", "sk-1234567890", "the key is x***x"),
        ('as JSON: sk-\\"12345\\\\', 'sk-"12345\\', "as JSON: ***"),
        ("Invalid header: Bearer abc1234", "abc1234", "Invalid header: Bearer ***"),
        ("key abc1234, and xabc1234 is another", "abc1234", "key ***, and xabc1234 is another"),
        ("EMPTY answers; Bearer EMPTY", "EMPTY", "EMPTY answers; Bearer ***"),
        ('{"clarity": 1} Bearer 1', "1", '{"clarity": 1} Bearer ***'),
        ("none of them", None, "none of them"),
        ("none of them", "", "none of them"),
    ],
)
def test_a_text_has_stars_for_the_key(text: str, key: str | None, shown: str) -> None:
    assert without_key(text, key) == shown

"""The strict reader of JSON: what it refuses, and in which field."""

from __future__ import annotations

import pytest

from audit_core.strict_json import JsonFault, read_json


@pytest.mark.parametrize(
    ("text", "field", "words"),
    [
        ('{"a": [1, {"b": 1e999}]}', "a[1].b", "1e999 is too large"),
        ('{"a": -1e400}', "a", "is too large"),
        ('{"a": {"box": [1, 2, 1' + "0" * 400 + ", 4]}}", "a.box[2]", "is too large"),
        ('{"a": 9223372036854775808}', "a", "is too large"),
        ('{"a": "x\\ud800"}', "a", "at character 2"),
        ('{"\\udfff": 1}', None, "half a character"),
        ('"\\ud800"', None, "half a character"),
        ('{"a": NaN}', None, "NaN is no JSON"),
        ('{"a": -Infinity}', None, "-Infinity is no JSON"),
        ('{"a": 1, "a": 1}', None, "a name stands twice in one object: 'a'"),
        ('{"a": ' + "[" * 200 + "]" * 200 + "}", "a", "at most 100 lists and objects"),
        ("[" * 100_000, None, "at most 100 lists and objects"),
        ('{"a": ' * 100_000, None, "at most 100 lists and objects"),
        ("", None, "Expecting value"),
    ],
)
def test_what_reads_well_but_breaks_what_comes_after_is_refused_by_field(
    text: str, field: str | None, words: str
) -> None:
    with pytest.raises(JsonFault, match=words.replace("[", r"\[")) as refused:
        read_json(text)
    assert refused.value.field == field


def test_bytes_that_are_no_text_are_refused_by_their_place() -> None:
    with pytest.raises(JsonFault, match="byte 3 is not"):
        read_json(b'"a\xff"')


def test_all_else_is_read_as_it_is() -> None:
    text = '{"a": [1, 1.5, true, null, "\\ud83d\\ude00", 9223372036854775807, {"b": {}}], "c": -0.0}'
    assert read_json(text) == {"a": [1, 1.5, True, None, "\U0001f600", 2**63 - 1, {"b": {}}], "c": -0.0}
    assert read_json("[" * 100 + "]" * 100) is not None

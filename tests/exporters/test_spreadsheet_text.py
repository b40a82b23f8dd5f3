"""What text becomes in a file that a spreadsheet opens."""

from __future__ import annotations

import pytest

from audit_core.exporters.judgments_spreadsheet import safe_text


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        (" =1", "' =1"),
        ("\t=1", "'\t'=1"),
        ("\rx", "'\rx"),
        ("\uff1d1", "'\uff1d1"),
        ("a;=1", "a;'=1"),
        ("a; +1", "a;' +1"),
        ("two\r\n=lines", "two\r\n'=lines"),
        ("two\n@lines", "two\n'@lines"),
    ],
)
def test_text_that_could_run_as_a_formula_is_led_by_an_apostrophe(text: str, safe: str) -> None:
    assert safe_text(text) == safe


@pytest.mark.parametrize("text", ["", "plain", "a=b; c-d", "نص عربي", "👩🏽‍🔬", "'=1", '{"query":"=x"}', "1-2"])
def test_other_text_is_left_alone(text: str) -> None:
    assert safe_text(text) == text

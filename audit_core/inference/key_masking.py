"""Texts of servers without the key that they were sent: what is shown, logged or stored goes through here."""

from __future__ import annotations

import json
import re

#: A key of so many characters is taken out wherever it stands. A shorter one may be part of any word.
_LONG = 8
#: One shorter than this, or of letters alone such as EMPTY (what servers without keys are given), may stand in any text.
_SHORT = 4
_STARS = "***"


def without_key(text: str, key: str | None) -> str:
    """Return a text with three stars for the key, as it is and as JSON writes it.

    A key of 4 to 7 characters with anything but letters in it is taken out where it stands as a word; any other short one
    after `Bearer`, as the header has it.
    """
    if not key:
        return text
    forms = dict.fromkeys((key, json.dumps(key)[1:-1]))
    if len(key) >= _LONG:
        for form in forms:
            text = text.replace(form, _STARS)
        return text
    is_word = len(key) < _SHORT or key.isalpha()
    before = r"(?<=Bearer )" if is_word else r"(?<![A-Za-z0-9])"
    for form in forms:
        text = re.sub(f"{before}{re.escape(form)}(?![A-Za-z0-9])", _STARS, text)
    return text

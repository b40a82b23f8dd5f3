"""Taking the names of people out of what people wrote, however they are spelled there."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

#: What stands where a name stood.
SOMEBODY = "(somebody)"
#: Shorter names are taken out only where they are written in the same letters, large or small.
_SHORT = 3
#: Letters of scripts that put no space between words: next to one a name ends as at a space.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u30ff\u3100-\u312f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
#: A letter or figure that would make a longer word of a name; `_` only stands between words.
_LETTER = rf"[^\W_{_UNSPACED}]"
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
#: What may stand between the parts of a name: blanks of any kind, line breaks, `_` and hyphens.
_BETWEEN = re.compile(r"[\s_\-\u2010-\u2015]+")


def name_remover(names: Iterable[str]) -> Callable[[str], str]:
    """Return what takes these names out of a text: as whole words, long ones before those that are part of them.

    Large and small letters, composed and decomposed ones are the same, and so is what stands between the parts of a name.
    """
    known = sorted({_composed(each.strip()) for each in names if each.strip()}, key=lambda each: (-len(each), each))
    if not known:
        return str
    long = [_pattern(_folded(each)[0]) for each in known if len(each) >= _SHORT]
    short = [_pattern(each) for each in known if len(each) < _SHORT]
    in_any_case = re.compile("|".join(long)) if long else None
    as_written = re.compile("|".join(short)) if short else None

    def cleaned(text: str) -> str:
        composed = _composed(text)
        found = composed
        if in_any_case is not None:
            folded, places = _folded(composed)
            spans = [(places[each.start()], places[each.end() - 1] + 1) for each in in_any_case.finditer(folded)]
            found = _without(composed, spans)
        if as_written is not None:
            found = as_written.sub(SOMEBODY, found)
        # What has no name in it stays as it was written, byte for byte.
        return text if found == composed else found

    return cleaned


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _folded(text: str) -> tuple[str, list[int]]:
    """Return a text without the difference of large and small letters, and the place in `text` of each of its characters."""
    letters, places = [], []
    for place, letter in enumerate(text):
        for each in letter.casefold():
            letters.append(each)
            places.append(place)
    return "".join(letters), places


def _pattern(name: str) -> str:
    """Return what finds a name: parts with anything between them, and no letter before or after that is part of its word."""
    parts = [re.escape(each) for each in _BETWEEN.split(name) if each]
    inner = _BETWEEN.pattern.join(parts) if parts else re.escape(name)
    # One such letter alone is a word of many meanings: it is a name only where it stands alone.
    stands_alone = len(name) == 1
    before, after = (
        "" if _IS_UNSPACED.match(letter) and not stands_alone else look
        for letter, look in (
            (name[0], rf"(?<!{_LETTER})" if not stands_alone else r"(?<!\w)"),
            (name[-1], rf"(?!{_LETTER})" if not stands_alone else r"(?!\w)"),
        )
    )
    return f"{before}{inner}{after}"


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    parts, last = [], 0
    for start, end in spans:
        parts += [text[last:start], SOMEBODY]
        last = end
    return "".join([*parts, text[last:]])

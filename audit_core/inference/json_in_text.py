"""The JSON objects that a model wrote into its reply: found as they stand, outside its thinking, and never mended.

The text is read once from left to right, so the time is linear in its length whatever it holds, and nesting uses no
stack of calls.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

#: An object that is nested deeper is not read: no answer is, and the decoder would run out of stack.
DEEPEST = 64
#: A number that is written longer is no answer on any scale.
_LONGEST_NUMBER = 100

_THINKING = r"think|thinking|thought|reasoning|seed:think"
#: Where thinking begins or ends. `final` begins what is meant to be read in the "harmony" form of gpt-oss.
_TAG = re.compile(
    rf"<(?P<ends>/?)(?P<name>{_THINKING})(?:\s[^<>]{{0,80}})?>|\[(?P<ends2>/?)(?P<name2>think)\]"
    r"|<\|channel\|>\s{0,8}(?P<channel>\w{1,40})",
    re.IGNORECASE,
)
#: Where a value begins that may be an answer; a brace before anything but a name is prose.
_START = re.compile(r'\{(?=[ \t\n\r]*+")|\[(?=[ \t\n\r]*+[\[{"\]\-0-9tfnNI])')
_TAG_OR_START = re.compile(f"{_TAG.pattern}|(?P<start>{_START.pattern})", re.IGNORECASE)
#: Marks of the harmony form, which are no text.
_MARK = re.compile(r"<\|\w{1,40}\|>")
_SPACE = re.compile(r"[ \t\n\r]*+")
#: A string without its closing quotation mark (RFC 8259, section 7); possessive, so that it is never read twice.
_STRING = re.compile(r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\x00-\x1f]*+)*+')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?")
#: NaN and the infinities are read so that they can be called what they are.
_WORD = re.compile(r"true|false|null|NaN|-?Infinity")


@dataclass(frozen=True, slots=True)
class Attempt:
    """A stretch of text `[start, end)` that begins as a JSON object or list.

    It is whole, or broken off at `end`. `is_named`: one of the wanted names is a key in it, at any depth. `is_value_off`:
    it broke where a value should stand that is none, such as `0,75` or `high`.
    """

    start: int
    end: int
    is_whole: bool
    is_named: bool
    is_value_off: bool
    depth: int


@dataclass(frozen=True, slots=True)
class Written:
    """An object or list with one of the wanted names in it.

    `value` is None where it cannot be read, and `fault` then says why; `is_off_scale` tells a value that is none from an
    object that is none.
    """

    value: Any
    fault: str | None = None
    is_off_scale: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """What a text holds outside thinking: `written`, each different one once, and whether it holds anything at all."""

    written: tuple[Written, ...]
    is_blank: bool


def found_in(text: str, names: Collection[str]) -> Found:
    """Return the objects of a text that have one of `names` as a key, at any depth.

    Thinking (`<think>` and its like, channels other than `final`) is left out; thinking that does not end goes on to the
    end of the text, and what stands before an end without a beginning was thinking as well. What has none of the names is
    prose. An object inside of another, of a list or of a broken one is never taken out of it. Objects that differ in
    the order of names or the spelling of numbers alone are the same.
    """
    written: dict[Any, Written] = {}
    is_blank = True
    for part in _parts(text, names):
        if part is None:
            written.clear()
            is_blank = True
        elif isinstance(part, str):
            is_blank = is_blank and not _MARK.sub("", part).strip()
        else:
            is_blank = False
            identity, one = _read(text, part)
            if one is not None:
                written.setdefault(identity, one)
    return Found(tuple(written.values()), is_blank)


def attempts(text: str, names: Collection[str]) -> Iterator[Attempt]:
    """Yield what begins as an object or list outside thinking, in order; no two of them overlap."""
    return (part for part in _parts(text, names) if isinstance(part, Attempt))


def _parts(text: str, names: Collection[str]) -> Iterator[str | Attempt | None]:
    """Yield prose and attempts in order, and None where all before it turns out to have been thinking."""
    place = 0
    while match := _TAG_OR_START.search(text, place):
        yield text[place : match.start()]
        if match["start"] is not None:
            attempt = _Scanner(text, match.start(), names).attempt()
            yield attempt
            place = attempt.end
        elif match["ends"] or match["ends2"] or (match["channel"] or "").lower() == "final":
            yield None
            place = match.end()
        else:
            place = _end_of_thinking(text, match)
    yield text[place:]


def _end_of_thinking(text: str, begin: re.Match[str]) -> int:
    """Return where the thinking that begins there ends: behind its own closing tag, else the end of the text."""
    if begin["channel"]:
        closing = re.compile(r"<\|(?:end|return)\|>|(?=<\|channel\|>)")
    elif begin["name2"]:
        closing = re.compile(r"\[/think\]", re.IGNORECASE)
    else:
        closing = re.compile(rf"</{begin['name']}\s{{0,8}}>", re.IGNORECASE)
    end = closing.search(text, begin.end())
    return len(text) if end is None else end.end()


class _Scanner:
    """Reads one object or list by the grammar of RFC 8259, and stops at the first character that breaks it."""

    def __init__(self, text: str, start: int, names: Collection[str]) -> None:
        self._text = text
        self._names = names
        self._start = self._place = start
        self._open: list[str] = []
        self._wants: Callable[[str, bool], bool] = self._value
        self._is_named = False
        self._after_number = False
        self._is_value_off = False
        self._depth = 0

    def attempt(self) -> Attempt:
        """Return the attempt."""
        text = self._text
        is_whole = False
        while True:
            before = self._place
            self._place = _SPACE.match(text, before).end()  # type: ignore[union-attr]
            char = text[self._place : self._place + 1]
            if not char or not self._wants(char, self._place > before):
                break
            if not self._open:
                is_whole = True
                break
        return Attempt(
            self._start, max(self._place, self._start + 1), is_whole, self._is_named,
            self._is_value_off and self._is_named, self._depth,
        )  # fmt: skip

    def _value(self, char: str, _: bool) -> bool:
        text = self._text
        self._after_number = False
        if char in "{[":
            self._open.append("}" if char == "{" else "]")
            self._depth = max(self._depth, len(self._open))
            self._wants = self._first_name if char == "{" else self._first_value
            self._place += 1
            return True
        if char == '"':
            self._wants = self._next
            return self._string() is not None
        if match := _NUMBER.match(text, self._place):
            self._after_number = True
        else:
            match = _WORD.match(text, self._place)
        if match is None:
            self._is_value_off = True
            return False
        self._place = match.end()
        self._wants = self._next
        return True

    def _first_value(self, char: str, is_apart: bool) -> bool:
        return self._close() if char == "]" else self._value(char, is_apart)

    def _first_name(self, char: str, is_apart: bool) -> bool:
        return self._close() if char == "}" else self._name(char, is_apart)

    def _name(self, char: str, _: bool) -> bool:
        if char != '"':
            # A comma as a decimal sign: {"clarity": 0,75}.
            self._is_value_off = self._after_number and char.isdigit()
            return False
        name = self._string()
        if name is None:
            return False
        self._is_named = self._is_named or not self._names or name in self._names
        self._wants = self._colon
        return True

    def _colon(self, char: str, _: bool) -> bool:
        self._place += char == ":"
        self._wants = self._value
        return char == ":"

    def _next(self, char: str, is_apart: bool) -> bool:
        if char == self._open[-1]:
            return self._close()
        if char != ",":
            self._is_value_off = self._after_number and not is_apart
            return False
        self._place += 1
        self._wants = self._name if self._open[-1] == "}" else self._value
        return True

    def _close(self) -> bool:
        self._open.pop()
        self._place += 1
        self._after_number = False
        self._wants = self._next
        return True

    def _string(self) -> str | None:
        """Return the string that begins here, and go behind it; None where it is broken, and go to the break."""
        start = self._place
        self._place = _STRING.match(self._text, start).end()  # type: ignore[union-attr]
        if self._text[self._place : self._place + 1] != '"':
            return None
        self._place += 1
        raw = self._text[start : self._place]
        return str(json.loads(raw)) if "\\" in raw else raw[1:-1]


def _read(text: str, attempt: Attempt) -> tuple[Any, Written | None]:
    """Return an attempt's identity and what is written there, None where it is prose."""
    source = text[attempt.start : attempt.end]
    if not attempt.is_whole and _TAG.search(source):
        # Nobody can tell whether the tag stands in a string, or ends the thinking that the broken object is part of.
        return source, Written(None, "it breaks off around a tag of thinking")
    if not attempt.is_named:
        return None, None
    if not attempt.is_whole:
        if attempt.is_value_off:
            return source, Written(None, "a value in it is none of JSON's", is_off_scale=True)
        return source, Written(None, "its JSON breaks off or is wrong")
    if attempt.depth > DEEPEST:
        return source, Written(None, f"it is nested more than {DEEPEST} deep")
    faults: list[str] = []
    value = _decoded(source, faults)
    if faults:
        return source, Written(None, faults[0], is_off_scale=True)
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return source, Written(None, "a text in it holds half a character (a lone surrogate)")
    return _identity(value), Written(value)


def _decoded(source: str, faults: list[str]) -> Any:
    """Return the value; what cannot stand in an answer although it is grammatical is added to `faults`."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        content: dict[str, Any] = {}
        for name, value in pairs:
            if name in content:
                faults.append(f"the name {json.dumps(name[:80])} occurs twice in it")
            content[name] = value
        return content

    def constant(word: str) -> None:
        faults.append(f"{word} is no number of JSON")

    def number(digits: str) -> float:
        if len(digits) <= _LONGEST_NUMBER and _is_kept(digits):
            return float(digits)
        faults.append(f"the number {digits[:40]}{'…' * (len(digits) > 40)} cannot be held as it is written")
        return 0.0

    def whole(digits: str) -> int:
        if len(digits) <= 20:
            return int(digits)
        faults.append(f"the number {digits[:40]}{'…' * (len(digits) > 40)} is too large")
        return 0

    decoder = json.JSONDecoder(object_pairs_hook=once, parse_constant=constant, parse_float=number, parse_int=whole)
    return decoder.decode(source)


def _is_kept(digits: str) -> bool:
    """Return whether a number is finite and is not made a round one, as 0.75000000000000000001 would be made 0.75."""
    value = float(digits)
    if not math.isfinite(value):
        return False
    try:
        is_exact = Decimal(digits) == Decimal(repr(value))
    except InvalidOperation:
        return False
    return is_exact or len(Decimal(repr(value)).normalize().as_tuple().digits) > 15


def _identity(value: Any) -> Any:
    """Return what is equal for equal JSON values alone: 1 and 1.0 are, 1 and true are not."""
    if isinstance(value, dict):
        return "object", frozenset((name, _identity(each)) for name, each in value.items())
    if isinstance(value, list):
        return "list", tuple(_identity(each) for each in value)
    return ("word" if isinstance(value, bool) or value is None else "plain"), value

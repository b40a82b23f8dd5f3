"""JSON from files of unknown hands: what reads well but breaks what comes after is refused where it is read."""

from __future__ import annotations

import json
import math
from typing import Any

#: Lists and objects in one another; what this program writes has far fewer.
MOST_DEEP = 100
#: Whole numbers beyond this have no place in a table.
LARGEST = 2**63 - 1
_LONGEST_NUMBER = 40


class JsonFault(ValueError):
    """What is wrong with a JSON value; `field` says where in it, None where it cannot be told."""

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


class _TooLarge:
    """Stands for a number until the field in which it is written is known."""

    def __init__(self, digits: str) -> None:
        self.digits = digits


def read_json(data: bytes | str) -> Any:
    """Return a JSON value whose numbers are finite and in range, whose texts are whole, and in which no name stands twice.

    Raises:
        JsonFault: it is none; the message says what is wrong, without the field.
    """
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
        found = json.loads(
            text, object_pairs_hook=_once, parse_constant=_no_constant, parse_int=_whole, parse_float=_number
        )
    except JsonFault:
        raise
    except UnicodeDecodeError as error:
        raise JsonFault(f"UTF-8 text (byte {error.start + 1} is not)") from None
    except RecursionError:
        raise JsonFault(_depth_words()) from None
    except ValueError as error:
        raise JsonFault(str(error)) from None
    _check(found)
    return found


def _depth_words() -> str:
    return f"at most {MOST_DEEP} lists and objects in one another"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = min(name for name in names if names.count(name) > 1)
        raise JsonFault(f"a name stands twice in one object: {twice!r}")
    return found


def _no_constant(word: str) -> Any:
    raise JsonFault(f"{word} is no JSON")


def _whole(digits: str) -> int | _TooLarge:
    if len(digits) > _LONGEST_NUMBER or abs(int(digits)) > LARGEST:
        return _TooLarge(digits)
    return int(digits)


def _number(digits: str) -> float | _TooLarge:
    value = float(digits)
    return value if math.isfinite(value) else _TooLarge(digits)


def _check(value: Any) -> None:
    """Refuse numbers that are too large, half characters and too many levels, whatever part they stand in."""
    waiting: list[tuple[Any, str, int]] = [(value, "", 0)]
    while waiting:
        each, path, depth = waiting.pop()
        if isinstance(each, str):
            _check_text(each, path)
        elif isinstance(each, _TooLarge):
            digits = each.digits if len(each.digits) <= _LONGEST_NUMBER else f"{each.digits[:_LONGEST_NUMBER]}..."
            raise JsonFault(f"the number {digits} is too large", path or None)
        elif isinstance(each, dict | list):
            if depth >= MOST_DEEP:
                raise JsonFault(_depth_words(), path.partition(".")[0].partition("[")[0] or None)
            if isinstance(each, dict):
                for name in each:
                    _check_text(name, path)
                inner = [(part, f"{path}.{name}" if path else name, depth + 1) for name, part in each.items()]
            else:
                inner = [(part, f"{path}[{at}]", depth + 1) for at, part in enumerate(each)]
            waiting += reversed(inner)


def _check_text(text: str, path: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise JsonFault(
            f"half a character stands in a text (a lone surrogate, at character {error.start + 1})", path or None
        ) from None

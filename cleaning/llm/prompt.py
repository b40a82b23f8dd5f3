"""Prompts: files with named sections and places to fill, and texts of others put in so that they stay data."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import TypeVar

from audit_core.errors import CleaningError

T = TypeVar("T")

_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_PLACE = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file: `text` as it stands there, `hash` the SHA-256 of its bytes (64 hex digits), its sections by heading."""

    name: str
    text: str
    hash: str
    sections: Mapping[str, str]

    def fill(self, section: str, **values: str) -> str:
        """Return a section with each `{{place}}` filled; what is filled in is not looked through for places again.

        Raises:
            CleaningError: no such section, a place without a value, or a value without a place.
        """
        if section not in self.sections:
            raise CleaningError(f"The prompt {self.name} has no section {section!r}. Put it back into its file.")
        text = self.sections[section]
        places = set(_PLACE.findall(text))
        if places != set(values):
            wrong = ", ".join(sorted(places ^ set(values)))
            raise CleaningError(
                f"The section {section!r} of the prompt {self.name} has other places than it is filled with: {wrong}."
            )
        return _PLACE.sub(lambda match: values[match[1]], text)


@lru_cache(maxsize=32)
def load_prompt(name: str) -> Prompt:
    """Return the prompt called `name`.

    Raises:
        CleaningError: there is none; the message lists those that there are.
    """
    file = resources.files("cleaning.llm") / "prompts" / f"{name}.md"
    if name not in prompt_names():
        raise CleaningError(f"There is no prompt {name!r}. Choose one of: {', '.join(prompt_names())}.")
    return prompt_from(name, file.read_bytes())


def prompt_names() -> list[str]:
    """Return the names of all prompts, sorted."""
    folder = resources.files("cleaning.llm") / "prompts"
    return sorted(each.name.removesuffix(".md") for each in folder.iterdir() if each.name.endswith(".md"))


def prompt_from(name: str, content: bytes) -> Prompt:
    """Return the prompt that the bytes of a file hold; what stands before its first `## ` is for people alone."""
    text = content.decode("utf-8")
    parts = _HEADING.split(text)[1:]
    sections = {heading.strip(): body.strip() for heading, body in zip(parts[::2], parts[1::2], strict=True)}
    return Prompt(name, text, hashlib.sha256(content).hexdigest(), sections)


def quoted(values: Mapping[str, object]) -> str:
    """Return texts of others as a JSON object of one line, for the place between `<data>` and `</data>`.

    `<`, `>` and every character that cannot be seen are written as escapes: nothing in the texts can close the markers,
    begin a new line, or hide.
    """
    text = json.dumps(values, ensure_ascii=False)
    return "".join(each if each.isprintable() and each not in "<>" else _escaped(each) for each in text)


def _escaped(character: str) -> str:
    if character in "<>":
        return f"\\u{ord(character):04x}"
    return json.dumps(character)[1:-1]


def shuffled(values: Sequence[T], *, seed: int, query_id: str, repeat: int, what: str) -> tuple[T, ...]:
    """Return `values` in the order of this query and repeat: the same again for the same seed.

    Over a query's n repeats (n values) each value stands once at each place; over queries every order is equally likely.
    `what` tells two lists of one prompt apart.
    """
    turn, shift = divmod(repeat, len(values))
    order = list(values)
    # Seeded by text, which Random hashes with SHA-512: the same on every machine.
    random.Random(f"{seed}\0{what}\0{turn}\0{query_id.encode('utf-8', 'surrogatepass').hex()}").shuffle(order)
    return tuple(order[shift:] + order[:shift])

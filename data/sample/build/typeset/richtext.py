"""Marked-up text: `**bold**`, `*italic*`, `^{raised}`, `_{lowered}`, `~` narrow no-break space, `[^note]`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from typeset.fonts import Face, text_width
from typeset.hyphens import parts_of

_TOKEN = re.compile(r"\*\*|\*|\^\{([^}]*)\}|_\{([^}]*)\}|\[\^(\w+)\]|[^*^_\[]+|.")
_SMALL = 0.66
_NARROW = 0.2  # width of `~` in ems


class Bit(NamedTuple):
    """Text in one face, `rise` points above the baseline; `note` where it is a footnote mark."""

    text: str
    face: Face
    rise: float
    note: bool = False


@dataclass
class Fragment:
    """An unbreakable part of a line; `glue` after it is "space", "hyphen" (may divide here) or "none"."""

    bits: list[Bit] = field(default_factory=list)
    glue: str = "none"
    notes: list[str] = field(default_factory=list)


def plain(markup: str) -> str:
    """The words of `markup` as a reader would type them: 10^-34, M2, single spaces, no note marks."""
    text = re.sub(r"\[\^\w+\]", "", markup)
    text = re.sub(r"_\{([^}]*)\}", r"\1", text)
    text = re.sub(r"\^\{([^}]*)\}", lambda m: ("^" if re.match(r"[-\u2212\u20130-9]", m[1]) else "") + m[1], text)
    return " ".join(text.replace("**", "").replace("*", "").replace("~", " ").split())


def fragments(markup: str, face: Face, *, hyphenate: bool = True) -> list[Fragment]:
    """The line-breaking units of `markup` set in `face`."""
    out = [Fragment()]
    style = ""
    for match in _TOKEN.finditer(markup):
        token, (raised, lowered, note) = match[0], match.groups()
        current = face.styled(style)
        if token == "**":
            style = style.replace("b", "") if "b" in style else style + "b"
        elif token == "*":
            style = style.replace("i", "") if "i" in style else style + "i"
        elif raised is not None:
            out[-1].bits.append(Bit(raised, current.scaled(_SMALL), face.size * 0.36))
        elif lowered is not None:
            out[-1].bits.append(Bit(lowered, current.scaled(_SMALL), -face.size * 0.14))
        elif note is not None:
            out[-1].bits.append(Bit(note, face.scaled(_SMALL), face.size * 0.36, note=True))
            out[-1].notes.append(note)
        else:
            _add_words(out, token, current, hyphenate)
    return [fragment for fragment in out if fragment.bits]


def _add_words(out: list[Fragment], text: str, face: Face, hyphenate: bool) -> None:
    for piece in re.split(r"(\s+)", text):
        if not piece:
            continue
        if piece.isspace():
            if out[-1].bits:
                out[-1].glue = "space"
                out.append(Fragment())
            continue
        # A word that continues another face (a half-italic word) is not divided.
        parts = parts_of(piece) if hyphenate and not out[-1].bits else [piece]
        for number, part in enumerate(parts):
            if number:
                out[-1].glue = "hyphen"
                out.append(Fragment())
            out[-1].bits.append(Bit(part, face, 0.0))
            if part.endswith(("\u2013", "/")) and number == len(parts) - 1:
                out[-1].glue = "none"


@cache
def bit_width(bit: Bit, kerned: bool) -> float:
    """Points that `bit` takes; `~` counts as a fifth of an em."""
    pieces = bit.text.split("~")
    return sum(text_width(piece, bit.face, kerned) for piece in pieces) + (len(pieces) - 1) * _NARROW * bit.face.size


def bits_width(bits: list[Bit], kerned: bool) -> float:
    """Points that a run of bits takes."""
    return sum(bit_width(bit, kerned) for bit in bits)


def markup_width(markup: str, face: Face, kerned: bool) -> float:
    """Points that `markup` takes on one line."""
    parts = fragments(markup, face, hyphenate=False)
    gaps = sum(1 for part in parts[:-1] if part.glue == "space")
    return sum(bits_width(part.bits, kerned) for part in parts) + gaps * text_width(" ", face, kerned)

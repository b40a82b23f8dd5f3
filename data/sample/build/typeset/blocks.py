"""What a document is made of: headings, paragraphs, lists, figures; each turns into pieces for a column."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from typeset.fonts import Face
from typeset.linebreak import Line, break_lines
from typeset.richtext import Bit, fragments
from typeset.surface import INK, Colour, Surface, TextOp

Rect = tuple[float, float, float, float]


@dataclass(frozen=True)
class Part:
    """An element inside a block: its kind, key, text and box from the block's top left corner."""

    kind: str
    key: str
    text: str
    box: Rect


@dataclass
class Piece:
    """The smallest thing a column takes: a line, a table, a figure."""

    height: float
    draw: Callable[[Surface, float, float], None]
    width: float
    text: str = ""
    before: float = 0.0
    keep: bool = False  # stays with the next piece
    notes: list[str] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    divided: bool = False
    left: float = 0.0


@dataclass(frozen=True)
class TextStyle:
    """How a run of text is set: face, leading (points), space before and after, alignment, indents."""

    face: Face
    leading: float
    before: float = 0.0
    after: float = 0.0
    align: str = "justify"
    first: float = 0.0
    left: float = 0.0
    colour: Colour = INK


@dataclass
class Block:
    """The base of all blocks: `key` names its element; `wide` spans all columns; `headword` feeds running heads."""

    key: str = ""
    kind: str = "Text"
    wide: bool = False
    headword: str = ""
    floats: bool = False
    after: float = 0.0

    def pieces(self, width: float, kerned: bool) -> list[Piece]:
        """The pieces of this block in a column `width` points wide."""
        raise TypeError(f"a {type(self).__name__} has no pieces of its own: the flow lays it out as a whole")


@dataclass
class Text(Block):
    """A paragraph, heading, list item or caption; `label` hangs in the left indent (a bullet or a number)."""

    markup: str = ""
    style: TextStyle = field(default_factory=lambda: TextStyle(Face("serif", "", 10), 13))
    label: str = ""
    keep_next: bool = False
    whole: bool = False

    def pieces(self, width: float, kerned: bool) -> list[Piece]:
        """One piece a line, so that a paragraph can run on in the next column."""
        style = self.style
        lines = break_lines(
            fragments(self.markup, style.face),
            style.face,
            width - style.left,
            align=style.align,
            kerned=kerned,
            first_indent=style.first,
        )
        texts = _line_texts(lines)
        out = []
        for number, (line, words) in enumerate(zip(lines, texts, strict=True)):
            stays = self.whole or number == 0 or number == len(lines) - 2
            out.append(
                Piece(
                    height=style.leading,
                    text=words,
                    width=line.width + style.left + (style.first if number == 0 else 0.0),
                    notes=line.notes,
                    draw=_line_drawer(line, style, self.label if number == 0 else ""),
                    divided=line.divided,
                    before=style.before if number == 0 else 0.0,
                    keep=stays if number < len(lines) - 1 else self.keep_next,
                    left=0.0 if self.label or style.align != "center" else line.runs[0][0],
                )
            )
        return out


def _line_drawer(line: Line, style: TextStyle, label: str) -> Callable[[Surface, float, float], None]:
    def draw(surface: Surface, x: float, y: float) -> None:
        baseline = y + (style.leading - style.face.size) / 2 + style.face.size * 0.8
        if label:
            surface.markup(
                x + style.left - style.face.size * 0.55,
                baseline,
                label,
                style.face,
                colour=style.colour,
                anchor="right",
            )
        for offset, bits in line.runs:
            surface.bits(x + style.left + offset, baseline, bits, style.colour)

    return draw


def _line_texts(lines: list[Line]) -> list[str]:
    out = []
    for line in lines:
        words = " ".join("".join(_readable(bit) for bit in bits) for _, bits in line.runs)
        out.append(words[:-1] + "\u00ad" if line.divided else words)
    return out


def _readable(bit: Bit) -> str:
    text = "" if bit.note else bit.text.replace("~", " ")
    if bit.rise > 0:
        return "^" + text if text[:1] in "-\u2212\u2013" or text[:1].isdigit() else text
    return text


@dataclass
class Space(Block):
    """White space, dropped at the top of a column."""

    height: float = 6.0

    def pieces(self, width: float, kerned: bool) -> list[Piece]:
        """One empty piece."""
        return [Piece(height=self.height, width=0.0, draw=lambda surface, x, y: None)]


@dataclass
class Break(Block):
    """Go on at the next page (or column); `landscape` turns the new page."""

    column: bool = False
    landscape: bool = False


@dataclass
class Group(Block):
    """Blocks that stay together in one column, in order (a figure with its caption)."""

    blocks: list[Block] = field(default_factory=list)


@dataclass
class Figure(Block):
    """A drawing: `paint(surface, x, y, width, height)`; `numbers` says in words what was plotted, for checks."""

    kind: str = "Image"
    height: float = 150.0
    paint: Callable[[Surface, float, float, float, float], None] = lambda surface, x, y, w, h: None
    numbers: str = ""
    before: float = 9.0

    def pieces(self, width: float, kerned: bool) -> list[Piece]:
        """One piece, whose text is every label drawn, left to right as drawn, and the plotted numbers."""
        trial = Surface(width, self.height, kerned)
        self.paint(trial, 0.0, 0.0, width, self.height)
        labels = [op.text for op in trial.ops if isinstance(op, TextOp)]
        words = " ".join([*labels, *([self.numbers] if self.numbers else [])])
        return [
            Piece(
                height=self.height,
                width=width,
                text=words,
                before=self.before,
                keep=True,
                draw=lambda surface, x, y: self.paint(surface, x, y, width, self.height),
            )
        ]


def text_of(pieces: list[Piece]) -> str:
    """The words of consecutive lines of one block, division hyphens taken out."""
    return " ".join(piece.text for piece in pieces).replace("\u00ad ", "").replace("\u00ad", "")

"""Tables with rules above, below and under the head, columns aligned, and every row an element."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from typeset.blocks import Block, Part, Piece
from typeset.fonts import Face
from typeset.linebreak import Line, break_lines
from typeset.richtext import fragments, markup_width, plain
from typeset.surface import INK, RULE, Colour, Surface


@dataclass
class Column:
    """One column: `align` "left", "right" or "center"; `width` in points (None: as wide as its content)."""

    align: str = "left"
    width: float | None = None
    wraps: bool = False


@dataclass
class Table(Block):
    """A table; `rows` are marked-up cells. Row `n`'s element key is `key/first cell`, the head's `key/head`."""

    kind: str = "Table"
    columns: list[Column] = field(default_factory=list)
    head: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    face: Face = field(default_factory=lambda: Face("sans", "", 8))
    leading: float = 10.5
    gap: float = 10.0
    band: Colour | None = None
    head_fill: Colour | None = None
    head_colour: Colour = INK
    stretch: bool = True
    rules: bool = False  # a hairline under every row
    splits_after: tuple[int, ...] = ()  # rows after which a thin rule is drawn
    before: float = 3.0
    keep_next: bool = False
    pad: float = 2.0

    def pieces(self, width: float, kerned: bool) -> list[Piece]:
        """One piece that holds the whole table."""
        widths = self._widths(width, kerned)
        cells = [
            [
                self._cell(text, column, space, self.face if number else self.face.styled("b"), kerned)
                for text, column, space in zip(row, self.columns, widths, strict=True)
            ]
            for number, row in enumerate([self.head, *self.rows])
        ]
        heights = [max(len(cell) for cell in row) * self.leading + 2 * self.pad for row in cells]
        total = sum(widths) + self.gap * len(widths)
        tops = [sum(heights[:number]) for number in range(len(heights) + 1)]
        parts = []
        for number, row in enumerate([self.head, *self.rows]):
            kind, name = ("Table Row", plain(row[0])) if number else ("Table Head", "head")
            parts.append(
                Part(
                    kind,
                    f"{self.key}/{name}",
                    " ".join(plain(cell) for cell in row if cell),
                    (0.0, tops[number], total, tops[number + 1]),
                )
            )
        text = " ".join(part.text for part in parts)
        return [
            Piece(
                height=tops[-1] + 1.0,
                width=total,
                text=text,
                before=self.before,
                parts=parts,
                draw=self._drawer(cells, widths, tops, total),
                keep=self.keep_next,
            )
        ]

    def _cell(self, text: str, column: Column, width: float, face: Face, kerned: bool) -> list[Line]:
        room = width if column.wraps else max(width, markup_width(text, face, kerned)) + 0.1
        return break_lines(fragments(text, face), face, room, align=column.align, kerned=kerned) or [Line()]

    def _widths(self, width: float, kerned: bool) -> list[float]:
        natural = [
            max(
                markup_width(row[number], self.face.styled("b") if row is self.head else self.face, kerned)
                for row in [self.head, *self.rows]
            )
            + 0.2
            for number in range(len(self.columns))
        ]
        out = [
            wide if column.width is None else column.width for wide, column in zip(natural, self.columns, strict=True)
        ]
        spare = width - sum(out) - self.gap * len(out)
        wrapping = [number for number, column in enumerate(self.columns) if column.wraps]
        chosen = wrapping or [number for number, column in enumerate(self.columns) if column.width is None]
        if chosen and ((spare < 0 and wrapping) or (spare > 0 and self.stretch)):
            for number in chosen:
                out[number] += spare / len(chosen)
        return out

    def _drawer(
        self, cells: list[list[list[Line]]], widths: list[float], tops: list[float], total: float
    ) -> Callable[[Surface, float, float], None]:
        def draw(surface: Surface, x: float, y: float) -> None:
            if self.head_fill:
                surface.rect(x, y, x + total, y + tops[1], fill=self.head_fill)
            for number, row in enumerate(cells):
                if self.band and number and number % 2 == 0:
                    surface.rect(x, y + tops[number], x + total, y + tops[number + 1], fill=self.band)
                self._draw_row(surface, x, y + tops[number], row, widths, self.head_colour if number == 0 else INK)
            self._draw_rules(surface, x, y, tops, total)

        return draw

    def _draw_row(
        self, surface: Surface, x: float, y: float, row: list[list[Line]], widths: list[float], colour: Colour
    ) -> None:
        left = x + self.gap / 2
        for cell, width in zip(row, widths, strict=True):
            for number, line in enumerate(cell):
                base = y + self.pad + number * self.leading + (self.leading + self.face.size * 0.68) / 2
                for offset, bits in line.runs:
                    surface.bits(left + offset, base, bits, colour)
            left += width + self.gap

    def _draw_rules(self, surface: Surface, x: float, y: float, tops: list[float], total: float) -> None:
        surface.line(x, y, x + total, y, stroke=1.0)
        surface.line(x, y + tops[1], x + total, y + tops[1], stroke=0.5)
        for number in range(2, len(tops) - 1):
            if self.rules or number - 1 in self.splits_after:
                surface.line(x, y + tops[number], x + total, y + tops[number], stroke=0.3, colour=RULE)
        surface.line(x, y + tops[-1], x + total, y + tops[-1], stroke=1.0)

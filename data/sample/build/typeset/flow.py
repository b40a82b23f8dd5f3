"""Blocks poured into the columns of pages; what comes out are drawn pages and the boxes of their elements."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from typeset.blocks import Block, Break, Group, Piece, Rect, Text, TextStyle, text_of
from typeset.errors import BuildError
from typeset.richtext import plain
from typeset.surface import INK, Surface


@dataclass(frozen=True)
class Element:
    """A page element: its key (empty: unnamed), kind, page index, box in points of the page, and text."""

    key: str
    kind: str
    page: int
    box: Rect
    text: str


@dataclass
class PageInfo:
    """What a running head may need: page index, printed label, first and last headword on the page."""

    index: int
    label: str | None
    surface: Surface
    frame: Rect
    headwords: list[str] = field(default_factory=list)
    carried: str = ""  # the headword under which the page begins
    columns_top: float = 0.0  # where the columns begin, below blocks that span them


@dataclass
class Layout:
    """A page design: size and margins in points (left, top, right, bottom), columns, running heads, footnotes."""

    width: float
    height: float
    margins: Rect
    kerned: bool
    labels: list[str | None]
    chrome: Callable[[PageInfo], None]
    columns: int = 1
    gutter: float = 18.0
    note_style: TextStyle | None = None
    notes: dict[str, str] = field(default_factory=dict)
    mirrored: bool = False  # odd and even pages swap left and right margins


@dataclass
class _Column:
    x: float
    top: float
    bottom: float
    y: float
    width: float
    notes: list[tuple[str, list[Piece]]] = field(default_factory=list)

    def free(self) -> float:
        return self.bottom - self.y - self.note_height(self.notes)

    @staticmethod
    def note_height(notes: list[tuple[str, list[Piece]]]) -> float:
        return sum(piece.height for _, pieces in notes for piece in pieces) + (9.0 if notes else 0.0)


class Flow:
    """Pours blocks into pages. After `run`, `pages` and `elements` hold the result, in reading order."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.pages: list[PageInfo] = []
        self.elements: list[Element] = []
        self._columns: list[_Column] = []
        self._current = 0
        self._waiting: list[Block] = []
        self._landscape = False
        self._tail = 0.0
        self._open: tuple[Block, _Column, int, list[Piece]] | None = None

    def run(self, blocks: list[Block]) -> None:
        """Set all blocks."""
        self._new_page()
        for block, following in zip(blocks, [*blocks[1:], None], strict=True):
            self._tail = self._opening_height(block, following)
            if isinstance(block, Break):
                self._turn(block)
            elif (block.floats and not self._fits(block)) or (
                block.wide and self.layout.columns > 1 and not self._at_page_top()
            ):
                self._waiting.append(block)
            else:
                self._place(block)
        while self._waiting:
            self._new_page()
        self._finish_page()

    def _turn(self, block: Break) -> None:
        if block.column and self._current + 1 < len(self._columns):
            self._current += 1
            return
        self._landscape = block.landscape
        self._new_page()

    def _at_page_top(self) -> bool:
        return self._current == 0 and all(column.y == column.top for column in self._columns)

    def _new_page(self) -> None:
        if self.pages:
            self._finish_page()
        index, layout = len(self.pages), self.layout
        if index >= len(layout.labels):
            raise BuildError(
                f"The text runs on to page index {index}, but only {len(layout.labels)} page labels are "
                "given: shorten the text or add a label."
            )
        width, height = (layout.height, layout.width) if self._landscape else (layout.width, layout.height)
        left, top, right, bottom = layout.margins
        if layout.mirrored and index % 2:
            left, right = right, left
        frame = (left, top, width - right, height - bottom)
        heard = [word for page in self.pages for word in page.headwords]
        self.pages.append(
            PageInfo(
                index,
                layout.labels[index],
                Surface(width, height, layout.kerned),
                frame,
                carried=heard[-1] if heard else "",
            )
        )
        count = 1 if self._landscape else layout.columns
        space = (frame[2] - frame[0] - layout.gutter * (count - 1)) / count
        self._columns = [
            _Column(frame[0] + number * (space + layout.gutter), top, frame[3], top, space) for number in range(count)
        ]
        self._current = 0
        waiting, self._waiting = self._waiting, []
        for number, block in enumerate(waiting):
            if block.wide and not self._at_page_top() and layout.columns > 1:
                self._waiting += waiting[number:]
                break
            self._place(block)

    def _finish_page(self) -> None:
        for column in self._columns:
            self._draw_notes(column)
        self.pages[-1].columns_top = self._columns[0].top
        self.layout.chrome(self.pages[-1])

    def _opening_height(self, block: Block, following: Block | None) -> float:
        # A heading must not end a column: it asks for room for the first lines that follow it.
        if block.kind != "Headline" or following is None or isinstance(following, Break):
            return 0.0
        height = block.after
        for piece in _members(following)[0].pieces(self._columns[0].width, self.layout.kerned):
            height += piece.height + piece.before
            if not piece.keep:
                break
        return height

    def _fits(self, block: Block) -> bool:
        column = self._columns[self._current]
        need = sum(
            piece.height + piece.before
            for part in _members(block)
            for piece in part.pieces(column.width, self.layout.kerned)
        )
        return need <= column.free()

    def _place(self, block: Block) -> None:
        members = _members(block)
        spans = block.wide and len(self._columns) > 1
        width = self._columns[-1].x + self._columns[-1].width - self._columns[0].x if spans else self._columns[0].width
        queue = [(member, piece) for member in members for piece in member.pieces(width, self.layout.kerned)]
        together = isinstance(block, Group)
        start = 0
        while start < len(queue):
            end = start + 1
            while end < len(queue) and (together or queue[end - 1][1].keep):
                end += 1
            self._take(queue[start:end], spans, reserve=self._tail if end == len(queue) else 0.0)
            start = end
        if spans:
            below = self._columns[0].y + block.after
            for column in self._columns:
                column.y = column.top = below
        else:
            self._columns[self._current].y += block.after
        if block.headword:
            self.pages[-1].headwords.append(block.headword)

    def _take(self, run: list[tuple[Block, Piece]], spans: bool, reserve: float) -> None:
        notes = self._note_pieces([mark for _, piece in run for mark in piece.notes])
        height = sum(piece.height + piece.before for _, piece in run)
        for attempt in range(4):
            column = self._columns[self._current]
            extra = _Column.note_height(column.notes + notes) - _Column.note_height(column.notes)
            at_top = column.y == column.top
            if height - (run[0][1].before if at_top else 0.0) + extra + reserve <= column.free() + 0.01:
                break
            if attempt == 3:
                raise BuildError(f"The block {run[0][0].key or run[0][1].text[:40]!r} is higher than a column.")
            self._next_column()
        column = self._columns[self._current]
        column.notes += notes
        for block, piece in run:
            at_top = column.y == column.top
            column.y += 0.0 if at_top else piece.before
            piece.draw(self.pages[-1].surface, column.x, column.y)
            self._record(block, piece, column)
            column.y += piece.height

    def _next_column(self) -> None:
        if self._current + 1 < len(self._columns):
            self._current += 1
            floats = [block for block in self._waiting if not block.wide]
            self._waiting = [block for block in self._waiting if block.wide]
            for block in floats:
                self._place(block)
        else:
            self._landscape = False
            self._new_page()

    def _note_pieces(self, marks: list[str]) -> list[tuple[str, list[Piece]]]:
        style = self.layout.note_style
        if not marks or style is None:
            return []
        width = self._columns[0].width
        out = []
        for mark in marks:
            text = Text(markup=f"^{{{mark}}}~{self.layout.notes[mark]}", style=style)
            out.append((mark, text.pieces(width, self.layout.kerned)))
        return out

    def _draw_notes(self, column: _Column) -> None:
        if not column.notes:
            return
        y = column.bottom - sum(piece.height for _, pieces in column.notes for piece in pieces)
        surface = self.pages[-1].surface
        surface.line(column.x, y - 4.5, column.x + 60.0, y - 4.5, stroke=0.4, colour=INK)
        for mark, pieces in column.notes:
            top = y
            for piece in pieces:
                piece.draw(surface, column.x, y)
                y += piece.height
            wide = max(piece.width for piece in pieces)
            self.elements.append(
                Element(
                    f"note-{mark}",
                    "Text",
                    self.pages[-1].index,
                    (column.x, top, column.x + wide, y),
                    plain(self.layout.notes[mark]),
                )
            )

    def _record(self, block: Block, piece: Piece, column: _Column) -> None:
        if not piece.text:
            return
        page, x, y = self.pages[-1].index, column.x, column.y
        if block.headword and not any(element.page == page for element in self.elements):
            self.pages[-1].carried = ""  # the page opens with a new entry
        box = (x + piece.left, y, x + piece.left + piece.width, y + piece.height)
        open_run = self._open
        if open_run is not None and open_run[0] is block and open_run[1] is column:
            open_run[3].append(piece)
            old = self.elements[open_run[2]]
            grown = (min(old.box[0], box[0]), old.box[1], max(old.box[2], box[2]), box[3])
            self.elements[open_run[2]] = Element(old.key, old.kind, page, grown, _clean(text_of(open_run[3])))
        else:
            self.elements.append(Element(block.key, block.kind, page, box, _clean(piece.text)))
            self._open = (block, column, len(self.elements) - 1, [piece])
        for part in piece.parts:
            inner = (x + part.box[0], y + part.box[1], x + part.box[2], y + part.box[3])
            self.elements.append(Element(part.key, part.kind, page, inner, part.text))


def _members(block: Block) -> list[Block]:
    return block.blocks if isinstance(block, Group) else [block]


def _clean(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\u00ad", "")).strip()

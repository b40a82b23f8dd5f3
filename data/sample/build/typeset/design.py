"""A document's look: one Design makes its headings, paragraphs, lists, tables and captioned figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from typeset.blocks import Block, Figure, Group, Rect, Text, TextStyle
from typeset.flow import Layout
from typeset.fonts import Face
from typeset.surface import Surface
from typeset.tables import Column, Table

Paint = Callable[[Surface, float, float, float, float], None]


@dataclass
class Design:
    """The styles of a document, and makers of its blocks."""

    body: TextStyle
    heads: list[TextStyle]
    caption: TextStyle
    small: TextStyle
    table_face: Face
    table_leading: float
    item_indent: float = 14.0
    table_options: dict[str, object] = field(default_factory=dict)

    def head(self, markup: str, level: int = 0, *, key: str = "", headword: str = "") -> Text:
        """A heading."""
        return Text(
            key=key,
            kind="Headline",
            markup=markup,
            style=self.heads[level],
            keep_next=True,
            whole=True,
            headword=headword,
            after=self.heads[level].after,
        )

    def para(self, markup: str, *, key: str = "", first: bool = False, headword: str = "", whole: bool = False) -> Text:
        """A paragraph; `first` leaves out the indent that marks a following paragraph."""
        style = replace(self.body, first=0.0) if first else self.body
        return Text(key=key, markup=markup, style=style, headword=headword, after=style.after, whole=whole)

    def items(self, *entries: str, key: str = "", numbered: bool = False) -> list[Block]:
        """A list; item n's key is `key/n`."""
        style = replace(self.body, first=0.0, left=self.item_indent)
        last = len(entries)
        return [
            Text(
                key=f"{key}/{number}" if key else "",
                kind="List",
                markup=entry,
                style=style,
                whole=True,
                label=f"{number}." if numbered else "\u2022",
                after=self.body.leading * 0.4 if number == last else 1.0,
            )
            for number, entry in enumerate(entries, start=1)
        ]

    def sources(self, *entries: str) -> list[Block]:
        """The list of works a document draws on, in small type."""
        style = replace(self.small, left=self.item_indent)
        return [
            Text(
                key=f"source/{number}",
                kind="List",
                markup=entry,
                style=style,
                label=f"{number}.",
                after=1.0,
                whole=True,
            )
            for number, entry in enumerate(entries, start=1)
        ]

    def figure(
        self,
        key: str,
        height: float,
        paint: Paint,
        caption: str,
        *,
        numbers: str = "",
        wide: bool = False,
        floats: bool = True,
    ) -> Group:
        """A drawing above its caption."""
        return Group(
            wide=wide,
            floats=floats,
            after=9.0,
            blocks=[
                Figure(key=key, height=height, paint=paint, numbers=numbers),
                Text(key=f"{key}-caption", kind="Image Caption", markup=caption, style=self.caption, whole=True),
            ],
        )

    def table(
        self,
        key: str,
        caption: str,
        columns: list[Column],
        head: list[str],
        rows: list[list[str]],
        *,
        note: str = "",
        wide: bool = False,
        floats: bool = True,
        **options: object,
    ) -> Group:
        """A table below its title, with an optional note."""
        chosen = {"face": self.table_face, "leading": self.table_leading, **self.table_options, **options}
        table = Table(key=key, columns=columns, head=head, rows=rows)
        for name, value in chosen.items():
            setattr(table, name, value)
        blocks: list[Block] = [
            Text(
                key=f"{key}-caption",
                kind="Text",
                markup=caption,
                style=replace(self.caption, before=9.0),
                keep_next=True,
                whole=True,
            ),
            table,
        ]
        if note:
            blocks.append(
                Text(key=f"{key}-note", kind="Text", markup=note, style=replace(self.small, before=3.0), whole=True)
            )
        return Group(wide=wide, floats=floats, after=9.0, blocks=blocks)


@dataclass
class Document:
    """One document of the set: what the bundle says of it, its layout, and its blocks."""

    document_id: str
    source: str
    domain: str
    title: str
    media: str  # "png", "webp", "jpg" or "pdf"
    pixels: int  # width of an upright page image; unused for a PDF
    layout: Layout
    blocks: list[Block]
    crop: Rect = (12.0, 12.0, 12.0, 12.0)  # points cut off a PDF sheet: left, top, right, bottom

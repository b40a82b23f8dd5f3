"""The look of the companion to the coast, and the form of an entry."""

from __future__ import annotations

from typeset.blocks import Block, TextStyle
from typeset.design import Design
from typeset.fonts import Face
from typeset.tables import Column

BODY = TextStyle(Face("book", "", 9.7), 14.2, first=10.0)
DESIGN = Design(
    body=BODY,
    heads=[
        TextStyle(Face("plain", "b", 11), 14, before=12, after=2.5, align="left"),
        TextStyle(Face("plain", "bi", 8.8), 12, before=7, after=1.5, align="left"),
    ],
    caption=TextStyle(Face("plain", "", 7.4), 10.0, align="left", before=5),
    small=TextStyle(Face("book", "", 7.6), 10.4, align="left"),
    table_face=Face("plain", "", 7.5),
    table_leading=10.4,
    item_indent=11.0,
    table_options={"gap": 7.0},
)
p, h = DESIGN.para, DESIGN.head
L, R = Column(), Column("right")


def entry(word: str, markup: str, *, key: str) -> list[Block]:
    """An entry: its headword and its first paragraph."""
    return [h(word, headword=word.upper()), p(markup, key=key, first=True)]

"""The look of the chapter on the elements."""

from __future__ import annotations

from typeset.blocks import TextStyle
from typeset.design import Design
from typeset.fonts import Face
from typeset.surface import Colour
from typeset.tables import Column

GREEN: Colour = (28, 92, 72)
DESIGN = Design(
    body=TextStyle(Face("book", "", 9.6), 14.0, first=12.0),
    heads=[
        TextStyle(Face("plain", "b", 11.6), 15.6, before=14.0, after=3.5, align="left", colour=GREEN),
        TextStyle(Face("plain", "bi", 9.2), 13.0, before=8.0, after=2.5, align="left", colour=GREEN),
    ],
    caption=TextStyle(Face("plain", "", 7.9), 10.8, align="left", before=5.0),
    small=TextStyle(Face("book", "", 7.8), 10.4, align="left"),
    table_face=Face("plain", "", 8.0),
    table_leading=11.2,
)
p, h = DESIGN.para, DESIGN.head
L, R = Column(), Column("right")

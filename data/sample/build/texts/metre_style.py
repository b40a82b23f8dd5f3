"""The look of the chapter on the metre."""

from __future__ import annotations

from typeset.blocks import TextStyle
from typeset.design import Design
from typeset.fonts import Face
from typeset.tables import Column

BODY = TextStyle(Face("serif", "", 10.7), 14.4, first=13.0)
DESIGN = Design(
    body=BODY,
    heads=[
        TextStyle(Face("sans", "b", 11.8), 15.6, before=15.0, after=3.5, align="left"),
        TextStyle(Face("sans", "bi", 9.4), 13.0, before=9.0, after=3.0, align="left"),
    ],
    caption=TextStyle(Face("sans", "", 8.3), 11.0, align="left", before=5.0),
    small=TextStyle(Face("serif", "", 8.4), 10.4, align="left"),
    table_face=Face("sans", "", 8.3),
    table_leading=11.4,
)
p, h = DESIGN.para, DESIGN.head
L, R = Column(), Column("right")

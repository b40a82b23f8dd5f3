"""The look of the report on the planets."""

from __future__ import annotations

from typeset.blocks import TextStyle
from typeset.design import Design
from typeset.fonts import Face
from typeset.surface import Colour
from typeset.tables import Column

NAVY: Colour = (22, 54, 92)
BAND: Colour = (243, 245, 248)
BODY = TextStyle(Face("sans", "", 10.8), 16.2, align="left", after=7)
DESIGN = Design(
    body=BODY,
    heads=[
        TextStyle(Face("serif", "b", 18), 23, before=18, after=6, align="left", colour=NAVY),
        TextStyle(Face("sans", "b", 11.2), 16, before=9, after=3, align="left", colour=NAVY),
    ],
    caption=TextStyle(Face("sans", "", 9.2), 12.2, align="left", before=6),
    small=TextStyle(Face("sans", "", 8.2), 11.0, align="left"),
    table_face=Face("sans", "", 9.8),
    table_leading=13.6,
    table_options={"band": BAND, "pad": 3.8},
)
p, h = DESIGN.para, DESIGN.head
L, R = Column(), Column("right")

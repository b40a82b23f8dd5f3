"""The look of the harbour yearbook."""

from __future__ import annotations

from typeset.blocks import TextStyle
from typeset.design import Design
from typeset.fonts import Face
from typeset.surface import Colour
from typeset.tables import Column

MARINE: Colour = (14, 72, 92)
DESIGN = Design(
    body=TextStyle(Face("serif", "", 11), 15.2, align="justify", after=4, first=12),
    heads=[
        TextStyle(Face("sans", "b", 16), 21, before=14, after=5, align="left", colour=MARINE),
        TextStyle(Face("sans", "b", 10.6), 15, before=9, after=3, align="left", colour=MARINE),
    ],
    caption=TextStyle(Face("sans", "", 8.6), 11.4, align="left", before=5),
    small=TextStyle(Face("sans", "", 8.0), 10.6, align="left"),
    table_face=Face("sans", "", 9.2),
    table_leading=12.2,
    item_indent=16,
    table_options={"pad": 2.0, "head_fill": (224, 236, 240)},
)
p, h = DESIGN.para, DESIGN.head
L, R = Column(), Column("right")

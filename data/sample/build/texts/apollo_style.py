"""The look of the magazine: red heads, cream bands, ragged columns."""

from __future__ import annotations

from typeset.blocks import Block, Text, TextStyle
from typeset.design import Design
from typeset.fonts import Face
from typeset.surface import GREY, Colour
from typeset.tables import Column

RED: Colour = (158, 34, 42)
CREAM: Colour = (246, 240, 226)
DESIGN = Design(
    body=TextStyle(Face("serif", "", 11.4), 15.4, align="left", after=5),
    heads=[
        TextStyle(Face("serif", "b", 20), 24, before=6, after=4, align="left"),
        TextStyle(Face("sans", "b", 10.4), 14, before=8, after=2, align="left", colour=RED),
    ],
    caption=TextStyle(Face("sans", "", 8.0), 10.6, align="left", before=4),
    small=TextStyle(Face("sans", "", 7.8), 10.4, align="left"),
    table_face=Face("sans", "", 8.4),
    table_leading=11.2,
    item_indent=12.0,
    table_options={"gap": 7.0, "pad": 2.6, "head_fill": RED, "head_colour": (255, 255, 255), "band": CREAM},
)
p, h = DESIGN.para, DESIGN.head
L, R = Column(), Column("right")


def kicker(title: str, under: str) -> list[Block]:
    """The head of an article across both columns, with its line of dates."""
    return [
        Text(kind="Headline", markup=title, style=DESIGN.heads[0], wide=True, keep_next=True, whole=True),
        Text(
            markup=under,
            style=TextStyle(Face("sans", "i", 10), 14, align="left", colour=GREY),
            wide=True,
            whole=True,
            after=6,
        ),
    ]

"""Entries of the companion to the coast on the lead, on light characters and on lighthouses."""

from __future__ import annotations

from typeset.blocks import Block
from typeset.tables import Column

from texts import coast_figures as drawn
from texts.coast_more import lifeboat
from texts.coast_style import DESIGN, R, h, p
from texts.coast_style import entry as _entry


def lights() -> list[Block]:
    """The entries from Lead to Lighthouse."""
    return [*_lead(), *_characters(), *_lighthouse()]


def _lead() -> list[Block]:
    return [
        *_entry(
            "Lead",
            "A weight on a line, thrown ahead of the ship to find the depth. The line was marked at 2, 3, 5, 7, 10, 13, "
            "15, 17 and 20 fathoms with leather and with cloth of different colours and weave, so that the leadsman could tell "
            "the marks by touch at night. A hollow in the foot of the weight was filled with tallow, to which sand, "
            "shell or mud from the bottom stuck.",
            key="lead-line",
        ),
    ]


def _characters() -> list[Block]:
    return [
        *lifeboat(),
        *_entry(
            "Light character",
            "The rhythm by which a light is told from others. On a chart it stands beside the "
            "position, shortened to a few letters. *Fixed* lights burn steadily. An *occulting* light is longer lit "
            "than dark, a *flashing* light longer dark than lit, and an *isophase* light is both for the same time.",
            key="characters",
        ),
        p(
            "A flash of two seconds or more is a *long flash*. A *quick* light gives at least 50 but fewer than 80 flashes in a "
            "minute, a *very quick* light at least 80 but fewer than 160, and an *ultra quick* light 160 or more. The *period* "
            "is the time after which the whole rhythm begins again.",
            key="flash-rates",
        ),
        DESIGN.figure(
            "rhythms",
            156,
            drawn.rhythms,
            "**Eight light characters** over twelve seconds. Yellow: light; grey: dark. "
            "The letters are those of charts and light lists.",
            numbers="; ".join(
                f"{name} {word} period {period:g} seconds" for name, (word, period, _) in drawn.RHYTHMS.items()
            ),
            wide=True,
        ),
    ]


def _lighthouse() -> list[Block]:
    return [
        *_entry(
            "Lighthouse",
            "A tower with a strong light, built to guide ships or to warn them. The most famous of "
            "antiquity, the Pharos of Alexandria, was built in the third century before Christ, under the first two "
            "Ptolemies; the name of Sostratus of Cnidus is tied to it. Earthquakes brought it down in the Middle Ages, and in "
            "1477 the fort of Qaitbay was begun on its site.",
            key="pharos",
        ),
        p(
            "The Tower of Hercules at A Coru\u00f1a in Spain is a Roman work and still in use, with an outer skin of the "
            "eighteenth century. It has been on the World Heritage list since 2009.",
            key="hercules",
        ),
        p(
            "The oldest light station of the United States is Boston Light, first lit on 14 September 1716. Its "
            "present tower dates from 1783.",
            key="boston",
        ),
        h("Towers in the open sea", 1),
        p(
            "A rock that the tide covers is the hardest site of all. The Eddystone, some 14 kilometres off the coast of Cornwall, "
            "has had four towers. That of Henry Winstanley was lit in 1698 and was swept away with its builder in the "
            "great storm of November 1703. John Rudyerd\u2019s wooden tower burned down in 1755. John Smeaton then built in "
            "granite blocks that were dovetailed into each other and laid in a lime that hardens under water; his light of 1759 "
            "became the model for all that followed. The present tower, by James Douglass, was lit in 1882.",
            key="eddystone",
            first=True,
        ),
        DESIGN.figure(
            "tower", 172, drawn.tower, "**A rock tower.** The wide foot is solid, to stand by its weight. Not to scale."
        ),
        p(
            "The Bell Rock off the coast of Angus in Scotland was lit on 1 February 1811. Its builder was Robert Stevenson, and it "
            "is the oldest sea-washed lighthouse still standing. On the same day of 1844 his son Alan lit Skerryvore, "
            "48 metres high and the tallest lighthouse in Scotland.",
            key="bell-rock",
        ),
        h("The lens", 1),
        p(
            "Open fires, then lamps with mirrors, were the rule until Augustin Fresnel joined the French lighthouse commission in "
            "1819. He saw that most of the glass of a thick lens does nothing but carry its curved surface. A lens cut into "
            "rings, each with the slope it needs, gathers as much light and is thin and light enough to hang in a lantern.",
            key="fresnel-idea",
            first=True,
        ),
        DESIGN.figure(
            "fresnel",
            176,
            drawn.fresnel,
            "**How a Fresnel lens works,** in section. Each ring bends the light of the "
            "lamp into the same level direction.",
            wide=True,
        ),
        p(
            "The first was lit in July 1823 in the tower of Cordouan at the mouth of the Gironde, a building finished in "
            "1611. Fresnel did not live to see his plan for the whole coast of France carried out; he died in 1827.",
            key="cordouan",
        ),
        DESIGN.table(
            "orders",
            "**Orders of lenses** by focal length, the distance from the lamp to the glass.",
            [Column(wraps=True), R],
            ["Order", "Focal length (mm)"],
            [
                ["first", "920"],
                ["second", "700"],
                ["third", "500"],
                ["fourth", "250"],
                ["fifth", "187.5"],
                ["sixth", "150"],
            ],
        ),
        p(
            "First-order lenses stood on the great sea-coast lights. The sixth order served harbours and piers.",
            key="orders-use",
        ),
        h("The lamp", 1),
        p(
            "Lamps burned whale oil, colza oil and later paraffin. An electric arc was tried at the South Foreland in 1858, and "
            "Souter Lighthouse in the north of England was in 1871 the first to be built for electric light. For places without "
            "a keeper the Swede Gustaf Dal\u00e9n invented a valve that the sun itself opens and shuts, so that gas is burned "
            "only by night. It brought him the Nobel Prize in Physics of 1912.",
            key="lamps",
            first=True,
        ),
        h("Moving a lighthouse", 1),
        p(
            "The brick tower of Cape Hatteras in North Carolina, finished in 1870, stood in danger from the sea. In 1999 it was "
            "moved inland in one piece, over a distance of 2900 feet, or about 880 metres.",
            key="hatteras",
            first=True,
        ),
    ]

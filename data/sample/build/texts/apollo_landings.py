"""The articles of the magazine about the landings themselves, and the flight that turned back."""

from __future__ import annotations

from typeset.blocks import Block, Break

from texts import apollo_figures as drawn
from texts.apollo_style import DESIGN, h, kicker, p


def landings() -> list[Block]:
    """Apollo 11 to 17 in four pages."""
    return [*_first_two(), *_thirteen_fourteen(), *_with_a_car()]


def _first_two() -> list[Block]:
    return [
        Break(),
        *kicker("Two landings in one year", "July and November 1969"),
        p(
            "**Apollo 11** left pad 39A on 16 July 1969 at 13:32. On 20 July Neil Armstrong and Edwin Aldrin went down in *Eagle* while "
            "Michael Collins stayed in *Columbia*. The computer gave alarms numbered 1202 and 1201, because it had more to do "
            "than time allowed; it dropped the lesser tasks and went on. Armstrong flew on past a field of boulders and set "
            "the ship down in the Sea of Tranquillity at 20:17.",
            key="eagle",
            first=True,
        ),
        p(
            "At 2:56 on 21 July he stepped off the ladder. Aldrin followed nineteen minutes later. They were outside for two hours and "
            "thirty-one minutes, set up a flag, a seismometer and a mirror for laser light, and gathered 21.6 kilograms of rock and soil. "
            "The plaque on the leg of the ship says that men from the planet Earth came in peace for all mankind.",
            key="first-steps",
        ),
        p(
            "The three came down in the Pacific on 24 July and were picked up by the carrier *Hornet*. They had to live for three weeks, "
            "counted from the landing, in quarantine, in case the Moon bore germs. It did not, and after Apollo 14 the rule was "
            "dropped.",
            key="quarantine",
        ),
        h("Lightning over the Cape", 1),
        p(
            "**Apollo 12** was struck by lightning twice, 36 and 52 seconds after it left the ground on 14 November 1969. The display of the "
            "command module went dark or wild. John Aaron in Houston remembered the pattern from a test and asked the crew "
            "to set a switch, SCE, to its auxiliary position. Alan Bean knew where it was, and the data came back.",
            key="lightning",
            first=True,
        ),
        p(
            "On 19 November Charles Conrad put *Intrepid* down in the Ocean of Storms, within 200 metres of his aim: the probe "
            "*Surveyor 3*, which had stood there since April 1967. In the second of two walks he and Bean cut off its camera and "
            "brought it home. Richard Gordon meanwhile kept *Yankee Clipper* in orbit.",
            key="surveyor",
        ),
        p("The colour television camera failed early in the first walk, when it was pointed at the Sun.", key="camera"),
        DESIGN.figure(
            "profile",
            150,
            drawn.flight_profile,
            "**The way there and back.** 1 launch, 2 leaving the Earth, 3 entering orbit round the "
            "Moon, 4 landing, 5 lift-off and docking, 6 leaving for home, 7 splashdown. Not to scale.",
            floats=False,
        ),
    ]


def _thirteen_fourteen() -> list[Block]:
    return [
        Break(),
        *kicker("Thirteen and fourteen", "April 1970 to February 1971"),
        p(
            "**Apollo 13** rose on 11 April 1970 with James Lovell, John Swigert and Fred Haise. Swigert had joined the crew only days "
            "before, in place of Thomas Mattingly, who had been exposed to German measles and did not catch them. Nearly 56 hours out, "
            "oxygen tank No.~2 of the service module burst. The fuel cells died for want of oxygen, and with them the power of *Odyssey*.",
            key="tank",
            first=True,
        ),
        p(
            "The crew moved into the lunar module *Aquarius* and used it as a lifeboat. It had been built to keep two men for two days; "
            "it had to keep three for four. The canisters that clean the air of carbon dioxide ran out first. Those of the "
            "command module were square, those of the lunar module round, and Houston read up to them how to join the two with hoses, "
            "cardboard, plastic bags and tape.",
            key="lifeboat",
        ),
        p(
            "They went once behind the Moon without going into orbit. On 15 April they were 400~171 kilometres from the Earth, the greatest "
            "distance of any crew in the programme. On 17 April they splashed down within sight of the *Iwo Jima*.",
            key="farthest",
        ),
        p(
            "The inquiry found the cause in thermostats. They had been made for 28 volts and were fed with 65 volts at the Cape; they "
            "welded shut during a test, the tank grew far too hot, and the insulation of the wires inside was "
            "burned off. The spark came when a fan was switched on in flight.",
            key="thermostats",
        ),
        h("The oldest man on the Moon", 1),
        p(
            "**Apollo 14** took over the goal of Apollo 13, the hills of Fra Mauro. Alan Shepard, in 1961 the first American in space, was 47 "
            "years old. With Stuart Roosa and Edgar Mitchell he left on 31 January 1971, after the first launch delay of the programme "
            "that was due to weather, of forty minutes. *Antares* landed on 5 February.",
            key="fra-mauro",
            first=True,
        ),
        p(
            "Docking on the way out had needed six attempts. On the ground, Shepard and Mitchell pulled a two-wheeled cart "
            "behind them and turned back a short way below the rim of Cone crater, without knowing how near they were. Before he left, "
            "Shepard hit two golf balls with a club head fixed to a sampling tool.",
            key="golf",
        ),
        p(
            "Roosa had taken some hundreds of tree seeds with him round the Moon. The *Moon trees* that were grown from "
            "them stand in many places in the United States.",
            key="moon-trees",
        ),
    ]


def _with_a_car() -> list[Block]:
    return [
        Break(),
        *kicker("Three journeys with a car", "July 1971 to December 1972"),
        p(
            "The last three crews stayed about three days and had a vehicle. The *lunar roving vehicle*, built by Boeing, weighed 210 kilograms on "
            "the Earth and travelled folded up at the side of the lunar module. Its four wheels were of woven wire, each with an electric motor of "
            "its own. The crew was never to drive farther than they could walk back.",
            key="rover",
            first=True,
        ),
        DESIGN.figure(
            "rover-km",
            126,
            drawn.rover_distance,
            "**Kilometres driven** by each of the three rovers.",
            numbers="Apollo 15 27.8 km; Apollo 16 26.7 km; Apollo 17 35.7 km",
            floats=False,
        ),
        p(
            "**Apollo 15.** David Scott and James Irwin landed *Falcon* beside Hadley Rille, at the foot of the Apennine mountains, on 30 July "
            "1971. At the end of the third walk Scott let a hammer and a falcon\u2019s feather drop together before the camera. With no "
            "air to slow the feather, they reached the ground at the same moment, as Galileo had said. On the way home Alfred "
            "Worden went outside to fetch films, on 5 August, the first man to do so far from any planet.",
            key="falcon",
        ),
        p(
            "**Apollo 16.** A fault in the main engine of *Casper* delayed the landing by six hours. John Young and Charles Duke came down "
            "in *Orion* on 21 April 1972 in the highlands near Descartes. The region had been chosen because it was thought to be volcanic. "
            "It was not: nearly every stone was breccia, broken and welded by impacts. Thomas Mattingly, kept from Apollo 13, flew "
            "the command module.",
            key="descartes",
        ),
        p(
            "The largest single stone brought back by any crew, *Big Muley*, weighs 11.7 kilograms. It was named after "
            "the head of the field geology team, William Muehlberger.",
            key="big-muley",
        ),
        p(
            "**Apollo 17** was the only one of the flights to start by night, on 7 December 1972. Eugene Cernan and Harrison Schmitt "
            "landed *Challenger* in the valley of Taurus-Littrow on 11 December, while Ronald Evans stayed in *America*. When a hammer tore off a "
            "fender of the rover, they made a new one of maps, tape and clamps, for without it the dust rained down on "
            "them.",
            key="taurus",
        ),
        p(
            "At Shorty crater Schmitt found soil of a bright orange. It is made of tiny beads of volcanic glass, thrown up by a fountain "
            "of lava some three and a half thousand million years ago.",
            key="orange-soil",
        ),
        h("A longer day\u2019s work", 1),
        p(
            "How much the car changed can be seen from the hours. The crew of Apollo 11 had been outside once, for two and a half hours. That of "
            "Apollo 17 went out three times, for 22 hours in all.",
            key="hours-outside",
            first=True,
        ),
    ]

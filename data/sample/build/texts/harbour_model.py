"""The formulas of the worked example: every number of the harbour yearbook comes from here, as the yearbook states."""

from __future__ import annotations

import math

YEARS = range(2011, 2021)
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
BERTHS = ("North Quay", "Bell Quay", "Timber Basin", "Ferry Pier")
KINDS = ("timber", "grain", "salt", "machinery")
FERRY_CLOSED = {(2016, 4), (2016, 5)}
DREDGED = {(2013, 6)}


def ships(year: int, month: int) -> int:
    """Rule 1: ships that arrived in a month."""
    season = 38 * math.sin(math.radians(30 * (month - 4)))
    cut = 20 if (year, month) in DREDGED else 0
    return round(140 + 4 * (year - 2011) + season) + (17 * year + 23 * month) % 11 - 5 - cut


def cargo(year: int, month: int) -> int:
    """Rule 2: cargo of a month in thousands of tonnes."""
    return round(ships(year, month) * (2.1 + 0.05 * (year - 2011))) + (13 * year + 7 * month) % 9


def passengers(year: int, month: int) -> int:
    """Rule 3: ferry passengers of a month."""
    if (year, month) in FERRY_CLOSED:
        return 0
    season = 4300 * math.sin(math.radians(30 * (month - 4)))
    return round(5200 + 150 * (year - 2011) + season) + (31 * year + 41 * month) % 97


def spring_range(year: int, month: int) -> float:
    """Rule 4: range of the spring tides of a month in metres."""
    equinox = 0.35 * math.cos(math.radians(60 * (month - 3)))
    nodes = 0.15 * math.cos(math.radians(360 * (year - 2015) / 18.6))
    return round(4.10 + equinox + nodes + 1e-9, 2)


def neap_range(year: int, month: int) -> float:
    """Rule 5: range of the neap tides, 0.37 of the springs."""
    return round(0.37 * spring_range(year, month) + 1e-9, 2)


def high_water(year: int, month: int) -> float:
    """Rule 6: mean high water springs above datum in metres."""
    return round(2.60 + spring_range(year, month) / 2 + 1e-9, 2)


def berth_share(year: int, berth: int) -> int:
    """Rule 7: per cent of the ships of a year that lay at a berth; the last takes the rest."""
    first = [34 + (year * 5) % 7, 25 + (year * 3) % 5, 18 + (year * 2) % 4]
    return first[berth] if berth < 3 else 100 - sum(first)


def kind_share(year: int, kind: int) -> int:
    """Rule 8: per cent of the cargo of a year by kind; the last takes the rest."""
    first = [31 - (year - 2011), 27 + (year * 4) % 5, 20 + (year * 7) % 3]
    return first[kind] if kind < 3 else 100 - sum(first)


def total(values: list[int]) -> int:
    """The sum of twelve months."""
    return sum(values)


def month_list(year: int, what: str) -> list[int]:
    """The twelve monthly numbers of "ships", "cargo" or "passengers"."""
    rule = {"ships": ships, "cargo": cargo, "passengers": passengers}[what]
    return [rule(year, month) for month in range(1, 13)]


def busiest(year: int, what: str) -> str:
    """The month with the largest number; the earlier of two."""
    values = month_list(year, what)
    return MONTHS[values.index(max(values))]


def spaced(number: int) -> str:
    """A number with a narrow space before its last three digits where it has five or more."""
    return f"{number // 1000}~{number % 1000:03d}" if number >= 10000 else str(number)

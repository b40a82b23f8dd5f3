"""How figures of agreement are written, and the sentences of the report."""

from __future__ import annotations

from collections.abc import Sequence

from audit_core.agreement.records import Figure, prevails
from audit_core.agreement.report import AgreementReport, Item
from audit_core.statistics.percent import percent_text, range_text

#: Figures that are parts of 1 and shown as percentages; the others are coefficients that may be negative.
_PERCENTAGES = ("percent", "exact")

#: So many things are named in a sentence; how many more there are is said.
MOST_NAMED = 6


def is_percentage(figure: Figure) -> bool:
    """Return whether a figure is shown in percent."""
    return figure.name in _PERCENTAGES


def value_text(figure: Figure) -> str:
    """Return a figure's value, such as `93.1 %` or `0.412`; `undefined` where there is none."""
    if figure.value is None:
        return "undefined"
    return percent_text(figure.value) if is_percentage(figure) else number_text(figure.value)


def number_text(value: float) -> str:
    """Return a coefficient with three decimals."""
    text = f"{value:.3f}"
    return "0.000" if text == "-0.000" else text


def bounds_text(figure: Figure) -> str:
    """Return a figure's interval, such as `90.2-95.1 %` or `0.212 to 0.601`; else why there is none."""
    if figure.value is None:
        return figure.undefined or "undefined"
    if figure.low is None or figure.high is None:
        return f"no interval: {figure.no_interval or 'none was computed'}"
    if is_percentage(figure):
        return range_text(figure.low, figure.high)
    return f"{number_text(figure.low)} to {number_text(figure.high)}"


def figure_sentence(figure: Figure) -> str:
    """Return a figure with its interval within a sentence: `Gwet's AC1 0.912 (0.88 to 0.94)`, or why it is undefined."""
    if figure.value is None:
        return f"{figure.title} is undefined ({figure.undefined})"
    if figure.low is None:
        return f"{figure.title} {value_text(figure)}"
    return f"{figure.title} {value_text(figure)} ({bounds_text(figure)})"


def headline(item: Item, *, unit: str, units: str, method: str) -> str:
    """Return the first sentence of a report: on what how many agree, with alpha and AC1 or AC2."""
    amounts = item.agreed.amounts
    percent, alpha, other = item.agreed.first
    if percent is None or percent.value is None:
        reason = percent.undefined if percent else "nothing is compared"
        return f"{item.title}: agreement is undefined ({reason})."
    first = (
        f"{item.title}: {value_text(percent)} agreement of {amounts.raters:,} annotators on {amounts.items:,} "
        f"{unit if amounts.items == 1 else units} that "
        f"two or more of them judged"
    )
    rest = [figure_sentence(each) for each in (alpha, other) if each is not None]
    level = f" Intervals: {method}." if any(each.low is not None for each in item.agreed.figures) else ""
    return f"{first}. {'; '.join(rest)}.{level}"


def basis(report: AgreementReport) -> list[str]:
    """Return what the numbers rest on, a sentence each."""
    found = []
    if report.dataset_name is not None:
        found.append(
            f"Dataset {report.dataset_name}, revision {report.dataset_revision}, content {report.content_hash}."
        )
        found.append(f"Campaign {report.campaign}, protocol {report.protocol}, as of {report.when.isoformat()}.")
    return [*found, *report.notes]


def sealed_sentence(report: AgreementReport) -> str | None:
    """Return how many entries are left out for whoever reads the report, None where none are."""
    if not report.sealed:
        return None
    waits = "entry waits" if report.sealed == 1 else "entries wait"
    return f"{report.sealed:,} {waits} for your own judgment and {'is' if report.sealed == 1 else 'are'} left out."


def second_reading_sentence(report: AgreementReport) -> str | None:
    """Return how often a second reading overturned a verdict, None where nothing was read a second time."""
    found = report.second_reading
    if found is None or not found.read:
        return None
    interval = found.overturned
    bounds = range_text(interval.low, interval.high)
    more = (
        f" Of the others {found.refined:,} kept the verdict and changed its targets or corrections."
        if found.refined
        else ""
    )
    return (
        f"Second reading, by people who saw the first answer: {found.changed:,} of {found.read:,} verdicts were overturned, "
        f"{percent_text(interval.estimate)} (95 % {interval.method} {bounds}). This is no agreement: nobody was blind.{more}"
    )


def skew_sentence(items: Sequence[Item]) -> str | None:
    """Return why alpha and AC1 or AC2 part, with the things of which they do; None where they do of none."""
    found = [(each.title, most) for each in items if (most := prevails(each.agreed)) is not None]
    if not found:
        return None
    shown = [f"{title}: {percent_text(most.share)} {most.words}" for title, most in found[:MOST_NAMED]]
    named = "; ".join(shown + ([f"and {len(found) - MOST_NAMED:,} more"] if len(found) > MOST_NAMED else []))
    return (
        "Alpha and AC1 or AC2 part where nearly everybody says the same: alpha takes it that chance repeats that share, so that "
        "a few differences weigh heavily, and AC1 and AC2 take it that chance agrees only where a value is hard to tell. "
        f"Read both beside the percentage and the counts of the rare values ({named})."
    )

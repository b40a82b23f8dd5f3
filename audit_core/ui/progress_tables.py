"""Tables of a campaign's progress: by annotator, by stratum, and of its pilot; numbers right-aligned, intervals beside them."""

from __future__ import annotations

from html import escape

from audit_core.agreement.wording import value_text
from audit_core.statistics.percent import percent, range_text
from audit_core.ui.report_table import TABLE_STYLE
from audit_core.workflow.campaign_progress import AnnotatorProgress, CampaignProgress, TimeSpent
from audit_core.workflow.gold import GoldAccuracy
from audit_core.workflow.pilot import Agreement, PilotReport

_NONE = '<td class="none">-</td>'


def annotators_html(found: CampaignProgress) -> str:
    """Return the table by annotator: answers, places in hand, time, pace, gold accuracy with its interval."""
    if not found.annotators:
        return "<p>Nobody has judged yet.</p>"
    lines = "".join(_annotator(each) for each in found.annotators)
    head = _head(
        "annotator", "judged", "cannot<br>judge", "under<br>way", "left", "today", "median, s", "quartiles, s", "judged an<br>active hour",
        "right on gold", "95 % Wilson, %",
    )  # fmt: skip
    return _table(f"By annotator; {found.gold_entries:,} gold entries", head, lines, "annotators")


def _annotator(each: AnnotatorProgress) -> str:
    left = "shared" if each.left is None else f"{each.left:,}"
    gone = " <small>(taken out)</small>" if each.is_removed else ""
    return (
        f'<tr><td class="text">{escape(each.name)}{gone}</td><td>{each.judged:,}</td><td>{each.cannot_judge:,}</td>'
        f"<td>{each.claimed:,}</td><td>{left}</td><td>{each.today:,}</td>{_time(each.time)}{_gold(each.gold)}</tr>"
    )


def _time(time: TimeSpent | None) -> str:
    if time is None:
        return _NONE * 3
    pace = "-" if time.pace is None else f"{time.pace:.0f}"
    return f"<td>{time.median:.0f}</td><td>{time.low:.0f}-{time.high:.0f}</td><td>{pace}</td>"


def _gold(gold: GoldAccuracy | None) -> str:
    if gold is None or not gold.answered:
        return _NONE * 2
    interval = gold.interval
    return f"<td>{gold.right:,} of {gold.answered:,}</td><td>{range_text(interval.low, interval.high).removesuffix(' %')}</td>"


def strata_html(found: CampaignProgress) -> str:
    """Return the table by stratum, with the whole at its end."""
    lines = "".join(
        f'<tr><td class="text">{escape(each.source)}</td><td class="text">{escape(each.evidence_structure)}</td>{_counts(each)}</tr>'
        for each in found.strata
    )
    total = f'<tr class="total first"><td class="text">all</td><td class="text"></td>{_counts(found.whole)}</tr>'
    head = _head(
        "source",
        "evidence structure",
        "entries",
        "complete",
        "judgments<br>wanted",
        "there",
        "under<br>way",
        "cannot<br>judge",
        texts=2,
    )
    return _table("By source and evidence structure", head, lines + total, "strata-progress")


def _counts(each: object) -> str:
    names = ("entries", "complete", "places", "filled", "claimed", "cannot_judge")
    return "".join(f"<td>{getattr(each, name):,}</td>" for name in names)


def pilot_html(report: PilotReport) -> str:
    """Return how often annotators say the same in the pilot, and how each of them does."""
    agreement = "".join(
        f'<tr><td class="text">{escape(each.title)}</td><td>{each.units:,}</td><td>{each.unanimous:,}</td><td>{each.pairs:,}</td>'
        f"<td>{each.agreeing:,}</td><td>{'undefined' if each.share is None else percent(each.share)}</td>{_beyond_chance(each)}</tr>"
        for each in report.agreement
    )
    first = _table(
        f"Agreement on {report.entries:,} pilot entries, {report.judgments_per_entry} annotators each",
        _head("on", "entries with<br>two or more", "unanimous", "pairs", "the same", "the same, %", "alpha", "AC1 or AC2"), agreement, "pilot-agreement",
    )  # fmt: skip
    people = "".join(
        f'<tr><td class="text">{escape(each.name)}</td><td>{each.judged:,}</td><td>{each.cannot_judge:,}</td>{_time(each.time)}{_gold(each.gold)}</tr>'
        for each in report.annotators
    )
    head = _head(
        "annotator",
        "judged",
        "cannot<br>judge",
        "median, s",
        "quartiles, s",
        "judged an<br>active hour",
        "right on gold",
        "95 % Wilson, %",
    )
    return first + _table("Annotators in the pilot", head, people, "pilot-annotators")


def _beyond_chance(each: Agreement) -> str:
    """Return the cells of alpha and of AC1 or AC2; why one is undefined stands in its title."""
    named = {figure.name: figure for figure in each.beyond_chance}
    cells = ""
    for figure in (named.get("alpha"), named.get("ac1") or named.get("ac2_quadratic")):
        if figure is None:
            cells += _NONE
        elif figure.value is None:
            cells += f'<td class="none" title="{escape(figure.undefined or "", quote=True)}">undefined</td>'
        else:
            cells += f'<td title="{escape(figure.title, quote=True)}">{value_text(figure)}</td>'
    return cells


def _head(*names: str, texts: int = 1) -> str:
    return "".join(
        f'<th class="text">{name}</th>' if place < texts else f"<th>{name}</th>" for place, name in enumerate(names)
    )


def _table(caption: str, head: str, lines: str, testid: str) -> str:
    return (
        f'{TABLE_STYLE}<div style="overflow-x:auto"><table class="audit" data-testid="{testid}"><caption>{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead>{lines}</table></div>"
    )

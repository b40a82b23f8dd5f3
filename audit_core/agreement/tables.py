"""The tables of a report of agreement as rows of text, which every form of it shows alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audit_core.agreement.records import Figure
from audit_core.agreement.report import AgreementReport, Item
from audit_core.agreement.wording import bounds_text, value_text

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: what it shows, the names of its columns, of which the first `names` hold text, and its rows."""

    key: str
    title: str
    heads: Row
    names: int
    rows: tuple[Row, ...]


def tables_of(report: AgreementReport) -> list[Table]:
    """Return all tables that a report on paper has; groups and pairs are those of its first item."""
    lead = report.item(report.headline_item)
    found = [figures_table(report), prevalence_table(report)]
    if lead is not None:
        found += [groups_table(lead), pairs_table(report, lead)]
    found += [pages_table(report), boxes_table(report), annotators_table(report)]
    return [each for each in found if each.rows]


def _count(number: int) -> str:
    return f"{number:,}"


def _value(figure: Figure | None) -> str:
    return "-" if figure is None else value_text(figure)


def figures_table(report: AgreementReport) -> Table:
    """Return a row for each coefficient on each thing."""
    rows = []
    for item in report.items:
        amounts = item.agreed.amounts
        for figure in item.agreed.figures:
            is_first = figure is item.agreed.figures[0]
            documents = "-" if amounts.documents is None else _count(amounts.documents)
            named = (item.title, item.unit, _count(amounts.items), _count(amounts.raters), documents)
            counts = named if is_first else ("",) * len(named)
            rows.append((*counts[:2], figure.title, *counts[2:], value_text(figure), bounds_text(figure)))
    heads = (
        "On",
        "Unit",
        "Coefficient",
        "Items",
        "Raters",
        "Documents",
        "Value",
        f"Interval ({report.interval_method})",
    )
    return Table("figures", "Agreement on each thing", heads, 3, tuple(rows))


def prevalence_table(report: AgreementReport) -> Table:
    """Return how often each value was given; values of sets that nobody gave are left out."""
    rows = []
    for item in report.items:
        for each in item.agreed.prevalence:
            if each.ratings or item.compare != "set":
                rows.append((item.title, each.words, _count(each.ratings), f"{100 * each.share:.1f}"))
    return Table("prevalence", "What was said", ("On", "Value", "Answers", "Prevalence (%)"), 2, tuple(rows))


def groups_table(item: Item) -> Table:
    """Return the figures of one thing by source, evidence structure and domain."""
    rows = []
    for each in item.groups:
        amounts = each.agreed.amounts
        shown = (one for one in each.agreed.first if one is not None)
        figures = (text for one in shown for text in (value_text(one), bounds_text(one)))
        documents = "-" if amounts.documents is None else _count(amounts.documents)
        rows.append((each.kind, each.value, _count(amounts.items), _count(amounts.raters), documents, *figures))
    titles = (one.title for one in item.agreed.first if one is not None)
    heads = ("By", "Group", "Items", "Raters", "Documents", *(text for title in titles for text in (title, "Interval")))
    return Table("groups", f"{item.title}: by source, evidence structure and domain", heads, 2, tuple(rows))


def pairs_table(report: AgreementReport, item: Item, names: Mapping[str, str] | None = None) -> Table:
    """Return a row for each pair of annotators on one thing; `names` by pseudonym where they are to be shown."""
    called = [(names or {}).get(each.pseudonym, each.pseudonym) for each in report.annotators]
    rows = tuple(
        (
            called[each.first], called[each.second], _count(each.items), value_text(each.percent), _value(each.kappa),
            value_text(each.alpha),
        )
        for each in item.pairs
    )  # fmt: skip
    alpha = item.pairs[0].alpha.title if item.pairs else "Alpha"
    kappa = item.pairs[0].kappa.title if item.pairs and item.pairs[0].kappa else "Kappa"
    heads = ("One", "Other", "Items", "Agreement", kappa, alpha)
    return Table("pairs", f"{item.title}: each pair of annotators, without intervals", heads, 2, rows)


def pages_table(report: AgreementReport) -> Table:
    """Return how alike the pages are that annotators named."""
    rows = tuple(
        (
            each.title, _count(each.entries), _count(each.raters), _count(each.both), _count(each.one), _count(each.neither),
            *(text for figure in each.figures for text in (value_text(figure), bounds_text(figure))),
        )
        for each in report.pages
    )  # fmt: skip
    heads = (
        "Pages", "Entries", "Raters", "Pairs compared", "One named none", "Both named none", "The same", "Interval", "Jaccard",
        "Interval",
    )  # fmt: skip
    return Table("pages", "Pages that annotators named", heads, 1, rows)


def boxes_table(report: AgreementReport) -> Table:
    """Return how alike the boxes are that annotators drew."""
    rows = tuple(
        (
            each.title, _count(each.pages), _count(each.raters), _count(each.both), _count(each.one), _count(each.neither),
            *(text for figure in each.figures for text in (value_text(figure), bounds_text(figure))),
            f"{each.matched:,} of {each.boxes:,}",
        )
        for each in report.boxes
    )  # fmt: skip
    heads = (
        "Boxes", "Pages", "Raters", "Pairs compared", "One drew none", "Both drew none", "Zone IoU", "Interval", "Zone F1",
        "Interval", "Matched F1", "Interval", "Boxes matched",
    )  # fmt: skip
    return Table("boxes", "Boxes that annotators drew, by page", heads, 1, rows)


def annotators_table(report: AgreementReport, names: Mapping[str, str] | None = None) -> Table:
    """Return how much each annotator answered."""
    rows = tuple(
        ((names or {}).get(each.pseudonym, each.pseudonym), _count(each.judged), _count(each.cannot_judge))
        for each in report.annotators
    )
    return Table("annotators", "Annotators", ("Annotator", "Judged", "Cannot judge"), 1, rows)

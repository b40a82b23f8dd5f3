"""The report of agreement as CSV: one line a figure, numbers at full precision."""

from __future__ import annotations

from collections.abc import Iterator

from audit_core.agreement.records import Agreed, Figure
from audit_core.agreement.report import AgreementReport, Item
from audit_core.exporters.report_csv import Cell, csv_text, interval_cells

name = "csv"
suffix = ".csv"
media_type = "text/csv"

COLUMNS = (
    "row", "on", "title", "compare", "unit", "group_kind", "group", "first", "second", "value_of_scale", "coefficient",
    "coefficient_title", "estimate", "low", "high", "confidence", "method", "draws", "seed", "failed_draws", "se", "undefined",
    "no_interval", "items", "lone", "raters", "ratings", "pairs", "documents", "both", "one", "neither", "boxes", "matched", "count", "n",
)  # fmt: skip


def write(report: AgreementReport) -> str:
    """Return the figures as RFC 4180 text: the column names, then one line a figure; lines end in CR LF.

    `row` says what the line is of: `item`, `group` (with `group_kind` and `group`), `pair` (`first` and `second` annotator),
    `value` (`count` answers with `value_of_scale`; `estimate` is its prevalence), `pages`, `boxes` or `second-reading`.
    Percentages are parts of 1; what is undefined or does not apply is empty.
    """
    return csv_text(COLUMNS, _lines(report))


def _lines(report: AgreementReport) -> Iterator[dict[str, Cell]]:
    plan = report.plan
    about: dict[str, Cell] = {}
    if plan is not None:
        about = {"confidence": plan.confidence, "method": "document bootstrap", "draws": plan.draws, "seed": plan.seed}
    for item in report.items:
        yield from _of(item, about)
        for pair in item.pairs:
            called: dict[str, Cell] = {
                "first": report.annotators[pair.first].pseudonym,
                "second": report.annotators[pair.second].pseudonym,
                "items": pair.items,
            }
            figures = (each for each in (pair.percent, pair.kappa, pair.alpha) if each is not None)
            yield from ({"row": "pair", **_named(item), **called, **_figure(each, {})} for each in figures)
    for pages in report.pages:
        counts: dict[str, Cell] = {name: getattr(pages, name) for name in ("raters", "both", "one", "neither")}
        head: dict[str, Cell] = {
            "row": "pages",
            "on": pages.name,
            "title": pages.title,
            "unit": "entry",
            "items": pages.entries,
        }
        yield from ({**head, **counts, **_figure(each, about)} for each in pages.figures)
    for boxes in report.boxes:
        names = ("raters", "both", "one", "neither", "boxes", "matched")
        counts = {name: getattr(boxes, name) for name in names}
        head = {"row": "boxes", "on": boxes.name, "title": boxes.title, "unit": "page", "items": boxes.pages}
        yield from ({**head, **counts, **_figure(each, about)} for each in boxes.figures)
    if report.second_reading is not None:
        yield {"row": "second-reading", "coefficient": "overturned", **interval_cells(report.second_reading.overturned)}


def _named(item: Item) -> dict[str, Cell]:
    return {"on": item.name, "title": item.title, "compare": item.compare.value, "unit": item.unit}


def _of(item: Item, about: dict[str, Cell]) -> Iterator[dict[str, Cell]]:
    named = _named(item)
    amounts = _amounts(item.agreed)
    yield from ({"row": "item", **named, **amounts, **_figure(each, about)} for each in item.agreed.figures)
    for value in item.agreed.prevalence:
        cells: dict[str, Cell] = {"value_of_scale": value.words, "coefficient": "prevalence", "count": value.ratings}
        yield {"row": "value", **named, **amounts, **cells, "estimate": value.share}
    for group in item.groups:
        head: dict[str, Cell] = {"row": "group", **named, "group_kind": group.kind, "group": group.value}
        yield from ({**head, **_amounts(group.agreed), **_figure(each, about)} for each in group.agreed.figures)


def _amounts(agreed: Agreed) -> dict[str, Cell]:
    amounts = agreed.amounts
    return {each: getattr(amounts, each) for each in ("items", "lone", "raters", "ratings", "pairs", "documents")}


def _figure(figure: Figure, about: dict[str, Cell]) -> dict[str, Cell]:
    return {
        "coefficient": figure.name,
        "coefficient_title": figure.title,
        "estimate": figure.value,
        "low": figure.low,
        "high": figure.high,
        "undefined": figure.undefined,
        "no_interval": figure.no_interval,
        "se": figure.se,
        **({**about, "failed_draws": figure.failed} if figure.low is not None else {}),
    }

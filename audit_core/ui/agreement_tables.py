"""Tables of agreement as HTML: rows of text as they are, and the matrix of annotators with its shades."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from audit_core.agreement.records import Figure
from audit_core.agreement.report import AgreementReport, Item, Pair
from audit_core.agreement.tables import Table
from audit_core.agreement.wording import is_percentage, value_text
from audit_core.ui.removal_view import html_line, html_table

#: Darkest shade of a cell in percent: dark enough to tell, light enough to read its number in either theme.
_DARKEST = 45
#: Longer cells are sentences.
_LONG = 30
#: Tables of few columns are no wider than these.
_NARROW = (
    "<style>"
    + ", ".join(f'.audit[data-testid="agreement-{each}"]' for each in ("matrix", "prevalence", "annotators"))
    + " { width: auto; min-width: 24rem; }</style>"
)


def table_html(table: Table) -> str:
    """Return a table; what is undefined or has no interval is quiet."""
    heads = [("text" if place < table.names else "", escape(each)) for place, each in enumerate(table.heads)]
    lines = []
    for row in table.rows:
        cells = [(_kind(cell, is_text=place < table.names), _shown(cell)) for place, cell in enumerate(row)]
        is_first = bool(row[0]) and table.key == "figures"
        lines.append(html_line(cells, "first" if is_first else ""))
    return _NARROW + html_table(f"agreement-{table.key}", escape(table.title), heads, lines)


def _shown(cell: str) -> str:
    """Return a cell as markup; long words, which are reasons, may go over several lines."""
    text = escape(cell)
    return (
        f'<span style="display:inline-block;white-space:normal;max-width:20rem">{text}</span>'
        if len(cell) > _LONG
        else text
    )


def _kind(cell: str, *, is_text: bool) -> str:
    if is_text:
        return "text"
    return (
        "none"
        if cell in ("0", "-") or cell.startswith(("undefined", "no interval", "everyone said", "on the items"))
        else ""
    )


def matrix_html(report: AgreementReport, item: Item, figure: str, names: Mapping[str, str]) -> str:
    """Return annotators x annotators: a figure of each pair, shaded by its size, with the number of common items below it.

    `figure` is `percent`, `kappa` or `alpha`; `names` gives what pseudonyms are shown as.
    """
    called = [names.get(each.pseudonym, each.pseudonym) for each in report.annotators]
    cells = {(each.first, each.second): each for each in item.pairs}
    present = sorted({place for pair in cells for place in pair})
    heads = [("text", ""), *(("", escape(called[place])) for place in present)]
    lines = []
    for row in present:
        found = [("text", f"<b>{escape(called[row])}</b>")]
        found += [_cell(cells.get((min(row, column), max(row, column))), figure) for column in present]
        lines.append(html_line(found, ""))
    caption = f"{escape(item.title)}: {_title(item, figure)} of each two annotators, with the items that both rated"
    return _NARROW + html_table("agreement-matrix", caption, heads, lines)


def _of(pair: Pair, figure: str) -> Figure | None:
    return {"percent": pair.percent, "kappa": pair.kappa, "alpha": pair.alpha}[figure]


def _title(item: Item, figure: str) -> str:
    titles = (found.title for each in item.pairs if (found := _of(each, figure)) is not None)
    return escape(next(titles, figure))


def _cell(pair: Pair | None, name: str) -> tuple[str, str]:
    figure = None if pair is None else _of(pair, name)
    if pair is None or figure is None:
        return "none", "-"
    if figure.value is None:
        return (
            "none",
            f'<span title="{escape(figure.undefined or "", quote=True)}">undefined</span><br><small>{pair.items:,}</small>',
        )
    shade = round(_DARKEST * min(1.0, max(0.0, figure.value)))
    return "", (
        f'<span style="display:block;background:color-mix(in srgb, #0072B2 {shade}%, transparent);padding:.15rem .4rem">'
        f"{value_text(figure)}<br><small>{pair.items:,}</small></span>"
    )


def figure_words(item: Item) -> dict[str, str]:
    """Return what a matrix can show of an item, by name."""
    found = {}
    for name in ("percent", "kappa", "alpha"):
        first = next((figure for each in item.pairs if (figure := _of(each, name)) is not None), None)
        if first is not None:
            found[name] = "Percent agreement" if is_percentage(first) else first.title
    return found

"""The plan of a sample as an HTML table: queries and entries of each stratum, expected half-widths drawn as bars."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from audit_core.audit_report.table import structure_order
from audit_core.sampling import Expected, SamplePlan
from audit_core.statistics.intervals import CENSUS
from audit_core.statistics.percent import percent

_STYLE = """
<style>
.plan { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .9rem; }
.plan caption { text-align: left; font-weight: 600; padding: .2rem 0 .4rem; }
.plan th, .plan td { padding: .22rem .6rem; text-align: right; white-space: nowrap;
  border-bottom: 1px solid color-mix(in srgb, currentColor 14%, transparent); }
.plan th { font-weight: 600; vertical-align: bottom; border-bottom: 2px solid color-mix(in srgb, currentColor 40%, transparent); }
.plan .text { text-align: left; }
.plan tr.first td { border-top: 2px solid color-mix(in srgb, currentColor 40%, transparent); }
.plan tr.whole td { font-weight: 700; }
.plan tr.sum td { background: color-mix(in srgb, currentColor 4%, transparent); }
.plan .none { opacity: .55; }
.plan .axis { display: block; position: relative; width: 170px; height: 12px; }
.plan .bar { position: absolute; left: 0; top: 2px; height: 8px; border-radius: 2px; background: #0072B2; }
.plan .bar.over { background: #D55E00; }
.plan .wish { position: absolute; top: -3px; height: 18px; border-left: 2px dashed currentColor; opacity: .8; }
</style>
"""


def plan_table(plan: SamplePlan, *, sources: Sequence[str]) -> str:
    """Return the table: the whole, then sources, structures and strata in the order of the dataset's `sources`.

    A bar is the half-width of an interval, all on one scale; the dashed line is what was wanted of it, and a bar beyond
    its line has the second colour and says so in words.
    """
    place = {source: number for number, source in enumerate(sources)}

    def order(source: str, structure: str) -> tuple[int, str, tuple[int, str]]:
        return place.get(source, len(place)), source, structure_order(structure)

    widest = max((row.half_width or 0.0 for row in plan.rows), default=0.0)
    lines = [_line(plan.whole, plan.whole.name, "", widest, "whole")]
    for row in sorted(plan.sources, key=lambda row: order(row.name, "")):
        lines.append(_line(row, row.name, "all", widest, "sum" if lines[-1].count("sum") else "sum first"))
    for number, row in enumerate(sorted(plan.structures, key=lambda row: structure_order(row.name))):
        lines.append(_line(row, "all", row.name, widest, "sum" if number else "sum first"))
    strata = sorted(zip(plan.guesses, plan.strata, strict=True), key=lambda pair: order(*pair[0].key))
    for number, (guess, row) in enumerate(strata):
        lines.append(_line(row, guess.source, guess.evidence_structure, widest, "" if number else "first"))
    head = (
        "<caption>Entries to draw and the 95 % interval to expect, if the guesses hold</caption><thead><tr>"
        '<th class="text">source</th><th class="text">evidence structure</th><th>queries</th><th>entries</th>'
        f'<th>half-width,<br>points</th><th class="text">{f"0 to {percent(widest)} points" if widest else ""}</th>'
        "</tr></thead>"
    )
    table = f'<table class="plan" data-testid="plan-table">{head}<tbody>{"".join(lines)}</tbody></table>'
    return f'{_STYLE}<div style="overflow-x:auto">{table}</div>'


def _line(row: Expected, source: str, structure: str, widest: float, kind: str) -> str:
    cells = [f'<td class="text">{escape(source)}</td><td class="text">{escape(structure)}</td>']
    cells.append(f"<td>{row.population:,}</td><td>{row.size:,}</td>")
    width = row.half_width
    if width is None:
        cells.append(f'<td class="none" title="{escape(row.interval.undefined or "")}">undefined</td><td></td>')
    elif row.interval.method == CENSUS:
        cells.append('<td title="every query is taken">exact</td><td></td>')
    else:
        cells.append(f'<td>{percent(width, decimals=2)}</td><td class="text">{_bar(row, width, widest)}</td>')
    return f'<tr class="{kind}">{"".join(cells)}</tr>'


def _bar(row: Expected, width: float, widest: float) -> str:
    share = 100 * width / widest if widest else 0.0
    is_over = row.is_met is False
    bar = f'<span class="bar{" over" if is_over else ""}" style="width:{share:.1f}%"></span>'
    if row.wanted is None or not widest:
        return f'<span class="axis">{bar}</span>'
    at = min(100.0, 100 * row.wanted / widest)
    wish = f'<span class="wish" style="left:{at:.1f}%"></span>'
    words = f"{'wider than' if is_over else 'within'} the wanted {percent(row.wanted, decimals=2)} points"
    return f'<span class="axis" title="{words}">{bar}{wish}</span>'

"""The main table: what each strategy removes and keeps, and what it lets through, each rate with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from audit_core.statistics.intervals import Interval
from audit_core.statistics.percent import percent, range_text
from cleaning.compare_summary import Spread, Summary
from cleaning.ui.cells import interval_cell
from cleaning.ui.drawn_axis import Axis, axis_over
from cleaning.ui.palette import style_of


def summary_html(
    summaries: Sequence[Summary],
    *,
    titles: dict[str, str],
    base_rate: float | None,
    caption: str,
    order: Sequence[str],
    repeats: int,
    testid: str = "summary",
) -> str:
    """Return the table; columns on undecided queries stand only where a strategy leaves some.

    `order` holds the names of all strategies as the charts colour them; `base_rate` is that of random removal.
    """
    has_undecided = any(each.rates.confusion.undecided for each in summaries)
    axis = axis_over((each.rates.false_omission for each in summaries), base_rate)
    lines = [
        _line(each, titles[each.name], order, axis, has_undecided=has_undecided, repeats=repeats) for each in summaries
    ]
    head = _head(axis, has_undecided=has_undecided, repeats=repeats)
    return (
        f'<div class="scroll"><table class="fig wide" data-testid="{testid}"><caption>{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead>{''.join(lines)}</table></div>"
    )


def _head(axis: Axis, *, has_undecided: bool, repeats: int) -> str:
    cells = [
        '<th class="text">Strategy</th>',
        "<th>FOR, %</th>",
        f'<th class="text">{axis.head}</th>',
    ]
    if has_undecided:
        cells.append("<th>FOR at least /<br>at most, %</th>")
    cells += [
        "<th>Kept, %</th>",
        '<th title="kept, and should go">FN</th>',
        '<th title="kept, and right">TN</th>',
        '<th title="removed, and was bad">TP</th>',
        '<th title="removed, but was right">FP</th>',
    ]
    if has_undecided:
        cells.append(
            '<th title="kept without a decision: those that should go / those that are right">Undecided<br>bad / right</th>'
        )
    cells += ["<th>Precision, %</th>", "<th>Recall, %</th>"]
    if repeats > 1:
        cells.append(f"<th>FOR over {repeats}<br>repeats, %</th>")
    return "".join(cells)


def _line(
    summary: Summary,
    title: str,
    order: Sequence[str],
    axis: Axis,
    *,
    has_undecided: bool,
    repeats: int,
) -> str:
    rates, counts = summary.rates, summary.rates.confusion
    colour = style_of(order.index(summary.name)).colour
    key = f'<span class="key" style="background:{colour}"></span>'
    cells = [
        f'<td class="text">{key}{escape(title)}<small>{escape(summary.kind.value)}</small></td>',
        interval_cell(rates.false_omission, strong=True, more=_clustered(summary.clustered)),
        axis.cell(rates.false_omission, colour=colour),
    ]
    if has_undecided:
        cells.append(
            f"<td>{percent(rates.lowest)} / {percent(rates.highest)}</td>" if counts.undecided else "<td></td>"
        )
    cells.append(interval_cell(rates.share_kept))
    cells += [f"<td>{each:,}</td>" for each in (counts.fn, counts.tn, counts.tp, counts.fp)]
    if has_undecided:
        cells.append(f"<td>{counts.undecided_positive:,} / {counts.undecided_negative:,}</td>")
    cells += [interval_cell(rates.precision), interval_cell(rates.recall)]
    if repeats > 1:
        cells.append(_spread(summary.spread["false_omission"]))
    return f"<tr>{''.join(cells)}</tr>"


def _clustered(interval: Interval | None) -> str:
    """Return the bounds that hold where queries share documents, empty where there are none."""
    if interval is None or interval.low is None:
        return ""
    return f"by document {range_text(interval.low, interval.high).removesuffix(' %')}"


def _spread(spread: Spread) -> str:
    if spread.minimum is None or spread.maximum is None:
        return '<td class="none">undefined</td>'
    if spread.minimum == spread.maximum:
        return '<td class="none">always the same</td>'
    sd = "" if spread.sd is None else f"<small>sd {percent(spread.sd, decimals=2)}</small>"
    return f"<td>{percent(spread.minimum)}-{percent(spread.maximum)}{sd}</td>"

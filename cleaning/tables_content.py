"""The tables of a comparison: folds, figures of each strategy, equal share kept, differences, thresholds, published."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from audit_core.statistics.percent import confidence_text
from cleaning.intervals import BOOTSTRAP_SAYS
from cleaning.leaks import REASONS
from cleaning.metrics import LABELLED_ONLY
from cleaning.published import NOTES, PUBLISHED
from cleaning.tables import Cell, Column, ColumnKind, Table

if TYPE_CHECKING:
    from cleaning.compare_summary import ShareRow, Summary
    from cleaning.curves import ThresholdTable
    from cleaning.differences import Pair
    from cleaning.learning import LearningCurve
    from cleaning.metrics import Rates
    from cleaning.splits import Split

_COUNT, _PART, _NUMBER, _INTERVAL = (
    ColumnKind.COUNT, ColumnKind.PROPORTION, ColumnKind.NUMBER, ColumnKind.INTERVAL,
)  # fmt: skip

#: Columns of one set of rates, in the order in which they must be read: what was let through beside the rate.
RATE_COLUMNS = (
    Column("false_omission", "FOR", _INTERVAL),
    Column("lowest", "FOR at least", _PART),
    Column("highest", "FOR at most", _PART),
    Column("share_kept", "Kept", _INTERVAL),
    Column("fn", "FN", _COUNT),
    Column("tn", "TN", _COUNT),
    Column("tp", "TP", _COUNT),
    Column("fp", "FP", _COUNT),
    Column("undecided_positive", "Undecided, to remove", _COUNT),
    Column("undecided_negative", "Undecided, to keep", _COUNT),
    Column("precision", "Precision", _INTERVAL),
    Column("recall", "Recall", _INTERVAL),
    Column("specificity", "Specificity", _INTERVAL),
    Column("f1", "F1", _PART),
)
RATE_NOTE = (
    "FOR: the share of queries to remove among those kept, undecided ones among them; at least and at most if the "
    "undecided went by their labels. Positive = remove."
)


def rate_cells(rates: Rates) -> dict[str, Cell]:
    """Return the cells of `RATE_COLUMNS`."""
    counts = rates.confusion
    return {
        "false_omission": rates.false_omission,
        "lowest": rates.lowest,
        "highest": rates.highest,
        "share_kept": rates.share_kept,
        "fn": counts.fn,
        "tn": counts.tn,
        "tp": counts.tp,
        "fp": counts.fp,
        "undecided_positive": counts.undecided_positive,
        "undecided_negative": counts.undecided_negative,
        "precision": rates.precision,
        "recall": rates.recall,
        "specificity": rates.specificity,
        "f1": rates.f1,
    }


def fold_table(split: Split) -> Table:
    """Return what each fold holds, positives first: to be read before anything runs."""
    columns = (
        Column("repeat", "Repeat", _COUNT),
        Column("fold", "Fold", _COUNT),
        Column("evaluation_positives", "To remove", _COUNT),
        Column("evaluation", "Evaluated", _COUNT),
        Column("training_positives", "To remove in training", _COUNT),
        Column("training", "Training", _COUNT),
        Column("dropped", "Dropped", _COUNT),
        *(Column(f"dropped_{place}", f"Dropped: {reason}", _COUNT) for place, reason in enumerate(REASONS)),
    )
    rows = tuple(
        {
            "repeat": each.repeat + 1,
            "fold": each.fold + 1,
            "evaluation_positives": each.evaluation_positives,
            "evaluation": each.evaluation,
            "training_positives": each.training_positives,
            "training": each.training,
            "dropped": each.dropped,
            **{f"dropped_{place}": each.dropped_by_reason[reason] for place, reason in enumerate(REASONS)},
        }
        for each in split.counts
    )
    says = "A query may be dropped for several reasons, so that these may add up to more than the dropped."
    return Table(f"Folds of split {split.hash[:12]}", columns, rows, (*split.notes, says))


def summary_tables(summaries: Sequence[Summary], *, split_hash: str) -> tuple[Table, ...]:
    """Return the figures of the strategies, and apart from them those of difficulty filters where there are any."""
    clustered = any(each.clustered is not None for each in summaries)
    columns = (
        Column("strategy", "Strategy"),
        Column("kind", "Kind"),
        RATE_COLUMNS[0],
        *([Column("clustered", "FOR, document-clustered", _INTERVAL)] if clustered else []),
        *RATE_COLUMNS[1:],
        Column("spread_min", "FOR over repeats, least", _PART),
        Column("spread_max", "most", _PART),
        Column("spread_sd", "sd", _PART),
    )

    def table(title: str, chosen: Iterable[Summary], *notes: str) -> Table:
        rows: list[dict[str, Cell]] = []
        headings: set[str] = set()
        for each in chosen:
            spread = each.spread["false_omission"]
            headings.add(each.rates.heading)
            rows.append({
                "strategy": each.title,
                "kind": each.kind.value,
                **rate_cells(each.rates),
                "clustered": each.clustered,
                "spread_min": spread.minimum,
                "spread_max": spread.maximum,
                "spread_sd": spread.sd,
            })  # fmt: skip
        says = f"Split {split_hash[:12]}. Counts and intervals come from repeat 1; the other repeats show the spread."
        return Table(
            f"{title} ({', '.join(sorted(headings))})", columns, tuple(rows), (RATE_NOTE, says, *sharing, *notes)
        )

    sharing = [BOOTSTRAP_SAYS] if clustered else []
    ranked = [each for each in summaries if each.ranked]
    filters = [each for each in summaries if not each.ranked]
    tables = [table("Strategies", ranked)] if ranked else []
    if filters:
        note = "Difficulty filters describe easy queries, not bad ones, and are not ranked by FOR."
        tables.append(table("Difficulty filters", filters, note))
    return tuple(tables)


def group_table(summaries: Sequence[Summary], kind: str) -> Table:
    """Return the figures of each strategy within each group of this kind (such as `source`)."""
    rows = tuple(
        {"strategy": each.title, "group": group or "(none)", **rate_cells(rates)}
        for each in summaries
        for group, rates in each.groups.get(kind, {}).items()
    )
    columns = (Column("strategy", "Strategy"), Column("group", kind.replace("_", " ").capitalize()), *RATE_COLUMNS)
    single = sorted({
        group or "(none)"
        for each in summaries
        for group, rates in each.groups.get(kind, {}).items()
        if rates.confusion.n == 1
    })  # fmt: skip
    alone = [f"A single query stands for: {', '.join(single)}."] if single else []
    headings = {rates.heading for each in summaries for rates in each.groups.get(kind, {}).values()}
    title = f"Strategies by {kind.replace('_', ' ')} ({', '.join(sorted(headings))})"
    return Table(title, columns, rows, (RATE_NOTE, *alone))


def share_table(rows: Sequence[ShareRow]) -> Table:
    """Return the strategies with equally many queries kept."""
    columns = (
        Column("strategy", "Strategy"),
        Column("kept", "Kept", _COUNT),
        Column("removed", "Removed", _COUNT),
        Column("kept_positives", "To remove, but kept", _NUMBER),
        Column("false_omission", "FOR", _INTERVAL),
        Column("recall", "Recall", _PART),
        Column("spread_min", "FOR over repeats, least", _PART),
        Column("spread_max", "most", _PART),
        Column("says", "Note"),
    )
    cells = tuple(
        {
            "strategy": row.name,
            "kept": row.at.kept,
            "removed": row.at.removed,
            "kept_positives": row.at.kept_positives,
            "false_omission": row.at.false_omission,
            "recall": row.at.recall,
            "spread_min": row.spread.minimum,
            "spread_max": row.spread.maximum,
            "says": row.at.says,
        }
        for row in rows
    )
    note = "The highest-scored queries are removed until equally many are left; ties count by their expectation."
    return Table(f"At equal share kept ({LABELLED_ONLY})", columns, cells, (note,))


def difference_table(pairs: Sequence[Pair], *, resamples: int, heading: str, confidence: float = 0.95) -> Table:
    """Return every pair in every measure by the bootstrap, and by McNemar's exact test for recall and specificity.

    `heading` says what the rates hold for (`metrics.LABELLED_ONLY` or `WEIGHTED`).
    """
    columns = (
        Column("first", "First"),
        Column("second", "Second"),
        Column("measure", "Measure"),
        Column("method", "Method"),
        Column("difference", "First - second", _PART),
        Column("low", "Low", _PART),
        Column("high", "High", _PART),
        Column("only_first", "Only first removes", _COUNT),
        Column("only_second", "Only second removes", _COUNT),
        Column("n", "Of", _COUNT),
        Column("p", "p", _NUMBER),
        Column("holm", "p (Holm)", _NUMBER),
        Column("says", "Note"),
    )
    rows: list[dict[str, Cell]] = []
    for pair in pairs:
        names: dict[str, Cell] = {"first": pair.first, "second": pair.second}
        for each in pair.differences:
            rows.append({
                **names, "measure": each.measure, "method": "document bootstrap", "difference": each.difference,
                "low": each.low, "high": each.high, "p": each.p, "holm": each.holm,
                "says": each.undefined or each.says,
                "only_first": len(pair.only_first_removes), "only_second": len(pair.only_second_removes),
            })  # fmt: skip
        rows += [
            {
                **names, "measure": test.measure, "method": "McNemar, exact", "only_first": test.only_first,
                "only_second": test.only_second, "n": test.n, "p": test.p, "holm": test.holm, "says": test.says,
            }
            for test in pair.tests
        ]  # fmt: skip
    notes = (
        f"Bootstrap: {confidence_text(confidence)} percentile interval, {resamples:,} resamples. {BOOTSTRAP_SAYS}",
        "McNemar's test takes queries for independent. Holm's adjustment is over all pairs of a measure.",
    )
    return Table(f"Differences on the same queries ({heading})", columns, tuple(rows), notes)


def threshold_rows(name: str, table: ThresholdTable) -> Table:
    """Return the figures at each threshold of one strategy."""
    counts = ("fn", "tn", "tp", "fp", "kept")
    parts = ("share_kept", "false_omission", "low", "high", "precision", "recall", "specificity")
    columns = (
        Column("threshold", "Threshold", _NUMBER),
        *(Column(each, each.upper() if len(each) == 2 else "Kept", _COUNT) for each in counts),
        *(Column(each, "FOR" if each == "false_omission" else each.replace("_", " "), _PART) for each in parts),
    )
    rows: list[dict[str, Cell]] = []
    for place in range(len(table)):
        row: dict[str, Cell] = {"threshold": float(table.thresholds[place])}
        row |= {each: int(getattr(table, each)[place]) for each in counts}
        row |= {each: _defined(float(getattr(table, each)[place])) for each in parts}
        rows.append(row)
    undecided = table.undecided_positive + table.undecided_negative
    note = f"A query goes at or above the threshold. {undecided} undecided queries are kept at every one."
    return Table(f"Thresholds of {name} ({table.heading})", columns, tuple(rows), (note,))


def learning_table(curves: Sequence[LearningCurve]) -> Table:
    """Return the points of learning curves."""
    columns = (
        Column("strategy", "Strategy"),
        Column("labels", "Training labels", _NUMBER),
        Column("positives", "To remove", _NUMBER),
        Column("false_omission", "FOR", _INTERVAL),
        Column("spread_min", "FOR over repeats, least", _PART),
        Column("spread_max", "most", _PART),
        Column("recall", "Recall", _PART),
        Column("says", "Note"),
    )
    rows = tuple(
        {
            "strategy": curve.name,
            "labels": point.labels,
            "positives": point.positives,
            "false_omission": None if point.at is None else point.at.false_omission,
            "spread_min": point.false_omission.minimum,
            "spread_max": point.false_omission.maximum,
            "recall": None if point.at is None else point.at.recall,
            "says": point.undefined or "",
        }
        for curve in curves
        for point in curve.points
    )
    shares = ", ".join(sorted({f"{curve.share_kept:g}" for curve in curves}))
    return Table(
        f"Learning curves ({LABELLED_ONLY})", columns, rows, (f"Each point keeps the same share of queries: {shares}.",)
    )


def published_table() -> Table:
    """Return the published matrices with the rates that follow from their counts."""
    columns = (
        Column("method", "Method"),
        Column("setting", "Setting"),
        Column("test_set", "Scored on"),
        Column("printed", "FOR, printed", _PART),
        *(each for each in RATE_COLUMNS if not each.key.startswith(("undecided", "lowest", "highest"))),
        Column("note", "Note"),
    )
    rows = tuple(
        {
            "method": each.method,
            "setting": each.setting,
            "test_set": each.test_set,
            "printed": each.printed,
            **rate_cells(each.rates),
            "note": each.note,
        }
        for each in PUBLISHED
    )
    return Table("Published removal strategies", columns, rows, NOTES)


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else value

"""The tables of a guarantee and of an estimate for the whole benchmark."""

from __future__ import annotations

from audit_core.statistics.percent import confidence_text, percent_text
from cleaning.guarantee import Guarantee, StrategyGuarantee
from cleaning.tables import Cell, Column, ColumnKind, Table
from cleaning.whole_estimate import StrategyEstimate, WholeEstimate

_TEXT, _COUNT, _NUMBER = ColumnKind.TEXT, ColumnKind.COUNT, ColumnKind.NUMBER
_PROPORTION, _INTERVAL = ColumnKind.PROPORTION, ColumnKind.INTERVAL

#: What the tables of a guarantee are called, with what they show.
GUARANTEE_TABLES = {
    "guarantee": "of each strategy the threshold that keeps most, or what is missing",
    "sequence": "every threshold in the order of the tests, with counts, p and bound",
}
_GUARANTEE = (
    Column("strategy", "Strategy"),
    Column("reached", "Reached"),
    Column("threshold", "Remove at or above", ColumnKind.EXACT),
    Column("rating", "Rating at or below", _NUMBER),
    Column("kept", "Kept", _COUNT),
    Column("share_kept", "Share kept", _PROPORTION),
    Column("n", "Labels tested", _COUNT),
    Column("bad", "Bad", _COUNT),
    Column("upper", "Bound", _PROPORTION),
    Column("held_out", "FOR held out", _INTERVAL),
    Column("more", "More labels", _COUNT),
    Column("says", "What is missing"),
)
_SEQUENCE = (
    Column("strategy", "Strategy"),
    Column("place", "Place", _COUNT),
    Column("threshold", "Remove at or above", ColumnKind.EXACT),
    Column("rating", "Rating at or below", _NUMBER),
    Column("kept", "Kept", _COUNT),
    Column("share_kept", "Share kept", _PROPORTION),
    Column("n", "Labels tested", _COUNT),
    Column("bad", "Bad", _COUNT),
    Column("p", "p", _NUMBER),
    Column("upper", "Bound", _PROPORTION),
    Column("outcome", "Outcome"),
    Column("says", "Why"),
)
_ESTIMATE = (
    Column("scores", "With the scores of"),
    Column("use", "Use"),
    Column("share", "To remove", _INTERVAL),
    Column("queries", "Queries to remove", _COUNT),
    Column("power", "Lambda", _NUMBER),
    Column("labels", "Labels", _COUNT),
    Column("labels_worth", "Worth labels", _NUMBER),
    Column("labels_saved", "Saved", _NUMBER),
    Column("undecided", "Undecided", _COUNT),
)


def guarantee_table(found: Guarantee) -> Table:
    """Return one row a strategy: the chosen threshold and its test, or what it lacks."""
    rows = tuple(_row(each, found) for each in found.strategies)
    return Table(_title(found), _GUARANTEE, rows, _notes(found))


def sequence_table(found: Guarantee) -> Table:
    """Return one row for each threshold of each strategy, in the order of the tests."""
    rows: list[dict[str, Cell]] = []
    for each in found.strategies:
        for place, step in enumerate(each.steps, start=1):
            row: dict[str, Cell] = {
                "strategy": each.title, "place": place, "threshold": step.threshold, "kept": step.kept,
                "share_kept": step.share_kept, "outcome": step.outcome.value, "says": step.says,
            }  # fmt: skip
            tested = {"rating": step.rating, "n": step.n, "bad": step.bad, "p": step.p, "upper": step.upper}
            rows.append(row | {key: value for key, value in tested.items() if value is not None})
    return Table(f"Tests of: {_title(found)}", _SEQUENCE, tuple(rows), _notes(found))


def estimate_table(found: WholeEstimate) -> Table:
    """Return the human-only share first, then of each strategy the tuned one and the one that uses its scores in full."""
    estimate = found.human.estimate
    human: dict[str, Cell] = {
        "scores": "labels alone", "use": "", "share": found.human, "labels": found.labels,
        "queries": None if estimate is None else round(estimate * found.queries),
    }  # fmt: skip
    rows = [human, *(row for each in found.strategies for row in _estimate_rows(each, found.queries))]
    warnings = tuple(f"{each.title}: {warning}" for each in found.strategies for warning in each.warnings)
    notes = (
        f"Shares are of {found.queries:,} queries. Sample {found.labels_key}: {found.labels:,} labels, {found.division.value}.",
        "Worth labels: how many labels alone would give an interval as wide.",
        *found.notes,
        *warnings,
    )
    return Table(f"Queries to remove in the whole benchmark, scoring {found.scoring}", _ESTIMATE, tuple(rows), notes)


def _title(found: Guarantee) -> str:
    risk, confidence = percent_text(found.risk).replace(".0 %", " %"), confidence_text(found.confidence)
    part = f" of {found.part}" if found.part else ""
    return f"At most {risk} of what is kept{part} is bad, with {confidence} confidence; scoring {found.scoring}"


def _row(each: StrategyGuarantee, found: Guarantee) -> dict[str, Cell]:
    row: dict[str, Cell] = {
        "strategy": each.title,
        "reached": "no" if each.chosen is None else "yes",
        "says": each.says,
    }
    if each.more is not None:
        row["more"] = each.more
    step = each.chosen
    if step is None:
        return row
    row |= {"threshold": step.threshold, "kept": step.kept, "share_kept": step.share_kept}
    row |= {"n": step.n, "bad": step.bad, "upper": step.upper}
    if step.rating is not None:
        row["rating"] = step.rating
    if each.held_out is not None:
        row["held_out"] = each.held_out
    return row


def _notes(found: Guarantee) -> tuple[str, ...]:
    names = len(found.strategies)
    shared = f" over {names} strategies, each" if names > 1 else ","
    return (
        f"Exact binomial tests in a fixed order; an error of {percent_text(1.0 - found.confidence)}{shared} at level "
        f"{found.alpha:.4g}. The bound is that of Clopper and Pearson at this level.",
        f"{found.labels:,} labels of {found.labels_key}, seed {found.seed}. One labelled query of a group enters a test; "
        "undecided queries count as kept. Another seed lets others enter: the confidence holds for one that was set before, not for "
        "the best of several.",
        *found.notes,
    )


def _estimate_rows(each: StrategyEstimate, queries: int) -> list[dict[str, Cell]]:
    rows: list[dict[str, Cell]] = []
    for use, found in (("as far as it helps", each.tuned), ("in full", each.full)):
        estimate = found.interval.estimate
        row: dict[str, Cell] = {
            "scores": each.title, "use": use, "share": found.interval, "power": found.power, "labels": found.labels,
            "queries": None if estimate is None else round(estimate * queries), "labels_worth": found.labels_worth,
            "labels_saved": None if found.labels_worth is None else found.labels_worth - found.labels,
            "undecided": each.undecided,
        }  # fmt: skip
        rows.append(row)
    return rows

"""Which rule fired how often, and how often it was right."""

from __future__ import annotations

from dataclasses import dataclass

from audit_core.statistics.intervals import Interval, wilson
from cleaning.compare import Compared
from cleaning.contract import Reason
from cleaning.tables import Cell, Column, ColumnKind, Table


@dataclass(frozen=True, slots=True)
class RuleHits:
    """One rule: the rows of the queries it fired on, and its precision, the share of these that are to be removed."""

    rule: str
    strategies: tuple[str, ...]
    rows: tuple[int, ...]
    reasons: dict[int, tuple[Reason, ...]]
    precision: Interval
    n: int


def rule_hits(compared: Compared) -> tuple[RuleHits, ...]:
    """Return the rules that fired, those that fired most first; a rule that several strategies use counts once a query."""
    fired: dict[str, dict[int, dict[Reason, None]]] = {}
    users: dict[str, dict[str, None]] = {}
    for each in compared.usable:
        for row, reasons in enumerate(each.reasons):
            # The one of a group of duplicates that stays has a reason as well, and a score of 0.
            for reason in reasons if each.scores[0, row] > 0.0 else ():
                fired.setdefault(reason.rule, {}).setdefault(row, {})[reason] = None
                users.setdefault(reason.rule, {})[each.name] = None
    n = len(compared.query_ids)
    found = []
    for rule, rows in fired.items():
        right = int(sum(bool(compared.remove[row]) for row in rows))
        reasons_by_row = {row: tuple(reasons) for row, reasons in sorted(rows.items())}
        found.append(
            RuleHits(rule, tuple(users[rule]), tuple(sorted(rows)), reasons_by_row, wilson(right, len(rows)), n)
        )
    return tuple(sorted(found, key=lambda each: (-len(each.rows), each.rule)))


def rule_table(hits: tuple[RuleHits, ...], titles: dict[str, str]) -> Table:
    """Return the rules as a table: fired, share of the queries, precision; `titles` names the strategies."""
    columns = (
        Column("rule", "Rule"),
        Column("strategies", "In"),
        Column("fired", "Fired on", ColumnKind.COUNT),
        Column("share", "Of the queries", ColumnKind.PROPORTION),
        Column("precision", "Precision", ColumnKind.INTERVAL),
    )
    rows: tuple[dict[str, Cell], ...] = tuple(
        {
            "rule": each.rule.replace("_", " "),
            "strategies": ", ".join(titles[name] for name in each.strategies),
            "fired": len(each.rows),
            "share": len(each.rows) / each.n,
            "precision": each.precision,
        }
        for each in hits
    )
    note = "Precision: the share to be removed among the queries on which the rule fired, alone or beside others."
    return Table("Rules that fired", columns, rows, (note,))

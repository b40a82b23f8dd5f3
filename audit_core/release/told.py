"""Parts that the card, the issue text and the readable certificate share: tables in Markdown, figures with their intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from audit_core.domain import CODE_MEANINGS
from audit_core.release.certificate import CampaignFacts, ReleaseFacts
from audit_core.release.examples import escaped
from audit_core.statistics.intervals import wilson
from audit_core.statistics.percent import interval_text, percent_text

_MEANINGS = {each.value: meaning for each, meaning in CODE_MEANINGS.items()}


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return a table in Markdown; whole numbers to the right."""
    cells = [[f"{each:,}" if isinstance(each, int) else str(each) for each in row] for row in rows]
    first = [[*row] for row in rows] if isinstance(rows, list) else []
    right = [bool(first) and all(isinstance(row[at], int) for row in first) for at in range(len(header))]
    rule = ["---:" if each else "---" for each in right]
    return [f"| {' | '.join(row)} |" for row in (list(header), rule, *cells)]


def proportion(count: int, of: int) -> str:
    """Return a count with its denominator, percentage and Wilson interval."""
    interval = wilson(count, of)
    return (
        f"{count:,} of {of:,} = {percent_text(interval.estimate)}, {interval_text(interval)}"
        if of
        else "undefined: 0 of 0"
    )


def status_table(facts: ReleaseFacts) -> list[str]:
    """Return the queries of the old revision by row status, with their share."""
    total = facts.counts["queries_before"]
    rows = [
        [name, count, percent_text(count / total if total else None, decimals=2)]
        for name, count in facts.counts["by_status"].items()
    ]
    return table(("row status", "queries", f"share of {total:,}"), rows)


def code_table(facts: ReleaseFacts) -> list[str]:
    """Return changes and queries by issue code."""
    counts = facts.counts
    rows = [
        [code, _MEANINGS.get(code, "mends no code"), changes, counts["queries_by_code"][code]]
        for code, changes in counts["by_code"].items()
    ]
    return table(("code", "means", "changes", "queries"), rows)


def action_table(facts: ReleaseFacts) -> list[str]:
    """Return the rows of the ledger by action."""
    return table(("action", "rows of the ledger"), [[name, count] for name, count in facts.counts["by_action"].items()])


def audit_lines(campaign: CampaignFacts) -> list[str]:
    """Return what the audit of a campaign says, every proportion with its denominator and interval; why not, where it says none."""
    if campaign.audit is None:
        return [
            f"Campaign {escaped(campaign.name)} follows the protocol {campaign.protocol}: it gives no issue codes to count."
        ]
    total: Mapping[str, Any] = campaign.audit["total"]
    decided = total["decided"]
    undecided = ", ".join(
        f"{total[name]:,} {name.replace('_', ' ')}" for name in ("disputed", "cannot_judge", "not_judged")
    )
    rows = [["correct", proportion(total["correct"], decided)]]
    rows += [[f"{code} ({_MEANINGS[code]})", proportion(count, decided)] for code, count in total["codes"].items()]
    return [
        f"Campaign {escaped(campaign.name)}: {total['entries']:,} entries, {decided:,} decided, {undecided}. "
        "An entry with two codes counts under both.",
        "",
        *table(("value", "of the decided entries"), rows),
        "",
        campaign.audit["benchmark"]["sentence"],
    ]


def agreement_lines(campaign: CampaignFacts) -> list[str]:
    """Return the agreement of a campaign as a table, undefined with the reason."""
    if campaign.agreement_undefined is not None:
        return [f"Agreement in {escaped(campaign.name)}: undefined: {campaign.agreement_undefined}"]
    rows = [
        [each["code"] or "correct or not", each["coefficient"], _number(each["value"]), _bounds(each), "" if each.get("items") is None else each["items"],
         each.get("reason") or ""]
        for each in campaign.agreement
    ]  # fmt: skip
    return table(("of", "coefficient", "value", "interval", "items", "undefined, why"), rows)


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4f}"


def _bounds(row: Mapping[str, Any]) -> str:
    if row.get("lower") is None or row.get("upper") is None:
        return ""
    return f"{row['lower']:.4f} to {row['upper']:.4f}"

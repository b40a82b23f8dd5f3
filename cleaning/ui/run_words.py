"""What came of a finished scoring, cleaning or rewording, in one line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from audit_core.audit_report.wording import counted
from audit_core.storage.cleaning_tables import RunKind
from audit_core.workflow.cleanings import RunView


def what_came(view: RunView) -> str:
    """Return it without a full stop; empty while nothing came of it."""
    result = view.row.result
    if not result:
        return ""
    words = {RunKind.SCORE: _of_scoring, RunKind.APPLY: _of_cleaning, RunKind.REWRITE: _of_rewording}
    return words[view.row.kind](result)


def _of_scoring(result: Mapping[str, Any]) -> str:
    queries = counted(result["queries"], "query", "queries") if "queries" in result else ""
    failed = sum(each.get("failed") is not None for each in result.get("strategies", ()))
    broken = f"{counted(failed, 'strategy', 'strategies')} failed" if failed else ""
    return " · ".join(filter(None, [queries, broken]))


def _of_cleaning(result: Mapping[str, Any]) -> str:
    if "removed" not in result:
        return ""
    reworded = f", {result['reworded']:,} reworded" if result.get("reworded") else ""
    return f"{result['removed']:,} of {counted(result['before'], 'query', 'queries')} removed{reworded}"


def _of_rewording(result: Mapping[str, Any]) -> str:
    if "proposed" not in result:
        return ""
    proposed = counted(result["proposed"], "proposal", "proposals")
    parts = [f"{proposed} for {counted(result['queries'], 'query', 'queries')}"]
    if result.get("unchanged"):
        parts.append(f"{result['unchanged']:,} left as they are by the model")
    if result.get("unanswered"):
        parts.append(f"{result['unanswered']:,} without a usable answer")
    return ", ".join(parts)

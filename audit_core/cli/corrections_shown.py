"""Corrections as commands print them: a table, what they come to, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from audit_core.cli.output import print_table

if TYPE_CHECKING:
    from audit_core.storage.datasets import DatasetRow
    from audit_core.workflow.correction_standing import Standing
    from audit_core.workflow.corrections_check import Outcome

#: Characters of a text or piece of evidence in a table, and queries in a list; --json has all of it.
SHOWN = 48


def print_corrections(found: Sequence[Standing]) -> None:
    """Print corrections as a table, a line each."""
    header = ("id", "query", "action", "code", "state", "before", "after", "structure", "mark")
    print_table(header, [_cells(each) for each in found])


def _cells(each: Standing) -> list[Any]:
    row = each.row
    marks = [
        mark
        for mark, holds in (
            ("stale: rebase", each.can_be_rebased),
            ("stale, cannot be rebased", each.is_stale and not each.can_be_rebased),
            ("cannot be applied", each.misfit is not None and not each.is_stale),
            (f"conflicts with {each.conflict}", each.conflict is not None),
            ("self-reviewed", row.is_self_reviewed),
        )
        if holds
    ]
    structure = each.structure.words if each.structure else ""
    shown = (_short(row.change.before), _short(row.change.after))
    return [
        row.id,
        row.query_id,
        row.change.action.value,
        row.code or "",
        row.state.value,
        *shown,
        structure,
        ", ".join(marks),
    ]


def _short(value: Any) -> str:
    from audit_core.corrections.wording import in_words

    text = " ".join(in_words(value).split())
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def print_outcome(outcome: Outcome) -> None:
    """Print what corrections come to, a line for each kind."""
    for words, number in outcome.structures.items():
        click.echo(f"{_queries(number)}: {words}")
    for name, ids in (("No evidence is left of", outcome.empty), ("Withdrawn:", outcome.withdrawn)):
        if ids:
            more = " …" if len(ids) > SHOWN else ""
            click.echo(f"{name} {_queries(len(ids))}: {', '.join(ids[:SHOWN])}{more}")


def _queries(number: int) -> str:
    return f"{number:,} {'query' if number == 1 else 'queries'}"


def next_step(dataset: DatasetRow) -> str:
    """Return what to do when every correction is reviewed."""
    return (
        "All are reviewed. The next step is a release: "
        f"`python -m audit_core release make {dataset.name}@{dataset.revision} --revision NEW --person NAME`."
    )

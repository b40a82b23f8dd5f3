"""What commands that ask language models say: the estimate, and that a model decided nothing."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from audit_core.cli.output import print_json, print_table, say

if TYPE_CHECKING:
    from cleaning.comparison_asking import PlannedFor

_COLUMNS = ("strategy", "step", "model", "questions", "kept", "calls", "tokens in", "tokens out, most", "US $, most")


def print_estimate(planned: Sequence[PlannedFor], *, as_json: bool) -> None:
    """Print what language models would be asked, step by step and together; money is unknown where a price is."""
    rows = [
        {
            "strategy": each.strategy, "step": each.planned.step, "model": each.planned.model.model,
            "questions": each.planned.estimate.asks, "kept": each.planned.estimate.kept,
            "calls": each.planned.estimate.calls, "tokens_input": each.planned.estimate.tokens_input,
            "tokens_output_most": each.planned.estimate.tokens_output_most, "spend": each.planned.estimate.spend,
        }
        for each in planned
    ]  # fmt: skip
    spends = [each["spend"] for each in rows]
    total = {name: sum(int(each[name] or 0) for each in rows) for name in _SUMS}
    whole = {**total, "spend": None if None in spends else sum(float(each or 0.0) for each in spends)}
    says = list(dict.fromkeys(each.planned.estimate.says for each in planned))
    if as_json:
        print_json({"steps": rows, "total": whole, "says": says})
        return
    if not rows:
        say("No strategy asks a language model: nothing would be sent.")
        return
    together = {"strategy": "all", "step": "", "model": "", **whole}
    lines = [*rows, together] if len(rows) > 1 else rows
    print_table(_COLUMNS, [[*(line[name] for name in _KEYS), _money(line["spend"])] for line in lines])
    for each in says:
        say(each)


_SUMS = ("questions", "kept", "calls", "tokens_input", "tokens_output_most")
_KEYS = ("strategy", "step", "model", *_SUMS)


def refuse_silent(failed: Mapping[str, str], titles: Mapping[str, str]) -> None:
    """End with exit code 1 where a strategy that asks a language model has no figures, and say why; else return."""
    if not failed:
        return
    for name, why in failed.items():
        say(f"Error: {titles[name]}: {why}.")
    say("Answers that came are kept: a run of another name asks only what failed.")
    sys.exit(1)


def say_what_is_kept(stop: BaseException) -> None:
    """Say, where somebody stopped a run that asks, what became of the answers; other errors say so themselves."""
    if isinstance(stop, KeyboardInterrupt):
        say("Stopped. Every answer that arrived is kept: the same command goes on, and asks only the rest.")


def _money(spend: object) -> str:
    return f"{spend:,.2f}" if isinstance(spend, int | float) else "unknown"

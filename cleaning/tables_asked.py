"""What language models were asked in a comparison, as a table, and what a limit on their ratings means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from audit_core.inference.chat import Status
from audit_core.statistics.intervals import wilson
from cleaning.compare import Scored
from cleaning.llm.asked import reason_words
from cleaning.tables import Cell, Column, ColumnKind, Table, number_text

#: A hash in a note is cut to so many characters.
_HASH_SHOWN = 12
_UNDECIDED = (
    "A question without an accepted answer has no score; a query without any is undecided: it is kept, and its rates are shown "
    "with their bounds."
)
_FLIPS = (
    "Flip rate: of the queries with two accepted repeats or more, those whose repeats do not all decide the same at the "
    "strategy's threshold."
)
_COSTS = (
    "Calls, tokens and US dollars are of this attempt, failed and repeated requests included; kept answers were paid for before. "
    "A cost is undefined where a model's price is not known."
)


def asked_table(strategies: Sequence[Scored], titles: Mapping[str, str]) -> Table | None:
    """Return a row for every strategy and prompt that a language model was asked by; None where none was asked.

    Args:
        strategies: all that took part, those that failed as well.
        titles: how each is shown, by name.
    """
    asking = [(each, each.asked) for each in strategies if each.asked is not None]
    if not asking:
        return None
    came = {status for _, asked in asking for status in asked["statuses"]} | {Status.ACCEPTED.value}
    statuses = [each for each in Status if each.value in came]
    columns = (
        Column("strategy", "Strategy"),
        Column("prompt", "Prompt"),
        Column("model", "Model"),
        Column("queries", "Queries", ColumnKind.COUNT),
        Column("undecided", "Undecided", ColumnKind.COUNT),
        Column("flips", "Flip rate", ColumnKind.INTERVAL),
        Column("asked", "Asked", ColumnKind.COUNT),
        *(Column(_key(each), each.value.capitalize(), ColumnKind.COUNT) for each in statuses),
        Column("kept", "Kept from before", ColumnKind.COUNT),
        Column("calls", "Calls", ColumnKind.COUNT),
        Column("tokens_input", "Tokens in", ColumnKind.COUNT),
        Column("tokens_output", "Tokens out", ColumnKind.COUNT),
        Column("spend", "US $", ColumnKind.NUMBER),
    )
    rows = [
        _row(titles[each.name], asked, stage, statuses, is_first=place == 0)
        for each, asked in asking
        for place, stage in enumerate(asked["stages"])
    ]
    notes = [_UNDECIDED, _FLIPS, _COSTS]
    notes += [f"{titles[each.name]} failed: {each.failed}." for each, _ in asking if each.failed is not None]
    notes += list(dict.fromkeys(_about(stage) for _, asked in asking for stage in asked["stages"]))
    return Table("Answers of language models", columns, tuple(rows), (*notes, *limit_notes(strategies, titles)))


def limit_notes(strategies: Sequence[Scored], titles: Mapping[str, str]) -> tuple[str, ...]:
    """Return what the threshold of each rating by a language model means for its criteria, one sentence a strategy."""
    found = []
    for each in strategies:
        if each.options.get("strategy") != "llm_rating":
            continue
        limits = each.options.get("thresholds")
        title = titles[each.name]
        if isinstance(limits, Mapping):
            of_each = ", ".join(f"{name.replace('_', ' ')} {number_text(limit)}" for name, limit in limits.items())
            found.append(f"{title}: a query goes when any criterion is at or below its limit ({of_each}).")
        elif isinstance(limits, int | float):
            found.append(f"{title}: a query goes when any criterion is at or below {number_text(limits)}.")
        else:
            found.append(
                f"{title}: a query goes when any criterion is at or below 1 minus the threshold: at a threshold of 0.75 at or "
                "below 0.25."
            )
    return tuple(found)


def _row(
    title: str, asked: Mapping[str, Any], stage: Mapping[str, Any], statuses: Sequence[Status], *, is_first: bool
) -> dict[str, Cell]:
    """Return a row; what is of the strategy as a whole stands in its first."""
    row: dict[str, Cell] = {"strategy": title, "prompt": stage["prompt"], "model": stage["model"]}
    if is_first:
        row |= {"queries": asked["queries"], "undecided": asked["undecided"]}
        if asked["flips"] is not None:
            row["flips"] = wilson(asked["flips"]["count"], asked["flips"]["n"])
    row |= {_key(each): stage["statuses"].get(each.value, 0) for each in statuses}
    row |= {name: stage[name] for name in ("asked", "kept", "calls", "tokens_input", "tokens_output", "spend")}
    return row


def _key(status: Status) -> str:
    return status.value.replace(" ", "_")


def _about(stage: Mapping[str, Any]) -> str:
    """Return what a prompt was put to whom with: hash, server, parameters, what became of a schema, and of the rest."""
    parameters = ", ".join(f"{name} {value}" for name, value in stage["parameters"].items() if value not in (None, {}))
    probe = stage.get("probe") or {}
    schema = f"; schema {probe['mode']}" if probe.get("mode") else ""
    why = reason_words(stage)
    return (
        f"Prompt {stage['prompt']} ({stage['prompt_hash'][:_HASH_SHOWN]}) to {stage['model']} at {stage['base_url']}"
        f" ({parameters}){schema}.{f' Not accepted, most often: {why}.' if why else ''}"
    )

"""What a plan gives and what it rests on, in words."""

from __future__ import annotations

from collections.abc import Sequence

from audit_core.sampling.allocation import Allocation
from audit_core.sampling.expectation import StratumGuess
from audit_core.sampling.plan import Expected, SamplePlan
from audit_core.statistics.intervals import CENSUS
from audit_core.statistics.percent import interval_text, percent, percent_text
from audit_core.statistics.stratified import name_list

#: Below this many entries a stratum is called small, as in the audit report.
FEW_ENTRIES = 20

_RULES = {
    Allocation.PROPORTIONAL: "in proportion to the queries of each stratum",
    Allocation.NEYMAN: "in proportion to queries times guessed standard deviation (Neyman)",
    Allocation.EQUAL: "in equal parts",
    Allocation.BY_HAND: "as set by hand",
}


def plan_sentences(plan: SamplePlan) -> tuple[str, ...]:
    """Return what is to be drawn, which interval is to be expected, whether that is what was wanted, on what it rests."""
    queries, strata = f"{plan.whole.population:,}", sum(1 for each in plan.guesses if each.population)
    sentences = [
        f"{plan.total:,} of {queries} queries from {strata} {'stratum' if strata == 1 else 'strata'}, "
        f"divided {_RULES[plan.allocation]}.",
        _whole_sentence(plan),
    ]
    for kind, rows in (
        ("source", plan.sources), ("structure", plan.structures), ("stratum", plan.strata),
    ):  # fmt: skip
        sentences += _widest_sentences(kind, rows)
    if plan.whole.interval.method != CENSUS:
        sentences.append(_rests_on(plan.guesses))
    return tuple(sentences)


def plan_warnings(plan: SamplePlan) -> tuple[str, ...]:
    """Return what the user should know before drawing: empty, undrawn and small strata, guesses that allow no fault."""
    pairs = list(zip(plan.guesses, plan.sizes, strict=True))
    empty = [each.name for each in plan.guesses if not each.population]
    undrawn = [each.name for each, size in pairs if each.population and not size]
    single = [each.name for each, size in pairs if size == 1 < each.population]
    few = [size for each, size in pairs if 0 < size < min(FEW_ENTRIES, each.population)]
    certain = [each.name for each in plan.guesses if each.population and each.accuracy in (0.0, 1.0)]
    warnings = []
    if empty:
        warnings.append(f"No queries, so nothing to draw: {name_list(empty)}.")
    if undrawn:
        warnings.append(f"Nothing would be drawn from {name_list(undrawn)}: no estimate would cover the whole.")
    if single:
        warnings.append(f"A single entry has no variance: give {name_list(single)} at least 2.")
    if few:
        one = len(few) == 1
        warnings.append(
            f"{len(few)} {'stratum gets' if one else 'strata get'} under {FEW_ENTRIES} entries, the smallest "
            f"{min(few)}. With about 12 in each, and few faults, an interval of nominal 95 % covered only 88 % in "
            "simulation."
        )
    if certain:
        warnings.append(
            f"Guessed all correct or all incorrect, so the plan takes them to add no uncertainty: {name_list(certain)}. "
            "The real interval will be wider if a fault is found; guess such as 0.99 instead."
        )
    return tuple(warnings)


def _whole_sentence(plan: SamplePlan) -> str:
    interval = plan.whole.interval
    if interval.estimate is None or interval.undefined is not None:
        return f"{plan.whole.name}: interval undefined, since {interval.undefined}."
    if interval.method == CENSUS:
        return f"{plan.whole.name}: every query is taken, so there is no sampling error."
    held = (
        " The effective n is held at the number of entries: strata are likely to show no fault, and the interval does not count "
        "on there being none."
        if plan.whole.is_held_at_size
        else ""
    )
    return (
        f"{plan.whole.name}: if the guesses hold, {percent_text(interval.estimate, decimals=2)} correct, "
        f"{interval_text(interval)}, half-width {_points(plan.whole.half_width)}{_against(plan.whole)}.{held}"
    )


def _widest_sentences(kind: str, rows: Sequence[Expected]) -> list[str]:
    """Return one sentence on the widest interval of a kind of rows, and one where rows miss what was wanted."""
    known = [(each.half_width, each.name or "(unnamed)") for each in rows if each.half_width is not None]
    if not known or not any(each[0] for each in known):
        return []
    width, name = max(known, key=lambda row: row[0] or 0.0)
    sentences = [f"Widest half-width of a {kind}: {_points(width)} ({name})."]
    missed = [each.name or "(unnamed)" for each in rows if each.population and each.is_met is False]
    if missed:
        wanted = next(each.wanted for each in rows)
        sentences.append(f"Wider than the wanted {_points(wanted)}, or undefined: {name_list(missed)}.")
    return sentences


def _against(row: Expected) -> str:
    if row.wanted is None:
        return ""
    return f" ({'within' if row.is_met else 'above'} the wanted {_points(row.wanted)})"


def _points(width: float | None) -> str:
    return f"{percent(width, decimals=2)} points"


def _rests_on(guesses: Sequence[StratumGuess]) -> str:
    values = [each.accuracy for each in guesses if each.population]
    low, high = min(values), max(values)
    guess = percent_text(low) if low == high else f"{percent_text(low)} to {percent_text(high)}"
    return (
        f"Rests on guessed accuracies ({guess} a stratum) and on a decision for every entry that is drawn; "
        "what is found decides how wide the intervals will be."
    )

"""What a request draws and what may be concluded from it, in sentences for a page or a terminal."""

from __future__ import annotations

from audit_core.sampling import SamplePlan, plan_sentences, plan_warnings
from audit_core.statistics.percent import interval_text, percent, percent_text
from audit_core.workflow.sample_frame import Frame
from audit_core.workflow.sample_request import SampleKind, SampleRequest


def planned_sentences(request: SampleRequest, plan: SamplePlan, frame: Frame) -> tuple[str, ...]:
    """Return what is drawn, from what, with which interval to expect, and what an estimate will stand for."""
    lines = {
        SampleKind.ALL: _all_sentences,
        SampleKind.SIMPLE: _simple_sentences,
        SampleKind.STRATIFIED: plan_sentences,
    }[request.kind](plan)
    return (*lines, *_frame_sentences(request, frame))


def planned_warnings(request: SampleRequest, plan: SamplePlan, frame: Frame) -> tuple[str, ...]:
    """Return what to know before the draw."""
    warnings: list[str] = []
    if request.kind is SampleKind.STRATIFIED:
        warnings += plan_warnings(plan)
    if request.kind is SampleKind.SIMPLE:
        thin = [each for each in plan.strata if each.population and each.size < 2]
        if thin:
            warnings.append(
                f"{len(thin)} of {len(plan.strata)} strata get fewer than two entries on average: the report then takes all "
                "queries as one stratum. A stratified draw gives each stratum its share."
            )
    if frame.elsewhere:
        warnings.append(f"{frame.elsewhere:,} queries of the campaigns to leave out are not in this frame.")
    return tuple(warnings)


def _all_sentences(plan: SamplePlan) -> tuple[str, ...]:
    if plan.total < plan.whole.population:
        return (
            f"All {plan.total:,} queries that were not taken before, of {plan.whole.population:,}, in random order through "
            "all strata at once.",
            f"{plan.whole.name}: if the guess holds, {interval_text(plan.whole.interval)}, half-width "
            f"{_points(plan.whole.half_width)}, once every entry is decided."
            if plan.whole.half_width is not None
            else f"{plan.whole.name}: {interval_text(plan.whole.interval)}.",
        )
    return (
        f"All {plan.total:,} queries, in random order through all strata at once.",
        "Once every entry is decided, the report is exact. Until then those decided are a random sample of each stratum, "
        "and the report gives an interval.",
    )


def _simple_sentences(plan: SamplePlan) -> tuple[str, ...]:
    whole = plan.whole
    if plan.total == whole.population:
        return (f"All {plan.total:,} queries: so many are needed, and there is no sampling error.",)
    wanted = (
        "" if whole.wanted is None else f" ({'within' if whole.is_met else 'above'} the wanted {_points(whole.wanted)})"
    )
    interval = (
        f"{whole.name}: if the guess holds, {percent_text(whole.interval.estimate, decimals=2)} correct, "
        f"{interval_text(whole.interval)}, half-width {_points(whole.half_width)}{wanted}."
    )
    return (
        f"{plan.total:,} of {whole.population:,} queries, each with the same chance, whatever its stratum.",
        interval if whole.half_width is not None else f"{whole.name}: {interval_text(whole.interval)}.",
        "Chance decides how many entries a stratum gets; the table shows what it gives on average.",
    )


def _frame_sentences(request: SampleRequest, frame: Frame) -> list[str]:
    lines = []
    if request.where.condition is not None:
        lines.append(f"Only queries that match ({request.where.condition}) are drawn: nothing follows for the others.")
    left_out = sum(each.left_out for each in frame.strata)
    if left_out:
        rest = sum(each.eligible for each in frame.strata)
        lines.append(
            f"{left_out:,} queries of earlier campaigns are left out. "
            + (
                "They were drawn at random from the same frame, so this sample alone stands for the whole frame."
                if frame.at_random
                else f"They are not known to be drawn at random from this frame, so this sample stands for the other {rest:,}."
            )
        )
    return lines


def _points(width: float | None) -> str:
    return f"{percent(width, decimals=2)} points"

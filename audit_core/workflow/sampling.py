"""Sampling: the plan of a campaign before anything is labelled, and the draw by which it gets its entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from audit_core.domain import JsonObject, SampleDesign
from audit_core.errors import AssayError, StatisticsError
from audit_core.sampling import (
    Draw,
    SamplePlan,
    StratumGuess,
    StratumKey,
    census_draw,
    chosen_ids,
    draw_sentences,
    guesses_from_audit,
    plan_by_hand,
    plan_for_total,
    plan_for_width,
    sample_design,
    simple_draw,
    stratified_draw,
)
from audit_core.sampling.permanent_order import SCHEME
from audit_core.sampling.records import ALL, SIMPLE, STRATIFIED
from audit_core.statistics.stratified import StratumCount
from audit_core.storage import samples
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.samples import SampleRecord
from audit_core.workflow.plan_words import planned_sentences, planned_warnings
from audit_core.workflow.sample_frame import Frame, frame_for
from audit_core.workflow.sample_request import SampleKind, SampleRequest, filter_from_json, fresh_seed
from audit_core.workflow.workspace import Workspace

#: A simple draw knows no strata: its frame is one.
WHOLE: StratumKey = ("", "")


@dataclass(frozen=True, slots=True, eq=False)
class PlannedSample:
    """A plan with what it is for. `plan` is None for a list of ids, which leaves nothing to plan.

    `request` has its seed. The strata of the plan are those that the estimate will stand for: whole, or without the queries
    left out where these had not been drawn at random.
    """

    request: SampleRequest
    plan: SamplePlan | None
    frame: Frame
    sentences: tuple[str, ...]
    warnings: tuple[str, ...]

    def as_json(self) -> JsonObject:
        """Return the plan as one JSON document: intervals and half-widths as parts of 1."""
        where = self.request.where
        document: JsonObject = {
            "request": self.request.as_json(),
            "seed": self.request.seed,
            "filter": where.as_json(),
            "condition": where.condition,
            "left_out": sum(each.left_out for each in self.frame.strata),
            "left_out_at_random": self.frame.at_random,
            "sentences": list(self.sentences),
            "warnings": list(self.warnings),
        }
        return document if self.plan is None else document | plan_as_json(self.plan)


@dataclass(frozen=True, slots=True, eq=False)
class DrawnSample:
    """A draw with its plan and the design that the report will rest on."""

    planned: PlannedSample
    draw: Draw
    design: SampleDesign

    @property
    def record(self) -> SampleRecord:
        """What is stored beside the design, so that everything can be computed again."""
        planned, draw = self.planned, self.draw
        request, frame = planned.request, planned.frame
        plan: JsonObject = {"request": request.as_json()}
        if planned.plan is not None:
            plan |= plan_as_json(planned.plan)
        return SampleRecord(
            scheme=None if draw.seed is None else SCHEME,
            allocation=planned.plan.allocation.value if planned.plan and draw.method == STRATIFIED else None,
            plan=plan,
            frame_condition=draw.condition,
            frame_filter=request.where.as_json() or None,
            frame_hash=frame.hash,
            left_out_at_random=draw.left_out_at_random if request.leave_out else None,
            left_out_elsewhere=draw.left_out_elsewhere if request.leave_out else None,
            frame_strata={each.key: (each.population, each.left_out) for each in draw.strata},
            left_out_campaigns=request.leave_out,
        )


def plan_as_json(plan: SamplePlan) -> JsonObject:
    """Return a plan with its inputs and what it expects: accuracies, bounds and half-widths as parts of 1."""
    return {
        "allocation": plan.allocation.value,
        "confidence": plan.confidence,
        "total": plan.total,
        "strata": [
            {
                "source": guess.source,
                "evidence_structure": guess.evidence_structure,
                "population": guess.population,
                "size": size,
                "guess": guess.accuracy,
                "half_width": row.half_width,
            }
            for guess, size, row in zip(plan.guesses, plan.sizes, plan.strata, strict=True)
        ],
        "whole": {
            "population": plan.whole.population,
            "size": plan.whole.size,
            "estimate": plan.whole.interval.estimate,
            "low": plan.whole.interval.low,
            "high": plan.whole.interval.high,
            "half_width": plan.whole.half_width,
            "effective_n": plan.whole.effective_n,
            "wanted": plan.whole.wanted,
            "undefined": plan.whole.interval.undefined,
        },
        "sources": [{"source": row.name, "size": row.size, "half_width": row.half_width} for row in plan.sources],
        "structures": [
            {"evidence_structure": row.name, "size": row.size, "half_width": row.half_width} for row in plan.structures
        ],
    }


def plan_sample(workspace: Workspace, dataset: DatasetRow, request: SampleRequest) -> PlannedSample:
    """Return how many entries of each stratum a request draws and how wide the intervals will be, before any labelling.

    Reads no query but once: the frame of a dataset and filter stays in memory.

    Raises:
        AssayError: the request cannot be met: no query matches, more are asked for than there are, sizes of strata or ids
            that are not there, an earlier campaign that is none of this dataset.
    """
    if request.seed is None and request.kind is not SampleKind.IDS:
        request = replace(request, seed=fresh_seed())
    frame = frame_for(workspace, dataset, request)
    if request.kind is SampleKind.IDS:
        return PlannedSample(request, None, frame, draw_sentences(chosen_ids(frame.ids(), request.query_ids)), ())
    plan = _named(_plan(workspace, request, frame), request, frame)
    sentences = planned_sentences(request, plan, frame)
    return PlannedSample(request, plan, frame, sentences, planned_warnings(request, plan, frame))


def drawn_sample(workspace: Workspace, dataset: DatasetRow, request: SampleRequest) -> DrawnSample:
    """Return the entries that a request draws, with its plan and design; the seed alone decides which.

    Raises:
        AssayError: as `plan_sample`.
    """
    planned = plan_sample(workspace, dataset, request)
    request, frame = planned.request, planned.frame
    draw = _draw(request, planned.plan, frame)
    return DrawnSample(planned, draw, sample_design(draw, frame_name=dataset.name, frame_revision=dataset.revision))


def draw_again(workspace: Workspace, campaign: CampaignRow) -> Draw:
    """Return the draw of a campaign, made once more from its stored seed, sizes, filter and earlier campaigns.

    Raises:
        AssayError: the campaign was not drawn by chance here, or its dataset now gives another frame.
    """
    if campaign.sample_scheme != SCHEME or campaign.sample_seed is None:
        raise AssayError(f"Campaign {campaign.name} was not drawn here by chance, so it cannot be drawn again.")
    with workspace.database.read() as connection:
        sizes = {
            (each.source, each.evidence_structure): each.drawn for each in samples.strata_of(connection, campaign.id)
        }
        leave_out = tuple(samples.left_out_of(connection, campaign.id))
    dataset = workspace.dataset(campaign.dataset_id)
    kinds = {ALL: SampleKind.ALL, SIMPLE: SampleKind.SIMPLE, STRATIFIED: SampleKind.STRATIFIED}
    kind = kinds[campaign.sample_method or ALL]
    asked: dict[SampleKind, dict[str, object]] = {
        SampleKind.ALL: {},
        SampleKind.SIMPLE: {"total": sum(sizes.values())},
        SampleKind.STRATIFIED: {"sizes": sizes},
    }
    request = SampleRequest(
        kind,
        campaign.sample_seed,
        filter_from_json(campaign.frame_filter),
        leave_out,
        **asked[kind],  # type: ignore[arg-type]
    )
    frame = frame_for(workspace, dataset, request)
    if frame.hash != campaign.frame_hash:
        raise AssayError(f"The queries of {dataset.name} are not those that {campaign.name} was drawn from.")
    return _draw_sizes(request, sizes, frame)


def _draw(request: SampleRequest, plan: SamplePlan | None, frame: Frame) -> Draw:
    if plan is None:
        return chosen_ids(frame.ids(), request.query_ids)
    sizes = {WHOLE: plan.total} if request.kind is SampleKind.SIMPLE else plan.sizes_by_stratum()
    return _draw_sizes(request, sizes, frame)


def _draw_sizes(request: SampleRequest, sizes: Mapping[StratumKey, int], frame: Frame) -> Draw:
    assert request.seed is not None
    ids, seed, condition = frame.ids(), request.seed, request.where.condition
    if request.kind is SampleKind.ALL and not request.leave_out:
        return census_draw(ids, seed=seed, condition=condition)
    if request.kind is SampleKind.SIMPLE:
        return simple_draw(
            ids, sum(sizes.values()), seed=seed, leave_out=frame.left_out_ids, left_out_at_random=frame.at_random,
            condition=condition,
        )  # fmt: skip
    return stratified_draw(
        ids, sizes, seed=seed, leave_out=frame.left_out_ids, left_out_at_random=frame.at_random, condition=condition
    )


def _named(plan: SamplePlan, request: SampleRequest, frame: Frame) -> SamplePlan:
    """Return the plan with a name for what its estimate will stand for."""
    if request.where.condition is not None:
        return replace(plan, whole=replace(plan.whole, name="All queries that match"))
    if any(each.left_out for each in frame.strata) and not frame.at_random:
        return replace(plan, whole=replace(plan.whole, name="All queries not taken before"))
    return plan


def _plan(workspace: Workspace, request: SampleRequest, frame: Frame) -> SamplePlan:
    eligible = {each.key: each.eligible for each in frame.strata}
    if not any(eligible.values()):
        raise AssayError("Every query that matches is an entry of the campaigns to leave out: nothing is left to draw.")
    stands_for = {each.key: each.population for each in frame.strata} if frame.at_random else eligible
    guesses = _guesses(workspace, request, stands_for)
    if request.kind is SampleKind.ALL:
        return plan_by_hand(guesses, eligible)
    if request.kind is SampleKind.SIMPLE:
        return _simple_plan(request, guesses, most=sum(eligible.values()))
    plan = _stratified_plan(request, guesses)
    if all(size <= eligible[key] for key, size in plan.sizes_by_stratum().items()) or request.sizes is not None:
        return plan
    # Some strata have fewer queries left than the plan takes: plan for those that are left, and judge it by the whole.
    within = _stratified_plan(request, [replace(each, population=eligible[each.key]) for each in guesses])
    again = plan_by_hand(guesses, within.sizes_by_stratum(), wanted=request.wanted)
    return replace(again, allocation=within.allocation)


def _stratified_plan(request: SampleRequest, guesses: list[StratumGuess]) -> SamplePlan:
    if request.sizes is not None:
        return plan_by_hand(guesses, request.sizes)
    if request.total is not None:
        return plan_for_total(guesses, request.total, allocation=request.allocation)
    assert request.wanted is not None
    return plan_for_width(guesses, request.wanted, allocation=request.allocation)


def _simple_plan(request: SampleRequest, guesses: list[StratumGuess], *, most: int) -> SamplePlan:
    """Return the plan of a simple draw: the whole as one stratum, the others with the entries that chance gives on average."""
    population = sum(each.population for each in guesses)
    accuracy = sum(each.population * each.accuracy for each in guesses) / population
    whole = [StratumGuess(*WHOLE, population, min(1.0, accuracy))]
    if request.total is not None:
        total = request.total
    else:
        assert request.wanted is not None
        total = plan_for_width(whole, replace(request.wanted, stratum=None, source=None, structure=None),
                               allocation=request.allocation).total  # fmt: skip
    if total > most:
        raise StatisticsError(
            f"{total:,} queries are needed or asked for, but there are {most:,} to draw from. Ask for fewer."
        )
    pooled = plan_by_hand(whole, {WHOLE: total}, wanted=request.wanted)
    parts = plan_for_total(guesses, total, allocation=request.allocation, minimum=0)
    return replace(parts, whole=pooled.whole, sources=(), structures=())


def _guesses(workspace: Workspace, request: SampleRequest, populations: Mapping[StratumKey, int]) -> list[StratumGuess]:
    from audit_core.sampling import guessed_strata

    if request.guess_from is None:
        return guessed_strata(populations, request.guess)
    counts = earlier_counts(workspace, request.guess_from)
    return guesses_from_audit(
        [StratumCount(*key, populations[key], *counts.get(key, (0, 0))) for key in sorted(populations)]
    )


def earlier_counts(workspace: Workspace, campaign_id: int) -> dict[StratumKey, tuple[int, int]]:
    """Return (decided, correct) of each stratum of a campaign, as its report has them."""
    from audit_core.workflow.reporting import audit_report

    rows = audit_report(workspace, campaign_id).rows_of("stratum")
    return {(row.source or "", row.evidence_structure or ""): (row.decided, row.correct) for row in rows}

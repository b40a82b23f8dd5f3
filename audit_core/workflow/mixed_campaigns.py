"""Campaigns of what to label next: a random share, and queries chosen by weights that follow from strategies' scores.

Where the weights come from is not known here. What annotators see of an entry says nothing of weights, chances and parts:
the routes of the judging surface name what they show, and these are not among it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from audit_core.audit_report.wording import counted
from audit_core.domain import JsonObject, SampleDesign
from audit_core.protocols import removal
from audit_core.sampling.mixed_draw import (
    MIXED_SCHEME,
    ActivePart,
    MixedDraw,
    PartDraw,
    Selection,
    mixed_design,
    mixed_draw,
)
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.storage.samples import SampleRecord
from audit_core.workflow.campaigns import check_new_campaign, make_campaign
from audit_core.workflow.sample_frame import Frame, frame_for
from audit_core.workflow.sample_request import SampleKind, SampleRequest, fresh_seed
from audit_core.workflow.workspace import Workspace

#: What is stored of the chances, beside them.
_CHANCES = {
    Selection.RANDOM: "random share / queries that could be drawn, unconditional",
    Selection.DISAGREEMENT: "in proportion to the weight, given the parts drawn before",
    Selection.NEAR_THRESHOLD: "in proportion to the weight, given the parts drawn before",
}


@dataclass(frozen=True, slots=True)
class MixedRequest:
    """What is to be drawn: `random` queries at random, then the active parts in their order.

    `seed` None means that one is to be made up. `leave_out` are campaigns whose queries are not drawn again. `basis` says
    what the weights come from, as JSON; it is stored with the campaign.
    """

    random: int
    parts: tuple[ActivePart, ...]
    seed: int | None = None
    leave_out: tuple[int, ...] = ()
    basis: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class MixedSample:
    """A mixed draw with its request (which has its seed), its frame, and the design that is stored with it."""

    request: MixedRequest
    mixed: MixedDraw
    frame: Frame
    design: SampleDesign

    @property
    def record(self) -> SampleRecord:
        """What is stored beside the design, so that everything can be computed again."""
        share, request = self.mixed.share, self.request
        return SampleRecord(
            scheme=MIXED_SCHEME,
            allocation=None,
            plan={"parts": [_part_as_json(each) for each in self.mixed.parts], "basis": dict(request.basis)},
            frame_condition=None,
            frame_filter=None,
            frame_hash=self.frame.hash,
            left_out_at_random=share.left_out_at_random if request.leave_out else None,
            left_out_elsewhere=share.left_out_elsewhere if request.leave_out else None,
            frame_strata={each.key: (each.population, each.left_out) for each in share.strata},
            left_out_campaigns=request.leave_out,
        )

    def as_json(self) -> JsonObject:
        """Return what was drawn as one JSON document: counts, seed, and in words; no entry is named."""
        return {
            "seed": self.mixed.seed,
            "method": self.mixed.method,
            "entries": len(self.mixed.entries),
            "frame": sum(each.population for each in self.frame.strata),
            "left_out": self.mixed.share.left_out,
            "parts": [_part_as_json(each) for each in self.mixed.parts],
            "basis": dict(self.request.basis),
            "sentences": list(mixed_sentences(self.mixed)),
        }


def draw_mixed(workspace: Workspace, dataset: DatasetRow, request: MixedRequest) -> MixedSample:
    """Return what a request draws of a dataset; weights and seed alone decide.

    Raises:
        StatisticsError: as `mixed_draw`.
        AssayError: a campaign to leave out is none of this dataset, or there is no query.
    """
    if request.seed is None:
        request = replace(request, seed=fresh_seed())
    assert request.seed is not None
    simple = SampleRequest(SampleKind.SIMPLE, request.seed, leave_out=request.leave_out, total=max(1, request.random))
    frame = frame_for(workspace, dataset, simple)
    mixed = mixed_draw(
        frame.ids(),
        random=request.random,
        parts=request.parts,
        seed=request.seed,
        leave_out=frame.left_out_ids,
        left_out_at_random=frame.at_random,
    )
    design = mixed_design(mixed, frame_name=dataset.name, frame_revision=dataset.revision)
    return MixedSample(request, mixed, frame, design)


def start_mixed_campaign(
    workspace: Workspace,
    dataset: DatasetRow,
    request: MixedRequest,
    *,
    name: str,
    protocol: str = removal.name,
    judgments_per_entry: int = 1,
    person: Person | None = None,
) -> tuple[CampaignRow, MixedSample]:
    """Start a campaign on what a request draws; return it with the draw.

    Raises:
        NameTaken, NotFound, AssayError: as `start_campaign` and `draw_mixed`.
    """
    cleaned = check_new_campaign(
        workspace, dataset, name=name, protocol=protocol, judgments_per_entry=judgments_per_entry
    )
    sample = draw_mixed(workspace, dataset, request)
    row = make_campaign(
        workspace, dataset, sample.mixed.entries, name=cleaned, protocol=protocol,
        judgments_per_entry=judgments_per_entry, design=sample.design, record=sample.record, person=person,
    )  # fmt: skip
    return row, sample


def mixed_sentences(mixed: MixedDraw) -> tuple[str, ...]:
    """Return in words what was drawn, and what each part may be used for."""
    sentences = [f"{_drawn_words(each)}." for each in mixed.parts]
    if mixed.share.left_out:
        sentences.append(
            f"{counted(mixed.share.left_out, 'query', 'queries')} of earlier campaigns could not be drawn"
            + ("." if mixed.share.stands_for_whole else ", and the random share does not stand for them.")
        )
    sentences.append(
        "Only the random share evaluates strategies and gives estimates; the other entries may train, and the report leaves "
        "them out."
    )
    return tuple(sentences)


def _drawn_words(part: PartDraw) -> str:
    words = {
        Selection.RANDOM: "at random",
        Selection.DISAGREEMENT: "on which strategies disagree",
        Selection.NEAR_THRESHOLD: "near a threshold",
    }[part.selection]
    said = f"{counted(part.drawn, 'query', 'queries')} {words}, of {part.candidates:,} that could be drawn"
    if part.drawn < part.asked:
        return f"{said} (all there are: {part.asked:,} were asked for)"
    return f"{said} ({part.certain:,} of them for certain)" if part.certain else said


def _part_as_json(part: PartDraw) -> JsonObject:
    return {
        "selection": part.selection.value,
        "asked": part.asked,
        "candidates": part.candidates,
        "drawn": part.drawn,
        "certain": part.certain,
        "probability": _CHANCES[part.selection],
    }

"""A draw of what to label next: a simple random share, and beside it queries from which strategies can learn most.

The **random share** is drawn first, from all queries that are not left out, each with the chance n / N. It alone says
something of the dataset. Each **active part** is then drawn from what is left by then, with chances in proportion to its
weights (`pps`). All entries stand in one random order, so that neither number nor place tells which part an entry is of.

**Which chance is stored.** Of the random share the unconditional one. Of an active part the chance *given what was drawn
before it*: given the random share, and the active parts before it. These are exact. An active query's chance over all
random shares that might have come is another one, a sum over all of them that has no closed form (but for weights that are
all alike); nothing is estimated from active entries, so nothing needs it.

The size of the random share never depends on the weights or on what is found. An active part that finds fewer queries of
positive weight than were asked for takes them all and stays smaller: were it refused instead, and drawn with another seed,
the random shares that get through would be those that happen to spare such queries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from audit_core.domain import SampleDesign, Stratum
from audit_core.errors import StatisticsError
from audit_core.sampling.draw import simple_draw
from audit_core.sampling.frame import Strata, StratumKey, strata_of_queries
from audit_core.sampling.permanent_order import permanent_order
from audit_core.sampling.pps import pps_draw
from audit_core.sampling.records import SIMPLE, Draw, DrawnEntry, sample_design
from audit_core.statistics.intervals import check_count

#: Stored with a campaign whose entries are such a draw.
MIXED_SCHEME = "assay-mixed-1"
_ORDER: StratumKey = ("mixed draw", "order of the entries")


class Selection(StrEnum):
    """Why a query is an entry of a mixed draw."""

    RANDOM = "random"
    DISAGREEMENT = "disagreement"
    NEAR_THRESHOLD = "near_threshold"


#: How each selection is called in the method of a design. Those of active parts mark it as no probability sample.
SELECTION_WORDS = {
    Selection.RANDOM: SIMPLE,
    Selection.DISAGREEMENT: "by disagreement",
    Selection.NEAR_THRESHOLD: "near-threshold",
}


@dataclass(frozen=True, slots=True)
class ActivePart:
    """What is asked of one active part: `size` queries in proportion to `weights`, by query id, 0 or more.

    Queries that are not in the frame, or left out of it, are passed over.
    """

    selection: Selection
    size: int
    weights: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class PartDraw:
    """What one part came to: of `asked` queries `drawn`, `certain` of them whatever chance said.

    `candidates` are the queries that could be drawn: those with a positive weight that were not drawn before.
    """

    selection: Selection
    asked: int
    candidates: int
    drawn: int
    certain: int


@dataclass(frozen=True, slots=True)
class MixedDraw:
    """All entries in the order of the campaign; `share` is the random share as a draw of its own."""

    share: Draw
    parts: tuple[PartDraw, ...]
    entries: tuple[DrawnEntry, ...]

    @property
    def seed(self) -> int:
        """The seed of all parts."""
        assert self.share.seed is not None
        return self.share.seed

    @property
    def method(self) -> str:
        """How the entries were drawn, in words by which every reader of a design knows that it is no random sample."""
        return "mixed: " + ", ".join(f"{each.drawn:,} {SELECTION_WORDS[each.selection]}" for each in self.parts)


def mixed_draw(
    strata: Strata,
    *,
    random: int,
    parts: Sequence[ActivePart],
    seed: int,
    leave_out: Collection[str] = (),
    left_out_at_random: bool = False,
) -> MixedDraw:
    """Return `random` queries drawn at random, and beside them those of the active parts, each drawn after the one before.

    `leave_out` and `left_out_at_random` are as in `simple_draw`. A larger draw with the same seed contains the random share
    of a smaller one, but not its active parts.

    Raises:
        StatisticsError: as `simple_draw`; no active query is asked for, or more queries than there are; a part whose
            weights are 0 for every query that could be drawn; a selection asked for twice.
    """
    stratum_of = strata_of_queries(strata)
    free = stratum_of.keys() - frozenset(leave_out)
    wanted = _checked(parts, random=random, free=free)
    share = simple_draw(strata, random, seed=seed, leave_out=leave_out, left_out_at_random=left_out_at_random)
    entries = [replace(each, selection=Selection.RANDOM.value) for each in share.entries]
    taken = {each.query_id for each in entries}
    told = [PartDraw(Selection.RANDOM, random, len(free), random, random if random == len(free) else 0)]
    for part in wanted:
        weights = {each: weight for each, weight in part.weights.items() if each in free and each not in taken}
        found = pps_draw(weights, part.size, seed=seed, key=("mixed draw", part.selection.value))
        taken.update(found.query_ids)
        told.append(PartDraw(part.selection, part.size, found.candidates, len(found.query_ids), found.certain))
        entries += [
            DrawnEntry(0, each, *stratum_of[each], None, float(found.chances[each]), None, part.selection.value)
            for each in found.query_ids
        ]
    return MixedDraw(share, tuple(told), _shuffled(entries, seed))


def mixed_design(mixed: MixedDraw, *, frame_name: str, frame_revision: str) -> SampleDesign:
    """Return the design of a campaign with these entries: no probability sample, with all entries counted as drawn.

    That of the random share alone is `sample_design(mixed.share, ...)`.
    """
    share = sample_design(mixed.share, frame_name=frame_name, frame_revision=frame_revision)
    drawn = Counter((each.source, each.evidence_structure) for each in mixed.entries)
    strata = tuple(
        Stratum(each.source, each.evidence_structure, each.population, drawn[each.source, each.evidence_structure])
        for each in share.strata
    )
    return replace(share, method=mixed.method, strata=strata, is_probability=False)


def _checked(parts: Sequence[ActivePart], *, random: int, free: Collection[str]) -> list[ActivePart]:
    """Return the parts that ask for something, in their order; refuse what does not depend on the seed."""
    check_count(random, what="the size of the random share")
    sizes = [check_count(each.size, what=f"the size of the part {each.selection.value}") for each in parts]
    asked = [each for each, size in zip(parts, sizes, strict=True) if size]
    if not random:
        raise StatisticsError(
            "Nothing would be drawn at random: labels that were chosen may train but never evaluate, so ask for a random "
            "share of at least one query."
        )
    names = [each.selection for each in asked]
    if not asked or len(set(names)) < len(names) or Selection.RANDOM in names:
        raise StatisticsError(
            "Ask for queries by disagreement or near a threshold, each once; for a random sample alone start a campaign "
            "with a simple sample."
        )
    if random + sum(sizes) > len(free):
        raise StatisticsError(
            f"{random + sum(sizes):,} queries were asked for, but there are {len(free):,} to draw from. Ask for fewer."
        )
    for part in asked:
        if not any(weight > 0 for each, weight in part.weights.items() if each in free):
            raise StatisticsError(
                f"No query that can be drawn has a positive weight for the part {part.selection.value}. Leave it out."
            )
    return asked


def _shuffled(entries: Sequence[DrawnEntry], seed: int) -> tuple[DrawnEntry, ...]:
    by_id = {each.query_id: each for each in entries}
    order = permanent_order(seed, _ORDER, by_id)
    return tuple(replace(by_id[query_id], number=number) for number, (_, query_id) in enumerate(order, start=1))

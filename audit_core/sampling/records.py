"""What a draw gives: the entries in order, each with its inclusion probability, and what it is drawn from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from audit_core.domain import SampleDesign, Stratum
from audit_core.sampling.frame import StratumKey, key_name

STRATIFIED = "stratified random without replacement"
SIMPLE = "simple random without replacement"
ALL = "all queries"
CHOSEN = "list of ids"
FILTER = "filter"


@dataclass(frozen=True, slots=True)
class DrawnEntry:
    """One drawn query. `number` is its place in the campaign, `place` that in its stratum's (of a simple draw: the
    frame's) random order among the eligible queries; both count from 1. For the probabilities see `StratumDraw`. Of a mixed
    draw `selection` says which part an entry is of; what was chosen there by its weight has no place (see `mixed_draw`)."""

    number: int
    query_id: str
    source: str
    evidence_structure: str
    place: int | None
    probability: float | None
    probability_combined: float | None
    selection: str | None = None


@dataclass(frozen=True, slots=True)
class StratumDraw:
    """What was drawn of one stratum: `query_ids` in random order.

    `population` is N_h, `left_out` the n1 queries among them that an earlier draw took, `eligible` the rest.
    `probability` is the chance of an eligible query, n_h / (N_h - n1) in a stratified draw; None where no chance
    decided. `probability_combined` is the chance of any query to be in this draw or the earlier one, (n1 + n_h) / N_h;
    None where the earlier queries were not drawn at random. In a simple draw both are those of the whole frame.
    """

    source: str
    evidence_structure: str
    population: int
    left_out: int
    query_ids: tuple[str, ...]
    probability: float | None
    probability_combined: float | None

    @property
    def key(self) -> StratumKey:
        """(source, evidence structure)."""
        return self.source, self.evidence_structure

    @property
    def eligible(self) -> int:
        """How many queries could be drawn."""
        return self.population - self.left_out

    @property
    def drawn(self) -> int:
        """How many queries were drawn (n_h)."""
        return len(self.query_ids)


@dataclass(frozen=True, slots=True)
class Draw:
    """A sample of queries: `entries` in the order of the campaign, `strata` sorted by source and structure.

    `condition` says in words to which queries the frame was narrowed before the draw; None for the whole dataset.
    `left_out_at_random` tells whether the queries left out had been drawn at random from the same frame.
    `left_out_elsewhere` counts ids that were to be left out and are not in the frame at all. `seed` is None where
    no chance was used.
    """

    method: str
    seed: int | None
    condition: str | None
    strata: tuple[StratumDraw, ...]
    entries: tuple[DrawnEntry, ...]
    left_out_at_random: bool = False
    left_out_elsewhere: int = 0

    @property
    def population(self) -> int:
        """How many queries the frame holds, with those left out."""
        return sum(each.population for each in self.strata)

    @property
    def left_out(self) -> int:
        """How many queries of the frame were left out because an earlier draw had taken them."""
        return sum(each.left_out for each in self.strata)

    @property
    def is_census(self) -> bool:
        """Whether every query of the frame was taken."""
        return len(self.entries) == self.population

    @property
    def is_probability(self) -> bool:
        """Whether every query of the frame (see `sample_design`) had a known chance, or all were taken."""
        return self.method in (STRATIFIED, SIMPLE, ALL) or self.is_census

    @property
    def stands_for_whole(self) -> bool:
        """Whether the entries stand for all queries of the frame, and not only for those that were not left out."""
        return self.left_out_at_random or not self.left_out

    @property
    def undrawn(self) -> tuple[StratumKey, ...]:
        """The strata that the entries should stand for and of which none was drawn; no estimate covers them."""
        return tuple(
            each.key
            for each in self.strata
            if (each.population if self.stands_for_whole else each.eligible) and not each.drawn
        )


def entries_in(order: Iterable[tuple[StratumKey, int, str]], drawn: Iterable[StratumDraw]) -> tuple[DrawnEntry, ...]:
    """Return numbered entries from (stratum, place, query id) in the order given, each with its stratum's chances."""
    chances = {each.key: (each.probability, each.probability_combined) for each in drawn}
    return tuple(
        DrawnEntry(number, query_id, *key, place, *chances[key])
        for number, (key, place, query_id) in enumerate(order, start=1)
    )


def sample_design(draw: Draw, *, frame_name: str, frame_revision: str) -> SampleDesign:
    """Return the design of a campaign whose entries are this draw alone, for its report.

    Where the queries left out had been drawn at random, this draw alone is a random sample of the whole frame, with
    n_h / N_h, and `population` is N_h. Where they had not, it stands for the queries that were left: `population` is
    the number eligible, and the name of the frame says so. A condition stands in the name of the frame as well, so
    that no report takes the frame for the whole dataset.

    A simple draw has the strata with the numbers that chance gave: given these it is a stratified draw (Holt and
    Smith 1979, JRSS A 142, 33-46). With few entries a stratum may have none, and the stratified estimate is then
    undefined though that over the frame as one stratum is not.
    """
    name = frame_name
    if draw.condition is not None:
        name += f", only {draw.condition}"
    if not draw.stands_for_whole:
        name += f", without {draw.left_out:,} queries taken before"
    return SampleDesign(
        frame_name=name,
        frame_revision=frame_revision,
        method=draw.method,
        seed=draw.seed,
        strata=tuple(
            Stratum(*each.key, each.population if draw.stands_for_whole else each.eligible, each.drawn)
            for each in draw.strata
        ),
        is_probability=draw.is_probability,
    )


def draw_sentences(draw: Draw) -> tuple[str, ...]:
    """Return in words what was drawn and what an estimate from it stands for."""
    size, population = f"{len(draw.entries):,}", f"{draw.population:,}"
    frame = "queries" if draw.condition is None else f"queries that match ({draw.condition})"
    seed = "" if draw.seed is None else f", seed {draw.seed}"
    sentences = [f"{size} of {population} {frame}: {draw.method}{seed}."]
    if not draw.is_probability:
        sentences.append("No probability sample: it describes these entries only.")
    elif draw.condition is not None:
        sentences.append("The queries that match are the frame: nothing follows for the others.")
    if draw.left_out:
        sentences.append(_left_out_sentence(draw))
    if draw.is_probability and draw.undrawn:
        names = ", ".join(key_name(key) for key in draw.undrawn)
        sentences.append(f"Nothing is drawn of {names}: this draw alone gives no estimate for the whole frame.")
    return tuple(sentences)


def _left_out_sentence(draw: Draw) -> str:
    left_out = f"{draw.left_out:,} queries taken before are left out."
    if not draw.left_out_at_random:
        rest = draw.population - draw.left_out
        return f"{left_out} They were not drawn at random, so this draw stands for the other {rest:,} queries."
    return (
        f"{left_out} They were drawn at random, so this draw alone stands for the whole frame, and so do both together "
        "unless the sizes were chosen by what the first showed."
    )

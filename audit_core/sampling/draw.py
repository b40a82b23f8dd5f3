"""Draws of queries by chance: stratified, simple, and all of them in random order.

A draw is without replacement by query id and fixed by its seed alone (see `permanent_order`): a larger draw
with the same seed contains the smaller one, and another seed gives an independent draw.

**A second draw that leaves an earlier one out** (n1 of N_h taken before, n2 drawn now of the N_h - n1 others):

| entries used | stand for | probability | valid when |
|---|---|---|---|
| the new ones | the N_h - n1 others | n2 / (N_h - n1) | always |
| the new ones | the whole stratum | n2 / N_h | the earlier ones were drawn at random |
| both | the whole stratum | (n1 + n2) / N_h | the same, and n2 was not chosen by what the earlier ones showed |
| both, the earlier as a stratum of its own, taken whole | the whole stratum | 1 and n2 / (N_h - n1) | always |

The second and third row hold since two successive simple random samples without replacement are consecutive parts of
one random order: each by itself, and both together, are simple random samples. Where n2 follows from the first results
(more where more faults were found), the pooled share is slightly biased; the last row still is not, because given the
first draw its part is known exactly. With the seed of the earlier draw, a second draw that leaves it out is the
enlargement: both together are the larger draw of that seed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from audit_core.errors import StatisticsError
from audit_core.sampling.frame import Strata, StratumKey, check_frame, key_name, strata_of_queries
from audit_core.sampling.permanent_order import Ranked, check_seed, interleaved, permanent_order
from audit_core.sampling.records import ALL, SIMPLE, STRATIFIED, Draw, StratumDraw, entries_in
from audit_core.statistics.intervals import check_count
from audit_core.statistics.stratified import name_list


def stratified_draw(
    strata: Strata,
    sizes: Mapping[StratumKey, int],
    *,
    seed: int,
    leave_out: Collection[str] = (),
    left_out_at_random: bool = False,
    condition: str | None = None,
) -> Draw:
    """Return a simple random sample without replacement of each stratum, entries interleaved at random.

    `sizes` gives n_h; of a stratum that it does not name nothing is drawn. Queries in `leave_out` cannot be drawn;
    `left_out_at_random` declares that they themselves were drawn at random within these strata, without which nothing
    combined is claimed. `condition` says in words how the frame was narrowed, if it was.

    Raises:
        StatisticsError: a size that is no count, for a stratum that is not there, or above the number eligible (each
            stratum named); nothing to draw; a seed that is none; a query that stands in the frame twice.
    """
    check_seed(seed)
    check_frame(strata)
    wanted = _checked_sizes(strata, sizes)
    out = _left_out(strata, leave_out)
    _refuse_too_large(strata, wanted, out)
    chosen: dict[StratumKey, list[Ranked]] = {}
    drawn = []
    for key in sorted(strata):
        population, left_out = len(strata[key]), out.by_stratum[key]
        eligible = (each for each in strata[key] if each not in left_out) if wanted[key] else ()
        chosen[key] = permanent_order(seed, key, eligible)[: wanted[key]]
        chances = _probabilities(population, len(left_out), wanted[key], at_random=left_out_at_random)
        ids = tuple(query_id for _, query_id in chosen[key])
        drawn.append(StratumDraw(*key, population, len(left_out), ids, *chances))
    entries = entries_in(interleaved(chosen), drawn)
    return Draw(STRATIFIED, seed, condition, tuple(drawn), entries, left_out_at_random, out.elsewhere)


def simple_draw(
    strata: Strata,
    size: int,
    *,
    seed: int,
    leave_out: Collection[str] = (),
    left_out_at_random: bool = False,
    condition: str | None = None,
) -> Draw:
    """Return a simple random sample without replacement of `size` queries of the whole frame, whatever their stratum.

    Entries stand in random order, so the first m are the simple draw of m. `left_out_at_random` declares that the
    queries left out were a simple random sample of the same frame; those of a stratified draw are none, unless every
    stratum was drawn at the same rate.

    Raises:
        StatisticsError: as `stratified_draw`.
    """
    check_seed(seed)
    check_frame(strata)
    out = _left_out(strata, leave_out)
    population = sum(map(len, strata.values()))
    count = _checked_size(size, population=population, left_out=len(out.ids))
    stratum_of = strata_of_queries(strata)
    ranked = permanent_order(seed, ("", ""), (each for each in stratum_of if each not in out.ids))[:count]
    chances = _probabilities(population, len(out.ids), count, at_random=left_out_at_random)
    ids: dict[StratumKey, list[str]] = {key: [] for key in sorted(strata)}
    for _, query_id in ranked:
        ids[stratum_of[query_id]].append(query_id)
    drawn = [StratumDraw(*key, len(strata[key]), len(out.by_stratum[key]), tuple(ids[key]), *chances) for key in ids]
    order = [(stratum_of[query_id], place, query_id) for place, (_, query_id) in enumerate(ranked, start=1)]
    return Draw(SIMPLE, seed, condition, tuple(drawn), entries_in(order, drawn), left_out_at_random, out.elsewhere)


def census_draw(strata: Strata, *, seed: int, condition: str | None = None) -> Draw:
    """Return all queries of the frame, interleaved at random: while unfinished, what is done is a random sample.

    Raises:
        StatisticsError: the frame holds no query, or one twice; a seed that is none.
    """
    check_seed(seed)
    check_frame(strata)
    if not any(strata.values()):
        raise StatisticsError("The frame holds no query, so there is nothing to draw.")
    chosen = {key: permanent_order(seed, key, strata[key]) for key in sorted(strata)}
    drawn = []
    for key, ranked in chosen.items():
        chances = _probabilities(len(ranked), 0, len(ranked), at_random=False)
        drawn.append(StratumDraw(*key, len(ranked), 0, tuple(query_id for _, query_id in ranked), *chances))
    return Draw(ALL, seed, condition, tuple(drawn), entries_in(interleaved(chosen), drawn))


@dataclass(frozen=True, slots=True)
class _LeftOut:
    """The queries of the frame that an earlier draw took, and how many other ids were to be left out."""

    by_stratum: dict[StratumKey, frozenset[str]]
    ids: frozenset[str]
    elsewhere: int


def _left_out(strata: Strata, leave_out: Collection[str]) -> _LeftOut:
    asked = frozenset(leave_out)
    by_stratum = {key: asked.intersection(ids) if asked else asked for key, ids in strata.items()}
    ids = frozenset[str]().union(*by_stratum.values())
    return _LeftOut(by_stratum, ids, len(asked) - len(ids))


def _probabilities(population: int, left_out: int, size: int, *, at_random: bool) -> tuple[float | None, float | None]:
    """Return the chance of an eligible query, and that of any query to be in this draw or among those left out."""
    chance = size / (population - left_out) if population > left_out else None
    if not population or (left_out and not at_random):
        return chance, None
    return chance, (left_out + size) / population


def _checked_sizes(strata: Strata, sizes: Mapping[StratumKey, int]) -> dict[StratumKey, int]:
    unknown = [key_name(key) for key in sizes if key not in strata]
    if unknown:
        raise StatisticsError(f"The frame has no stratum {name_list(unknown)}. Check the names of the sizes.")
    wanted = {key: check_count(sizes.get(key, 0), what=f"the size of {key_name(key)}") for key in strata}
    if not any(wanted.values()):
        raise StatisticsError("Nothing would be drawn: ask for at least one query of a stratum.")
    return wanted


def _checked_size(size: int, *, population: int, left_out: int) -> int:
    count = check_count(size, what="the size of the draw")
    if count > population - left_out:
        raise StatisticsError(
            f"{count:,} queries were asked for, but the frame has {population - left_out:,} to draw from "
            f"({population:,} queries, {left_out:,} left out). Ask for fewer."
        )
    if not count:
        raise StatisticsError("Nothing would be drawn: ask for at least one query.")
    return count


def _refuse_too_large(strata: Strata, wanted: Mapping[StratumKey, int], out: _LeftOut) -> None:
    faults = []
    for key, size in wanted.items():
        population, left_out = len(strata[key]), len(out.by_stratum[key])
        if size > population - left_out:
            faults.append(
                f"{key_name(key)} ({size:,} asked for, {population - left_out:,} to draw from: "
                f"{population:,} queries, {left_out:,} left out)"
            )
    if faults:
        raise StatisticsError(f"More queries were asked for than there are in {name_list(faults)}. Ask for fewer.")

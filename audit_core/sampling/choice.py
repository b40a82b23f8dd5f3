"""Queries that were chosen and not drawn: a list of ids, or all that match a condition."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from audit_core.errors import StatisticsError
from audit_core.sampling.frame import Strata, StratumKey, check_frame, filtered_frame, repeated, strata_of_queries
from audit_core.sampling.permanent_order import check_seed, interleaved, permanent_order
from audit_core.sampling.records import CHOSEN, FILTER, Draw, StratumDraw, entries_in
from audit_core.statistics.stratified import name_list


def filtered_draw(strata: Strata, matching: Collection[str], *, condition: str, seed: int) -> Draw:
    """Return all queries that match a condition, as entries of the whole frame: no probability sample of it.

    To make the queries that match the frame itself, draw from `filtered_frame(strata, matching)` with `condition=`:
    that is a probability sample (or, with `census_draw`, a census) of the queries that match. If everything matches
    it is a census either way. The seed gives the order of the entries only.

    Raises:
        StatisticsError: nothing matches, an id is no query of the frame, the condition has no words, a query stands
            in the frame twice, a seed that is none.
    """
    check_seed(seed)
    check_frame(strata)
    words = " ".join(condition.split())
    if not words:
        raise StatisticsError("Say in words what the filter asks for: the report names it.")
    matched = filtered_frame(strata, matching)
    chosen = {key: permanent_order(seed, key, matched[key]) for key in sorted(matched)}
    drawn = _not_by_chance(strata, {key: [each for _, each in ranked] for key, ranked in chosen.items()})
    return Draw(f"{FILTER}: {words}", seed, None, drawn, entries_in(interleaved(chosen), drawn))


def chosen_ids(strata: Strata, query_ids: Sequence[str]) -> Draw:
    """Return the queries of a list in its order: no probability sample, unless it names all there are.

    Raises:
        StatisticsError: an empty list; ids that are no query of the frame, or stand in the list twice (named); a
            query that stands in the frame twice.
    """
    check_frame(strata)
    if not query_ids:
        raise StatisticsError("The list of ids is empty. Give at least one query id.")
    twice = repeated(query_ids)
    if twice:
        raise StatisticsError(f"The list names a query more than once: {name_list(twice)}. Name each once.")
    stratum_of = strata_of_queries(strata)
    unknown = [each for each in query_ids if each not in stratum_of]
    if unknown:
        raise StatisticsError(f"No query of the frame has the id {name_list(unknown)}. Check the ids and the revision.")
    ids: dict[StratumKey, list[str]] = {}
    for each in query_ids:
        ids.setdefault(stratum_of[each], []).append(each)
    drawn = _not_by_chance(strata, ids)
    order = [(stratum_of[each], place, each) for place, each in enumerate(query_ids, start=1)]
    return Draw(CHOSEN, None, None, drawn, entries_in(order, drawn))


def _not_by_chance(strata: Strata, ids: dict[StratumKey, list[str]]) -> tuple[StratumDraw, ...]:
    return tuple(StratumDraw(*key, len(strata[key]), 0, tuple(ids.get(key, ())), None, None) for key in sorted(strata))

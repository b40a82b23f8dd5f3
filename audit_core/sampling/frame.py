"""The frame that a sample is drawn from: the query ids of each stratum (source x evidence structure)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from audit_core.errors import StatisticsError
from audit_core.statistics.stratified import name_list, stratum_name

#: (source, evidence structure).
StratumKey = tuple[str, str]
#: The query ids of each stratum; a query stands in one of them.
Strata = Mapping[StratumKey, Sequence[str]]


def frame_of(queries_index: Iterable[tuple[str, str, str]]) -> dict[StratumKey, list[str]]:
    """Return the query ids of each stratum, from rows of (query_id, source, evidence structure).

    Strata stand as first seen, ids in the order of the rows; a draw depends on neither.

    Raises:
        StatisticsError: a query id stands in two rows.
    """
    frame: dict[StratumKey, list[str]] = {}
    for query_id, source, structure in queries_index:
        frame.setdefault((source, structure), []).append(query_id)
    check_frame(frame)
    return frame


def filtered_frame(strata: Strata, matching: Collection[str]) -> dict[StratumKey, list[str]]:
    """Return the frame of the queries that match a condition alone: strata without a match are gone.

    A draw from it is a probability sample *of the queries that match*, and says nothing about the others.

    Raises:
        StatisticsError: nothing matches, or an id that matches is no query of the frame.
    """
    wanted = frozenset(matching)
    _refuse_unknown(wanted, strata)
    kept = {key: [each for each in ids if each in wanted] for key, ids in strata.items()}
    frame = {key: ids for key, ids in kept.items() if ids}
    if not frame:
        raise StatisticsError("No query matches, so there is nothing to draw from. Widen the condition.")
    return frame


def check_frame(strata: Strata) -> None:
    """Check that every query id stands in a frame once; StatisticsError, naming the ids, where one does not."""
    total = sum(map(len, strata.values()))
    if len({each for ids in strata.values() for each in ids}) != total:
        twice = repeated(each for ids in strata.values() for each in ids)
        raise StatisticsError(
            f"The frame holds a query more than once: {name_list(twice)}. A query belongs to one stratum, once."
        )


def repeated(ids: Iterable[str]) -> list[str]:
    """Return the ids that stand more than once, each once, in the order of their second mention."""
    seen: set[str] = set()
    twice: dict[str, None] = {}
    for each in ids:
        if each in seen:
            twice[each] = None
        seen.add(each)
    return list(twice)


def strata_of_queries(strata: Strata) -> dict[str, StratumKey]:
    """Return the stratum of each query of a frame, by query id."""
    return {query_id: key for key, ids in strata.items() for query_id in ids}


def key_name(key: StratumKey) -> str:
    """Return the name by which messages call a stratum."""
    return stratum_name(*key)


def _refuse_unknown(ids: frozenset[str], strata: Strata) -> None:
    unknown = sorted(ids.difference(*strata.values()))
    if unknown:
        raise StatisticsError(f"No query of the frame has the id {name_list(unknown)}. Check the ids and the revision.")

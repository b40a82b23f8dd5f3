"""Counts of how a campaign gets on, by person and by stratum, each by one aggregate query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from audit_core.domain import JsonObject, Outcome
from audit_core.storage.claims import live_claim
from audit_core.storage.clock import midnight
from audit_core.storage.judgments import JudgmentRow, on_entries_of, without_replaced
from audit_core.storage.schema import claim, entry, judgment

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Rows that are read at once.
_PART = 50_000
_PLAIN = entry.c.gold.is_(None) & ~entry.c.is_pilot
_PILOT = entry.c.gold.is_(None) & entry.c.is_pilot
_JUDGED = judgment.c.outcome == Outcome.JUDGED.value
_CANNOT = judgment.c.outcome == Outcome.CANNOT_JUDGE.value


def _number(condition: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
    return sa.func.sum(sa.case((condition, 1), else_=0))


@dataclass(frozen=True, slots=True)
class Counts:
    """How many of a person's newest answers are judgments, or "cannot judge", on the sample; and judgments in the pilot."""

    judged: int = 0
    cannot_judge: int = 0
    pilot_judged: int = 0
    gold_answered: int = 0


def by_person(connection: sa.Connection, campaign_id: int) -> dict[int, Counts]:
    """Return the counts of each person who answered in a campaign, by person id."""
    query = without_replaced(
        sa.select(
            judgment.c.person_id,
            _number(_JUDGED & _PLAIN),
            _number(_CANNOT & _PLAIN),
            _number(_JUDGED & _PILOT),
            _number(entry.c.gold.is_not(None)),
        )
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(on_entries_of(campaign_id))
        .group_by(judgment.c.person_id)
    )
    return {row[0]: Counts(*(int(each) for each in row[1:])) for row in connection.execute(query)}


@dataclass(frozen=True, slots=True)
class ActiveTime:
    """Active seconds on entries, all revisions of an answer together: their number, sum and quartiles (linear between ranks)."""

    entries: int
    seconds: float
    low: float
    median: float
    high: float


def active_times(
    connection: sa.Connection, campaign_id: int, *, pilot_only: bool = False
) -> dict[int | None, ActiveTime]:
    """Return the active time by person id, and of all together under None; imported judgments and unknown times are left out.

    Sorting belongs to neither database alone here: one number an answer is read, in parts, and numpy does the rest.
    """
    import numpy as np

    # In the order of the key, so that nothing has to be sorted to be added up.
    query = (
        sa.select(judgment.c.person_id, sa.func.sum(judgment.c.active_seconds))
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(on_entries_of(campaign_id), ~judgment.c.is_imported, judgment.c.active_seconds.is_not(None))
        .group_by(judgment.c.entry_id, judgment.c.person_id)
    )
    if pilot_only:
        query = query.where(entry.c.is_pilot)
    # Column by column: numpy looks into each row of a result one by one, which takes twenty times as long.
    parts = [np.asarray(list(zip(*part, strict=True))) for part in connection.execute(query).partitions(_PART)]
    if not parts:
        return {}
    people, seconds = np.concatenate(parts, axis=1)
    found: dict[int | None, ActiveTime] = {int(each): _active(seconds[people == each]) for each in np.unique(people)}
    found[None] = _active(seconds)
    return found


def _active(seconds: NDArray[np.float64]) -> ActiveTime:
    import numpy as np

    low, median, high = np.quantile(seconds, (0.25, 0.5, 0.75))
    return ActiveTime(seconds.size, float(seconds.sum()), float(low), float(median), float(high))


@dataclass(frozen=True, slots=True)
class Today:
    """What a person did since midnight on the server's calendar: entries answered, active seconds."""

    entries: int
    seconds: float


def today(connection: sa.Connection, campaign_id: int) -> dict[int, Today]:
    """Return what each person did today, by person id; imported judgments are left out."""
    query = (
        sa.select(
            judgment.c.person_id,
            sa.func.count(sa.distinct(judgment.c.entry_id)),
            sa.func.coalesce(sa.func.sum(judgment.c.active_seconds), 0.0),
        )
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(on_entries_of(campaign_id), judgment.c.saved_at >= midnight(), ~judgment.c.is_imported)
        .group_by(judgment.c.person_id)
    )
    return {row[0]: Today(int(row[1]), float(row[2])) for row in connection.execute(query)}


def last_saved(connection: sa.Connection, campaign_id: int) -> dict[int, str]:
    """Return when each person saved last, by person id."""
    query = (
        sa.select(judgment.c.person_id, sa.func.max(judgment.c.saved_at))
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(on_entries_of(campaign_id))
        .group_by(judgment.c.person_id)
    )
    return {row[0]: row[1] for row in connection.execute(query)}


def claimed_by_person(connection: sa.Connection, campaign_id: int) -> dict[int, int]:
    """Return how many places each person holds that are not judged yet, by person id; gold entries are left out."""
    query = (
        sa.select(claim.c.person_id, sa.func.count())
        .join(entry, entry.c.id == claim.c.entry_id)
        .where(on_entries_of(campaign_id), entry.c.gold.is_(None), live_claim())
        .group_by(claim.c.person_id)
    )
    return {row[0]: int(row[1]) for row in connection.execute(query)}


@dataclass(frozen=True, slots=True)
class StratumCounts:
    """Of the sample's entries in a stratum: newest answers, places filled (at most `places` an entry), complete entries."""

    judged: int = 0
    cannot_judge: int = 0
    filled: int = 0
    complete: int = 0


def by_stratum(
    connection: sa.Connection, campaign_id: int, *, places: int, of_pilot: bool = False
) -> dict[tuple[str, str], StratumCounts]:
    """Return the counts of each stratum in which somebody answered, by (source, evidence structure).

    `places` is how many judgments an entry is to get. Gold entries are left out; with `of_pilot` it is the pilot's entries.
    """
    per_entry = without_replaced(
        sa.select(
            entry.c.source,
            entry.c.evidence_structure,
            _number(_JUDGED).label("judged"),
            _number(_CANNOT).label("cannot"),
        )
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(on_entries_of(campaign_id), _PILOT if of_pilot else _PLAIN)
        .group_by(entry.c.id)
    ).subquery()
    done = per_entry.c.judged >= places
    query = sa.select(
        per_entry.c.source,
        per_entry.c.evidence_structure,
        sa.func.sum(per_entry.c.judged),
        sa.func.sum(per_entry.c.cannot),
        sa.func.sum(sa.case((done, places), else_=per_entry.c.judged)),
        _number(done),
    ).group_by(per_entry.c.source, per_entry.c.evidence_structure)
    return {(row[0], row[1]): StratumCounts(*(int(each) for each in row[2:])) for row in connection.execute(query)}


def claimed_by_stratum(connection: sa.Connection, campaign_id: int) -> dict[tuple[str, str], int]:
    """Return how many places of the sample's entries are held in each stratum, by (source, evidence structure)."""
    query = (
        sa.select(entry.c.source, entry.c.evidence_structure, sa.func.count())
        .join(entry, entry.c.id == claim.c.entry_id)
        .where(on_entries_of(campaign_id), _PLAIN, live_claim())
        .group_by(entry.c.source, entry.c.evidence_structure)
    )
    return {(row[0], row[1]): int(row[2]) for row in connection.execute(query)}


def pilot_judgments(connection: sa.Connection, campaign_id: int) -> list[JudgmentRow]:
    """Return each annotator's newest answers on the pilot's entries that are not gold, as they were saved."""
    query = without_replaced(
        sa.select(judgment)
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(on_entries_of(campaign_id), _PILOT)
        .order_by(judgment.c.id)
    )
    return [JudgmentRow(**row._mapping) for row in connection.execute(query)]


def claimed_in_pilot(connection: sa.Connection, campaign_id: int) -> int:
    """Return how many places of the pilot's entries are held."""
    query = (
        sa.select(sa.func.count())
        .select_from(claim)
        .join(entry, entry.c.id == claim.c.entry_id)
        .where(on_entries_of(campaign_id), _PILOT, live_claim())
    )
    return int(connection.execute(query).scalar_one())


@dataclass(frozen=True, slots=True)
class GoldJudgment:
    """A revision of somebody's answer on a gold entry, with the right one."""

    person_id: int
    query_id: str
    outcome: str
    codes: str
    answer: JsonObject
    gold: JsonObject


def gold_judgments(connection: sa.Connection, campaign_id: int, *, pilot_only: bool = False) -> list[GoldJudgment]:
    """Return every revision on a gold entry in the order in which they were saved."""
    query: sa.Select[Any] = (
        sa.select(
            judgment.c.person_id,
            entry.c.query_id,
            judgment.c.outcome,
            judgment.c.codes,
            judgment.c.answer,
            entry.c.gold,
        )
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(on_entries_of(campaign_id), entry.c.gold.is_not(None))
        .order_by(judgment.c.id)
    )
    if pilot_only:
        query = query.where(entry.c.is_pilot)
    return [GoldJudgment(row[0], row[1], row[2], row[3], row[4] or {}, row[5]) for row in connection.execute(query)]

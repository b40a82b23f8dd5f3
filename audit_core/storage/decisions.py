"""Rows of decisions on entries, and of who saw others' answers. A decision is never changed: each revision is a row of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from audit_core.domain import Answer, JsonObject, Outcome
from audit_core.protocols.audit import codes_to_text
from audit_core.storage.clock import now
from audit_core.storage.decision_tables import Basis, decision, reveal
from audit_core.storage.inserting import insert_row, insert_rows
from audit_core.storage.judgments import newest_on, on_entries_of
from audit_core.storage.schema import entry

#: Entries that are looked up in one statement; databases take only so many values.
_AT_ONCE = 5_000


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """One revision of the decision on an entry."""

    id: int
    entry_id: int
    revision: int
    person_id: int
    nonce: str
    basis: str
    outcome: str
    codes: str
    targets: dict[str, list[str]]
    answer: JsonObject | None
    correction: JsonObject | None
    confidence: str | None
    note: str
    reason: str
    judgment_ids: list[int]
    taken_from: list[int]
    is_own_judgment: bool
    decided_at: str

    @property
    def counts(self) -> bool:
        """Whether it decides the entry, if it is the newest: one that was reopened is decided by nothing."""
        return self.basis != Basis.REOPENED


@dataclass(frozen=True, slots=True)
class NewDecision:
    """A decision to be stored; the fields are those of the table."""

    entry_id: int
    revision: int
    person_id: int
    nonce: str
    basis: Basis
    answer: Answer
    correction: JsonObject | None = None
    confidence: str | None = None
    judgment_ids: Sequence[int] = ()
    taken_from: Sequence[int] = ()
    is_own_judgment: bool = False

    def columns(self) -> dict[str, Any]:
        """Return the row, decided now."""
        return {
            "entry_id": self.entry_id,
            "revision": self.revision,
            "person_id": self.person_id,
            "nonce": self.nonce,
            "basis": self.basis.value,
            "outcome": self.answer.outcome.value,
            "codes": codes_to_text(self.answer.codes),
            "targets": self.answer.targets,
            "answer": self.answer.fields or None,
            "correction": self.correction,
            "confidence": self.confidence,
            "note": self.answer.note,
            "reason": self.answer.reason,
            "judgment_ids": list(self.judgment_ids),
            "taken_from": list(self.taken_from),
            "is_own_judgment": self.is_own_judgment,
            "decided_at": now(),
        }


def _record(row: sa.Row[Any]) -> DecisionRow:
    return DecisionRow(**row._mapping)


def by_nonce(connection: sa.Connection, nonce: str) -> DecisionRow | None:
    """Return the decision that was saved with that nonce, None where there is none."""
    row = connection.execute(sa.select(decision).where(decision.c.nonce == nonce)).one_or_none()
    return _record(row) if row else None


def newest(connection: sa.Connection, entry_id: int) -> DecisionRow | None:
    """Return the newest decision on an entry, one that reopened it as well; None where there is none."""
    query = sa.select(decision).where(decision.c.entry_id == entry_id).order_by(decision.c.revision.desc()).limit(1)
    row = connection.execute(query).one_or_none()
    return _record(row) if row else None


def history(connection: sa.Connection, entry_id: int) -> list[DecisionRow]:
    """Return every decision on an entry, the first one first."""
    query = sa.select(decision).where(decision.c.entry_id == entry_id).order_by(decision.c.revision)
    return [_record(row) for row in connection.execute(query)]


def _without_replaced(query: sa.Select[Any]) -> sa.Select[Any]:
    later = decision.alias("later")
    replaced = sa.exists().where(later.c.entry_id == decision.c.entry_id, later.c.revision > decision.c.revision)
    return query.where(~replaced)


def newest_of_campaign(
    connection: sa.Connection, campaign_id: int, *, with_reopened: bool = False
) -> dict[int, DecisionRow]:
    """Return the decisions that count in a campaign, by entry id: the newest on each entry, unless that reopened it.

    With `with_reopened` those as well, which tell what number the next revision has.
    """
    query: sa.Select[Any] = (
        sa.select(decision).join(entry, entry.c.id == decision.c.entry_id).where(on_entries_of(campaign_id))
    )
    rows = (_record(row) for row in connection.execute(_without_replaced(query).order_by(entry.c.number)))
    return {row.entry_id: row for row in rows if with_reopened or row.counts}


def second_readings(connection: sa.Connection, campaign_id: int) -> list[DecisionRow]:
    """Return the decisions that count and confirm or overturn what is still the only judgment on their entry.

    What was read when there was one judgment, and has further ones now, is an entry like all others.
    """
    read = [row for row in newest_of_campaign(connection, campaign_id).values() if row.basis == Basis.SECOND_READING]
    said = newest_on(connection, [row.entry_id for row in read])
    return [row for row in read if sum(each.outcome == Outcome.JUDGED for each in said[row.entry_id]) == 1]


def all_of_campaign(connection: sa.Connection, campaign_id: int) -> list[DecisionRow]:
    """Return every decision of a campaign: entries in order, on each the first decision first."""
    query = (
        sa.select(decision)
        .join(entry, entry.c.id == decision.c.entry_id)
        .where(on_entries_of(campaign_id))
        .order_by(entry.c.number, decision.c.revision)
    )
    return [_record(row) for row in connection.execute(query)]


def deciding() -> sa.Select[tuple[int]]:
    """Return the query of the ids of all entries on which a decision counts, of whatever campaign."""
    return _without_replaced(sa.select(decision.c.entry_id).where(decision.c.basis != Basis.REOPENED.value))


def stamp(connection: sa.Connection) -> tuple[int, int]:
    """Return what is another as soon as any decision is added or goes: how many there are, and the last one's id."""
    query = sa.select(sa.func.count(), sa.func.max(decision.c.id)).select_from(decision)
    count, last = connection.execute(query).one()
    return int(count), int(last or 0)


def touched_ids(connection: sa.Connection, campaign_id: int) -> set[int]:
    """Return the ids of a campaign's entries that have a decision, also one that was taken back."""
    query = (
        sa.select(decision.c.entry_id)
        .join(entry, entry.c.id == decision.c.entry_id)
        .where(on_entries_of(campaign_id))
        .distinct()
    )
    return set(connection.execute(query).scalars())


def decided_ids(connection: sa.Connection, campaign_id: int) -> set[int]:
    """Return the ids of a campaign's entries on which a decision counts."""
    query: sa.Select[Any] = (
        sa.select(decision.c.entry_id)
        .join(entry, entry.c.id == decision.c.entry_id)
        .where(on_entries_of(campaign_id), decision.c.basis != Basis.REOPENED.value)
    )
    return set(connection.execute(_without_replaced(query)).scalars())


def add(connection: sa.Connection, new: NewDecision) -> DecisionRow:
    """Store a decision and return it."""
    values = new.columns()
    return DecisionRow(id=insert_row(connection, decision, values), **values)


def add_many(connection: sa.Connection, new: Sequence[NewDecision]) -> None:
    """Store decisions, each of another entry."""
    insert_rows(connection, decision, [each.columns() for each in new])


def reveal_to(connection: sa.Connection, *, person_id: int, entry_ids: Iterable[int]) -> int:
    """Note that a person knows what others said of these entries from now on; return of how many they did not before."""
    wanted = list(dict.fromkeys(entry_ids))
    known = revealed_among(connection, person_id=person_id, entry_ids=wanted)
    moment = now()
    fresh = [{"entry_id": each, "person_id": person_id, "revealed_at": moment} for each in wanted if each not in known]
    insert_rows(connection, reveal, fresh)
    return len(fresh)


def revealed_among(connection: sa.Connection, *, person_id: int, entry_ids: Sequence[int]) -> set[int]:
    """Return those of some entries of which a person knows what others said."""
    found: set[int] = set()
    for start in range(0, len(entry_ids), _AT_ONCE):
        part = list(entry_ids[start : start + _AT_ONCE])
        query = sa.select(reveal.c.entry_id).where(reveal.c.person_id == person_id, reveal.c.entry_id.in_(part))
        found |= set(connection.execute(query).scalars())
    return found


def reveals_of_campaign(connection: sa.Connection, campaign_id: int) -> dict[tuple[int, int], str]:
    """Return since when people know what others said: time by (entry id, person id), of a whole campaign."""
    query = (
        sa.select(reveal.c.entry_id, reveal.c.person_id, reveal.c.revealed_at)
        .join(entry, entry.c.id == reveal.c.entry_id)
        .where(on_entries_of(campaign_id))
    )
    return {(row[0], row[1]): row[2] for row in connection.execute(query)}


def reveals_of_entry(connection: sa.Connection, entry_id: int) -> dict[int, str]:
    """Return since when each person knows what others said of an entry: time by person id."""
    query = sa.select(reveal.c.person_id, reveal.c.revealed_at).where(reveal.c.entry_id == entry_id)
    return {row[0]: row[1] for row in connection.execute(query)}

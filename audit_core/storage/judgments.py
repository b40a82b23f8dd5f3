"""Rows of judgments and drafts. A judgment is never changed: each revision is a row of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from audit_core.domain import Answer, JsonObject
from audit_core.protocols.audit import codes_to_text
from audit_core.storage.clock import midnight, now
from audit_core.storage.inserting import insert_row, insert_rows
from audit_core.storage.schema import draft, entry, entry_stratum, judgment

#: Entries that are looked up in one statement; databases take only so many values.
_AT_ONCE = 5_000


@dataclass(frozen=True, slots=True)
class JudgmentRow:
    """One revision of one annotator's answer on one entry."""

    id: int
    entry_id: int
    person_id: int
    revision: int
    nonce: str
    outcome: str
    codes: str
    targets: dict[str, list[str]]
    note: str
    reason: str
    active_seconds: float | None
    is_imported: bool
    saved_at: str
    correction: JsonObject | None = None
    answer: JsonObject | None = None
    guideline_version: int | None = None

    def as_json(self) -> JsonObject:
        """Return what its own annotator may see of it."""
        return {
            "revision": self.revision,
            "outcome": self.outcome,
            "codes": self.codes,
            "note": self.note,
            "reason": self.reason,
            "targets": self.targets,
            "correction": self.correction,
            "fields": self.answer or {},
            "saved_at": self.saved_at,
        }


def _record(row: sa.Row[Any]) -> JudgmentRow:
    return JudgmentRow(**row._mapping)


def by_nonce(connection: sa.Connection, nonce: str) -> JudgmentRow | None:
    """Return the judgment that was saved with that nonce, None where there is none."""
    row = connection.execute(sa.select(judgment).where(judgment.c.nonce == nonce)).one_or_none()
    return _record(row) if row else None


def newest(connection: sa.Connection, *, entry_id: int, person_id: int) -> JudgmentRow | None:
    """Return the person's newest judgment on the entry, None where there is none."""
    query = (
        sa.select(judgment)
        .where(judgment.c.entry_id == entry_id, judgment.c.person_id == person_id)
        .order_by(judgment.c.revision.desc())
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    return _record(row) if row else None


def add(
    connection: sa.Connection,
    *,
    entry_id: int,
    person_id: int,
    revision: int,
    nonce: str,
    answer: Answer,
    correction: JsonObject | None = None,
    guideline_version: int | None = None,
) -> JudgmentRow:
    """Store a revision, with the correction that it proposes and the guidelines that were shown, and return it."""
    values: dict[str, Any] = {
        "entry_id": entry_id,
        "person_id": person_id,
        "revision": revision,
        "nonce": nonce,
        "outcome": answer.outcome.value,
        "codes": codes_to_text(answer.codes),
        "targets": answer.targets,
        "note": answer.note,
        "reason": answer.reason,
        "active_seconds": answer.active_ms / 1000,
        "is_imported": False,
        "saved_at": now(),
        "correction": correction,
        "answer": answer.fields or None,
        "guideline_version": guideline_version,
    }
    return JudgmentRow(id=insert_row(connection, judgment, values), **values)


def add_imported(connection: sa.Connection, rows: Sequence[JsonObject]) -> None:
    """Store imported judgments: dicts with the table's columns but `id`, `is_imported` and `saved_at`."""
    insert_rows(connection, judgment, imported_rows(rows))


def imported_rows(rows: Sequence[JsonObject]) -> list[JsonObject]:
    """Return imported judgments as rows that were saved now, ready to be inserted."""
    moment = now()
    return [{**each, "is_imported": True, "saved_at": moment} for each in rows]


def on_entries_of(campaign_id: int) -> sa.ColumnElement[bool]:
    """Return the condition that what is joined with an entry is on one of this campaign.

    Where only few of a campaign's entries have such a thing, SQLite must begin with these: the campaign's number stands in an
    expression, so that its index of all entries, most of them without, is no way to begin.
    """
    return entry.c.campaign_id + sa.literal_column("0") == campaign_id


def without_replaced(query: sa.Select[Any]) -> sa.Select[Any]:
    """Return a query on judgments that leaves out those that their annotator has changed since."""
    later = judgment.alias("later")
    return query.where(
        ~sa.exists().where(
            later.c.entry_id == judgment.c.entry_id,
            later.c.person_id == judgment.c.person_id,
            later.c.revision > judgment.c.revision,
        )
    )


def of_campaign(
    connection: sa.Connection, campaign_id: int, *, newest_only: bool = True, after: int = 0
) -> list[JudgmentRow]:
    """Return the judgments of a campaign in the order in which they were saved; the newest of each annotator, or all.

    `after` leaves out those with an id up to it.
    """
    query: sa.Select[Any] = (
        sa.select(judgment)
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(on_entries_of(campaign_id))
        .order_by(judgment.c.id)
    )
    if newest_only:
        query = without_replaced(query)
    if after > 0:
        query = query.where(judgment.c.id > after)
    return [_record(row) for row in connection.execute(query)]


def newest_on(connection: sa.Connection, entry_ids: Sequence[int]) -> dict[int, list[JudgmentRow]]:
    """Return the newest judgment of each annotator on these entries, by entry id, in the order in which they were saved."""
    found: dict[int, list[JudgmentRow]] = {each: [] for each in entry_ids}
    for start in range(0, len(entry_ids), _AT_ONCE):
        part = list(entry_ids[start : start + _AT_ONCE])
        query = without_replaced(sa.select(judgment).where(judgment.c.entry_id.in_(part))).order_by(judgment.c.id)
        for row in connection.execute(query):
            found[row.entry_id].append(_record(row))
    return found


def written_answers(connection: sa.Connection, campaign_id: int) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Yield (entry id, outcome, what was said) of the newest judgment of each annotator of a campaign, by entry.

    What was said is codes, targets, answer and correction as the database keeps them, the last three as the text of their JSON: equal
    texts say the same, and hundreds of thousands are compared without being read. An absent one is empty.
    """
    objects = (judgment.c.targets, judgment.c.answer, judgment.c.correction)
    query: sa.Select[Any] = (
        sa.select(
            judgment.c.entry_id,
            judgment.c.outcome,
            judgment.c.codes,
            *(sa.func.coalesce(sa.cast(each, sa.Text), "") for each in objects),
        )
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(on_entries_of(campaign_id))
        .order_by(judgment.c.entry_id)
        .execution_options(yield_per=20_000)
    )
    for row in connection.execute(without_replaced(query)):
        yield row[0], row[1], tuple(row[2:])


def stamp(connection: sa.Connection) -> tuple[int, int, str]:
    """Return what is another as soon as any judgment is added or goes: how many there are, the last one's id and time."""
    query = sa.select(judgment.c.id, judgment.c.saved_at).order_by(judgment.c.id.desc()).limit(1)
    last = connection.execute(query).one_or_none()
    count = connection.execute(sa.select(sa.func.count()).select_from(judgment)).scalar_one()
    return int(count), last[0] if last else 0, last[1] if last else ""


def progress(connection: sa.Connection, *, campaign_id: int, person_id: int) -> dict[str, int]:
    """Return one person's counts in a campaign: entries, judged, cannot_judge, drafts, left, today."""
    counted = sa.select(sa.func.sum(entry_stratum.c.entries)).where(entry_stratum.c.campaign_id == campaign_id)
    total = connection.execute(counted).scalar() or 0
    mine = without_replaced(
        sa.select(judgment.c.outcome, sa.func.count())
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(on_entries_of(campaign_id), judgment.c.person_id == person_id)
        .group_by(judgment.c.outcome)
    )
    by_outcome = {row[0]: int(row[1]) for row in connection.execute(mine)}
    today = connection.execute(
        sa.select(sa.func.count(sa.distinct(judgment.c.entry_id)))
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(
            on_entries_of(campaign_id),
            judgment.c.person_id == person_id,
            judgment.c.saved_at >= midnight(),
            ~judgment.c.is_imported,
        )
    ).scalar_one()
    drafts = connection.execute(
        sa.select(sa.func.count())
        .select_from(draft)
        .join(entry, entry.c.id == draft.c.entry_id)
        .where(on_entries_of(campaign_id), draft.c.person_id == person_id)
    ).scalar_one()
    judged, cannot = by_outcome.get("judged", 0), by_outcome.get("cannot_judge", 0)
    return {
        "entries": int(total),
        "judged": judged,
        "cannot_judge": cannot,
        "drafts": int(drafts),
        "left": int(total) - judged - cannot,
        "today": int(today),
    }


def answered_entries(connection: sa.Connection, *, stand_for_dataset: bool = False) -> dict[int, tuple[int, int]]:
    """Return, by campaign, (entries with any judgment, people who judged); none for campaigns without judgments.

    With `stand_for_dataset` gold and pilot entries are left out.
    """
    # An expression, for the reason that `on_entries_of` tells.
    campaign_id = entry.c.campaign_id + sa.literal_column("0")
    query = (
        sa.select(
            campaign_id,
            sa.func.count(sa.distinct(judgment.c.entry_id)),
            sa.func.count(sa.distinct(judgment.c.person_id)),
        )
        .join(entry, entry.c.id == judgment.c.entry_id)
        .group_by(campaign_id)
    )
    if stand_for_dataset:
        query = query.where(entry.c.gold.is_(None), ~entry.c.is_pilot)
    return {row[0]: (int(row[1]), int(row[2])) for row in connection.execute(query)}


@dataclass(frozen=True, slots=True)
class DraftRow:
    """An answer that is not saved yet, as its annotator left it."""

    entry_id: int
    person_id: int
    base_revision: int
    content: JsonObject
    saved_at: str

    def as_json(self) -> JsonObject:
        """Return the draft in the form of the judging surface."""
        return {**self.content, "base_revision": self.base_revision, "saved_at": self.saved_at}


def put_draft(
    connection: sa.Connection, *, entry_id: int, person_id: int, base_revision: int, content: JsonObject
) -> DraftRow:
    """Store the draft of a person on an entry, replacing an earlier one, and return it."""
    drop_draft(connection, entry_id=entry_id, person_id=person_id)
    row = DraftRow(entry_id, person_id, base_revision, content, now())
    connection.execute(
        draft.insert().values(
            entry_id=entry_id, person_id=person_id, base_revision=base_revision, content=content, saved_at=row.saved_at
        )
    )
    return row


def drop_draft(connection: sa.Connection, *, entry_id: int, person_id: int) -> None:
    """Remove the draft of a person on an entry, if there is one."""
    connection.execute(draft.delete().where(draft.c.entry_id == entry_id, draft.c.person_id == person_id))


def drafts_of(connection: sa.Connection, *, person_id: int, entry_ids: Sequence[int]) -> dict[int, DraftRow]:
    """Return the person's drafts on those entries, by entry id."""
    query = sa.select(draft).where(draft.c.person_id == person_id, draft.c.entry_id.in_(list(entry_ids)))
    return {row.entry_id: DraftRow(**row._mapping) for row in connection.execute(query)}

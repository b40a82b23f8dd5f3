"""Rows of corrections. What one changes never changes: a revision is a row of its own that takes the place of the earlier one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from audit_core.corrections.records import Action, Change, CorrectionState
from audit_core.domain import JsonObject, Outcome
from audit_core.storage.clock import now
from audit_core.storage.decision_tables import correction, decision, release
from audit_core.storage.inserting import insert_rows
from audit_core.storage.judgments import without_replaced
from audit_core.storage.schema import campaign, entry, judgment, person

#: Ids that are looked up in one statement; databases take only so many values.
_AT_ONCE = 5_000
#: What still counts of a correction: rejected ones and those that a revision replaced do not.
LIVE = (CorrectionState.PROPOSED, CorrectionState.ACCEPTED)


@dataclass(frozen=True, slots=True)
class CorrectionRow:
    """One revision of a correction, with the names of its author and reviewer and the entry that it comes from, if any."""

    id: int
    dataset_id: int
    root_id: int | None
    revision: int
    change: Change
    code: str | None
    reason: str
    author_id: int
    decision_id: int | None
    model: str | None
    prompt_hash: str | None
    created_at: str
    state: CorrectionState
    reviewer_id: int | None
    reviewed_at: str | None
    review_note: str
    author: str
    reviewer: str | None
    entry_id: int | None
    campaign_id: int | None
    campaign: str | None

    @property
    def query_id(self) -> str:
        """The query that it changes."""
        return self.change.query_id

    @property
    def first_id(self) -> int:
        """The id of its first revision, under which it is known."""
        return self.root_id or self.id

    @property
    def is_live(self) -> bool:
        """Whether it is proposed or accepted."""
        return self.state in LIVE

    @property
    def is_self_reviewed(self) -> bool:
        """Whether its author is its reviewer too."""
        return self.reviewer_id is not None and self.reviewer_id == self.author_id

    @property
    def in_order(self) -> tuple[str, int, int]:
        """The place of an accepted one among the accepted: they are applied as they were accepted."""
        return self.reviewed_at or "", self.first_id, self.id


@dataclass(frozen=True, slots=True)
class NewCorrection:
    """A correction to be stored as proposed; `replaces` is the row whose later revision it is."""

    dataset_id: int
    change: Change
    code: str | None
    reason: str
    author_id: int
    decision_id: int | None = None
    model: str | None = None
    prompt_hash: str | None = None
    replaces: CorrectionRow | None = None

    def columns(self, moment: str) -> dict[str, Any]:
        """Return the row, proposed at that moment."""
        return {
            "dataset_id": self.dataset_id,
            "query_id": self.change.query_id,
            "root_id": self.replaces.first_id if self.replaces else None,
            "revision": self.replaces.revision + 1 if self.replaces else 1,
            "action": self.change.action.value,
            "key": self.change.key,
            "before": self.change.before,
            "after": self.change.after,
            "code": self.code,
            "reason": self.reason,
            "author_id": self.author_id,
            "decision_id": self.decision_id,
            "model": self.model,
            "prompt_hash": self.prompt_hash,
            "created_at": moment,
            "state": CorrectionState.PROPOSED.value,
            "reviewer_id": None,
            "reviewed_at": None,
            "review_note": "",
        }


_REVIEWER = person.alias("reviewer")
_WHOLE = (
    sa.select(
        correction, person.c.name.label("author"), _REVIEWER.c.name.label("reviewer"), decision.c.entry_id,
        entry.c.campaign_id, campaign.c.name.label("campaign"),
    )
    .join(person, person.c.id == correction.c.author_id)
    .outerjoin(_REVIEWER, _REVIEWER.c.id == correction.c.reviewer_id)
    .outerjoin(decision, decision.c.id == correction.c.decision_id)
    .outerjoin(entry, entry.c.id == decision.c.entry_id)
    .outerjoin(campaign, campaign.c.id == entry.c.campaign_id)
    .order_by(correction.c.id)
)  # fmt: skip


def _record(row: sa.Row[Any]) -> CorrectionRow:
    values = dict(row._mapping)
    parts = {name: values.pop(name) for name in ("query_id", "key", "before", "after")}
    change = Change(action=Action(values.pop("action")), **parts)
    return CorrectionRow(change=change, **(values | {"state": CorrectionState(values["state"])}))


def of_dataset(
    connection: sa.Connection,
    dataset_id: int,
    *,
    states: Iterable[CorrectionState] | None = None,
    query_id: str | None = None,
    action: str | None = None,
    code: str | None = None,
) -> list[CorrectionRow]:
    """Return the corrections of a dataset, the oldest first; of some states, of one query, action or code (`""`: none)."""
    query = _WHOLE.where(correction.c.dataset_id == dataset_id)
    if states is not None:
        query = query.where(correction.c.state.in_([each.value for each in states]))
    if query_id is not None:
        query = query.where(correction.c.query_id == query_id)
    if action is not None:
        query = query.where(correction.c.action == action)
    if code is not None:
        query = query.where(correction.c.code == code if code else correction.c.code.is_(None))
    return [_record(row) for row in connection.execute(query)]


def by_ids(connection: sa.Connection, ids: Sequence[int]) -> list[CorrectionRow]:
    """Return corrections by their ids, the oldest first; those that are not there are left out."""
    found: list[CorrectionRow] = []
    for part in _parts(ids):
        found += [_record(row) for row in connection.execute(_WHOLE.where(correction.c.id.in_(part)))]
    return sorted(found, key=lambda row: row.id)


def add(connection: sa.Connection, new: Sequence[NewCorrection]) -> None:
    """Store corrections as proposed, all of them at one moment; what they replace is superseded."""
    supersede(connection, [each.replaces.id for each in new if each.replaces is not None])
    moment = now()
    insert_rows(connection, correction, [each.columns(moment) for each in new])


def supersede(connection: sa.Connection, ids: Sequence[int]) -> None:
    """Note that something later took the place of these."""
    for part in _parts(ids):
        values = {"state": CorrectionState.SUPERSEDED.value}
        connection.execute(correction.update().where(correction.c.id.in_(part)).values(**values))


def review(
    connection: sa.Connection, ids: Sequence[int], *, state: CorrectionState, reviewer_id: int, note: str
) -> None:
    """Note what somebody made of corrections; all of them at one moment."""
    values = {"state": state.value, "reviewer_id": reviewer_id, "reviewed_at": now(), "review_note": note}
    for part in _parts(ids):
        connection.execute(correction.update().where(correction.c.id.in_(part)).values(**values))


def attach(connection: sa.Connection, ids: Sequence[int], decision_id: int) -> None:
    """Note that a later decision asks for just these as well."""
    for part in _parts(ids):
        connection.execute(correction.update().where(correction.c.id.in_(part)).values(decision_id=decision_id))


def count_by_state(connection: sa.Connection, dataset_id: int) -> dict[CorrectionState, int]:
    """Return how many corrections of each state a dataset has; every state is named."""
    query = (
        sa.select(correction.c.state, sa.func.count())
        .where(correction.c.dataset_id == dataset_id)
        .group_by(correction.c.state)
    )
    found = {row[0]: int(row[1]) for row in connection.execute(query)}
    return {state: found.get(state.value, 0) for state in CorrectionState}


@dataclass(frozen=True, slots=True)
class MadeRelease:
    """A release that was made: when, and of which campaigns' corrections (none named: of all)."""

    finished_at: str
    campaigns: tuple[str, ...]

    def holds(self, row: CorrectionRow) -> bool:
        """Return whether a correction is in it: accepted by then, and from one of its campaigns where it has some."""
        is_accepted = row.state is CorrectionState.ACCEPTED and (row.reviewed_at or "") <= self.finished_at
        return is_accepted and (not self.campaigns or row.campaign in self.campaigns)


def releases_of(connection: sa.Connection, dataset_id: int) -> list[MadeRelease]:
    """Return the releases of a dataset whose files are whole."""
    query = sa.select(release.c.finished_at, release.c.spec).where(release.c.dataset_id == dataset_id)
    rows = connection.execute(query.where(release.c.finished_at.is_not(None)))
    return [MadeRelease(row.finished_at, tuple(row.spec.get("campaigns") or ())) for row in rows]


def codes_given(connection: sa.Connection, entry_ids: Sequence[int]) -> dict[int, list[tuple[int, str | None]]]:
    """Return (annotator, codes) of the newest judgments on entries, by entry id; codes are None where one could not judge."""
    found: dict[int, list[tuple[int, str | None]]] = {}
    for part in _parts(entry_ids):
        query = sa.select(judgment.c.entry_id, judgment.c.person_id, judgment.c.outcome, judgment.c.codes)
        query = query.where(judgment.c.entry_id.in_(part)).order_by(judgment.c.id)
        for entry_id, person_id, outcome, codes in connection.execute(without_replaced(query)):
            found.setdefault(entry_id, []).append((person_id, codes if outcome == Outcome.JUDGED.value else None))
    return found


def codes_decided(connection: sa.Connection, decision_ids: Sequence[int]) -> dict[int, str]:
    """Return the codes of decisions by their ids."""
    found: dict[int, str] = {}
    for part in _parts(decision_ids):
        query = sa.select(decision.c.id, decision.c.codes).where(decision.c.id.in_(part))
        found |= {row[0]: row[1] for row in connection.execute(query)}
    return found


def of_entries(connection: sa.Connection, entry_ids: Sequence[int]) -> dict[int, list[CorrectionRow]]:
    """Return every correction that came of decisions on these entries, by entry id, the oldest first."""
    found: dict[int, list[CorrectionRow]] = {}
    for part in _parts(entry_ids):
        for row in connection.execute(_WHOLE.where(decision.c.entry_id.in_(part))):
            record = _record(row)
            found.setdefault(int(row.entry_id), []).append(record)
    return found


def delete_of_dataset(connection: sa.Connection, dataset_id: int) -> None:
    """Delete the corrections of a dataset, later revisions before the first ones that they name."""
    own = correction.c.dataset_id == dataset_id
    connection.execute(correction.delete().where(own, correction.c.root_id.is_not(None)))
    connection.execute(correction.delete().where(own))


def _parts(ids: Sequence[int]) -> list[list[int]]:
    unique = list(dict.fromkeys(ids))
    return [unique[start : start + _AT_ONCE] for start in range(0, len(unique), _AT_ONCE)]


def as_row(row: CorrectionRow) -> JsonObject:
    """Return a correction as a row of a corrections file has it, with its id, state and who said what."""
    return {
        "id": row.id, "correction": row.first_id, "revision": row.revision, "state": row.state.value,
        "query_id": row.query_id, "action": row.change.action.value, "key": row.change.key, "before": row.change.before,
        "after": row.change.after, "code": row.code, "reason": row.reason, "author": row.author, "reviewer": row.reviewer,
        "reviewed_at": row.reviewed_at, "review_note": row.review_note, "self_reviewed": row.is_self_reviewed,
        "campaign": row.campaign, "model": row.model, "prompt_hash": row.prompt_hash, "created_at": row.created_at,
    }  # fmt: skip

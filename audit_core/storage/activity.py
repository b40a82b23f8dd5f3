"""The log of who did what: appended in the transaction of the action itself."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from audit_core.domain import JsonObject
from audit_core.storage.clock import now
from audit_core.storage.schema import activity, person


@dataclass(frozen=True, slots=True)
class ActivityRow:
    """One line of the log. `name` is whose action it was, None for a command or somebody signed out."""

    id: int
    at: str
    person_id: int | None
    name: str | None
    action: str
    subject: JsonObject


def record(connection: sa.Connection, action: str, subject: JsonObject, *, person_id: int | None = None) -> None:
    """Append one line to the log."""
    connection.execute(activity.insert().values(at=now(), person_id=person_id, action=action, subject=subject))


def newest(
    connection: sa.Connection,
    *,
    count: int,
    before: int | None = None,
    person_id: int | None = None,
    action: str | None = None,
) -> list[ActivityRow]:
    """Return up to `count` lines (older than line `before`; of one person; of one action), the newest first."""
    query = (
        sa.select(activity, person.c.name)
        .outerjoin(person, person.c.id == activity.c.person_id)
        .order_by(activity.c.id.desc())
        .limit(count)
    )
    if before is not None:
        query = query.where(activity.c.id < before)
    if person_id is not None:
        query = query.where(activity.c.person_id == person_id)
    if action is not None:
        query = query.where(activity.c.action == action)
    return [ActivityRow(r.id, r.at, r.person_id, r.name, r.action, r.subject) for r in connection.execute(query)]


def actions(connection: sa.Connection) -> list[str]:
    """Return every action that the log knows, by name."""
    return list(connection.execute(sa.select(activity.c.action).distinct().order_by(activity.c.action)).scalars())

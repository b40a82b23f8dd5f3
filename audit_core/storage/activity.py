"""The log of who did what: appended in the transaction of the action itself."""

from __future__ import annotations

import sqlalchemy as sa

from audit_core.domain import JsonObject
from audit_core.storage.clock import now
from audit_core.storage.schema import activity


def record(connection: sa.Connection, action: str, subject: JsonObject, *, person_id: int | None = None) -> None:
    """Append one line to the log."""
    connection.execute(activity.insert().values(at=now(), person_id=person_id, action=action, subject=subject))

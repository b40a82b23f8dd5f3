"""Rows of guidelines: what annotators of a campaign are told beside what its protocol says, by version."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from audit_core.storage.clock import now
from audit_core.storage.schema import guideline


@dataclass(frozen=True, slots=True)
class GuidelineRow:
    """One version of a campaign's guidelines; `person_id` is who wrote it, None for a command."""

    campaign_id: int
    version: int
    text: str
    created_at: str
    person_id: int | None


def of_campaign(connection: sa.Connection, campaign_id: int) -> list[GuidelineRow]:
    """Return all versions of a campaign's guidelines, the newest first."""
    query = sa.select(guideline).where(guideline.c.campaign_id == campaign_id).order_by(guideline.c.version.desc())
    return [GuidelineRow(**each._mapping) for each in connection.execute(query)]


def newest(connection: sa.Connection, campaign_id: int) -> GuidelineRow | None:
    """Return the newest version of a campaign's guidelines, None where it has none."""
    query = sa.select(guideline).where(guideline.c.campaign_id == campaign_id).order_by(guideline.c.version.desc())
    found = connection.execute(query.limit(1)).one_or_none()
    return GuidelineRow(**found._mapping) if found else None


def add(connection: sa.Connection, campaign_id: int, text: str, *, person_id: int | None) -> int:
    """Add a version and return its number. Two writers at once collide on the key: the second tries again."""
    last = newest(connection, campaign_id)
    version = last.version + 1 if last else 1
    connection.execute(
        guideline.insert().values(
            campaign_id=campaign_id, version=version, text=text, created_at=now(), person_id=person_id
        )
    )
    return version

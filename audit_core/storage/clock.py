"""The one clock of stored times."""

from __future__ import annotations

from datetime import UTC, datetime


def stamp(moment: datetime) -> str:
    """Return `moment` (aware) as it is stored: UTC, ISO 8601 with microseconds, ending in Z."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def now() -> str:
    """Return the present time as it is stored."""
    return stamp(datetime.now(UTC))


def midnight() -> str:
    """Return the start of this day on the server's own calendar, as it is stored."""
    return stamp(datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0))

"""Making campaigns of many entries without holding up those who save: in many short transactions, seen only when whole.

A campaign in the making has a name of its own and is found by nothing (`storage.campaigns`). Its rows are put in a part at
a time, with a rest between two parts in which others save; the last transaction gives it its name and shows it. One process
makes campaigns at a time, held by a lock that the system takes back from a process that dies. So whoever holds the lock
and finds a campaign in the making knows that its maker is gone, and removes it.

What is imported goes in likewise, beside a mark that remembers what to take back (`storage.import_marks`).
"""

from __future__ import annotations

import sqlite3
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import sqlalchemy as sa

from audit_core.errors import StorageError
from audit_core.storage import import_marks, samples
from audit_core.storage.database import Database
from audit_core.storage.inserting import bound_rows
from audit_core.storage.schema import (
    campaign,
    campaign_annotator,
    carried_judgment,
    entry,
    guideline,
    judgment,
    removal_label,
    stratum,
)

#: How long a part may keep others who save waiting, in seconds; the parts grow and shrink to meet it.
PART_SECONDS = 0.03
#: Rows of the first part, and the fewest and most of any.
FIRST_ROWS, FEWEST_ROWS, MOST_ROWS = 1_000, 100, 5_000
#: How long a maker waits for another one, in seconds.
WAIT_SECONDS = 180.0
_POLL_SECONDS = 0.05
#: PostgreSQL's lock on making campaigns in one database; the queue of jobs has another number (`storage.jobs`).
_ADVISORY_KEY = 5_140_611_805


@contextmanager
def alone(database: Database, *, wait: float = WAIT_SECONDS) -> Iterator[bool]:
    """Hold the lock on making campaigns; give False where another process or thread still has it after `wait` seconds."""
    release = _locked(database)
    until = time.monotonic() + wait
    while release is None and time.monotonic() < until:
        time.sleep(_POLL_SECONDS)
        release = _locked(database)
    try:
        yield release is not None
    finally:
        if release is not None:
            release()


def _locked(database: Database) -> Callable[[], None] | None:
    """Take the lock and return what gives it back, None where somebody has it."""
    return _locked_sqlite(database) if database.is_sqlite else _locked_postgresql(database)


def _locked_sqlite(database: Database) -> Callable[[], None] | None:
    """Take the lock of an empty database beside the main one: SQLite's own locks end with their process on every system."""
    file = database.file
    assert file is not None
    connection = None
    try:
        connection = sqlite3.connect(file.with_name(f"{file.name}-making"), timeout=0, isolation_level=None)
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        if connection is not None:
            connection.close()
        if "locked" in str(error):
            return None
        raise StorageError(
            f"{file.parent} cannot be written ({error}): nothing was started. Free some space."
        ) from error
    return connection.close


def _locked_postgresql(database: Database) -> Callable[[], None] | None:
    connection = database.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    try:
        if connection.execute(sa.text("SELECT pg_try_advisory_lock(:key)"), {"key": _ADVISORY_KEY}).scalar_one():

            def release() -> None:
                # The lock is the session's: the connection may not go back to the pool with it.
                with connection:
                    connection.execute(sa.text("SELECT pg_advisory_unlock(:key)"), {"key": _ADVISORY_KEY})

            return release
    except BaseException:
        connection.close()
        raise
    connection.close()
    return None


@contextmanager
def campaign_in_making(database: Database) -> Iterator[None]:
    """Make a campaign inside: alone, with what earlier makers left removed before, and what this one left if it fails.

    Raises:
        StorageError: another campaign has been in the making for too long.
    """
    with alone(database) as is_alone:
        if not is_alone:
            raise StorageError(
                f"Another campaign is being made in {database.place}: nothing was started. Try again in a moment."
            )
        _remove_unfinished(database)
        try:
            yield
        except BaseException:
            # What cannot be removed now is not seen, and goes when the next campaign is made or Assay starts again.
            with suppress(StorageError):
                _remove_unfinished(database)
            raise


def temporary_name() -> str:
    """Return a name for a campaign in the making, which no other has: its own is given when it is whole."""
    return f"being made {uuid.uuid4().hex}"


def insert_entries(database: Database, campaign_id: int, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert all entries of a campaign in the making, in parts, and how many each stratum has."""
    counts = samples.stratum_counts(campaign_id, rows)
    with database.write() as connection:
        samples.add_entry_strata(connection, counts)
    insert_in_parts(database, entry, rows)


def insert_in_parts(database: Database, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows that all have the same columns, each part in a transaction of its own, with rests between them."""
    start, size = 0, FIRST_ROWS
    statement, values = bound_rows(database.engine.dialect, table, rows)
    while start < len(rows):
        part = values[start : start + size]
        with database.write() as connection:
            began = time.monotonic()
            connection.exec_driver_sql(statement, part)
        start, size = _rested(time.monotonic() - began, start, len(part), len(rows))


def _rested(took: float, start: int, size: int, total: int) -> tuple[int, int]:
    """Rest as long as the part took; return where the next one starts, and how many rows it may have."""
    start += size
    if start < total:
        time.sleep(min(took, PART_SECONDS))
    return start, max(FEWEST_ROWS, min(MOST_ROWS, int(size * PART_SECONDS / max(took, 1e-4))))


def finish(connection: sa.Connection, campaign_id: int, *, name: str, left_out: Sequence[int] = ()) -> None:
    """Give a campaign in the making its name, show it, and store whose queries its draw left out.

    Raises:
        StorageError: it has been removed meanwhile.
    """
    mine = (campaign.c.id == campaign_id) & campaign.c.making_since.is_not(None)
    shown = connection.execute(campaign.update().where(mine).values(name=name, making_since=None))
    if shown.rowcount != 1:
        raise StorageError("This campaign was removed while it was being made: nothing was started. Start it again.")
    samples.add_left_out(connection, campaign_id, left_out)


def sweep_unfinished(database: Database) -> int:
    """Remove what campaigns left whose makers are gone, and return how many; none while a campaign is being made."""
    if not _unfinished(database):
        return 0
    with alone(database, wait=0) as is_alone:
        return _remove_unfinished(database) if is_alone else 0


def _unfinished(database: Database) -> list[int]:
    unfinished = sa.select(campaign.c.id).where(campaign.c.making_since.is_not(None)).order_by(campaign.c.id)
    with database.read() as connection:
        return list(connection.execute(unfinished).scalars())


def _remove_unfinished(database: Database) -> int:
    found = _unfinished(database)
    for campaign_id in found:
        _remove(database, campaign_id)
    return len(found)


def _remove(database: Database, campaign_id: int) -> None:
    """Delete a campaign in the making, a part at a time; it goes last, so that what is left is found again."""
    with database.read() as connection:
        row = connection.execute(sa.select(campaign).where(campaign.c.id == campaign_id)).one_or_none()
    along = import_marks.taken_back(row.plan if row else None)
    if row is not None and row.copied_from is not None and "judgments_after" in along:
        _delete_in_parts(
            database, judgment, judgment.c.id, import_marks.added_to(row.copied_from, along["judgments_after"])
        )
    labels = removal_label.c.label_set_id.in_(list(along.get("label_sets", ())))
    _delete_in_parts(database, removal_label, removal_label.c.id, labels)
    entries = sa.select(entry.c.id).where(entry.c.campaign_id == campaign_id)
    judgments = sa.select(judgment.c.id).where(judgment.c.entry_id.in_(entries))
    for table, key, condition in (
        (carried_judgment, carried_judgment.c.judgment_id, carried_judgment.c.judgment_id.in_(judgments)),
        (judgment, judgment.c.id, judgment.c.entry_id.in_(entries)),
        (entry, entry.c.id, entry.c.campaign_id == campaign_id),
    ):
        _delete_in_parts(database, table, key, condition)
    with database.write() as connection:
        for table in (stratum, campaign_annotator, guideline):
            connection.execute(table.delete().where(table.c.campaign_id == campaign_id))
        connection.execute(campaign.delete().where(campaign.c.id == campaign_id))
        import_marks.remove_along(connection, along)


def _delete_in_parts(
    database: Database, table: sa.Table, key: sa.Column[int], condition: sa.ColumnElement[bool]
) -> None:
    with database.read() as connection:
        ids = list(connection.execute(sa.select(key).where(condition).order_by(key)).scalars())
    start, size = 0, FEWEST_ROWS
    while start < len(ids):
        part = ids[start : start + size]
        with database.write() as connection:
            began = time.monotonic()
            connection.execute(table.delete().where(key.in_(part)))
        start, size = _rested(time.monotonic() - began, start, len(part), len(ids))

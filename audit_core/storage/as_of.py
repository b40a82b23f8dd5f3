"""The main database as it was at a moment: later judgments, decisions, people, guidelines and reveals are not seen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass

import sqlalchemy as sa

from audit_core.domain import JsonObject
from audit_core.errors import StorageError
from audit_core.storage.clock import now
from audit_core.storage.database import Connection, Database
from audit_core.storage.decision_tables import decision, reveal
from audit_core.storage.schema import guideline, judgment, person

#: Tables whose rows are never changed, by what tells the later ones.
_BY_ID = {"judgment": judgment, "decision": decision, "person": person}
_BY_TIME = {"guideline": guideline.c.created_at, "reveal": reveal.c.revealed_at}


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment of the database: the highest ids that there were, and the time."""

    judgment: int
    decision: int
    person: int
    moment: str

    def as_json(self) -> JsonObject:
        """Return it as a JSON object."""
        return asdict(self)


def mark_now(connection: Connection) -> Mark:
    """Return this moment; read it in the transaction that reads what rests on it."""
    highest = {
        name: int(connection.execute(sa.select(sa.func.max(table.c.id))).scalar() or 0)
        for name, table in _BY_ID.items()
    }
    return Mark(**highest, moment=now())


class DatabaseAsOf(Database):
    """A database of which only what there was at a mark is read; nothing is written."""

    def __init__(self, database: Database, mark: Mark) -> None:
        super().__init__(database.engine, url=database.url)
        self._views = [
            f"CREATE TEMP VIEW {name} AS SELECT * FROM {{}}.{name} WHERE id <= {int(getattr(mark, name))}"
            for name in _BY_ID
        ]
        quoted = mark.moment.replace("'", "''")
        self._views += [
            f"CREATE TEMP VIEW {name} AS SELECT * FROM {{}}.{name} WHERE {column.name} <= '{quoted}'"
            for name, column in _BY_TIME.items()
        ]

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads. Views of its own stand before the tables, and go with it."""
        with super().read() as connection:
            schema = "main" if self.is_sqlite else connection.exec_driver_sql("SELECT current_schema()").scalar_one()
            for view in self._views:
                connection.exec_driver_sql(view.format(f'"{schema}"'))
            try:
                yield connection
            finally:
                connection.rollback()

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Refuse: what was is not changed.

        Raises:
            StorageError: always.
        """
        raise StorageError("The database as it was at a moment is only read.")
        yield

"""Rows of datasets and label sets. The datasets themselves are immutable folders."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from audit_core.domain import JsonObject
from audit_core.storage.clock import now
from audit_core.storage.inserting import insert_row, insert_rows
from audit_core.storage.schema import dataset, label_set, removal_label


@dataclass(frozen=True, slots=True)
class DatasetRow:
    """A registered dataset revision; its folder is named by `content_hash`."""

    id: int
    name: str
    revision: str
    content_hash: str
    origin: str
    is_lenient: bool
    imported_at: str
    title: str | None
    archived_at: str | None

    @property
    def shown(self) -> str:
        """How people call it here: its title, else its own name."""
        return self.title or self.name


def _record(row: sa.Row[Any]) -> DatasetRow:
    return DatasetRow(**row._mapping)


def all_rows(connection: sa.Connection) -> list[DatasetRow]:
    """Return all datasets, the one imported last first."""
    return [_record(row) for row in connection.execute(sa.select(dataset).order_by(dataset.c.id.desc()))]


def by_id(connection: sa.Connection, dataset_id: int) -> DatasetRow | None:
    """Return the dataset with that id, None where there is none."""
    row = connection.execute(sa.select(dataset).where(dataset.c.id == dataset_id)).one_or_none()
    return _record(row) if row else None


def by_hash(connection: sa.Connection, content_hash: str) -> DatasetRow | None:
    """Return the dataset with that content, None where there is none."""
    row = connection.execute(sa.select(dataset).where(dataset.c.content_hash == content_hash)).one_or_none()
    return _record(row) if row else None


def by_name(connection: sa.Connection, name: str, revision: str | None = None) -> list[DatasetRow]:
    """Return the datasets of that name (and revision), the one imported last first."""
    query = sa.select(dataset).where(dataset.c.name == name).order_by(dataset.c.id.desc())
    if revision is not None:
        query = query.where(dataset.c.revision == revision)
    return [_record(row) for row in connection.execute(query)]


def add(
    connection: sa.Connection, *, name: str, revision: str, content_hash: str, origin: str, is_lenient: bool
) -> int:
    """Register a dataset and return its id."""
    values = {
        "name": name,
        "revision": revision,
        "content_hash": content_hash,
        "origin": origin,
        "is_lenient": is_lenient,
        "imported_at": now(),
    }
    return insert_row(connection, dataset, values)


def set_title(connection: sa.Connection, dataset_id: int, title: str | None) -> None:
    """Call a dataset something else here; None: by its own name again."""
    connection.execute(dataset.update().where(dataset.c.id == dataset_id).values(title=title))


def set_archived(connection: sa.Connection, dataset_id: int, *, archived: bool) -> None:
    """Hide a dataset and its campaigns from lists, or show them again."""
    at = now() if archived else None
    connection.execute(dataset.update().where(dataset.c.id == dataset_id).values(archived_at=at))


@dataclass(frozen=True, slots=True)
class LabelSetRow:
    """A set of removal labels of one dataset."""

    id: int
    name: str
    source_hash: str
    labels: int


def label_sets(connection: sa.Connection, dataset_id: int) -> list[LabelSetRow]:
    """Return the label sets of a dataset by name, each with its number of labels; none of those in the making."""
    count = sa.func.count(removal_label.c.id)
    query = (
        sa.select(label_set.c.id, label_set.c.name, label_set.c.source_hash, count)
        .join(removal_label, removal_label.c.label_set_id == label_set.c.id, isouter=True)
        .where(label_set.c.dataset_id == dataset_id, ~label_set.c.name.startswith(_IN_MAKING))
        .group_by(label_set.c.id, label_set.c.name, label_set.c.source_hash)
        .order_by(label_set.c.name)
    )
    return [LabelSetRow(*row) for row in connection.execute(query)]


LABEL_COLUMNS = (
    "query_id",
    "remove",
    "annotator",
    "clarity",
    "correctness",
    "closedness",
    "no_layout_reference",
    "note",
)


#: How the name of a label set begins whose labels are being put in: no file can be called so.
_IN_MAKING = "/being made/"


def add_label_set(
    connection: sa.Connection, *, dataset_id: int, name: str, source_hash: str, labels: Sequence[JsonObject]
) -> int:
    """Store a label set with its labels (dicts with LABEL_COLUMNS, perhaps with a `probability`) and return its id."""
    values = {"dataset_id": dataset_id, "name": name, "source_hash": source_hash, "imported_at": now()}
    set_id = insert_row(connection, label_set, values)
    insert_rows(connection, removal_label, label_rows(set_id, labels))
    return set_id


def begin_label_set(connection: sa.Connection, *, dataset_id: int, source_hash: str) -> int:
    """Store a label set that is seen by nobody until `finish_label_set`, and return its id."""
    name = f"{_IN_MAKING}{uuid.uuid4().hex}"
    return insert_row(
        connection,
        label_set,
        {"dataset_id": dataset_id, "name": name, "source_hash": source_hash, "imported_at": now()},
    )


def finish_label_set(connection: sa.Connection, label_set_id: int, *, name: str) -> None:
    """Give a label set whose labels are all in its name."""
    connection.execute(label_set.update().where(label_set.c.id == label_set_id).values(name=name))


def label_rows(label_set_id: int, labels: Iterable[JsonObject]) -> list[JsonObject]:
    """Return labels (dicts with LABEL_COLUMNS, perhaps with a `probability`) as rows, ready to be inserted."""
    return [
        {
            "label_set_id": label_set_id,
            **{column: each[column] for column in LABEL_COLUMNS},
            "probability": each.get("probability"),
        }
        for each in labels
    ]


def labels_of(connection: sa.Connection, label_set_id: int) -> list[JsonObject]:
    """Return the labels of a set in the order in which they were imported, as dicts with LABEL_COLUMNS."""
    columns = [removal_label.c[column] for column in LABEL_COLUMNS]
    query = sa.select(*columns).where(removal_label.c.label_set_id == label_set_id).order_by(removal_label.c.id)
    return [dict(row._mapping) for row in connection.execute(query)]


def label_probabilities(connection: sa.Connection, label_set_id: int) -> list[float | None]:
    """Return the selection probabilities of a set's labels, in the order of `labels_of`; None where none is known."""
    query = (
        sa.select(removal_label.c.probability)
        .where(removal_label.c.label_set_id == label_set_id)
        .order_by(removal_label.c.id)
    )
    return list(connection.execute(query).scalars())


def weighted_sets(connection: sa.Connection, dataset_id: int) -> set[int]:
    """Return the label sets of a dataset in which every label has a selection probability."""
    query = (
        sa.select(removal_label.c.label_set_id)
        .join(label_set, label_set.c.id == removal_label.c.label_set_id)
        .where(label_set.c.dataset_id == dataset_id)
        .group_by(removal_label.c.label_set_id)
        .having(sa.func.count() == sa.func.count(removal_label.c.probability))
    )
    return set(connection.execute(query).scalars())


def labelled_queries(connection: sa.Connection, dataset_id: int) -> dict[int, int]:
    """Return, by label set, how many different queries its labels are of."""
    query = (
        sa.select(removal_label.c.label_set_id, sa.func.count(sa.distinct(removal_label.c.query_id)))
        .join(label_set, label_set.c.id == removal_label.c.label_set_id)
        .where(label_set.c.dataset_id == dataset_id)
        .group_by(removal_label.c.label_set_id)
    )
    return {row[0]: int(row[1]) for row in connection.execute(query)}

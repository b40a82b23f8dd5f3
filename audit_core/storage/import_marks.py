"""Marks beside what is being imported in parts: they remember what to take back if the import never ends.

A mark is a campaign in the making without entries, so that whoever removes what makers left (`storage.making`) finds it. It is
made in the first transaction of an import, which holds the lock on making campaigns, and removed in the last.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from typing import Any

import sqlalchemy as sa

from audit_core.errors import StorageError
from audit_core.storage.clock import now
from audit_core.storage.inserting import insert_row
from audit_core.storage.schema import (
    campaign,
    cleaning_run,
    comparison,
    dataset,
    entry,
    judgment,
    label_set,
    person,
)

#: How the nonce of a judgment begins that a file added to a campaign.
FILE_NONCE = "file-"
#: The key in the plan of a mark under which stands what it takes back.
_TAKES_BACK = "takes back"


def begin_adding(connection: sa.Connection, campaign_id: int, *, people: Collection[int]) -> int:
    """Mark that judgments of a file are being added to a campaign, with the people who are new; return the mark."""
    dataset_id = connection.execute(sa.select(campaign.c.dataset_id).where(campaign.c.id == campaign_id)).scalar_one()
    last = connection.execute(sa.select(sa.func.max(judgment.c.id))).scalar()
    takes_back = {"judgments_after": last or 0, "people": sorted(people)}
    return _mark(connection, dataset_id, takes_back, campaign_id=campaign_id)


def begin_entering(
    connection: sa.Connection,
    dataset_id: int,
    *,
    is_new: bool,
    people: Collection[int],
    label_sets: Collection[int],
) -> int:
    """Mark that a bundle is being entered, after its campaigns were put into the making; return the mark.

    If `end_mark` never comes, what is new goes: these people and label sets, and the dataset, which is archived until then.
    """
    takes_back = {
        "people": sorted(people),
        "label_sets": sorted(label_sets),
        "dataset": dataset_id if is_new else None,
    }
    return _mark(connection, dataset_id, takes_back)


def _mark(
    connection: sa.Connection, dataset_id: int, takes_back: Mapping[str, Any], *, campaign_id: int | None = None
) -> int:
    values = {
        "dataset_id": dataset_id, "name": f"being imported {uuid.uuid4().hex}", "protocol": "", "state": "closed", "judgments_per_entry": 1,
        "origin": "created", "is_probability_sample": False, "created_at": now(), "making_since": now(),
        "copied_from": campaign_id, "plan": {_TAKES_BACK: takes_back},
    }  # fmt: skip
    return insert_row(connection, campaign, values)


def end_mark(connection: sa.Connection, mark: int) -> None:
    """Let stay what was put in since `begin_adding` or `begin_entering`.

    Raises:
        StorageError: it has been taken back meanwhile.
    """
    if connection.execute(campaign.delete().where(campaign.c.id == mark)).rowcount != 1:
        raise StorageError("What was being imported was taken back meanwhile: import it again.")


def taken_back(plan: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what the plan of a campaign in the making takes back when that is removed; empty unless it is a mark."""
    return dict((plan or {}).get(_TAKES_BACK) or {})


def added_to(campaign_id: int, after: int) -> sa.ColumnElement[bool]:
    """Return the condition of judgments that a file added to a campaign; those stay to which somebody has referred since."""
    of_campaign = judgment.c.entry_id.in_(sa.select(entry.c.id).where(entry.c.campaign_id == campaign_id))
    referring = [
        sa.exists().where(key.parent == judgment.c.id)
        for table in judgment.metadata.tables.values()
        for key in table.foreign_keys
        if key.column is judgment.c.id and key.ondelete != "CASCADE"
    ]
    of_file = judgment.c.nonce.startswith(FILE_NONCE, autoescape=True) & (judgment.c.id > after)
    return of_file & of_campaign & ~sa.or_(*referring)


def remove_along(connection: sa.Connection, along: Mapping[str, Any]) -> None:
    """Delete people, label sets and the dataset that came with what is gone; those stay on which something else hangs."""
    connection.execute(label_set.delete().where(label_set.c.id.in_(list(along.get("label_sets", ())))))
    has_judged = sa.exists().where(judgment.c.person_id == person.c.id)
    mine = person.c.id.in_(list(along.get("people", ()))) & person.c.is_imported
    connection.execute(person.delete().where(mine, ~has_judged))
    used = [
        sa.exists().where(each.c.dataset_id == dataset.c.id) for each in (campaign, label_set, comparison, cleaning_run)
    ]
    is_new = (dataset.c.id == along.get("dataset")) & dataset.c.archived_at.is_not(None)
    connection.execute(dataset.delete().where(is_new, ~sa.or_(*used)))

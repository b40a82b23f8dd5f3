"""Rows of comments: remarks of annotators and leads on an entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from audit_core.storage.clock import now
from audit_core.storage.inserting import insert_row
from audit_core.storage.schema import comment, entry, person


@dataclass(frozen=True, slots=True)
class CommentRow:
    """A remark on an entry; it is never changed, only deleted by whoever wrote it."""

    id: int
    entry_id: int
    person_id: int
    text: str
    created_at: str


@dataclass(frozen=True, slots=True)
class CommentView:
    """A remark with its author's name and its entry."""

    comment: CommentRow
    author: str
    entry_number: int
    query_id: str


def _views() -> sa.Select[Any]:
    return (
        sa.select(
            comment.c.id, comment.c.entry_id, comment.c.person_id, comment.c.text, comment.c.created_at,
            person.c.name, entry.c.number, entry.c.query_id,
        )
        .join(entry, entry.c.id == comment.c.entry_id)
        .join(person, person.c.id == comment.c.person_id)
    )  # fmt: skip


def add(connection: sa.Connection, *, entry_id: int, person_id: int, text: str) -> int:
    """Store a comment and return its id."""
    values = {"entry_id": entry_id, "person_id": person_id, "text": text, "created_at": now()}
    return insert_row(connection, comment, values)


def by_id(connection: sa.Connection, comment_id: int) -> CommentRow | None:
    """Return the comment with that id, None where there is none."""
    row = connection.execute(sa.select(comment).where(comment.c.id == comment_id)).one_or_none()
    return CommentRow(**row._mapping) if row else None


def delete(connection: sa.Connection, comment_id: int) -> None:
    """Delete a comment for good."""
    connection.execute(comment.delete().where(comment.c.id == comment_id))


def of_entry(connection: sa.Connection, entry_id: int, *, person_id: int | None = None) -> list[CommentView]:
    """Return the comments on an entry (of one person), the oldest first."""
    query = _views().where(comment.c.entry_id == entry_id).order_by(comment.c.id)
    if person_id is not None:
        query = query.where(comment.c.person_id == person_id)
    return [CommentView(CommentRow(*row[:5]), *row[5:]) for row in connection.execute(query)]


def of_campaign(connection: sa.Connection, campaign_id: int) -> list[CommentView]:
    """Return the comments on the entries of a campaign, the newest first."""
    query = _views().where(entry.c.campaign_id == campaign_id).order_by(comment.c.id.desc())
    return [CommentView(CommentRow(*row[:5]), *row[5:]) for row in connection.execute(query)]

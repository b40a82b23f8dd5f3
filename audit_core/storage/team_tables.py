"""The tables of working together on a campaign: who judges in it, who holds an entry, what they are told and what they say."""

from __future__ import annotations

import sqlalchemy as sa

from audit_core.storage.table_rules import key_to, metadata

#: Whom a campaign was handed to. One who was taken out keeps the row, and all that they judged.
campaign_annotator = sa.Table(
    "campaign_annotator",
    metadata,
    sa.Column("campaign_id", sa.Integer, key_to("campaign.id"), primary_key=True),
    sa.Column("person_id", sa.Integer, key_to("person.id"), primary_key=True),
    sa.Column("added_at", sa.String(30), nullable=False),
    sa.Column("removed_at", sa.String(30)),
    sa.Index("ix_campaign_annotator_person_id", "person_id"),
)

#: Places at an entry that somebody holds while they judge it.
claim = sa.Table(
    "claim",
    metadata,
    sa.Column("entry_id", sa.Integer, key_to("entry.id"), primary_key=True),
    sa.Column("person_id", sa.Integer, key_to("person.id"), primary_key=True),
    sa.Column("claimed_at", sa.String(30), nullable=False),
    sa.Column("expires_at", sa.String(30), nullable=False),
    sa.Index("ix_claim_expires_at", "expires_at"),
)

#: What annotators are told to do, by version: each judgment keeps the number of the one it was made under.
guideline = sa.Table(
    "guideline",
    metadata,
    sa.Column("campaign_id", sa.Integer, key_to("campaign.id"), primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("created_at", sa.String(30), nullable=False),
    sa.Column("person_id", sa.Integer, key_to("person.id")),
    sa.CheckConstraint("version >= 1", name="version_from_one"),
)

#: Remarks on an entry, for those who have judged it.
comment = sa.Table(
    "comment",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("entry_id", sa.Integer, key_to("entry.id"), nullable=False),
    sa.Column("person_id", sa.Integer, key_to("person.id"), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("created_at", sa.String(30), nullable=False),
    sa.CheckConstraint("length(text) > 0", name="text_not_empty"),
    sa.Index("ix_comment_entry_id", "entry_id"),
)

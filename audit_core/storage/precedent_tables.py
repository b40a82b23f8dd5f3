"""The tables of precedents: decisions and answers that a lead made a rule for all, and the words that cases are found by."""

from __future__ import annotations

import sqlalchemy as sa

from audit_core.storage.table_rules import key_to, metadata

#: A decision (one revision of somebody's judgment) or an answered question that holds for all, with the rule in short.
precedent = sa.Table(
    "precedent",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("entry_id", sa.Integer, key_to("entry.id"), nullable=False),
    sa.Column("judgment_id", sa.Integer, key_to("judgment.id"), unique=True),
    sa.Column("flag_id", sa.Integer, key_to("flag.id"), unique=True),
    sa.Column("text", sa.Text, nullable=False),
    #: What it is found by, folded: rule, query, question and answer or decision and note, source, structure.
    sa.Column("words", sa.Text, nullable=False),
    sa.Column("person_id", sa.Integer, key_to("person.id"), nullable=False),
    sa.Column("created_at", sa.String(30), nullable=False),
    sa.CheckConstraint("(judgment_id IS NULL) <> (flag_id IS NULL)", name="of_one_thing"),
    sa.CheckConstraint("length(text) > 0", name="text_not_empty"),
    sa.Index("ix_precedent_entry_id", "entry_id"),
)

#: What a judgment is found by, folded: it is made from the judgment and its query when somebody first searches, holds nobody's
#: work, and goes with its judgment.
judgment_words = sa.Table(
    "judgment_words",
    metadata,
    sa.Column(
        "judgment_id",
        sa.Integer,
        sa.ForeignKey("judgment.id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    ),
    sa.Column("words", sa.Text, nullable=False),
)

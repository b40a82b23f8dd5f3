"""The tables of adjudication: decisions on entries, who saw others' answers, corrections of queries, and releases of them."""

from __future__ import annotations

from enum import StrEnum

import sqlalchemy as sa

from audit_core.corrections.records import Action, CorrectionState
from audit_core.domain import Outcome
from audit_core.storage.table_rules import CODE_SETS, key_to, metadata, one_of


class Basis(StrEnum):
    """How a decision came about; `reopened` takes the earlier ones back, so that the judgments count again."""

    #: One of the judgments as it is.
    TAKEN = "taken"
    #: Parts of several judgments.
    MERGED = "merged"
    #: The adjudicator's own answer.
    OWN = "own"
    #: The adjudicator's own answer, with the word that no judgment is right.
    ALL_WRONG = "all_wrong"
    #: All judgments say the same, and were accepted.
    UNANIMOUS = "unanimous"
    #: A second reader saw the only judgment and confirmed or overturned it.
    SECOND_READING = "second_reading"
    #: Read from a file of decisions.
    FILE = "file"
    REOPENED = "reopened"


class Confidence(StrEnum):
    """How sure an adjudicator is of a decision."""

    SURE = "sure"
    FAIRLY_SURE = "fairly_sure"
    UNSURE = "unsure"


#: Decisions on entries. A decision is never changed: a revision is a row of its own, numbered from 1; the newest counts.
decision = sa.Table(
    "decision",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("entry_id", sa.Integer, key_to("entry.id"), nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("person_id", sa.Integer, key_to("person.id"), nullable=False),
    sa.Column("nonce", sa.String(120), nullable=False, unique=True),
    sa.Column("basis", sa.String(20), nullable=False),
    sa.Column("outcome", sa.String(20), nullable=False),
    sa.Column("codes", sa.String(4), nullable=False),
    sa.Column("targets", sa.JSON, nullable=False),
    #: The answer's fields under protocols other than audit; None for none.
    sa.Column("answer", sa.JSON(none_as_null=True)),
    #: What the adjudicator would change about the query and its evidence, in the form of an annotator's proposal.
    sa.Column("correction", sa.JSON(none_as_null=True)),
    sa.Column("confidence", sa.String(20)),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    #: Ids of the judgments that were there when it was decided, and of those whose parts were taken (JSON lists).
    sa.Column("judgment_ids", sa.JSON, nullable=False),
    sa.Column("taken_from", sa.JSON, nullable=False),
    #: The one who decided had judged the entry too.
    sa.Column("is_own_judgment", sa.Boolean, nullable=False),
    sa.Column("decided_at", sa.String(30), nullable=False),
    sa.UniqueConstraint("entry_id", "revision"),
    sa.CheckConstraint(one_of("basis", tuple(Basis)), name="basis_known"),
    sa.CheckConstraint(one_of("outcome", tuple(Outcome)), name="outcome_known"),
    sa.CheckConstraint(one_of("codes", CODE_SETS), name="codes_known"),
    sa.CheckConstraint(one_of("confidence", tuple(Confidence)), name="confidence_known"),
    sa.CheckConstraint("outcome = 'judged' OR codes = ''", name="cannot_judge_has_no_codes"),
    sa.CheckConstraint("revision >= 1", name="revision_from_one"),
)

#: Since when somebody knows what others said of an entry: what they say of it afterwards is no blind judgment.
reveal = sa.Table(
    "reveal",
    metadata,
    sa.Column("entry_id", sa.Integer, key_to("entry.id"), primary_key=True),
    sa.Column("person_id", sa.Integer, key_to("person.id"), primary_key=True),
    sa.Column("revealed_at", sa.String(30), nullable=False),
)

#: Atomic changes to queries. What a correction changes never changes: a later revision is a row of its own, whose `root_id` is the first one.
correction = sa.Table(
    "correction",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("dataset_id", sa.Integer, key_to("dataset.id"), nullable=False),
    sa.Column("query_id", sa.Text, nullable=False),
    sa.Column("root_id", sa.Integer, key_to("correction.id")),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("action", sa.String(20), nullable=False),
    #: What it acts on, what stands there, and what shall: see `audit_core.corrections.records.Change`.
    sa.Column("key", sa.JSON, nullable=False),
    sa.Column("before", sa.JSON(none_as_null=True)),
    sa.Column("after", sa.JSON(none_as_null=True)),
    #: The issue code that it mends; None where it mends none.
    sa.Column("code", sa.String(1)),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("author_id", sa.Integer, key_to("person.id"), nullable=False),
    #: The decision that asks for it; None for one that was written or read from a file.
    sa.Column("decision_id", sa.Integer, key_to("decision.id")),
    #: The model that helped, and the hash of its prompt; None where none did.
    sa.Column("model", sa.Text),
    sa.Column("prompt_hash", sa.String(64)),
    sa.Column("created_at", sa.String(30), nullable=False),
    sa.Column("state", sa.String(20), nullable=False),
    sa.Column("reviewer_id", sa.Integer, key_to("person.id")),
    sa.Column("reviewed_at", sa.String(30)),
    sa.Column("review_note", sa.Text, nullable=False),
    sa.CheckConstraint(one_of("action", tuple(Action)), name="action_known"),
    sa.CheckConstraint("code IN ('F', 'E', 'U', 'N')", name="code_known"),
    sa.CheckConstraint(one_of("state", tuple(CorrectionState)), name="state_known"),
    sa.CheckConstraint("revision >= 1", name="revision_from_one"),
    sa.CheckConstraint("(reviewer_id IS NULL) = (reviewed_at IS NULL)", name="review_has_a_time"),
    sa.Index("ix_correction_dataset_id_query_id", "dataset_id", "query_id"),
    sa.Index("ix_correction_decision_id", "decision_id"),
    sa.UniqueConstraint("root_id", "revision"),
)

#: Published corrections; the files of a release lie in the folder ASSAY_HOME/releases/ID.
release = sa.Table(
    "release",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("dataset_id", sa.Integer, key_to("dataset.id"), nullable=False),
    #: The revision that it makes.
    sa.Column("revision", sa.Text, nullable=False),
    #: What was asked for, and what came of it: counts and hashes.
    sa.Column("spec", sa.JSON, nullable=False),
    sa.Column("result", sa.JSON(none_as_null=True)),
    sa.Column("person_id", sa.Integer, key_to("person.id"), nullable=False),
    sa.Column("created_at", sa.String(30), nullable=False),
    #: None until its files are whole.
    sa.Column("finished_at", sa.String(30)),
    #: The new revision where it was imported here; None where it was not, or was deleted since.
    sa.Column("result_dataset_id", sa.Integer, key_to("dataset.id")),
    sa.UniqueConstraint("dataset_id", "revision"),
    sa.CheckConstraint("length(revision) > 0", name="revision_not_empty"),
)

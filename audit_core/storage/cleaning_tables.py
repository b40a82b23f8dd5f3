"""The tables of cleaning: runs that score, apply or reword, and the rewordings that people decide on."""

from __future__ import annotations

from enum import StrEnum

import sqlalchemy as sa

from audit_core.storage.table_rules import key_to, metadata, one_of


class RunKind(StrEnum):
    """What a cleaning run does: scores all queries, makes a cleaned revision, or asks for rewordings."""

    SCORE = "score"
    APPLY = "apply"
    REWRITE = "rewrite"


class ProposalState(StrEnum):
    """What a person made of a proposed rewording."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


#: Runs over all queries of a dataset; their files lie in the folder ASSAY_HOME/cleanings/ID.
cleaning_run = sa.Table(
    "cleaning_run",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("dataset_id", sa.Integer, key_to("dataset.id"), nullable=False),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    #: What was asked for.
    sa.Column("spec", sa.JSON, nullable=False),
    sa.Column("job_id", sa.Integer, key_to("job.id")),
    sa.Column("created_at", sa.String(30), nullable=False),
    #: None until its files are whole.
    sa.Column("finished_at", sa.String(30)),
    sa.Column("archived_at", sa.String(30)),
    #: What came of it in short, for lists; None until it is finished.
    sa.Column("result", sa.JSON(none_as_null=True)),
    #: The cleaned revision that it made; None where it made none, or where that was deleted since.
    sa.Column("result_dataset_id", sa.Integer, key_to("dataset.id")),
    sa.UniqueConstraint("dataset_id", "kind", "name"),
    sa.CheckConstraint(one_of("kind", tuple(RunKind)), name="kind_known"),
    sa.CheckConstraint("length(name) > 0", name="name_not_empty"),
    sa.Index("ix_cleaning_run_job_id", "job_id"),
)

#: Rewordings that a model proposed; only a person accepts one.
rewrite_proposal = sa.Table(
    "rewrite_proposal",
    metadata,
    sa.Column("run_id", sa.Integer, key_to("cleaning_run.id"), primary_key=True),
    sa.Column("query_id", sa.Text, primary_key=True),
    sa.Column("before", sa.Text, nullable=False),
    sa.Column("after", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("decided_by", sa.Integer, key_to("person.id")),
    sa.Column("decided_at", sa.String(30)),
    sa.CheckConstraint(one_of("state", tuple(ProposalState)), name="state_known"),
    sa.CheckConstraint("(state = 'proposed') = (decided_at IS NULL)", name="decision_has_a_time"),
    sa.CheckConstraint("(state = 'proposed') = (decided_by IS NULL)", name="decision_has_a_person"),
)

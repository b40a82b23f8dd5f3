"""The tables of long work: jobs, and the comparisons of cleaning strategies that they make."""

from __future__ import annotations

import sqlalchemy as sa

from audit_core.storage.job_state import JobState
from audit_core.storage.table_rules import key_to, metadata, one_of

job = sa.Table(
    "job",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(60), nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("arguments", sa.JSON, nullable=False),
    sa.Column("state", sa.String(10), nullable=False),
    #: What it is doing, in words, the share of the work that is done, and the share when this attempt first told one.
    sa.Column("step", sa.Text, nullable=False),
    sa.Column("share", sa.Float, nullable=False),
    sa.Column("share_before", sa.Float),
    sa.Column("person_id", sa.Integer, key_to("person.id")),
    sa.Column("created_at", sa.String(30), nullable=False),
    #: Since when it waits for its turn: jobs are taken in this order. A resumed job waits anew.
    sa.Column("queued_at", sa.String(30), nullable=False),
    sa.Column("started_at", sa.String(30)),
    sa.Column("heartbeat_at", sa.String(30)),
    sa.Column("finished_at", sa.String(30)),
    sa.Column("cancel_requested", sa.Boolean, nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    #: The process that runs it or waits with it for its turn. Who does not hold the token may write nothing of it.
    sa.Column("runner_pid", sa.Integer),
    sa.Column("runner_host", sa.Text),
    sa.Column("runner_token", sa.String(64)),
    sa.Column("error", sa.Text),
    sa.Column("result", sa.JSON(none_as_null=True)),
    sa.CheckConstraint(one_of("state", tuple(JobState)), name="state_known"),
    sa.CheckConstraint("share >= 0 AND share <= 1", name="share_of_one"),
    sa.CheckConstraint("attempt >= 1", name="attempt_from_one"),
    sa.CheckConstraint("state <> 'running' OR runner_token IS NOT NULL", name="running_has_a_runner"),
    sa.CheckConstraint("length(title) > 0", name="title_not_empty"),
    sa.Index("ix_job_state", "state"),
)

#: Comparisons of cleaning strategies; their results lie in the folder ASSAY_HOME/comparisons/ID.
comparison = sa.Table(
    "comparison",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("dataset_id", sa.Integer, key_to("dataset.id"), nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    #: What it was computed from: the split of the queries and the labels.
    sa.Column("split_hash", sa.String(64), nullable=False),
    sa.Column("labels_hash", sa.String(64), nullable=False),
    sa.Column("spec", sa.JSON, nullable=False),
    sa.Column("job_id", sa.Integer, key_to("job.id")),
    sa.Column("created_at", sa.String(30), nullable=False),
    sa.Column("finished_at", sa.String(30)),
    sa.Column("archived_at", sa.String(30)),
    sa.UniqueConstraint("dataset_id", "name"),
    sa.CheckConstraint("length(name) > 0", name="name_not_empty"),
    sa.Index("ix_comparison_job_id", "job_id"),
)

"""Jobs, comparisons of cleaning strategies, and the answers of protocols other than audit."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_job()
    op.create_table(
        "comparison",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("dataset_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("split_hash", sa.String(length=64), nullable=False),
        sa.Column("labels_hash", sa.String(length=64), nullable=False),
        sa.Column("spec", sa.JSON(), nullable=False),
        sa.Column("job_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.String(length=30), nullable=False),
        sa.Column("finished_at", sa.String(length=30), nullable=True),
        sa.Column("archived_at", sa.String(length=30), nullable=True),
        sa.CheckConstraint("length(name) > 0", name=op.f("ck_comparison_name_not_empty")),
        sa.ForeignKeyConstraint(
            ["dataset_id"], ["dataset.id"], name=op.f("fk_comparison_dataset_id_dataset"), ondelete="RESTRICT"
        ),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_comparison_job_id_job"), ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_comparison")),
        sa.UniqueConstraint("dataset_id", "name", name=op.f("uq_comparison_dataset_id_name")),
    )
    op.create_index("ix_comparison_job_id", "comparison", ["job_id"])
    # Added in place: the table is not rebuilt, so none of its constraints can be lost.
    op.add_column("judgment", sa.Column("answer", sa.JSON(none_as_null=True)))


def _create_job() -> None:
    op.create_table(
        "job",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=60), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("arguments", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("step", sa.Text(), nullable=False),
        sa.Column("share", sa.Float(), nullable=False),
        sa.Column("share_before", sa.Float(), nullable=True),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.String(length=30), nullable=False),
        sa.Column("queued_at", sa.String(length=30), nullable=False),
        sa.Column("started_at", sa.String(length=30), nullable=True),
        sa.Column("heartbeat_at", sa.String(length=30), nullable=True),
        sa.Column("finished_at", sa.String(length=30), nullable=True),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("runner_pid", sa.Integer(), nullable=True),
        sa.Column("runner_host", sa.Text(), nullable=True),
        sa.Column("runner_token", sa.String(length=64), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.CheckConstraint(
            "state IN ('queued', 'running', 'done', 'failed', 'cancelled')", name=op.f("ck_job_state_known")
        ),
        sa.CheckConstraint("share >= 0 AND share <= 1", name=op.f("ck_job_share_of_one")),
        sa.CheckConstraint("attempt >= 1", name=op.f("ck_job_attempt_from_one")),
        sa.CheckConstraint("state <> 'running' OR runner_token IS NOT NULL", name=op.f("ck_job_running_has_a_runner")),
        sa.CheckConstraint("length(title) > 0", name=op.f("ck_job_title_not_empty")),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_job_person_id_person"), ondelete="RESTRICT"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
    )
    op.create_index("ix_job_state", "job", ["state"])

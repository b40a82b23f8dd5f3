"""Runs of a cleaning over all queries, the rewordings that people decide on, and what an entry was chosen for."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "cleaning_run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("dataset_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("spec", sa.JSON(), nullable=False),
        sa.Column("job_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.String(length=30), nullable=False),
        sa.Column("finished_at", sa.String(length=30), nullable=True),
        sa.Column("archived_at", sa.String(length=30), nullable=True),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("result_dataset_id", sa.Integer(), nullable=True),
        sa.CheckConstraint("kind IN ('score', 'apply', 'rewrite')", name=op.f("ck_cleaning_run_kind_known")),
        sa.CheckConstraint("length(name) > 0", name=op.f("ck_cleaning_run_name_not_empty")),
        sa.ForeignKeyConstraint(
            ["dataset_id"], ["dataset.id"], name=op.f("fk_cleaning_run_dataset_id_dataset"), ondelete="RESTRICT"
        ),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_cleaning_run_job_id_job"), ondelete="RESTRICT"),
        sa.ForeignKeyConstraint(
            ["result_dataset_id"],
            ["dataset.id"],
            name=op.f("fk_cleaning_run_result_dataset_id_dataset"),
            ondelete="RESTRICT",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cleaning_run")),
        sa.UniqueConstraint("dataset_id", "kind", "name", name=op.f("uq_cleaning_run_dataset_id_kind_name")),
    )
    op.create_index("ix_cleaning_run_job_id", "cleaning_run", ["job_id"])
    _create_rewrite_proposal()
    # Added in place, with its rule: the table is not rebuilt, so none of its constraints can be lost. Both databases know it.
    op.execute(
        "ALTER TABLE entry ADD COLUMN selection VARCHAR(20) CONSTRAINT ck_entry_selection_known "
        "CHECK (selection IN ('random', 'disagreement', 'near_threshold'))"
    )


def _create_rewrite_proposal() -> None:
    op.create_table(
        "rewrite_proposal",
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("query_id", sa.Text(), nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("after", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("decided_by", sa.Integer(), nullable=True),
        sa.Column("decided_at", sa.String(length=30), nullable=True),
        sa.CheckConstraint(
            "state IN ('proposed', 'accepted', 'rejected')", name=op.f("ck_rewrite_proposal_state_known")
        ),
        sa.CheckConstraint(
            "(state = 'proposed') = (decided_at IS NULL)", name=op.f("ck_rewrite_proposal_decision_has_a_time")
        ),
        sa.CheckConstraint(
            "(state = 'proposed') = (decided_by IS NULL)", name=op.f("ck_rewrite_proposal_decision_has_a_person")
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["cleaning_run.id"], name=op.f("fk_rewrite_proposal_run_id_cleaning_run"), ondelete="RESTRICT"
        ),
        sa.ForeignKeyConstraint(
            ["decided_by"], ["person.id"], name=op.f("fk_rewrite_proposal_decided_by_person"), ondelete="RESTRICT"
        ),
        sa.PrimaryKeyConstraint("run_id", "query_id", name=op.f("pk_rewrite_proposal")),
    )

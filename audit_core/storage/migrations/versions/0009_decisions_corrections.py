"""Decisions on entries, who saw others' answers, corrections of queries, and releases of them."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def _key(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{target}.id"], name=op.f(f"fk_{table}_{column}_{target}"), ondelete="RESTRICT"
    )


def upgrade() -> None:
    _decisions()
    _corrections()
    _releases()


def _decisions() -> None:
    op.create_table(
        "decision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("nonce", sa.String(length=120), nullable=False),
        sa.Column("basis", sa.String(length=20), nullable=False),
        sa.Column("outcome", sa.String(length=20), nullable=False),
        sa.Column("codes", sa.String(length=4), nullable=False),
        sa.Column("targets", sa.JSON(), nullable=False),
        sa.Column("answer", sa.JSON(), nullable=True),
        sa.Column("correction", sa.JSON(), nullable=True),
        sa.Column("confidence", sa.String(length=20), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("judgment_ids", sa.JSON(), nullable=False),
        sa.Column("taken_from", sa.JSON(), nullable=False),
        sa.Column("is_own_judgment", sa.Boolean(), nullable=False),
        sa.Column("decided_at", sa.String(length=30), nullable=False),
        sa.CheckConstraint(
            "basis IN ('taken', 'merged', 'own', 'all_wrong', 'unanimous', 'second_reading', 'file', 'reopened')",
            name=op.f("ck_decision_basis_known"),
        ),
        sa.CheckConstraint("outcome = 'judged' OR codes = ''", name=op.f("ck_decision_cannot_judge_has_no_codes")),
        sa.CheckConstraint(
            "codes IN ('', 'F', 'E', 'U', 'N', 'FE', 'FU', 'FN', 'EU', 'EN', 'UN', 'FEU', 'FEN', 'FUN', 'EUN', 'FEUN')",
            name=op.f("ck_decision_codes_known"),
        ),
        sa.CheckConstraint(
            "confidence IN ('sure', 'fairly_sure', 'unsure')", name=op.f("ck_decision_confidence_known")
        ),
        sa.CheckConstraint("outcome IN ('judged', 'cannot_judge')", name=op.f("ck_decision_outcome_known")),
        sa.CheckConstraint("revision >= 1", name=op.f("ck_decision_revision_from_one")),
        _key("decision", "entry_id", "entry"),
        _key("decision", "person_id", "person"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_decision")),
        sa.UniqueConstraint("entry_id", "revision", name=op.f("uq_decision_entry_id_revision")),
        sa.UniqueConstraint("nonce", name=op.f("uq_decision_nonce")),
    )
    op.create_table(
        "reveal",
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("revealed_at", sa.String(length=30), nullable=False),
        _key("reveal", "entry_id", "entry"),
        _key("reveal", "person_id", "person"),
        sa.PrimaryKeyConstraint("entry_id", "person_id", name=op.f("pk_reveal")),
    )


def _corrections() -> None:
    op.create_table(
        "correction",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("dataset_id", sa.Integer(), nullable=False),
        sa.Column("query_id", sa.Text(), nullable=False),
        sa.Column("root_id", sa.Integer(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("action", sa.String(length=20), nullable=False),
        sa.Column("key", sa.JSON(), nullable=False),
        sa.Column("before", sa.JSON(), nullable=True),
        sa.Column("after", sa.JSON(), nullable=True),
        sa.Column("code", sa.String(length=1), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("author_id", sa.Integer(), nullable=False),
        sa.Column("decision_id", sa.Integer(), nullable=True),
        sa.Column("model", sa.Text(), nullable=True),
        sa.Column("prompt_hash", sa.String(length=64), nullable=True),
        sa.Column("created_at", sa.String(length=30), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("reviewer_id", sa.Integer(), nullable=True),
        sa.Column("reviewed_at", sa.String(length=30), nullable=True),
        sa.Column("review_note", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "action IN ('reword', 're-answer', 'add-page', 'drop-page', 'add-box', 'move-box', 'drop-box', 'withdraw')",
            name=op.f("ck_correction_action_known"),
        ),
        sa.CheckConstraint("code IN ('F', 'E', 'U', 'N')", name=op.f("ck_correction_code_known")),
        sa.CheckConstraint(
            "(reviewer_id IS NULL) = (reviewed_at IS NULL)", name=op.f("ck_correction_review_has_a_time")
        ),
        sa.CheckConstraint("revision >= 1", name=op.f("ck_correction_revision_from_one")),
        sa.CheckConstraint(
            "state IN ('proposed', 'accepted', 'rejected', 'superseded')", name=op.f("ck_correction_state_known")
        ),
        _key("correction", "author_id", "person"),
        _key("correction", "dataset_id", "dataset"),
        _key("correction", "decision_id", "decision"),
        _key("correction", "reviewer_id", "person"),
        _key("correction", "root_id", "correction"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_correction")),
        sa.UniqueConstraint("root_id", "revision", name=op.f("uq_correction_root_id_revision")),
    )
    op.create_index("ix_correction_dataset_id_query_id", "correction", ["dataset_id", "query_id"])
    op.create_index("ix_correction_decision_id", "correction", ["decision_id"])


def _releases() -> None:
    op.create_table(
        "release",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("dataset_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Text(), nullable=False),
        sa.Column("spec", sa.JSON(), nullable=False),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.String(length=30), nullable=False),
        sa.Column("finished_at", sa.String(length=30), nullable=True),
        sa.Column("result_dataset_id", sa.Integer(), nullable=True),
        sa.CheckConstraint("length(revision) > 0", name=op.f("ck_release_revision_not_empty")),
        _key("release", "dataset_id", "dataset"),
        _key("release", "person_id", "person"),
        _key("release", "result_dataset_id", "dataset"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_release")),
        sa.UniqueConstraint("dataset_id", "revision", name=op.f("uq_release_dataset_id_revision")),
    )

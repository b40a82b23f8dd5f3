"""Precedents, and the words that decided cases are found by."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def _key(column: str, target: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{target}.id"], name=op.f(f"fk_precedent_{column}_{target}"), ondelete="RESTRICT"
    )


def upgrade() -> None:
    op.create_table(
        "precedent",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("judgment_id", sa.Integer(), nullable=True),
        sa.Column("flag_id", sa.Integer(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.String(length=30), nullable=False),
        sa.CheckConstraint("(judgment_id IS NULL) <> (flag_id IS NULL)", name=op.f("ck_precedent_of_one_thing")),
        sa.CheckConstraint("length(text) > 0", name=op.f("ck_precedent_text_not_empty")),
        _key("entry_id", "entry"),
        _key("judgment_id", "judgment"),
        _key("flag_id", "flag"),
        _key("person_id", "person"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_precedent")),
        sa.UniqueConstraint("judgment_id", name=op.f("uq_precedent_judgment_id")),
        sa.UniqueConstraint("flag_id", name=op.f("uq_precedent_flag_id")),
    )
    op.create_index("ix_precedent_entry_id", "precedent", ["entry_id"])
    op.create_table(
        "judgment_words",
        sa.Column("judgment_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["judgment_id"], ["judgment.id"], name=op.f("fk_judgment_words_judgment_id_judgment"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("judgment_id", name=op.f("pk_judgment_words")),
    )

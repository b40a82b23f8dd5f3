"""How samples were drawn, proposed corrections, flags, archived datasets and campaigns, judgments carried over."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


#: New columns that may be empty: table -> columns. Each is added in place; no table is rebuilt, so no constraint can be lost.
COLUMNS = {
    "campaign": (
        sa.Column("archived_at", sa.String(length=30)),
        sa.Column("sample_scheme", sa.String(length=40)),
        sa.Column("allocation", sa.String(length=40)),
        sa.Column("plan", sa.JSON()),
        sa.Column("frame_condition", sa.Text()),
        sa.Column("frame_filter", sa.JSON()),
        sa.Column("frame_hash", sa.String(length=64)),
        sa.Column("left_out_at_random", sa.Boolean()),
        sa.Column("left_out_elsewhere", sa.Integer()),
    ),
    "dataset": (sa.Column("title", sa.Text()), sa.Column("archived_at", sa.String(length=30))),
    "entry": (
        sa.Column("place", sa.Integer()),
        sa.Column("probability", sa.Float()),
        sa.Column("probability_combined", sa.Float()),
    ),
    "judgment": (sa.Column("correction", sa.JSON(none_as_null=True)),),
    "stratum": (sa.Column("frame_population", sa.Integer()), sa.Column("left_out", sa.Integer())),
}


def upgrade() -> None:
    op.create_table(
        "campaign_left_out",
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("earlier_campaign_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"],
            ["campaign.id"],
            name=op.f("fk_campaign_left_out_campaign_id_campaign"),
            ondelete="RESTRICT",
        ),
        sa.ForeignKeyConstraint(
            ["earlier_campaign_id"],
            ["campaign.id"],
            name=op.f("fk_campaign_left_out_earlier_campaign_id_campaign"),
            ondelete="RESTRICT",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "earlier_campaign_id", name=op.f("pk_campaign_left_out")),
    )
    for table, key in (("campaign", "campaign_id"), ("judgment", "judgment_id")):
        name = f"carried_{table}"
        op.create_table(
            name,
            sa.Column(key, sa.Integer(), nullable=False),
            sa.Column(f"earlier_{key}", sa.Integer(), nullable=False),
            sa.ForeignKeyConstraint([key], [f"{table}.id"], name=f"fk_{name}_{key}_{table}", ondelete="RESTRICT"),
            sa.ForeignKeyConstraint(
                [f"earlier_{key}"], [f"{table}.id"], name=f"fk_{name}_earlier_{key}_{table}", ondelete="RESTRICT"
            ),
            sa.PrimaryKeyConstraint(key, name=f"pk_{name}"),
        )
    op.create_table(
        "flag",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("raised_at", sa.String(length=30), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("answered_by_id", sa.Integer(), nullable=True),
        sa.Column("answered_at", sa.String(length=30), nullable=True),
        sa.CheckConstraint(
            "(answered_at IS NULL) = (answered_by_id IS NULL)", name=op.f("ck_flag_answer_has_an_author")
        ),
        sa.ForeignKeyConstraint(
            ["answered_by_id"], ["person.id"], name=op.f("fk_flag_answered_by_id_person"), ondelete="RESTRICT"
        ),
        sa.ForeignKeyConstraint(["entry_id"], ["entry.id"], name=op.f("fk_flag_entry_id_entry"), ondelete="RESTRICT"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_flag_person_id_person"), ondelete="RESTRICT"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_flag")),
    )
    op.create_index("ix_flag_entry_id", "flag", ["entry_id"])
    for table, columns in COLUMNS.items():
        for column in columns:
            op.add_column(table, column)

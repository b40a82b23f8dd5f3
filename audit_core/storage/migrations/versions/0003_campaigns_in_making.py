"""Campaigns in the making, which nobody sees; how many entries each stratum of a campaign has; an index for deletions."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("campaign", sa.Column("making_since", sa.String(length=30)))
    op.create_table(
        "entry_stratum",
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("evidence_structure", sa.String(length=40), nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("queries", sa.Integer(), nullable=False),
        sa.CheckConstraint("queries >= 1 AND queries <= entries", name=op.f("ck_entry_stratum_queries_within_entries")),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name=op.f("fk_entry_stratum_campaign_id_campaign"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "source", "evidence_structure", name=op.f("pk_entry_stratum")),
    )
    op.execute(
        "INSERT INTO entry_stratum (campaign_id, source, evidence_structure, entries, queries) "
        "SELECT campaign_id, source, evidence_structure, count(*), count(DISTINCT query_id) FROM entry "
        "GROUP BY campaign_id, source, evidence_structure"
    )
    op.create_index(
        "ix_carried_judgment_earlier_judgment_id", "carried_judgment", ["earlier_judgment_id"], unique=False
    )

"""The chance with which a labelled query was drawn, so that labels from a file can be weighted."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("removal_label", sa.Column("probability", sa.Float()))

"""Accounts and sign-ins; annotators, claims, guidelines and comments of campaigns; pilot and gold entries."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

#: New columns, as both databases read them. Each is added in place: no table is rebuilt, so no constraint can be lost.
COLUMNS = {
    "campaign": (
        "paused_at VARCHAR(30)",
        "hand_out VARCHAR(10) DEFAULT 'all' NOT NULL CONSTRAINT ck_campaign_hand_out_known CHECK (hand_out IN ('all', 'exact'))",
        "is_open BOOLEAN DEFAULT {true} NOT NULL",
        "order_seed BIGINT",
        "gold_share FLOAT CONSTRAINT ck_campaign_gold_share_is_a_share CHECK (gold_share >= 0 AND gold_share <= 1)",
        "pilot_judgments INTEGER CONSTRAINT ck_campaign_pilot_needs_a_judgment CHECK (pilot_judgments >= 1)",
        "pilot_ended_at VARCHAR(30)",
        "copied_from INTEGER CONSTRAINT fk_campaign_copied_from_campaign REFERENCES campaign (id)",
    ),
    "entry": ("is_pilot BOOLEAN DEFAULT {false} NOT NULL", "gold JSON"),
    "judgment": ("guideline_version INTEGER",),
}


def upgrade() -> None:
    _create_accounts()
    _create_teams()
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    words = {"true": "1", "false": "0"} if is_sqlite else {"true": "true", "false": "false"}
    for table, columns in COLUMNS.items():
        for column in columns:
            op.execute(f"ALTER TABLE {table} ADD COLUMN {column.format(**words)}")


def _key(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{target}.id"], name=op.f(f"fk_{table}_{column}_{target}"), ondelete="RESTRICT"
    )


def _create_accounts() -> None:
    op.create_table(
        "account",
        sa.Column("person_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("must_change", sa.Boolean(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=True),
        sa.Column("created_at", sa.String(length=30), nullable=False),
        sa.Column("password_set_at", sa.String(length=30), nullable=True),
        sa.Column("disabled_at", sa.String(length=30), nullable=True),
        sa.CheckConstraint("role IN ('annotator', 'adjudicator', 'lead')", name=op.f("ck_account_role_known")),
        _key("account", "person_id", "person"),
        sa.PrimaryKeyConstraint("person_id", name=op.f("pk_account")),
        sa.UniqueConstraint("subject", name=op.f("uq_account_subject")),
    )
    op.create_table(
        "session",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("how", sa.String(length=10), nullable=False),
        sa.Column("created_at", sa.String(length=30), nullable=False),
        sa.Column("seen_at", sa.String(length=30), nullable=False),
        sa.Column("expires_at", sa.String(length=30), nullable=False),
        sa.Column("ended_at", sa.String(length=30), nullable=True),
        sa.CheckConstraint("how IN ('password', 'oidc', 'proxy', 'single')", name=op.f("ck_session_how_known")),
        _key("session", "person_id", "person"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_session")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_session_token_hash")),
    )
    op.create_index("ix_session_person_id", "session", ["person_id"])
    op.create_table(
        "sign_in_failure",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("at", sa.String(length=30), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_failure")),
    )
    op.create_index("ix_sign_in_failure_name_key_at", "sign_in_failure", ["name_key", "at"])
    op.create_index("ix_sign_in_failure_address_at", "sign_in_failure", ["address", "at"])
    op.create_table(
        "oidc_request",
        sa.Column("state_hash", sa.String(length=64), nullable=False),
        sa.Column("browser_hash", sa.String(length=64), nullable=False),
        sa.Column("nonce", sa.String(length=64), nullable=False),
        sa.Column("verifier", sa.String(length=128), nullable=False),
        sa.Column("next_address", sa.Text(), nullable=True),
        sa.Column("created_at", sa.String(length=30), nullable=False),
        sa.PrimaryKeyConstraint("state_hash", name=op.f("pk_oidc_request")),
    )


def _create_teams() -> None:
    op.create_table(
        "campaign_annotator",
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("added_at", sa.String(length=30), nullable=False),
        sa.Column("removed_at", sa.String(length=30), nullable=True),
        _key("campaign_annotator", "campaign_id", "campaign"),
        _key("campaign_annotator", "person_id", "person"),
        sa.PrimaryKeyConstraint("campaign_id", "person_id", name=op.f("pk_campaign_annotator")),
    )
    op.create_index("ix_campaign_annotator_person_id", "campaign_annotator", ["person_id"])
    op.create_table(
        "claim",
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("claimed_at", sa.String(length=30), nullable=False),
        sa.Column("expires_at", sa.String(length=30), nullable=False),
        _key("claim", "entry_id", "entry"),
        _key("claim", "person_id", "person"),
        sa.PrimaryKeyConstraint("entry_id", "person_id", name=op.f("pk_claim")),
    )
    op.create_index("ix_claim_expires_at", "claim", ["expires_at"])
    op.create_table(
        "guideline",
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", sa.String(length=30), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.CheckConstraint("version >= 1", name=op.f("ck_guideline_version_from_one")),
        _key("guideline", "campaign_id", "campaign"),
        _key("guideline", "person_id", "person"),
        sa.PrimaryKeyConstraint("campaign_id", "version", name=op.f("pk_guideline")),
    )
    op.create_table(
        "comment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", sa.String(length=30), nullable=False),
        sa.CheckConstraint("length(text) > 0", name=op.f("ck_comment_text_not_empty")),
        _key("comment", "entry_id", "entry"),
        _key("comment", "person_id", "person"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_comment")),
    )
    op.create_index("ix_comment_entry_id", "comment", ["entry_id"])

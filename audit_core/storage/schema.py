"""The tables of the main database. Constraints carry the invariants, so that no caller can break them.

- A judgment is never changed: a revision is a new row, numbered from 1 without gaps per (entry, annotator) by the writer
  and unique by constraint; its nonce is unique, so a repeated save cannot count twice.
- `codes` is one of the sixteen ordered subsets of FEUN; an entry that cannot be judged carries none.
- Enumerations are text with a CHECK. Times are UTC, ISO 8601 text ending in Z, so that they sort in every database.
"""

from __future__ import annotations

import sqlalchemy as sa

from audit_core.domain import CampaignState, Outcome
from audit_core.storage.account_tables import account as account
from audit_core.storage.account_tables import oidc_request as oidc_request
from audit_core.storage.account_tables import session as session
from audit_core.storage.account_tables import sign_in_failure as sign_in_failure
from audit_core.storage.cleaning_tables import cleaning_run as cleaning_run
from audit_core.storage.cleaning_tables import rewrite_proposal as rewrite_proposal
from audit_core.storage.decision_tables import correction as correction
from audit_core.storage.decision_tables import decision as decision
from audit_core.storage.decision_tables import release as release
from audit_core.storage.decision_tables import reveal as reveal
from audit_core.storage.job_tables import comparison as comparison
from audit_core.storage.job_tables import job as job
from audit_core.storage.precedent_tables import judgment_words as judgment_words
from audit_core.storage.precedent_tables import precedent as precedent
from audit_core.storage.table_rules import CODE_SETS, key_to, one_of
from audit_core.storage.table_rules import metadata as metadata
from audit_core.storage.team_tables import campaign_annotator as campaign_annotator
from audit_core.storage.team_tables import claim as claim
from audit_core.storage.team_tables import comment as comment
from audit_core.storage.team_tables import guideline as guideline

#: Largest numbers that the columns of every database take: of a count or revision, and of a seed.
LARGEST_WHOLE = 2**31 - 1
LARGEST_SEED = 2**63 - 1

person = sa.Table(
    "person",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    #: The name in NFKC, case-folded: "Ada" and "ADA" are one person. Of an imported annotator: the id as it stands in the file.
    sa.Column("name_key", sa.Text, nullable=False),
    #: Known from an imported judgments file only; nobody signs in with it.
    sa.Column("is_imported", sa.Boolean, nullable=False),
    sa.Column("created_at", sa.String(30), nullable=False),
    sa.UniqueConstraint("name_key", "is_imported"),
    sa.CheckConstraint("length(name) > 0", name="name_not_empty"),
)

dataset = sa.Table(
    "dataset",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("revision", sa.Text, nullable=False),
    sa.Column("content_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("origin", sa.Text, nullable=False),
    sa.Column("is_lenient", sa.Boolean, nullable=False),
    sa.Column("imported_at", sa.String(30), nullable=False),
    #: How people call it here; None: by its own name, which an export keeps in any case.
    sa.Column("title", sa.Text),
    sa.Column("archived_at", sa.String(30)),
    sa.UniqueConstraint("name", "revision"),
    sa.CheckConstraint("length(name) > 0", name="name_not_empty"),
)

campaign = sa.Table(
    "campaign",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("dataset_id", sa.Integer, key_to("dataset.id"), nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("protocol", sa.String(40), nullable=False),
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("judgments_per_entry", sa.Integer, nullable=False),
    sa.Column("origin", sa.String(10), nullable=False),
    #: Hash of the imported judgments; None for a campaign made here.
    sa.Column("source_hash", sa.String(64)),
    sa.Column("frame_name", sa.Text),
    sa.Column("frame_revision", sa.Text),
    sa.Column("sample_method", sa.Text),
    sa.Column("sample_seed", sa.BigInteger),
    sa.Column("is_probability_sample", sa.Boolean, nullable=False),
    sa.Column("created_at", sa.String(30), nullable=False),
    sa.Column("archived_at", sa.String(30)),
    #: How the draw was made, so that every number can be computed again: scheme of the order, allocation, the plan's inputs.
    sa.Column("sample_scheme", sa.String(40)),
    sa.Column("allocation", sa.String(40)),
    sa.Column("plan", sa.JSON),
    #: What the frame was narrowed to, in words and as a filter, and the hash of its sorted query ids.
    sa.Column("frame_condition", sa.Text),
    sa.Column("frame_filter", sa.JSON),
    sa.Column("frame_hash", sa.String(64)),
    #: Of a draw that leaves earlier entries out: whether those were drawn at random, and how many are not in the frame.
    sa.Column("left_out_at_random", sa.Boolean),
    sa.Column("left_out_elsewhere", sa.Integer),
    #: Since when its entries are being put in; None for a campaign that is whole. Until then nobody sees it.
    sa.Column("making_since", sa.String(30)),
    sa.Column("paused_at", sa.String(30)),
    #: `all`: everybody judges every entry; `exact`: each entry is handed out until it has its judgments, and no more.
    sa.Column("hand_out", sa.String(10), nullable=False, server_default="all"),
    #: Everybody may judge in it; otherwise only those that it was handed to.
    sa.Column("is_open", sa.Boolean, nullable=False, server_default=sa.true()),
    #: With a seed each annotator gets the entries in an order of their own.
    sa.Column("order_seed", sa.BigInteger),
    sa.Column("gold_share", sa.Float),
    #: How many judge each entry of the pilot, and when it ended; None for a campaign without one.
    sa.Column("pilot_judgments", sa.Integer),
    sa.Column("pilot_ended_at", sa.String(30)),
    sa.Column("copied_from", sa.Integer, sa.ForeignKey("campaign.id")),
    sa.UniqueConstraint("dataset_id", "name"),
    sa.CheckConstraint(one_of("state", tuple(CampaignState)), name="state_known"),
    sa.CheckConstraint("origin IN ('created', 'imported')", name="origin_known"),
    sa.CheckConstraint("(origin = 'imported') = (source_hash IS NOT NULL)", name="imported_has_hash"),
    sa.CheckConstraint("judgments_per_entry >= 1", name="needs_a_judgment"),
    sa.CheckConstraint("hand_out IN ('all', 'exact')", name="hand_out_known"),
    sa.CheckConstraint("gold_share >= 0 AND gold_share <= 1", name="gold_share_is_a_share"),
    sa.CheckConstraint("pilot_judgments >= 1", name="pilot_needs_a_judgment"),
    sa.CheckConstraint("length(name) > 0", name="name_not_empty"),
)

campaign_left_out = sa.Table(
    "campaign_left_out",
    metadata,
    sa.Column("campaign_id", sa.Integer, key_to("campaign.id"), primary_key=True),
    sa.Column("earlier_campaign_id", sa.Integer, key_to("campaign.id"), primary_key=True),
)

stratum = sa.Table(
    "stratum",
    metadata,
    sa.Column("campaign_id", sa.Integer, key_to("campaign.id"), primary_key=True),
    sa.Column("source", sa.Text, primary_key=True),
    sa.Column("evidence_structure", sa.String(40), primary_key=True),
    sa.Column("population", sa.Integer, nullable=False),
    sa.Column("drawn", sa.Integer, nullable=False),
    #: Queries of the whole frame, and those of them that the draw left out.
    sa.Column("frame_population", sa.Integer),
    sa.Column("left_out", sa.Integer),
    sa.CheckConstraint("drawn >= 0 AND drawn <= population", name="drawn_within_population"),
)

entry = sa.Table(
    "entry",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("campaign_id", sa.Integer, key_to("campaign.id"), nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("query_id", sa.Text, nullable=False),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("evidence_structure", sa.String(40), nullable=False),
    #: Distinct evidence documents, in order (JSON list of ids), for intervals that respect shared documents.
    sa.Column("document_ids", sa.JSON, nullable=False),
    #: Place in its stratum's random order, and the chances of having been drawn; None where no chance is known.
    sa.Column("place", sa.Integer),
    sa.Column("probability", sa.Float),
    sa.Column("probability_combined", sa.Float),
    #: Of a queue that mixes draws: why this entry is in it. Only the random ones stand for the dataset. None elsewhere.
    sa.Column("selection", sa.String(20)),
    #: Entries of the pilot never enter an estimate.
    sa.Column("is_pilot", sa.Boolean, nullable=False, server_default=sa.false()),
    #: The right answer of a gold entry, as {"outcome", "codes", "fields"}; None for all others. No annotator ever gets it.
    sa.Column("gold", sa.JSON(none_as_null=True)),
    sa.UniqueConstraint("campaign_id", "number"),
    sa.Index("ix_entry_campaign_id_query_id", "campaign_id", "query_id"),
    sa.CheckConstraint("number >= 1", name="number_from_one"),
    sa.CheckConstraint("selection IN ('random', 'disagreement', 'near_threshold')", name="selection_known"),
)

#: How many entries, and distinct queries among them, a campaign has in each stratum. Entries never change once it is made, so
#: this is written with them and counted no more; it holds nobody's work and goes with its campaign.
entry_stratum = sa.Table(
    "entry_stratum",
    metadata,
    sa.Column("campaign_id", sa.Integer, sa.ForeignKey("campaign.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("source", sa.Text, primary_key=True),
    sa.Column("evidence_structure", sa.String(40), primary_key=True),
    sa.Column("entries", sa.Integer, nullable=False),
    sa.Column("queries", sa.Integer, nullable=False),
    sa.CheckConstraint("queries >= 1 AND queries <= entries", name="queries_within_entries"),
)

judgment = sa.Table(
    "judgment",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("entry_id", sa.Integer, key_to("entry.id"), nullable=False),
    sa.Column("person_id", sa.Integer, key_to("person.id"), nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("nonce", sa.String(120), nullable=False, unique=True),
    sa.Column("outcome", sa.String(20), nullable=False),
    sa.Column("codes", sa.String(4), nullable=False),
    sa.Column("targets", sa.JSON, nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    #: Time in which the annotator was active on the entry; None where an imported file does not tell.
    sa.Column("active_seconds", sa.Float),
    sa.Column("is_imported", sa.Boolean, nullable=False),
    sa.Column("saved_at", sa.String(30), nullable=False),
    #: What the annotator proposes to change about the query and its evidence; None for nothing.
    sa.Column("correction", sa.JSON(none_as_null=True)),
    #: The rest of an answer under protocols other than audit, such as {"remove": true, "clarity": 0.5}; None for none.
    sa.Column("answer", sa.JSON(none_as_null=True)),
    #: The version of the campaign's guidelines that the annotator was shown; None where it has none.
    sa.Column("guideline_version", sa.Integer),
    sa.UniqueConstraint("entry_id", "person_id", "revision"),
    sa.CheckConstraint(one_of("outcome", tuple(Outcome)), name="outcome_known"),
    sa.CheckConstraint(one_of("codes", CODE_SETS), name="codes_known"),
    sa.CheckConstraint("outcome = 'judged' OR codes = ''", name="cannot_judge_has_no_codes"),
    sa.CheckConstraint("revision >= 1", name="revision_from_one"),
    sa.CheckConstraint("active_seconds IS NULL OR active_seconds >= 0", name="active_time_not_negative"),
    sa.Index("ix_judgment_person_id_saved_at", "person_id", "saved_at"),
)

draft = sa.Table(
    "draft",
    metadata,
    sa.Column("entry_id", sa.Integer, key_to("entry.id"), primary_key=True),
    sa.Column("person_id", sa.Integer, key_to("person.id"), primary_key=True),
    sa.Column("base_revision", sa.Integer, nullable=False),
    sa.Column("content", sa.JSON, nullable=False),
    sa.Column("saved_at", sa.String(30), nullable=False),
)

#: Campaigns whose judgments were carried over from one on an earlier dataset revision, and those judgments.
carried_campaign = sa.Table(
    "carried_campaign",
    metadata,
    sa.Column("campaign_id", sa.Integer, key_to("campaign.id"), primary_key=True),
    sa.Column("earlier_campaign_id", sa.Integer, key_to("campaign.id"), nullable=False),
)

carried_judgment = sa.Table(
    "carried_judgment",
    metadata,
    sa.Column("judgment_id", sa.Integer, key_to("judgment.id"), primary_key=True),
    sa.Column("earlier_judgment_id", sa.Integer, key_to("judgment.id"), nullable=False),
    sa.Index("ix_carried_judgment_earlier_judgment_id", "earlier_judgment_id"),
)

flag = sa.Table(
    "flag",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("entry_id", sa.Integer, key_to("entry.id"), nullable=False),
    sa.Column("person_id", sa.Integer, key_to("person.id"), nullable=False),
    sa.Column("question", sa.Text, nullable=False),
    sa.Column("raised_at", sa.String(30), nullable=False),
    sa.Column("answer", sa.Text),
    sa.Column("answered_by_id", sa.Integer, key_to("person.id")),
    sa.Column("answered_at", sa.String(30)),
    sa.CheckConstraint("(answered_at IS NULL) = (answered_by_id IS NULL)", name="answer_has_an_author"),
    sa.Index("ix_flag_entry_id", "entry_id"),
)

label_set = sa.Table(
    "label_set",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("dataset_id", sa.Integer, key_to("dataset.id"), nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("source_hash", sa.String(64), nullable=False),
    sa.Column("imported_at", sa.String(30), nullable=False),
    sa.UniqueConstraint("dataset_id", "name"),
)


def _criterion(name: str) -> list[sa.Column[float] | sa.CheckConstraint]:
    return [
        sa.Column(name, sa.Float),
        sa.CheckConstraint(f"{name} IS NULL OR {name} IN (0, 0.25, 0.5, 0.75, 1)", name=f"{name}_in_quarters"),
    ]


removal_label = sa.Table(
    "removal_label",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("label_set_id", sa.Integer, key_to("label_set.id"), nullable=False),
    sa.Column("query_id", sa.Text, nullable=False),
    sa.Column("annotator", sa.Text),
    sa.Column("remove", sa.Boolean, nullable=False),
    *_criterion("clarity"),
    *_criterion("correctness"),
    *_criterion("closedness"),
    *_criterion("no_layout_reference"),
    sa.Column("note", sa.Text),
    #: The chance with which the query was drawn for labelling; None where the labels do not tell. Bundles cannot hold it.
    sa.Column("probability", sa.Float),
    sa.UniqueConstraint("label_set_id", "query_id", "annotator"),
)

activity = sa.Table(
    "activity",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.String(30), nullable=False),
    sa.Column("person_id", sa.Integer, key_to("person.id")),
    sa.Column("action", sa.String(60), nullable=False),
    sa.Column("subject", sa.JSON, nullable=False),
)

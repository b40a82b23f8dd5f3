"""Deleting campaigns and datasets with all that hangs on them, and what that would be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from audit_core.storage import cleaning_runs, comparisons, corrections, releases
from audit_core.storage.decision_tables import correction, release
from audit_core.storage.schema import (
    campaign,
    campaign_annotator,
    campaign_left_out,
    carried_campaign,
    carried_judgment,
    claim,
    cleaning_run,
    comment,
    comparison,
    dataset,
    decision,
    draft,
    entry,
    flag,
    guideline,
    judgment,
    label_set,
    precedent,
    removal_label,
    reveal,
    rewrite_proposal,
    stratum,
)


def _entries(campaign_ids: Sequence[int]) -> sa.Select[Any]:
    return sa.select(entry.c.id).where(entry.c.campaign_id.in_(list(campaign_ids)))


def _judgments(campaign_ids: Sequence[int]) -> sa.Select[Any]:
    return sa.select(judgment.c.id).where(judgment.c.entry_id.in_(_entries(campaign_ids)))


def _decisions(campaign_ids: Sequence[int]) -> sa.Select[Any]:
    return sa.select(decision.c.id).where(decision.c.entry_id.in_(_entries(campaign_ids)))


def _count(connection: sa.Connection, condition: sa.ColumnElement[bool]) -> int:
    return int(connection.execute(sa.select(sa.func.count()).where(condition)).scalar_one())


def campaign_counts(connection: sa.Connection, campaign_ids: Sequence[int]) -> dict[str, int]:
    """Return how many rows of each kind hang on these campaigns; of judgments and decisions every revision is counted."""
    entries = _entries(campaign_ids)
    return {
        "entries": _count(connection, entry.c.campaign_id.in_(list(campaign_ids))),
        "judgments": _count(connection, judgment.c.entry_id.in_(entries)),
        "decisions": _count(connection, decision.c.entry_id.in_(entries)),
        "reveals": _count(connection, reveal.c.entry_id.in_(entries)),
        "drafts": _count(connection, draft.c.entry_id.in_(entries)),
        "flags": _count(connection, flag.c.entry_id.in_(entries)),
        "comments": _count(connection, comment.c.entry_id.in_(entries)),
        "precedents": _count(connection, precedent.c.entry_id.in_(entries)),
        "guidelines": _count(connection, guideline.c.campaign_id.in_(list(campaign_ids))),
    }


def corrections_resting_on(connection: sa.Connection, campaign_ids: Sequence[int]) -> int:
    """Return how many corrections (all revisions) a decision in these campaigns asks for."""
    return _count(connection, correction.c.decision_id.in_(_decisions(campaign_ids)))


def dataset_counts(connection: sa.Connection, dataset_id: int) -> dict[str, int]:
    """Return how many label sets a dataset has, labels in them, comparisons, cleaning runs, rewordings, corrections and releases.

    Cleanings whose revision lives on are not among them: they stay with it.
    """
    runs = sa.select(cleaning_run.c.id).where(cleaning_run.c.dataset_id == dataset_id)
    staying = len(cleaning_runs.outliving(connection, dataset_id))
    sets = sa.select(label_set.c.id).where(label_set.c.dataset_id == dataset_id)
    return {
        "label_sets": _count(connection, label_set.c.dataset_id == dataset_id),
        "labels": _count(connection, removal_label.c.label_set_id.in_(sets)),
        "comparisons": _count(connection, comparison.c.dataset_id == dataset_id),
        "cleaning_runs": _count(connection, cleaning_run.c.dataset_id == dataset_id) - staying,
        "rewrites": _count(connection, rewrite_proposal.c.run_id.in_(runs)),
        "corrections": _count(connection, correction.c.dataset_id == dataset_id),
        "releases": _count(connection, release.c.dataset_id == dataset_id),
    }


def has_campaign_in_making(connection: sa.Connection, dataset_id: int) -> bool:
    """Return whether a campaign that nobody sees yet is being put together on a dataset."""
    return _count(connection, (campaign.c.dataset_id == dataset_id) & campaign.c.making_since.is_not(None)) > 0


def resting_on(connection: sa.Connection, campaign_ids: Sequence[int]) -> list[tuple[int, int, str]]:
    """Return (campaign, the one of `campaign_ids` that it rests on, how) for campaigns that are none of these.

    `how` is `carried` where its judgments were carried over from there, `left out` where its draw left those queries out.
    """
    ids = list(campaign_ids)
    found: list[tuple[int, int, str]] = []
    for table, how in ((carried_campaign, "carried"), (campaign_left_out, "left out")):
        query = (
            sa.select(table.c.campaign_id, table.c.earlier_campaign_id)
            .where(table.c.earlier_campaign_id.in_(ids), table.c.campaign_id.not_in(ids))
            .order_by(table.c.campaign_id)
        )
        found += [(row[0], row[1], how) for row in connection.execute(query)]
    return found


def delete_campaigns(connection: sa.Connection, campaign_ids: Sequence[int]) -> None:
    """Delete campaigns with everything that hangs on them; none of the others may rest on them (`resting_on`)."""
    ids = list(campaign_ids)
    entries, judgments = _entries(ids), _judgments(ids)
    # A correction is of the dataset and stays: it forgets which decision asked for it.
    asked_for = correction.c.decision_id.in_(_decisions(ids))
    connection.execute(correction.update().where(asked_for).values(decision_id=None))
    # A copy stands on its own: it only forgets what it was made after.
    connection.execute(campaign.update().where(campaign.c.copied_from.in_(ids)).values(copied_from=None))
    for table, condition in (
        (carried_judgment, carried_judgment.c.judgment_id.in_(judgments)),
        (carried_campaign, carried_campaign.c.campaign_id.in_(ids)),
        (campaign_left_out, campaign_left_out.c.campaign_id.in_(ids)),
        (precedent, precedent.c.entry_id.in_(entries)),
        (comment, comment.c.entry_id.in_(entries)),
        (claim, claim.c.entry_id.in_(entries)),
        (flag, flag.c.entry_id.in_(entries)),
        (draft, draft.c.entry_id.in_(entries)),
        (reveal, reveal.c.entry_id.in_(entries)),
        (decision, decision.c.entry_id.in_(entries)),
        (judgment, judgment.c.entry_id.in_(entries)),
        (entry, entry.c.campaign_id.in_(ids)),
        (stratum, stratum.c.campaign_id.in_(ids)),
        (campaign_annotator, campaign_annotator.c.campaign_id.in_(ids)),
        (guideline, guideline.c.campaign_id.in_(ids)),
        (campaign, campaign.c.id.in_(ids)),
    ):
        connection.execute(table.delete().where(condition))


@dataclass(frozen=True, slots=True)
class GoneResults:
    """Ids of what went with a dataset and has a folder: the caller removes these, after the commit."""

    comparisons: list[int]
    cleaning_runs: list[int]
    releases: list[int]


def delete_dataset(connection: sa.Connection, dataset_id: int) -> GoneResults:
    """Delete a dataset's row, its label sets, comparisons, cleaning runs, corrections and releases; its campaigns must be gone.

    A cleaning whose revision lives on stays with that.
    """
    named = connection.execute(sa.select(dataset.c.name, dataset.c.revision).where(dataset.c.id == dataset_id)).one()
    gone = GoneResults(
        comparisons=comparisons.delete_of_dataset(connection, dataset_id),
        cleaning_runs=cleaning_runs.delete_of_dataset(connection, dataset_id, original=dict(named._mapping)),
        releases=releases.delete_of_dataset(connection, dataset_id),
    )
    sets = sa.select(label_set.c.id).where(label_set.c.dataset_id == dataset_id)
    connection.execute(removal_label.delete().where(removal_label.c.label_set_id.in_(sets)))
    connection.execute(label_set.delete().where(label_set.c.dataset_id == dataset_id))
    corrections.delete_of_dataset(connection, dataset_id)
    connection.execute(dataset.delete().where(dataset.c.id == dataset_id))
    return gone

"""Which queries a person must not be told anything about: those that they may still be asked to judge.

One rule for comments and precedents. It goes by query and not by entry: the same query may stand in another campaign, or in one
on another revision of the dataset, and what is said of the one gives the other away.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import sqlalchemy as sa

from audit_core.domain import CampaignState, HandOut, Outcome
from audit_core.storage import judgments
from audit_core.storage.claims import live_claim
from audit_core.storage.schema import campaign, campaign_annotator, claim, dataset, entry, judgment

#: Queries that are looked up in one statement; databases take only so many values.
_AT_ONCE = 5_000
#: Most queries that are looked up; of more, all that wait for the person are read.
_ONE_BY_ONE = 20_000
#: A query of a dataset, whatever the revision: (name of the dataset, query id).
Case = tuple[str, str]


def waiting_cases(
    connection: sa.Connection,
    person_id: int,
    cases: Collection[Case],
    *,
    with_gold: bool = True,
    only_where_active: bool = False,
) -> set[Case]:
    """Return those of some queries that wait for the person, in any campaign on any revision of their dataset.

    An entry waits for a person who may judge in its open campaign and has not judged it; one that is handed out a fixed
    number of times waits no more once it has its judgments, except for whoever holds it, and a pilot's entry no more after
    the pilot. A paused campaign goes on, so its entries wait. With `with_gold` queries with a known right answer always
    count as waiting: nobody is to be told what others say of it. With `only_where_active` campaigns count only where the person has judged
    something or was named as an annotator: a lead may judge in every open campaign, and need not stay blind in those in
    which they do not.
    """
    if not cases:
        return set()
    names, query_ids = {name for name, _ in cases}, sorted({query_id for _, query_id in cases})
    campaigns = (
        sa.select(campaign.c.id, dataset.c.name)
        .join(dataset, dataset.c.id == campaign.c.dataset_id)
        .where(dataset.c.name.in_(names))
    )
    if not with_gold:
        # Only open ones have entries that wait; gold ones are kept from everybody when their campaign is closed, too.
        campaigns = campaigns.where(campaign.c.state == CampaignState.OPEN)
    name_of = {row[0]: row[1] for row in connection.execute(campaigns)}
    if only_where_active:
        active = active_campaigns(connection, person_id)
        name_of = {each: name for each, name in name_of.items() if each in active}
    if not name_of:
        return set()
    waits = _waits_for(person_id)
    query = (
        sa.select(entry.c.campaign_id, entry.c.query_id)
        .join(campaign, campaign.c.id == entry.c.campaign_id)
        .where(entry.c.campaign_id.in_(name_of), waits | entry.c.gold.is_not(None) if with_gold else waits)
    )
    if len(query_ids) > _ONE_BY_ONE:
        # Most of a large campaign: reading what waits once is quicker than looking each of them up.
        return {(name_of[row[0]], row[1]) for row in connection.execute(query)} & set(cases)
    found: set[Case] = set()
    for start in range(0, len(query_ids), _AT_ONCE):
        part = query.where(entry.c.query_id.in_(query_ids[start : start + _AT_ONCE]))
        found |= {(name_of[row[0]], row[1]) for row in connection.execute(part)}
    return found & set(cases)


def _waits_for(person_id: int) -> sa.ColumnElement[bool]:
    judged = sa.exists().where(judgment.c.entry_id == entry.c.id, judgment.c.person_id == person_id)
    named = (campaign_annotator.c.campaign_id == campaign.c.id) & (campaign_annotator.c.person_id == person_id)
    handed = sa.exists().where(named, campaign_annotator.c.removed_at.is_(None))
    taken_out = sa.exists().where(named, campaign_annotator.c.removed_at.is_not(None))
    held = sa.exists().where(claim.c.entry_id == entry.c.id, claim.c.person_id == person_id, live_claim())
    wanted = sa.case((entry.c.is_pilot, campaign.c.pilot_judgments), else_=campaign.c.judgments_per_entry)
    is_for_all = entry.c.gold.is_not(None) | ((campaign.c.hand_out == HandOut.ALL) & ~entry.c.is_pilot)
    is_over = entry.c.is_pilot & campaign.c.pilot_ended_at.is_not(None)
    given = judgments.without_replaced(
        sa.select(sa.func.count())
        .select_from(judgment)
        .where(judgment.c.entry_id == entry.c.id, judgment.c.outcome == Outcome.JUDGED)
    )
    has_place = is_for_all | held | (given.correlate(entry).scalar_subquery() < wanted)
    may_judge = (campaign.c.is_open & ~taken_out) | handed
    return sa.and_(campaign.c.state == CampaignState.OPEN, ~judged, may_judge, has_place, ~is_over)


def active_campaigns(connection: sa.Connection, person_id: int) -> set[int]:
    """Return the campaigns in which the person has judged something, or was named as an annotator and not taken out."""
    judged = (
        sa.select(entry.c.campaign_id)
        .join(judgment, judgment.c.entry_id == entry.c.id)
        .where(judgment.c.person_id == person_id)
        .distinct()
    )
    named = sa.select(campaign_annotator.c.campaign_id).where(
        campaign_annotator.c.person_id == person_id, campaign_annotator.c.removed_at.is_(None)
    )
    return {*connection.execute(judged).scalars(), *connection.execute(named).scalars()}


def has_judged(connection: sa.Connection, *, person_id: int, entry_ids: Iterable[int]) -> set[int]:
    """Return those of some entries that the person has answered, with "cannot judge" as well."""
    query = sa.select(judgment.c.entry_id).where(
        judgment.c.person_id == person_id, judgment.c.entry_id.in_(list(entry_ids))
    )
    return set(connection.execute(query.distinct()).scalars())

"""Rows of campaigns, their strata and their entries. A campaign in the making is found by nothing here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import sqlalchemy as sa

from audit_core.domain import CampaignState, HandOut, JsonObject, SampleDesign, Stratum
from audit_core.storage import decisions, samples
from audit_core.storage.clock import now
from audit_core.storage.inserting import insert_row, insert_rows
from audit_core.storage.judgments import on_entries_of
from audit_core.storage.samples import SampleRecord
from audit_core.storage.schema import campaign, dataset, entry, entry_stratum, judgment


@dataclass(frozen=True, slots=True)
class CampaignRow:
    """One labelling effort."""

    id: int
    dataset_id: int
    name: str
    protocol: str
    state: str
    judgments_per_entry: int
    origin: str
    source_hash: str | None
    frame_name: str | None
    frame_revision: str | None
    sample_method: str | None
    sample_seed: int | None
    is_probability_sample: bool
    created_at: str
    archived_at: str | None
    sample_scheme: str | None
    allocation: str | None
    plan: JsonObject | None
    frame_condition: str | None
    frame_filter: JsonObject | None
    frame_hash: str | None
    left_out_at_random: bool | None
    left_out_elsewhere: int | None
    paused_at: str | None = None
    hand_out: str = "all"
    is_open: bool = True
    order_seed: int | None = None
    gold_share: float | None = None
    pilot_judgments: int | None = None
    pilot_ended_at: str | None = None
    copied_from: int | None = None


@dataclass(frozen=True, slots=True)
class Team:
    """How a campaign is handed to its annotators: columns of its row."""

    hand_out: HandOut = HandOut.ALL
    is_open: bool = True
    order_seed: int | None = None
    gold_share: float | None = None
    pilot_judgments: int | None = None
    copied_from: int | None = None

    def columns(self) -> dict[str, Any]:
        """Return the columns with their values."""
        return {each.name: getattr(self, each.name) for each in fields(self)} | {"hand_out": self.hand_out.value}


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One thing to judge in a campaign."""

    id: int
    campaign_id: int
    number: int
    query_id: str
    source: str
    evidence_structure: str
    document_ids: list[str]
    place: int | None
    probability: float | None
    probability_combined: float | None
    #: Of a queue that mixes draws: `random`, `disagreement` or `near_threshold`; None elsewhere.
    selection: str | None = None
    is_pilot: bool = False
    #: The right answer of a gold entry; never for the eyes of an annotator.
    gold: JsonObject | None = None


#: An entry as a file gives it: number, query id, source, evidence structure, evidence documents.
PlainEntry = tuple[int, str, str, str, Sequence[str]]
#: All of a campaign but whether it is in the making, and only those that are not.
_COLUMNS = [each for each in campaign.c if each.name != "making_since"]
_WHOLE = sa.select(*_COLUMNS).where(campaign.c.making_since.is_(None))


def all_rows(connection: sa.Connection, *, dataset_id: int | None = None) -> list[CampaignRow]:
    """Return all campaigns (of one dataset), the newest first."""
    query = _WHOLE.order_by(campaign.c.id.desc())
    if dataset_id is not None:
        query = query.where(campaign.c.dataset_id == dataset_id)
    return [CampaignRow(**row._mapping) for row in connection.execute(query)]


def by_id(connection: sa.Connection, campaign_id: int) -> CampaignRow | None:
    """Return the campaign with that id, None where there is none."""
    row = connection.execute(_WHOLE.where(campaign.c.id == campaign_id)).one_or_none()
    return CampaignRow(**row._mapping) if row else None


def by_name(connection: sa.Connection, name: str, *, dataset_id: int | None = None) -> list[CampaignRow]:
    """Return the campaigns of that name (of one dataset), the newest first."""
    return [each for each in all_rows(connection, dataset_id=dataset_id) if each.name == name]


def add(
    connection: sa.Connection,
    *,
    dataset_id: int,
    name: str,
    protocol: str,
    state: CampaignState,
    judgments_per_entry: int,
    design: SampleDesign | None,
    source_hash: str | None = None,
    sample: SampleRecord | None = None,
    is_in_making: bool = False,
    team: Team | None = None,
) -> int:
    """Store a campaign with its design and return its id. A `source_hash` marks it as imported.

    One in the making gets its name, and the campaigns that its draw left out, when it is whole (`making.finish`).
    """
    values: dict[str, Any] = {
        "dataset_id": dataset_id,
        "name": name,
        "protocol": protocol,
        "state": state.value,
        "judgments_per_entry": judgments_per_entry,
        "origin": "created" if source_hash is None else "imported",
        "source_hash": source_hash,
        "frame_name": design.frame_name if design else None,
        "frame_revision": design.frame_revision if design else None,
        "sample_method": design.method if design else None,
        "sample_seed": design.seed if design else None,
        "is_probability_sample": design.is_probability if design else False,
        "created_at": now(),
        "making_since": now() if is_in_making else None,
        **(team or Team()).columns(),
    }
    if sample is not None:
        values |= sample.columns()
    campaign_id = insert_row(connection, campaign, values)
    if design:
        samples.add_strata(connection, campaign_id, design, sample)
    if sample and not is_in_making:
        samples.add_left_out(connection, campaign_id, sample.left_out_campaigns)
    return campaign_id


def on_dataset_name(connection: sa.Connection, name: str) -> list[CampaignRow]:
    """Return the campaigns on every revision of the dataset of that name, the newest first."""
    query = (
        _WHOLE.join(dataset, dataset.c.id == campaign.c.dataset_id)
        .where(dataset.c.name == name)
        .order_by(campaign.c.id.desc())
    )
    return [CampaignRow(**row._mapping) for row in connection.execute(query)]


def design_of(connection: sa.Connection, row: CampaignRow) -> SampleDesign | None:
    """Return how the campaign's entries were drawn, None where that is not known."""
    if row.sample_method is None:
        return None
    strata = samples.strata_of(connection, row.id)
    return SampleDesign(
        frame_name=row.frame_name or "",
        frame_revision=row.frame_revision or "",
        method=row.sample_method,
        seed=row.sample_seed,
        strata=tuple(Stratum(each.source, each.evidence_structure, each.population, each.drawn) for each in strata),
        is_probability=row.is_probability_sample,
    )


def set_state(connection: sa.Connection, campaign_id: int, state: CampaignState) -> None:
    """Open or close a campaign."""
    connection.execute(campaign.update().where(campaign.c.id == campaign_id).values(state=state.value))


def change(connection: sa.Connection, campaign_id: int, **values: Any) -> None:
    """Give columns of a campaign new values."""
    connection.execute(campaign.update().where(campaign.c.id == campaign_id).values(values))


def rename(connection: sa.Connection, campaign_id: int, name: str) -> None:
    """Give a campaign another name, which no other of its dataset may have."""
    connection.execute(campaign.update().where(campaign.c.id == campaign_id).values(name=name))


def set_archived(connection: sa.Connection, campaign_id: int, *, archived: bool) -> None:
    """Hide a campaign from lists, or show it again."""
    at = now() if archived else None
    connection.execute(campaign.update().where(campaign.c.id == campaign_id).values(archived_at=at))


def add_entries(connection: sa.Connection, campaign_id: int, entries: Iterable[PlainEntry]) -> None:
    """Store all entries of a campaign, given as (number, query_id, source, evidence_structure, document_ids)."""
    rows = entry_rows(campaign_id, entries)
    insert_rows(connection, entry, rows)
    samples.add_entry_strata(connection, samples.stratum_counts(campaign_id, rows))


def entry_rows(campaign_id: int, entries: Iterable[PlainEntry]) -> list[dict[str, Any]]:
    """Return entries of a campaign that were not drawn here as rows, ready to be inserted."""
    return [
        {
            "campaign_id": campaign_id,
            "number": number,
            "query_id": query_id,
            "source": source,
            "evidence_structure": structure,
            "document_ids": list(document_ids),
        }
        for number, query_id, source, structure, document_ids in entries
    ]


def _entry(row: sa.Row[Any]) -> EntryRow:
    return EntryRow(**row._mapping)


def entries_of(connection: sa.Connection, campaign_id: int) -> list[EntryRow]:
    """Return the entries of a campaign in order."""
    query = sa.select(entry).where(entry.c.campaign_id == campaign_id).order_by(entry.c.number)
    return [_entry(row) for row in connection.execute(query)]


def entry_ids_by_number(connection: sa.Connection, campaign_id: int) -> dict[int, int]:
    """Return the ids of a campaign's entries by number."""
    query = sa.select(entry.c.number, entry.c.id).where(entry.c.campaign_id == campaign_id)
    return {row[0]: row[1] for row in connection.execute(query)}


def stands_for_dataset() -> sa.ColumnElement[bool]:
    """Return the condition that an entry may enter an estimate, a label or an export: it is neither gold nor of a pilot."""
    return entry.c.gold.is_(None) & ~entry.c.is_pilot


def has_special_entries(row: CampaignRow) -> bool:
    """Return whether a campaign has gold or pilot entries."""
    return row.gold_share is not None or row.pilot_judgments is not None


def judged_entries(connection: sa.Connection, campaign_id: int) -> list[EntryRow]:
    """Return the entries of a campaign that have a judgment or a decision, in order; gold and pilot entries are left out."""
    judged = sa.union(sa.select(judgment.c.entry_id), decisions.deciding()).subquery()
    query = (
        sa.select(entry)
        .join(judged, judged.c.entry_id == entry.c.id)
        .where(on_entries_of(campaign_id), stands_for_dataset())
        .order_by(entry.c.number)
    )
    return [_entry(row) for row in connection.execute(query)]


def entry_by_id(connection: sa.Connection, entry_id: int) -> EntryRow | None:
    """Return the entry with that id, None where there is none."""
    row = connection.execute(sa.select(entry).where(entry.c.id == entry_id)).one_or_none()
    return _entry(row) if row else None


def entry_by_number(connection: sa.Connection, campaign_id: int, number: int) -> EntryRow | None:
    """Return the entry of that number, None where there is none."""
    query = sa.select(entry).where(entry.c.campaign_id == campaign_id, entry.c.number == number)
    row = connection.execute(query).one_or_none()
    return _entry(row) if row else None


def count_entries(connection: sa.Connection, campaign_id: int) -> int:
    """Return how many entries a campaign has."""
    query = sa.select(sa.func.sum(entry_stratum.c.entries)).where(entry_stratum.c.campaign_id == campaign_id)
    return int(connection.execute(query).scalar() or 0)


def unjudged_after(
    connection: sa.Connection, *, campaign_id: int, person_id: int, after: int, count: int, skip: Sequence[int] = ()
) -> list[EntryRow]:
    """Return up to `count` entries that the person has not answered, first those after number `after`, then from the start.

    `skip` are numbers to leave out (answers under way).
    """
    answered = sa.exists().where(judgment.c.entry_id == entry.c.id, judgment.c.person_id == person_id)
    base = sa.select(entry).where(entry.c.campaign_id == campaign_id, ~answered).order_by(entry.c.number).limit(count)
    if skip:
        base = base.where(entry.c.number.not_in(list(skip)))
    found = [_entry(row) for row in connection.execute(base.where(entry.c.number > after))]
    if len(found) < count:
        rest = connection.execute(base.where(entry.c.number <= after))
        found += [_entry(row) for row in rest][: count - len(found)]
    return found

"""How the samples of campaigns were drawn: strata, earlier campaigns left out, drawn entries with their chances."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from audit_core.domain import CampaignState, JsonObject, SampleDesign
from audit_core.sampling.records import DrawnEntry
from audit_core.storage.inserting import insert_rows
from audit_core.storage.schema import campaign, campaign_left_out, entry, entry_stratum, judgment, stratum

if TYPE_CHECKING:
    from audit_core.storage.campaigns import EntryRow


@dataclass(frozen=True, slots=True)
class SampleRecord:
    """What is kept of a draw beside its design, so that it and its plan can be computed again.

    `frame_strata` has (queries of the whole frame, those of them left out) by (source, evidence structure);
    `left_out_campaigns` are the ids of the campaigns whose queries were left out.
    """

    scheme: str | None
    allocation: str | None
    plan: JsonObject | None
    frame_condition: str | None
    frame_filter: JsonObject | None
    frame_hash: str | None
    left_out_at_random: bool | None
    left_out_elsewhere: int | None
    frame_strata: Mapping[tuple[str, str], tuple[int, int]]
    left_out_campaigns: tuple[int, ...]

    def columns(self) -> JsonObject:
        """Return what stands in the campaign's own row."""
        names = (
            "scheme", "allocation", "plan", "frame_condition", "frame_filter", "frame_hash", "left_out_at_random",
            "left_out_elsewhere",
        )  # fmt: skip
        return {("sample_scheme" if each == "scheme" else each): getattr(self, each) for each in names}


@dataclass(frozen=True, slots=True)
class StratumRow:
    """A stratum of a campaign's design, with what it was before queries were left out."""

    source: str
    evidence_structure: str
    population: int
    drawn: int
    frame_population: int | None
    left_out: int | None


def add_strata(connection: sa.Connection, campaign_id: int, design: SampleDesign, sample: SampleRecord | None) -> None:
    """Store the strata of a campaign's design."""
    rows: list[dict[str, Any]] = []
    for each in design.strata:
        frame = sample.frame_strata.get((each.source, each.evidence_structure)) if sample else None
        rows.append(
            {
                "campaign_id": campaign_id,
                "source": each.source,
                "evidence_structure": each.evidence_structure,
                "population": each.population,
                "drawn": each.drawn,
                "frame_population": frame[0] if frame else None,
                "left_out": frame[1] if frame else None,
            }
        )
    insert_rows(connection, stratum, rows)


def add_left_out(connection: sa.Connection, campaign_id: int, earlier: Iterable[int]) -> None:
    """Store whose queries the draw of a campaign left out."""
    rows = [{"campaign_id": campaign_id, "earlier_campaign_id": each} for each in earlier]
    insert_rows(connection, campaign_left_out, rows)


def strata_of(connection: sa.Connection, campaign_id: int) -> list[StratumRow]:
    """Return the strata of a campaign's design, sorted by source and evidence structure."""
    columns = [each for each in stratum.c if each.name != "campaign_id"]
    query = (
        sa.select(*columns)
        .where(stratum.c.campaign_id == campaign_id)
        .order_by(stratum.c.source, stratum.c.evidence_structure)
    )
    return [StratumRow(**row._mapping) for row in connection.execute(query)]


def left_out_of(connection: sa.Connection, campaign_id: int) -> list[int]:
    """Return the campaigns whose queries the draw of this one left out."""
    query = sa.select(campaign_left_out.c.earlier_campaign_id).where(campaign_left_out.c.campaign_id == campaign_id)
    return sorted(connection.execute(query).scalars())


def query_ids_of(connection: sa.Connection, campaign_ids: Sequence[int]) -> list[str]:
    """Return the distinct queries that are entries of these campaigns."""
    query = sa.select(entry.c.query_id).where(entry.c.campaign_id.in_(list(campaign_ids))).distinct()
    return list(connection.execute(query).scalars())


def drawn_entry_rows(
    campaign_id: int, drawn: Iterable[DrawnEntry | EntryRow], documents: Mapping[str, Sequence[str]]
) -> list[dict[str, Any]]:
    """Return the rows of the entries of a draw, or of those of another campaign again, ready to be inserted.

    `documents` are each query's evidence documents.
    """
    return [
        {
            "campaign_id": campaign_id,
            "number": each.number,
            "query_id": each.query_id,
            "source": each.source,
            "evidence_structure": each.evidence_structure,
            "document_ids": list(documents.get(each.query_id, ())),
            "place": each.place,
            "probability": each.probability,
            "probability_combined": each.probability_combined,
            "selection": each.selection,
        }
        for each in drawn
    ]


@dataclass(frozen=True, slots=True)
class EntryStratum:
    """How many entries a campaign has in a stratum, and on how many distinct queries."""

    source: str
    evidence_structure: str
    entries: int
    queries: int


def add_entry_strata(connection: sa.Connection, counts: Iterable[Mapping[str, Any]]) -> None:
    """Store how many entries each stratum has, as `stratum_counts` gives it."""
    insert_rows(connection, entry_stratum, list(counts))


def stratum_counts(campaign_id: int, rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return how many entries, and distinct queries, each stratum has; `rows` are all entries as they are inserted."""
    entries: Counter[tuple[str, str]] = Counter()
    queries: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for each in rows:
        key = each["source"], each["evidence_structure"]
        entries[key] += 1
        queries[key].add(each["query_id"])
    return [
        {
            "campaign_id": campaign_id,
            "source": key[0],
            "evidence_structure": key[1],
            "entries": number,
            "queries": len(queries[key]),
        }
        for key, number in entries.items()
    ]


def entry_strata(connection: sa.Connection, campaign_id: int) -> list[EntryStratum]:
    """Return how many entries each stratum of a campaign has, sorted by source and evidence structure."""
    columns = [each for each in entry_stratum.c if each.name != "campaign_id"]
    query = (
        sa.select(*columns)
        .where(entry_stratum.c.campaign_id == campaign_id)
        .order_by(entry_stratum.c.source, entry_stratum.c.evidence_structure)
    )
    return [EntryStratum(**row._mapping) for row in connection.execute(query)]


def entry_counts(connection: sa.Connection) -> dict[int, int]:
    """Return how many entries each campaign has that has any, by id."""
    query = sa.select(entry_stratum.c.campaign_id, sa.func.sum(entry_stratum.c.entries))
    return {row[0]: int(row[1]) for row in connection.execute(query.group_by(entry_stratum.c.campaign_id))}


def selected_strata(connection: sa.Connection, campaign_id: int, selection: str) -> list[EntryStratum]:
    """Return how many entries of one part of a mixed draw each stratum of a campaign has, sorted as `entry_strata`."""
    count = sa.func.count()
    query = (
        sa.select(entry.c.source, entry.c.evidence_structure, count, sa.func.count(entry.c.query_id.distinct()))
        .where(entry.c.campaign_id == campaign_id, entry.c.selection == selection)
        .group_by(entry.c.source, entry.c.evidence_structure)
        .order_by(entry.c.source, entry.c.evidence_structure)
    )
    return [EntryStratum(*row) for row in connection.execute(query)]


def selection_counts(connection: sa.Connection, campaign_id: int) -> dict[str, int]:
    """Return how many entries of each part of a mixed draw a campaign has, those of none left out."""
    query = sa.select(entry.c.selection, sa.func.count()).where(
        entry.c.campaign_id == campaign_id, entry.c.selection.is_not(None)
    )
    return {row[0]: int(row[1]) for row in connection.execute(query.group_by(entry.c.selection))}


def judged_by_selection(connection: sa.Connection, campaign_id: int) -> dict[str, int]:
    """Return how many entries of each part of a mixed draw somebody judged; parts without any are left out."""
    is_judged = sa.exists().where(judgment.c.entry_id == entry.c.id)
    query = sa.select(entry.c.selection, sa.func.count()).where(
        entry.c.campaign_id == campaign_id, entry.c.selection.is_not(None), is_judged
    )
    return {row[0]: int(row[1]) for row in connection.execute(query.group_by(entry.c.selection))}


def unanswered_queries(
    connection: sa.Connection, *, dataset_id: int, scheme: str, person_id: int
) -> list[tuple[str, str]]:
    """Return (query, name of the campaign) of each entry that a person has not answered, the oldest campaign last.

    Looked at are the campaigns on this dataset, drawn by this scheme, that are open, whole and not archived. A judgment and
    "cannot judge" are both answers.
    """
    answered = sa.exists().where(judgment.c.entry_id == entry.c.id, judgment.c.person_id == person_id)
    query = (
        sa.select(entry.c.query_id, campaign.c.name)
        .join(campaign, campaign.c.id == entry.c.campaign_id)
        .where(
            campaign.c.dataset_id == dataset_id,
            campaign.c.sample_scheme == scheme,
            campaign.c.state == CampaignState.OPEN.value,
            campaign.c.archived_at.is_(None),
            campaign.c.making_since.is_(None),
            ~answered,
        )
        .order_by(campaign.c.id.desc())
    )
    return [(row[0], row[1]) for row in connection.execute(query)]

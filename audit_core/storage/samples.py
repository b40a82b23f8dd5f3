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
    from audit_core.storage.campaigns import CampaignRow, EntryRow


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


def record_of(connection: sa.Connection, row: CampaignRow) -> SampleRecord:
    """Return what is stored of a campaign's draw, to be stored with the same entries again."""
    names = (
        "allocation",
        "plan",
        "frame_condition",
        "frame_filter",
        "frame_hash",
        "left_out_at_random",
        "left_out_elsewhere",
    )
    return SampleRecord(
        scheme=row.sample_scheme,
        frame_strata={
            (each.source, each.evidence_structure): (each.frame_population, each.left_out)
            for each in strata_of(connection, row.id)
            if each.frame_population is not None and each.left_out is not None
        },
        left_out_campaigns=tuple(left_out_of(connection, row.id)),
        **{each: getattr(row, each) for each in names},
    )


def left_out_of(connection: sa.Connection, campaign_id: int) -> list[int]:
    """Return the campaigns whose queries the draw of this one left out."""
    query = sa.select(campaign_left_out.c.earlier_campaign_id).where(campaign_left_out.c.campaign_id == campaign_id)
    return sorted(connection.execute(query).scalars())


def query_ids_of(connection: sa.Connection, campaign_ids: Sequence[int]) -> list[str]:
    """Return the distinct queries that were drawn for these campaigns: gold and pilot entries were not."""
    mine = entry.c.campaign_id.in_(list(campaign_ids)) & entry.c.gold.is_(None) & ~entry.c.is_pilot
    query = sa.select(entry.c.query_id).where(mine).distinct()
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
            # Of a fresh draw none is; of the entries of another campaign they stay what they were.
            "is_pilot": getattr(each, "is_pilot", False),
            "gold": getattr(each, "gold", None),
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


def without_special(connection: sa.Connection, campaign_id: int, strata: Sequence[EntryStratum]) -> list[EntryStratum]:
    """Return the strata of a campaign without its gold and pilot entries: what stands for the dataset."""
    counts: dict[tuple[str, str], tuple[int, int]] = {}
    query = (
        sa.select(
            entry.c.source, entry.c.evidence_structure, sa.func.count(), sa.func.count(entry.c.query_id.distinct())
        )
        .where(entry.c.campaign_id == campaign_id, entry.c.gold.is_(None), ~entry.c.is_pilot)
        .group_by(entry.c.source, entry.c.evidence_structure)
    )
    for source, structure, entries, queries in connection.execute(query):
        counts[source, structure] = entries, queries
    found = []
    for each in strata:
        key = each.source, each.evidence_structure
        if key in counts:
            found.append(EntryStratum(*key, *counts[key]))
    return found


@dataclass(frozen=True, slots=True)
class SpecialCounts:
    """How many gold entries a campaign has, how many of its pilot that are not gold, and how many gold ones of the pilot."""

    gold: int
    pilot: int
    pilot_gold: int


def special_counts(connection: sa.Connection, campaign_id: int) -> SpecialCounts:
    """Return how many gold and pilot entries a campaign has."""
    is_gold = entry.c.gold.is_not(None)
    kinds = (is_gold, ~is_gold, is_gold & entry.c.is_pilot)
    query = sa.select(*(sa.func.count(sa.case((each, 1))) for each in kinds)).where(
        entry.c.campaign_id == campaign_id, is_gold | entry.c.is_pilot
    )
    row = connection.execute(query).one()
    return SpecialCounts(row[0], row[1], row[2])


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

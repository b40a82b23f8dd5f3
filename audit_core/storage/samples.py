"""How the samples of campaigns were drawn: strata, earlier campaigns left out, drawn entries with their chances."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from audit_core.domain import JsonObject, SampleDesign
from audit_core.sampling.records import DrawnEntry
from audit_core.storage.inserting import insert_rows
from audit_core.storage.schema import campaign_left_out, entry, stratum

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


def add_drawn_entries(
    connection: sa.Connection,
    campaign_id: int,
    drawn: Iterable[DrawnEntry | EntryRow],
    documents: Mapping[str, Sequence[str]],
) -> None:
    """Store the entries of a draw, or those of another campaign again; `documents` are each query's evidence documents."""
    rows = [
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
        }
        for each in drawn
    ]
    insert_rows(connection, entry, rows)

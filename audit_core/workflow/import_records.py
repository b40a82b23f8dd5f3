"""What an imported bundle leaves in the main database: campaigns with their judgments, and label sets."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from audit_core import registry
from audit_core.domain import CampaignState, JsonObject, Outcome, SampleDesign, Stratum
from audit_core.errors import BundleError, Problem, RevisionClash
from audit_core.importers.judgment_entries import EntryJudgment, assign_entries, judgments_hash
from audit_core.protocols import audit, removal
from audit_core.sampling.methods import is_probability_method
from audit_core.storage import campaigns, judgments, making, people
from audit_core.storage.database import Connection, Database
from audit_core.storage.schema import LARGEST_SEED, LARGEST_WHOLE, judgment
from audit_core.workflow.exporting import design_document, entry_judgments

if TYPE_CHECKING:
    import polars as pl

    from audit_core.importers.bundle import Bundle

#: What no file name may hold where the export may be unpacked.
NOT_IN_NAMES = '/\\:*?"<>|'


@dataclass(frozen=True, slots=True)
class PlannedCampaign:
    """A judgments file as the campaign that it becomes.

    `entries` are (number, query id, source, evidence structure, evidence documents), in order of their numbers.
    """

    name: str
    rows: list[EntryJudgment]
    design: SampleDesign | None
    source_hash: str
    entries: list[tuple[int, str, str, str, list[str]]]
    #: Who judged, in order of first mention, and how many judged the entry that the fewest judged (1 where there is none).
    annotators: tuple[str, ...]
    fewest_judges: int


def planned_campaigns(bundle: Bundle) -> list[PlannedCampaign]:
    """Return a campaign for each judgments file of a bundle, with all that is to be stored: nobody who saves waits for it.

    Raises:
        BundleError: a number is larger than a database keeps, or a file has a name that could not be exported.
    """
    plan = []
    for file in (*(f"judgments/{each}" for each in bundle.judgments), *(f"labels/{each}" for each in bundle.labels)):
        _refuse_bad_name(file)
    strata = _strata_of_queries(bundle) if bundle.judgments else {}
    for name, judged in bundle.judgments.items():
        rows = assign_entries(_judgment_rows(judged.frame))
        design = _sample_design(judged.design)
        _refuse_large(name, rows, design)
        query_of = {row.entry: row.query_id for row in rows}
        entries = [(number, query_of[number], *strata[query_of[number]]) for number in sorted(query_of)]
        judges: dict[int, set[str]] = {}
        for row in rows:
            judges.setdefault(row.entry, set()).add(row.annotator)
        plan.append(
            PlannedCampaign(
                name=name,
                rows=rows,
                design=design,
                source_hash=judgments_hash(rows, design_document(design)),
                entries=entries,
                annotators=tuple(dict.fromkeys(row.annotator for row in rows)),
                fewest_judges=min(map(len, judges.values()), default=1),
            )
        )
    return plan


def _refuse_bad_name(file: str) -> None:
    """Refuse a file whose name an export could not give again on every system."""
    name = file.partition("/")[2]
    if name.startswith(".") or any(each in NOT_IN_NAMES or not each.isprintable() for each in name):
        problem = Problem(file, None, None, None, f"a name without a dot at its beginning and without {NOT_IN_NAMES}")
        raise BundleError(f"The bundle was refused and nothing was imported:\n  {problem}", [problem])


def _refuse_large(name: str, rows: list[EntryJudgment], design: SampleDesign | None) -> None:
    numbers = [(f"judgments/{name}", "revision", row.revision, LARGEST_WHOLE) for row in rows]
    if design is not None:
        file = f"judgments/{name}.design.json"
        numbers += [(file, "population", each.population, LARGEST_WHOLE) for each in design.strata]
        if design.seed is not None:
            numbers.append((file, "seed", abs(design.seed), LARGEST_SEED))
    for file, field, number, most in numbers:
        if number > most:
            problem = Problem(file, None, field, str(number)[:80], f"a whole number of at most {most}")
            raise BundleError(f"The bundle was refused and nothing was imported:\n  {problem}", [problem])


def new_campaigns(connection: Connection, plan: Sequence[PlannedCampaign], dataset_id: int) -> list[PlannedCampaign]:
    """Return the planned campaigns that the dataset does not have yet.

    Raises:
        RevisionClash: it has one of that name with other judgments.
    """
    new = []
    for each in plan:
        before = campaigns.by_name(connection, each.name, dataset_id=dataset_id)
        if not before:
            new.append(each)
        elif not _holds(connection, before[0], each.source_hash):
            raise _clash(each.name)
    return new


def _clash(name: str) -> RevisionClash:
    return RevisionClash(
        f"judgments/{name}: this dataset has a campaign {name!r} with other judgments. "
        "Judgments are never overwritten: rename the file to import them as another campaign."
    )


@dataclass(frozen=True, slots=True)
class BegunCampaign:
    """A planned campaign that is in the making: nobody sees it until `finish_campaign`."""

    planned: PlannedCampaign
    dataset_id: int
    id: int
    person_ids: dict[str, int]


def begin_campaigns(
    connection: Connection, new: Sequence[PlannedCampaign], dataset_id: int
) -> tuple[list[BegunCampaign], list[int]]:
    """Put planned campaigns into the making, still without entries; return them, and the annotators who were not here."""
    begun, added = [], []
    for each in new:
        campaign_id = _begin_campaign(connection, dataset_id, each)
        ids, not_here = imported_person_ids(connection, each.annotators)
        begun.append(BegunCampaign(each, dataset_id, campaign_id, ids))
        added += not_here
    return begun, added


def _begin_campaign(connection: Connection, dataset_id: int, planned: PlannedCampaign) -> int:
    return campaigns.add(
        connection,
        dataset_id=dataset_id,
        name=making.temporary_name(),
        protocol=planned.rows[0].protocol if planned.rows else audit.name,
        # Other people's judgments are a record: whoever wants to add to them opens the campaign.
        state=CampaignState.CLOSED,
        # An entry with fewer judgments than the others must count as well.
        judgments_per_entry=planned.fewest_judges,
        design=planned.design,
        source_hash=planned.source_hash,
        is_in_making=True,
    )


def fill_campaign(database: Database, begun: BegunCampaign) -> None:
    """Put the entries and judgments of a campaign in the making in, a part at a time: others save in between."""
    making.insert_entries(database, begun.id, campaigns.entry_rows(begun.id, begun.planned.entries))
    with database.read() as connection:
        entry_ids = campaigns.entry_ids_by_number(connection, begun.id)
    rows = [
        {
            "entry_id": entry_ids[row.entry],
            "person_id": begun.person_ids[row.annotator],
            "revision": row.revision,
            "nonce": f"import-{begun.id}-{position}",
            "outcome": row.outcome,
            "codes": row.codes,
            "targets": row.targets,
            "note": row.note,
            "reason": row.reason,
            "active_seconds": row.seconds,
            "answer": row.fields or None,
        }
        for position, row in enumerate(begun.planned.rows)
    ]
    making.insert_in_parts(database, judgment, judgments.imported_rows(rows))


def finish_campaign(connection: Connection, begun: BegunCampaign) -> None:
    """Show a campaign that is whole, under its name.

    Raises:
        RevisionClash: the dataset has got another one of that name meanwhile.
    """
    if campaigns.by_name(connection, begun.planned.name, dataset_id=begun.dataset_id):
        raise _clash(begun.planned.name)
    making.finish(connection, begun.id, name=begun.planned.name)


def imported_person_ids(connection: Connection, annotators: Iterable[str]) -> tuple[dict[str, int], list[int]]:
    """Return the imported people by the id that each has in a file, and which of them were not there and are now."""
    found: dict[str, int] = {}
    added: list[int] = []
    for each in dict.fromkeys(annotators):
        person = people.by_name(connection, each, is_imported=True)
        if person is None:
            person = people.add(connection, each, is_imported=True)
            added.append(person.id)
        found[each] = person.id
    return found, added


def _judgment_rows(frame: pl.DataFrame) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = frame.drop("entry_number").to_dicts()
    for row in rows:
        for column in ("targets", "fields"):
            row[column] = json.loads(row[column]) if row[column] else {}
        if row["fields"]:
            # In the one form that a protocol gives its answers, as if it had been judged here.
            protocol = registry.look_up("audit_core.protocols", row["protocol"])
            row["fields"] = protocol.parse({"outcome": Outcome.JUDGED, "fields": row["fields"]}).fields
    return rows


def _holds(connection: Connection, campaign: campaigns.CampaignRow, source_hash: str) -> bool:
    """Return whether a campaign came from those judgments, or has them now; a removal campaign is no file of judgments."""
    if source_hash == campaign.source_hash:
        return True
    return campaign.protocol != removal.name and source_hash == _present_hash(connection, campaign)


def _present_hash(connection: Connection, campaign: campaigns.CampaignRow) -> str:
    """Return the hash that an export of the campaign would have."""
    return judgments_hash(
        entry_judgments(connection, campaign.id), design_document(campaigns.design_of(connection, campaign))
    )


def _sample_design(design: JsonObject | None) -> SampleDesign | None:
    if design is None:
        return None
    frame = design["frame"]
    return SampleDesign(
        frame_name=frame["name"],
        frame_revision=frame["revision"],
        method=design["method"],
        seed=design.get("seed"),
        strata=tuple(
            Stratum(each["source"], each["evidence_structure"], each["population"], each["drawn"])
            for each in design["strata"]
        ),
        is_probability=is_probability_method(design["method"]),
    )


def _strata_of_queries(bundle: Bundle) -> dict[str, tuple[str, str, list[str]]]:
    """Return, by query id, (source, evidence structure, distinct evidence documents in order)."""
    import polars as pl

    pages = bundle.pages.select(page=pl.int_range(pl.len(), dtype=pl.Int64), owner="document_id")
    evidence = bundle.evidence.select("query_row", "position", "document_id", page="page_row")
    # What the evidence itself says counts only where the page is unknown (lenient imports).
    owned = evidence.join(pages, on="page", how="left").with_columns(pl.coalesce("owner", "document_id").alias("owner"))
    documents: dict[int, list[str]] = {}
    for query_row, owner in owned.sort("query_row", "position").select("query_row", "owner").iter_rows():
        seen = documents.setdefault(query_row, [])
        if owner is not None and owner not in seen:
            seen.append(owner)
    columns = bundle.queries.select("query_id", "source", "evidence_structure").iter_rows()
    return {
        query_id: (source, structure, documents.get(position, []))
        for position, (query_id, source, structure) in enumerate(columns)
    }

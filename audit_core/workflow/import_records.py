"""What an imported bundle leaves in the main database: campaigns with their judgments, and label sets."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from audit_core.domain import CampaignState, JsonObject, SampleDesign, Stratum
from audit_core.errors import BundleError, Problem, RevisionClash
from audit_core.importers.judgment_entries import EntryJudgment, assign_entries, judgments_hash
from audit_core.protocols import audit, removal
from audit_core.sampling.methods import is_probability_method
from audit_core.storage import campaigns, datasets, judgments, people
from audit_core.storage.database import Connection
from audit_core.storage.schema import LARGEST_SEED, LARGEST_WHOLE
from audit_core.workflow.exporting import design_document, entry_judgments, removal_labels, same_labels

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
        plan.append(PlannedCampaign(name, rows, design, judgments_hash(rows, design_document(design)), entries))
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
            raise RevisionClash(
                f"judgments/{each.name}: this dataset has a campaign {each.name!r} with other judgments. "
                "Judgments are never overwritten: rename the file to import them as another campaign."
            )
    return new


def add_campaigns(
    connection: Connection, bundle: Bundle, plan: Sequence[PlannedCampaign], dataset_id: int
) -> tuple[list[str], list[str]]:
    """Make the planned campaigns; return the names of the new ones and of those here already."""
    new = new_campaigns(connection, plan, dataset_id)
    for each in new:
        _add_campaign(connection, dataset_id, each)
    made = [each.name for each in new]
    return made, [each.name for each in plan if each.name not in made]


def _judgment_rows(frame: pl.DataFrame) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = frame.drop("entry_number").to_dicts()
    for row in rows:
        row["targets"] = json.loads(row["targets"]) if row["targets"] else {}
    return rows


def _holds(connection: Connection, campaign: campaigns.CampaignRow, source_hash: str) -> bool:
    """Return whether a campaign came from those judgments, or has them now; one under another protocol never does."""
    if source_hash == campaign.source_hash:
        return True
    return campaign.protocol == audit.name and source_hash == _present_hash(connection, campaign)


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


def _add_campaign(connection: Connection, dataset_id: int, planned: PlannedCampaign) -> None:
    rows = planned.rows
    annotators: dict[int, set[str]] = {}
    for row in rows:
        annotators.setdefault(row.entry, set()).add(row.annotator)
    campaign_id = campaigns.add(
        connection,
        dataset_id=dataset_id,
        name=planned.name,
        protocol=audit.name,
        # Other people's judgments are a record: whoever wants to add to them opens the campaign.
        state=CampaignState.CLOSED,
        # An entry with fewer judgments than the others must count as well.
        judgments_per_entry=min(map(len, annotators.values()), default=1),
        design=planned.design,
        source_hash=planned.source_hash,
    )
    campaigns.add_entries(connection, campaign_id, planned.entries)
    entry_ids = campaigns.entry_ids_by_number(connection, campaign_id)
    person_ids = {each: _imported_person(connection, each) for each in dict.fromkeys(row.annotator for row in rows)}
    judgments.add_imported(
        connection,
        [
            {
                "entry_id": entry_ids[row.entry],
                "person_id": person_ids[row.annotator],
                "revision": row.revision,
                "nonce": f"import-{campaign_id}-{position}",
                "outcome": row.outcome,
                "codes": row.codes,
                "targets": row.targets,
                "note": row.note,
                "reason": row.reason,
                "active_seconds": row.seconds,
            }
            for position, row in enumerate(rows)
        ],
    )


def _imported_person(connection: Connection, annotator: str) -> int:
    person = people.by_name(connection, annotator, is_imported=True)
    return (person or people.add(connection, annotator, is_imported=True)).id


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


def new_label_sets(connection: Connection, bundle: Bundle, dataset_id: int) -> list[str]:
    """Return the names of the bundle's label sets that the dataset does not have yet.

    It has those as well that its own removal campaign of that name says, as when an export comes back.

    Raises:
        RevisionClash: it has one of that name with other labels.
    """
    before = {each.name: each for each in datasets.label_sets(connection, dataset_id)}
    for name, labels in bundle.labels.items():
        if name in before and before[name].source_hash != labels.hash:
            raise RevisionClash(
                f"labels/{name}: this dataset has a label set {name!r} with other labels. "
                "Labels are never overwritten: rename the file to import them as another set."
            )
    return [
        name
        for name, labels in bundle.labels.items()
        if name not in before and not _is_said_by_campaign(connection, dataset_id, name, labels.frame.to_dicts())
    ]


def _is_said_by_campaign(connection: Connection, dataset_id: int, name: str, labels: list[JsonObject]) -> bool:
    said = [
        each for each in campaigns.by_name(connection, name, dataset_id=dataset_id) if each.protocol == removal.name
    ]
    return any(same_labels(removal_labels(connection, each.id), labels) for each in said)


def add_label_sets(connection: Connection, bundle: Bundle, dataset_id: int) -> tuple[list[str], list[str]]:
    """Store the label sets; return the names of the new ones and of those here already."""
    made = new_label_sets(connection, bundle, dataset_id)
    for name in made:
        labels = bundle.labels[name]
        datasets.add_label_set(
            connection, dataset_id=dataset_id, name=name, source_hash=labels.hash, labels=labels.frame.to_dicts()
        )
    return made, [name for name in bundle.labels if name not in made]

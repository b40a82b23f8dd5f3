"""Campaigns: starting one, opening and closing, the list with what has been judged."""

from __future__ import annotations

from dataclasses import dataclass

from audit_core.datasets.revision import Revision
from audit_core.domain import CampaignState, SampleDesign, Stratum
from audit_core.errors import AssayError, NameTaken, NotFound
from audit_core.protocols import audit
from audit_core.storage import activity, campaigns, datasets, judgments
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.workflow.workspace import Workspace

NAME_MAX = 120
#: File systems take 255 bytes; an export adds the ending.
NAME_MAX_BYTES = 200
#: Most judgments that a campaign may ask for an entry.
JUDGMENTS_MAX = 50


@dataclass(frozen=True, slots=True)
class CampaignSummary:
    """A campaign in a list: `answered` of `entries` have at least one judgment, by `annotators` people."""

    campaign: CampaignRow
    dataset: DatasetRow
    entries: int
    answered: int
    annotators: int
    mine: dict[str, int] | None


def list_campaigns(workspace: Workspace, *, person: Person | None = None) -> list[CampaignSummary]:
    """Return all campaigns, the newest first, with the person's own counts where one is given."""
    with workspace.database.read() as connection:
        rows = campaigns.all_rows(connection)
        by_id = {each.id: each for each in datasets.all_rows(connection)}
        answered = judgments.answered_entries(connection, [row.id for row in rows])
        summaries = []
        for row in rows:
            done, people = answered.get(row.id, (0, 0))
            mine = judgments.progress(connection, campaign_id=row.id, person_id=person.id) if person else None
            summaries.append(
                CampaignSummary(
                    row, by_id[row.dataset_id], campaigns.count_entries(connection, row.id), done, people, mine
                )
            )
    return summaries


def find_campaign(workspace: Workspace, name: str, *, dataset: str | None = None) -> CampaignRow:
    """Return the campaign of that name, on the dataset `NAME` or `NAME@REVISION` where one is given.

    Raises:
        NotFound: there is none, or several datasets have one of that name; says how to tell them apart.
    """
    with workspace.database.read() as connection:
        found = campaigns.by_name(connection, name)
        by_id = {each.id: each for each in datasets.all_rows(connection)}
        known = [each.name for each in campaigns.all_rows(connection)]
    if dataset is not None:
        found = [each for each in found if _is_called(by_id[each.dataset_id], dataset)]
    if not found:
        there_are = f"There are: {', '.join(sorted(set(known)))}." if known else "There is none yet."
        raise NotFound(f"There is no campaign {name!r}{f' on {dataset}' if dataset else ''}. {there_are}")
    if len(found) > 1:
        places = ", ".join(f"{by_id[each.dataset_id].name}@{by_id[each.dataset_id].revision}" for each in found)
        raise NotFound(f"Several datasets have a campaign {name!r}: name one with --dataset ({places}).")
    return found[0]


def _is_called(row: DatasetRow, name: str) -> bool:
    """Return whether a dataset is meant by `NAME` or `NAME@REVISION`; either may hold an @ of its own."""
    return name in (row.name, f"{row.name}@{row.revision}")


def find_dataset(workspace: Workspace, name: str) -> DatasetRow:
    """Return the dataset called `NAME` (its revision imported last) or `NAME@REVISION`.

    Raises:
        NotFound: there is none; lists the known ones.
    """
    with workspace.database.read() as connection:
        rows = datasets.all_rows(connection)
    found = [each for each in rows if _is_called(each, name)]
    if not found:
        known = [f"{each.name}@{each.revision}" for each in rows]
        there_are = f"There are: {', '.join(known)}." if known else "Import one: `python -m audit_core import FOLDER`."
        raise NotFound(f"There is no dataset {name!r}. {there_are}")
    return found[0]


def clean_campaign_name(name: str) -> str:
    """Return a campaign's name as it is kept: outer and doubled spaces gone. It becomes a file name on export.

    Raises:
        AssayError: it is empty, too long, or could not be a file name.
    """
    cleaned = " ".join(name.split())
    if not cleaned:
        raise AssayError("Give the campaign a name.")
    if len(cleaned) > NAME_MAX:
        raise AssayError(f"The campaign's name has {len(cleaned)} characters: shorten it to {NAME_MAX}.")
    if len(cleaned.encode("utf-8", "replace")) > NAME_MAX_BYTES:
        raise AssayError(f"The campaign's name has more than {NAME_MAX_BYTES} bytes: shorten it, for it names a file.")
    if cleaned.startswith(".") or any(each in '/\\:*?"<>|' or not each.isprintable() for each in cleaned):
        raise AssayError("A campaign's name may not begin with a dot nor hold any of / \\ : * ? \" < > |.")
    return cleaned


def census_design(revision: Revision, dataset: DatasetRow) -> SampleDesign:
    """Return the design of a campaign over all queries: each stratum is taken whole."""
    return SampleDesign(
        frame_name=dataset.name,
        frame_revision=dataset.revision,
        method="all queries",
        seed=None,
        strata=tuple(Stratum(source, structure, count, count) for source, structure, count in revision.strata()),
        is_probability=True,
    )


def start_campaign(
    workspace: Workspace, *, dataset: DatasetRow, name: str, judgments_per_entry: int = 1, person: Person | None = None
) -> CampaignRow:
    """Start an audit campaign over all queries of a dataset, one entry a query in the dataset's order.

    Raises:
        NameTaken: the dataset has a campaign of that name.
        AssayError: the name or the number cannot be used, or the dataset has no queries.
    """
    cleaned = clean_campaign_name(name)
    if not 1 <= judgments_per_entry <= JUDGMENTS_MAX:
        raise AssayError(f"Judgments per entry is {judgments_per_entry}: choose 1 to {JUDGMENTS_MAX}.")
    revision = workspace.revision(dataset)
    queries = revision.queries_index()
    if not queries:
        raise AssayError(f"Dataset {dataset.name} has no queries to judge.")
    documents = revision.evidence_documents()
    with workspace.database.write() as connection:
        if campaigns.by_name(connection, cleaned, dataset_id=dataset.id):
            raise NameTaken(f"Dataset {dataset.name} has a campaign {cleaned!r} already: choose another name.")
        campaign_id = campaigns.add(
            connection,
            dataset_id=dataset.id,
            name=cleaned,
            protocol=audit.name,
            state=CampaignState.OPEN,
            judgments_per_entry=judgments_per_entry,
            design=census_design(revision, dataset),
        )
        campaigns.add_entries(
            connection,
            campaign_id,
            (
                (number, query_id, source, structure, documents.get(query_id, ()))
                for number, (query_id, source, structure) in enumerate(queries, start=1)
            ),
        )
        activity.record(connection, "campaign-start", {"campaign": cleaned}, person_id=person.id if person else None)
        row = campaigns.by_id(connection, campaign_id)
    assert row is not None
    return row


def set_campaign_state(
    workspace: Workspace, campaign: CampaignRow, state: CampaignState, *, person: Person | None = None
) -> None:
    """Open a campaign for judgments, or close it; nothing that was saved is touched."""
    with workspace.database.write() as connection:
        campaigns.set_state(connection, campaign.id, state)
        activity.record(
            connection,
            f"campaign-{state.value}",
            {"campaign": campaign.name},
            person_id=person.id if person else None,
        )

"""Campaigns: starting one, opening and closing, the list with what has been judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from audit_core import registry
from audit_core.domain import CampaignState, SampleDesign
from audit_core.errors import AssayError, NameTaken, NotFound
from audit_core.protocols import audit
from audit_core.sampling.records import DrawnEntry
from audit_core.storage import activity, campaigns, carried, datasets, judgments, making, samples
from audit_core.storage.campaigns import CampaignRow, EntryRow, Team
from audit_core.storage.database import Connection
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.storage.samples import SampleRecord
from audit_core.workflow.campaign_states import set_campaign_state as set_campaign_state
from audit_core.workflow.sample_request import SampleRequest
from audit_core.workflow.sampling import drawn_sample
from audit_core.workflow.workspace import Workspace

NAME_MAX = 120
#: File systems take 255 bytes; an export adds the ending.
NAME_MAX_BYTES = 200
#: What the labels of a mixed draw's random share are called, after the name of their campaign.
RANDOM_SHARE = "#random"
#: The same of the entries that scores chose.
ACTIVE_SHARE = "#active"
#: Most judgments that a campaign may ask for an entry.
JUDGMENTS_MAX = 50
#: Everybody gets every entry, by number.
EVERYBODY = Team()


@dataclass(frozen=True, slots=True)
class CampaignSummary:
    """A campaign in a list: `answered` of `entries` have at least one judgment, by `annotators` people.

    `carried_from` is the campaign on another dataset revision from which its judgments were carried over, with its dataset.
    """

    campaign: CampaignRow
    dataset: DatasetRow
    entries: int
    answered: int
    annotators: int
    mine: dict[str, int] | None
    carried_from: tuple[CampaignRow, DatasetRow] | None = None


def list_campaigns(
    workspace: Workspace, *, person: Person | None = None, archived: bool | None = False
) -> list[CampaignSummary]:
    """Return the campaigns, the newest first, with the person's own counts where one is given.

    `archived` False leaves out those that are archived or whose dataset is, True gives these alone, None all.
    """
    with workspace.database.read() as connection:
        by_id = {each.id: each for each in datasets.all_rows(connection)}
        known = {each.id: each for each in campaigns.all_rows(connection)}
        earlier = {later: known[each] for later, each in carried.earlier_campaigns(connection).items()}
        rows = [
            each for each in known.values() if archived is None or archived == is_archived(each, by_id[each.dataset_id])
        ]
        answered = judgments.answered_entries(connection)
        counts = samples.entry_counts(connection)
        summaries = []
        for row in rows:
            done, people = answered.get(row.id, (0, 0))
            mine = judgments.progress(connection, campaign_id=row.id, person_id=person.id) if person else None
            entries = counts.get(row.id, 0)
            origin = (earlier[row.id], by_id[earlier[row.id].dataset_id]) if row.id in earlier else None
            summaries.append(CampaignSummary(row, by_id[row.dataset_id], entries, done, people, mine, origin))
    return summaries


def is_archived(campaign: CampaignRow, dataset: DatasetRow) -> bool:
    """Return whether a campaign is hidden from lists, by itself or with its dataset."""
    return campaign.archived_at is not None or dataset.archived_at is not None


def count_entries(workspace: Workspace, campaign_id: int) -> int:
    """Return how many entries a campaign has."""
    with workspace.database.read() as connection:
        return campaigns.count_entries(connection, campaign_id)


def campaigns_on(workspace: Workspace, dataset: DatasetRow) -> list[CampaignRow]:
    """Return the campaigns on every revision of a dataset, archived ones too: those on this revision first, the newest first."""
    with workspace.database.read() as connection:
        found = campaigns.on_dataset_name(connection, dataset.name)
    return sorted(found, key=lambda each: each.dataset_id != dataset.id)


def find_earlier_campaign(workspace: Workspace, name: str, dataset: DatasetRow) -> CampaignRow:
    """Return the campaign of that name on a dataset revision, else on another revision of the dataset.

    Raises:
        NotFound: there is none; lists those of the dataset.
    """
    known = campaigns_on(workspace, dataset)
    for each in known:
        if each.name == name:
            return each
    there_are = f"There are: {', '.join(each.name for each in known)}." if known else "It has none yet."
    raise NotFound(f"There is no campaign {name!r} on {dataset.name}. {there_are}")


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


def find_dataset(workspace: Workspace, name: str, *, is_archived: bool = False) -> DatasetRow:
    """Return the dataset called `NAME` (its revision imported last) or `NAME@REVISION`, or by its title.

    Names go before titles, and revisions that are not archived before those that are (or, with `is_archived`, after them).

    Raises:
        NotFound: there is none; lists the known ones.
    """
    with workspace.database.read() as connection:
        rows = datasets.all_rows(connection)
    found = [each for each in rows if _is_called(each, name)] or [each for each in rows if each.title == name]
    if not found:
        known = [f"{each.name}@{each.revision}" for each in rows]
        there_are = f"There are: {', '.join(known)}." if known else "Import one: `python -m audit_core import FOLDER`."
        raise NotFound(f"There is no dataset {name!r}. {there_are}")
    return next((each for each in found if (each.archived_at is not None) == is_archived), found[0])


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
    for ending in (RANDOM_SHARE, ACTIVE_SHARE):
        if cleaned.endswith(ending):
            raise AssayError(f"A campaign's name may not end with {ending}: so a part of one's labels is called.")
    if cleaned.startswith(".") or any(each in '/\\:*?"<>|' or not each.isprintable() for each in cleaned):
        raise AssayError("A campaign's name may not begin with a dot nor hold any of / \\ : * ? \" < > |.")
    return cleaned


def start_campaign(
    workspace: Workspace,
    *,
    dataset: DatasetRow,
    name: str,
    judgments_per_entry: int = 1,
    sample: SampleRequest | None = None,
    protocol: str = audit.name,
    person: Person | None = None,
) -> CampaignRow:
    """Start a campaign on the queries that `sample` draws; without one on all queries, in random order.

    `protocol` is what annotators are asked, by its name: `audit`, `removal`, `relevance` or `query-review`.

    Seed, plan, filter, frame and the chances of every entry are stored, so that the draw can be made again. Entries are
    stored a part at a time, and the campaign is seen when it is whole: nobody who saves meanwhile waits for it.

    Raises:
        NameTaken: the dataset has a campaign of that name.
        NotFound: there is no such protocol.
        AssayError: the name or the number cannot be used, the sample cannot be drawn, or the dataset is archived.
    """
    cleaned = check_new_campaign(
        workspace, dataset, name=name, protocol=protocol, judgments_per_entry=judgments_per_entry
    )
    drawn = drawn_sample(workspace, dataset, sample or SampleRequest())
    return make_campaign(
        workspace, dataset, drawn.draw.entries, name=cleaned, protocol=protocol,
        judgments_per_entry=judgments_per_entry, design=drawn.design, record=drawn.record, person=person,
    )  # fmt: skip


def check_new_campaign(
    workspace: Workspace, dataset: DatasetRow, *, name: str, protocol: str, judgments_per_entry: int
) -> str:
    """Return the name of a campaign that may be started, as it is kept.

    Raises:
        NameTaken, NotFound, AssayError: as `start_campaign`.
    """
    registry.look_up("audit_core.protocols", protocol)
    cleaned = clean_campaign_name(name)
    if not 1 <= judgments_per_entry <= JUDGMENTS_MAX:
        raise AssayError(f"Judgments per entry is {judgments_per_entry}: choose 1 to {JUDGMENTS_MAX}.")
    if dataset.archived_at is not None:
        raise AssayError(f"Dataset {dataset.shown} is archived: restore it first, then start the campaign.")
    with workspace.database.read() as connection:
        refuse_taken_name(connection, dataset, cleaned)
    return cleaned


def make_campaign(
    workspace: Workspace,
    dataset: DatasetRow,
    entries: Sequence[DrawnEntry | EntryRow],
    *,
    name: str,
    protocol: str,
    judgments_per_entry: int,
    design: SampleDesign | None,
    record: SampleRecord | None,
    person: Person | None,
    team: Team = EVERYBODY,
    on_shown: Callable[[Connection, int], None] | None = None,
) -> CampaignRow:
    """Make a campaign of drawn entries and return it, open; `name` is one that `check_new_campaign` gave.

    `on_shown` does what belongs to it in the transaction that shows it; it gets the campaign's id.

    Raises:
        NameTaken: the dataset has got a campaign of that name meanwhile.
    """
    documents = workspace.revision(dataset).evidence_documents()
    with making.campaign_in_making(workspace.database):
        campaign_id = add_with_entries(
            workspace, dataset, entries, documents=documents, protocol=protocol,
            judgments_per_entry=judgments_per_entry, design=design, record=record, team=team,
        )  # fmt: skip
        subject = {
            "campaign": name,
            "entries": len(entries),
            "method": design.method if design else None,
            "seed": design.seed if design else None,
            "protocol": protocol,
        }
        with workspace.database.write() as connection:
            refuse_taken_name(connection, dataset, name)
            left_out = record.left_out_campaigns if record else ()
            making.finish(connection, campaign_id, name=name, left_out=left_out)
            if on_shown is not None:
                on_shown(connection, campaign_id)
            activity.record(connection, "campaign-start", subject, person_id=person.id if person else None)
            row = campaigns.by_id(connection, campaign_id)
    assert row is not None
    return row


def add_with_entries(
    workspace: Workspace,
    dataset: DatasetRow,
    entries: Iterable[DrawnEntry | EntryRow],
    *,
    documents: Mapping[str, Sequence[str]],
    protocol: str,
    judgments_per_entry: int,
    design: SampleDesign | None,
    record: SampleRecord | None,
    team: Team = EVERYBODY,
) -> int:
    """Store a campaign in the making with its entries, a part at a time, and return its id; `making.finish` shows it.

    `documents` are each query's evidence documents. What is long to compute is computed before others are held up.
    """
    with workspace.database.write() as connection:
        campaign_id = campaigns.add(
            connection,
            dataset_id=dataset.id,
            name=making.temporary_name(),
            protocol=protocol,
            state=CampaignState.OPEN,
            judgments_per_entry=judgments_per_entry,
            design=design,
            sample=record,
            is_in_making=True,
            team=team,
        )
    rows = samples.drawn_entry_rows(campaign_id, entries, documents)
    making.insert_entries(workspace.database, campaign_id, rows)
    return campaign_id


def refuse_taken_name(connection: Connection, dataset: DatasetRow, name: str) -> None:
    """Refuse a name that a campaign of the dataset has.

    Raises:
        NameTaken: says what to do.
    """
    if campaigns.by_name(connection, name, dataset_id=dataset.id):
        raise NameTaken(f"Dataset {dataset.shown} has a campaign {name!r} already: choose another name.")

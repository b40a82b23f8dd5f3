"""Carrying a campaign over to a later dataset revision: unchanged entries with their judgments, changed ones anew.

Of each annotator the newest judgment on an unchanged entry is carried over, with author, time, targets, note and proposed
correction, and linked to the one it comes from. Earlier revisions of judgments, drafts and flags stay in the earlier
campaign, which is therefore kept while the later one is there. Entries that changed come without judgments; entries
whose query is gone do not come, and the others close up, in the same order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from audit_core.audit_report.wording import counted
from audit_core.domain import JsonObject
from audit_core.errors import AssayError
from audit_core.storage import activity, campaigns, carried, judgments, making, samples
from audit_core.storage.campaigns import CampaignRow, EntryRow
from audit_core.storage.carried_decisions import copy_decisions
from audit_core.storage.database import Connection
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.judgments import JudgmentRow
from audit_core.storage.people import Person
from audit_core.storage.schema import carried_judgment, judgment
from audit_core.workflow.campaigns import add_with_entries, clean_campaign_name, refuse_taken_name
from audit_core.workflow.carried_design import CarriedDesign, Frames, carried_design
from audit_core.workflow.revision_changes import Change, revision_changes
from audit_core.workflow.sample_frame import frame_rows
from audit_core.workflow.sample_request import filter_from_json
from audit_core.workflow.workspace import Workspace

if TYPE_CHECKING:
    from audit_core.datasets.revision import Revision

#: More writers than that never save at the same moment.
_WRITERS_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class EntryChange:
    """What became of an entry: `what` differs, `judgments` (newest ones) are on it. `place` are its source and structure now."""

    entry: EntryRow
    change: Change
    what: str
    judgments: int
    place: tuple[str, str] | None

    def as_json(self) -> JsonObject:
        """Return one row of the list."""
        return {
            "number": self.entry.number,
            "query_id": self.entry.query_id,
            "change": self.change.value,
            "what": self.what,
            "judgments": self.judgments,
        }


@dataclass(frozen=True, slots=True, eq=False)
class CarryOverPreview:
    """What carrying a campaign over would give, entry by entry in the campaign's order."""

    campaign: CampaignRow
    source: DatasetRow
    target: DatasetRow
    entries: tuple[EntryChange, ...]
    design: CarriedDesign

    @property
    def counts(self) -> dict[str, int]:
        """How many entries are unchanged, changed or gone."""
        found = Counter(each.change for each in self.entries)
        return {each.value: found[each] for each in Change}

    @property
    def judgments(self) -> int:
        """How many judgments are carried over."""
        return sum(each.judgments for each in self.entries if each.change is Change.UNCHANGED)

    def changed(self) -> list[EntryChange]:
        """Return the entries that do not come over unchanged."""
        return [each for each in self.entries if each.change is not Change.UNCHANGED]

    def sentences(self) -> list[str]:
        """Return in words what comes over, what has to be judged anew, and what the sample then stands for."""
        counts = self.counts
        place = f"{self.target.name}@{self.target.revision}"
        lost = sum(each.judgments for each in self.changed())
        return [
            f"{counts[Change.UNCHANGED]:,} of {len(self.entries):,} entries are the same in {place}: they come with "
            f"{counted(self.judgments, 'judgment', 'judgments')} (the newest of each annotator).",
            f"{counts[Change.QUERY] + counts[Change.EVIDENCE]:,} changed ({counts[Change.QUERY]:,} in query or answer, "
            f"{counts[Change.EVIDENCE]:,} in evidence alone): they come without judgments. "
            f"{counts[Change.GONE]:,} are gone and do not come. {counted(lost, 'judgment stays', 'judgments stay')} behind.",
            self.design.reason,
        ]

    def as_json(self) -> JsonObject:
        """Return the preview as one JSON document; unchanged entries are counted, the others listed."""
        return {
            "campaign": self.campaign.name,
            "from": f"{self.source.name}@{self.source.revision}",
            "to": f"{self.target.name}@{self.target.revision}",
            "counts": self.counts,
            "judgments_carried": self.judgments,
            "is_probability_sample": self.design.is_kept,
            "sentences": self.sentences(),
            "changed": [each.as_json() for each in self.changed()],
        }


def preview_carry_over(workspace: Workspace, campaign: CampaignRow, target: DatasetRow) -> CarryOverPreview:
    """Return what carrying a campaign over to another dataset revision would give; changes nothing.

    Raises:
        AssayError: the target is the campaign's own dataset or archived, or has none of its queries.
        NotFound: the folder of one of the two is gone.
    """
    source = workspace.dataset(campaign.dataset_id)
    if source.id == target.id:
        raise AssayError(
            f"Campaign {campaign.name} is on {target.name}@{target.revision} already: name another revision."
        )
    if target.archived_at is not None:
        raise AssayError(f"Dataset {target.shown} is archived: restore it first.")
    earlier, later = workspace.revision(source), workspace.revision(target)
    with workspace.database.read() as connection:
        # Gold and pilot entries stay behind: the later campaign is one of the sample alone.
        every = campaigns.entries_of(connection, campaign.id)
        entries = [each for each in every if each.gold is None and not each.is_pilot]
        on_entry = Counter(row.entry_id for row in judgments.of_campaign(connection, campaign.id))
        design = campaigns.design_of(connection, campaign)
        strata = samples.strata_of(connection, campaign.id)
        left_out = tuple(samples.left_out_of(connection, campaign.id))
    changes = {
        query_id: (Change(change), what) for query_id, change, what in revision_changes(earlier, later).iter_rows()
    }
    places = {query_id: (source_name, structure) for query_id, source_name, structure in later.queries_index()}
    rows = tuple(
        EntryChange(each, *changes.get(each.query_id, (Change.GONE, "")), on_entry[each.id], places.get(each.query_id))
        for each in entries
    )
    if all(each.change is Change.GONE for each in rows):
        raise AssayError(
            f"None of the queries of {campaign.name} is in {target.name}@{target.revision}: nothing to carry over."
        )
    found = carried_design(
        campaign, design, strata, source=source, target=target, frames=_frames(earlier, later, campaign),
        entry_ids=[each.query_id for each in entries], left_out=left_out,
        changed={query_id: change is not Change.UNCHANGED for query_id, (change, _) in changes.items()},
    )  # fmt: skip
    return CarryOverPreview(campaign, source, target, rows, found)


def carry_over(
    workspace: Workspace,
    campaign: CampaignRow,
    target: DatasetRow,
    *,
    name: str | None = None,
    person: Person | None = None,
) -> CampaignRow:
    """Make a campaign on another dataset revision from an earlier one and return it, open; by default of the same name.

    Raises:
        NameTaken: the target has a campaign of that name.
        AssayError: as `preview_carry_over`, or the name cannot be used.
    """
    cleaned = clean_campaign_name(campaign.name if name is None else name)
    preview = preview_carry_over(workspace, campaign, target)
    documents = workspace.revision(target).evidence_documents()
    with workspace.database.read() as connection:
        refuse_taken_name(connection, target, cleaned)
    with making.campaign_in_making(workspace.database):
        campaign_id = add_with_entries(
            workspace, target, _renumbered(preview), documents=documents, protocol=campaign.protocol,
            judgments_per_entry=campaign.judgments_per_entry, design=preview.design.design, record=preview.design.record,
        )  # fmt: skip
        entry_ids, copied = _copy_judgments(workspace, preview, campaign_id)
        with workspace.database.write() as connection:
            refuse_taken_name(connection, target, cleaned)
            missed = _saved_since(connection, campaign, entry_ids, copied)
            carried.replace_judgments(connection, campaign_id, missed, entry_ids=entry_ids)
            left_out = preview.design.record.left_out_campaigns if preview.design.record else ()
            making.finish(connection, campaign_id, name=cleaned, left_out=left_out)
            carried.add_campaign(connection, campaign_id=campaign_id, earlier_id=campaign.id)
            decided = copy_decisions(connection, earlier_id=campaign.id, campaign_id=campaign_id, entry_ids=entry_ids)
            said = {(row.entry_id, row.person_id) for row in (*copied, *missed)}
            subject = {
                "campaign": cleaned, "from": campaign.name, "dataset": target.name, "revision": target.revision,
                "judgments": len(said), "decisions": decided, **preview.counts,
            }  # fmt: skip
            activity.record(connection, "campaign-carry-over", subject, person_id=person.id if person else None)
            row = campaigns.by_id(connection, campaign_id)
    assert row is not None
    return row


def _copy_judgments(
    workspace: Workspace, preview: CarryOverPreview, campaign_id: int
) -> tuple[dict[int, int], list[JudgmentRow]]:
    """Put the newest judgments on unchanged entries under the new ones, a part at a time.

    Return the id of the new entry by that of the earlier one, and the judgments.
    """
    database = workspace.database
    with database.read() as connection:
        entry_ids = _entry_ids(preview, campaigns.entry_ids_by_number(connection, campaign_id))
        newest = [row for row in judgments.of_campaign(connection, preview.campaign.id) if row.entry_id in entry_ids]
    making.insert_in_parts(database, judgment, carried.judgment_rows(campaign_id, newest, entry_ids=entry_ids))
    with database.read() as connection:
        links = carried.missing_links(connection, campaign_id)
    making.insert_in_parts(database, carried_judgment, links)
    return entry_ids, newest


def _saved_since(
    connection: Connection, campaign: CampaignRow, entry_ids: Mapping[int, int], copied: Sequence[JudgmentRow]
) -> list[JudgmentRow]:
    """Return the newest judgments on these entries that are not among the copied ones."""
    known = {row.id for row in copied}
    # Of two writers PostgreSQL may show the one with the larger id first.
    after = max(known, default=0) - _WRITERS_AT_ONCE
    rows = judgments.of_campaign(connection, campaign.id, after=after)
    return [row for row in rows if row.entry_id in entry_ids and row.id not in known]


def carried_from(workspace: Workspace, campaign: CampaignRow) -> tuple[CampaignRow, DatasetRow, int] | None:
    """Return the campaign that this one was carried over from, its dataset and the judgments that came; None for none."""
    with workspace.database.read() as connection:
        earlier_id = carried.earlier_campaign(connection, campaign.id)
        count = carried.count_judgments(connection, campaign.id) if earlier_id is not None else 0
    return None if earlier_id is None else (*workspace.campaign(earlier_id), count)


def _frames(earlier: Revision, later: Revision, campaign: CampaignRow) -> Frames:
    where = filter_from_json(campaign.frame_filter)
    before, _ = frame_rows(earlier, where)
    try:
        return Frames(before, *frame_rows(later, where))
    except AssayError:
        return Frames(before, before.clear(), "")


def _renumbered(preview: CarryOverPreview) -> list[EntryRow]:
    """Return the entries of the new campaign: those that are not gone, numbered from 1, where they lie now."""
    kept = [each for each in preview.entries if each.place is not None]
    is_kept = preview.design.is_kept
    rows = []
    for number, each in enumerate(kept, start=1):
        assert each.place is not None
        source, structure = each.place
        row = replace(each.entry, number=number, source=source, evidence_structure=structure)
        rows.append(row if is_kept else replace(row, place=None, probability=None, probability_combined=None))
    return rows


def _entry_ids(preview: CarryOverPreview, by_number: Mapping[int, int]) -> dict[int, int]:
    """Return the id of the new entry by that of the earlier one, for the unchanged entries."""
    kept = [each for each in preview.entries if each.place is not None]
    return {
        each.entry.id: by_number[number] for number, each in enumerate(kept, start=1) if each.change is Change.UNCHANGED
    }

"""Writing the decisions of one campaign to a file, under pseudonyms unless real names are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from audit_core.domain import JsonObject, Role
from audit_core.exporters.decision_lines import write_decisions
from audit_core.storage import activity, decisions, judgment_lists, judgments, people
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.decisions import DecisionRow
from audit_core.storage.people import Person
from audit_core.workflow.judgments_export import distinct_names, pseudonyms
from audit_core.workflow.pseudonyms import pseudonym
from audit_core.workflow.roles import require_role
from audit_core.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True)
class DecisionsWritten:
    """What an export wrote: the file, how many revisions, and on how many entries a decision counts."""

    file: Path
    decisions: int
    entries: int

    def as_json(self) -> JsonObject:
        """Return it as one JSON document."""
        return {"file": str(self.file), "decisions": self.decisions, "entries": self.entries}


def export_decisions(
    workspace: Workspace,
    campaign: CampaignRow,
    file: Path,
    *,
    newest_only: bool = False,
    names: bool = False,
    person: Person | None = None,
) -> DecisionsWritten:
    """Write all decisions of a campaign, or with `newest_only` those that count, as JSON Lines.

    Annotators stand under the pseudonyms of the export of judgments, adjudicators under those of what is published of the
    dataset; with `names` all under their names.

    Raises:
        NotAllowed: the person does not lead.
        AssayError: the file cannot be written; nothing was kept.
    """
    if person is not None:
        require_role(person, Role.LEAD)
    dataset = workspace.dataset(campaign.dataset_id)
    rows, counting = _rows(workspace, campaign, dataset, newest_only=newest_only, names=names)
    written = write_decisions(rows, file)
    if not workspace.database.is_read_only:
        subject = {
            "campaign": campaign.name,
            "dataset": dataset.name,
            "revision": dataset.revision,
            "decisions": len(rows),
            "newest": newest_only,
            "names": names,
        }
        with workspace.database.write() as connection:
            activity.record(connection, "decisions-export", subject, person_id=person.id if person else None)
    return DecisionsWritten(written, len(rows), counting)


def _rows(
    workspace: Workspace, campaign: CampaignRow, dataset: DatasetRow, *, newest_only: bool, names: bool
) -> tuple[list[JsonObject], int]:
    """Return the decisions in the columns of the file, and on how many entries one counts."""
    with workspace.database.read() as connection:
        every = decisions.all_of_campaign(connection, campaign.id)
        counting = {row.id for row in decisions.newest_of_campaign(connection, campaign.id).values()}
        annotators = judgment_lists.annotators_of(connection, campaign.id)
        judges = {row.id: row.person_id for row in judgments.of_campaign(connection, campaign.id, newest_only=False)}
        index = {each[1]: each for each in judgment_lists.entry_index(connection, campaign.id)}
        known = people.names(connection)
    called = distinct_names(annotators) if names else pseudonyms(campaign, annotators)
    newest = {row.entry_id: row.id for row in every}
    deciders = {each: known[each] for each in {row.person_id for row in every}}
    if not names:
        deciders = {each: pseudonym(workspace, dataset.name, each) for each in deciders}
    about = {
        "dataset": dataset.name,
        "dataset_revision": dataset.revision,
        "content_hash": dataset.content_hash,
        "campaign": campaign.name,
        "protocol": campaign.protocol,
    }
    shown = [row for row in every if not newest_only or row.id in counting]
    rows = []
    for row, said in zip(shown, _said(shown, judges, called), strict=True):
        number, _, query_id, is_pilot, is_gold = index[row.entry_id]
        place = {"entry": number, "query_id": query_id, "is_pilot": is_pilot, "is_gold": is_gold}
        is_newest = newest[row.entry_id] == row.id
        rows.append({**about, **place, **said, "is_newest": is_newest, "decided_by": deciders[row.person_id]})
    return rows, len(counting)


def _said(shown: list[DecisionRow], judges: Mapping[int, int], called: Mapping[int, str]) -> Iterator[JsonObject]:
    for row in shown:
        yield {
            "revision": row.revision,
            "basis": row.basis,
            "outcome": row.outcome,
            "codes": list(row.codes),
            "fields": row.answer,
            "targets": dict(sorted(row.targets.items())) or None,
            "correction": row.correction,
            "confidence": row.confidence,
            "note": row.note,
            "reason": row.reason,
            "own_judgment": row.is_own_judgment,
            "taken_from": [called[judges[each]] for each in row.taken_from if each in judges],
            "judgments": len(row.judgment_ids),
            "decided_at": row.decided_at,
        }

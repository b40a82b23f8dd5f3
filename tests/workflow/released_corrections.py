"""A home with a generated dataset, an audit by three people with names of their own, and accepted corrections of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from audit_core.corrections.records import CorrectionState
from audit_core.domain import Answer, IssueCode, Outcome
from audit_core.storage import campaigns, decisions
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.decision_tables import Basis
from audit_core.storage.decisions import NewDecision
from audit_core.storage.people import Person
from audit_core.workflow.campaigns import start_campaign
from audit_core.workflow.corrections import Draft, list_corrections, propose, propose_from_decisions, review
from audit_core.workflow.guidelines import write_guidelines
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.campaigns_in_order import in_dataset_order
from tests.judged_campaigns import save
from tests.release.made_release import generated_bundle, some_corrections

QUERIES = 120
#: Names that stand nowhere in the data.
NAMES = ("Adalbert Quist", "Bathilda Ormsby", "Cyprian Vole")


@dataclass(frozen=True)
class Home:
    """What was set up."""

    bundle: Path
    dataset: DatasetRow
    campaign: CampaignRow
    people: tuple[Person, ...]

    @property
    def lead(self) -> Person:
        return self.people[0]


def audited_home(workspace: Workspace, folder: Path, *, corrections: int = 24) -> Home:
    """Import a generated bundle, audit it, and accept corrections from decisions and from a file; some proposals stay."""
    bundle = generated_bundle(folder, QUERIES)
    dataset = import_bundle(workspace, bundle).dataset
    campaign = start_campaign(workspace, dataset=dataset, name="audit of Adalbert Quist", judgments_per_entry=2)
    in_dataset_order(workspace, campaign)
    people = tuple(sign_in(workspace, name) for name in NAMES)
    one, two, three = people
    write_guidelines(workspace, campaign, "Look twice at every page.", person=one)
    for number in range(1, 31):
        codes = "F" if number % 7 == 0 else ""
        save(workspace, campaign, one, number, codes=codes, note="said by Adalbert Quist")
        # Entry 3 stays disputed.
        save(
            workspace,
            campaign,
            two,
            number,
            codes="E" if number == 3 else codes,
            targets=_targets(workspace, dataset, number) if number == 3 else {},
        )
    for number in (7, 14, 21, 28):
        _decide(workspace, campaign, three, number, confidence="unsure" if number == 7 else "sure")
    propose_from_decisions(workspace, three, campaign.id)
    done = {each.row.query_id for each in list_corrections(workspace, dataset.id)}
    revision = workspace.revision(dataset)
    drafts = [
        Draft(each.change, each.code, f"seen by ADALBERT QUIST on {each.change.query_id}")
        for each in some_corrections(revision, corrections)
        if each.change.query_id not in done
    ]
    propose(workspace, two, dataset, drafts)
    found = [each.row for each in list_corrections(workspace, dataset.id)]
    review(workspace, one, [each.id for each in found[:-2]], CorrectionState.ACCEPTED)
    # Its own author accepted this one.
    review(workspace, two, [found[-2].id], CorrectionState.ACCEPTED)
    return Home(bundle, dataset, campaign, people)


def _decide(workspace: Workspace, campaign: CampaignRow, person: Person, number: int, *, confidence: str) -> None:
    with workspace.database.write() as connection:
        row = campaigns.entry_by_number(connection, campaign.id, number)
        assert row is not None
        answer = Answer(Outcome.JUDGED, (IssueCode.F,), "Bathilda Ormsby asked me")
        correction = {"query": f"Which entry is meant by number {number}?"}
        new = NewDecision(row.id, 1, person.id, f"decision on {number}", Basis.OWN, answer, correction, confidence)
        decisions.add(connection, new)


def _targets(workspace: Workspace, dataset: DatasetRow, number: int) -> dict[str, list[str]]:
    revision = workspace.revision(dataset)
    query = revision.query(revision.query_ids(limit=200)[number - 1])
    return {"E": [query.evidence[0].page_id]}

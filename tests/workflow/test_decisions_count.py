"""Where decisions count: in every report, in labels, in gold answers, in what is exported; and how they go."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit_core.audit_report import AuditReport
from audit_core.audit_report.fields import FieldsReport
from audit_core.audit_report.removal import RemovalReport
from audit_core.domain import CampaignState
from audit_core.exporters.decision_lines import COLUMNS
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.workflow import adjudicating, judging
from audit_core.workflow.campaign_copy import copy_campaign
from audit_core.workflow.campaigns import find_campaign, set_campaign_state
from audit_core.workflow.decisions_export import export_decisions
from audit_core.workflow.deleting import delete_campaign, preview_campaign_deletion
from audit_core.workflow.exporting import not_in_labels
from audit_core.workflow.gold import gold_from_campaign
from audit_core.workflow.label_sources import labels_from
from audit_core.workflow.reporting import campaign_report
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from cleaning.labels import GivenLabel, reconcile
from tests.bundles import without_judgments
from tests.homes import row_counts, with_campaign
from tests.judged_campaigns import save

_GOOD = {"query": "good", "grades": {"p1": 2}, "types": {"p1": ["text"]}, "answered": "answer", "answer_text": "one"}


class Desk:
    """A closed campaign that Ada and Bob judged, which Cora adjudicates."""

    def __init__(self, workspace: Workspace, folder: Path, protocol: str = "audit") -> None:
        self.workspace = workspace
        self.campaign: CampaignRow = with_campaign(
            workspace, folder, without_judgments, protocol=protocol, judgments_per_entry=2
        )
        self.ada, self.bob, self.cora = (sign_in(workspace, name) for name in ("Ada", "Bob", "Cora"))

    def say(self, number: int, *said: dict[str, Any]) -> None:
        for person, body in zip((self.ada, self.bob), said, strict=False):
            save(self.workspace, self.campaign, person, number, **body)

    def close(self) -> None:
        set_campaign_state(self.workspace, self.campaign, CampaignState.CLOSED)
        self.campaign = find_campaign(self.workspace, "fresh")

    def decide(self, number: int, person: Person | None = None, **body: Any) -> None:
        entry = judging.entry_numbered(self.workspace, self.cora, campaign_id=self.campaign.id, number=number)
        filled = {
            "nonce": f"decision {number} {id(body)}", "base_revision": 0, "basis": "own", "outcome": "judged",
            "reason": "looked again", **body,
        }  # fmt: skip
        adjudicating.decide(self.workspace, person or self.cora, entry_id=entry.row.id, body=filled)

    def reopen(self, number: int) -> None:
        entry = judging.entry_numbered(self.workspace, self.cora, campaign_id=self.campaign.id, number=number)
        adjudicating.reopen(self.workspace, self.cora, entry_id=entry.row.id)


@pytest.fixture
def audit(workspace: Workspace, tmp_path: Path) -> Desk:
    """Disputed on 1, unanimously wrong on 2, and nobody could judge 3."""
    desk = Desk(workspace, tmp_path / "b")
    desk.say(1, {"codes": "F"}, {"codes": ""})
    desk.say(2, {"codes": "E"}, {"codes": "E"})
    desk.say(3, {"outcome": "cannot_judge"}, {"outcome": "cannot_judge"})
    desk.close()
    return desk


def _audit_report(desk: Desk) -> AuditReport:
    report = campaign_report(desk.workspace, desk.campaign.id)
    assert isinstance(report, AuditReport)
    return report


def test_the_audit_report_takes_the_decision_before_the_judgments(audit: Desk) -> None:
    before = _audit_report(audit).total
    assert (before.correct, before.disputed, before.cannot_judge) == (0, 1, 1)
    audit.decide(1, codes="")
    audit.decide(2, codes="EU")
    audit.decide(3, codes="N")
    report = _audit_report(audit)
    assert (report.total.correct, report.total.decided, report.total.disputed) == (1, 3, 0)
    assert {code.value: number for code, number in report.total.codes.items()} == {"F": 0, "E": 1, "U": 1, "N": 1}
    assert dict(report.by_how) == {"adjudicated": 3}
    audit.reopen(2)
    assert dict(_audit_report(audit).by_how) == {"adjudicated": 2, "unanimous": 1}


def test_an_entry_may_be_decided_to_be_beyond_judging(audit: Desk) -> None:
    audit.decide(1, outcome="cannot_judge")
    total = _audit_report(audit).total
    assert (total.disputed, total.cannot_judge, total.decided) == (0, 2, 1)


def test_the_removal_report_takes_the_decision_and_still_counts_ratings_by_judgment(
    workspace: Workspace, tmp_path: Path
) -> None:
    desk = Desk(workspace, tmp_path / "b", "removal")
    desk.say(1, {"fields": {"remove": True, "clarity": 0.25}}, {"fields": {"remove": False}})
    desk.close()
    before = campaign_report(workspace, desk.campaign.id)
    assert isinstance(before, RemovalReport)
    assert (before.total.disputed, before.total.remove) == (1, 0)
    assert not any("adjudicated" in each for each in before.notes)
    desk.decide(1, fields={"remove": True, "clarity": 0})
    report = campaign_report(workspace, desk.campaign.id)
    assert isinstance(report, RemovalReport)
    assert (report.total.disputed, report.total.remove, report.total.keep) == (0, 1, 0)
    assert dict(report.criteria[0].values)[0.25] == 1
    assert dict(report.criteria[0].values)[0.0] == 0
    assert "1 entry is adjudicated: the decision counts there, whatever the judgments say." in report.notes


def test_the_fields_report_takes_the_decision_for_the_verdict_and_for_each_field(
    workspace: Workspace, tmp_path: Path
) -> None:
    desk = Desk(workspace, tmp_path / "b", "relevance")
    desk.say(1, {"fields": _GOOD}, {"fields": {"query": "poor", "reasons": ["unclear"]}})
    desk.close()
    before = campaign_report(workspace, desk.campaign.id)
    assert isinstance(before, FieldsReport)
    assert (before.total.disputed, before.total.decided) == (1, 0)
    desk.decide(1, fields={**_GOOD, "grades": {"p1": 1}})
    report = campaign_report(workspace, desk.campaign.id)
    assert isinstance(report, FieldsReport)
    assert (report.total.disputed, report.total.decided) == (0, 1)
    counted = {each.name: {share.value: share.interval.count for share in each.total.shares} for each in report.fields}
    assert counted["query"] == {"good": 1, "poor": 0}
    assert counted["grades"] == {0: 0, 1: 1, 2: 0}
    assert any("adjudicated" in each for each in report.notes)


def test_labels_are_the_decision_and_else_the_majority(audit: Desk) -> None:
    audit.decide(2, codes="N")
    dataset = audit.workspace.dataset(audit.campaign.dataset_id)
    _, given = labels_from(audit.workspace, dataset, "campaign:fresh")
    assert [(each.query_id, each.codes, each.annotator) for each in given if each.is_adjudicated] == [("q2", "N", None)]
    assert next(each.where for each in given if each.is_adjudicated) == "the decision on entry 2 of fresh"
    labels = reconcile(
        GivenLabel(
            each.query_id, bool(set(each.codes or "") & {"F", "N"}), each.annotator, adjudicated=each.is_adjudicated
        )
        for each in given
    )
    assert labels.by_id()["q2"] is True


def test_gold_is_what_was_decided_and_else_what_all_say(audit: Desk) -> None:
    assert [(each.query_id, each.answer["codes"]) for each in gold_from_campaign(audit.workspace, audit.campaign)] == [
        ("q2", "E")
    ]
    audit.decide(1, codes="F")
    audit.decide(2, outcome="cannot_judge")
    assert [(each.query_id, each.answer["codes"]) for each in gold_from_campaign(audit.workspace, audit.campaign)] == [
        ("q1", "F")
    ]


def test_decisions_are_exported_under_pseudonyms(audit: Desk, tmp_path: Path) -> None:
    audit.decide(1, codes="U", note="one page is enough", confidence="sure")
    audit.reopen(1)
    adjudicating.accept_unanimous(audit.workspace, audit.cora, audit.campaign.id)
    written = export_decisions(audit.workspace, audit.campaign, tmp_path / "d.jsonl")
    assert (written.decisions, written.entries) == (3, 1)
    text = written.file.read_text()
    rows = [json.loads(line) for line in text.splitlines()]
    assert all(tuple(row) == COLUMNS for row in rows)
    assert [(row["entry"], row["revision"], row["is_newest"], row["basis"], row["codes"]) for row in rows] == [
        (1, 1, False, "own", ["U"]), (1, 2, True, "reopened", []), (2, 1, True, "unanimous", ["E"]),
    ]  # fmt: skip
    assert (rows[0]["confidence"], rows[0]["note"], rows[0]["reason"]) == ("sure", "one page is enough", "looked again")
    assert not any(name in text for name in ("Ada", "Bob", "Cora"))
    assert len(set(rows[2]["taken_from"])) == 2
    newest = export_decisions(audit.workspace, audit.campaign, tmp_path / "n.jsonl", newest_only=True, names=True)
    (row,) = [json.loads(line) for line in newest.file.read_text().splitlines()]
    assert (row["decided_by"], sorted(row["taken_from"])) == ("Cora", ["Ada", "Bob"])


def test_a_copy_of_a_campaign_has_no_decisions_and_a_bundle_says_that_it_has_none(audit: Desk) -> None:
    dataset = audit.workspace.dataset(audit.campaign.dataset_id)
    assert not any("decision" in each for each in not_in_labels(audit.workspace, dataset))
    audit.decide(1, codes="U")
    copy = copy_campaign(audit.workspace, audit.campaign, name="again", same_entries=True)
    assert adjudicating.entry_states(audit.workspace, copy.id) == []
    (said,) = (each for each in not_in_labels(audit.workspace, dataset) if "decision" in each)
    assert "Campaign fresh has 1 decision, for which the files have no place" in said


def test_a_campaign_is_deleted_with_its_decisions(audit: Desk) -> None:
    audit.decide(1, codes="U")
    preview = preview_campaign_deletion(audit.workspace, audit.campaign)
    assert (preview.counts["decisions"], preview.counts["reveals"]) == (1, 1)
    assert "1 decision, 1 note of who saw others' answers" in preview.sentences()[0]
    delete_campaign(audit.workspace, audit.campaign, preview=preview, confirmation="fresh")
    counts = row_counts(audit.workspace)
    assert (counts["decision"], counts["reveal"]) == (0, 0)

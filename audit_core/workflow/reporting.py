"""The audit report of a campaign, computed from what is stored."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime
from types import ModuleType

from audit_core import registry
from audit_core.audit_report import AuditReport, EntryOutcome, ReportContext, build_audit_report, entry_value
from audit_core.domain import Answer, EntryState, Outcome
from audit_core.protocols.audit import codes_from_text
from audit_core.storage import campaigns, judgments
from audit_core.storage.campaigns import EntryRow
from audit_core.storage.judgments import JudgmentRow
from audit_core.workflow.workspace import Workspace


def _answer(row: JudgmentRow) -> Answer:
    return Answer(outcome=Outcome(row.outcome), codes=codes_from_text(row.codes), targets=row.targets)


def _outcome(row: EntryRow, answers: list[Answer], *, needed: int) -> EntryOutcome:
    value = entry_value(answers, needed=needed)
    return EntryOutcome(
        entry=row.number,
        query_id=row.query_id,
        source=row.source,
        evidence_structure=row.evidence_structure,
        document_ids=frozenset(row.document_ids),
        state=EntryState(value.state),
        codes=value.codes,
        judges=sum(each.outcome is Outcome.JUDGED for each in answers),
        how=value.how,
    )


def audit_report(workspace: Workspace, campaign_id: int) -> AuditReport:
    """Return the audit report of a campaign as its judgments stand now.

    Raises:
        NotFound: there is no such campaign.
    """
    campaign, dataset = workspace.campaign(campaign_id)
    with workspace.database.read() as connection:
        entries = campaigns.entries_of(connection, campaign_id)
        newest = judgments.of_campaign(connection, campaign_id)
        design = campaigns.design_of(connection, campaign)
    answers: defaultdict[int, list[Answer]] = defaultdict(list)
    for row in newest:
        answers[row.entry_id].append(_answer(row))
    outcomes = [_outcome(row, answers[row.id], needed=campaign.judgments_per_entry) for row in entries]
    context = ReportContext(
        dataset_name=dataset.name,
        dataset_revision=dataset.revision,
        content_hash=dataset.content_hash,
        campaign=campaign.name,
        protocol=campaign.protocol,
        when=datetime.now(UTC),
    )
    return build_audit_report(
        outcomes, context=context, design=design, sources=workspace.revision(dataset).info.sources
    )


def report_formats() -> dict[str, ModuleType]:
    """Return the formats in which a report can be written, by name; each has `write(report)`, `suffix`, `media_type`."""
    return registry.load_folder("audit_core.exporters", "report_")

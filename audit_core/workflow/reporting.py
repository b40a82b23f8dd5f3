"""The audit report of a campaign, computed from what is stored."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from types import ModuleType

from audit_core import registry
from audit_core.audit_report import (
    AuditReport,
    CarriedOver,
    EntryOutcome,
    ReportContext,
    UnjudgedEntries,
    build_audit_report,
    entry_value,
)
from audit_core.domain import Answer, EntryState, Outcome
from audit_core.protocols.audit import codes_from_text
from audit_core.storage import campaigns, carried, datasets, judgments, samples
from audit_core.storage.campaigns import EntryRow
from audit_core.storage.database import Connection
from audit_core.storage.judgments import JudgmentRow
from audit_core.storage.samples import EntryStratum
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

    Entries without a judgment are counted by stratum, so that it takes as long as there are judgments.

    Raises:
        NotFound: there is no such campaign.
    """
    campaign, dataset = workspace.campaign(campaign_id)
    with workspace.database.read() as connection:
        judged = campaigns.judged_entries(connection, campaign_id)
        newest = judgments.of_campaign(connection, campaign_id)
        strata = samples.entry_strata(connection, campaign_id)
        design = campaigns.design_of(connection, campaign)
        carried_over = _carried_over(connection, campaign_id, judged=len(judged))
    answers: defaultdict[int, list[Answer]] = defaultdict(list)
    for row in newest:
        answers[row.entry_id].append(_answer(row))
    outcomes = [_outcome(row, answers[row.id], needed=campaign.judgments_per_entry) for row in judged]
    context = ReportContext(
        dataset_name=dataset.name,
        dataset_revision=dataset.revision,
        content_hash=dataset.content_hash,
        campaign=campaign.name,
        protocol=campaign.protocol,
        when=datetime.now(UTC),
        carried_over=carried_over,
    )
    named = workspace.revision(dataset).info.sources
    return build_audit_report(
        outcomes,
        context=context,
        design=design,
        unjudged=_unjudged(strata, outcomes),
        sources=(*named, *sorted({each.source for each in strata} - set(named))),
    )


def _unjudged(strata: Sequence[EntryStratum], outcomes: Sequence[EntryOutcome]) -> list[UnjudgedEntries]:
    """Return how many entries of each stratum have no judgment: all of them less those given one by one."""
    entries: Counter[tuple[str, str]] = Counter()
    queries: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for each in outcomes:
        key = each.source, each.evidence_structure
        entries[key] += 1
        queries[key].add(each.query_id)
    found = []
    for row in strata:
        key = row.source, row.evidence_structure
        found.append(UnjudgedEntries(*key, row.entries - entries[key], row.queries - len(queries[key])))
    return found


def _carried_over(connection: Connection, campaign_id: int, *, judged: int) -> CarriedOver | None:
    earlier_id = carried.earlier_campaign(connection, campaign_id)
    earlier = None if earlier_id is None else campaigns.by_id(connection, earlier_id)
    dataset = None if earlier is None else datasets.by_id(connection, earlier.dataset_id)
    if earlier is None or dataset is None:
        return None
    on_entry = carried.newest_by_entry(connection, campaign_id)
    return CarriedOver(
        campaign=earlier.name,
        dataset_name=dataset.name,
        dataset_revision=dataset.revision,
        entries=len(on_entry),
        judged=judged,
        judgments=sum(on_entry.values()),
    )


def report_formats() -> dict[str, ModuleType]:
    """Return the formats in which a report can be written, by name; each has `write(report)`, `suffix`, `media_type`."""
    return registry.load_folder("audit_core.exporters", "report_")

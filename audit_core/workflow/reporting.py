"""The report of a campaign, of the kind that its protocol asks for, computed from what is stored."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import ModuleType
from typing import Any

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
from audit_core.audit_report.field_counts import JudgedFields
from audit_core.audit_report.fields import FieldsReport, build_fields_report
from audit_core.audit_report.removal import JudgedEntry, RemovalAnswer, RemovalReport, build_removal_report
from audit_core.domain import Answer, EntryState, Outcome, SampleDesign
from audit_core.errors import AssayError
from audit_core.protocols import audit, removal
from audit_core.protocols.audit import codes_from_text
from audit_core.storage import campaigns, carried, datasets, decisions, judgments, samples
from audit_core.storage.campaigns import CampaignRow, EntryRow
from audit_core.storage.database import Connection
from audit_core.storage.decisions import DecisionRow
from audit_core.storage.judgments import JudgmentRow
from audit_core.storage.people import Person
from audit_core.storage.samples import EntryStratum
from audit_core.workflow.random_share import RANDOM, is_mixed, random_share
from audit_core.workflow.sealing import hidden_from
from audit_core.workflow.workspace import Workspace

#: What is read of a judgment and of a decision alike.
_Said = JudgmentRow | DecisionRow


def _answer(row: _Said) -> Answer:
    return Answer(outcome=Outcome(row.outcome), codes=codes_from_text(row.codes), targets=row.targets)


def _outcome(row: EntryRow, found: _Read) -> EntryOutcome:
    answers = [_answer(each) for each in found.answers[row.id]]
    decision = found.decisions.get(row.id)
    value = entry_value(
        answers,
        needed=found.campaign.judgments_per_entry,
        decision=None if decision is None else _answer(decision),
    )
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


@dataclass(frozen=True, slots=True)
class _Read:
    """What a report is computed from: entries with what was said and decided of each, and what the entries stand for.

    Of a mixed draw these are the entries of its random share; the context counts the others as left out.
    """

    campaign: CampaignRow
    judged: list[EntryRow]
    answers: Mapping[int, list[JudgmentRow]]
    decisions: Mapping[int, DecisionRow]
    strata: list[EntryStratum]
    design: SampleDesign | None
    context: ReportContext
    sources: tuple[str, ...]


def campaign_report(
    workspace: Workspace, campaign_id: int, viewer: Person | None = None
) -> AuditReport | RemovalReport | FieldsReport:
    """Return the report of a campaign, of the kind that its protocol asks for.

    `viewer` is whoever is going to read it, in whichever form: entries that wait for a judgment of their own count as not
    judged, and the report says how many those are. None: nobody in particular, and everything counts.

    Raises:
        NotFound: there is no such campaign.
        AssayError: this version has no report for its protocol.
    """
    campaign, _ = workspace.campaign(campaign_id)
    if campaign.protocol == removal.name:
        return removal_report(workspace, campaign_id, viewer)
    if hasattr(registry.load_folder("audit_core.protocols").get(campaign.protocol), "HEADLINE"):
        return fields_report(workspace, campaign_id, viewer)
    return audit_report(workspace, campaign_id, viewer)


def audit_report(workspace: Workspace, campaign_id: int, viewer: Person | None = None) -> AuditReport:
    """Return the audit report of a campaign as its judgments and decisions stand now; `viewer` is as in `campaign_report`.

    Entries without a judgment are counted by stratum, so that it takes as long as there are judgments.

    Raises:
        NotFound: there is no such campaign.
        AssayError: it is no audit.
    """
    found = _read(workspace, campaign_id, viewer, protocol=audit.name)
    return build_audit_report(
        [_outcome(row, found) for row in found.judged],
        context=found.context,
        design=found.design,
        unjudged=_unjudged(found.strata, found.judged),
        sources=found.sources,
    )


def removal_report(workspace: Workspace, campaign_id: int, viewer: Person | None = None) -> RemovalReport:
    """Return the report of a removal campaign as its judgments and decisions stand now; `viewer` is as in `campaign_report`.

    Raises:
        NotFound: there is no such campaign.
        AssayError: it asks something else than keep or remove.
    """
    found = _read(workspace, campaign_id, viewer, protocol=removal.name)
    return build_removal_report(
        [_judged_entry(row, found) for row in found.judged],
        needed=found.campaign.judgments_per_entry,
        context=found.context,
        design=found.design,
        unjudged=_unjudged(found.strata, found.judged),
        sources=found.sources,
    )


def fields_report(workspace: Workspace, campaign_id: int, viewer: Person | None = None) -> FieldsReport:
    """Return the report of a campaign whose protocol asks fields and names its verdict; `viewer` is as in `campaign_report`.

    Raises:
        NotFound: there is no such campaign.
        AssayError: its protocol has no such verdict.
    """
    campaign, _ = workspace.campaign(campaign_id)
    protocol = registry.look_up("audit_core.protocols", campaign.protocol)
    if not hasattr(protocol, "HEADLINE"):
        raise AssayError(
            f"Campaign {campaign.name} follows the protocol {campaign.protocol}, which has another report."
        )
    found = _read(workspace, campaign_id, viewer, protocol=protocol.name)
    return build_fields_report(
        [_judged_fields(row, found) for row in found.judged],
        title=protocol.title,
        fields=protocol.FIELDS,
        verdict=protocol.HEADLINE,
        needed=found.campaign.judgments_per_entry,
        context=found.context,
        design=found.design,
        unjudged=_unjudged(found.strata, found.judged),
        sources=found.sources,
    )


def _fields(row: _Said) -> Mapping[str, Any] | None:
    return (row.answer or {}) if row.outcome == Outcome.JUDGED else None


def _judged_fields(row: EntryRow, found: _Read) -> JudgedFields:
    decision = found.decisions.get(row.id)
    return JudgedFields(
        entry=row.number,
        query_id=row.query_id,
        source=row.source,
        evidence_structure=row.evidence_structure,
        document_ids=frozenset(row.document_ids),
        answers=tuple(_fields(each) for each in found.answers[row.id]),
        decisions=() if decision is None else (_fields(decision),),
    )


def _judged_entry(row: EntryRow, found: _Read) -> JudgedEntry:
    decision = found.decisions.get(row.id)
    return JudgedEntry(
        entry=row.number,
        query_id=row.query_id,
        source=row.source,
        evidence_structure=row.evidence_structure,
        document_ids=frozenset(row.document_ids),
        answers=tuple(_removal_answer(each) for each in found.answers[row.id]),
        decision=None if decision is None else _removal_answer(decision),
    )


def _removal_answer(row: _Said) -> RemovalAnswer:
    fields = row.answer or {}
    is_judged = row.outcome == Outcome.JUDGED
    criteria = {each: fields[each] for each in removal.CRITERIA if each in fields}
    return RemovalAnswer(bool(fields["remove"]) if is_judged else None, criteria)


def _read(workspace: Workspace, campaign_id: int, viewer: Person | None, *, protocol: str) -> _Read:
    campaign, dataset = workspace.campaign(campaign_id)
    if campaign.protocol != protocol:
        raise AssayError(
            f"Campaign {campaign.name} follows the protocol {campaign.protocol}, and this asks for one of the protocol "
            f"{protocol}: choose another campaign."
        )
    with workspace.database.read() as connection:
        judged = campaigns.judged_entries(connection, campaign_id)
        newest = judgments.of_campaign(connection, campaign_id)
        decided = decisions.newest_of_campaign(connection, campaign_id)
        strata = samples.entry_strata(connection, campaign_id)
        if campaigns.has_special_entries(campaign):
            strata = samples.without_special(connection, campaign_id, strata)
        design = campaigns.design_of(connection, campaign)
        hidden = hidden_from(connection, viewer, dataset, {each.id: each.query_id for each in judged}, newest, decided)
        carried_over = _carried_over(connection, campaign_id, judged=len(judged) - len(hidden), hidden=hidden)
        left_out: dict[str, int] = {}
        if is_mixed(campaign):
            # What was chosen by scores says nothing of the other queries: the report is on the random share alone.
            share = random_share(connection, campaign)
            strata, design, left_out = share.strata, share.design, share.left_out
            judged = [each for each in judged if each.selection == RANDOM]
    shown = [each for each in judged if each.id not in hidden]
    answers: defaultdict[int, list[JudgmentRow]] = defaultdict(list)
    for row in newest:
        answers[row.entry_id].append(row)
    context = ReportContext(
        dataset_name=dataset.name,
        dataset_revision=dataset.revision,
        content_hash=dataset.content_hash,
        campaign=campaign.name,
        protocol=campaign.protocol,
        when=datetime.now(UTC),
        left_out=left_out,
        carried_over=carried_over,
        sealed=len(judged) - len(shown),
    )
    named = workspace.revision(dataset).info.sources
    sources = (*named, *sorted({each.source for each in strata} - set(named)))
    return _Read(campaign, shown, answers, decided, strata, design, context, sources)


def _unjudged(strata: Sequence[EntryStratum], judged: Sequence[EntryRow]) -> list[UnjudgedEntries]:
    """Return how many entries of each stratum have no judgment: all of them less those given one by one."""
    entries: Counter[tuple[str, str]] = Counter()
    queries: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for each in judged:
        key = each.source, each.evidence_structure
        entries[key] += 1
        queries[key].add(each.query_id)
    found = []
    for row in strata:
        key = row.source, row.evidence_structure
        found.append(UnjudgedEntries(*key, row.entries - entries[key], row.queries - len(queries[key])))
    return found


def _carried_over(
    connection: Connection, campaign_id: int, *, judged: int, hidden: Collection[int]
) -> CarriedOver | None:
    earlier_id = carried.earlier_campaign(connection, campaign_id)
    earlier = None if earlier_id is None else campaigns.by_id(connection, earlier_id)
    dataset = None if earlier is None else datasets.by_id(connection, earlier.dataset_id)
    if earlier is None or dataset is None:
        return None
    newest = carried.newest_by_entry(connection, campaign_id)
    on_entry = {key: number for key, number in newest.items() if key not in hidden}
    return CarriedOver(
        campaign=earlier.name,
        dataset_name=dataset.name,
        dataset_revision=dataset.revision,
        entries=len(on_entry),
        judged=judged,
        judgments=sum(on_entry.values()),
    )


def report_formats(protocol: str = audit.name) -> dict[str, ModuleType]:
    """Return the formats in which a protocol's report can be written, by name.

    Each has `write(report)`, `suffix` and `media_type`. Every protocol's report can be written in the same ones.
    """
    prefixes = {audit.name: "report_", removal.name: "removal_"}
    return registry.load_folder("audit_core.exporters", prefixes.get(protocol, "fields_"))

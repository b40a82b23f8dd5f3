"""How far the annotators of a campaign agree, from what they said before they saw what others said."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import ModuleType

from audit_core import registry
from audit_core.agreement.bootstrap import Clusters, Plan, Task, bootstrap, clusters_of
from audit_core.agreement.measuring import with_intervals
from audit_core.agreement.report import AgreementReport, BoxesItem, Item, PagesItem, SecondReading
from audit_core.agreement.wording import headline
from audit_core.datasets.revision import Revision
from audit_core.domain import Answer, Outcome
from audit_core.errors import AssayError
from audit_core.protocols.agreement import Unit
from audit_core.protocols.audit import codes_from_text
from audit_core.protocols.disputes import Said, differences
from audit_core.statistics.intervals import wilson
from audit_core.storage import blind_judgments, decisions
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.database import Connection
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.decisions import DecisionRow
from audit_core.storage.judgment_lists import annotators_of
from audit_core.storage.judgments import JudgmentRow
from audit_core.storage.people import Person
from audit_core.workflow.agreement_evidence import domains_of, evidence_of
from audit_core.workflow.agreement_items import GROUP_KINDS, asked_of, headline_of, prepare
from audit_core.workflow.agreement_places import Listed, Places, places_of
from audit_core.workflow.agreement_reading import BlindAnswers, read_blind, sealed_entries
from audit_core.workflow.agreement_words import notes_of
from audit_core.workflow.judgments_export import distinct_names, pseudonyms
from audit_core.workflow.workspace import Workspace

DRAWS, SEED = 1000, 1


def campaign_agreement(
    workspace: Workspace,
    campaign_id: int,
    *,
    bootstrap: int | None = DRAWS,
    seed: int = SEED,
    pilot: bool = False,
    viewer: Person | None = None,
) -> AgreementReport:
    """Return how far annotators agree on the sample of a campaign, or with `pilot` on its pilot.

    Each annotator's last answer on an entry from before others' answers were revealed to them counts; gold entries never do.
    Annotators stand in it by their pseudonyms; `annotator_names` tells who they are.
    `bootstrap` is the number of draws of the intervals, None for none. `viewer` is whoever is going to read the report: entries
    that wait for a judgment of their own are left out and counted.

    Raises:
        NotFound: there is no such campaign.
        AssayError: it has no pilot.
        StatisticsError: fewer than 100 draws.
    """
    campaign, dataset = workspace.campaign(campaign_id)
    if pilot and campaign.pilot_judgments is None:
        raise AssayError(f"Campaign {campaign.name} has no pilot: ask for agreement on its sample.")
    plan = None if bootstrap is None else Plan(draws=bootstrap, seed=seed)
    protocol = registry.look_up("audit_core.protocols", campaign.protocol)
    with workspace.database.read() as connection:
        found = read_blind(connection, campaign, dataset, pilot=pilot, viewer=viewer)
        second = _second_reading(connection, campaign, protocol, {each.id for each in found.entries})
    return _report(protocol, found, dataset, workspace.revision(dataset), plan, second=second, pilot=pilot)


def second_reading_of(workspace: Workspace, campaign_id: int, *, viewer: Person | None = None) -> SecondReading | None:
    """Return how often a second reading changed the only judgment, over the whole campaign; None where nothing was read again.

    Entries that wait for a judgment of the `viewer`'s own are left out.
    """
    campaign, dataset = workspace.campaign(campaign_id)
    protocol = registry.look_up("audit_core.protocols", campaign.protocol)
    with workspace.database.read() as connection:
        read = decisions.newest_of_campaign(connection, campaign.id)
        hidden = sealed_entries(connection, campaign, dataset, viewer)
        return _second_reading(connection, campaign, protocol, read.keys() - hidden)


def annotator_names(workspace: Workspace, campaign_id: int) -> dict[str, str]:
    """Return the names of those who judged in a campaign by the pseudonyms under which its report has them."""
    campaign, _ = workspace.campaign(campaign_id)
    with workspace.database.read() as connection:
        people = annotators_of(connection, campaign.id)
    called, names = pseudonyms(campaign, people), distinct_names(people)
    return {called[each]: names[each] for each in called}


def agreement_state(workspace: Workspace, campaign_id: int, *, viewer: Person | None = None) -> tuple[object, ...]:
    """Return what changes whenever the agreement of a campaign that the viewer sees may have changed, to keep a report until then."""
    campaign, dataset = workspace.campaign(campaign_id)
    with workspace.database.read() as connection:
        hidden = sealed_entries(connection, campaign, dataset, viewer)
        state = blind_judgments.state_of(connection, campaign_id)
    digest = hashlib.sha256(",".join(map(str, sorted(hidden))).encode()).hexdigest()
    return (*state, None if viewer is None else viewer.id, digest)


def _report(
    protocol: ModuleType,
    found: BlindAnswers,
    dataset: DatasetRow,
    revision: Revision,
    plan: Plan | None,
    *,
    second: SecondReading | None,
    pilot: bool,
) -> AgreementReport:
    by_entry = found.by_entry()
    clusters = clusters_of([each.document_ids for each in found.entries])
    items = _items(protocol, found, revision, clusters, plan)
    pages, boxes = _places(protocol, found, revision, clusters, plan)
    lead = next(each for each in items if each.name == headline_of(protocol))
    campaign = found.campaign
    return _worded(
        AgreementReport(
            subject=f"{campaign.name} on {dataset.name} {dataset.revision}",
            dataset_name=dataset.name,
            dataset_revision=dataset.revision,
            content_hash=dataset.content_hash,
            campaign=campaign.name,
            protocol=campaign.protocol,
            when=datetime.now(UTC),
            part="pilot" if pilot else "sample",
            plan=plan,
            judged=sum(bool(each) for each in by_entry),
            shared=sum(len(each) > 1 for each in by_entry),
            cannot_judge=found.cannot_judge,
            revealed=found.revealed,
            only_revealed=found.only_revealed,
            revised=sum(each.row.revision > 1 for each in found.blind),
            gold_left_out=found.gold_left_out,
            other_part=found.other_part,
            sealed=found.sealed,
            documents=clusters.documents,
            without_document=clusters.without_document,
            annotators=tuple(found.annotators),
            headline_item=lead.name,
            items=items,
            pages=pages,
            boxes=boxes,
            second_reading=second,
        ),
        lead,
        found,
    )


def _worded(report: AgreementReport, lead: Item, found: BlindAnswers) -> AgreementReport:
    """Return a report with its first sentence and its notes."""
    unit, units = ("entry", "entries") if lead.unit == Unit.ENTRY else ("page", "pages")
    return replace(
        report,
        headline=headline(lead, unit=unit, units=units, method=report.interval_method),
        notes=tuple(notes_of(report, found)),
    )


def _items(
    protocol: ModuleType, found: BlindAnswers, revision: Revision, clusters: Clusters, plan: Plan | None
) -> tuple[Item, ...]:
    entries = found.entries
    domains = domains_of(revision, [each.query_id for each in entries])
    values = (
        [each.source for each in entries],
        [each.evidence_structure for each in entries],
        [domains.get(each.query_id, "not known") for each in entries],
    )
    groups = dict(zip(GROUP_KINDS, values, strict=True))
    raters = len(found.annotators)
    prepared = [prepare(each, found.blind, raters=raters, groups=groups) for each in asked_of(protocol)]
    agreed = iter(with_intervals([one for each in prepared for one in each.measured], clusters, plan))
    return tuple(each.finished([next(agreed) for _ in each.measured]) for each in prepared)


def _places(
    protocol: ModuleType, found: BlindAnswers, revision: Revision, clusters: Clusters, plan: Plan | None
) -> tuple[tuple[PagesItem, ...], tuple[BoxesItem, ...]]:
    def listed(places: Iterable[int]) -> Mapping[int, Listed]:
        wanted = {place: found.entries[place].query_id for place in places}
        evidence = evidence_of(revision, set(wanted.values()))
        return {place: evidence[query_id] for place, query_id in wanted.items()}

    places = places_of(protocol, found.by_entry(), listed)
    items = [each.item for each in _with_bounds(places, clusters, plan)]
    return (
        tuple(each for each in items if isinstance(each, PagesItem)),
        tuple(each for each in items if isinstance(each, BoxesItem)),
    )


def _with_bounds(places: Sequence[Places], clusters: Clusters, plan: Plan | None) -> list[Places]:
    """Return pages and boxes with their intervals, or with the word that none was asked for."""
    tasks: list[Task] = [task for each in places for task in each.tasks]
    drawn = iter([] if plan is None else bootstrap(clusters, tasks, plan))
    finished = []
    for each in places:
        bounds = {} if plan is None else {name: one for _ in each.tasks for name, one in next(drawn).items()}
        figures = tuple(
            replace(
                figure,
                low=bounds[figure.name].low if figure.name in bounds else None,
                high=bounds[figure.name].high if figure.name in bounds else None,
                no_interval=bounds[figure.name].undefined if figure.name in bounds else "no bootstrap was asked for",
                failed=bounds[figure.name].failed if figure.name in bounds else 0,
            )
            if figure.value is not None
            else figure
            for figure in each.item.figures
        )
        finished.append(replace(each, item=replace(each.item, figures=figures)))
    return finished


@dataclass(slots=True)
class _Read:
    read: int = 0
    changed: int = 0
    refined: int = 0


def _second_reading(
    connection: Connection, campaign: CampaignRow, protocol: ModuleType, entries: Collection[int]
) -> SecondReading | None:
    """Return how often a second reading changed the only judgment; None where nothing was read a second time."""
    rows = [each for each in decisions.second_readings(connection, campaign.id) if each.entry_id in entries]
    if not rows:
        return None
    judged = blind_judgments.by_ids(connection, {each for row in rows for each in row.judgment_ids})
    counts = _Read()
    for row in rows:
        read = (judged[each] for each in row.judgment_ids if each in judged)
        first = next((each for each in read if each.outcome == Outcome.JUDGED), None)
        if first is None:
            continue
        counts.read += 1
        differs = set(differences(protocol, [_said(first), _said(row)]))
        is_changed = first.outcome != row.outcome or any(
            each == "codes" or each.startswith("fields.") for each in differs
        )
        counts.changed += is_changed
        counts.refined += bool(differs) and not is_changed
    return SecondReading(
        read=counts.read,
        changed=counts.changed,
        refined=counts.refined,
        overturned=wilson(counts.changed, counts.read),
    )


def _said(row: JudgmentRow | DecisionRow) -> Said:
    answer = Answer(Outcome(row.outcome), codes_from_text(row.codes), targets=row.targets, fields=row.answer or {})
    return Said(answer, row.correction)

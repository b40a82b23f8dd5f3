"""How the entries of a campaign stand in adjudication: who differs in what, what all agree on, and what is decided.

A judgment counts here with its codes or fields and with the correction that it proposes; "cannot judge" is beside the others
and makes no dispute. In an open campaign an entry that lacks judgments is `open` as long as those that are there agree; in a
closed one no further come, and it is `unanimous` or `single`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from types import ModuleType

from audit_core import registry
from audit_core.domain import Answer, CampaignState, Outcome
from audit_core.protocols.audit import codes_from_text
from audit_core.protocols.disputes import Said, differences
from audit_core.storage import campaigns, decisions, judgment_lists, judgments
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.decisions import DecisionRow
from audit_core.storage.judgments import JudgmentRow
from audit_core.storage.people import Person
from audit_core.workflow.sealing import sealed_among
from audit_core.workflow.workspace import Workspace

#: Campaigns whose standings stay in memory.
_KEPT = 8


class Standing(StrEnum):
    """What an adjudicator finds at an entry."""

    DISPUTED = "disputed"
    UNANIMOUS = "unanimous"
    #: One judgment: it is read a second time.
    SINGLE = "single"
    DECIDED = "decided"
    #: No judgment that says something, or not all of those that are to come.
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Agreed:
    """What the judgments on one entry come to, whatever was decided: never `decided`."""

    number: int
    entry_id: int
    query_id: str
    state: Standing
    disputes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EntryStanding:
    """One entry with the newest judgment of each annotator and the decision that counts, None where none does.

    `agreed` is the state without the decision; `disputes` say what the judgments differ in, decided or not.
    """

    number: int
    entry_id: int
    query_id: str
    state: Standing
    disputes: tuple[str, ...]
    judgments: tuple[JudgmentRow, ...]
    decision: DecisionRow | None
    agreed: Standing


def said_of(row: JudgmentRow | DecisionRow) -> Said:
    """Return a judgment or a decision in the form in which they are compared."""
    answer = Answer(Outcome(row.outcome), codes_from_text(row.codes), targets=row.targets, fields=row.answer or {})
    return Said(answer, row.correction)


def agreed_state(
    protocol: ModuleType, rows: Sequence[JudgmentRow], *, needed: int, is_over: bool
) -> tuple[Standing, tuple[str, ...]]:
    """Return what these judgments, the newest of each annotator, come to and what they differ in.

    `needed` is how many the entry is to get; `is_over`: no further one comes.
    """
    judged = [said_of(each) for each in rows if each.outcome == Outcome.JUDGED]
    disputes = differences(protocol, judged)
    return _state(len(judged), disputes, needed=needed, is_over=is_over), disputes


def _state(judged: int, disputes: Sequence[str], *, needed: int, is_over: bool) -> Standing:
    if disputes:
        return Standing.DISPUTED
    if not judged or (judged < needed and not is_over):
        return Standing.OPEN
    return Standing.SINGLE if judged == 1 else Standing.UNANIMOUS


def needed_of(campaign: CampaignRow, *, is_pilot: bool) -> tuple[int, bool]:
    """Return how many judgments an entry is to get, and whether no further one comes."""
    is_over = campaign.state != CampaignState.OPEN
    if is_pilot and campaign.pilot_judgments is not None:
        return campaign.pilot_judgments, is_over or campaign.pilot_ended_at is not None
    return campaign.judgments_per_entry, is_over


def agreed_of_campaign(workspace: Workspace, campaign: CampaignRow) -> tuple[Agreed, ...]:
    """Return what the judgments of each entry come to, for entries that have a judgment or a decision, in order."""
    with workspace.database.read() as connection:
        stamp = judgments.stamp(connection)
        touched = decisions.touched_ids(connection, campaign.id)
    rules = (campaign.state, campaign.judgments_per_entry, campaign.pilot_judgments, campaign.pilot_ended_at)
    agreed, known = _agreed(workspace, campaign.id, campaign.created_at, rules, stamp)
    if touched <= known:
        return agreed
    # Decided from a file, without any judgment.
    with workspace.database.read() as connection:
        index = judgment_lists.entry_index(connection, campaign.id)
    beside = [Agreed(row[0], row[1], row[2], Standing.OPEN, ()) for row in index if row[1] in touched - known]
    return tuple(sorted((*agreed, *beside), key=lambda each: each.number))


@lru_cache(maxsize=_KEPT)
def _agreed(
    workspace: Workspace, campaign_id: int, _made_at: str, _rules: tuple[object, ...], _stamp: tuple[object, ...]
) -> tuple[tuple[Agreed, ...], frozenset[int]]:
    """Return what `agreed_of_campaign` does of entries that have a judgment, and their ids."""
    campaign, _ = workspace.campaign(campaign_id)
    protocol = registry.look_up("audit_core.protocols", campaign.protocol)
    by_entry: dict[int, list[tuple[str, ...]]] = {}
    with workspace.database.read() as connection:
        for entry_id, outcome, said in judgments.written_answers(connection, campaign_id):
            of_entry = by_entry.setdefault(entry_id, [])
            if outcome == Outcome.JUDGED:
                of_entry.append(said)
        index = judgment_lists.entry_index(connection, campaign_id)
    rules = {each: needed_of(campaign, is_pilot=each) for each in (False, True)}
    found = []
    for number, entry_id, query_id, is_pilot, _ in index:
        if entry_id in by_entry:
            answers, (needed, is_over) = by_entry[entry_id], rules[is_pilot]
            # Equal texts say the same; only the others have to be read.
            is_same = len(set(answers)) <= 1
            disputes = () if is_same else differences(protocol, [_read(each) for each in answers])
            state = _state(len(answers), disputes, needed=needed, is_over=is_over)
            found.append(Agreed(number, entry_id, query_id, state, disputes))
    return tuple(found), frozenset(by_entry)


def _read(written: tuple[str, ...]) -> Said:
    """Return what `written_answers` gives, in the form in which it is compared."""
    codes, *objects = written
    targets, fields, correction = (json.loads(each) if each else None for each in objects)
    answer = Answer(Outcome.JUDGED, codes_from_text(codes), targets=targets or {}, fields=fields or {})
    return Said(answer, correction)


def entry_states(workspace: Workspace, campaign_id: int) -> list[EntryStanding]:
    """Return how each entry of a campaign stands that has a judgment or a decision, in order; the others are `open`.

    Raises:
        NotFound: there is no such campaign.
    """
    campaign, _ = workspace.campaign(campaign_id)
    agreed = agreed_of_campaign(workspace, campaign)
    with workspace.database.read() as connection:
        rows = judgments.newest_on(connection, [each.entry_id for each in agreed])
        decided = decisions.newest_of_campaign(connection, campaign_id)
    return [_standing(each, rows[each.entry_id], decided.get(each.entry_id)) for each in agreed]


def _standing(agreed: Agreed, rows: Sequence[JudgmentRow], decision: DecisionRow | None) -> EntryStanding:
    return EntryStanding(
        number=agreed.number,
        entry_id=agreed.entry_id,
        query_id=agreed.query_id,
        state=Standing.DECIDED if decision else agreed.state,
        disputes=agreed.disputes,
        judgments=tuple(rows),
        decision=decision,
        agreed=agreed.state,
    )


@dataclass(frozen=True, slots=True)
class Tally:
    """How many entries of a campaign stand in each way, and how many of the disputed ones are decided."""

    counts: dict[str, int]
    disputed_decided: int


def tally(workspace: Workspace, campaign: CampaignRow, person: Person | None = None) -> Tally:
    """Return how many entries stand in each way, those without a judgment as `open`.

    What waits for the `person`'s own judgment is `open` to them whatever others said, since a count of one tells as much as the
    entry itself.
    """
    agreed = agreed_of_campaign(workspace, campaign)
    dataset = workspace.dataset(campaign.dataset_id)
    with workspace.database.read() as connection:
        decided = decisions.decided_ids(connection, campaign.id)
        entries = campaigns.count_entries(connection, campaign.id)
        sealed = sealed_among(connection, person, dataset, {each.query_id for each in agreed})
    counts = {each.value: 0 for each in Standing}
    disputed_decided = 0
    for each in agreed:
        if each.query_id not in sealed:
            counts[Standing.DECIDED if each.entry_id in decided else each.state] += 1
            disputed_decided += each.state is Standing.DISPUTED and each.entry_id in decided
    counts[Standing.OPEN] = entries - sum(count for state, count in counts.items() if state != Standing.OPEN)
    return Tally(counts, disputed_decided)


def disputed_decided(workspace: Workspace, campaign: CampaignRow, person: Person | None = None) -> int:
    """Return on how many entries whose judgments differ a decision counts; `person` is as in `tally`."""
    return tally(workspace, campaign, person).disputed_decided


def standing_counts(workspace: Workspace, campaign: CampaignRow, person: Person | None = None) -> dict[str, int]:
    """Return how many entries of a campaign stand in each way; `person` is as in `tally`."""
    return tally(workspace, campaign, person).counts

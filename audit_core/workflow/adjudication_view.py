"""What an adjudicator is shown: an entry with all judgments and the decision, which entries come next, and a list of them.

Whoever may still be asked for a judgment of their own is shown nobody else's: such entries are sealed. Showing an entry to
somebody who judges in the campaign is noted, so that what they say of it afterwards is not taken for a blind judgment.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from audit_core.domain import JsonObject, Role
from audit_core.errors import NotFound
from audit_core.storage import annotators, campaigns, decisions, judgments, people, yet_to_judge
from audit_core.storage.campaigns import CampaignRow, EntryRow
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.decisions import DecisionRow
from audit_core.storage.judgments import JudgmentRow
from audit_core.storage.people import Person
from audit_core.workflow.adjudication_states import Agreed, Standing, agreed_of_campaign
from audit_core.workflow.entry_view import describe_entry
from audit_core.workflow.my_entries import UPCOMING_MAX, MyEntry
from audit_core.workflow.roles import require_role
from audit_core.workflow.sealing import SEALED as SEALED
from audit_core.workflow.sealing import require_unsealed as require_unsealed
from audit_core.workflow.sealing import sealed_queries as sealed_queries
from audit_core.workflow.workspace import Workspace

#: Filter -> standings that it leaves.
FILTERS = {
    "disputed": {Standing.DISPUTED},
    "second": {Standing.SINGLE},
    "unanimous": {Standing.UNANIMOUS},
    "decided": {Standing.DECIDED},
    "open": {Standing.OPEN},
    "all": set(Standing),
}
#: Entries of which it is looked up at once whether they are sealed.
_SEALS_AT_ONCE = 100
#: Whoever commented on an entry without judging it, where names are hidden.
SOMEBODY = "somebody"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Opened:
    """What an adjudicator opens: the entry asked for, or the first one that is left by the filter, and those after it."""

    campaign: CampaignRow
    dataset: DatasetRow
    entry: JsonObject | None
    ahead: list[JsonObject]


def open_adjudication(
    workspace: Workspace,
    person: Person,
    campaign_id: int,
    *,
    number: int | None = None,
    only: str = "disputed",
    count: int = 3,
    names: bool = False,
) -> Opened:
    """Return an entry of a campaign with all judgments on it, and up to `count` entries after it, as JSON.

    Without `number` that is the first one of the filter; sealed ones are passed over. With `names` annotators and
    adjudicators are named. Each entry that is returned counts as seen by the person.

    Raises:
        NotAllowed: the person does not adjudicate, or the entry waits for their own judgment.
        NotFound: no such campaign, entry or filter.
    """
    require_role(person, Role.ADJUDICATOR)
    campaign, dataset = workspace.campaign(campaign_id)
    rest = _in_turn(workspace, person, dataset, wanted_entries(workspace, campaign, only), after=number)
    ahead = [each.number for each in islice(rest, max(0, min(count, UPCOMING_MAX)) + (number is None))]
    numbers = ahead if number is None else [number, *ahead]
    if not numbers:
        return Opened(campaign, dataset, None, [])
    rows = [_entry_row(workspace, campaign, each) for each in numbers]
    require_unsealed(workspace, person, dataset, rows[0])
    shown = _shown(workspace, person, campaign, dataset, rows, names=names)
    return Opened(campaign, dataset, shown[0], shown[1:])


def wanted_entries(workspace: Workspace, campaign: CampaignRow, only: str) -> list[Agreed]:
    """Return the entries that a filter leaves, in order; those without any judgment or decision are never among them.

    Raises:
        NotFound: there is no such filter.
    """
    if only not in FILTERS:
        raise NotFound(f"Entries cannot be narrowed to {only[:40]!r}. Choose one of: {', '.join(FILTERS)}.")
    agreed = agreed_of_campaign(workspace, campaign)
    with workspace.database.read() as connection:
        decided = decisions.decided_ids(connection, campaign.id)
    return [each for each in agreed if (Standing.DECIDED if each.entry_id in decided else each.state) in FILTERS[only]]


def _in_turn(
    workspace: Workspace, person: Person, dataset: DatasetRow, entries: Sequence[Agreed], *, after: int | None
) -> Iterator[Agreed]:
    """Yield the entries that are not sealed: those after a number first, then from the start, without that one."""
    later = [each for each in entries if after is None or each.number > after]
    in_order = later + [each for each in entries if after is not None and each.number < after]
    for start in range(0, len(in_order), _SEALS_AT_ONCE):
        part = in_order[start : start + _SEALS_AT_ONCE]
        closed = sealed_queries(workspace, person, dataset, [each.query_id for each in part])
        yield from (each for each in part if each.query_id not in closed)


def _entry_row(workspace: Workspace, campaign: CampaignRow, number: int) -> EntryRow:
    with workspace.database.read() as connection:
        row = campaigns.entry_by_number(connection, campaign.id, number)
        count = campaigns.count_entries(connection, campaign.id) if row is None else 0
    if row is None:
        raise NotFound(f"This campaign has no entry {number}: its entries are numbered up to {count}.")
    return row


def _shown(
    workspace: Workspace,
    person: Person,
    campaign: CampaignRow,
    dataset: DatasetRow,
    rows: Sequence[EntryRow],
    *,
    names: bool,
) -> list[JsonObject]:
    """Return entries as JSON, and note that the person saw them."""
    ids = [row.id for row in rows]
    note_seen(workspace, person, campaign, ids)
    standings = {each.entry_id: each for each in agreed_of_campaign(workspace, campaign)}
    with workspace.database.read() as connection:
        said = judgments.newest_on(connection, ids)
        newest = {each: decisions.newest(connection, each) for each in ids}
        revealed = {each: decisions.reveals_of_entry(connection, each) for each in ids}
        called = people.names(connection) if names else {}
    found = []
    for row in rows:
        agreed = standings.get(row.id)
        decision = newest[row.id]
        counting = decision if decision is not None and decision.counts else None
        entry = describe_entry(workspace, dataset, MyEntry(row, person.id, None, None))
        found.append(
            {name: value for name, value in entry.items() if name not in ("saved", "draft")}
            | {
                "judgments": judgments_json(campaign, person, said[row.id], revealed=revealed[row.id], called=called),
                "decision": None if counting is None else decision_json(counting, said[row.id], called=called),
                "decision_revision": 0 if decision is None else decision.revision,
                "state": Standing.DECIDED if counting else agreed.state if agreed else Standing.OPEN,
                "agreed": agreed.state if agreed else Standing.OPEN,
                "disputes": list(agreed.disputes) if agreed else [],
            }
        )
    return found


def note_seen(workspace: Workspace, person: Person, campaign: CampaignRow, entry_ids: Sequence[int]) -> None:
    """Note that a person knows what others said of entries, where they judged one of them or may come to judge it."""
    if workspace.database.is_read_only:
        return
    with workspace.database.read() as connection:
        seat = annotators.seat(connection, campaign_id=campaign.id, person_id=person.id, is_open=campaign.is_open)
        judged = yet_to_judge.has_judged(connection, person_id=person.id, entry_ids=entry_ids)
        seen = decisions.revealed_among(connection, person_id=person.id, entry_ids=entry_ids)
    fresh = [each for each in entry_ids if each not in seen and (seat.is_one or each in judged)]
    if fresh:
        with workspace.database.write() as connection:
            decisions.reveal_to(connection, person_id=person.id, entry_ids=fresh)


def judgments_json(
    campaign: CampaignRow,
    person: Person,
    rows: Sequence[JudgmentRow],
    *,
    revealed: dict[int, str],
    called: dict[int, str],
) -> list[JsonObject]:
    """Return the judgments on one entry, in an order that is the person's own and always the same.

    `revealed` is since when annotators know what others said; `called` are names by person id, empty where none are shown.
    """
    mixed = sorted(rows, key=lambda row: _turn(campaign.id, row, person.id))
    return [
        {
            "id": row.id,
            "label": label(place),
            "name": called.get(row.person_id),
            "mine": row.person_id == person.id,
            "outcome": row.outcome,
            "codes": row.codes,
            "targets": row.targets,
            "note": row.note,
            "reason": row.reason,
            "fields": row.answer or {},
            "correction": row.correction,
            "saved_at": row.saved_at,
            "revision": row.revision,
            "blind": row.person_id not in revealed or row.saved_at <= revealed[row.person_id],
        }
        for place, row in enumerate(mixed)
    ]


def labels_of(workspace: Workspace, person: Person, entry_id: int) -> dict[int, str]:
    """Return how those who judged an entry are called where names are hidden from the person, by person id."""
    with workspace.database.read() as connection:
        row = campaigns.entry_by_id(connection, entry_id)
        said = judgments.newest_on(connection, [entry_id])[entry_id]
    if row is None:
        return {}
    mixed = sorted(said, key=lambda each: _turn(row.campaign_id, each, person.id))
    return {each.person_id: label(place) for place, each in enumerate(mixed)}


def _turn(campaign_id: int, row: JudgmentRow, person_id: int) -> bytes:
    seed = f"{campaign_id}/{row.entry_id}/{person_id}/{row.person_id}"
    return hashlib.sha256(seed.encode()).digest()


def label(place: int) -> str:
    """Return how the judgment in that place is called: A to Z, then AA and so on."""
    name = ""
    while place >= 0:
        place, letter = divmod(place, len(_LETTERS))
        name, place = _LETTERS[letter] + name, place - 1
    return name


def decision_json(row: DecisionRow, rows: Sequence[JudgmentRow], *, called: dict[int, str]) -> JsonObject:
    """Return a decision as JSON; `outdated` says that a judgment on the entry was added or revised since."""
    return {
        "revision": row.revision,
        "basis": row.basis,
        "outcome": row.outcome,
        "codes": row.codes,
        "targets": row.targets,
        "fields": row.answer or {},
        "correction": row.correction,
        "confidence": row.confidence,
        "note": row.note,
        "reason": row.reason,
        "taken_from": row.taken_from,
        "decided_at": row.decided_at,
        "by": called.get(row.person_id),
        "own_judgment": row.is_own_judgment,
        "outdated": sorted(row.judgment_ids) != sorted(each.id for each in rows),
    }

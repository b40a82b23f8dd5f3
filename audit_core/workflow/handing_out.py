"""Handing out the entries of a campaign: which one comes next for whom, and the places that are kept for those at work.

Under `exact` an entry has as many places as it is to get judgments; in a pilot each pilot entry has those of the pilot. Gold
entries, and all entries under `all`, have a place for everybody. Gold entries are mixed among the others, by turns.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from audit_core.domain import CampaignState, HandOut
from audit_core.sampling.own_order import EntryOrder, entry_order, is_gold_turn
from audit_core.storage import campaigns, claims, handing_out
from audit_core.storage.campaigns import CampaignRow, EntryRow
from audit_core.storage.database import Connection
from audit_core.storage.handing_out import SpecialEntries
from audit_core.storage.people import Person
from audit_core.workflow.entry_orders import as_array, order_of, special_entries_of
from audit_core.workflow.workspace import Workspace

if TYPE_CHECKING:
    pass

#: Entries that are looked at first, and at most at once, for one with a place left.
_FIRST_PART, _LARGEST_PART = 32, 4_096
_NONE = SpecialEntries((), ())
#: Most entries of which a claim is renewed at once.
RENEW_MAX = 50
#: Places of a gold entry for those whom it was handed.
_ROOM_FOR_ALL = 2**31 - 1


class Stage(StrEnum):
    """Which entries of a campaign with a pilot are handed out now."""

    PILOT = "pilot"
    PRODUCTION = "production"


class Place(StrEnum):
    """How a person stands to an entry that has so many places."""

    MINE = "mine"
    TAKEN = "taken"
    #: It is handed out when the pilot has ended, or was until then.
    NOT_NOW = "not now"


def stage_of(campaign: CampaignRow) -> Stage | None:
    """Return the stage that a campaign is in, None for one without a pilot."""
    if campaign.pilot_judgments is None:
        return None
    return Stage.PILOT if campaign.pilot_ended_at is None else Stage.PRODUCTION


def takes_judgments(campaign: CampaignRow) -> bool:
    """Return whether a campaign is open and not paused."""
    return campaign.state == CampaignState.OPEN and campaign.paused_at is None


def places_of(campaign: CampaignRow, row: EntryRow) -> int | None:
    """Return how many people may judge an entry; None for everybody."""
    return None if row.gold is not None else _places_of_others(campaign, row)


def _places_of_others(campaign: CampaignRow, row: EntryRow) -> int | None:
    """Return the places of an entry if it were not gold."""
    if row.is_pilot:
        return campaign.pilot_judgments
    return campaign.judgments_per_entry if campaign.hand_out == HandOut.EXACT else None


def is_in_stage(campaign: CampaignRow, row: EntryRow) -> bool:
    """Return whether an entry is handed out at the stage that its campaign is in."""
    stage = stage_of(campaign)
    return stage is None or row.is_pilot == (stage is Stage.PILOT)


def is_counted_out(campaign: CampaignRow) -> bool:
    """Return whether a person cannot tell from the number of entries how many are left for them."""
    return campaign.hand_out == HandOut.EXACT or stage_of(campaign) is Stage.PILOT


def hand_out(
    workspace: Workspace, person: Person, campaign: CampaignRow, *, after: int, count: int, skip: Collection[int]
) -> list[EntryRow]:
    """Return up to `count` entries that a person has not answered, each with a place kept for them.

    They come in the person's order, those after number `after` first. `skip` are numbers that the person has in hand. In a
    campaign that takes no judgments now nothing is kept.
    """
    if _is_plain(campaign):
        with workspace.database.read() as connection:
            return campaigns.unjudged_after(
                connection,
                campaign_id=campaign.id,
                person_id=person.id,
                after=after,
                count=count,
                skip=tuple(skip),
            )
    handed: list[EntryRow] = []
    seen = set(skip)
    while len(handed) < count:
        wanted = _wanted(workspace, person, campaign, after=after, count=count - len(handed), seen=seen)
        if not wanted:
            break
        seen.update(each.number for each in wanted)
        # Somebody else may have taken the last place of one meanwhile: then another is looked for.
        handed += _kept(workspace, person, campaign, wanted)
    return handed


def _is_plain(campaign: CampaignRow) -> bool:
    """Return whether everybody gets every entry, by number."""
    asked = (campaign.order_seed, campaign.gold_share, campaign.pilot_judgments)
    return campaign.hand_out == HandOut.ALL and asked == (None, None, None)


def _wanted(
    workspace: Workspace, person: Person, campaign: CampaignRow, *, after: int, count: int, seen: set[int]
) -> list[EntryRow]:
    """Return entries that had a place left a moment ago."""
    stage = stage_of(campaign)
    is_special = campaigns.has_special_entries(campaign)
    special = special_entries_of(workspace, campaign.id, campaign.created_at) if is_special else _NONE
    gold = [each for each in special.gold if stage is None or (each in special.pilot) == (stage is Stage.PILOT)]
    # Without a seed the order is everybody's.
    whose = person.id if campaign.order_seed is not None else 0
    order = order_of(
        workspace, campaign.id, campaign.created_at, stage is Stage.PILOT, campaign.order_seed, whose, special
    )
    places = campaign.judgments_per_entry if campaign.hand_out == HandOut.EXACT else None
    if stage is Stage.PILOT:
        places = campaign.pilot_judgments
    asked = {"campaign_id": campaign.id, "person_id": person.id}
    # One connection at a time: what is kept in memory was read before.
    with workspace.database.read() as connection:
        found = _walk(connection, asked, order, after=after, count=count, seen=seen, places=places)
        if gold:
            found = _with_gold(connection, asked, campaign, order, gold, found, count=count, seen=seen)
        return handing_out.entries_numbered(connection, campaign.id, found[:count])


def _with_gold(
    connection: Connection,
    asked: dict[str, int],
    campaign: CampaignRow,
    order: EntryOrder,
    gold: Sequence[int],
    others: Sequence[int],
    *,
    count: int,
    seen: set[int],
) -> list[int]:
    """Return the next entries, gold ones among them at the person's own turns."""
    seed = campaign.id if campaign.order_seed is None else campaign.order_seed
    person_id = asked["person_id"]
    own = entry_order(as_array(gold), seed=seed, person_id=person_id)
    unseen = [each for each in own.numbers.tolist() if each not in seen]
    left = handing_out.open_among(connection, **asked, numbers=unseen, places=None)
    turn = handing_out.count_answered(connection, **asked) + len(seen)
    share = campaign.gold_share
    if share is None or stage_of(campaign) is Stage.PILOT:
        share = len(gold) / (len(gold) + order.numbers.size)
    turns = [is_gold_turn(turn + each, seed=seed, person_id=person_id, share=share) for each in range(count)]
    return _mixed(others, left, turns, ends_with_others=is_counted_out(campaign))


def _mixed(others: Sequence[int], gold: Sequence[int], turns: Sequence[bool], *, ends_with_others: bool) -> list[int]:
    """Return entries by turns; where one kind is used up, the rest of the other.

    With `ends_with_others` no gold comes when nothing else is left: where others may have taken all places, gold entries one
    after another would be known for what they are.
    """
    rest, golden, mixed = list(others), list(gold), []
    for is_gold in turns:
        if ends_with_others and not rest:
            break
        first, second = (golden, rest) if is_gold else (rest, golden)
        chosen = first or second
        if chosen:
            mixed.append(chosen.pop(0))
    return mixed


def _walk(
    connection: Connection,
    asked: dict[str, int],
    order: EntryOrder,
    *,
    after: int,
    count: int,
    seen: set[int],
    places: int | None,
) -> list[int]:
    """Return the first `count` numbers of an order that can be handed out, looking at more and more at once."""
    numbers = order.numbers_after(after)
    found: list[int] = []
    start, size = 0, _FIRST_PART
    while start < len(numbers) and len(found) < count:
        part = [each for each in numbers[start : start + size].tolist() if each not in seen]
        found += handing_out.open_among(connection, **asked, numbers=part, places=places)
        start, size = start + size, min(4 * size, _LARGEST_PART)
    return found[:count]


def _kept(workspace: Workspace, person: Person, campaign: CampaignRow, rows: Sequence[EntryRow]) -> list[EntryRow]:
    """Return those of the entries at which a place is kept for the person now."""
    if not is_counted_out(campaign) or campaign.state != CampaignState.OPEN:
        return list(rows)
    # Gold entries get a claim as well, by which it is known that they were handed out.
    places = {row.id: _ROOM_FOR_ALL if (most := places_of(campaign, row)) is None else most for row in rows}
    if not takes_judgments(campaign):
        _note(workspace, person, places)
        return list(rows)
    with workspace.database.read() as connection:
        got = claims.fresh(connection, person_id=person.id, entry_ids=list(places))
    if got != set(places):
        with workspace.database.write() as connection:
            got = set(claims.take(connection, person_id=person.id, places=places))
            claims.drop_expired(connection, person_id=person.id)
    return [row for row in rows if row.id in got]


def _note(workspace: Workspace, person: Person, places: Mapping[int, int]) -> None:
    """Note what a person has in hand while a campaign is paused, so that they may take the places when it goes on."""
    with workspace.database.read() as connection:
        known = claims.of_person(connection, person_id=person.id, entry_ids=list(places))
    if known != set(places):
        with workspace.database.write() as connection:
            claims.note(connection, person_id=person.id, places=places)


def keep_place(workspace: Workspace, person: Person, campaign: CampaignRow, row: EntryRow) -> Place | None:
    """Return how a person stands to an entry that they open themselves; a free place is kept for them.

    None where everybody has a place at every entry, or the campaign takes no judgments now. Of a gold entry the same is said
    as of the others, which it must not be told from.
    """
    _, lost = renew(workspace, person, campaign, [row.number], opens=True)
    if lost:
        return Place.TAKEN if is_in_stage(campaign, row) else Place.NOT_NOW
    return Place.MINE if is_counted_out(campaign) and takes_judgments(campaign) else None


def renew(
    workspace: Workspace, person: Person, campaign: CampaignRow, numbers: Sequence[int], *, opens: bool = False
) -> tuple[list[int], list[int]]:
    """Keep the places of a person at entries that they have in hand; return (held, lost) entry numbers.

    A claim that ran out comes back where a place is left. What the person has judged is held without a claim. What they were
    neither handed nor began is lost, unless they open it now (`opens`). Nothing is written while all claims are fresh.
    """
    with workspace.database.read() as connection:
        rows = handing_out.entries_numbered(connection, campaign.id, list(dict.fromkeys(numbers))[:RENEW_MAX])
        ids = [row.id for row in rows]
        judged = handing_out.judged_by(connection, person_id=person.id, entry_ids=ids)
        begun = handing_out.begun_by(connection, person_id=person.id, entry_ids=ids)
        claimed = claims.of_person(connection, person_id=person.id, entry_ids=ids)
        fresh = claims.fresh(connection, person_id=person.id, entry_ids=ids)
    takes = takes_judgments(campaign)
    if not takes and not (opens and campaign.state == CampaignState.OPEN):
        return [row.number for row in rows], []
    lost = {row.id for row in rows if not is_in_stage(campaign, row)} - judged
    if is_counted_out(campaign) and not opens:
        lost |= set(ids) - claimed - begun
    asked = [row for row in rows if row.id not in judged | fresh | lost]
    places = _room(workspace, person, campaign, asked, handed=claimed)
    if not takes:
        _note(workspace, person, places)
        return [row.number for row in rows], []
    if places:
        with workspace.database.write() as connection:
            lost |= set(places) - set(claims.take(connection, person_id=person.id, places=places))
    return [row.number for row in rows if row.id not in lost], [row.number for row in rows if row.id in lost]


def _room(
    workspace: Workspace, person: Person, campaign: CampaignRow, rows: Sequence[EntryRow], *, handed: Collection[int]
) -> dict[int, int]:
    """Return how many places each entry has for a person, by its id; those with one for everybody are left out.

    A gold entry that they were not handed is like the others: it has as many, and none when no other has one left. That it
    always had one would tell what it is.
    """
    places = {row.id: most for row in rows if (most := _places_of_others(campaign, row)) is not None}
    gold = {row.id for row in rows if row.gold is not None} & set(places)
    places |= dict.fromkeys(gold & set(handed), _ROOM_FOR_ALL)
    if strange := gold - set(handed):
        # Of gold entries alone none is wanted.
        is_over = not _wanted(workspace, person, campaign, after=0, count=1, seen=set())
        places |= dict.fromkeys(strange, 0) if is_over else {}
    return places

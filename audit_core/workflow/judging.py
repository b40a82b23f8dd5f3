"""Judging: which entry is next, saving a judgment, keeping a draft. Used by the routes of the judging surface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from audit_core import registry
from audit_core.domain import Answer, CampaignState, JsonObject
from audit_core.errors import CampaignClosed, JudgmentConflict, JudgmentInvalid, NotFound, WriteCollision
from audit_core.protocols import audit
from audit_core.storage import campaigns, flags, judgments
from audit_core.storage.campaigns import CampaignRow, EntryRow
from audit_core.storage.flags import FlagRow
from audit_core.storage.judgments import JudgmentRow
from audit_core.storage.people import Person
from audit_core.workflow.workspace import Workspace

#: Most entries that one request prepares.
UPCOMING_MAX = 10
NONCE_MAX = 100
#: Most entry numbers that a request may ask to leave out.
SKIP_MAX = 500


@dataclass(frozen=True, slots=True)
class MyEntry:
    """An entry as one annotator may see it: with their own newest judgment, draft and questions, and nobody else's."""

    row: EntryRow
    saved: JudgmentRow | None
    draft: JsonObject | None
    flags: tuple[FlagRow, ...] = ()


@dataclass(frozen=True, slots=True)
class Saved:
    """What comes back for a saved judgment. `repeated` is True where that nonce had been saved before."""

    judgment: JudgmentRow
    progress: dict[str, int]
    repeated: bool


def _mine(workspace: Workspace, person: Person, rows: Sequence[EntryRow]) -> list[MyEntry]:
    with workspace.database.read() as connection:
        ids = [row.id for row in rows]
        drafts = judgments.drafts_of(connection, person_id=person.id, entry_ids=ids)
        asked = flags.of_person(connection, person_id=person.id, entry_ids=ids)
        mine = []
        for row in rows:
            saved = judgments.newest(connection, entry_id=row.id, person_id=person.id)
            draft = drafts.get(row.id)
            if draft and saved and draft.base_revision < saved.revision:
                draft = None  # PostgreSQL lets a late draft in while its own judgment is being committed
            mine.append(MyEntry(row, saved, draft.as_json() if draft else None, tuple(asked.get(row.id, ()))))
    return mine


def entry_numbered(workspace: Workspace, person: Person, *, campaign_id: int, number: int) -> MyEntry:
    """Return one entry of a campaign.

    Raises:
        NotFound: the campaign has no entry of that number.
    """
    with workspace.database.read() as connection:
        row = campaigns.entry_by_number(connection, campaign_id, number)
        count = campaigns.count_entries(connection, campaign_id) if row is None else 0
    if row is None:
        raise NotFound(f"This campaign has no entry {number}: its entries are numbered up to {count}.")
    return _mine(workspace, person, [row])[0]


def upcoming(
    workspace: Workspace, person: Person, *, campaign_id: int, after: int, count: int, skip: Sequence[int] = ()
) -> list[MyEntry]:
    """Return up to `count` entries that the person has not answered: those after number `after`, then from the start."""
    count = max(0, min(count, UPCOMING_MAX))
    with workspace.database.read() as connection:
        rows = campaigns.unjudged_after(
            connection,
            campaign_id=campaign_id,
            person_id=person.id,
            after=after,
            count=count,
            skip=tuple(skip)[:SKIP_MAX],
        )
    return _mine(workspace, person, rows)


def progress(workspace: Workspace, person: Person, campaign_id: int) -> dict[str, int]:
    """Return the person's counts in a campaign: entries, judged, cannot_judge, drafts, left, today."""
    with workspace.database.read() as connection:
        return judgments.progress(connection, campaign_id=campaign_id, person_id=person.id)


def protocol_of(campaign: CampaignRow) -> ModuleType:
    """Return the module of the campaign's protocol.

    Raises:
        NotFound: this version does not know it.
    """
    return registry.look_up("audit_core.protocols", campaign.protocol)


def _places(workspace: Workspace, campaign: CampaignRow, row: EntryRow) -> set[str]:
    """Return the page and element ids that a judgment on this entry may name as targets."""
    dataset = workspace.dataset(campaign.dataset_id)
    query = workspace.revision(dataset).query(row.query_id)
    places = {each.page_id for each in query.evidence}
    return places | {each.element_id for each in query.evidence if each.element_id}


def _find(workspace: Workspace, entry_id: int) -> tuple[EntryRow, CampaignRow]:
    with workspace.database.read() as connection:
        row = campaigns.entry_by_id(connection, entry_id)
        campaign = campaigns.by_id(connection, row.campaign_id) if row else None
    if row is None or campaign is None:
        raise NotFound("There is no such entry. Go back to the list of campaigns.")
    return row, campaign


def _base_revision(body: Mapping[str, Any]) -> int:
    base = body.get("base_revision", 0)
    if isinstance(base, bool) or not isinstance(base, int) or not 0 <= base <= 1_000_000:
        raise JudgmentInvalid("base_revision must be the number of the revision that was shown, or 0.")
    return base


def _nonce(body: Mapping[str, Any]) -> str:
    nonce = body.get("nonce")
    if not isinstance(nonce, str) or not 8 <= len(nonce) <= NONCE_MAX or not nonce.isascii() or not nonce.isprintable():
        raise JudgmentInvalid(f"nonce must be a fresh text of 8 to {NONCE_MAX} characters for each judgment.")
    return nonce


def save_judgment(workspace: Workspace, person: Person, *, entry_id: int, body: Mapping[str, Any]) -> Saved:
    """Save one judgment as a new revision, once for its nonce, and remove the draft.

    `body` has nonce, base_revision, outcome, note, reason, active_ms, and what the protocol asks: codes, targets and
    correction of an audit, else fields.

    Raises:
        NotFound: no such entry.
        JudgmentInvalid: the body breaks the protocol.
        JudgmentConflict: the newest revision is not `base_revision`; nothing was saved.
        CampaignClosed: the campaign takes no judgments.
    """
    row, campaign = _find(workspace, entry_id)
    nonce, base = _nonce(body), _base_revision(body)
    places = _places(workspace, campaign, row) if body.get("targets") else None
    protocol = protocol_of(campaign)
    answer: Answer = protocol.parse(body, places=places)
    said = _Said(nonce, base, answer, _correction(workspace, campaign, row, protocol, body.get("correction")))
    try:
        return _save(workspace, person, row, said)
    except WriteCollision:
        # PostgreSQL lets two writers read the same newest revision; the loser finds the winner's row the second time.
        return _save(workspace, person, row, said)


@dataclass(frozen=True, slots=True)
class _Said:
    """A checked request to save."""

    nonce: str
    base: int
    answer: Answer
    correction: JsonObject | None


def _correction(
    workspace: Workspace, campaign: CampaignRow, row: EntryRow, protocol: ModuleType, raw: object
) -> JsonObject | None:
    """Return the proposed correction of a judgment, checked against the entry's documents."""
    if raw is None:
        return None
    # Not at the top: it describes entries, which are made of what stands here.
    from audit_core.workflow.corrections_draft import correction_places, require_known_elements

    places = correction_places(workspace, campaign, row)
    correction: JsonObject | None = protocol.parse_correction(raw, places=places)
    require_known_elements(workspace, campaign, row, correction)
    return correction


def _save(workspace: Workspace, person: Person, row: EntryRow, said: _Said) -> Saved:
    with workspace.database.write() as connection:
        # The newest first: PostgreSQL shows each query what was committed meanwhile, and the same judgment, sent twice at
        # once and saved between the two queries, must be found by its nonce and not be taken for another tab's.
        newest = judgments.newest(connection, entry_id=row.id, person_id=person.id)
        before = judgments.by_nonce(connection, said.nonce)
        if before is not None:
            if before.person_id != person.id or before.entry_id != row.id:
                raise JudgmentInvalid("this nonce belongs to another judgment: make a fresh one.")
            saved, repeated = before, True
        else:
            campaign = campaigns.by_id(connection, row.campaign_id)
            if campaign is None or campaign.state != CampaignState.OPEN:
                raise CampaignClosed("This campaign is closed: it takes no judgments any more. Yours was not saved.")
            if (newest.revision if newest else 0) != said.base:
                raise JudgmentConflict(
                    "You saved this entry in another tab meanwhile. Choose which answer counts.",
                    newest.as_json() if newest else {},
                )
            saved, repeated = (
                judgments.add(
                    connection,
                    entry_id=row.id,
                    person_id=person.id,
                    revision=said.base + 1,
                    nonce=said.nonce,
                    answer=said.answer,
                    correction=said.correction,
                ),
                False,
            )
            judgments.drop_draft(connection, entry_id=row.id, person_id=person.id)
    # Counted after the commit: others who save must not wait for it.
    return Saved(saved, progress(workspace, person, row.campaign_id), repeated)


def save_draft(workspace: Workspace, person: Person, *, entry_id: int, body: Mapping[str, Any]) -> str:
    """Keep an unsaved answer for its annotator and return the time at which it was stored.

    Raises:
        NotFound: no such entry.
        JudgmentInvalid: the body breaks the protocol.
    """
    row, campaign = _find(workspace, entry_id)
    base = _base_revision(body)
    protocol = protocol_of(campaign)
    answer: Answer = protocol.parse(body, is_draft=True)
    content: JsonObject = {
        "outcome": body.get("outcome"),
        "codes": audit.codes_to_text(answer.codes),
        "note": answer.note,
        "reason": answer.reason,
        "targets": answer.targets,
        "correction": protocol.parse_correction(body.get("correction")),
        "active_ms": answer.active_ms,
        **({"fields": answer.fields} if answer.fields else {}),
    }
    try:
        return _store_draft(workspace, person, row, base=base, content=content)
    except WriteCollision:  # two drafts of one entry at once (PostgreSQL): the later one replaces the other
        return _store_draft(workspace, person, row, base=base, content=content)


def _store_draft(workspace: Workspace, person: Person, row: EntryRow, *, base: int, content: JsonObject) -> str:
    with workspace.database.write() as connection:
        newest = judgments.newest(connection, entry_id=row.id, person_id=person.id)
        if newest is not None and newest.revision > base:
            # A draft that was sent before its own judgment was acknowledged, and arrived after it, must not come back.
            return newest.saved_at
        stored = judgments.put_draft(
            connection, entry_id=row.id, person_id=person.id, base_revision=base, content=content
        )
    return stored.saved_at


def discard_draft(workspace: Workspace, person: Person, *, entry_id: int) -> None:
    """Remove the person's draft on an entry, if there is one."""
    with workspace.database.write() as connection:
        judgments.drop_draft(connection, entry_id=entry_id, person_id=person.id)

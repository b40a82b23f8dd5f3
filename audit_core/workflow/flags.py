"""Questions to the lead: an annotator flags an entry, the lead lists the flags of a campaign and answers them."""

from __future__ import annotations

from audit_core.domain import CampaignState
from audit_core.errors import CampaignClosed, JudgmentInvalid, NotFound
from audit_core.storage import activity, campaigns, flags
from audit_core.storage.flags import FlagRow, FlagView
from audit_core.storage.people import Person
from audit_core.workflow.workspace import Workspace

#: Longest question or answer, in characters.
QUESTION_MAX = 4_000


def _text(value: object, field: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise JudgmentInvalid(f"{field} is empty: write a sentence.")
    if len(value) > QUESTION_MAX:
        raise JudgmentInvalid(f"{field} has {len(value):,} characters: shorten it to {QUESTION_MAX:,}.")
    if "\x00" in value:
        raise JudgmentInvalid(f"{field} holds a NUL character, which no database keeps: take it out.")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise JudgmentInvalid(f"{field} holds half of a character (a lone surrogate): retype that character.") from None
    return value.strip()


def raise_flag(workspace: Workspace, person: Person, *, entry_id: int, question: object) -> FlagRow:
    """Store a question of the person with an entry and return it.

    The same question again, while it waits for its answer, is the same flag: a request that is repeated because its
    answer was lost asks once.

    Raises:
        NotFound: no such entry.
        JudgmentInvalid: the question is empty or cannot be kept.
        CampaignClosed: the campaign is closed.
    """
    text = _text(question, "question")
    with workspace.database.write() as connection:
        entry = campaigns.entry_by_id(connection, entry_id)
        campaign = campaigns.by_id(connection, entry.campaign_id) if entry else None
        if entry is None or campaign is None:
            raise NotFound("There is no such entry. Go back to the list of campaigns.")
        if campaign.state != CampaignState.OPEN:
            raise CampaignClosed("This campaign is closed: it takes no questions any more. Ask its lead directly.")
        mine = flags.of_person(connection, person_id=person.id, entry_ids=[entry_id]).get(entry_id, [])
        for each in mine:
            if each.answered_at is None and each.question == text:
                return each
        return flags.add(connection, entry_id=entry_id, person_id=person.id, question=text)


def list_flags(workspace: Workspace, campaign_id: int, *, open_only: bool = False) -> list[FlagView]:
    """Return the questions of a campaign for its lead: those without an answer first, then the newest first."""
    with workspace.database.read() as connection:
        return flags.of_campaign(connection, campaign_id, open_only=open_only)


def answer_flag(workspace: Workspace, person: Person, *, flag_id: int, answer: object) -> FlagRow:
    """Store the lead's answer, replacing an earlier one, and return the flag; whoever asked sees it with the entry.

    Raises:
        NotFound: no such flag.
        JudgmentInvalid: the answer is empty or cannot be kept.
    """
    text = _text(answer, "answer")
    with workspace.database.write() as connection:
        if flags.by_id(connection, flag_id) is None:
            raise NotFound("There is no such question: reload the list.")
        flags.set_answer(connection, flag_id, person_id=person.id, answer=text)
        activity.record(connection, "answer flag", {"flag": flag_id}, person_id=person.id)
        found = flags.by_id(connection, flag_id)
    assert found is not None
    return found

"""Questions to the lead: an annotator flags an entry, the lead lists the flags of a campaign and answers them."""

from __future__ import annotations

from audit_core.domain import CampaignState, Role
from audit_core.errors import CampaignClosed, NotFound
from audit_core.storage import activity, annotators, campaigns, decided_cases, flags
from audit_core.storage.flags import FlagRow, FlagView
from audit_core.storage.people import Person
from audit_core.workflow.precedent_marks import refresh_question
from audit_core.workflow.roles import require_role
from audit_core.workflow.workspace import Workspace
from audit_core.workflow.written_text import checked_text

#: Longest question or answer, in characters.
QUESTION_MAX = 4_000
_NO_SUCH = "There is no such entry. Go back to the list of campaigns."


def raise_flag(workspace: Workspace, person: Person, *, entry_id: int, question: object) -> FlagRow:
    """Store a question of the person with an entry and return it.

    The same question again, while it waits for its answer, is the same flag: a request that is repeated because its
    answer was lost asks once.

    Raises:
        NotFound: no such entry, or not one that the person may judge.
        JudgmentInvalid: the question is empty or cannot be kept.
        CampaignClosed: the campaign is closed.
    """
    text = checked_text(question, "question", longest=QUESTION_MAX)
    with workspace.database.write() as connection:
        entry = campaigns.entry_by_id(connection, entry_id)
        campaign = campaigns.by_id(connection, entry.campaign_id) if entry else None
        if entry is None or campaign is None:
            raise NotFound(_NO_SUCH)
        seat = annotators.seat(connection, campaign_id=campaign.id, person_id=person.id, is_open=campaign.is_open)
        if not seat.is_one:
            raise NotFound(_NO_SUCH)
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
        NotAllowed: the person is an annotator.
        NotFound: no such flag.
        JudgmentInvalid: the answer is empty or cannot be kept.
    """
    require_role(person, Role.ADJUDICATOR)
    text = checked_text(answer, "answer", longest=QUESTION_MAX)
    with workspace.database.write() as connection:
        asked = flags.by_id(connection, flag_id)
        if asked is None:
            raise NotFound("There is no such question: reload the list.")
        # Whoever asked finds their decision by the answer as well.
        decided_cases.forget_words(connection, entry_id=asked.entry_id, person_id=asked.person_id)
        flags.set_answer(connection, flag_id, person_id=person.id, answer=text)
        activity.record(connection, "answer flag", {"flag": flag_id}, person_id=person.id)
        found = flags.by_id(connection, flag_id)
    assert found is not None
    refresh_question(workspace, flag_id)
    return found

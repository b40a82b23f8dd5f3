"""Comments on an entry: written at any time, read by others only once they have judged it themselves."""

from __future__ import annotations

from dataclasses import dataclass

from audit_core.domain import CampaignState, JsonObject, Role
from audit_core.errors import CampaignClosed, NotAllowed, NotFound
from audit_core.storage import activity, campaigns, comments, datasets, decisions
from audit_core.storage.campaigns import CampaignRow, EntryRow
from audit_core.storage.comments import CommentView
from audit_core.storage.database import Connection
from audit_core.storage.people import Person
from audit_core.storage.yet_to_judge import has_judged, waiting_cases
from audit_core.workflow.annotators import may_judge
from audit_core.workflow.roles import require_role
from audit_core.workflow.workspace import Workspace
from audit_core.workflow.written_text import checked_text

#: Longest comment, in characters.
COMMENT_MAX = 4_000
_NO_SUCH = "There is no such entry. Go back to the list of campaigns."


@dataclass(frozen=True, slots=True)
class Conversation:
    """The comments on an entry that one person may see.

    `is_sealed`: those of others, if there are any, are not among them. `is_closed`: the person can write none.
    """

    comments: tuple[CommentView, ...]
    is_sealed: bool
    is_closed: bool


def comment_json(view: CommentView, person: Person) -> JsonObject:
    """Return a comment as the judging surface shows it."""
    return {
        "id": view.comment.id,
        "text": view.comment.text,
        "created_at": view.comment.created_at,
        "author": view.author,
        "mine": view.comment.person_id == person.id,
    }


def _find(connection: Connection, entry_id: int) -> tuple[EntryRow, CampaignRow, str]:
    """Return an entry, its campaign and the name of its dataset."""
    entry = campaigns.entry_by_id(connection, entry_id)
    campaign = campaigns.by_id(connection, entry.campaign_id) if entry else None
    dataset = datasets.by_id(connection, campaign.dataset_id) if campaign else None
    if entry is None or campaign is None or dataset is None:
        raise NotFound(_NO_SUCH)
    return entry, campaign, dataset.name


def require_entry(workspace: Workspace, person: Person, entry_id: int) -> None:
    """Go on where the person may open the entry: they judge in its campaign, or lead or adjudicate.

    Raises:
        NotFound: there is no such entry for them.
    """
    with workspace.database.read() as connection:
        _, campaign, _ = _find(connection, entry_id)
    if not person.role.allows(Role.ADJUDICATOR) and not may_judge(workspace, campaign, person):
        raise NotFound(_NO_SUCH)


def sees_others(connection: Connection, person: Person, entry_id: int) -> bool:
    """Return whether the person may be told what others said of an entry while judging.

    Annotators: once they have judged it (or said "cannot judge"), and as long as the same query does not wait for them in
    another campaign on any revision of the dataset. Adjudicators and leads: unless it waits for them where they judge.

    Raises:
        NotFound: no such entry.
    """
    entry, _, dataset_name = _find(connection, entry_id)
    leads = person.role.allows(Role.ADJUDICATOR)
    case = {(dataset_name, entry.query_id)}
    if waiting_cases(connection, person.id, case, with_gold=False, only_where_active=leads):
        return False
    return leads or entry_id in has_judged(connection, person_id=person.id, entry_ids=[entry_id])


def conversation(workspace: Workspace, person: Person, entry_id: int) -> Conversation:
    """Return the comments on an entry that the person may see: their own, and those of others where `sees_others`.

    Whoever has answered the entry and now reads what others say of it is noted to know it: their later revisions are no
    blind judgments, and agreement leaves them out.

    Raises:
        NotFound: no such entry.
    """
    with workspace.database.read() as connection:
        is_sealed = not sees_others(connection, person, entry_id)
        found = comments.of_entry(connection, entry_id, person_id=person.id if is_sealed else None)
        _, campaign, _ = _find(connection, entry_id)
        has_learned = (
            any(each.comment.person_id != person.id for each in found)
            and entry_id in has_judged(connection, person_id=person.id, entry_ids=[entry_id])
            and not decisions.revealed_among(connection, person_id=person.id, entry_ids=[entry_id])
        )
    if has_learned and not workspace.database.is_read_only:
        with workspace.database.write() as connection:
            decisions.reveal_to(connection, person_id=person.id, entry_ids=[entry_id])
    return Conversation(tuple(found), is_sealed, _takes_no_comments(campaign, person))


def _takes_no_comments(campaign: CampaignRow, person: Person) -> bool:
    return campaign.state != CampaignState.OPEN and not person.role.allows(Role.ADJUDICATOR)


def add_comment(workspace: Workspace, person: Person, *, entry_id: int, text: object) -> CommentView:
    """Store a comment and return it.

    The same words of the same person on the same entry are stored once: a request that is repeated because its answer was
    lost says nothing twice.

    Raises:
        NotFound: no such entry.
        JudgmentInvalid: the text is empty or cannot be kept.
        CampaignClosed: the campaign is closed, and the person is an annotator.
    """
    checked = checked_text(text, "comment", longest=COMMENT_MAX)
    with workspace.database.write() as connection:
        _, campaign, _ = _find(connection, entry_id)
        if _takes_no_comments(campaign, person):
            raise CampaignClosed("This campaign is closed: it takes no comments any more. Tell its lead directly.")
        mine = comments.of_entry(connection, entry_id, person_id=person.id)
        for each in mine:
            if each.comment.text == checked:
                return each
        added = comments.add(connection, entry_id=entry_id, person_id=person.id, text=checked)
        mine = comments.of_entry(connection, entry_id, person_id=person.id)
    return next(each for each in mine if each.comment.id == added)


def delete_comment(workspace: Workspace, person: Person, comment_id: int) -> None:
    """Delete a comment of one's own for good; one that is gone already is fine.

    Raises:
        NotFound: the comment is somebody else's. Whether there is one of that number is nobody's business.
        NotAllowed: the same for a lead, who sees it.
    """
    with workspace.database.write() as connection:
        found = comments.by_id(connection, comment_id)
        if found is not None and found.person_id == person.id:
            comments.delete(connection, comment_id)
            activity.record(connection, "comment-delete", {"entry": found.entry_id}, person_id=person.id)
            return
    if found is not None and person.role.allows(Role.LEAD):
        raise NotAllowed("Only whoever wrote a comment can delete it.")
    raise NotFound("You have no such comment: it may be deleted already.")


def list_comments(
    workspace: Workspace,
    person: Person,
    campaign_id: int,
    *,
    author: str | None = None,
    words: str = "",
    entry: int | None = None,
) -> list[CommentView]:
    """Return the comments of a campaign for its lead or adjudicators, the newest first.

    `author` is a name, `words` must all stand in the text, `entry` is a number; without them all come, except those of
    others on queries that wait for the person where they judge.

    Raises:
        NotAllowed: the person is an annotator.
    """
    # Not at the top: the judging surface needs no folding.
    from audit_core.workflow.case_words import fold

    require_role(person, Role.ADJUDICATOR)
    wanted = fold(words).split()
    _, dataset = workspace.campaign(campaign_id)
    with workspace.database.read() as connection:
        found = comments.of_campaign(connection, campaign_id)
        cases = {(dataset.name, each.query_id) for each in found}
        waiting = waiting_cases(connection, person.id, cases, with_gold=False, only_where_active=True)
    return [
        each
        for each in found
        if (each.comment.person_id == person.id or (dataset.name, each.query_id) not in waiting)
        and (author is None or each.author == author)
        and (entry is None or each.entry_number == entry)
        and all(word in fold(each.comment.text) for word in wanted)
    ]

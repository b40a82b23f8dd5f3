"""What a correction is: one atomic change to one query, with what stood there before and what shall stand there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from audit_core.domain import JsonObject


class Action(StrEnum):
    """What an atomic change does."""

    REWORD = "reword"
    RE_ANSWER = "re-answer"
    ADD_PAGE = "add-page"
    DROP_PAGE = "drop-page"
    ADD_BOX = "add-box"
    MOVE_BOX = "move-box"
    DROP_BOX = "drop-box"
    WITHDRAW = "withdraw"


class CorrectionState(StrEnum):
    """What was made of a correction; only accepted ones are released."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    #: A later revision of it took its place.
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True)
class Change:
    """One atomic change to one query.

    A *piece* is one object of the bundle's `queries.evidence` list, in the bundle's own page numbering and box units, without
    what is null or the default. The set of a piece without `set_id` is the default set, None.

    ```
    action     key                                before                        after
    reword     {}                                 the query's text              another text
    re-answer  {}                                 the answer, or None           another, or None (there is none)
    add-page   {page_id, set_id}                  None                          a piece without a box
    drop-page  {page_id, set_id}                  its pieces, a list            None
    add-box    {page_id, set_id}                  None, or the piece without    a piece with a box
                                                  a box, which it then replaces
    move-box   {page_id, set_id}                  a piece with a box            the piece with another box (and element)
    drop-box   {page_id, set_id}                  a piece with a box            None, or the page's piece without a box where
                                                                                it was the last of the page in that set
    withdraw   {}                                 None                          None
    ```
    """

    query_id: str
    action: Action
    key: JsonObject
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Correction:
    """A change with what it rests on. `author`, `reviewer` and `annotators` are pseudonyms; names are never in it.

    `id` is that of its first revision. `annotators` judged the entry that it comes from, and `agreeing` of them gave the
    decided codes (None: it comes from no entry). `model` and `prompt_hash` tell what helped, None where nothing did.
    """

    id: int
    revision: int
    change: Change
    state: CorrectionState
    code: str | None
    reason: str
    author: str
    reviewer: str | None
    annotators: tuple[str, ...] = ()
    agreeing: int | None = None
    model: str | None = None
    prompt_hash: str | None = None
    campaign: str | None = None

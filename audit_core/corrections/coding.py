"""Which issue code a correction mends."""

from __future__ import annotations

from collections.abc import Mapping

from audit_core.corrections.records import Action
from audit_core.domain import IssueCode

#: Action -> the codes that it may mend, the one that it mends by its nature first.
MENDS: Mapping[Action, str] = {
    Action.REWORD: "FN",
    Action.RE_ANSWER: "FEN",
    Action.ADD_PAGE: "ENU",
    Action.DROP_PAGE: "UEN",
    Action.ADD_BOX: "ENU",
    Action.MOVE_BOX: "EUN",
    Action.DROP_BOX: "EUN",
    Action.WITHDRAW: "NFEU",
}
#: Actions that are wrong with no code where nobody decided on one: an answer is no part of what the codes tell.
_BY_ITSELF_NONE = (Action.RE_ANSWER,)


def code_mended(action: Action, decided: str | None) -> IssueCode | None:
    """Return the code that a correction mends.

    `decided` are the codes of the decision that it comes from, in one string; None where it comes from none, and the action
    alone tells. A decision of which no code fits is mended by it in none.
    """
    fitting = MENDS[action]
    if decided is None:
        return None if action in _BY_ITSELF_NONE else IssueCode(fitting[0])
    return next((IssueCode(each) for each in fitting if each in decided), None)

"""What the judgments on one entry amount to: decided, disputed, cannot judge or not judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from audit_core.domain import Answer, EntryState, IssueCode, Outcome
from audit_core.errors import StatisticsError

How = Literal["adjudicated", "unanimous", "single"]


class EntryValue(NamedTuple):
    """The value of an entry.

    `codes` are the issue codes of a decided entry (empty = correct), else empty. `how` says what decided it, None where
    nothing did (an adjudicator may also decide that the entry cannot be judged). `reason` says in words what the state
    rests on, such as `incomplete: 1 of 2 judgments`.
    """

    state: EntryState
    codes: frozenset[IssueCode]
    how: How | None
    reason: str


def entry_value(judgments: Sequence[Answer], *, needed: int, decision: Answer | None = None) -> EntryValue:
    """Return the value of one entry from its judgments and, where there is one, the adjudicated decision.

    `judgments` holds the newest revision of each annotator, at most one an annotator; `needed` is how many judgments
    an entry of the campaign needs. With j of them judged and c saying that they cannot judge, the first line that
    fits counts:

    ```
    a decision that is judged               decided, adjudicated, with the decision's codes
    a decision "cannot judge"               cannot_judge, adjudicated
    j = 0, c = 0                            not_judged
    j = 0, c >= 1                           cannot_judge
    j >= 2, different codes or targets      disputed, even when j < needed: no further judgment can make them agree
    j < needed                              not_judged (incomplete), whatever c is
    j = 1 (so needed = 1)                   decided, single; an annotator beside who cannot judge does not undo it
    j >= 2, same codes and same targets     decided, unanimous; likewise whatever c is
    ```

    Codes and targets are compared as sets: their order and repetitions say nothing. A code without targets equals one
    with an empty list. Targets of a code that was not given are not compared.

    Raises:
        StatisticsError: `needed` below 1.
    """
    if needed < 1:
        raise StatisticsError(f"An entry needs at least 1 judgment; found {needed}. Set the campaign's number.")
    if decision is not None:
        return _adjudicated(decision)
    judged = [each for each in judgments if each.outcome == Outcome.JUDGED]
    unable = len(judgments) - len(judged)
    return _from_judged(judged, unable, needed) if judged else _nobody_judged(unable)


def _from_judged(judged: Sequence[Answer], unable: int, needed: int) -> EntryValue:
    beside = f"; {unable} cannot judge" if unable else ""
    if len({_content(each) for each in judged}) > 1:
        return EntryValue(EntryState.DISPUTED, frozenset(), None, f"{len(judged)} judgments differ{beside}")
    if len(judged) < needed:
        reason = f"incomplete: {len(judged)} of {needed} judgments{beside}"
        return EntryValue(EntryState.NOT_JUDGED, frozenset(), None, reason)
    codes = frozenset(IssueCode(code) for code in judged[0].codes)
    if len(judged) == 1:
        return EntryValue(EntryState.DECIDED, codes, "single", f"one judgment, as the campaign asks for{beside}")
    return EntryValue(EntryState.DECIDED, codes, "unanimous", f"{len(judged)} judgments agree{beside}")


def _adjudicated(decision: Answer) -> EntryValue:
    if decision.outcome == Outcome.CANNOT_JUDGE:
        return EntryValue(EntryState.CANNOT_JUDGE, frozenset(), "adjudicated", "adjudicated: cannot be judged")
    codes = frozenset(IssueCode(code) for code in decision.codes)
    return EntryValue(EntryState.DECIDED, codes, "adjudicated", "adjudicated")


def _nobody_judged(unable: int) -> EntryValue:
    if unable:
        return EntryValue(EntryState.CANNOT_JUDGE, frozenset(), None, f"{unable} cannot judge, nobody judged")
    return EntryValue(EntryState.NOT_JUDGED, frozenset(), None, "no judgment")


def _content(answer: Answer) -> frozenset[tuple[str, frozenset[str]]]:
    """Return what must be the same in two judgments: each code with the set of its targets."""
    return frozenset((str(code), frozenset(answer.targets.get(str(code), ()))) for code in answer.codes)

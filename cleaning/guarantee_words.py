"""What keeps a guarantee from reaching further, in words, and about how many more labels it would take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from audit_core.statistics.percent import percent_text
from cleaning.fixed_sequence import Outcome, Step, expected_needed, fewest_labels, keeps, labels_needed

if TYPE_CHECKING:
    from cleaning.guarantee_draw import Part
    from cleaning.scoring import ScoredAll

_FAULTLESS = "and that only if none of those kept turns out bad"


def what_is_missing(
    part: Part, scored: ScoredAll, steps: Sequence[Step], blocked: Step | None, *, risk: float, alpha: float
) -> tuple[int | None, str]:
    """Return how many labels more would help, and in words what keeps the bound from reaching further."""
    is_reached = any(each.outcome == Outcome.REJECTED for each in steps)
    lead = "To keep more" if is_reached else "Not reachable with these labels"
    fewest = fewest_labels(risk, alpha)
    if blocked is None:
        if is_reached:
            is_all = steps[-1].outcome == Outcome.REJECTED
            return (
                None,
                f"The bound holds {'even where everything is kept' if is_all else 'wherever it could be tested'}.",
            )
        if never := _never_testable(part, scored, steps[-1], fewest):
            return None, f"{lead}: {never}"
        more = _more_to_test(part, scored, steps[-1], fewest)
        return more, f"{lead}: about {more:,} more labels are needed, {_FAULTLESS}."
    n, bad = blocked.n or 0, blocked.bad or 0
    at = f"where {percent_text(blocked.share_kept)} are kept, {bad:,} of {n:,} labelled ones are bad"
    needed = labels_needed(bad / n, risk, alpha)
    untested = [
        each
        for each in steps
        if each.outcome == Outcome.SKIPPED
        and part.expected(keeps(scored.scores, each.threshold)) > 0.0
        and not _never_testable(part, scored, each, fewest)
    ]
    if needed is None and untested and not is_reached:
        more = _more_to_test(part, scored, untested[-1], fewest)
        return more, (
            f"{lead}: {at}, and thresholds that keep less cannot be tested with so few. About {more:,} more labels are needed "
            f"to test the one that keeps {percent_text(untested[-1].share_kept)}, {_FAULTLESS}."
        )
    if needed is None:
        return None, (
            f"{lead}: no number of labels would do, as far as these tell, because {at}: {percent_text(bad / n)}, which "
            f"is not below {percent_text(risk)}. Another strategy is needed, or more must be removed."
        )
    groups = part.groups_in(keeps(scored.scores, blocked.threshold))
    if needed > groups:
        return None, (
            f"{lead}: no number of labels would do, because about {needed:,} independent ones are needed ({at}) and what is "
            f"kept there are {groups:,} groups of queries that go together."
        )
    more = max(1, math.ceil((needed - n) * part.labels / n))
    return more, f"{lead}: about {more:,} more labels are needed, drawn as these were ({at}; {needed:,} would do)."


def _never_testable(part: Part, scored: ScoredAll, step: Step, fewest: int) -> str:
    """Return why no number of labels could test a threshold: too few groups; empty where some number could."""
    groups = part.groups_in(keeps(scored.scores, step.threshold))
    if groups >= fewest:
        return ""
    return (
        f"no number of labels would do: the bound takes at least {fewest:,} labels that have nothing to do with each other, and "
        f"what is kept makes {groups:,} groups of queries that go together (by document, group or wording)."
    )


def _more_to_test(part: Part, scored: ScoredAll, step: Step, fewest: int) -> int:
    """Return about how many more labels it takes so that a threshold can be tested at all."""
    share = part.expected(keeps(scored.scores, step.threshold)) / part.labels
    return max(1, math.ceil(expected_needed(fewest, share) / share - 1e-9) - part.labels)

"""What the reports of protocols with one verdict an entry share: what a unit's answers come to, and the estimate for all queries."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from audit_core.audit_report.benchmark import whole_benchmark
from audit_core.audit_report.records import DesignCheck, ReportRow
from audit_core.audit_report.verdict_words import Verdict, whole_sentence, whole_warnings
from audit_core.domain import EntryState, SampleDesign
from audit_core.errors import StatisticsError
from audit_core.statistics.stratified import StratifiedEstimate

Value = TypeVar("Value", bound=Hashable)


@dataclass(frozen=True, slots=True)
class WholeEstimate:
    """The estimated share of the verdict among all queries that the sample was drawn from, or the `reason` why there is none.

    `lowest` and `highest` are the weighted shares if the verdict held of no query without a decision, or of every one; None
    where nothing is undetermined.
    """

    estimate: StratifiedEstimate | None
    reason: str | None
    sentence: str
    lowest: float | None
    highest: float | None
    warnings: tuple[str, ...]


def whole_estimate(
    strata: Sequence[ReportRow],
    design: SampleDesign | None,
    check: DesignCheck,
    verdict: Verdict,
    *,
    confidence: float,
) -> WholeEstimate:
    """Return the estimate for all queries; the rows count as `correct` the entries of which the verdict holds."""
    found = whole_benchmark(strata, design, check, confidence=confidence)
    return WholeEstimate(
        estimate=found.estimate,
        reason=found.reason,
        sentence=whole_sentence(found, design, verdict, is_part=check.is_part),
        lowest=found.lowest,
        highest=found.highest,
        warnings=whole_warnings(found, design, check, verdict),
    )


def agreed(values: Sequence[Value], *, unable: int, needed: int) -> tuple[EntryState, Value | None]:
    """Return the state of a unit and, where it is decided, its value.

    `values` are what annotators said, each once; `unable` is how many could not judge. As with the codes of an audit: different
    values are a dispute, even when fewer than `needed` were given, for no further one can make them agree.

    Raises:
        StatisticsError: `needed` below 1.
    """
    if needed < 1:
        raise StatisticsError(f"An entry needs at least 1 judgment; found {needed}. Set the campaign's number.")
    if not values:
        return (EntryState.CANNOT_JUDGE if unable else EntryState.NOT_JUDGED), None
    if len(set(values)) > 1:
        return EntryState.DISPUTED, None
    if len(values) < needed:
        return EntryState.NOT_JUDGED, None
    return EntryState.DECIDED, values[0]

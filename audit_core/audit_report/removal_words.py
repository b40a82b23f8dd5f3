"""The sentences of the report of a removal campaign."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit_core.audit_report.records import BenchmarkEstimate, DesignCheck
from audit_core.audit_report.wording import counted, frame_name, part_sentence, undecided_text
from audit_core.domain import SampleDesign
from audit_core.statistics.percent import interval_text, percent_text
from audit_core.statistics.stratified import StratifiedEstimate

if TYPE_CHECKING:
    from audit_core.audit_report.removal import RemovalRow


def headline(total: RemovalRow) -> str:
    """Return the first sentence of the report, over the decided entries; the undecided ones are told."""
    if not total.entries:
        return "No entries: the share to remove is undefined (0 of 0)."
    if not total.decided:
        entries = counted(total.entries, "entry", "entries")
        first = f"0 of {entries} are decided: the share to remove is undefined (0 of 0)."
    else:
        noun = "entry" if total.decided == 1 else "entries"
        verb = "is" if total.remove == 1 else "are"
        first = (
            f"{total.remove:,} of {total.decided:,} decided {noun} {verb} to be removed: "
            f"{percent_text(total.interval.estimate)}, {interval_text(total.interval)}."
        )
    if not total.undecided:
        return first
    verb = "is" if total.undecided == 1 else "are"
    entries = counted(total.entries, "entry", "entries")
    states = undecided_text(disputed=total.disputed, cannot_judge=total.cannot_judge, not_judged=total.not_judged)
    return f"{first} {total.undecided:,} of {entries} {verb} not decided ({states})."


def whole_sentence(found: BenchmarkEstimate, design: SampleDesign | None, *, is_part: bool) -> str:
    """Return the estimate for all queries that the sample was drawn from, or why there is none."""
    estimate = found.estimate
    if estimate is None or design is None:
        return f"All queries: {found.reason}."
    subject = "Part of the benchmark" if is_part else "Whole benchmark"
    head = f"{subject} ({counted(estimate.population, 'query', 'queries')} of {frame_name(design)})"
    interval = estimate.interval
    if interval.estimate is None:
        return f"{head}: undefined, since {interval.undefined}."
    share = f"{percent_text(interval.estimate)} to be removed"
    if interval.undefined is not None:
        return f"{head}: {share}, interval undefined: {_why(estimate)}."
    return f"{head}: {share}, {interval_text(interval)}."


def _why(estimate: StratifiedEstimate) -> str:
    """Return why there is an estimate and no interval."""
    if estimate.interval.estimate in (0.0, 1.0):
        what = "to be kept" if estimate.interval.estimate == 0 else "to be removed"
        return f"every decided entry is {what}, so the variance formula gives nothing"
    return estimate.interval.undefined or ""


def whole_warnings(found: BenchmarkEstimate, design: SampleDesign | None, check: DesignCheck) -> tuple[str, ...]:
    """Return what belongs beside the estimate for all queries; empty where there is none."""
    if found.estimate is None or design is None:
        return ()
    warnings = [part_sentence(design)] if check.is_part else []
    if found.lowest is not None and found.highest is not None:
        warnings.append(
            f"{counted(found.undetermined, 'drawn query has', 'drawn queries have')} no decision. If none of what is open "
            f"were to be removed, or all of it, the weighted share would be {percent_text(found.lowest)}, or "
            f"{percent_text(found.highest)} (sampling error not included)."
        )
    outside = sum(entries for _, _, entries in check.outside)
    if outside:
        warnings.append(f"{counted(outside, 'entry', 'entries')} outside the design's strata: not in this estimate.")
    if check.frame_matches is False:
        warnings.append("The sample was drawn from another dataset or revision: the estimate is for that one.")
    return tuple(warnings)


def notes(
    total: RemovalRow, *, sharing: int, needed: int, carried: str | None, left_out: str | None = None
) -> tuple[str, ...]:
    """Return what the numbers rest on, in order."""
    lines = [
        f"{counted(total.entries, 'entry', 'entries')} on "
        f"{counted(total.distinct_queries, 'distinct query', 'distinct queries')}.",
        f"An entry is decided by {counted(needed, 'judgment', 'judgments')} that {'says' if needed == 1 else 'all say'} "
        "keep or remove; where some say keep and others remove it is disputed. Criteria decide nothing.",
        "Ratings of the criteria are counted by judgment (the newest of each annotator on an entry), from 0 (bad) to 1 "
        "(good); what was left open is not 0.",
    ]
    if sharing:
        lines.append(
            f"{counted(sharing, 'decided entry shares', 'decided entries share')} an evidence document with another: "
            "the intervals treat entries as independent, and may be too narrow."
        )
    lines += [each for each in (carried, left_out) if each is not None]
    return tuple(lines)

"""The sentences of reports with one verdict an entry, such as "to be removed"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from audit_core.audit_report.records import BenchmarkEstimate, DesignCheck, ReportContext
from audit_core.audit_report.wording import counted, frame_name, part_sentence, undecided_text
from audit_core.domain import SampleDesign
from audit_core.statistics.intervals import Interval
from audit_core.statistics.percent import interval_text, percent_text
from audit_core.statistics.stratified import StratifiedEstimate


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the first number of a report counts: `words` after "are", such as `to be removed`; `others` are the rest."""

    words: str
    others: str
    #: What decides an entry, and what does not, in a sentence of the notes.
    decided_by: str
    #: The share in question, as a noun.
    noun: str


REMOVE = Verdict("to be removed", "to be kept", "keep or remove; where some say keep and others remove it is disputed. "
                 "Criteria decide nothing", "the share to remove")  # fmt: skip


class Counted(Protocol):
    """A row of the table; `interval` is that of the entries of which the verdict holds among the decided ones."""

    @property
    def entries(self) -> int: ...
    @property
    def decided(self) -> int: ...
    @property
    def undecided(self) -> int: ...
    @property
    def disputed(self) -> int: ...
    @property
    def cannot_judge(self) -> int: ...
    @property
    def not_judged(self) -> int: ...
    @property
    def distinct_queries(self) -> int: ...
    @property
    def interval(self) -> Interval: ...


def headline(total: Counted, verdict: Verdict) -> str:
    """Return the first sentence of the report, over the decided entries; the undecided ones are told."""
    if not total.entries:
        return f"No entries: {verdict.noun} is undefined (0 of 0)."
    if not total.decided:
        entries = counted(total.entries, "entry", "entries")
        first = f"0 of {entries} are decided: {verdict.noun} is undefined (0 of 0)."
    else:
        noun = "entry" if total.decided == 1 else "entries"
        verb = "is" if total.interval.count == 1 else "are"
        first = (
            f"{total.interval.count:,} of {total.decided:,} decided {noun} {verb} {verdict.words}: "
            f"{percent_text(total.interval.estimate)}, {interval_text(total.interval)}."
        )
    if not total.undecided:
        return first
    verb = "is" if total.undecided == 1 else "are"
    entries = counted(total.entries, "entry", "entries")
    states = undecided_text(disputed=total.disputed, cannot_judge=total.cannot_judge, not_judged=total.not_judged)
    return f"{first} {total.undecided:,} of {entries} {verb} not decided ({states})."


def whole_sentence(found: BenchmarkEstimate, design: SampleDesign | None, verdict: Verdict, *, is_part: bool) -> str:
    """Return the estimate for all queries that the sample was drawn from, or why there is none."""
    estimate = found.estimate
    if estimate is None or design is None:
        return f"All queries: {found.reason}."
    subject = "Part of the benchmark" if is_part else "Whole benchmark"
    head = f"{subject} ({counted(estimate.population, 'query', 'queries')} of {frame_name(design)})"
    interval = estimate.interval
    if interval.estimate is None:
        return f"{head}: undefined, since {interval.undefined}."
    share = f"{percent_text(interval.estimate)} {verdict.words}"
    if interval.undefined is not None:
        return f"{head}: {share}, interval undefined: {_why(estimate, verdict)}."
    return f"{head}: {share}, {interval_text(interval)}."


def _why(estimate: StratifiedEstimate, verdict: Verdict) -> str:
    """Return why there is an estimate and no interval."""
    if estimate.interval.estimate in (0.0, 1.0):
        what = verdict.others if estimate.interval.estimate == 0 else verdict.words
        return f"every decided entry is {what}, so the variance formula gives nothing"
    return estimate.interval.undefined or ""


def whole_warnings(
    found: BenchmarkEstimate, design: SampleDesign | None, check: DesignCheck, verdict: Verdict
) -> tuple[str, ...]:
    """Return what belongs beside the estimate for all queries; empty where there is none."""
    if found.estimate is None or design is None:
        return ()
    warnings = [part_sentence(design)] if check.is_part else []
    if found.lowest is not None and found.highest is not None:
        warnings.append(
            f"{counted(found.undetermined, 'drawn query has', 'drawn queries have')} no decision. If none of what is open "
            f"were {verdict.words}, or all of it, the weighted share would be {percent_text(found.lowest)}, or "
            f"{percent_text(found.highest)} (sampling error not included)."
        )
    outside = sum(entries for _, _, entries in check.outside)
    if outside:
        warnings.append(f"{counted(outside, 'entry', 'entries')} outside the design's strata: not in this estimate.")
    if check.frame_matches is False:
        warnings.append("The sample was drawn from another dataset or revision: the estimate is for that one.")
    return tuple(warnings)


def sealed_notes(context: ReportContext) -> tuple[str, ...]:
    """Return the note on entries that are kept from the reader; none where nothing is."""
    return () if context.sealed_sentence is None else (context.sealed_sentence,)


def adjudicated_notes(entries: int) -> tuple[str, ...]:
    """Return the sentence on entries that were adjudicated; nothing where none was."""
    if not entries:
        return ()
    are = counted(entries, "entry is", "entries are")
    return (f"{are} adjudicated: the decision counts there, whatever the judgments say.",)


def notes(
    total: Counted,
    verdict: Verdict,
    *,
    sharing: int,
    needed: int,
    carried: str | None,
    left_out: str | None = None,
    beside: tuple[str, ...] = (),
) -> tuple[str, ...]:
    """Return what the numbers rest on, in order."""
    lines = [
        f"{counted(total.entries, 'entry', 'entries')} on "
        f"{counted(total.distinct_queries, 'distinct query', 'distinct queries')}.",
        f"An entry is decided by {counted(needed, 'judgment', 'judgments')} that {'says' if needed == 1 else 'all say'} "
        f"{verdict.decided_by}.",
        *beside,
    ]
    if sharing:
        lines.append(
            f"{counted(sharing, 'decided entry shares', 'decided entries share')} an evidence document with another: "
            "the intervals treat entries as independent, and may be too narrow."
        )
    lines += [each for each in (carried, left_out) if each is not None]
    return tuple(lines)

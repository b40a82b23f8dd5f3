"""The sentences of the audit report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal

from audit_core.audit_report.records import BenchmarkEstimate, ReportContext, ReportRow, StratumMismatch, Use
from audit_core.audit_report.table import STRUCTURES
from audit_core.domain import IssueCode, SampleDesign
from audit_core.statistics.clustered import ClusteredInterval
from audit_core.statistics.percent import interval_text, percent_text
from audit_core.statistics.stratified import StratifiedEstimate, name_list, stratum_name


def counted(number: int, one: str, many: str) -> str:
    """Return a number with its noun, such as `1 entry` or `1,200 entries`."""
    return f"{number:,} {one if number == 1 else many}"


def one_line(text: str) -> str:
    """Return text without line breaks and control characters, runs of blanks made one."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def about(number: float) -> str:
    """Return an expected count to three figures, such as `about 9,790` for 9791.96; below 10 to one decimal."""
    exact = Decimal(repr(float(number)))
    if 0 < exact < Decimal("0.1"):
        return "fewer than 0.1"
    if exact < 10:
        return f"about {exact.quantize(Decimal('0.1'), rounding=ROUND_HALF_UP)}"
    step = Decimal(1).scaleb(max(0, exact.adjusted() - 2))
    return f"about {int((exact / step).quantize(Decimal(1), rounding=ROUND_HALF_UP) * step):,}"


def headline(total: ReportRow) -> str:
    """Return the first sentence of the report, over the decided entries; the undecided are told with bounds."""
    if not total.entries:
        return "No entries: accuracy is undefined (0 of 0)."
    if not total.decided:
        entries = counted(total.entries, "audited entry", "audited entries")
        first = f"0 of {entries} are decided: accuracy is undefined (0 of 0)."
    else:
        noun = "entry" if total.decided == 1 else "entries"
        verb = "is" if total.correct == 1 else "are"
        first = (
            f"{total.correct:,} of {total.decided:,} audited {noun} {verb} correct: "
            f"{percent_text(total.interval.estimate)}, {interval_text(total.interval)}."
        )
    if not total.undecided:
        return first
    states = undecided_text(disputed=total.disputed, cannot_judge=total.cannot_judge, not_judged=total.not_judged)
    return (
        f"{first} {total.undecided:,} of {counted(total.entries, 'entry', 'entries')} "
        f"{'is' if total.undecided == 1 else 'are'} not decided ({states}): over all {total.entries:,} "
        f"the share correct lies between {percent_text(total.lowest)} (each of them incorrect) and "
        f"{percent_text(total.highest)} (each correct)."
    )


def undecided_text(*, disputed: int, cannot_judge: int, not_judged: int) -> str:
    """Return the undecided entries by state, such as `2 disputed, 1 not judged`."""
    states = ((disputed, "disputed"), (cannot_judge, "cannot be judged"), (not_judged, "not judged"))
    return ", ".join(f"{number:,} {word}" for number, word in states if number)


def frame_name(design: SampleDesign) -> str:
    """Return what the sample was drawn from: dataset name and revision."""
    return f"{design.frame_name} {design.frame_revision}".strip() or "an unnamed dataset"


def design_sentence(design: SampleDesign | None) -> str:
    """Return on which design the report rests."""
    if design is None:
        return "Design: none is recorded, so the entries are no probability sample as far as is known."
    drawn = sum(stratum.drawn for stratum in design.strata)
    population = sum(stratum.population for stratum in design.strata)
    seed = "no seed recorded" if design.seed is None else f"seed {design.seed}"
    kind = "a probability sample" if design.is_probability else "no probability sample"
    if design.strata and drawn == population:
        kind = "a census"
    return (
        f"Design: {design.method} ({seed}) from {frame_name(design)}, {drawn:,} of "
        f"{counted(population, 'query', 'queries')} in {counted(len(design.strata), 'stratum', 'strata')}; {kind}."
    )


def carried_sentence(context: ReportContext) -> str | None:
    """Return how many judged entries have judgments from a campaign on another dataset revision; None where none has."""
    carried = context.carried_over
    if carried is None:
        return None
    origin = f"campaign {carried.campaign} on {carried.dataset_name} {carried.dataset_revision}"
    if not carried.entries:
        return f"Made from {origin}; no entry has a judgment that was carried over."
    number = counted(carried.entries, "has a judgment", "have judgments")
    return (
        f"Of {counted(carried.judged, 'judged entry', 'judged entries')}, {number} carried over from {origin} "
        f"({counted(carried.judgments, 'judgment', 'judgments')}): query, answer and evidence of such an entry are the same "
        "in both revisions. All other judgments were made on this revision."
    )


def mismatch_sentence(each: StratumMismatch) -> str:
    """Return how one stratum's entries differ from those drawn."""
    name = stratum_name(each.source, each.evidence_structure)
    return f"{name}: {each.drawn:,} drawn, {counted(each.entries, 'entry', 'entries')}, {each.decided:,} decided."


def benchmark_sentence(
    estimate: StratifiedEstimate, design: SampleDesign, *, is_part: bool = False, is_pooled: bool = False
) -> str:
    """Return the whole-benchmark estimate in words; `is_pooled` where all queries were taken as one stratum."""
    subject = "Part of the benchmark" if is_part else "Whole benchmark"
    head = f"{subject} ({counted(estimate.population, 'query', 'queries')} of {frame_name(design)})"
    interval = estimate.interval
    if interval.estimate is None:
        return f"{head}: undefined, since {interval.undefined}; each stratum's own interval stands in the table."
    share = f"{percent_text(interval.estimate)} correct"
    if interval.undefined is not None:
        return f"{head}: {share}, {interval_text(interval)}; each stratum's own interval stands in the table."
    if estimate.is_census:
        return f"{head}: {interval.count:,} are correct, {percent_text(interval.estimate)}; {interval_text(interval)}."
    how = "all queries taken as one stratum" if is_pooled else "strata weighted by their number of queries"
    return f"{head}: {share}, {interval_text(interval)}; {how}."


def remaining_sentence(estimate: StratifiedEstimate, *, is_pooled: bool = False) -> str | None:
    """Return how many faulty queries are expected among those without a decision; None where that is undefined."""
    faulty = estimate.remaining_faulty
    if faulty is None or not estimate.remaining:
        return None
    among = f"Among the {counted(estimate.remaining, 'query', 'queries')} without a decision"
    if faulty == 0:
        return (
            f"{among} no faulty one is expected, as no decided entry stands for one; this does not show that none is."
        )
    rest = "the others are as the decided entries" if is_pooled else "each stratum's rest is as its decided entries"
    return f"{among}, {about(faulty)} faulty ones are expected if {rest} are."


def undetermined_sentence(
    undetermined: int,
    undrawn: Sequence[str],
    lowest: float,
    highest: float,
    *,
    is_pooled: bool = False,
    is_defined: bool = True,
) -> str:
    """Return what is assumed of drawn queries without a decision and of strata without a draw, with the worst cases."""
    parts = []
    if undetermined:
        no_decision = f"{counted(undetermined, 'drawn query has', 'drawn queries have')} no decision"
        stand = "stand for all that were drawn" if is_pooled else "of a stratum stand for all that were drawn from it"
        parts.append(
            f"{no_decision}: the decided entries {stand}, as if decisions were missing at random."
            if is_defined
            else f"{no_decision}."
        )
    if undrawn:
        parts.append(f"Nothing was drawn from {name_list(undrawn)}.")
    parts.append(
        f"If all of these were incorrect, or all correct, the weighted share correct would be {percent_text(lowest)}, "
        f"or {percent_text(highest)} (sampling error not included)."
    )
    return " ".join(parts)


def part_sentence(design: SampleDesign) -> str:
    """Return to which part of the dataset the frame was narrowed, and what follows."""
    return f"The sample was drawn from a part of the dataset ({frame_name(design)}): nothing follows for the other queries."


def pooled_sentence(thin: Sequence[str]) -> str:
    """Return why all queries are taken as one stratum."""
    return (
        f"A simple random sample with fewer than two decided entries in {name_list(thin)}: all queries are taken as one "
        "stratum, which is right for such a sample, with a wider interval than the strata would give."
    )


def notes(
    *,
    total: ReportRow,
    structures: Sequence[ReportRow],
    clustered: ClusteredInterval | None,
    by_judges: Mapping[int, int],
    by_how: Mapping[str, int],
    context: ReportContext,
) -> tuple[str, ...]:
    """Return the notes that stand under the headline, in order."""
    lines = [_codes_note(total)]
    lines += [
        f"The {counted(row.entries, 'entry', 'entries')} of {row.evidence_structure} are "
        f"{counted(row.distinct_queries, 'distinct query', 'distinct queries')}: counts are of entries."
        for row in structures
        if row.distinct_queries < row.entries
    ]
    lines.append(
        f"In all, {counted(total.entries, 'entry', 'entries')} on "
        f"{counted(total.distinct_queries, 'distinct query', 'distinct queries')}."
    )
    lines += _decided_notes(by_judges, by_how)
    lines.append(_clustered_note(clustered, total))
    unknown = [row.evidence_structure for row in structures if row.evidence_structure not in STRUCTURES]
    if unknown:
        names = ", ".join(repr(each) for each in unknown)
        lines.append(f"Not one of the six evidence structures, shown last: {names}.")
    beside = (carried_sentence(context), left_out_sentence(context), context.sealed_sentence)
    return (*lines, *(each for each in beside if each is not None))


def left_out_sentence(context: ReportContext) -> str | None:
    """Return how many entries the report leaves out, by kind; None where it leaves out none."""
    if not context.left_out:
        return None
    left = ", ".join(f"{number:,} {kind}" for kind, number in sorted(context.left_out.items()))
    return f"Entries that never enter estimates are left out: {left}."


def _codes_note(total: ReportRow) -> str:
    found = ", ".join(f"{code.value} {total.codes[code]:,}" for code in IssueCode)
    given = sum(total.codes.values())
    incorrect = counted(total.incorrect, "incorrect entry", "incorrect entries")
    return (
        f"Codes: {found}. Each counts entries; an entry with several codes counts under each, so codes may add up to "
        f"more than the incorrect entries (here {counted(given, 'code', 'codes')} on {incorrect})."
    )


def _decided_notes(by_judges: Mapping[int, int], by_how: Mapping[str, int]) -> list[str]:
    lines = []
    if by_judges:
        parts = [f"{judges:,} for {number:,}" for judges, number in by_judges.items()]
        lines.append(f"Annotators to a decided entry: {', '.join(parts)}.")
    if by_how:
        parts = [f"{number:,} {how}" for how, number in by_how.items()]
        lines.append(f"How entries were decided: {', '.join(parts)}.")
    return lines


def _clustered_note(clustered: ClusteredInterval | None, total: ReportRow) -> str:
    if not total.decided:
        return "No entry is decided, so no document-clustered interval is shown."
    if clustered is None:
        return "No two decided entries share an evidence document, so no document-clustered interval is shown."
    return (
        f"{counted(clustered.sharing, 'decided entry shares', 'decided entries share')} an evidence document with "
        f"another ({clustered.documents:,} documents in all): {interval_text(clustered.interval)} "
        f"({clustered.resamples:,} resamples, seed {clustered.seed})."
    )


def uses(
    benchmark: BenchmarkEstimate, design: SampleDesign | None, clustered: ClusteredInterval | None
) -> tuple[Use, ...]:
    """Return what each number may be used for."""
    found = [
        Use(
            "Audited entries",
            "Says how many of the decided entries are correct. The interval is nominal: it treats entries as "
            "independent draws and is for these entries only, not for the whole benchmark, nor for what is left after "
            "corrections.",
        ),
        Use("Whole benchmark", _use_of_the_estimate(benchmark, design)),
        Use("Strata", _use_of_strata(benchmark)),
        Use(
            "Subtotals by source and by structure",
            "Unweighted: they describe the entries, in the proportions in which these were drawn.",
        ),
    ]
    if clustered is not None:
        text = "Beside the plain interval of the audited entries: it allows for entries that share documents."
        found.append(Use("Document-clustered interval", text))
    return tuple(found)


def _use_of_the_estimate(benchmark: BenchmarkEstimate, design: SampleDesign | None) -> str:
    estimate = benchmark.estimate
    if estimate is None or design is None:
        return f"No number may be given: {benchmark.reason}."
    if estimate.interval.estimate is None:
        return f"No number may be given: undefined, since {estimate.interval.undefined}."
    return (
        f"Use it for statements on all {counted(estimate.population, 'query', 'queries')} of {frame_name(design)} "
        "as they stood when the sample was drawn, not on a corrected or cleaned version."
    )


def _use_of_strata(benchmark: BenchmarkEstimate) -> str:
    if benchmark.estimate is None:
        return "Describe the entries of the stratum, not its other queries."
    if benchmark.estimate.is_census:
        return "The shares are exact, since every query was judged; an interval takes them for draws from more such."
    return "Hold for all queries of the stratum, which had equal chances of a draw; few entries make an interval wide."

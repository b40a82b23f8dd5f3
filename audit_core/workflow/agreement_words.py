"""What is said beside the figures of agreement: what they rest on, and what was left out and why."""

from __future__ import annotations

from collections.abc import Iterator

from audit_core.agreement.report import AgreementReport
from audit_core.agreement.wording import sealed_sentence
from audit_core.audit_report.wording import counted
from audit_core.workflow.agreement_reading import BlindAnswers
from audit_core.workflow.random_share import ACTIVE

#: From so many documents on a bootstrap over them is worth its name.
FEW_DOCUMENTS = 20


def notes_of(report: AgreementReport, found: BlindAnswers) -> Iterator[str]:
    """Yield the notes of a report, a sentence each."""
    part = "pilot" if report.part == "pilot" else "sample"
    yield (
        f"{counted(report.judged, 'entry', 'entries')} of the {part} with an answer, {report.shared:,} of them with answers of "
        f"two or more annotators, on {counted(report.documents, 'document', 'documents')}."
    )
    if (sealed := sealed_sentence(report)) is not None:
        yield sealed
    if report.cannot_judge:
        yield f'{counted(report.cannot_judge, "answer is", "answers are")} "cannot judge": counted here, compared with nothing.'
    if report.revealed:
        alone = (
            f"; {counted(report.only_revealed, 'time', 'times')} there is no earlier one to take instead"
            if report.only_revealed
            else ""
        )
        yield (
            f"{counted(report.revealed, 'answer was', 'answers were')} saved after their annotator saw what others said: left "
            f"out{alone}."
        )
    if report.revised:
        yield (
            f"{counted(report.revised, 'answer was', 'answers were')} revised before that, and the last revision counts: whoever "
            "revises may have read comments or precedents meanwhile."
        )
    if report.gold_left_out:
        yield f"{counted(report.gold_left_out, 'gold entry is', 'gold entries are')} left out: their answer was known."
    if report.other_part:
        other = "sample" if report.part == "pilot" else "pilot"
        yield f"{counted(report.other_part, 'judged entry', 'judged entries')} of the {other} stand apart: ask for them by themselves."
    scores = sum(each.selection in ACTIVE for each in found.entries)
    if scores:
        yield f"{counted(scores, 'entry was', 'entries were')} chosen by scores, so that these figures say nothing of the other queries."
    if report.plan is None:
        yield "Intervals were not asked for."
    else:
        yield (
            f"Intervals: {report.interval_method}. They show the uncertainty from which documents were drawn, not from who "
            f"judged; an interval from fewer than {FEW_DOCUMENTS} documents is too narrow."
        )
    yield "The scale of each thing is the protocol's, with the values that nobody gave."

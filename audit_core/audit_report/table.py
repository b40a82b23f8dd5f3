"""The table of the audit report: strata in order, subtotals and the total."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from audit_core.audit_report.records import EntryOutcome, ReportRow, RowKind, StratumKey
from audit_core.domain import EntryState, EvidenceStructure, IssueCode, SampleDesign, Stratum
from audit_core.statistics.intervals import Interval, wilson

STRUCTURES = tuple(structure.value for structure in EvidenceStructure)


def table_rows(
    outcomes: Sequence[EntryOutcome],
    design: SampleDesign | None,
    *,
    sources: Sequence[str],
    confidence: float,
) -> tuple[ReportRow, ...]:
    """Return the rows in table order: source x structure, by source, by structure, total.

    Sources stand in the order of `sources`, others after them as first seen; structures in the order of
    `EvidenceStructure`, unknown ones after them by name. A stratum has a row when it has entries or the design names
    it. The row of the total is there even without entries.
    """
    strata = {} if design is None else {(each.source, each.evidence_structure): each for each in design.strata}
    keys = _ordered_keys(outcomes, strata, sources)
    rows = _grouped("stratum", keys, outcomes, strata, confidence, lambda key: key)
    seen_sources = list(dict.fromkeys(source for source, _ in keys))
    rows += _grouped("source", [(each, "") for each in seen_sources], outcomes, strata, confidence, _by_source)
    structures = sorted({structure for _, structure in keys}, key=structure_order)
    rows += _grouped("structure", [("", each) for each in structures], outcomes, strata, confidence, _by_structure)
    rows += _grouped("total", [("", "")], outcomes, strata, confidence, lambda _: ("", ""))
    return tuple(rows)


def structure_order(structure: str) -> tuple[int, str]:
    """Return the sort key of an evidence structure; unknown ones come last, by name."""
    return (STRUCTURES.index(structure), "") if structure in STRUCTURES else (len(STRUCTURES), structure)


def _ordered_keys(
    outcomes: Sequence[EntryOutcome], strata: dict[StratumKey, Stratum], sources: Sequence[str]
) -> list[StratumKey]:
    keys = {(each.source, each.evidence_structure) for each in outcomes} | set(strata)
    order: dict[str, int] = {}
    for source in (*sources, *(each.source for each in outcomes), *(source for source, _ in strata)):
        order.setdefault(source, len(order))
    return sorted(keys, key=lambda key: (order[key[0]], structure_order(key[1])))


def _by_source(key: StratumKey) -> StratumKey:
    return key[0], ""


def _by_structure(key: StratumKey) -> StratumKey:
    return "", key[1]


def _grouped(
    kind: RowKind,
    groups: Sequence[StratumKey],
    outcomes: Sequence[EntryOutcome],
    strata: dict[StratumKey, Stratum],
    confidence: float,
    group_of: Callable[[StratumKey], StratumKey],
) -> list[ReportRow]:
    entries: dict[StratumKey, list[EntryOutcome]] = {group: [] for group in groups}
    drawn: dict[StratumKey, list[Stratum]] = {group: [] for group in groups}
    for outcome in outcomes:
        entries[group_of((outcome.source, outcome.evidence_structure))].append(outcome)
    for key, stratum in strata.items():
        drawn[group_of(key)].append(stratum)
    return [_row(kind, group, entries[group], drawn[group], confidence) for group in groups]


def _row(
    kind: RowKind,
    group: StratumKey,
    outcomes: Sequence[EntryOutcome],
    strata: Sequence[Stratum],
    confidence: float,
) -> ReportRow:
    decided = [each for each in outcomes if each.state is EntryState.DECIDED]
    correct = sum(not each.codes for each in decided)
    undecided = len(outcomes) - len(decided)
    return ReportRow(
        kind=kind,
        source=group[0] if kind in ("stratum", "source") else None,
        evidence_structure=group[1] if kind in ("stratum", "structure") else None,
        entries=len(outcomes),
        decided=len(decided),
        correct=correct,
        codes={code: sum(code in each.codes for each in decided) for code in IssueCode},
        disputed=_count(outcomes, EntryState.DISPUTED),
        cannot_judge=_count(outcomes, EntryState.CANNOT_JUDGE),
        not_judged=_count(outcomes, EntryState.NOT_JUDGED),
        distinct_queries=len({each.query_id for each in outcomes}),
        distinct_decided=len({each.query_id for each in decided}),
        interval=_interval(correct, len(decided), len(outcomes), confidence),
        lowest=correct / len(outcomes) if outcomes else None,
        highest=(correct + undecided) / len(outcomes) if outcomes else None,
        population=sum(each.population for each in strata) if strata else None,
        drawn=sum(each.drawn for each in strata) if strata else None,
    )


def _interval(correct: int, decided: int, entries: int, confidence: float) -> Interval:
    interval = wilson(correct, decided, confidence=confidence)
    if entries and not decided:
        return replace(interval, undefined="no decided entries (0 of 0)")
    return interval


def _count(outcomes: Iterable[EntryOutcome], state: EntryState) -> int:
    return sum(each.state is state for each in outcomes)

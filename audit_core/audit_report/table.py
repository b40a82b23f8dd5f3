"""The table of the audit report: strata in order, subtotals and the total."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from audit_core.audit_report.records import EntryOutcome, ReportRow, RowKind, StratumKey, UnjudgedEntries
from audit_core.domain import EntryState, EvidenceStructure, IssueCode, SampleDesign, Stratum
from audit_core.statistics.intervals import Interval, wilson

STRUCTURES = tuple(structure.value for structure in EvidenceStructure)


@dataclass(frozen=True, slots=True)
class _Counted:
    """What the table counts: entries one by one, entries without a judgment by stratum, and the design's strata."""

    outcomes: Sequence[EntryOutcome]
    unjudged: Sequence[UnjudgedEntries]
    strata: Mapping[StratumKey, Stratum]
    confidence: float


def table_rows(
    outcomes: Sequence[EntryOutcome],
    design: SampleDesign | None,
    *,
    sources: Sequence[str],
    confidence: float,
    unjudged: Sequence[UnjudgedEntries] = (),
) -> tuple[ReportRow, ...]:
    """Return the rows in table order: source x structure, by source, by structure, total.

    `unjudged` are entries beside the outcomes, without a judgment; a query of theirs lies in one stratum. Sources stand in
    the order of `sources`, others after them as first seen; structures in the order of `EvidenceStructure`, unknown ones
    after them by name. A stratum has a row when it has entries or the design names it. The row of the total is there
    even without entries.
    """
    strata = {} if design is None else {(each.source, each.evidence_structure): each for each in design.strata}
    counted = _Counted(outcomes, [each for each in unjudged if each.entries], strata, confidence)
    keys = _ordered_keys(counted, sources)
    rows = _grouped("stratum", keys, counted, lambda key: key)
    seen_sources = list(dict.fromkeys(source for source, _ in keys))
    rows += _grouped("source", [(each, "") for each in seen_sources], counted, _by_source)
    structures = sorted({structure for _, structure in keys}, key=structure_order)
    rows += _grouped("structure", [("", each) for each in structures], counted, _by_structure)
    rows += _grouped("total", [("", "")], counted, lambda _: ("", ""))
    return tuple(rows)


def structure_order(structure: str) -> tuple[int, str]:
    """Return the sort key of an evidence structure; unknown ones come last, by name."""
    return (STRUCTURES.index(structure), "") if structure in STRUCTURES else (len(STRUCTURES), structure)


def _ordered_keys(counted: _Counted, sources: Sequence[str]) -> list[StratumKey]:
    seen = [(each.source, each.evidence_structure) for each in counted.outcomes]
    seen += [(each.source, each.evidence_structure) for each in counted.unjudged]
    keys = {*seen, *counted.strata}
    order: dict[str, int] = {}
    for source in (*sources, *(source for source, _ in seen), *(source for source, _ in counted.strata)):
        order.setdefault(source, len(order))
    return sorted(keys, key=lambda key: (order[key[0]], structure_order(key[1])))


def _by_source(key: StratumKey) -> StratumKey:
    return key[0], ""


def _by_structure(key: StratumKey) -> StratumKey:
    return "", key[1]


def _grouped(
    kind: RowKind, groups: Sequence[StratumKey], counted: _Counted, group_of: Callable[[StratumKey], StratumKey]
) -> list[ReportRow]:
    entries: dict[StratumKey, list[EntryOutcome]] = {group: [] for group in groups}
    unjudged: dict[StratumKey, list[UnjudgedEntries]] = {group: [] for group in groups}
    drawn: dict[StratumKey, list[Stratum]] = {group: [] for group in groups}
    for outcome in counted.outcomes:
        entries[group_of((outcome.source, outcome.evidence_structure))].append(outcome)
    for each in counted.unjudged:
        unjudged[group_of((each.source, each.evidence_structure))].append(each)
    for key, stratum in counted.strata.items():
        drawn[group_of(key)].append(stratum)
    return [_row(kind, group, entries[group], unjudged[group], drawn[group], counted.confidence) for group in groups]


def _row(
    kind: RowKind,
    group: StratumKey,
    outcomes: Sequence[EntryOutcome],
    unjudged: Sequence[UnjudgedEntries],
    strata: Sequence[Stratum],
    confidence: float,
) -> ReportRow:
    decided = [each for each in outcomes if each.state is EntryState.DECIDED]
    correct = sum(not each.codes for each in decided)
    silent = sum(each.entries for each in unjudged)
    entries = len(outcomes) + silent
    return ReportRow(
        kind=kind,
        source=group[0] if kind in ("stratum", "source") else None,
        evidence_structure=group[1] if kind in ("stratum", "structure") else None,
        entries=entries,
        decided=len(decided),
        correct=correct,
        codes={code: sum(code in each.codes for each in decided) for code in IssueCode},
        disputed=_count(outcomes, EntryState.DISPUTED),
        cannot_judge=_count(outcomes, EntryState.CANNOT_JUDGE),
        not_judged=_count(outcomes, EntryState.NOT_JUDGED) + silent,
        distinct_queries=len({each.query_id for each in outcomes}) + sum(each.queries for each in unjudged),
        distinct_decided=len({each.query_id for each in decided}),
        interval=_interval(correct, len(decided), entries, confidence),
        lowest=correct / entries if entries else None,
        highest=(correct + entries - len(decided)) / entries if entries else None,
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

"""The records of an audit report: what goes in and what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from audit_core.domain import EntryState, IssueCode, SampleDesign
from audit_core.errors import StatisticsError
from audit_core.statistics.clustered import ClusteredInterval
from audit_core.statistics.intervals import Interval
from audit_core.statistics.stratified import StratifiedEstimate

RowKind = Literal["stratum", "source", "structure", "total"]
StratumKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class EntryOutcome:
    """The value of one entry of a campaign.

    `document_ids` are the distinct documents of its evidence. `codes` are the issue codes of a decided entry (empty =
    correct) and empty in any other state. `judges` counts the distinct annotators who judged it; `how` says what
    decided it (`adjudicated`, `unanimous` or `single`), None where that is unknown or nothing did. Several entries
    may be the same query.
    """

    entry: int
    query_id: str
    source: str
    evidence_structure: str
    document_ids: frozenset[str]
    state: EntryState
    codes: frozenset[IssueCode] = frozenset()
    judges: int = 0
    how: str | None = None

    def __post_init__(self) -> None:
        try:
            state = EntryState(self.state)
            codes = frozenset(IssueCode(code) for code in self.codes)
        except ValueError as error:
            raise StatisticsError(
                f"Entry {self.entry}: {error}. Use a state and codes of the audit protocol."
            ) from error
        if codes and state is not EntryState.DECIDED:
            raise StatisticsError(
                f"Entry {self.entry} has codes but is {state.value}: only a decided entry counts codes."
            )
        if self.judges < 0:
            raise StatisticsError(
                f"Entry {self.entry} has {self.judges} judges. Give the number of distinct annotators."
            )
        object.__setattr__(self, "state", state)
        object.__setattr__(self, "codes", codes)
        object.__setattr__(self, "document_ids", frozenset(self.document_ids))


@dataclass(frozen=True, slots=True)
class UnjudgedEntries:
    """Entries of one stratum on which nobody said anything, counted instead of given one by one.

    `queries` are the distinct queries among them that no entry given one by one has.
    """

    source: str
    evidence_structure: str
    entries: int
    queries: int

    def __post_init__(self) -> None:
        if not 0 <= self.queries <= self.entries:
            raise StatisticsError(
                f"{self.source} {self.evidence_structure}: {self.queries} queries in {self.entries} entries without a "
                "judgment. Give each query once."
            )


@dataclass(frozen=True, slots=True)
class CarriedOver:
    """From which campaign judgments were carried over, as query, answer and evidence are the same in both revisions.

    Of the `judged` entries (with a judgment of any kind), `entries` have a newest judgment that came so, and
    `judgments` such judgments are on them.
    """

    campaign: str
    dataset_name: str
    dataset_revision: str
    entries: int
    judged: int
    judgments: int


@dataclass(frozen=True, slots=True)
class ReportContext:
    """What the numbers rest on. `left_out` counts entries that never enter estimates, such as `{"gold": 20}`.

    `carried_over` is None where no judgment comes from a campaign on another dataset revision. `sealed` are entries that
    others judged and that count as not judged, since whoever reads the report is to judge them first.
    """

    dataset_name: str
    dataset_revision: str
    content_hash: str
    campaign: str
    protocol: str
    when: datetime
    left_out: Mapping[str, int] = field(default_factory=dict)
    carried_over: CarriedOver | None = None
    sealed: int = 0

    @property
    def sealed_sentence(self) -> str | None:
        """How many entries are kept from the reader; None where none are."""
        if not self.sealed:
            return None
        waits, them = ("entry waits", "it is") if self.sealed == 1 else ("entries wait", "they are")
        return f"{self.sealed:,} {waits} for your own judgment: {them} counted as not judged here."


@dataclass(frozen=True, slots=True)
class ReportRow:
    """One line of the table; all numbers are counts of entries unless they say otherwise.

    `correct` of `decided` is the proportion of `interval` (plain Wilson); `entries` = `decided` + `disputed` +
    `cannot_judge` + `not_judged`. An entry with several codes counts in `codes` under each. `lowest` and `highest`
    are the accuracy over all entries if every undecided one were incorrect, or correct; None where there are no
    entries. `distinct_queries` are those among the entries, `distinct_decided` those among the decided ones.
    `population` and `drawn` are the design's number of queries, None without a design that names them.
    """

    kind: RowKind
    source: str | None
    evidence_structure: str | None
    entries: int
    decided: int
    correct: int
    codes: Mapping[IssueCode, int]
    disputed: int
    cannot_judge: int
    not_judged: int
    distinct_queries: int
    distinct_decided: int
    interval: Interval
    lowest: float | None
    highest: float | None
    population: int | None
    drawn: int | None

    @property
    def undecided(self) -> int:
        """Entries without a decision: disputed, cannot judge or not judged."""
        return self.entries - self.decided

    @property
    def incorrect(self) -> int:
        """Decided entries that carry at least one code."""
        return self.decided - self.correct


@dataclass(frozen=True, slots=True)
class StratumMismatch:
    """A stratum whose entries are not those that the design says were drawn."""

    source: str
    evidence_structure: str
    drawn: int
    entries: int
    decided: int
    distinct_queries: int


@dataclass(frozen=True, slots=True)
class DesignCheck:
    """Whether the entries are those of the design.

    `mismatches` are strata where the entries, the distinct queries or the decided entries are not as many as were
    drawn; `outside` the strata that the design does not name, with their entries; `frame_matches` whether the design
    was drawn from the dataset revision of this report (None without a design); `is_part` whether it was drawn from a part
    of it, to which a filter or the queries of earlier campaigns narrow it.
    """

    mismatches: tuple[StratumMismatch, ...]
    outside: tuple[tuple[str, str, int], ...]
    frame_matches: bool | None
    sentences: tuple[str, ...]
    is_part: bool = False


@dataclass(frozen=True, slots=True)
class BenchmarkEstimate:
    """The estimate for the whole benchmark, or why there is none.

    `estimate` is None and `reason` a sentence where the entries allow none. `sentence` is what to print in either
    case, `remaining_sentence` how many faulty queries are expected among those without a decision (None where
    undefined). `undetermined` counts drawn queries without a decision; `lowest` and `highest` are the weighted shares
    if all of those were incorrect, or correct (a stratum of which nothing was drawn is then all incorrect, or all
    correct), without the sampling error; None where nothing is undetermined. `rests_on` and `warnings` belong beside
    the number.
    """

    estimate: StratifiedEstimate | None
    reason: str | None
    sentence: str
    remaining_sentence: str | None
    rests_on: str | None
    undetermined: int
    lowest: float | None
    highest: float | None
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Use:
    """What one number of the report may be used for."""

    number: str
    text: str


@dataclass(frozen=True, slots=True)
class AuditReport:
    """The whole report. `rows` stand in table order: strata, then by source, by structure, and the total last.

    `by_judges` maps a number of annotators to the decided entries that rest on so many; `by_how` likewise what
    decided them. `clustered` is None where no two decided entries share a document. `carried_sentence` says from where
    judgments were carried over, None where none was.
    """

    context: ReportContext
    design: SampleDesign | None
    headline: str
    design_sentence: str
    rows: tuple[ReportRow, ...]
    total: ReportRow
    clustered: ClusteredInterval | None
    benchmark: BenchmarkEstimate
    design_check: DesignCheck
    by_judges: Mapping[int, int]
    by_how: Mapping[str, int]
    notes: tuple[str, ...]
    uses: tuple[Use, ...]
    carried_sentence: str | None = None

    def rows_of(self, kind: RowKind) -> tuple[ReportRow, ...]:
        """Return the rows of one kind, in table order."""
        return tuple(row for row in self.rows if row.kind == kind)

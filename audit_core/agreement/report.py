"""The report of agreement: on each thing that is compared, by group and by pair of annotators, on pages and boxes, and the second reading."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from audit_core.agreement.bootstrap import METHOD, Plan
from audit_core.agreement.records import Agreed, Compare, Figure
from audit_core.statistics.intervals import Interval

#: Items of an audit that belong to no single code: correct or not, and the set of codes.
DECISION, CODE_SET = "decision", "codes"


@dataclass(frozen=True, slots=True)
class Annotator:
    """Somebody whose answers are compared, by a pseudonym (of ratings in a file: as the file names them)."""

    pseudonym: str
    judged: int
    cannot_judge: int


@dataclass(frozen=True, slots=True)
class Group:
    """Agreement among the entries of one source, structure or domain (`kind`)."""

    kind: str
    value: str
    agreed: Agreed


@dataclass(frozen=True, slots=True)
class Pair:
    """Agreement of two annotators, by their places in the report's list, on the `items` that both rated.

    `kappa` is Cohen's (of an ordinal scale with quadratic weights), None for sets.
    """

    first: int
    second: int
    items: int
    percent: Figure
    kappa: Figure | None
    alpha: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Agreement on one thing: what it is, how it is compared, of what unit each has one value, and the figures."""

    name: str
    title: str
    compare: Compare
    unit: str
    agreed: Agreed
    groups: tuple[Group, ...] = ()
    pairs: tuple[Pair, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PagesItem:
    """How alike the sets of pages are that annotators named: the share of equal sets, and the mean of Jaccard.

    `both` pairs of annotators are compared; in `one` of the pair alone named any, `neither` named none: they are counted
    apart. The figures are means over `entries` of the mean over an entry's pairs.
    """

    name: str
    title: str
    entries: int
    raters: int
    both: int
    one: int
    neither: int
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxesItem:
    """How alike the boxes are that annotators drew: the means of zone IoU, zone F1 and matched F1 over `pages`.

    `both`, `one` and `neither` count pairs of annotators on a page by who of the two drew there; only `both` are compared. Of
    the `boxes` on these pages, of both annotators together, `matched` have a partner (two for each match).
    """

    name: str
    title: str
    entries: int
    pages: int
    raters: int
    both: int
    one: int
    neither: int
    boxes: int
    matched: int
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondReading:
    """Entries with one judgment that somebody read who saw it: how often that changed the verdict. It is no agreement.

    `overturned` is `changed` of `read` with its interval; `refined` kept the verdict, and changed targets, corrections or boxes.
    """

    read: int
    changed: int
    refined: int
    overturned: Interval


@dataclass(frozen=True, slots=True)
class CodeRow:
    """One coefficient of one code (or of correct or not): what a ledger or a certificate says of it.

    `value`, `lower` and `upper` are None where `reason` says why; `percent` is percent agreement, a part of 1.
    """

    code: str | None
    coefficient: str
    title: str
    value: float | None
    lower: float | None
    upper: float | None
    items: int
    raters: int
    percent: float | None
    reason: str | None

    def as_json(self) -> dict[str, Any]:
        """Return the row as one JSON object."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementReport:
    """Agreement between annotators. `part` is `sample`, `pilot`, or `file` for ratings that were read from a file.

    `cannot_judge` answers are missing, and counted; `revealed` answers were left out, since whoever gave them knew by then
    what others said (`only_revealed` annotators on entries had no earlier one). `revised` of the compared answers had earlier
    revisions. `judged` entries have an answer, `shared` ones two or more. `sealed` entries wait for a judgment of whoever reads
    the report, and are left out of it. `plan` is None without a bootstrap.
    """

    subject: str
    dataset_name: str | None = None
    dataset_revision: str | None = None
    content_hash: str | None = None
    campaign: str | None = None
    protocol: str | None = None
    when: datetime
    part: str = "sample"
    plan: Plan | None
    judged: int
    shared: int
    cannot_judge: int = 0
    revealed: int = 0
    only_revealed: int = 0
    revised: int = 0
    gold_left_out: int = 0
    other_part: int = 0
    sealed: int = 0
    documents: int = 0
    without_document: int = 0
    annotators: tuple[Annotator, ...]
    headline_item: str
    items: tuple[Item, ...]
    pages: tuple[PagesItem, ...] = ()
    boxes: tuple[BoxesItem, ...] = ()
    second_reading: SecondReading | None = None
    headline: str = ""
    notes: tuple[str, ...] = field(default_factory=tuple)

    @property
    def interval_method(self) -> str:
        """How the intervals were made, such as `95 % document bootstrap, 1,000 draws, seed 1`."""
        if self.plan is None:
            return "no intervals: no bootstrap was asked for"
        level = f"{100 * self.plan.confidence:g} %"
        return f"{level} {METHOD}, {self.plan.draws:,} draws, seed {self.plan.seed}"

    def item(self, name: str) -> Item | None:
        """Return the item of that name, None where there is none."""
        return next((each for each in self.items if each.name == name), None)

    def of_code(self, code: str | None) -> tuple[CodeRow, ...]:
        """Return a row for each coefficient on one issue code, or on correct or not for None; empty where it is not compared."""
        found = self.item(DECISION if code is None else f"{CODE_SET}.{code}")
        if found is None:
            return ()
        amounts, percent = found.agreed.amounts, found.agreed.figure("percent")
        return tuple(
            CodeRow(
                code, each.name, each.title, each.value, each.low, each.high, amounts.items, amounts.raters,
                percent.value if percent else None, each.undefined or each.no_interval,
            )
            for each in found.agreed.figures
        )  # fmt: skip

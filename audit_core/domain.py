"""The records and words of the field: what a dataset, an entry and a judgment are.

Frozen records without behaviour beyond their own invariants. The words are those of the documentation's glossary.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class EvidenceStructure(StrEnum):
    """How the evidence pages of a query lie to one another; members stand in table order."""

    PAGE_SINGLE = "Page-Single"
    PAGE_MULTI = "Page-Multi"
    DOC_ADJACENT = "Doc-Adjacent"
    DOC_NEAR = "Doc-Near"
    DOC_FAR = "Doc-Far"
    CROSS_DOC = "Cross-Doc"


class IssueCode(StrEnum):
    """What is wrong with an entry; members stand in the order in which codes are written (`FEUN`)."""

    F = "F"
    E = "E"
    U = "U"
    N = "N"


#: What each issue code means, in one line.
CODE_MEANINGS: dict[IssueCode, str] = {
    IssueCode.F: "incorrectly formulated or insufficiently identifying query",
    IssueCode.E: "incorrect evidence",
    IssueCode.U: "unnecessary evidence page",
    IssueCode.N: "non-presence query without directly retrievable positive evidence",
}


class Outcome(StrEnum):
    """Whether the annotator gave an answer on the entry."""

    JUDGED = "judged"
    CANNOT_JUDGE = "cannot_judge"


class EntryState(StrEnum):
    """What the report may say of an entry."""

    DECIDED = "decided"
    DISPUTED = "disputed"
    CANNOT_JUDGE = "cannot_judge"
    NOT_JUDGED = "not_judged"


class Role(StrEnum):
    """What somebody may do; members stand from the least to the most, and each may all that those before it may."""

    ANNOTATOR = "annotator"
    ADJUDICATOR = "adjudicator"
    LEAD = "lead"

    def allows(self, needed: Role) -> bool:
        """Return whether this role may do what `needed` may."""
        order = list(Role)
        return order.index(self) >= order.index(needed)


class CampaignState(StrEnum):
    """Whether a campaign takes judgments."""

    OPEN = "open"
    CLOSED = "closed"


class HandOut(StrEnum):
    """How the entries of a campaign come to its annotators."""

    #: Everybody gets every entry.
    ALL = "all"
    #: An entry is handed out until it has its judgments, and no longer.
    EXACT = "exact"


ELEMENT_KINDS = (
    "Text", "Headline", "List", "Table", "Table Head", "Table Row", "Image", "Image Caption", "Formula", "Other",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page as shown to a reader, in parts of its width and height (origin top left)."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """One piece of evidence of a query. `box` is None when the whole page is meant."""

    page_id: str
    document_id: str | None
    element_id: str | None
    box: Box | None
    kind: str | None
    relevance: int
    set_id: str | None


@dataclass(frozen=True, slots=True)
class Page:
    """A rendered page. `page_number` counts from 1; `image` is relative to the media root.

    `width` and `height` are those of the bundle: pixels, or points of a PDF page as shown (0
    where a lenient import found none).
    """

    page_id: str
    document_id: str
    page_number: int
    printed_label: str | None
    image: str
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Document:
    """A document of the dataset."""

    document_id: str
    source: str
    domain: str
    title: str
    uri: str | None
    page_count: int
    license: str | None


@dataclass(frozen=True, slots=True)
class Query:
    """A benchmark item: the query, its answer and its evidence."""

    query_id: str
    text: str
    answer: str | None
    source: str
    domain: str
    evidence_structure: str
    language: str | None
    generator: str | None
    group_id: str | None
    configured_pages: tuple[str, ...]
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What an annotator says of one entry, before it is saved.

    Under the `audit` protocol `codes` empty and `outcome` judged = correct; `targets` maps a code to the page ids or
    element ids that it means. `fields` is what other protocols ask: names to values, checked by the protocol.
    `active_ms` is the time in which the annotator was active on the entry, in milliseconds.
    """

    outcome: Outcome = Outcome.JUDGED
    codes: tuple[IssueCode, ...] = ()
    note: str = ""
    reason: str = ""
    targets: dict[str, list[str]] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    active_ms: int = 0


@dataclass(frozen=True, slots=True)
class Stratum:
    """One source x evidence structure of a sample: how many queries it holds and how many entries were drawn."""

    source: str
    evidence_structure: str
    population: int
    drawn: int


@dataclass(frozen=True, slots=True)
class SampleDesign:
    """How a campaign's entries were drawn. `is_probability` is True where every query had a known chance (or all were taken)."""

    frame_name: str
    frame_revision: str
    method: str
    seed: int | None
    strata: tuple[Stratum, ...]
    is_probability: bool


JsonObject = dict[str, Any]

"""How a query of the sample is written down: its evidence by element key, and the verdict that is true of it."""

from __future__ import annotations

from dataclasses import dataclass, field

METRE, PLANETS, COAST = "metre-chapter", "planets-report", "coast-companion"
ELEMENTS, APOLLO, HARBOUR = "elements-chapter", "apollo-issue", "harbour-yearbook"
FROM_TEXT, FROM_IMAGE = "sim-text", "sim-image"  # the two writers that the queries are written in the manner of


@dataclass(frozen=True)
class Ev:
    """One piece of evidence: an element of a document by key.

    `says` must stand in the element (it also picks the right part of a paragraph that runs over two columns or pages);
    empty where the evidence is deliberately wrong. `boxed` false lists the page without a box.
    """

    document: str
    key: str
    says: str = ""
    relevance: int = 1
    set_id: str = ""
    boxed: bool = True


@dataclass(frozen=True)
class Gold:
    """The true verdict. `codes` empty: correct, and `why` is then told from the evidence. `corrected` None: no correction; () : nothing answers.

    `marks` are the criteria clarity, correctness, closedness, no_layout_reference. `wrong` names, for each code E or U,
    the element keys (E) or the keys whose pages (U) are at fault. `note` is what one annotator would write, `second_note` what another would.
    For the checks: `vague` are the words of an F query that identify nothing, `rivals` other elements that fit it as well,
    and `absent` words that would stand in a document of an N query if it were answered.
    """

    codes: str = ""
    why: str = ""
    corrected_text: str = ""
    corrected: tuple[Ev, ...] | None = None
    remove: bool = False
    marks: tuple[float, float, float, float] = (1, 1, 1, 1)
    wrong: dict[str, tuple[str, ...]] = field(default_factory=dict)
    note: str = ""
    second_note: str = ""
    vague: tuple[str, ...] = ()
    rivals: tuple[Ev, ...] = ()
    absent: tuple[str, ...] = ()


@dataclass(frozen=True)
class Query:
    """One query. `derived` gives a sum for each number of the answer that no element prints; `own_words` are words of
    the answer that are the writer's own; `shown` are further (document, page index) pairs the writer was given."""

    number: int
    structure: str
    text: str
    answer: str | None
    evidence: tuple[Ev, ...]
    gold: Gold = Gold()
    language: str = "en"
    group: str = ""
    derived: dict[str, str] = field(default_factory=dict)
    own_words: tuple[str, ...] = ()
    shown: tuple[tuple[str, int], ...] = ()
    generator: str = FROM_TEXT

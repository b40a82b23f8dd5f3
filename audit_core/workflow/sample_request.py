"""What somebody asks to have drawn: how, how many, from which part of the dataset, without which earlier entries."""

from __future__ import annotations

import csv
import io
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from audit_core.domain import JsonObject
from audit_core.errors import AssayError
from audit_core.sampling import DEFAULT_ACCURACY, Allocation, StratumKey, Wanted

#: Seeds that nobody chose stay below this, so that they can be read out and typed.
SEEDS = 10**9
#: Keys of a filter, each with what it asks for.
FILTER_KEYS = {
    "source": "source is",
    "structure": "structure is",
    "domain": "domain is",
    "generator": "generator is",
    "text": "text has",
    "finding": "with a finding",
}
SIZE_COLUMNS = ("source", "evidence_structure", "size")


class SampleKind(StrEnum):
    """The ways in which queries become the entries of a campaign."""

    ALL = "all"
    STRATIFIED = "stratified"
    SIMPLE = "simple"
    IDS = "ids"


@dataclass(frozen=True, slots=True)
class SampleFilter:
    """A part of a dataset: queries that match every key given, each with one of its values.

    `text` holds searches as `Revision.search` takes them: all words of one must be in the query, its answer, or the id be it.
    `finding` are kinds of findings of the import on the query or its evidence.
    """

    source: tuple[str, ...] = ()
    structure: tuple[str, ...] = ()
    domain: tuple[str, ...] = ()
    generator: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    finding: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether every query matches, since nothing is asked for."""
        return not self.as_json()

    @property
    def condition(self) -> str | None:
        """The filter in words, for reports; None where nothing is asked for."""
        parts = []
        for key, values in self.as_json().items():
            named = [f'"{each}"' for each in values] if key == "text" else values
            parts.append(f"{FILTER_KEYS[key]} {' or '.join(named)}")
        return " and ".join(parts) or None

    def as_json(self) -> dict[str, list[str]]:
        """Return the keys that ask for something, with their values."""
        return {key: list(getattr(self, key)) for key in FILTER_KEYS if getattr(self, key)}


def filter_of(pairs: Iterable[tuple[str, str]]) -> SampleFilter:
    """Return the filter of (key, value) pairs; several values of one key are alternatives.

    Raises:
        AssayError: a key that is none, or a value without a word.
    """
    given: dict[str, dict[str, None]] = {}
    for key, value in pairs:
        if key not in FILTER_KEYS:
            raise AssayError(f"A filter has no key {key!r}. Choose one of: {', '.join(FILTER_KEYS)}.")
        if not value.strip():
            raise AssayError(f"The filter {key} has no value. Give one, such as {key}=VALUE.")
        given.setdefault(key, {})[value.strip()] = None
    return SampleFilter(**{key: tuple(values) for key, values in given.items()})


def filter_from_json(stored: Mapping[str, list[str]] | None) -> SampleFilter:
    """Return the filter that `SampleFilter.as_json` gave."""
    return SampleFilter(**{key: tuple(values) for key, values in (stored or {}).items()})


@dataclass(frozen=True, slots=True)
class SampleRequest:
    """What is to be drawn. A stratified draw has `wanted` half-widths, a `total` or `sizes`; a simple one the first or second.

    `seed` None means that one is to be made up. `guess` is the share correct that the plan takes for every stratum (a part
    of 1), unless `guess_from` names a campaign whose decided entries it is taken from. `leave_out` are campaigns whose
    queries are not drawn again.
    """

    kind: SampleKind = SampleKind.ALL
    seed: int | None = None
    where: SampleFilter = field(default_factory=SampleFilter)
    leave_out: tuple[int, ...] = ()
    wanted: Wanted | None = None
    total: int | None = None
    sizes: Mapping[StratumKey, int] | None = None
    allocation: Allocation = Allocation.PROPORTIONAL
    guess: float = DEFAULT_ACCURACY
    guess_from: int | None = None
    query_ids: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        asked = [each for each in (self.wanted, self.total, self.sizes) if each is not None]
        if self.kind is SampleKind.STRATIFIED and len(asked) != 1:
            raise AssayError("Say how many to draw in one way: a half-width, a total, or the sizes of the strata.")
        if self.kind is SampleKind.SIMPLE and (len(asked) != 1 or self.sizes is not None):
            raise AssayError("Say how many to draw in one way: a half-width of the whole, or a total.")
        if self.kind is SampleKind.SIMPLE and self.wanted is not None and self.wanted.whole is None:
            raise AssayError(
                "A simple random sample is planned for the half-width of the whole; strata get what chance gives."
            )
        if self.kind in (SampleKind.ALL, SampleKind.IDS) and asked:
            raise AssayError(
                "All queries, or a list of ids, leave no number to choose: give no half-width, total or sizes."
            )
        if self.kind is SampleKind.IDS and (self.leave_out or not self.where.is_empty):
            raise AssayError(
                "A list of ids is taken as it is: give it without a filter and without entries to leave out."
            )

    def as_json(self) -> JsonObject:
        """Return what the plan was asked for, so that it can be computed again (without the ids of a list)."""
        wanted = self.wanted
        widths = ("whole", "stratum", "source", "structure")
        return {
            "kind": self.kind.value,
            "wanted_half_widths": None if wanted is None else {each: getattr(wanted, each) for each in widths},
            "total": self.total,
            "sizes_by_hand": self.sizes is not None,
            "guess": None if self.guess_from is not None else self.guess,
            "guess_from_campaign": self.guess_from,
        }


def fresh_seed() -> int:
    """Return a seed that nobody chose, short enough to be read out."""
    return secrets.randbelow(SEEDS)


def ids_in(text: str) -> tuple[str, ...]:
    """Return the query ids of a text, one a line; blank lines do not count."""
    return tuple(line.strip() for line in text.lstrip("\ufeff").splitlines() if line.strip())


def sizes_from_csv(text: str, *, name: str) -> dict[StratumKey, int]:
    """Return the sizes of strata from a CSV table with the columns source, evidence_structure and size.

    Raises:
        AssayError: a column is missing, a size is no whole number, or a stratum stands twice; names file and row.
    """
    rows = csv.DictReader(io.StringIO(text.lstrip("\ufeff")))
    missing = [each for each in SIZE_COLUMNS if each not in (rows.fieldnames or ())]
    if missing:
        raise AssayError(f"{name} has no column {', '.join(missing)}: its first line must be {','.join(SIZE_COLUMNS)}.")
    sizes: dict[StratumKey, int] = {}
    for number, row in enumerate(rows, start=2):
        source, structure, size = ((row[each] or "").strip() for each in SIZE_COLUMNS)
        if not (size.isascii() and size.isdigit() and len(size) <= 9):
            raise AssayError(f"{name}, row {number}, field size: found {size!r}; give a whole number such as 30.")
        if (source, structure) in sizes:
            raise AssayError(f"{name}, row {number}: the stratum {source} {structure} stands twice. Name each once.")
        sizes[(source, structure)] = int(size)
    if not sizes:
        raise AssayError(f"{name} names no stratum. Give a row for each: {','.join(SIZE_COLUMNS)}.")
    return sizes

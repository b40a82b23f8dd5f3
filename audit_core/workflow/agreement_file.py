"""Agreement of ratings that lie in a CSV file, so that anybody can check the numbers on ratings of their own."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from audit_core.agreement.bootstrap import Clusters, Plan, clusters_of
from audit_core.agreement.measuring import measure, with_intervals
from audit_core.agreement.pairs import pairs_of
from audit_core.agreement.ratings import Ratings, long_ratings
from audit_core.agreement.records import Compare
from audit_core.agreement.report import AgreementReport, Annotator, Item
from audit_core.agreement.wording import headline
from audit_core.errors import AssayError

if TYPE_CHECKING:
    from audit_core.agreement.ratings import Whole

#: Columns that a file of ratings must have, and those that it may have.
WANTED, OPTIONAL = ("item", "annotator", "value"), ("scale", "documents")
#: What separates the document ids in the column `documents`.
SEPARATOR = "|"


@dataclass(frozen=True, slots=True)
class _Rating:
    line: int
    item: str
    annotator: str
    value: str
    scale: str
    documents: frozenset[str]


def agreement_of_file(
    file: Path, *, compare: Compare, categories: Sequence[str] | None, plan: Plan | None
) -> AgreementReport:
    """Return the agreement of the ratings in a CSV file: columns item, annotator, value, and optionally scale and documents.

    Each `scale` is compared by itself. `categories` are all values that could have been given, in order; without them those of
    the file are taken, which only a nominal scale allows. Without `documents` each item is a document of its own.

    Raises:
        AssayError: the file cannot be read, or a row is wrong; names file, line and column.
    """
    rows, scale = _checked(file, compare, categories)
    annotators = sorted({each.annotator for each in rows})
    documents = _documents(rows, file)
    clusters = clusters_of(list(documents.values()))
    items = _items(rows, annotators, list(documents), scale, compare, clusters, plan)
    counts = Counter(each.annotator for each in rows)
    report = AgreementReport(
        subject=f"ratings of {file.name}",
        when=datetime.now(UTC),
        part="file",
        plan=plan,
        judged=len(documents),
        shared=max(each.agreed.amounts.items for each in items),
        documents=clusters.documents,
        without_document=clusters.without_document,
        annotators=tuple(Annotator(each, counts[each], 0) for each in annotators),
        headline_item=items[0].name,
        items=items,
    )
    return replace(
        report,
        headline=headline(items[0], unit="item", units="items", method=report.interval_method),
        notes=tuple(_notes(report, scale, is_given=categories is not None)),
    )


def _checked(
    file: Path, compare: Compare, categories: Sequence[str] | None
) -> tuple[list[_Rating], tuple[str | float, ...]]:
    """Return the ratings of a file and their scale."""
    if compare is Compare.SET:
        raise AssayError("A file of ratings holds one value a rating: compare them as nominal or ordinal.")
    rows = list(_rows(file))
    if not rows:
        raise AssayError(f"{file} holds no ratings.")
    scale = _scale(rows, categories, compare, file)
    _refuse_doubled(rows, file)
    return rows, scale


def _documents(rows: Sequence[_Rating], file: Path) -> dict[str, frozenset[str]]:
    """Return the documents of each item, items in the order of the file."""
    documents: dict[str, frozenset[str]] = {}
    for each in rows:
        if documents.setdefault(each.item, each.documents) != each.documents:
            raise AssayError(
                f"{file}, line {each.line}: item {each.item!r} has other documents than in an earlier line."
            )
    return documents


def _items(
    rows: Sequence[_Rating],
    annotators: Sequence[str],
    items: Sequence[str],
    scale: tuple[str | float, ...],
    compare: Compare,
    clusters: Clusters,
    plan: Plan | None,
) -> tuple[Item, ...]:
    """Return each scale of a file as a thing that is compared, by the names of the scales."""
    place_of = {each: place for place, each in enumerate(items)}
    names = sorted({each.scale for each in rows})
    by_scale = [_ratings([one for one in rows if one.scale == each], annotators, place_of, scale) for each in names]
    is_numeric = compare is Compare.ORDINAL and all(isinstance(each, float) for each in scale)
    measured = [measure(each, compare, entries=entries, with_interval_metric=is_numeric) for each, entries in by_scale]
    return tuple(
        Item(
            name=name or "value", title=name or "Value", compare=compare, unit="item", agreed=agreed,
            pairs=pairs_of(ratings, compare),
        )
        for name, agreed, (ratings, _) in zip(names, with_intervals(measured, clusters, plan), by_scale, strict=True)
    )  # fmt: skip


def _notes(report: AgreementReport, scale: Sequence[object], *, is_given: bool) -> Iterator[str]:
    yield f"{report.judged:,} items, {sum(each.judged for each in report.annotators):,} ratings."
    shown = ", ".join(f"{each:g}" if isinstance(each, float) else str(each) for each in scale)
    yield f"Scale: {shown}{'' if is_given else ' (the values of the file: AC1 and AC2 depend on how many there could be)'}."
    if report.plan is not None:
        rest = "each item by itself" if not report.documents else f"{report.documents:,} documents"
        yield f"Intervals: {report.interval_method}, over {rest}."


def _rows(file: Path) -> Iterator[_Rating]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream)
            heads = reader.fieldnames or []
            if missing := [each for each in WANTED if each not in heads]:
                raise AssayError(
                    f"{file} has no column {', '.join(missing)}: a file of ratings has {', '.join(WANTED)}, and may have "
                    f"{' and '.join(OPTIONAL)}."
                )
            for row in reader:
                yield _rating(row, file, reader.line_num)
    except OSError as error:
        raise AssayError(f"{file} cannot be read ({error.strerror}): name another file.") from error
    except UnicodeDecodeError as error:
        raise AssayError(f"{file} is not UTF-8 (byte {error.start:,}): save it as UTF-8.") from error
    except csv.Error as error:
        raise AssayError(f"{file} is not CSV: {error}.") from error


def _rating(row: dict[str, str], file: Path, line: int) -> _Rating:
    for column in WANTED:
        if not (row.get(column) or "").strip():
            raise AssayError(
                f"{file}, line {line}, column {column}: nothing stands there. Leave the line out where nobody rated."
            )
    documents = frozenset(each.strip() for each in (row.get("documents") or "").split(SEPARATOR) if each.strip())
    value = row["value"].strip()
    return _Rating(line, row["item"], row["annotator"], value, (row.get("scale") or "").strip(), documents)


def _scale(
    rows: Sequence[_Rating], categories: Sequence[str] | None, compare: Compare, file: Path
) -> tuple[str | float, ...]:
    """Return the scale: numbers where all of an ordinal scale are, else texts."""
    if categories is None:
        if compare is Compare.ORDINAL:
            raise AssayError(
                "An ordinal scale needs all its values in their order: name them with --categories 1,2,3,4."
            )
        return tuple(sorted({each.value for each in rows}))
    named = [each.strip() for each in categories]
    if len(set(named)) != len(named) or not all(named):
        raise AssayError(f"The categories are {', '.join(named)}: name each once, and none that is empty.")
    for each in rows:
        if each.value not in named:
            raise AssayError(
                f"{file}, line {each.line}, column value: {each.value!r} is none of the categories {', '.join(named)}."
            )
    numbers = [_number(each) for each in named] if compare is Compare.ORDINAL else [None]
    found = [each for each in numbers if each is not None]
    if len(found) < len(numbers):
        return tuple(named)
    if any(one >= other for one, other in pairwise(found)):
        raise AssayError(f"The categories are {', '.join(named)}: give numbers in rising order.")
    return tuple(found)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _refuse_doubled(rows: Sequence[_Rating], file: Path) -> None:
    seen: dict[tuple[str, str, str], int] = {}
    for each in rows:
        before = seen.setdefault((each.item, each.annotator, each.scale), each.line)
        if before != each.line:
            raise AssayError(
                f"{file}, line {each.line}: {each.annotator!r} rated item {each.item!r} in line {before} already. Keep one of "
                "the two."
            )


def _ratings(
    rows: Sequence[_Rating], annotators: Sequence[str], items: dict[str, int], scale: tuple[str | float, ...]
) -> tuple[Ratings, Whole]:
    import numpy as np

    rater_of = {each: place for place, each in enumerate(annotators)}
    unit_of: dict[str, int] = {}
    is_number = isinstance(scale[0], float)
    triples = [
        (
            unit_of.setdefault(each.item, len(unit_of)), rater_of[each.annotator],
            float(each.value) if is_number else each.value,
        )
        for each in rows
    ]  # fmt: skip
    ratings = long_ratings(triples, scale, units=len(unit_of), raters=len(annotators))
    return ratings, np.asarray([items[each] for each in unit_of], dtype=np.int64)

"""Agreement of ratings that lie in a CSV file, so that anybody can check the numbers on ratings of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from audit_core.agreement.bootstrap import Clusters, Plan, clusters_of
from audit_core.agreement.measuring import measure, with_intervals
from audit_core.agreement.pairs import pairs_of
from audit_core.agreement.ratings import Ratings, long_ratings
from audit_core.agreement.records import Compare
from audit_core.agreement.report import AgreementReport, Annotator, Item
from audit_core.agreement.wording import headline
from audit_core.audit_report.wording import counted
from audit_core.errors import AssayError
from audit_core.workflow.agreement_rows import Rating, is_not_finite, read_ratings
from audit_core.workflow.agreement_scales import Scale, scales_of

if TYPE_CHECKING:
    from audit_core.agreement.ratings import Whole


def agreement_of_file(
    file: Path, *, compare: Compare, categories: Sequence[str] = (), plan: Plan | None
) -> AgreementReport:
    """Return the agreement of the ratings in a CSV file: columns item, annotator, value, and optionally scale and documents.

    Each `scale` is compared by itself. `categories` name all values that could have been given, in order: `A,B` of all scales,
    `SCALE=A,B` of one; a scale without any has those of its own lines, which only a nominal one allows. Without `documents`
    each item is a document of its own.

    Raises:
        AssayError: the file cannot be read, or a row is wrong; names file, line and column.
    """
    if compare is Compare.SET:
        raise AssayError("A file of ratings holds one value a rating: compare them as nominal or ordinal.")
    rows = read_ratings(file)
    scales = scales_of(rows, categories, compare, file)
    annotators = sorted({each.annotator for each in rows})
    documents = _documents(rows, file)
    clusters = clusters_of(list(documents.values()))
    items = _items(rows, annotators, list(documents), scales, compare, clusters, plan)
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
        notes=tuple(_notes(report, scales, rows)),
    )


def _documents(rows: Sequence[Rating], file: Path) -> dict[str, frozenset[str]]:
    """Return the documents of each item, items in the order of the file."""
    documents: dict[str, frozenset[str]] = {}
    for each in rows:
        if documents.setdefault(each.item, each.documents) != each.documents:
            raise AssayError(
                f"{file}, line {each.line}: item {each.item!r} has other documents than in an earlier line."
            )
    return documents


def _items(
    rows: Sequence[Rating],
    annotators: Sequence[str],
    items: Sequence[str],
    scales: Sequence[Scale],
    compare: Compare,
    clusters: Clusters,
    plan: Plan | None,
) -> tuple[Item, ...]:
    """Return each scale of a file as a thing that is compared, by the names of the scales."""
    place_of = {each: place for place, each in enumerate(items)}
    by_scale = [
        _ratings([one for one in rows if one.scale == each.name], annotators, place_of, each) for each in scales
    ]
    measured = [
        measure(ratings, compare, entries=entries, with_interval_metric=compare is Compare.ORDINAL and scale.is_numeric)
        for scale, (ratings, entries) in zip(scales, by_scale, strict=True)
    ]
    return tuple(
        Item(
            name=scale.name or "value", title=scale.name or "Value", compare=compare, unit="item", agreed=agreed,
            pairs=pairs_of(ratings, compare),
        )
        for scale, agreed, (ratings, _) in zip(scales, with_intervals(measured, clusters, plan), by_scale, strict=True)
    )  # fmt: skip


def _notes(report: AgreementReport, scales: Sequence[Scale], rows: Sequence[Rating]) -> Iterator[str]:
    yield f"{counted(report.judged, 'item', 'items')}, {counted(len(rows), 'rating', 'ratings')}."
    for scale in scales:
        shown = ", ".join(f"{each:g}" if isinstance(each, float) else each for each in scale.values)
        own = (
            ""
            if scale.is_named
            else " (the values that its lines hold; whether there are others is not known, and AC1 depends on how many there are)"
        )
        yield f"Scale{f' {scale.name}' if scale.name else ''}: {shown}{own}."
    odd = Counter(each.value for each in rows if is_not_finite(each.value))
    for value, times in sorted(odd.items()):
        yield (
            f"{value!r} stands {counted(times, 'time', 'times')} as a value, and is compared as one: leave such lines out where "
            "nobody rated."
        )
    if report.plan is not None:
        rest = "each item by itself" if not report.documents else counted(report.documents, "document", "documents")
        yield f"Intervals: {report.interval_method}, over {rest}."


def _ratings(
    rows: Sequence[Rating], annotators: Sequence[str], items: Mapping[str, int], scale: Scale
) -> tuple[Ratings, Whole]:
    import numpy as np

    rater_of = {each: place for place, each in enumerate(annotators)}
    unit_of: dict[str, int] = {}
    triples = [
        (
            unit_of.setdefault(each.item, len(unit_of)), rater_of[each.annotator],
            float(each.value) if scale.is_numeric else each.value,
        )
        for each in rows
    ]  # fmt: skip
    ratings = long_ratings(triples, scale.values, units=len(unit_of), raters=len(annotators))
    return ratings, np.asarray([items[each] for each in unit_of], dtype=np.int64)

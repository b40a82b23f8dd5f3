"""Labels that were drawn at random from a scored dataset: what a guarantee and an estimate for the whole rest on."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from audit_core.domain import IssueCode, SampleDesign
from audit_core.errors import CleaningError
from audit_core.sampling.methods import is_simple_method
from audit_core.sampling.records import ALL
from audit_core.statistics.stratified import stratum_name
from audit_core.storage import campaigns, datasets
from audit_core.workflow.label_sources import LabelSource, SourceLabel, labels_from, refuse_training_only
from audit_core.workflow.random_share import random_share
from cleaning.labels import GivenLabel, LabelSet, reconcile, removal_from_codes
from cleaning.leaks import homes_of
from cleaning.query_frame import query_frame

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from audit_core.storage.datasets import DatasetRow
    from audit_core.workflow.workspace import Workspace
    from cleaning.scoring import Scoring

#: How far the labels may stand for more or fewer queries than the dataset has, as a part of it, before they are refused.
_SLACK = 0.02
#: The same in standard errors, of label sets that came with chances: those need not add up exactly.
_DEVIATIONS = 3.0


class Division(StrEnum):
    """How the sample was divided: not at all, by the strata of its design, or by chances whose strata nobody named."""

    NONE = "not divided"
    DESIGN = "strata of the design"
    CHANCES = "equal chances"


@dataclass(frozen=True, slots=True, eq=False)
class DrawnLabels:
    """One label a query of a dataset revision, with what is known of how the queries were drawn.

    `unfit` is why they are no random sample of that revision, None where they are. `labels.probabilities` are then the
    chances of being drawn and labelled. `groups` of shape (n,) has one number for each query of the dataset, in its
    order: the same for those that go together, because they have the same first evidence document or `group_id`, or are
    labelled and nearly alike in words, or through others. `strata` has one name for each query, empty where not divided.
    `stands_for` is the sum of 1 / chance over all queries that somebody judged.
    """

    key: str
    name: str
    dataset_hash: str
    labels: LabelSet
    groups: NDArray[np.intp]
    strata: tuple[str, ...] = ()
    division: Division = Division.NONE
    unfit: str | None = None
    stands_for: float | None = None


def read_drawn_labels(workspace: Workspace, scoring: Scoring, key: str, *, remove_codes: str = "FN") -> DrawnLabels:
    """Return the labels `key` of the dataset revision that was scored. That they are no random sample is said, not raised.

    Raises:
        NotFound: the dataset has no such labels.
        CleaningError: the dataset is gone, its labels contradict each other, or scores decided what was labelled.
    """
    dataset = _dataset(workspace, scoring)
    source, given = labels_from(workspace, dataset, key)
    refuse_training_only(source)
    codes = frozenset(IssueCode(each) for each in _checked_codes(remove_codes))
    known = set(scoring.query_ids)
    labels = reconcile((_given(each, codes) for each in given), known=known, name=source.name, origin=source.kind)
    design = _design(workspace, dataset, source)
    is_simple = (
        design is not None and design.is_probability and (is_simple_method(design.method) or design.method == ALL)
    )
    chances = _chances(given, known)
    if is_simple and chances and labels.probabilities is not None:
        # Of a simple draw, and of all queries in random order, each had the same chance of a judgment, however those made
        # so far fall on the strata.
        chances = dict.fromkeys(chances, len(chances) / len(known))
        labels = replace(labels, probabilities=tuple(chances[query] for query in labels.query_ids))
    frame = query_frame(workspace.revision(dataset), scoring.query_ids)
    is_designed = design is not None and design.is_probability and not is_simple
    return DrawnLabels(
        key=key,
        name=source.name,
        dataset_hash=dataset.content_hash,
        labels=labels,
        groups=groups_of(frame, labels.query_ids),
        strata=_strata(frame) if is_designed else (),
        division=Division.NONE if is_simple else Division.DESIGN if is_designed else Division.CHANCES,
        unfit=_why_unfit(source, labels, design, dataset, chances, len(known)),
        stands_for=math.fsum(1.0 / each for each in chances.values()) if chances else None,
    )


def groups_of(queries: pl.DataFrame, labelled: Iterable[str]) -> NDArray[np.intp]:
    """Return one number for each query: the same for those of one home document or `group_id`, or that others link.

    Labelled queries that are near-duplicates are joined as well; near-duplicates of queries without a label change
    nothing, since only labelled ones can enter a test together.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    from cleaning.duplicates import group_near_duplicates

    ids = queries["query_id"].to_list()
    wanted = set(labelled)
    rows = [row for row, each in enumerate(ids) if each in wanted]
    texts = queries["text"]
    numbers: dict[str, int] = {}
    homes = [numbers.setdefault(home, len(numbers)) for home in homes_of(queries)]
    links = [(home, f"g{group}") for home, group in zip(homes, queries["group_id"].to_list(), strict=True) if group]
    alike = group_near_duplicates([texts[row] for row in rows]).group.tolist()
    links += [(homes[row], f"n{group}") for row, group in zip(rows, alike, strict=True) if group >= 0]
    ends = [numbers.setdefault(link, len(numbers)) for _, link in links]
    graph = coo_array((np.ones(len(links)), ([home for home, _ in links], ends)), shape=(len(numbers), len(numbers)))
    _, component = connected_components(graph, directed=False)
    return np.asarray(component, dtype=np.intp)[homes]


def refuse_unfit(scoring: Scoring, drawn: DrawnLabels, *, what: str) -> None:
    """Return nothing where the labels are a random sample of the queries that were scored.

    Raises:
        CleaningError: they are not; says why, that `what` needs one, and how to come by it.
    """
    if drawn.dataset_hash != scoring.dataset_hash:
        raise CleaningError(
            f"{drawn.key} are labels of another dataset or revision than the scoring {scoring.name} is of "
            f"({scoring.dataset_name} {scoring.dataset_revision}). Labels from before and after a change stand for different "
            "queries: score that revision, or label a random sample of this one."
        )
    if drawn.unfit is not None:
        raise CleaningError(
            f"{what} needs a random sample of {scoring.dataset_name} {scoring.dataset_revision}, and {drawn.key} is none: "
            f"{drawn.unfit} Make a campaign with a random draw from the whole dataset and judge it."
        )


def check_promised(confidence: float) -> float:
    """Return a confidence, a part of 1, with which something is to be promised.

    Raises:
        CleaningError: it is below a half, which promises less than nothing, or not below 1; says how it is given.
    """
    if not 0.5 <= confidence < 1.0:
        raise CleaningError(
            f"The confidence is {confidence * 100:g} %: give one of at least 50 and below 100 %, such as 95 for 95 %."
        )
    return float(confidence)


def usable_rows(
    scoring: Scoring, drawn: DrawnLabels, trained: Collection[str]
) -> tuple[NDArray[np.intp], NDArray[np.bool_], NDArray[np.float64]]:
    """Return the dataset rows, labels (to remove) and chances of the labels that take part, by query id: all but those of `trained`.

    Raises:
        CleaningError: none is left.
    """
    row_of = {query: row for row, query in enumerate(scoring.query_ids)}
    labels = drawn.labels
    chances = labels.probabilities or (1.0,) * len(labels)
    kept = [
        (row_of[query], remove, chance)
        for query, remove, chance in sorted(zip(labels.query_ids, labels.remove, chances, strict=True))
        if query not in trained
    ]
    if not kept:
        raise CleaningError(
            f"All {len(labels):,} labels of {drawn.key} trained a strategy of {scoring.name}, so they can judge none. Label "
            "another random sample, or score again with other training labels."
            if len(labels)
            else f"{drawn.key} holds no label of a query of {scoring.dataset_name} {scoring.dataset_revision}."
        )
    rows, remove, chance = zip(*kept, strict=True)
    return np.asarray(rows, dtype=np.intp), np.asarray(remove, dtype=bool), np.asarray(chance, dtype=np.float64)


def left_out_notes(drawn: DrawnLabels, trained: Collection[str]) -> tuple[str, ...]:
    """Return what must be said of labels that do not take part: those of `trained`, ties, and who could not judge."""
    notes = []
    used = sum(query in trained for query in drawn.labels.query_ids)
    if used:
        notes.append(f"{used:,} labels trained a strategy of this scoring and are left out.")
    undecided = sum(len(ids) for ids in drawn.labels.left_out.values())
    if undecided:
        reasons = ", ".join(f"{reason}: {len(ids):,}" for reason, ids in drawn.labels.left_out.items())
        notes.append(
            f"{undecided:,} labelled queries have no decision ({reasons}) and are taken to be like the others."
        )
    return tuple(notes)


def _dataset(workspace: Workspace, scoring: Scoring) -> DatasetRow:
    with workspace.database.read() as connection:
        found = datasets.by_hash(connection, scoring.dataset_hash)
    if found is None:
        raise CleaningError(
            f"{scoring.dataset_name} {scoring.dataset_revision}, of which {scoring.name} is a scoring, is not here any more. "
            "Import it again."
        )
    return found


def _checked_codes(codes: str) -> str:
    if not codes or set(codes) - {each.value for each in IssueCode}:
        raise CleaningError(f"The codes that mean removal are {codes!r}: name at least one of F, E, U and N.")
    return codes


def _given(label: SourceLabel, codes: frozenset[IssueCode]) -> GivenLabel:
    remove = label.remove
    if label.codes is not None:
        remove = removal_from_codes([IssueCode(each) for each in label.codes], remove_codes=codes)
    return GivenLabel(
        label.query_id,
        remove,
        label.annotator,
        adjudicated=label.is_adjudicated,
        probability=label.probability,
        where=label.where,
    )


def _design(workspace: Workspace, dataset: DatasetRow, source: LabelSource) -> SampleDesign | None:
    """Return how the queries of a campaign, or of the random share of one, were drawn; None of a label set."""
    if source.campaign is None:
        return None
    with workspace.database.read() as connection:
        row = campaigns.by_name(connection, source.campaign, dataset_id=dataset.id)[0]
        return random_share(connection, row).design if source.is_random_share else campaigns.design_of(connection, row)


def _chances(given: Iterable[SourceLabel], known: set[str]) -> dict[str, float]:
    """Return the chance of each query that somebody judged, by its id."""
    return {
        each.query_id: each.probability
        for each in given
        if each.probability is not None
        and each.query_id in known
        and (each.remove is not None or each.codes is not None)
    }


def _strata(frame: pl.DataFrame) -> tuple[str, ...]:
    pairs = zip(frame["source"].to_list(), frame["evidence_structure"].to_list(), strict=True)
    return tuple(stratum_name(source or "", structure or "") for source, structure in pairs)


def _why_unfit(
    source: LabelSource,
    labels: LabelSet,
    design: SampleDesign | None,
    dataset: DatasetRow,
    chances: dict[str, float],
    queries: int,
) -> str | None:
    if not source.is_probability:
        return "nobody knows with which chance its queries were chosen, so nothing follows for the others."
    if labels.probabilities is None and len(labels):
        return "not every label carries the chance with which its query was drawn."
    if design is not None:
        frame = f"{design.frame_name} {design.frame_revision}"
        if design.frame_name.startswith((f"{dataset.name}, only ", f"{dataset.name}, without ")):
            return f"it was drawn from a part of the dataset ({frame}), so nothing follows for the other queries."
        if (design.frame_name, design.frame_revision) != (dataset.name, dataset.revision):
            return f"it was drawn from {frame}, which holds other queries."
    return _why_not_whole(list(chances.values()), queries, is_exact=design is not None)


def _why_not_whole(chances: Sequence[float], queries: int, *, is_exact: bool) -> str | None:
    """Return why labels whose 1 / chance adds up to far more or fewer than all queries are no sample of them."""
    if not chances:
        return None
    total = math.fsum(1.0 / each for each in chances)
    spread = math.sqrt(math.fsum((1.0 - each) / each**2 for each in chances))
    allowed = _SLACK * queries + (0.0 if is_exact else _DEVIATIONS * spread)
    if abs(total - queries) <= allowed:
        return None
    return (
        f"by the chances of its labels it stands for about {total:,.0f} queries, while {queries:,} were scored. Was it drawn from "
        "another revision, or from a part?"
    )

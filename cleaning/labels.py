"""One label a query out of several, with everything that was left out and why; and whether the labels are enough."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from audit_core.domain import IssueCode
from audit_core.errors import CleaningError

#: Audit codes that mean "remove" unless others are chosen: E and U are mended, not removed.
REMOVE_CODES = frozenset({IssueCode.F, IssueCode.N})

#: Fewest labels that a comparison accepts. Below it the 95 % Wilson interval of a rate near one half is wider than 17
#: points to either side even when every query is kept, so that no two strategies could be told apart.
MINIMUM_LABELS = 30

TIE = "tie between annotators"
CANNOT_JUDGE = "cannot judge"


@dataclass(frozen=True, slots=True)
class GivenLabel:
    """One annotator's word on one query; `remove` is None for "cannot judge".

    `adjudicated` marks the decision that ends a dispute. `probability` is the chance with which the query was drawn
    for labelling, in (0, 1], None where it is not known. `where` says where the label stands, for messages.
    """

    query_id: str
    remove: bool | None
    annotator: str | None = None
    adjudicated: bool = False
    probability: float | None = None
    where: str = ""


@dataclass(frozen=True, slots=True)
class LabelSet:
    """One label a query, sorted by query id.

    `probabilities` holds the selection probabilities, None unless every label carries one. `left_out` lists query ids
    by reason; `unknown` the labelled ids that the dataset does not have; `repeated` counts labels that said the same
    once more.
    """

    name: str
    origin: str
    query_ids: tuple[str, ...]
    remove: tuple[bool, ...]
    probabilities: tuple[float, ...] | None = None
    left_out: dict[str, tuple[str, ...]] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    repeated: int = 0

    def __len__(self) -> int:
        """Return the number of labelled queries."""
        return len(self.query_ids)

    @property
    def positives(self) -> int:
        """The number of queries to remove."""
        return sum(self.remove)

    def by_id(self) -> dict[str, bool]:
        """Return whether each query is to be removed, by its id."""
        return dict(zip(self.query_ids, self.remove, strict=True))

    @property
    def content_hash(self) -> str:
        """sha256 over the query ids, labels and selection probabilities; names and what was left out do not count."""
        content = [self.query_ids, self.remove, self.probabilities]
        return hashlib.sha256(json.dumps(content, separators=(",", ":")).encode()).hexdigest()


def removal_from_codes(codes: Collection[IssueCode], *, remove_codes: Collection[IssueCode] = REMOVE_CODES) -> bool:
    """Return whether an entry with these audit codes is to be removed: one of them is among `remove_codes`.

    Raises:
        CleaningError: `remove_codes` is empty, so that nothing could ever be removed.
    """
    if not remove_codes:
        raise CleaningError(
            "No audit code means removal. Choose at least one of F, E, U and N; the default is F and N."
        )
    return any(code in remove_codes for code in codes)


def reconcile(
    labels: Iterable[GivenLabel],
    *,
    known: Collection[str] | None = None,
    name: str = "labels",
    origin: str = "",
) -> LabelSet:
    """Return one label a query: the adjudicated decision, else what more than half of the deciding annotators said.

    Ties and queries that nobody could judge are left out and listed. `known` holds the query ids of the dataset; labels
    for others are listed as unknown. Labels without an annotator count as one nameless annotator's.

    Raises:
        CleaningError: an annotator says both remove and keep of one query, or two adjudicated decisions differ (every
            such query is named); a selection probability outside (0, 1] or two different ones for one query.
    """
    known_ids = None if known is None else frozenset(known)
    by_query: dict[str, list[GivenLabel]] = defaultdict(list)
    for label in labels:
        by_query[label.query_id].append(label)
    unknown = sorted(query for query in by_query if known_ids is not None and query not in known_ids)
    for query in unknown:
        del by_query[query]
    _refuse_contradictions(by_query)
    decided: dict[str, bool] = {}
    left_out: dict[str, list[str]] = defaultdict(list)
    for query in sorted(by_query):
        decision = _decision(by_query[query])
        if isinstance(decision, bool):
            decided[query] = decision
        else:
            left_out[decision].append(query)
    chances = [_probability(query, by_query[query]) for query in decided]
    stated = tuple(chance for chance in chances if chance is not None)
    return LabelSet(
        name=name,
        origin=origin,
        query_ids=tuple(decided),
        remove=tuple(decided.values()),
        probabilities=stated if stated and len(stated) == len(chances) else None,
        left_out={reason: tuple(ids) for reason, ids in sorted(left_out.items())},
        unknown=tuple(unknown),
        repeated=sum(len(each) - len({(one.annotator, one.adjudicated) for one in each}) for each in by_query.values()),
    )


def check_enough(remove: Sequence[bool], homes: Sequence[object], *, parts: int, what: str = "folds") -> None:
    """Return nothing where the labels can be compared on; `homes[i]` is the document that query i goes with.

    At least `MINIMUM_LABELS` labels of both kinds are needed, and at least `parts` documents with a query to remove and
    as many with one to keep: queries of one document never part, so each fold needs a document of its own for either.

    Raises:
        CleaningError: they cannot, and what would be needed.
    """
    n, positives = len(remove), sum(bool(each) for each in remove)
    if n < MINIMUM_LABELS:
        raise CleaningError(
            f"{n} labels are too few to compare strategies on: at least {MINIMUM_LABELS} are needed, since with fewer the "
            "95 % interval of any rate reaches more than 17 points to either side even when every query is kept. "
            f"They must hold at least {parts} queries to remove and {parts} to keep, on different documents. "
            "Label more queries."
        )
    if positives in (0, n):
        word = "remove" if positives else "keep"
        raise CleaningError(
            f"All {n} labels say {word}. With one kind of label no false omission rate can be told from another: every "
            f"strategy keeps {'only bad' if positives else 'no bad'} queries. Label queries of the other kind as well."
        )
    for wanted, word in ((True, "remove"), (False, "keep")):
        places = {home for home, label in zip(homes, remove, strict=True) if bool(label) is wanted}
        count = positives if wanted else n - positives
        if len(places) < parts:
            possible = f"At most {len(places)} {what} are possible" if len(places) > 1 else "No split is possible"
            raise CleaningError(
                f"The {count} queries to {word} stand on {len(places)} separable document{'s'[: len(places) != 1]}, but "
                f"{parts} {what} need {parts}: queries that share a document never part. {possible}; label queries to "
                f"{word} from more documents."
            )


def _refuse_contradictions(by_query: dict[str, list[GivenLabel]]) -> None:
    faults: list[str] = []
    for query, labels in sorted(by_query.items()):
        said: dict[tuple[bool, str | None], dict[bool | None, str]] = defaultdict(dict)
        for label in labels:
            # Adjudicators speak with one voice; annotators each for themselves.
            key = (label.adjudicated, None if label.adjudicated else label.annotator)
            said[key].setdefault(label.remove, label.where)
        for (adjudicated, annotator), words in said.items():
            if len(words) > 1:
                who = (
                    "the adjudication"
                    if adjudicated
                    else f"annotator {annotator!r}"
                    if annotator
                    else "the same source"
                )
                places = " and ".join(where for where in words.values() if where)
                faults.append(f"{query!r} by {who}{f' ({places})' if places else ''}")
    if faults:
        shown = "; ".join(faults[:10]) + (f"; and {len(faults) - 10} more" if len(faults) > 10 else "")
        raise CleaningError(
            f"{len(faults)} quer{'y has' if len(faults) == 1 else 'ies have'} labels that contradict each other: {shown}. "
            "Leave one label for each, or name different annotators."
        )


def _decision(labels: list[GivenLabel]) -> bool | str:
    adjudicated = [label.remove for label in labels if label.adjudicated]
    if adjudicated:
        return CANNOT_JUDGE if adjudicated[0] is None else adjudicated[0]
    votes = Counter({label.annotator: label.remove for label in labels}.values())
    if votes[True] == votes[False]:
        return TIE if votes[True] else CANNOT_JUDGE
    return votes[True] > votes[False]


def _probability(query: str, labels: list[GivenLabel]) -> float | None:
    stated = sorted({label.probability for label in labels if label.probability is not None})
    if any(not 0.0 < each <= 1.0 for each in stated):
        raise CleaningError(f"Query {query!r} has the selection probability {stated[0]}: it must lie in (0, 1].")
    if len(stated) > 1:
        raise CleaningError(f"Query {query!r} has different selection probabilities: {', '.join(map(str, stated))}.")
    return stated[0] if stated else None

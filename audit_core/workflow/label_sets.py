"""Adding a set of removal labels to a dataset that is there already."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from audit_core.domain import JsonObject
from audit_core.errors import CleaningError, NameTaken
from audit_core.storage import activity, datasets
from audit_core.storage.datasets import LABEL_COLUMNS, DatasetRow
from audit_core.storage.people import Person
from audit_core.workflow.import_records import NOT_IN_NAMES
from audit_core.workflow.workspace import Workspace

NAME_MAX = 120


@dataclass(frozen=True, slots=True)
class AddedLabels:
    """What was added: the set's name, how many labels it holds, and the query ids that the dataset does not have."""

    name: str
    labels: int
    unknown: tuple[str, ...]


def add_labels(
    workspace: Workspace,
    dataset: DatasetRow,
    *,
    name: str,
    labels: Sequence[JsonObject],
    person: Person | None = None,
) -> AddedLabels:
    """Add a label set, all or nothing; labels of queries that the dataset does not have are left out and named.

    `labels` are dicts with `query_id`, `remove` and perhaps `annotator`, `note`, criteria and `probability`.

    Raises:
        CleaningError: the name cannot be used, or no label is of a query of the dataset.
        NameTaken: the dataset has a label set of that name.
    """
    cleaned = " ".join(name.split())
    if not 1 <= len(cleaned) <= NAME_MAX or not cleaned.isprintable() or cleaned.startswith("."):
        raise CleaningError(f"A label set needs a name of 1 to {NAME_MAX} characters that does not begin with a dot.")
    if any(each in NOT_IN_NAMES for each in cleaned):
        raise CleaningError(f"{cleaned!r} cannot name a file when it is exported: leave out {NOT_IN_NAMES}.")
    known = {query_id for query_id, _, _ in workspace.revision(dataset).queries_index()}
    rows = [{column: each.get(column) for column in (*LABEL_COLUMNS, "probability")} for each in labels]
    kept = [each for each in rows if each["query_id"] in known]
    unknown = tuple(dict.fromkeys(str(each["query_id"]) for each in rows if each["query_id"] not in known))
    if not kept:
        raise CleaningError(
            f"None of the {len(rows):,} labels is of a query of {dataset.shown} {dataset.revision}; the first names "
            f"{unknown[0]!r}. Are they of another dataset?"
            if unknown
            else "There are no labels to add."
        )
    content = json.dumps(kept, sort_keys=True, ensure_ascii=False).encode()
    with workspace.database.write() as connection:
        if any(each.name == cleaned for each in datasets.label_sets(connection, dataset.id)):
            raise NameTaken(
                f"{dataset.shown} has a label set {cleaned!r} already. Labels are never overwritten: choose another name."
            )
        datasets.add_label_set(
            connection,
            dataset_id=dataset.id,
            name=cleaned,
            source_hash=hashlib.sha256(content).hexdigest(),
            labels=kept,
        )
        subject = {"dataset": dataset.name, "labels": cleaned, "count": len(kept), "unknown": len(unknown)}
        activity.record(connection, "labels-add", subject, person_id=person.id if person else None)
    return AddedLabels(cleaned, len(kept), unknown)

"""A file of labels, taken into a dataset as a label set."""

from __future__ import annotations

from pathlib import Path

from audit_core.domain import JsonObject
from audit_core.errors import CleaningError
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.workflow.label_sets import AddedLabels, add_labels
from audit_core.workflow.workspace import Workspace
from cleaning.labels import reconcile
from cleaning.labels_file import labels_from_file


def import_labels(
    workspace: Workspace, dataset: DatasetRow, file: Path, *, name: str | None = None, person: Person | None = None
) -> AddedLabels:
    """Add the labels of a `.jsonl`, `.csv` or `.parquet` file to a dataset; the set is named after the file unless told.

    A row that says once more what the same annotator said of the same query is taken once.

    Raises:
        CleaningError: the file cannot be read, a row is wrong, labels contradict each other, or none is of this dataset;
            names file, row and field. Nothing is added then.
        NameTaken: the dataset has a label set of that name.
    """
    given = labels_from_file(file)
    reconcile(given, name=file.name)  # contradictions are refused before anything is kept
    rows: dict[tuple[str, str | None], JsonObject] = {}
    for each in given:
        if each.remove is None:
            raise CleaningError(f"{each.where}: remove is missing. Write true or false.")
        rows.setdefault(
            (each.query_id, each.annotator),
            {
                "query_id": each.query_id,
                "remove": each.remove,
                "annotator": each.annotator,
                "probability": each.probability,
            },
        )
    return add_labels(workspace, dataset, name=name or file.stem, labels=list(rows.values()), person=person)

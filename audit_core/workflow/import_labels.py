"""What an imported bundle leaves in the main database of labels: label sets, put in a part at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from audit_core.domain import JsonObject
from audit_core.errors import RevisionClash
from audit_core.protocols import removal
from audit_core.storage import campaigns, datasets, making
from audit_core.storage.database import Connection, Database
from audit_core.storage.schema import removal_label
from audit_core.workflow.exporting import removal_labels, same_labels

if TYPE_CHECKING:
    from audit_core.importers.bundle import Bundle


def new_label_sets(connection: Connection, bundle: Bundle, dataset_id: int) -> list[str]:
    """Return the names of the bundle's label sets that the dataset does not have yet.

    It has those as well that its own removal campaign of that name says, as when an export comes back.

    Raises:
        RevisionClash: it has one of that name with other labels.
    """
    before = {each.name: each for each in datasets.label_sets(connection, dataset_id)}
    for name, labels in bundle.labels.items():
        if name in before and before[name].source_hash != labels.hash:
            raise _labels_clash(name)
    return [
        name
        for name, labels in bundle.labels.items()
        if name not in before and not _is_said_by_campaign(connection, dataset_id, name, labels.frame.to_dicts())
    ]


def _labels_clash(name: str) -> RevisionClash:
    return RevisionClash(
        f"labels/{name}: this dataset has a label set {name!r} with other labels. "
        "Labels are never overwritten: rename the file to import them as another set."
    )


def _is_said_by_campaign(connection: Connection, dataset_id: int, name: str, labels: list[JsonObject]) -> bool:
    said = [
        each for each in campaigns.by_name(connection, name, dataset_id=dataset_id) if each.protocol == removal.name
    ]
    return any(same_labels(removal_labels(connection, each.id), labels) for each in said)


@dataclass(frozen=True, slots=True)
class BegunLabelSet:
    """A label set of a bundle in the making: nobody sees it until `finish_label_set`."""

    name: str
    dataset_id: int
    id: int


def begin_label_sets(
    connection: Connection, bundle: Bundle, names: Sequence[str], dataset_id: int
) -> list[BegunLabelSet]:
    """Put label sets into the making, still without labels."""
    return [
        BegunLabelSet(
            name,
            dataset_id,
            datasets.begin_label_set(connection, dataset_id=dataset_id, source_hash=bundle.labels[name].hash),
        )
        for name in names
    ]


def fill_label_set(database: Database, bundle: Bundle, begun: BegunLabelSet) -> None:
    """Put the labels of a set in the making in, a part at a time: others save in between."""
    rows = datasets.label_rows(begun.id, bundle.labels[begun.name].frame.to_dicts())
    making.insert_in_parts(database, removal_label, rows)


def finish_label_set(connection: Connection, begun: BegunLabelSet) -> None:
    """Show a label set that is whole, under its name.

    Raises:
        RevisionClash: the dataset has got another one of that name meanwhile.
    """
    if any(each.name == begun.name for each in datasets.label_sets(connection, begun.dataset_id)):
        raise _labels_clash(begun.name)
    datasets.finish_label_set(connection, begun.id, name=begun.name)

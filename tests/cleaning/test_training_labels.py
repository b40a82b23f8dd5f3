"""A given split: one label source trains, all of another is evaluated."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from audit_core.errors import CleaningError
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.workspace import Workspace, open_workspace
from cleaning.labels import LabelSet
from cleaning.preparing import prepare
from cleaning.splits import GIVEN
from cleaning.training_labels import joined
from tests.cleaning.label_bundle import LabelBundle, asked, compared, imported, labels_of

REQUEST = asked("length", "knn", labels="labels:dev", train_labels="labels:train", embedder="bundle:made")


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    """The workspace of the test's own home."""
    found = open_workspace()
    yield found
    found.close()


def parted(
    workspace: Workspace, folder: Path, *, train: slice, dev: slice, n: int = 100
) -> tuple[DatasetRow, LabelBundle]:
    """A dataset with the label sets train and dev."""
    bundle = LabelBundle(n=n).with_vectors()
    rows = labels_of(bundle.ids, bundle.remove)
    bundle.labels = {"train": rows[train], "dev": rows[dev]}
    return imported(workspace, folder, bundle), bundle


def test_one_source_trains_and_all_of_the_other_is_evaluated(workspace: Workspace, tmp_path: Path) -> None:
    dataset, bundle = parted(workspace, tmp_path, train=slice(0, 60), dev=slice(60, 100))
    result = compared(workspace, dataset, REQUEST)
    split = result.record.split
    assert (split.method, split.repeats, split.k, split.seed) == (GIVEN, 1, 1, 1)
    assert list(result.compared.query_ids) == bundle.ids[60:]
    (fold,) = split.folds
    assert [split.query_ids[row] for row in fold.training] == bundle.ids[:60]
    assert split.notes == ("Trained on train, evaluated on dev.",)
    assert result.record.card.labels_name == "dev, trained on train"


def test_queries_that_both_label_evaluate_by_the_label_that_is_evaluated(workspace: Workspace, tmp_path: Path) -> None:
    bundle = LabelBundle(n=100).with_vectors()
    rows = labels_of(bundle.ids, bundle.remove)
    spoiled = [{**row, "remove": not row["remove"]} if place >= 60 else row for place, row in enumerate(rows)]
    bundle.labels = {"train": spoiled[:64], "dev": rows[60:]}
    dataset = imported(workspace, tmp_path, bundle)
    prepared = prepare(workspace, dataset, REQUEST)
    (fold,) = prepared.split.folds
    assert len(fold.evaluation) == 40
    assert len(fold.training) == 60
    assert prepared.remove.tolist() == bundle.remove
    assert "4 queries have labels in both: they evaluate and do not train." in prepared.split.notes


def test_training_queries_that_share_a_document_with_the_evaluation_are_dropped(
    workspace: Workspace, tmp_path: Path
) -> None:
    dataset, bundle = parted(workspace, tmp_path, train=slice(0, 61), dev=slice(61, 100))
    prepared = prepare(workspace, dataset, REQUEST)
    (fold,) = prepared.split.folds
    assert [prepared.split.query_ids[row] for row in fold.dropped] == [bundle.ids[60]]
    assert fold.reasons[0] == 1


def test_the_seed_reaches_the_strategies_of_a_given_split(workspace: Workspace, tmp_path: Path) -> None:
    dataset, _ = parted(workspace, tmp_path, train=slice(0, 60), dev=slice(60, 100))
    hashes = {
        prepare(
            workspace, dataset, asked("random", labels="labels:dev", train_labels="labels:train", seed=seed)
        ).split.hash
        for seed in (1, 2, 2)
    }
    assert len(hashes) == 2


def test_learning_curves_of_a_given_split_grow_by_its_training_part(workspace: Workspace, tmp_path: Path) -> None:
    dataset, _ = parted(workspace, tmp_path, train=slice(0, 60), dev=slice(60, 100))
    request = asked(
        "knn", labels="labels:dev", train_labels="labels:train", embedder="bundle:made", learning_curves=True
    )
    (curve,) = compared(workspace, dataset, request).curves
    assert curve.points[-1].labels == 60.0
    assert curve.points[0].labels < 60.0


def test_too_few_labels_to_evaluate_on_are_refused(workspace: Workspace, tmp_path: Path) -> None:
    dataset, _ = parted(workspace, tmp_path, train=slice(0, 80), dev=slice(80, 100))
    with pytest.raises(CleaningError, match="20 labels are too few"):
        prepare(workspace, dataset, REQUEST)


def test_training_labels_of_one_kind_are_refused(workspace: Workspace, tmp_path: Path) -> None:
    bundle = LabelBundle(n=100).with_vectors()
    rows = labels_of(bundle.ids, bundle.remove)
    bundle.labels = {"train": [row for row in rows[:60] if row["remove"]], "dev": rows[60:]}
    dataset = imported(workspace, tmp_path, bundle)
    with pytest.raises(CleaningError, match="training part has 24 labelled queries, all of one kind"):
        prepare(workspace, dataset, REQUEST)


def test_joined_labels_keep_chances_of_what_is_evaluated_and_list_what_neither_decides() -> None:
    own = LabelSet("own", "a", ("q1", "q2"), (True, False), (0.5, 0.25), {"tie": ("q3", "q4")}, ("gone",), 1)
    training = LabelSet("more", "b", ("q3", "q2"), (True, True), None, {"tie": ("q1", "q5")}, ("gone", "away"), 2)
    both = joined(own, training)
    assert dict(zip(both.query_ids, both.remove, strict=True)) == {"q1": True, "q2": False, "q3": True}
    assert both.probabilities == (0.5, 0.25, 1.0)
    # q3 is decided by the training labels, q1 by those that are evaluated.
    assert both.left_out == {"tie": ("q4", "q5")}
    assert both.unknown == ("away", "gone")
    assert (both.name, both.origin, both.repeated) == ("own, trained on more", "a, trained on b", 3)

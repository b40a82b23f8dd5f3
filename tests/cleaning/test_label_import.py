"""Files of labels taken into a dataset: what is kept, what is refused whole, and that chances weigh the rates."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from audit_core.__main__ import main
from audit_core.errors import CleaningError, NameTaken
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.campaigns import find_dataset
from audit_core.workflow.label_sources import label_sources, labels_from
from audit_core.workflow.sample import add_sample
from audit_core.workflow.workspace import Workspace, open_workspace
from cleaning.label_import import import_labels


@pytest.fixture
def place() -> Iterator[tuple[Workspace, DatasetRow]]:
    workspace = open_workspace()
    add_sample(workspace)
    yield workspace, find_dataset(workspace, "assay-sample")
    workspace.close()


def _csv(folder: Path, *rows: str, head: str = "query_id,remove,annotator,probability") -> Path:
    file = folder / "ratings.csv"
    file.write_text("\n".join((head, *rows)) + "\n", encoding="utf-8")
    return file


def test_a_file_becomes_a_label_set_named_after_it_with_annotators_and_chances(
    place: tuple[Workspace, DatasetRow], tmp_path: Path
) -> None:
    workspace, dataset = place
    file = _csv(tmp_path, "sample-001,keep,ada,0.5", "sample-001,keep,ada,0.5", "sample-002,remove,bo,0.25")
    added = import_labels(workspace, dataset, file)
    assert (added.name, added.labels, added.unknown) == ("ratings", 2, ())
    source, labels = labels_from(workspace, dataset, "labels:ratings")
    assert source.is_probability
    assert [(each.query_id, each.remove, each.annotator, each.probability) for each in labels] == [
        ("sample-001", False, "ada", 0.5),
        ("sample-002", True, "bo", 0.25),
    ]


def test_two_annotators_of_one_query_are_one_labelled_query(
    place: tuple[Workspace, DatasetRow], tmp_path: Path
) -> None:
    workspace, dataset = place
    import_labels(workspace, dataset, _csv(tmp_path, "sample-001,1,ada,", "sample-001,0,bo,", "sample-002,0,bo,"))
    assert next(each for each in label_sources(workspace, dataset) if each.key == "labels:ratings").queries == 2


def test_labels_without_chances_are_no_random_sample(place: tuple[Workspace, DatasetRow], tmp_path: Path) -> None:
    workspace, dataset = place
    import_labels(workspace, dataset, _csv(tmp_path, "sample-001,1", head="query_id,remove"))
    assert not next(each for each in label_sources(workspace, dataset) if each.key == "labels:ratings").is_probability


def test_labels_of_queries_that_are_not_there_are_left_out_and_named(
    place: tuple[Workspace, DatasetRow], tmp_path: Path
) -> None:
    workspace, dataset = place
    file = _csv(tmp_path, "sample-001,1", "stranger,0", "stranger,0", head="query_id,remove")
    added = import_labels(workspace, dataset, file, name="known")
    assert (added.labels, added.unknown) == (1, ("stranger",))
    with pytest.raises(CleaningError, match="None of the 1 labels is of a query of"):
        import_labels(workspace, dataset, _csv(tmp_path, "stranger,0", head="query_id,remove"), name="none")


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (("sample-001,maybe,ada,",), "line 3.*remove"),
        (("sample-001,1,ada,1.5",), "line 3.*probability"),
        ((",1,ada,",), "line 3.*query_id"),
        (("sample-001,1,ada,", "sample-001,0,ada,"), "contradict each other.*sample-001"),
    ],
)
def test_a_wrong_row_is_named_and_nothing_is_taken_in(
    place: tuple[Workspace, DatasetRow], tmp_path: Path, rows: tuple[str, ...], says: str
) -> None:
    workspace, dataset = place
    before = label_sources(workspace, dataset)
    with pytest.raises(CleaningError, match=f"(?s){says}"):
        import_labels(workspace, dataset, _csv(tmp_path, "sample-003,1,ada,", *rows))
    assert label_sources(workspace, dataset) == before


@pytest.mark.parametrize("name", [" ", ".hidden", "a/b", "a\x00b", "x" * 121])
def test_a_name_that_could_not_be_exported_is_refused(
    place: tuple[Workspace, DatasetRow], tmp_path: Path, name: str
) -> None:
    workspace, dataset = place
    with pytest.raises(CleaningError, match=r"name of 1 to 120|cannot name a file"):
        import_labels(workspace, dataset, _csv(tmp_path, "sample-001,1", head="query_id,remove"), name=name)


def test_labels_are_never_overwritten(place: tuple[Workspace, DatasetRow], tmp_path: Path) -> None:
    workspace, dataset = place
    file = _csv(tmp_path, "sample-001,1", head="query_id,remove")
    with pytest.raises(NameTaken, match="choose another name"):
        import_labels(workspace, dataset, file, name="removal")


def test_the_command_takes_a_file_in_and_says_what_it_left_out(
    place: tuple[Workspace, DatasetRow], tmp_path: Path
) -> None:
    file = _csv(tmp_path, "sample-001,1", "stranger,0", head="query_id,remove")
    result = CliRunner().invoke(main, ["clean", "import-labels", "assay-sample", str(file), "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == {"name": "ratings", "labels": 1, "unknown": ["stranger"]}
    again = CliRunner().invoke(main, ["clean", "import-labels", "assay-sample", str(file)])
    assert again.exit_code == 1
    assert "never overwritten" in again.stderr

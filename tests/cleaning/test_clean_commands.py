"""The `clean` commands: what they print, what they refuse and with which exit code, and jobs that were killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit_core.workflow.comparisons import comparison_folder, find_comparison
from audit_core.workflow.jobs import get_job, list_jobs, resume_job
from audit_core.workflow.workspace import open_workspace
from cleaning.executing import execute
from cleaning.finished import read_finished
from tests.cleaning.label_bundle import LabelBundle, asked
from tests.command_line import Run

COMPARE = ("clean", "compare", "labelled", "--labels", "labels:removal", "--folds", "3", "--repeats", "2")
QUICK = ("--strategy", "rules", "--strategy", "length", "--no-learning-curves")
#: Runs a job and kills its process, as a power cut would, when scores are written but the comparison is not finished.
KILLED = """
import os, signal, sys
from cleaning import executing
def killed(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)
executing.write_extras = killed
from audit_core.__main__ import main
main(["job", "run", sys.argv[1]])
"""


def with_labels(run: Run, folder: Path, bundle: LabelBundle | None = None) -> None:
    assert run("import", (bundle or LabelBundle()).write(folder)).exit_code == 0


def names(run: Run) -> list[str]:
    rows: list[dict[str, Any]] = json.loads(run("clean", "list", "--json").stdout)
    return [row["name"] for row in rows]


def test_a_comparison_is_made_listed_and_printed(run: Run, tmp_path: Path) -> None:
    with_labels(run, tmp_path)
    assert "Nothing" not in run("clean", "labels", "labelled").stdout
    (source,) = json.loads(run("clean", "labels", "labelled", "--json").stdout)
    assert (source["key"], source["queries"]) == ("labels:removal", 60)
    made = run(*COMPARE, *QUICK, "--name", "first")
    assert made.exit_code == 0
    assert "## Folds of split" in made.stdout
    assert "| Rules | rule | 8.6 (3/35; 3.0-22.4) |" in made.stdout
    assert "clean report 1 --table differences" in made.stderr
    (row,) = json.loads(run("clean", "list", "--json").stdout)
    assert (row["id"], row["name"], row["state"], row["labels"]) == (1, "first", "finished", "labels:removal")
    assert row["split"] in made.stdout
    for comparison in ("1", "first"):
        assert "## Strategies" in run("clean", "report", comparison).stdout
    table = json.loads(run("clean", "report", "first", "--table", "equal-share", "--format", "json").stdout)
    assert len(table["rows"]) == 3
    card = json.loads(run("clean", "report", "first", "--card").stdout)
    assert card["split"]["hash"].startswith(row["split"])
    assert card["request"]["strategies"][0]["strategy"] == "rules"
    assert "equal-share" in run("clean", "report", "first", "--tables").stdout


def test_a_run_card_is_a_request_that_gives_the_same_figures(run: Run, tmp_path: Path) -> None:
    with_labels(run, tmp_path)
    first = json.loads(run(*COMPARE, *QUICK, "--name", "first", "--json").stdout)
    card = tmp_path / "card.json"
    card.write_text(run("clean", "report", "first", "--card").stdout, encoding="utf-8")
    again = run("clean", "compare", "labelled", "--request", card, "--name", "again", "--json")
    assert json.loads(again.stdout)["split"] == first["split"]
    tables = [
        run("clean", "report", name, "--table", "scores", "--format", "csv").stdout for name in ("first", "again")
    ]
    assert tables[0] == tables[1]
    refused = run("clean", "compare", "labelled", "--request", card, "--folds", "2")
    assert (refused.exit_code, "leave --folds out" in refused.stderr) == (1, True)
    twice = run("clean", "compare", "labelled", "--request", card)
    assert (twice.exit_code, "There is a comparison 'first'" in twice.stderr) == (1, True)
    card.write_text("[1", encoding="utf-8")
    assert "holds no JSON" in run("clean", "compare", "labelled", "--request", card).stderr


def test_a_request_can_say_what_options_cannot(run: Run, tmp_path: Path) -> None:
    with_labels(run, tmp_path, LabelBundle().with_vectors())
    union = {"strategy": "union", "options": {"members": ["rules", "wide"]}}
    knn = {"strategy": "knn", "options": {"k": 9}, "label": "wide", "tune": {"share_kept": 0.6}}
    values = {"labels": "labels:removal", "embedder": "bundle:made", "folds": 3, "learning_curves": False}
    file = tmp_path / "request.json"
    file.write_text(json.dumps({"name": "tuned", "strategies": ["rules", knn, union], **values}), encoding="utf-8")
    assert run("clean", "compare", "labelled", "--request", file).exit_code == 0
    rows = json.loads(run("clean", "report", "tuned", "--format", "json").stdout)["rows"]
    assert [row["strategy"] for row in rows] == ["Rules", "Nearest neighbours (wide)", "Union"]


def test_one_label_set_trains_and_another_is_evaluated(run: Run, tmp_path: Path) -> None:
    bundle = LabelBundle(n=100)
    rows = bundle.labels.pop("removal")
    bundle.labels = {"train": rows[:60], "dev": rows[60:]}
    with_labels(run, tmp_path, bundle)
    words = (
        "clean",
        "compare",
        "labelled",
        "--labels",
        "labels:dev",
        "--train-labels",
        "labels:train",
        "--name",
        "dev",
    )
    assert run(*words, *QUICK).exit_code == 0
    card = json.loads(run("clean", "report", "dev", "--card").stdout)
    assert (card["labels_name"], card["split"]["method"]) == ("dev, trained on train", "given split")
    both = run(*words, *QUICK, "--train", 20)
    assert (both.exit_code, "choose one of them" in both.stderr) == (1, True)


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("--name", "a", "--labels", "labels:nowhere"), 1, "It has labels:removal"),
        (("--name", "a", "--labels", "labels:removal", "--folds", "1"), 1, "with one fold nothing is left"),
        (("--name", "a", "--labels", "labels:removal", "--strategy", "magic"), 1, "There is no strategy 'magic'"),
        (("--name", "a", "--labels", "labels:removal", "--strategy", "rules:high"), 1, "is no threshold"),
        (("--name", "a", "--labels", "labels:removal", "--strategy", "rules:nan"), 1, "give a finite number"),
        (
            ("--name", "a", "--labels", "labels:removal", "--strategy", "knn", "--embedder", "none"),
            1,
            "needs embeddings",
        ),
        (("--name", "a", "--labels", "labels:removal", "--all", "--strategy", "rules"), 1, "not both"),
        (("--name", "a", "--labels", "labels:removal", "--remove-codes", "Q"), 1, "at least one of F, E, U and N"),
        (("--name", "a", "--labels", "labels:removal", "--train", "60", *QUICK), 1, "60 training queries of 60"),
        (("--name", "a"), 2, "Missing option '--labels'"),
        (("--labels", "labels:removal"), 2, "Missing option '--name'"),
        (("--name", "a", "--labels", "labels:removal", "--folds", "many"), 2, "not a valid integer"),
        (("--request", "nowhere.json"), 2, "does not exist"),
    ],
)
def test_what_is_refused_leaves_no_comparison(
    run: Run, tmp_path: Path, words: tuple[str, ...], code: int, says: str
) -> None:
    with_labels(run, tmp_path)
    refused = run("clean", "compare", "labelled", *words)
    assert (refused.exit_code, refused.stdout) == (code, "")
    assert says in refused.stderr
    assert names(run) == []


def test_too_few_labels_are_refused_before_a_job_starts(run: Run, tmp_path: Path, no_process: None) -> None:
    bundle = LabelBundle()
    bundle.labels = {"removal": bundle.labels["removal"][:20]}
    with_labels(run, tmp_path, bundle)
    for more in ((), ("--detach",)):
        refused = run(*COMPARE, *QUICK, "--name", "few", "--json", *more)
        assert refused.exit_code == 1
        assert "20 labels are too few" in json.loads(refused.stdout)["error"]
    assert names(run) == []
    assert list_jobs(open_workspace()) == []


def test_a_run_that_breaks_off_gives_its_name_back(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_labels(run, tmp_path)

    def broken(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("cleaning.executing.write_result", broken)
        assert run(*COMPARE, *QUICK, "--name", "first").exit_code != 0
    assert names(run) == []
    assert run(*COMPARE, *QUICK, "--name", "first").exit_code == 0


def test_a_killed_job_is_resumed_and_gives_what_an_unbroken_run_gives(
    run: Run, tmp_path: Path, no_process: None
) -> None:
    with_labels(run, tmp_path)
    started = json.loads(run(*COMPARE, *QUICK, "--name", "killed", "--detach", "--json").stdout)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.run([sys.executable, "-c", KILLED, str(started["job"])], env=environment, check=False)
    assert process.returncode == -signal.SIGKILL
    workspace = open_workspace()
    assert get_job(workspace, started["job"]).state == "interrupted"
    refused = run("clean", "report", "killed")
    assert (refused.exit_code, "not finished yet" in refused.stderr) == (1, True)
    # Its scores lie in the folder, but nobody takes them for whole.
    assert (comparison_folder(workspace, started["comparison"]) / "000.scores.npy").is_file()
    resume_job(workspace, started["job"])
    assert run("job", "run", started["job"]).exit_code == 0
    assert run(*COMPARE, *QUICK, "--name", "unbroken").exit_code == 0
    one, other = (read_finished(workspace, find_comparison(workspace, name)) for name in ("killed", "unbroken"))
    assert one.record.split.hash == other.record.split.hash
    for each, twin in zip(one.compared.strategies, other.compared.strategies, strict=True):
        assert np.array_equal(each.scores, twin.scores)
    assert "2 strategies on 60 labelled queries" in str(get_job(workspace, started["job"]).job.result)


def test_a_job_that_finds_no_process_waits_with_its_comparison(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_labels(run, tmp_path)

    def full(*_: object) -> int:
        raise OSError("too many processes")

    with monkeypatch.context() as patch:
        patch.setattr("audit_core.jobs.queue.start_runner", full)
        refused = run(*COMPARE, *QUICK, "--name", "waits", "--detach")
        assert (refused.exit_code, "too many processes" in refused.stderr) == (1, True)
        (row,) = json.loads(run("clean", "list", "--json").stdout)
        assert (row["name"], row["state"]) == ("waits", "queued")
    assert run("job", "run", 1).exit_code == 0
    assert run("clean", "report", "waits").exit_code == 0


def test_a_job_whose_comparison_is_gone_fails_with_words(run: Run, tmp_path: Path, no_process: None) -> None:
    with_labels(run, tmp_path)
    started = json.loads(run(*COMPARE, *QUICK, "--name", "gone", "--detach", "--json").stdout)
    blocked = run("dataset", "delete", "labelled", "--yes", "--with-campaigns")
    assert (blocked.exit_code, "cancel the job first" in blocked.stderr) == (1, True)
    run("job", "cancel", started["job"])
    assert run("dataset", "delete", "labelled", "--yes", "--with-campaigns").exit_code == 0
    resume_job(open_workspace(), started["job"])
    failed = run("job", "run", started["job"])
    assert failed.exit_code == 1
    assert "There is no comparison" in str(get_job(open_workspace(), started["job"]).job.error)


def test_what_cannot_be_reported_is_refused_with_exit_code_1(run: Run, tmp_path: Path) -> None:
    with_labels(run, tmp_path)
    assert run(*COMPARE, *QUICK, "--name", "first").exit_code == 0
    for words, says in (
        (("nowhere",), "There is no comparison 'nowhere'"),
        (("7",), "There is no comparison 7"),
        (("first", "--table", "wrong"), "Choose one of: summary"),
        (("first", "--table", "thresholds", "--strategy", "knn"), "took no part"),
        (("first", "--table", "equal-share", "--share-kept", "1.5"), "must lie in [0, 1]"),
        (("first", "--table", "learning"), "has no table 'learning'"),
    ):
        refused = run("clean", "report", *words)
        assert (refused.exit_code, refused.stdout) == (1, "")
        assert says in refused.stderr
    assert run("clean", "report", "first", "--format", "pdf").exit_code == 2


def test_strategies_and_published_matrices_need_no_data(run: Run) -> None:
    rows = json.loads(run("clean", "strategies", "--json").stdout)
    assert {row["name"]: row["kind"] for row in rows}["bm25_difficulty"] == "difficulty"
    assert "length: A logistic regression" in run("clean", "strategies").stdout
    # Source: tests/data via cleaning/published.py; 146 of 1,016 kept.
    assert "14.4 (146/1,016; 12.3-16.7)" in run("clean", "published").stdout
    for form in ("csv", "latex", "json"):
        assert "146" in run("clean", "published", "--format", form).stdout
    assert run("clean", "list").exit_code == 0


def test_archived_comparisons_are_listed_only_when_asked_for(run: Run, tmp_path: Path) -> None:
    from audit_core.workflow.comparisons import add_comparison, archive_comparison
    from audit_core.workflow.importing import list_datasets

    with_labels(run, tmp_path)
    workspace = open_workspace()
    row = add_comparison(workspace, list_datasets(workspace)[0], name="old", spec=asked().as_json())
    execute(workspace, row.id)
    archive_comparison(workspace, row.id, archived=True)
    assert names(run) == []
    assert [each["name"] for each in json.loads(run("clean", "list", "--all", "--json").stdout)] == ["old"]

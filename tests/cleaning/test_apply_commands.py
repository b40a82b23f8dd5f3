"""`clean apply`, `applied`, `removed` and `changes`: what they print and refuse, and a job that was killed."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from audit_core.workflow.campaigns import find_dataset
from audit_core.workflow.jobs import get_job, resume_job
from audit_core.workflow.workspace import open_workspace
from cleaning.contract import Reason
from tests.cleaning.applied_cleanings import NAN, reworded, scored, strategy
from tests.command_line import Run
from tests.homes import state_of
from tests.importers.small_bundle import right_rows, write_bundle_folder

APPLY = ("clean", "apply", "scores", "--name", "first", "--revision", "2")
#: Runs a job and kills its process, as a power cut would, when the revision is there but the cleaning is not finished.
KILLED = """
import os, signal, sys
from cleaning import applying
def killed(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)
applying.finish_run = killed
from audit_core.__main__ import main
main(["job", "run", sys.argv[1]])
"""


@pytest.fixture
def scoring(run: Run, tmp_path: Path) -> str:
    """The built bundle, scored by rules (q2) and a model that does not decide on q3; returns the scoring's name."""
    rows = right_rows()
    rows["queries"][1]["text"] = "=SUM(what is, two?)"
    assert run("import", write_bundle_folder(tmp_path / "bundle", rows, extras=True)).exit_code == 0
    workspace = open_workspace()
    found = scored(
        workspace, find_dataset(workspace, "small"),
        strategy("rules", [0.0, 1.0, 0.0], reasons={1: [Reason("layout_reference", "points at the layout")]}),
        strategy("llm_rating", [0.5, 0.75, NAN], threshold=0.75),
        strategy("a:b", [0.0, 0.9, 0.0]),
    )  # fmt: skip
    return found.row.name


def test_a_cleaning_is_looked_at_applied_listed_and_printed(run: Run, scoring: str) -> None:
    workspace = open_workspace()
    before = state_of(workspace)
    preview = run(*APPLY, "--strategy", "llm_rating:0.5", "--preview")
    assert preview.exit_code == 0
    assert "by the kinds of their evidence" in preview.stdout
    assert "2 of 3 queries go and 1 stay in small revision 2; 1 of these are undecided." in preview.stderr
    assert "score at or above 0.5: rated 0.5 or lower in any criterion" in preview.stderr
    assert state_of(workspace) == before, "a preview changes nothing"
    made = run(*APPLY, "--strategy", "llm_rating:0.5")
    assert made.exit_code == 0
    assert "| all | all | 3 | 2 | 1 | 33.3 | 1 |" in made.stdout
    assert "Run bm25 is left out" in made.stderr
    (row,) = json.loads(run("clean", "applied", "--json").stdout)
    assert (row["name"], row["dataset"], row["from"], row["made"], row["state"]) == (
        "first",
        "small",
        "1",
        "2",
        "finished",
    )
    assert (row["before"], row["removed"], row["after"], row["undecided"]) == (3, 2, 1, 1)
    assert "first" in run("clean", "applied").stdout
    names = [(each["name"], each["revision"]) for each in json.loads(run("datasets", "--json").stdout)]
    assert names == [("small", "2"), ("small", "1")]


def test_the_removed_queries_are_printed_as_csv_and_as_lines_of_json(run: Run, scoring: str) -> None:
    assert run(*APPLY, "--strategy", "rules", "--strategy", "llm_rating:0.5", "--combine", "union").exit_code == 0
    printed = run("clean", "removed", "first").stdout_bytes.decode("utf-8")
    assert printed.count("\r\n") == 3
    first, second = csv.DictReader(io.StringIO(printed))
    assert (first["query_id"], first["strategies"], first["score_rules"], first["reasons"]) == (
        "q1",
        "llm_rating",
        "0.0",
        "",
    )
    assert second["text"] == "'=SUM(what is, two?)", "a spreadsheet must not run it"
    assert (second["strategies"], second["threshold_llm_rating"]) == ("rules; llm_rating", "0.5")
    assert second["reasons"] == "rules: points at the layout"
    lines = [json.loads(line) for line in run("clean", "removed", "first", "--format", "jsonl").stdout.splitlines()]
    assert lines == json.loads(run("clean", "removed", "first", "--json").stdout)
    assert lines[1]["text"] == "=SUM(what is, two?)"
    assert lines[1]["scores"] == {"rules": 1.0, "llm_rating": 0.75}


def test_the_tables_of_changes_are_printed_in_every_format(run: Run, scoring: str) -> None:
    assert run(*APPLY, "--strategy", "rules").exit_code == 0
    assert "| law | Doc-Adjacent | 1 | 1 | 0 | 0.0 | 0 |" in run("clean", "changes", "first").stdout
    assert "y,Cross-Doc,1,0,1,1.0,0" in run("clean", "changes", "first", "--table", "domain", "--format", "csv").stdout
    evidence = json.loads(run("clean", "changes", "first", "--table", "evidence", "--json").stdout)
    assert [(each["kinds"], each["before"], each["removed"]) for each in evidence["rows"]] == [
        ("none", 1, 0), ("Text", 1, 0), ("Table Row", 1, 1), ("all", 3, 1),
    ]  # fmt: skip
    assert r"\toprule" in run("clean", "changes", "first", "--format", "latex").stdout
    assert run("clean", "changes", "first", "--table", "generator").exit_code == 2


def test_a_strategy_whose_name_holds_a_colon_can_be_named(run: Run, scoring: str) -> None:
    shown = json.loads(run(*APPLY, "--strategy", "a:b", "--preview", "--json").stdout)
    assert (shown["removed"], shown["strategies"]) == (1, {"a:b": 0.5})
    shown = json.loads(run(*APPLY, "--strategy", "a:b:0.9", "--preview", "--json").stdout)
    assert (shown["removed"], shown["strategies"]) == (1, {"a:b": 0.9})


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--strategy", "rules:high"), "'high' is no threshold"),
        (("--strategy", "rules:1.5"), "The threshold of rules is 1.5"),
        (("--strategy", "knn"), "'knn' took no part in the scoring scores"),
        (("--strategy", "rules", "--combine", "union"), "rules decides alone"),
        (("--strategy", "rules", "--strategy", "a:b"), "need a way to decide together"),
        (("--strategy", "rules", "--strategy", "a:b", "--combine", "most"), "'most' is no way to combine"),
        (("--strategy", "rules", "--strategy", "a:b", "--combine", "3"), "k is 3: use 1 to 2"),
        (("--strategy", "llm_rating:0.8"), "No query would be removed"),
        (("--strategy", "rules:0"), "All 3 queries would be removed"),
        (("--strategy", "rules", "--rewrites", "none"), "There is no rewording 'none'"),
        (("--strategy", "rules", "--revision", "1"), "small has a revision 1 already"),
    ],
)
def test_what_cannot_be_done_is_refused_and_leaves_nothing(
    run: Run, scoring: str, no_process: None, words: tuple[str, ...], says: str
) -> None:
    before = state_of(open_workspace())
    for how in ((), ("--detach",)):
        refused = run(*APPLY, *words, *how)
        assert (refused.exit_code, says in refused.stderr) == (1, True), refused.stderr
    assert state_of(open_workspace()) == before


def test_what_is_not_there_is_refused(run: Run, scoring: str) -> None:
    nowhere = run("clean", "apply", "other", "--strategy", "rules", "--name", "n", "--revision", "2")
    assert (nowhere.exit_code, "There is no scoring 'other'" in nowhere.stderr) == (1, True)
    for command in ("removed", "changes"):
        refused = run("clean", command, "scores")
        assert (refused.exit_code, "clean applied" in refused.stderr) == (1, True)
    assert "No cleaning was applied yet" in run("clean", "applied").stderr
    assert json.loads(run("clean", "applied", "--json").stdout) == []


def test_rewordings_go_in_by_their_run(run: Run, scoring: str) -> None:
    workspace = open_workspace()
    reworded(workspace, find_dataset(workspace, "small"), {"q1": ("what is one?", "Which number is one?")})
    made = json.loads(run(*APPLY, "--strategy", "rules", "--rewrites", "reworded", "--json").stdout)
    assert (made["removed"], made["reworded"], made["spared"], made["revision"]) == (1, 1, 0, "2")
    assert open_workspace().revision(find_dataset(workspace, "small")).query("q1").text == "Which number is one?"


def test_a_comparison_on_the_new_revision_finds_no_labels_of_the_old(run: Run, scoring: str) -> None:
    assert run(*APPLY, "--strategy", "rules").exit_code == 0
    compare = ("clean", "compare", "small", "--labels", "labels:removal", "--name", "c", "--strategy", "rules")
    refused = run(*compare, "--strategy", "length")
    assert (refused.exit_code, "There are no labels 'labels:removal' on small 2. It has none" in refused.stderr) == (
        1,
        True,
    )
    assert json.loads(run("clean", "labels", "small", "--json").stdout) == []
    assert len(json.loads(run("clean", "labels", "small@1", "--json").stdout)) == 2


def test_a_detached_cleaning_is_a_job_that_says_what_it_did(run: Run, scoring: str, no_process: None) -> None:
    started = json.loads(run(*APPLY, "--strategy", "rules", "--detach", "--json").stdout)
    assert [each["state"] for each in json.loads(run("clean", "applied", "--json").stdout)] == ["queued"]
    assert run("job", "run", started["job"]).exit_code == 0
    view = get_job(open_workspace(), started["job"])
    assert (view.state, view.job.kind) == ("done", "cleaning.apply")
    assert view.job.result is not None
    assert view.job.result["summary"].startswith("1 of 3 queries go and 2 stay in small revision 2")


def test_a_killed_job_is_resumed_and_the_revision_is_there_once(run: Run, scoring: str, no_process: None) -> None:
    started = json.loads(run(*APPLY, "--strategy", "rules", "--detach", "--json").stdout)
    died = subprocess.run([sys.executable, "-c", KILLED, str(started["job"])], check=False, timeout=120, env=os.environ)
    assert died.returncode == -signal.SIGKILL
    workspace = open_workspace()
    assert get_job(workspace, started["job"]).state == "interrupted"
    (row,) = json.loads(run("clean", "applied", "--json").stdout)
    assert (row["state"], row["made"]) == ("interrupted", None)
    resume_job(workspace, started["job"])
    assert run("job", "run", started["job"]).exit_code == 0
    (row,) = json.loads(run("clean", "applied", "--json").stdout)
    assert (row["state"], row["made"], row["removed"]) == ("finished", "2", 1)
    assert [each["revision"] for each in json.loads(run("datasets", "--json").stdout)] == ["2", "1"]


def test_a_name_is_free_again_after_a_command_that_broke_off(run: Run, scoring: str, tmp_path: Path) -> None:
    images = tmp_path / "bundle" / "images"
    (images / "p1.png").rename(images / "away.png")
    broken = run(*APPLY, "--strategy", "rules")
    assert (broken.exit_code, "p1.png" in broken.stderr) == (1, True)
    assert json.loads(run("clean", "applied", "--json").stdout) == []
    (images / "away.png").rename(images / "p1.png")
    assert run(*APPLY, "--strategy", "rules").exit_code == 0

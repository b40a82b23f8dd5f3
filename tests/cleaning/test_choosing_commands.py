"""`clean choose` and `clean estimate`: what they print of a scoring and a random sample, and what they refuse."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from audit_core.workflow.workspace import open_workspace
from tests.cleaning.applied_cleanings import scored, strategy
from tests.cleaning.label_bundle import LabelBundle, imported
from tests.command_line import Run

N = 600


@pytest.fixture
def run(run: Run, tmp_path: Path) -> Run:
    """A function that runs a command on a home with the scoring `first` of 600 queries, 300 of them labelled at random."""
    bundle = LabelBundle(n=N, share=0.3)
    chance = np.random.default_rng(1)
    rows = np.sort(chance.choice(N, 300, replace=False))
    labels = [{"query_id": bundle.ids[row], "remove": bundle.remove[row]} for row in rows]
    bundle.labels["by-hand"] = labels
    workspace = open_workspace()
    dataset = imported(workspace, tmp_path / "bundle", bundle)
    file = tmp_path / "random.jsonl"
    file.write_text("".join(json.dumps({**each, "probability": 0.5}) + "\n" for each in labels), encoding="utf-8")
    bad = np.asarray(bundle.remove)
    ratings = np.where(bad, chance.choice([0.5, 0.75, 1.0], N), chance.choice([0.0, 0.25, 0.5], N, p=[0.5, 0.4, 0.1]))
    scored(
        workspace,
        dataset,
        strategy("llm_rating", ratings.tolist()),
        strategy("rules", chance.random(N).tolist()),
        name="first",
    )

    assert run("clean", "import-labels", "labelled", file, "--name", "random").exit_code == 0
    return run


def test_choose_prints_the_threshold_that_keeps_most_and_its_bound(run: Run) -> None:
    made = run("clean", "choose", "first", "--labels", "labels:random", "--at-most", "10")
    assert made.exit_code == 0
    assert "## At most 10 % of what is kept is bad, with 95 % confidence; scoring first" in made.stdout
    assert "over 2 strategies, each at level 0.025" in made.stdout
    table = json.loads(run("clean", "choose", "1", "--labels", "labels:random", "--at-most", "10", "--json").stdout)
    rating, rules = table["rows"]
    # Remove at or above 0.5 is rated 0.5 or lower; of what is below, none is bad.
    assert (rating["reached"], rating["threshold"], rating["rating"], rating["bad"]) == ("yes", 0.5, 0.5, 0)
    assert rating["upper"] == pytest.approx(1 - 0.025 ** (1 / rating["n"]))
    assert (rules["reached"], rules["threshold"]) == ("no", None)


def test_choose_prints_the_sequence_as_csv(run: Run) -> None:
    words = ("--labels", "labels:random", "--at-most", "10", "--strategy", "llm_rating", "--table", "sequence")
    rows = list(csv.DictReader(io.StringIO(run("clean", "choose", "first", *words, "--format", "csv").stdout)))
    assert [row["threshold"] for row in rows] == ["0.0", "0.25", "0.5", "0.75", "1.0", "inf"]
    assert [row["outcome"] for row in rows[1:4]] == ["rejected", "rejected", "stopped"]
    assert rows[0]["says"] == "nothing is kept"


def test_choose_says_on_stderr_where_nothing_is_reached_and_exits_with_0(run: Run) -> None:
    made = run("clean", "choose", "first", "--labels", "labels:random", "--at-most", "1", "--strategy", "rules")
    assert made.exit_code == 0
    assert "No threshold gives this guarantee with these labels." in made.stderr
    assert "Not reachable with these labels" in made.stdout


def test_a_held_out_part_is_shown_with_its_interval(run: Run) -> None:
    words = (
        "--labels",
        "labels:random",
        "--at-most",
        "10",
        "--strategy",
        "llm_rating",
        "--test-share",
        "0.3",
        "--seed",
        "5",
    )
    (row,) = json.loads(run("clean", "choose", "first", *words, "--json").stdout)["rows"]
    assert (row["held_out"], row["held_out_method"]) == (0.0, "Wilson")
    assert row["held_out_n"] > 20


def test_estimate_prints_labels_alone_first_then_what_scores_add(run: Run) -> None:
    table = json.loads(run("clean", "estimate", "first", "--labels", "labels:random", "--json").stdout)
    human, tuned, full, *rules = table["rows"]
    assert (human["scores"], human["labels"]) == ("labels alone", 300)
    assert human["share_low"] < 0.3 < human["share_high"]
    assert tuned["share_high"] - tuned["share_low"] < 0.8 * (human["share_high"] - human["share_low"])
    assert tuned["labels_saved"] > 100
    assert (full["power"], len(rules)) == (1.0, 2)
    shown = run("clean", "estimate", "1", "--labels", "labels:random", "--strategy", "llm_rating", "--format", "latex")
    assert (shown.exit_code, r"\begin{tabular}" in shown.stdout) == (0, True)


def test_a_printed_threshold_keeps_in_apply_what_was_tested(run: Run) -> None:
    words = ("clean", "choose", "first", "--labels", "labels:random", "--at-most", "10", "--strategy", "rules")
    rows = json.loads(run(*words, "--table", "sequence", "--json").stdout)["rows"]
    lines = [each for each in run(*words, "--table", "sequence").stdout.splitlines() if each.startswith("| Rules")]
    apply = ("clean", "apply", "first", "--revision", "2", "--name", "x", "--preview", "--json")
    for place in (3, 10, 17):
        printed = lines[place].split("|")[3].strip()
        assert float(printed) == rows[place]["threshold"]
        made = run(*apply, "--strategy", f"rules:{printed}")
        assert json.loads(made.stdout)["after"] == rows[place]["kept"]


@pytest.mark.parametrize("command", ["choose", "estimate"])
def test_a_confidence_that_was_meant_as_a_part_of_1_is_refused(run: Run, command: str) -> None:
    more = ("--at-most", "10") if command == "choose" else ()
    for given, shown in (("0.95", "0.95"), ("49.9", "49.9"), ("100", "100"), ("nan", "nan")):
        refused = run("clean", command, "first", "--labels", "labels:random", "--confidence", given, *more)
        assert (refused.exit_code, refused.stdout) == (1, "")
        assert (
            f"The confidence is {shown} %: give one of at least 50 and below 100 %, such as 95 for 95 %"
            in refused.stderr
        )


@pytest.mark.parametrize("command", ["choose", "estimate"])
def test_labels_without_chances_and_what_is_not_there_are_refused(run: Run, command: str) -> None:
    more = ("--at-most", "10") if command == "choose" else ()
    refused = run("clean", command, "first", "--labels", "labels:by-hand", *more)
    assert (refused.exit_code, "needs a random sample of labelled 1" in refused.stderr) == (1, True)
    assert "Make a campaign with a random draw" in refused.stderr
    nobody = run("clean", command, "first", "--labels", "labels:none", *more, "--json")
    assert (nobody.exit_code, "no labels 'labels:none'" in json.loads(nobody.stdout)["error"]) == (1, True)
    assert "'second'" in run("clean", command, "second", "--labels", "labels:random", *more).stderr
    wrong = run("clean", command, "first", "--labels", "labels:random", *more, "--strategy", "knn")
    assert (wrong.exit_code, "'knn' took no part" in wrong.stderr) == (1, True)
    sure = run("clean", command, "first", "--labels", "labels:random", *more, "--confidence", "100")
    assert (sure.exit_code, "confidence" in sure.stderr) == (1, True)


def test_a_share_that_cannot_be_is_refused(run: Run) -> None:
    refused = run("clean", "choose", "first", "--labels", "labels:random", "--at-most", "0")
    assert (refused.exit_code, "such as 10 %" in refused.stderr) == (1, True)
    assert run("clean", "choose", "first", "--labels", "labels:random").exit_code == 2

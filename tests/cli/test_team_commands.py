"""The commands of a campaign of several people: start, annotators, guidelines, pilot, progress, pause, copy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import open_workspace
from tests.command_line import Run
from tests.strata_bundle import strata_bundle

QUERIES = 30


@pytest.fixture
def bundle(run: Run, tmp_path: Path) -> None:
    """A dataset `strata` with 30 queries, and three people who signed in."""
    assert run("import", strata_bundle(tmp_path / "strata")).exit_code == 0
    for name in ("Ada", "Grace", "Alan"):
        sign_in(open_workspace(), name)


def started(run: Run, *more: object) -> dict[str, Any]:
    result = run("campaign", "start", "team", "--dataset", "strata", *more, "--json")
    assert result.exit_code == 0, result.stderr
    document: dict[str, Any] = json.loads(result.stdout)
    return document


def document(run: Run, *words: object) -> dict[str, Any]:
    result = run(*words, "--json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.mark.usefixtures("bundle")
def test_a_campaign_is_handed_to_the_named_ones_with_a_pilot_gold_and_guidelines(run: Run, tmp_path: Path) -> None:
    gold = tmp_path / "gold.csv"
    first = json.loads((tmp_path / "strata" / "queries.jsonl").read_text().splitlines()[0])["query_id"]
    gold.write_text(f"query_id,codes\n{first},F\n")
    rules = tmp_path / "rules.txt"
    rules.write_text("Read twice.\n")
    made = started(
        run, "--judgments", 2, "--hand-out", "exact", "--annotator", "ada", "--annotator", "Grace", "--own-order",
        "--gold", gold, "--pilot", 4, "--guidelines", rules,
    )  # fmt: skip
    assert made["entries"] > QUERIES
    people = document(run, "campaign", "annotators", "team")
    assert (people["open_to_all"], [each["name"] for each in people["annotators"]]) == (False, ["Ada", "Grace"])
    told = document(run, "campaign", "guidelines", "team")
    assert told["guidelines"][0] == {**told["guidelines"][0], "version": 1, "text": "Read twice."}
    progress = document(run, "campaign", "progress", "team")
    assert (progress["stage"], progress["hand_out"], progress["whole"]["places"]) == ("pilot", "exact", 2 * QUERIES)
    pilot = document(run, "campaign", "pilot", "team")
    assert (pilot["entries"], pilot["judgments_per_entry"], pilot["complete"]) == (4, 2, 0)
    early = run("campaign", "end-pilot", "team")
    assert (early.exit_code, "0 of 8 judgments are there" in early.stderr, "--anyway" in early.stderr) == (
        1,
        True,
        True,
    )
    assert document(run, "campaign", "progress", "team")["stage"] == "pilot"
    assert run("campaign", "end-pilot", "team", "--anyway").exit_code == 0
    assert document(run, "campaign", "progress", "team")["stage"] == "production"


@pytest.mark.usefixtures("bundle")
def test_annotators_come_and_go_and_a_campaign_opens_to_all(run: Run) -> None:
    started(run, "--annotator", "Ada")
    changed = document(run, "campaign", "annotators", "team", "--add", "Alan", "--remove", "Ada")
    by_name = {each["name"]: each["removed_at"] for each in changed["annotators"]}
    assert by_name["Alan"] is None
    assert by_name["Ada"] is not None
    assert document(run, "campaign", "annotators", "team", "--open")["open_to_all"] is True
    unknown = run("campaign", "annotators", "team", "--add", "Nobody")
    assert (
        unknown.exit_code,
        "Nobody called 'Nobody' can sign in here. There are: Ada, Alan, Grace." in unknown.stderr,
    ) == (1, True)


@pytest.mark.usefixtures("bundle")
def test_pause_resume_and_copy_say_what_they_did(run: Run) -> None:
    started(run, "--hand-out", "exact", "--judgments", 3)
    assert document(run, "campaign", "pause", "team")["paused"] is True
    assert document(run, "campaign", "resume", "team")["paused"] is False
    assert (
        run("campaign", "copy", "team", "again", "--same-entries").stdout == "Campaign again is open, a copy of team.\n"
    )
    assert document(run, "campaign", "progress", "again")["judgments_per_entry"] == 3


@pytest.mark.usefixtures("bundle")
def test_versions_of_guidelines_are_printed_by_number(run: Run, tmp_path: Path) -> None:
    started(run)
    assert "has no guidelines of its own" in run("campaign", "guidelines", "team").stderr
    for number in (1, 2):
        file = tmp_path / "rules.txt"
        file.write_text(f"Rules {number}.")
        assert run("campaign", "guidelines", "team", "--write", file).stdout == f"Rules {number}.\n"
    assert run("campaign", "guidelines", "team", "--version", 1).stdout == "Rules 1.\n"
    missing = run("campaign", "guidelines", "team", "--version", 3)
    assert (missing.exit_code, "no version 3" in missing.stderr) == (1, True)


@pytest.mark.usefixtures("bundle")
@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--hand-out", "exact", "--judgments", "3", "--annotator", "Ada"), "need as many annotators"),
        (("--gold-share", "0.2"), "needs right answers"),
        (("--annotator", "Nobody"), "can sign in here"),
    ],
)
def test_what_does_not_go_together_is_refused_before_a_campaign_is_made(
    run: Run, options: tuple[str, ...], says: str
) -> None:
    result = run("campaign", "start", "team", "--dataset", "strata", *options)
    assert (result.exit_code, says in result.stderr) == (1, True)
    assert "There is no campaign" in run("campaign", "progress", "team").stderr

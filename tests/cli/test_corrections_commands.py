"""The commands of corrections: propose, list, review, rebase, check."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit_core.workflow.campaigns import find_campaign
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import open_workspace
from tests.bundles import small_bundle, without_judgments
from tests.command_line import Run
from tests.workflow.corrected_queries import Q1, decided

WIDER = {**Q1, "box": [1, 2, 9, 4]}
ROWS = [
    {"query_id": "q1", "action": "reword", "before": "what is one?", "after": "One?"},
    {"query_id": "q1", "action": "move-box", "key": {"page_id": "p1"}, "before": Q1, "after": WIDER},
    {"query_id": "q3", "action": "drop-page", "key": {"page_id": "p1"}, "before": [{"page_id": "p1"}]},
]  # fmt: skip


@pytest.fixture
def file(run: Run, tmp_path: Path) -> Path:
    """A dataset `small`, and a file of three corrections."""
    assert run("import", small_bundle(tmp_path / "bundle", without_judgments)).exit_code == 0
    place = tmp_path / "corrections.jsonl"
    place.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    return place


def document(run: Run, *words: object, code: int = 0) -> Any:
    result = run("corrections", *words, "--json")
    assert result.exit_code == code, result.stderr
    return json.loads(result.stdout)


def test_a_file_goes_from_proposal_to_check(run: Run, file: Path) -> None:
    dry = run("corrections", "propose", "small", "--from", file, "--person", "Ada", "--dry-run")
    assert dry.stdout == "Nothing was stored. 3 corrections proposed.\n"
    assert run("corrections", "list", "small").stderr.startswith("No correction is like that.")
    assert document(run, "propose", "small", "--from", file, "--person", "Ada")["added"] == 3
    again = run("corrections", "propose", "small", "--from", file, "--person", "Ada")
    assert again.stdout == "0 corrections proposed; 3 were there already.\n"
    found = document(run, "list", "small", "--code", "E")
    assert [(each["action"], each["structure"]) for each in found] == [("move-box", "Page-Single (unchanged)")]
    words = run("corrections", "check", "small").stdout
    assert words.startswith(
        "3 proposed, 0 accepted, 0 rejected, 0 superseded.\nWere all that are proposed accepted too:\n1 query: Cross-Doc -> "
    )
    accepted = run("corrections", "review", "small", "--accept", "1,2", "--person", "Bob")
    assert "next step" not in accepted.stderr
    accepted = run("corrections", "review", "small", "--accept", "all", "--person", "Bob")
    assert accepted.stdout == "1 correction accepted; 0 left.\n"
    assert "`python -m audit_core release make small@1 --revision NEW --person NAME`" in accepted.stderr
    check = document(run, "check", "small")
    assert (check["counts"]["accepted"], check["releasable"], check["without_evidence"]) == (3, True, [])
    assert check["structures"] == {"Cross-Doc -> Page-Single": 1, "Page-Single (unchanged)": 1}
    table = run("corrections", "list", "small", "--state", "accepted").stdout
    assert "page p1, box 1, 2, 9, 4" in table
    assert "One?" in table
    words = run("corrections", "check", "small").stdout
    assert words.startswith("0 proposed, 3 accepted, 0 rejected, 0 superseded.\n1 query: Cross-Doc -> Page-Single\n")


def test_withdrawn_queries_are_told_withdrawn_in_the_list_and_the_check(run: Run, file: Path) -> None:
    file.write_text("".join(json.dumps({"query_id": each, "action": "withdraw"}) + "\n" for each in ("q1", "q3")))
    run("corrections", "propose", "small", "--from", file, "--person", "Ada")
    assert {each["structure"] for each in document(run, "list", "small")} == {"withdrawn"}
    run("corrections", "review", "small", "--accept", "1", "--person", "Bob")
    words = run("corrections", "check", "small").stdout
    assert "1 query: withdrawn\nWithdrawn: 1 query: q1\nWere all" in words
    assert "2 queries: withdrawn\nWithdrawn: 2 queries: q1, q3\n" in words
    assert "evidence" not in words


def test_a_stale_correction_is_left_then_rebased(run: Run, file: Path) -> None:
    run("corrections", "propose", "small", "--from", file, "--person", "Ada")
    file.write_text(json.dumps({**ROWS[1], "after": {**Q1, "box": [1, 2, 20, 4]}}) + "\n")
    assert document(run, "propose", "small", "--from", file, "--person", "Ada")["added"] == 1
    assert "conflicts with 2" in run("corrections", "list", "small").stdout
    done = document(run, "review", "small", "--accept", "2,4", "--person", "Bob", code=1)
    assert (done["done"], done["left"][0]["id"]) == ([2], 4)
    assert "stale: rebase" in run("corrections", "list", "small").stdout
    assert document(run, "check", "small")["stale"][0]["id"] == 4
    assert document(run, "rebase", "small", "all", "--person", "Bob")["done"] == [4]
    assert document(run, "review", "small", "--accept", "5", "--note", "wider still", "--person", "Ada")["done"] == [5]
    left = run("corrections", "review", "small", "--reject", "2", "--person", "Ada")
    assert left.exit_code == 1
    assert "say in a note why" in left.stderr
    assert run("corrections", "review", "small", "--reject", "2", "--note", "no", "--person", "Ada").exit_code == 0
    broken = run("corrections", "check", "small")
    assert broken.exit_code == 1
    assert "Correction 5 (accepted): The correction move-box" in broken.stdout


def test_decisions_are_proposed_by_command(run: Run, file: Path) -> None:
    assert run("campaign", "start", "audit", "--dataset", "small").exit_code == 0, file
    workspace = open_workspace()
    campaign, ada = find_campaign(workspace, "audit"), sign_in(workspace, "Ada")
    for number in (1, 2, 3):
        decided(workspace, campaign, ada, number, "N")
    assert document(run, "propose", "small", "--from-campaign", "audit", "--person", "Ada")["added"] == 0
    made = document(run, "propose", "small", "--from-campaign", "audit", "--withdraw-n", "--person", "Ada")
    assert (made["added"], made["left"]) == (3, [])


def test_a_file_with_a_fault_is_refused_by_line_and_field(run: Run, file: Path) -> None:
    file.write_text(json.dumps({**ROWS[1], "after": {**Q1, "box": [1]}}) + "\n")
    refused = run("corrections", "propose", "small", "--from", file, "--person", "Ada", "--json")
    assert refused.exit_code == 1
    (problem,) = json.loads(refused.stdout)["problems"]
    assert (problem["line"], problem["field"]) == (1, "after.box")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("propose", "small", "--person", "Ada"), "Name one place"),
        (("propose", "small", "--from-rewrites", "x", "--dry-run", "--person", "Ada"), "--dry-run with --from"),
        (("review", "small", "--person", "Ada"), "either --accept IDS or --reject IDS"),
        (("review", "small", "--accept", "7", "--person", "Ada"), "has no correction '7'"),
        (("review", "small", "--accept", ",", "--person", "Ada"), "or say all"),
        (("propose", "small", "--from-rewrites", "nothing", "--person", "Ada"), "nothing"),
        (("list", "other"), "There is no dataset 'other'"),
    ],
)
def test_bad_use_says_what_to_do(run: Run, file: Path, words: tuple[str, ...], says: str) -> None:
    result = run("corrections", *words)
    assert result.exit_code != 0, file
    assert says in result.stderr

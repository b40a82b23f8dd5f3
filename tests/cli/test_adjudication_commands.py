"""campaign adjudication, adjudicate, accept-unanimous and export-decisions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit_core.domain import Role
from audit_core.storage import people
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import open_workspace
from tests.accounts import cheap_hashes, with_account
from tests.bundles import without_judgments
from tests.command_line import Run
from tests.homes import row_counts, with_campaign
from tests.judged_campaigns import save


@pytest.fixture
def judged(tmp_path: Path) -> None:
    """Ada and Bob differ on entry 1 of `fresh`, agree on 2 and 3."""
    workspace = open_workspace()
    campaign = with_campaign(workspace, tmp_path / "b", without_judgments, judgments_per_entry=2)
    ada, bob = sign_in(workspace, "Ada"), sign_in(workspace, "Bob")
    for person, codes in ((ada, ("F", "E", "")), (bob, ("", "E", ""))):
        for number, each in enumerate(codes, start=1):
            save(workspace, campaign, person, number, codes=each)


def _file(folder: Path, *rows: dict[str, Any]) -> Path:
    file = folder / "decisions.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


@pytest.mark.usefixtures("judged")
def test_the_list_says_how_entries_stand_and_what_each_judgment_says(run: Run) -> None:
    result = run("campaign", "adjudication", "fresh")
    assert result.exit_code == 0
    assert "fresh: 1 disputed, 2 unanimous, 0 single, 0 decided, 0 open." in result.stdout
    assert "F | correct" in result.stdout
    document = json.loads(run("campaign", "adjudication", "fresh", "--state", "all", "--json").stdout)
    assert document["counts"]["unanimous"] == 2
    assert document["entries"][0] == {
        "entry": 1, "query_id": "q1", "state": "disputed", "judgments": ["F", "correct"], "disputes": ["codes"],
        "decision": None, "basis": None,
    }  # fmt: skip
    assert [each["entry"] for each in document["entries"]] == [1, 2, 3]
    assert "No entry to list (decided)." in run("campaign", "adjudication", "fresh", "--state", "decided").stderr


@pytest.mark.usefixtures("judged")
def test_a_file_decides_after_a_dry_run_that_changes_nothing(run: Run, tmp_path: Path) -> None:
    file = _file(tmp_path, {"query_id": "q1", "codes": ["U"], "why": "one page is enough", "remove": True})
    before = row_counts(open_workspace())
    dry = run("campaign", "adjudicate", "fresh", "--from", file, "--dry-run", "--person", "Cora")
    assert "1 entry would be decided" in dry.stdout
    assert row_counts(open_workspace()) == before
    done = run("campaign", "adjudicate", "fresh", "--from", file, "--person", "Cora")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "1 entry decided, 0 decided anew, 0 unchanged." in done.stdout
    assert "remove of 1 line is not stored" in done.stdout
    again = json.loads(run("campaign", "adjudicate", "fresh", "--from", file, "--json").stdout)
    assert (again["decided"], again["revised"], again["unchanged"]) == (0, 0, 1)
    listed = json.loads(run("campaign", "adjudication", "fresh", "--state", "decided", "--json").stdout)["entries"]
    assert [(each["entry"], each["decision"], each["basis"]) for each in listed] == [(1, "U", "file")]


@pytest.mark.usefixtures("judged")
def test_a_faulty_file_is_refused_with_its_faults(run: Run, tmp_path: Path) -> None:
    file = _file(tmp_path, {"query_id": "q1", "codes": []}, {"query_id": "q7", "codes": ["X"]})
    refused = run("campaign", "adjudicate", "fresh", "--from", file, "--json")
    assert refused.exit_code == 1
    document = json.loads(refused.stdout)
    assert [(each["line"], each["field"]) for each in document["problems"]] == [(2, "query_id")]
    assert "decisions.jsonl, line 2, field query_id: found 'q7'" in refused.stderr.replace('"', "'")
    assert json.loads(run("campaign", "adjudication", "fresh", "--json").stdout)["counts"]["decided"] == 0


@pytest.mark.usefixtures("judged")
def test_unanimous_entries_are_accepted_by_command(run: Run) -> None:
    some = run("campaign", "accept-unanimous", "fresh", "--entries", "1, 2")
    assert some.stdout == "1 unanimous entry of campaign fresh accepted.\n"
    assert some.stderr == "Entry 1 is left: the judgments differ in codes.\n"
    rest = json.loads(run("campaign", "accept-unanimous", "fresh", "--person", "Cora", "--json").stdout)
    assert rest == {"accepted": 1, "left": []}
    assert run("campaign", "accept-unanimous", "fresh", "--entries", "1;2").exit_code == 2


@pytest.mark.usefixtures("judged")
def test_decisions_are_exported_by_command(run: Run, tmp_path: Path) -> None:
    run("campaign", "accept-unanimous", "fresh", "--person", "Cora")
    file = tmp_path / "d.jsonl"
    result = run("campaign", "export-decisions", "fresh", file)
    assert result.stdout == f"Decisions of campaign fresh written to {file}: 2 in all, 2 of them count.\n"
    assert "Cora" not in file.read_text()
    named = json.loads(run("campaign", "export-decisions", "fresh", tmp_path / "n.jsonl", "--names", "--json").stdout)
    assert (named["decisions"], named["entries"]) == (2, 2)
    assert "Cora" in (tmp_path / "n.jsonl").read_text()
    assert "does not end in .jsonl" in run("campaign", "export-decisions", "fresh", tmp_path / "d.csv").stderr


@pytest.mark.usefixtures("judged")
def test_without_a_name_the_command_line_decides_and_nobody_signs_in_as_it(run: Run) -> None:
    run("campaign", "accept-unanimous", "fresh")
    with open_workspace().database.read() as connection:
        assert people.by_name(connection, "command line", is_imported=True) is not None
        assert people.by_name(connection, "command line") is None


@pytest.mark.usefixtures("judged")
def test_where_people_have_accounts_a_command_decides_in_the_name_of_adjudicators_alone(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_ACCOUNTS", "local")
    with cheap_hashes():
        with_account(open_workspace(), "Dan", Role.ANNOTATOR)
        with_account(open_workspace(), "Cora", Role.ADJUDICATOR)
    file = _file(tmp_path, {"entry": 1, "codes": []})
    for name, words in (("Dan", "This is for an adjudicator"), ("Nobody", "Nobody is called")):
        refused = run("campaign", "adjudicate", "fresh", "--from", file, "--person", name)
        assert refused.exit_code == 1
        assert words in refused.stderr
    assert "1 entry decided" in run("campaign", "adjudicate", "fresh", "--from", file, "--person", "cora").stdout

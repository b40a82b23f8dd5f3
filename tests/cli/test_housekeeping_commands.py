"""campaign and dataset: rename, archive, restore and delete on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from audit_core.cli.main import main
from tests.bundles import small_bundle, without_judgments
from tests.command_line import Run
from tests.importers.small_bundle import Rows


@pytest.fixture
def imported(run: Run, tmp_path: Path) -> None:
    assert run("import", small_bundle(tmp_path / "b")).exit_code == 0


def names(run: Run, *words: str) -> list[str]:
    return [each["name"] for each in json.loads(run(*words, "--json").stdout)]


@pytest.mark.usefixtures("imported")
def test_a_campaign_is_renamed_archived_restored_and_deleted(run: Run) -> None:
    assert run("campaign", "rename", "audit", "spring").stdout == "Campaign audit is now called spring.\n"
    assert "archived" in run("campaign", "archive", "spring").stdout
    assert "Every campaign is archived" in run("campaigns").stderr
    assert names(run, "campaigns", "--all") == ["spring"]
    assert "archived" in run("campaigns", "--all").stdout
    assert "in the lists again" in run("campaign", "restore", "spring", "--dataset", "small@1").stdout
    assert names(run, "campaigns") == ["spring"]
    preview = json.loads(run("campaign", "delete", "spring", "--dry-run", "--json").stdout)
    assert preview["counts"] == {
        "entries": 3,
        "judgments": 3,
        "decisions": 0,
        "reveals": 0,
        "drafts": 0,
        "flags": 0,
        "comments": 0,
        "precedents": 0,
        "guidelines": 0,
    }
    assert "Deleted for good: 3 entries, 3 judgments." in run("campaign", "delete", "spring", "--dry-run").stdout
    assert names(run, "campaigns") == ["spring"]
    done = json.loads(run("campaign", "delete", "spring", "--yes", "--json").stdout)
    assert Path(done["copy"]).is_file()
    assert names(run, "campaigns", "--all") == []


@pytest.mark.usefixtures("imported")
def test_a_dataset_is_renamed_archived_restored_and_deleted(run: Run) -> None:
    assert run("dataset", "rename", "small", "My reports").stdout == "Dataset small@1 is shown as My reports.\n"
    assert "My reports" in run("datasets").stdout
    assert "with it" in run("dataset", "archive", "My reports").stdout
    assert "Every dataset is archived" in run("datasets").stderr
    assert "My reports (archived)" in run("datasets", "--all").stdout
    assert names(run, "campaigns") == []
    assert "in the lists again" in run("dataset", "restore", "small").stdout
    result = run("dataset", "delete", "small", "--yes")
    assert result.exit_code == 1
    assert "Add --with-campaigns" in result.stderr
    assert "The dataset's campaign goes too: audit." in run("dataset", "delete", "small", "--dry-run").stdout
    done = json.loads(run("dataset", "delete", "small", "--with-campaigns", "--yes", "--json").stdout)
    assert (done["campaigns"], done["folder_problem"]) == (["audit"], None)
    assert not Path(done["folder"]).exists()
    assert names(run, "datasets", "--all") == []


@pytest.mark.usefixtures("imported")
def test_a_deletion_asks_for_the_name_on_stderr_and_takes_nothing_else(run: Run) -> None:
    result = CliRunner().invoke(main, ["campaign", "delete", "audit"], input="audi\n")
    assert result.exit_code == 1
    assert "type its name exactly: audit" in result.stderr
    assert result.stdout == ""
    assert CliRunner().invoke(main, ["campaign", "delete", "audit"], input="").exit_code == 1
    result = run("campaign", "delete", "audit", "--json")
    assert (result.exit_code, json.loads(result.stdout)["error"].startswith("With --json nothing is asked")) == (
        1,
        True,
    )
    assert names(run, "campaigns") == ["audit"]
    result = CliRunner().invoke(main, ["campaign", "delete", "audit"], input="audit\n")
    assert (result.exit_code, result.stdout.startswith("Campaign audit is deleted. The copy made before is ")) == (
        0,
        True,
    )
    assert "Deleted for good: 3 entries, 3 judgments." in result.stderr


@pytest.mark.parametrize("command", ["rename x y", "archive x", "restore x", "delete x --yes"])
def test_what_is_not_there_cannot_be_kept_in_order(run: Run, command: str) -> None:
    for group, word in (("campaign", "There is no campaign"), ("dataset", "There is no dataset")):
        result = run(group, *command.split())
        assert (result.exit_code, result.stdout) == (1, "")
        assert word in result.stderr


@pytest.mark.usefixtures("imported")
def test_a_campaign_is_carried_over_after_a_look_at_what_changed(run: Run, tmp_path: Path) -> None:
    def change(rows: Rows) -> None:
        without_judgments(rows)
        rows["dataset"]["revision"] = "2"
        rows["queries"][1]["text"] = "what are two?"
        del rows["queries"][2]

    run("import", small_bundle(tmp_path / "later", change))
    words = ("campaign", "carry-over", "audit", "--to", "small@2")
    result = run(*words, "--dry-run")
    assert result.exit_code == 0
    assert "q2     query changed  query" in result.stdout
    assert "1 of 3 entries are the same in small@2: they come with 1 judgment (" in result.stdout
    assert names(run, "campaigns") == ["audit"]
    document = json.loads(run(*words, "--dry-run", "--json").stdout)
    assert document["counts"] == {"unchanged": 1, "query changed": 1, "evidence changed": 0, "gone": 1}
    assert "id" not in document
    assert json.loads(run(*words, "--name", "again", "--json").stdout)["name"] == "again"
    assert "Campaign audit is open on small@2" in run(*words, "--dataset", "small@1").stdout
    result = run("campaign", "carry-over", "again", "--to", "small@2")
    assert (result.exit_code, "already" in result.stderr) == (1, True)
    assert run("campaign", "carry-over", "again").exit_code == 2
    result = run("campaign", "delete", "audit", "--dataset", "small@1", "--yes")
    assert (result.exit_code, "rests on this" in result.stderr) == (1, True)

"""campaign export and campaign import."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit_core.workflow.workspace import open_workspace
from tests.command_line import Run
from tests.judged_campaigns import judged_audit


@pytest.fixture
def judged(tmp_path: Path) -> None:
    """The campaign `fresh`, judged."""
    judged_audit(open_workspace(), tmp_path / "b")


@pytest.mark.usefixtures("judged")
def test_judgments_are_written_and_taken_in_again(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "j.jsonl"
    result = run("campaign", "export", "fresh", file)
    assert result.exit_code == 0
    assert result.stdout == f"15 judgments by 3 annotators of campaign fresh written to {file}.\n"
    assert run("campaign", "start", "again", "--dataset", "small", "--seed", "1").exit_code == 0
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line]
    for row in rows:
        del row["entry"]  # in another order there
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    dry = json.loads(run("campaign", "import", "again", file, "--dry-run", "--json").stdout)
    assert (dry["done"], dry["added"]) == (False, 15)
    done = json.loads(run("campaign", "import", "again", file, "--json").stdout)
    assert (done["done"], done["added"], done["known"]) == (True, 15, 0)
    again = run("campaign", "import", "again", file)
    assert "0 were added to campaign again, 15 are there already." in again.stdout


@pytest.mark.usefixtures("judged")
def test_a_spreadsheet_is_named_so_and_refused_as_json(run: Run, tmp_path: Path) -> None:
    result = json.loads(
        run("campaign", "export", "fresh", tmp_path / "j.csv", "--spreadsheet", "--newest", "--json").stdout
    )
    assert result == {"file": str(tmp_path / "j.not-for-import.csv"), "judgments": 5, "annotators": 3}
    refused = run("campaign", "import", "fresh", tmp_path / "j.not-for-import.csv", "--json")
    assert refused.exit_code == 1
    document = json.loads(refused.stdout)
    assert document["problems_total"] == 1
    assert "written for spreadsheets" in document["problems"][0]["expected"]


@pytest.mark.usefixtures("judged")
def test_names_are_written_only_when_asked_for(run: Run, tmp_path: Path) -> None:
    run("campaign", "export", "fresh", tmp_path / "hidden.csv")
    run("campaign", "export", "fresh", tmp_path / "named.csv", "--names")
    assert ",Ada," not in (tmp_path / "hidden.csv").read_text(encoding="utf-8")
    assert ",Ada," in (tmp_path / "named.csv").read_text(encoding="utf-8")


@pytest.mark.usefixtures("judged")
def test_an_annotator_can_be_said_to_be_an_account(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "j.csv"
    file.write_text("entry,annotator,codes\r\n3,x=y,U\r\n", encoding="utf-8")
    result = json.loads(run("campaign", "import", "fresh", file, "--as", "x=y=Ada", "--json").stdout)
    assert result["annotators"] == [{"name": "x=y", "person": "Ada", "new": False, "account": True}]
    other = "entry,annotator,codes\r\n3,x=y,F\r\n"
    file.write_text(other, encoding="utf-8")
    refused = run("campaign", "import", "fresh", file, "--as", "x=y=Ada")
    assert refused.exit_code == 1
    assert "row 2, field annotator" in refused.stderr
    revised = json.loads(run("campaign", "import", "fresh", file, "--as", "x=y=Ada", "--revise", "--json").stdout)
    assert (revised["added"], revised["revised"]) == (1, 1)


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize(
    ("given", "words"), [(("Ada",), "write NAME=ACCOUNT"), (("a=Ada", "a=Bob"), "names 'a' twice")]
)
def test_an_annotator_that_is_said_wrongly_is_refused(
    run: Run, tmp_path: Path, given: tuple[str, ...], words: str
) -> None:
    (tmp_path / "j.csv").write_text("entry,annotator,codes\r\n3,a,U\r\n", encoding="utf-8")
    options = [each for one in given for each in ("--as", one)]
    refused = run("campaign", "import", "fresh", tmp_path / "j.csv", *options)
    assert refused.exit_code == 1
    assert words in refused.stderr


@pytest.mark.usefixtures("judged")
def test_a_name_that_says_no_form_is_refused_before_anything_is_opened(run: Run, tmp_path: Path) -> None:
    refused = run("campaign", "export", "fresh", tmp_path / "j.txt")
    assert refused.exit_code == 1
    assert ".jsonl, .csv, .parquet" in refused.stderr

"""campaign plan and campaign start: what they print, what they draw, and how they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import Run
from tests.strata_bundle import strata_bundle


@pytest.fixture
def imported(run: Run, tmp_path: Path) -> None:
    """30 queries in four strata."""
    assert run("import", strata_bundle(tmp_path / "strata")).exit_code == 0


@pytest.mark.usefixtures("imported")
def test_a_plan_is_a_table_with_sentences_and_changes_nothing(run: Run) -> None:
    result = run("campaign", "plan", "--dataset", "strata", "--total", 12, "--seed", 5)
    assert result.exit_code == 0
    assert "wiki Cross-Doc" in result.stdout
    assert "12 of 30 queries from 4 strata, divided in proportion" in result.stdout
    assert "Seed 5: the same seed and sizes draw the same entries." in result.stdout
    assert "strata get under 20 entries" in result.stderr
    assert run("campaigns", "--json").stdout == "[]\n"


@pytest.mark.usefixtures("imported")
@pytest.mark.parametrize(
    ("words", "total"),
    [
        ("--half-width 10", 20),
        ("--half-width 15 --by source --allocation equal", 21),
        ("--total 9 --allocation neyman --guess 0.9", 9),
        ("--total 6 --where source=wiki --where domain=odd", 6),
        ("--sample simple:7", 7),
        ("--sample simple --half-width 10", 16),
        ("--sample all", 30),
        ("", 30),
    ],
)
def test_every_way_of_asking_gives_a_plan(run: Run, words: str, total: int) -> None:
    """By hand, p = 0.95: of 30 queries as one stratum 15 give 10.85 points and 16 give 9.86; 1, 6, 4 and 9 of 1, 9, 6 and 14
    give 9.86, one fewer of the 14 gives 10.90; of law 1 and 7 give 12.1 (6: 17.8), of wiki 6 and 7 give 14.5 (6: 15.3).
    """
    result = run("campaign", "plan", "--dataset", "strata", *words.split(), "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    document = json.loads(result.stdout)
    assert document["total"] == total
    assert isinstance(document["seed"], int)
    assert document["dataset"] == "strata"


@pytest.mark.usefixtures("imported")
def test_a_campaign_is_started_as_it_was_planned(run: Run) -> None:
    words = ("--dataset", "strata", "--total", 12, "--seed", 5)
    planned = json.loads(run("campaign", "plan", *words, "--json").stdout)
    result = run("campaign", "start", "one", *words, "--judgments", 2)
    assert result.exit_code == 0
    assert "Campaign one is open with 12 entries (stratified random without replacement, seed 5)." in result.stdout
    report = json.loads(run("report", "one", "--json").stdout)
    drawn = {
        (each["source"], each["evidence_structure"]): each["drawn"]
        for each in report["rows"]
        if each["kind"] == "stratum"
    }
    assert drawn == {(each["source"], each["evidence_structure"]): each["size"] for each in planned["strata"]}
    second = run("campaign", "start", "two", "--dataset", "strata", "--total", 12, "--leave-out", "one", "--json")
    assert second.exit_code == 0
    assert json.loads(second.stdout)["entries"] == 12
    left = json.loads(
        run("campaign", "plan", "--dataset", "strata", "--leave-out", "one", "--leave-out", "two", "--json").stdout
    )
    assert left["left_out"] == 24
    assert left["left_out_at_random"] is True


@pytest.mark.usefixtures("imported")
def test_sizes_and_ids_come_from_files(run: Run, tmp_path: Path) -> None:
    (tmp_path / "sizes.csv").write_text("source,evidence_structure,size\nwiki,Cross-Doc,3\nlaw,Page-Single,2\n")
    (tmp_path / "ids.txt").write_text("law-Doc-Near-0\nwiki-Cross-Doc-2\n")
    result = run("campaign", "start", "sized", "--dataset", "strata", "--sizes", tmp_path / "sizes.csv", "--json")
    assert json.loads(result.stdout)["entries"] == 5
    result = run(
        "campaign", "start", "listed", "--dataset", "strata", "--sample", f"ids:{tmp_path / 'ids.txt'}", "--json"
    )
    assert json.loads(result.stdout) | {"id": 0} == {
        "id": 0, "name": "listed", "protocol": "audit", "state": "open", "entries": 2, "method": "list of ids", "seed": None,
    }  # fmt: skip
    (tmp_path / "sizes.csv").write_bytes(b"source,evidence_structure,size\nw\xff,x,1\n")
    result = run("campaign", "plan", "--dataset", "strata", "--sizes", tmp_path / "sizes.csv")
    assert result.exit_code == 1
    assert "cannot be read as UTF-8" in result.stderr


@pytest.mark.usefixtures("imported")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--total 31", "too large"),
        ("--total 5 --half-width 2", "in one way"),
        ("--sample all --total 5", "no number to choose"),
        ("--where colour=red", "no key 'colour'"),
        ("--where source=news", "there are: law, wiki"),
        ("--leave-out nothing", "no campaign 'nothing' on strata"),
        ("--guess-from nothing --total 9", "no campaign 'nothing' on strata"),
    ],
)
def test_what_cannot_be_planned_exits_with_1_and_says_why(run: Run, words: str, said: str) -> None:
    for command in (("campaign", "plan"), ("campaign", "start", "x")):
        result = run(*command, "--dataset", "strata", *words.split())
        assert (result.exit_code, result.stdout) == (1, "")
        assert said in result.stderr
    assert said in json.loads(run("campaign", "plan", "--dataset", "strata", *words.split(), "--json").stdout)["error"]
    assert run("campaigns", "--json").stdout == "[]\n"


@pytest.mark.usefixtures("imported")
@pytest.mark.parametrize(
    "words",
    [
        "--sample nonsense", "--sample simple:x", "--sample simple:5 --total 5", "--sample ids:nowhere.txt", "--sample ids",
        "--sample all:3", "--where source", "--by source", "--guess 0.9 --guess-from x", "--guess 2", "--total 0",
        "--sizes nowhere.csv", "--seed -1", "--half-width 0", "--half-width 50", "--half-width nan",
    ],
)  # fmt: skip
def test_a_plan_asked_for_wrongly_exits_with_2(run: Run, words: str) -> None:
    result = run("campaign", "plan", "--dataset", "strata", *words.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Usage:" in result.stderr

"""The commands of releases and the verifier: from an audited set of real PDFs, or a generated one, to a proof."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from audit_core.workflow.workspace import open_workspace
from tests.command_line import Run, close_homes
from tests.workflow.released_corrections import Home, audited_home


@pytest.fixture
def home(run: Run, tmp_path: Path) -> Home:
    return audited_home(open_workspace(), tmp_path / "old")


def document(run: Run, *words: object, code: int = 0) -> Any:
    result = run(*words, "--json")
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)


def made(run: Run, *more: object) -> dict[str, Any]:
    found: dict[str, Any] = document(
        run, "release", "make", "made", "--revision", "2", "--person", "Adalbert Quist", *more
    )
    return found


def test_a_release_is_made_listed_told_certified_verified_and_deleted(run: Run, home: Home, tmp_path: Path) -> None:
    to = tmp_path / "out"
    release = made(run, "--to", to, "--form", "parquet", "--media", "copy", "--beir", "--import")
    assert release["imported"] == "made@2"
    assert [each["makes"] for each in document(run, "release", "list", "made")] == ["2"]
    assert run("release", "issue-text", 1).stdout.startswith("# Corrections of made, revision 1\n")
    assert "Proved: the new revision is the old one" in run("release", "certificate", 1).stdout
    assert document(run, "release", "certificate", 1)["result"]["hash"] == release["result"]["hash"]
    assert run("release", "certificate", 1, "--again").exit_code == 0
    verified = run("verify", home.bundle, to / "ledger.jsonl", to / "bundle", "--certificate", to / "certificate.json")
    assert verified.exit_code == 0
    assert verified.stdout.endswith("Proved: NEW is OLD with the changes of the ledger, and nothing else differs.\n")
    assert "10 page files" in verified.stdout
    assert run("release", "delete", 1, "--person", "Adalbert Quist").exit_code == 0
    assert document(run, "release", "list") == []


def test_one_changed_byte_is_named_and_exits_with_1(run: Run, home: Home, tmp_path: Path) -> None:
    to = tmp_path / "out"
    made(run, "--to", to, "--media", "copy")
    words = ("verify", home.bundle, to / "ledger.jsonl", to / "bundle")
    (to / "bundle" / "images" / "i4.png").write_bytes(b"image 5")
    result = run(*words)
    assert result.exit_code == 1
    assert "  images/i4.png: the page file has other bytes than in OLD\n" in result.stdout
    found = document(run, *words, code=1)
    assert (found["proved"], found["differences_total"]) == (False, 1)


def test_a_certificate_of_another_release_is_told_apart(run: Run, home: Home, tmp_path: Path) -> None:
    to = tmp_path / "out"
    made(run, "--to", to)
    certificate = json.loads((to / "certificate.json").read_text())
    certificate["result"]["hash"] = "0" * 64
    (to / "other.json").write_text(json.dumps(certificate))
    result = run("verify", home.bundle, to / "ledger.jsonl", to / "bundle", "--certificate", to / "other.json")
    assert result.exit_code == 1
    assert "other.json, field result.hash: found '000" in result.stdout


@pytest.mark.parametrize(
    ("old", "ledger", "new", "words"),
    [
        ("nowhere", "ledger.jsonl", "new", "nowhere is not a folder: give the folder of a bundle"),
        ("old", "nothing.jsonl", "new", "nothing.jsonl cannot be read (No such file or directory): check the path"),
        ("old", "broken.jsonl", "new", "broken.jsonl, line 1"),
        ("old", "ledger.jsonl", "empty", "dataset.json"),
    ],
)
def test_what_is_not_there_or_malformed_is_refused_with_what_to_do(
    run: Run, home: Home, tmp_path: Path, old: str, ledger: str, new: str, words: str
) -> None:
    to = tmp_path / "out"
    made(run, "--to", to)
    (to / "broken.jsonl").write_text("{}\n")
    (to / "empty").mkdir()
    places = {"old": home.bundle, "new": to / "bundle"}
    result = run("verify", places.get(old, to / old), to / ledger, places.get(new, to / new))
    assert result.exit_code == 1
    assert words in result.stderr


def test_a_revision_that_is_there_is_refused_and_nothing_is_made(run: Run, home: Home) -> None:
    result = run("release", "make", "made", "--revision", "1", "--person", "Adalbert Quist")
    assert result.exit_code == 1
    assert "made has a revision 1 already" in result.stderr
    assert document(run, "release", "list") == []


def test_a_release_is_made_by_a_job_in_a_process_of_its_own(run: Run, home: Home, no_process: None) -> None:
    found = made(run, "--detach")
    assert document(run, "job", "show", found["job"])["kind"] == "release.make"
    close_homes()
    words = [sys.executable, "-m", "audit_core", "job", "run", str(found["job"])]
    subprocess.run(words, check=True, capture_output=True, timeout=200)
    shown = document(run, "job", "show", found["job"])
    assert (shown["state"], shown["error"]) == ("done", None)
    assert [each["makes"] for each in document(run, "release", "list")] == ["2"]

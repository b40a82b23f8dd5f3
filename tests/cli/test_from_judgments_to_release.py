"""The whole way by command: two annotators' judgments, their agreement, decisions from a file, corrections, a release, its proof.

It is gone with the sample of this repository, and with a set of real PDFs whose gold was made by hand, where that is.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from audit_core.corrections.pieces import counted
from tests.command_line import Run, close_homes

SAMPLE = Path(__file__).parents[2] / "data" / "sample"


@dataclass(frozen=True)
class Audited:
    """A bundle with judgments of two annotators and a file of decisions; what its description says of it."""

    bundle: Path
    dataset: str
    old: str
    campaign: str
    codes: Counter[str]
    correct: int

    def gold(self) -> dict[str, dict[str, Any]]:
        return {row["query_id"]: row for row in rows_of(self.bundle / "gold.jsonl")}


def rows_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(params=["sample", "pdf_audit"])
def audited(request: pytest.FixtureRequest) -> Audited:
    if request.param == "sample":
        rows = rows_of(SAMPLE / "gold.jsonl")
        codes = Counter(code for row in rows for code in row["codes"])
        return Audited(
            SAMPLE, "assay-sample", "2", "two-annotators", codes, sum(not row["codes"] for row in rows)
        )  # fmt: skip
    folder = request.getfixturevalue("real_data") / "pdf_audit"
    # The counts that its README.md names.
    return Audited(folder, "pdf_audit", "1", "two_annotators", Counter(F=8, E=7, U=6, N=4), 50)


def done(run: Run, *words: object) -> str:
    result = run(*words)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def released(run: Run, audited: Audited, tmp_path: Path) -> Path:
    """The folder of a release of everything that the gold file asks for."""
    done(run, "import", audited.bundle)
    for name, role in (("Cora", "lead"), ("Bob", "adjudicator")):
        done(run, "account", "add", name, "--role", role)
    gold = audited.bundle / "gold.jsonl"
    done(run, "campaign", "adjudicate", audited.campaign, "--from", gold, "--person", "Cora")
    again = done(run, "campaign", "adjudicate", audited.campaign, "--from", gold, "--person", "Cora")
    assert f"0 entries decided, 0 decided anew, {len(audited.gold())} unchanged" in again
    done(run, "corrections", "propose", audited.dataset, "--from-campaign", audited.campaign, "--person", "Cora")
    done(run, "corrections", "review", audited.dataset, "--accept", "all", "--person", "Bob")
    to = tmp_path / "release"
    done(
        run, "release", "make", audited.dataset, "--revision", "mended", "--campaign", audited.campaign, "--to", to,
        "--beir", "--import", "--person", "Cora",
    )  # fmt: skip
    return to


def test_judgments_become_a_release_that_says_what_gold_says_and_is_proved(
    run: Run, audited: Audited, released: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = json.loads(done(run, "report", audited.campaign, "--format", "json"))
    overall = report["total"]
    assert (overall["correct"], overall["decided"]) == (audited.correct, len(audited.gold()))
    assert overall["codes"] == dict(audited.codes)
    proof = done(
        run, "verify", audited.bundle, released / "ledger.jsonl", released / "bundle", "--certificate",
        released / "certificate.json",
    )  # fmt: skip
    assert proof.endswith("Proved: NEW is OLD with the changes of the ledger, and nothing else differs.\n")
    queries = {row["query_id"]: row for row in rows_of(released / "bundle" / "queries.jsonl")}
    old = {row["query_id"]: row for row in rows_of(audited.bundle / "queries.jsonl")}
    for query_id, row in audited.gold().items():
        new = queries[query_id]
        assert new["text"] == row.get("corrected_text", old[query_id]["text"])
        assert counted(new["evidence"]) == counted(row.get("corrected_evidence", old[query_id]["evidence"])), query_id
    certified = json.loads((released / "certificate.json").read_text())
    close_homes()
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "another-home"))
    done(run, "import", released / "bundle")
    (imported,) = json.loads(done(run, "datasets", "--json"))
    assert imported["content_hash"] == certified["result"]["hash"]
    assert (imported["name"], imported["revision"]) == (audited.dataset, "mended")


def test_a_row_of_the_ledger_that_is_changed_taken_out_or_added_is_found(
    run: Run, audited: Audited, released: Path, tmp_path: Path
) -> None:
    ledger = (released / "ledger.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    at = next(at for at, line in enumerate(ledger) if json.loads(line)["action"] == "reword")
    row = json.loads(ledger[at])
    changed = json.dumps(row | {"after": row["after"] + " "}) + "\n"
    for name, lines in {
        "changed": [*ledger[:at], changed, *ledger[at + 1 :]],
        "taken out": [*ledger[:at], *ledger[at + 1 :]],
        "twice": [*ledger[: at + 1], *ledger[at:]],
    }.items():
        file = tmp_path / "ledger.jsonl"
        file.write_text("".join(lines), encoding="utf-8")
        result = run("verify", audited.bundle, file, released / "bundle")
        assert result.exit_code == 1, name
    # As deep as the release, since the bundle names the page files by the way to them.
    bundle = tmp_path / "copy" / "bundle"
    shutil.copytree(released / "bundle", bundle)
    queries = bundle / "queries.jsonl"
    queries.write_text(queries.read_text(encoding="utf-8").replace("?", "!", 1), encoding="utf-8")
    result = run("verify", audited.bundle, released / "ledger.jsonl", bundle)
    assert result.exit_code == 1
    assert "queries.jsonl" in result.output

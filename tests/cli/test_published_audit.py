"""The published audit, imported and reported by commands, shows the published numbers (tests/data/audit_strata.csv)."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.bundles import STRATA, published_audit_bundle
from tests.command_line import Run


@pytest.fixture
def report(run: Run, tmp_path: Path) -> dict[str, Any]:
    """The report of the published audit as JSON."""
    assert run("import", published_audit_bundle(tmp_path / "published")).exit_code == 0
    said: dict[str, Any] = json.loads(run("report", "audit", "--json").stdout)
    return said


def _row(report: dict[str, Any], kind: str, source: str | None, structure: str | None) -> dict[str, Any]:
    (row,) = [
        each
        for each in report["rows"]
        if (each["kind"], each["source"], each["evidence_structure"]) == (kind, source, structure)
    ]
    return dict(row)


def _percent(interval: dict[str, Any]) -> tuple[float, float]:
    return round(100 * interval["low"], 1), round(100 * interval["high"], 1)


def test_the_audited_entries(report: dict[str, Any]) -> None:
    total = report["total"]
    assert (total["correct"], total["decided"], total["entries"]) == (746, 800, 800)
    assert total["interval"]["estimate"] == 0.9325
    assert (total["interval"]["method"], _percent(total["interval"])) == ("Wilson", (91.3, 94.8))
    assert total["codes"] == {"F": 13, "E": 20, "U": 17, "N": 4}
    assert "746 of 800" in report["headline"]


def test_the_cross_doc_entries(report: dict[str, Any]) -> None:
    row = _row(report, "structure", None, "Cross-Doc")
    assert (row["correct"], row["decided"], row["distinct_queries"]) == (177, 200, 199)
    assert (row["interval"]["estimate"], _percent(row["interval"])) == (0.885, (83.3, 92.2))
    row = _row(report, "stratum", "PubMed", "Cross-Doc")
    assert (row["correct"], row["decided"]) == (40, 50)
    assert (row["interval"]["estimate"], _percent(row["interval"])) == (0.8, (67.0, 88.8))


def test_the_whole_benchmark_and_what_remains(report: dict[str, Any]) -> None:
    benchmark = report["benchmark"]
    estimate = benchmark["estimate"]
    assert (round(100 * estimate["interval"]["estimate"], 2), _percent(estimate["interval"])) == (96.38, (94.8, 97.5))
    assert estimate["population"] == 271_760
    assert "about 9,790 faulty" in benchmark["remaining_sentence"]
    assert "Whole benchmark" in benchmark["sentence"]
    assert report["design_check"]["sentences"] == []


def test_every_stratum_has_its_published_counts(report: dict[str, Any]) -> None:
    with STRATA.open(encoding="utf-8") as stream:
        published = list(csv.DictReader(stream))
    assert len(published) == 24
    for each in published:
        row = _row(report, "stratum", each["source"], each["evidence_structure"])
        found = (row["population"], row["drawn"], row["decided"], row["correct"])
        assert found == tuple(int(each[name]) for name in ("population_queries", "audited", "audited", "correct"))
        assert row["codes"] == {code: int(each[code]) for code in "FEUN"}


def test_it_goes_there_and_back_by_commands_and_says_the_same(
    run: Run, report: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("export-bundle", "published", tmp_path / "out", "--media", "copy").exit_code == 0
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "fresh"))
    assert run("import", tmp_path / "out").exit_code == 0
    again = json.loads(run("report", "audit", "--json").stdout)
    again["context"]["when"] = report["context"]["when"]
    assert again == report

"""Commands on removal campaigns: start, list, report, export."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit_core.workflow import judging
from audit_core.workflow.campaigns import find_campaign
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import open_workspace
from tests.command_line import Run
from tests.strata_bundle import strata_bundle


@pytest.fixture
def started(run: Run, tmp_path: Path) -> None:
    """A removal campaign `clean` on 30 queries in four strata, with three answers of Ada's."""
    assert run("import", strata_bundle(tmp_path / "strata")).exit_code == 0
    result = run("campaign", "start", "clean", "--dataset", "strata", "--protocol", "removal", "--json")
    assert json.loads(result.stdout)["protocol"] == "removal"
    bodies: list[dict[str, Any]] = [
        {"outcome": "judged", "fields": {"remove": True, "clarity": 0.25}},
        {"outcome": "judged", "fields": {"remove": False}},
        {"outcome": "cannot_judge", "reason": "blurred"},
    ]
    workspace = open_workspace()
    ada, campaign = sign_in(workspace, "Ada"), find_campaign(workspace, "clean")
    for number, body in enumerate(bodies, start=1):
        entry = judging.entry_numbered(workspace, ada, campaign_id=campaign.id, number=number)
        filled = {"nonce": f"nonce-{number:06}", "base_revision": 0, **body}
        judging.save_judgment(workspace, ada, entry_id=entry.row.id, body=filled)


@pytest.mark.usefixtures("started")
def test_the_list_tells_the_protocol_of_each_campaign(run: Run) -> None:
    run("campaign", "start", "check", "--dataset", "strata", "--json")
    listed = json.loads(run("campaigns", "--json").stdout)
    assert [(each["name"], each["protocol"]) for each in listed] == [("check", "audit"), ("clean", "removal")]
    assert "protocol" in run("campaigns").stdout.split("\n")[0]


@pytest.mark.usefixtures("started")
def test_the_report_is_of_keep_and_remove_in_every_format(run: Run) -> None:
    document = json.loads(run("report", "clean", "--json").stdout)
    assert document["format"] == "assay-removal-report"
    total = document["total"]
    assert [total[name] for name in ("keep", "remove", "disputed", "cannot_judge", "not_judged")] == [1, 1, 0, 1, 27]
    assert "1 of 2 decided entries is to be removed: 50.0 %" in run("report", "clean").stdout
    for form in ("csv", "latex", "markdown"):
        result = run("report", "clean", "--format", form)
        assert (result.exit_code, result.stderr) == (0, "")
        assert "remove" in result.stdout.lower()


@pytest.mark.usefixtures("started")
def test_an_export_says_on_stderr_what_labels_leave_out(run: Run, tmp_path: Path) -> None:
    result = run("export-bundle", "strata", tmp_path / "out", "--json")
    assert json.loads(result.stdout)["dataset"] == "strata"
    assert "no place for 1 answer 'cannot judge' and 0 earlier revisions" in result.stderr
    rows = (tmp_path / "out" / "labels" / "clean.jsonl").read_text(encoding="utf-8").split("\n")
    assert len([row for row in rows if row]) == 2


@pytest.mark.usefixtures("started")
def test_an_unknown_protocol_and_guesses_from_a_removal_campaign_are_refused(run: Run) -> None:
    assert run("campaign", "start", "x", "--dataset", "strata", "--protocol", "beauty").exit_code == 2
    result = run("campaign", "plan", "--dataset", "strata", "--total", 9, "--guess-from", "clean")
    assert result.exit_code == 1
    assert "Campaign clean follows the protocol removal" in result.stderr

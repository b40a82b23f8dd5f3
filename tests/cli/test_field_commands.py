"""Commands on relevance campaigns and query reviews: start, list, report, export."""

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

KEEP = {"naturalness": "ok", "ambiguity": "ok", "answerability": "ok", "evidence": "yes", "outcome": "keep"}
ANSWERS: dict[str, list[dict[str, Any]]] = {
    "relevance": [{"query": "poor", "reasons": ["unclear"]}, {"query": "poor", "reasons": ["unlikely", "other"]}],
    "query-review": [KEEP, {**KEEP, "outcome": "discard"}],
}


@pytest.fixture(params=ANSWERS)
def protocol(request: pytest.FixtureRequest, run: Run, tmp_path: Path) -> str:
    """The name of a protocol, with a campaign `mine` under it, two of whose entries Ada judged."""
    name: str = request.param
    assert run("import", strata_bundle(tmp_path / "strata")).exit_code == 0
    result = run("campaign", "start", "mine", "--dataset", "strata", "--protocol", name, "--json")
    assert (result.exit_code, json.loads(result.stdout)["protocol"]) == (0, name)
    workspace = open_workspace()
    ada, campaign = sign_in(workspace, "Ada"), find_campaign(workspace, "mine")
    for number, fields in enumerate(ANSWERS[name], start=1):
        entry = judging.entry_numbered(workspace, ada, campaign_id=campaign.id, number=number)
        body = {"nonce": f"nonce-{number:06}", "base_revision": 0, "outcome": "judged", "fields": fields}
        judging.save_judgment(workspace, ada, entry_id=entry.row.id, body=body)
    return name


def test_the_list_and_the_report_tell_the_protocol_in_every_format(run: Run, protocol: str) -> None:
    assert [each["protocol"] for each in json.loads(run("campaigns", "--json").stdout)] == [protocol]
    document = json.loads(run("report", "mine", "--json").stdout)
    assert (document["format"], document["context"]["protocol"]) == ("assay-fields-report", protocol)
    assert (document["total"]["decided"], document["total"]["not_judged"]) == (2, 28)
    for form in ("csv", "latex", "markdown"):
        result = run("report", "mine", "--format", form)
        assert (result.exit_code, result.stderr) == (0, "")
        assert document["fields"][0]["title"].split()[0].lower() in result.stdout.lower()


def test_an_export_holds_the_fields_and_leaves_nothing_unsaid(run: Run, protocol: str, tmp_path: Path) -> None:
    result = run("export-bundle", "strata", tmp_path / "out", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    rows = (tmp_path / "out" / "judgments" / "mine.jsonl").read_text(encoding="utf-8").split("\n")
    written = [json.loads(row) for row in rows if row]
    assert [(row["protocol"], row["fields"]) for row in written] == [(protocol, fields) for fields in ANSWERS[protocol]]


@pytest.mark.usefixtures("protocol")
def test_a_plan_takes_no_guesses_from_such_a_campaign(run: Run) -> None:
    result = run("campaign", "plan", "--dataset", "strata", "--total", 9, "--guess-from", "mine")
    assert result.exit_code == 1
    assert "Campaign mine follows the protocol" in result.stderr

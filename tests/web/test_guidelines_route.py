"""What the judging page is told of a campaign's own guidelines, and the version that a judgment keeps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from audit_core.storage import judgments
from audit_core.workflow.guidelines import write_guidelines
from audit_core.workflow.workspace import Workspace
from tests.team_desk import TeamDesk
from tests.web.conftest import Browser


def test_the_newest_guidelines_are_told_and_a_judgment_keeps_the_version_that_was_shown(
    workspace: Workspace, open_browser: Callable[..., Browser], tmp_path: Path
) -> None:
    desk = TeamDesk(workspace, tmp_path / "bundle", queries=3, names=("Ada",))
    ada = open_browser("Ada")
    address = f"/api/campaigns/{desk.campaign.id}/state"
    assert ada.get(address).json()["campaign"]["guidelines"] is None
    write_guidelines(workspace, desk.campaign, "Read twice.")
    write_guidelines(workspace, desk.campaign, "Read three times.")
    state = ada.get(address).json()
    told = state["campaign"]["guidelines"]
    assert (told["version"], told["text"]) == (2, "Read three times.")
    address = f"/api/entries/{state['entry']['id']}/judgments"
    for wrong in (0, 3, True, "2"):
        body = {
            "nonce": "nonce-00000",
            "base_revision": 0,
            "outcome": "judged",
            "codes": "",
            "guideline_version": wrong,
        }
        assert ada.send("POST", address, body).status_code == 422
    body = {"nonce": "nonce-00001", "base_revision": 0, "outcome": "judged", "codes": "", "guideline_version": 2}
    assert ada.send("POST", address, body).status_code == 200
    with workspace.database.read() as connection:
        (row,) = judgments.of_campaign(connection, desk.campaign.id)
    assert row.guideline_version == 2

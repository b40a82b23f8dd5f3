"""Guidelines of a campaign: versions that are kept, what is refused, and which one a judgment was made under."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit_core.errors import AssayError
from audit_core.workflow.guidelines import TEXT_MAX, guidelines_of, newest_guidelines, write_guidelines
from audit_core.workflow.workspace import Workspace
from tests.team_desk import TeamDesk


@pytest.fixture
def desk(workspace: Workspace, tmp_path: Path) -> TeamDesk:
    return TeamDesk(workspace, tmp_path / "bundle", queries=3, names=("Ada",))


def test_each_text_is_a_version_of_its_own_and_earlier_ones_stay(desk: TeamDesk) -> None:
    workspace, campaign = desk.workspace, desk.campaign
    assert newest_guidelines(workspace, campaign.id) is None
    assert write_guidelines(workspace, campaign, "\nRead twice.  \r\nThen judge.\n") == 1
    assert write_guidelines(workspace, campaign, "Read three times.") == 2
    assert [(each.version, each.text) for each in guidelines_of(workspace, campaign)] == [
        (2, "Read three times."),
        (1, "Read twice.\nThen judge."),
    ]


def test_the_same_text_again_makes_no_version(desk: TeamDesk) -> None:
    write_guidelines(desk.workspace, desk.campaign, "Read twice.")
    assert write_guidelines(desk.workspace, desk.campaign, "Read twice.\n\n") == 1
    assert len(guidelines_of(desk.workspace, desk.campaign)) == 1


@pytest.mark.parametrize("text", ["", " \n ", "a\x00b", "\x07", "x" * (TEXT_MAX + 1)])
def test_a_text_that_nobody_can_read_is_refused_and_nothing_is_kept(desk: TeamDesk, text: str) -> None:
    with pytest.raises(AssayError):
        write_guidelines(desk.workspace, desk.campaign, text)
    assert guidelines_of(desk.workspace, desk.campaign) == []

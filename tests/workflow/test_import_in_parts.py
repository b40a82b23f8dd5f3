"""Bundles whose judgments are entered in parts: seen when whole, beside people who save, and taken back when they fail."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from audit_core import config
from audit_core.errors import NotFound, RevisionClash
from audit_core.storage import making
from audit_core.storage.database import open_database
from audit_core.workflow.campaigns import find_campaign, list_campaigns, start_campaign
from audit_core.workflow.housekeeping import archive_dataset, rename_campaign
from audit_core.workflow.importing import import_bundle, list_datasets
from audit_core.workflow.reporting import audit_report
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle, without_judgments
from tests.homes import row_counts, state_of
from tests.importers.small_bundle import Rows

#: Imports a bundle and kills itself, as a power cut would, when some judgments are in.
KILLED = """
import os, signal, sys
from pathlib import Path
from audit_core.storage import making
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.workspace import open_workspace
making.FIRST_ROWS = making.FEWEST_ROWS = making.MOST_ROWS = 1
rested, times = making._rested, [0]
def killed(took, start, size, total):
    times[0] += 1
    if times[0] == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return rested(took, start, size, total)
making._rested = killed
import_bundle(open_workspace(), Path(sys.argv[1]))
"""


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FIRST_ROWS", "FEWEST_ROWS", "MOST_ROWS"):
        monkeypatch.setattr(making, name, 1)


def at_each_rest(monkeypatch: pytest.MonkeyPatch, work: Callable[[int], object]) -> None:
    """Have `work` done after each part, in the rest; it is told how many rests there were."""
    rested, times = making._rested, [0]

    def at_rest(took: float, start: int, size: int, total: int) -> tuple[int, int]:
        times[0] += 1
        work(times[0])
        return rested(took, start, size, total)

    monkeypatch.setattr(making, "_rested", at_rest)


def two_sets(rows: Rows) -> None:
    rows["judgments/second"] = [{"query_id": "q1", "annotator": "eve", "codes": ["N"]}]


def test_nothing_of_an_import_is_seen_until_it_is_whole_and_others_save_meanwhile(
    either_workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = either_workspace
    seen: list[tuple[int, int]] = []

    def look(times: int) -> None:
        sign_in(workspace, f"Annotator {times}")  # takes the write lock, so the import does not hold it
        listed = [each for each in list_datasets(workspace) if each.archived_at is None]
        seen.append((len(listed), len(list_campaigns(workspace, archived=None))))
        with pytest.raises(NotFound):
            find_campaign(workspace, "audit")

    at_each_rest(monkeypatch, look)
    result = import_bundle(workspace, small_bundle(tmp_path / "b", two_sets))
    assert seen == [(0, 0)] * (3 + 3 + 1 + 1 + 2), "entries and judgments of two sets, and labels"
    assert (result.is_new, result.is_restored, result.campaigns) == (True, False, ["audit", "second"])
    assert result.dataset.archived_at is None
    assert result.label_sets == ["removal"]
    assert audit_report(workspace, find_campaign(workspace, "audit").id).total.entries == 3


@pytest.mark.parametrize("fault", [RuntimeError("boom"), KeyboardInterrupt()])
@pytest.mark.parametrize("rests", [1, 5, 8, 10])
def test_an_import_that_fails_between_two_parts_leaves_nothing_and_can_be_done_again(
    either_workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException, rests: int
) -> None:
    bundle = small_bundle(tmp_path / "b", two_sets)
    import_bundle(either_workspace, small_bundle(tmp_path / "other", _other))
    before = state_of(either_workspace)

    def fail(times: int) -> None:
        if times == rests:
            raise fault

    with monkeypatch.context() as patched:
        at_each_rest(patched, fail)
        with pytest.raises(type(fault)):
            import_bundle(either_workspace, bundle)
    assert state_of(either_workspace) == before
    assert import_bundle(either_workspace, bundle).campaigns == ["audit", "second"]


def _other(rows: Rows) -> None:
    rows["dataset"]["name"] = "other"


@pytest.mark.skipif(sys.platform == "win32", reason="a process that kills itself at once")
def test_what_a_killed_import_left_goes_at_the_next_opening(either_workspace: Workspace, tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path / "b", two_sets)
    before = row_counts(either_workspace)
    ended = subprocess.run([sys.executable, "-c", KILLED, str(bundle)], env=dict(os.environ), timeout=120, check=False)
    assert ended.returncode == -signal.SIGKILL
    assert row_counts(either_workspace)["judgment"] == 2, "the test proves nothing unless something was left"
    assert list_campaigns(either_workspace, archived=None) == []
    open_database(config.database_url()).close()
    assert row_counts(either_workspace) == before
    result = import_bundle(either_workspace, bundle)
    assert (result.is_new, result.campaigns) == (True, ["audit", "second"])


def test_a_dataset_that_was_here_stays_as_it_was_when_its_judgments_fail(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = import_bundle(workspace, small_bundle(tmp_path / "bare", without_judgments)).dataset
    archive_dataset(workspace, bare, archived=True)
    before = state_of(workspace)

    def fail(times: int) -> None:
        if times == 4:
            raise RuntimeError("boom")

    with monkeypatch.context() as patched:
        at_each_rest(patched, fail)
        with pytest.raises(RuntimeError):
            import_bundle(workspace, small_bundle(tmp_path / "judged"))
    assert state_of(workspace) == before
    assert list_datasets(workspace)[0].archived_at is not None
    result = import_bundle(workspace, small_bundle(tmp_path / "again"))
    assert (result.is_new, result.is_restored, result.dataset.archived_at) == (False, True, None)


def test_a_name_that_is_taken_while_judgments_are_put_in_is_refused_and_the_rest_taken_back(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = import_bundle(workspace, small_bundle(tmp_path / "bare", without_judgments)).dataset

    other = start_campaign(workspace, dataset=dataset, name="other")
    before = row_counts(workspace)["judgment"]

    def take(times: int) -> None:
        if times == 2:
            rename_campaign(workspace, other, "audit")

    at_each_rest(monkeypatch, take)
    with pytest.raises(RevisionClash, match="other judgments"):
        import_bundle(workspace, small_bundle(tmp_path / "judged"))
    assert [each.campaign.name for each in list_campaigns(workspace)] == ["audit"]
    assert row_counts(workspace)["judgment"] == before
    assert len(list_datasets(workspace)) == 1


def test_a_dataset_that_somebody_restored_meanwhile_stays_when_its_judgments_fail(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def restore_and_fail(times: int) -> None:
        if times == 2:
            import_bundle(workspace, small_bundle(tmp_path / "bare", without_judgments))
            raise RuntimeError("boom")

    at_each_rest(monkeypatch, restore_and_fail)
    with pytest.raises(RuntimeError):
        import_bundle(workspace, small_bundle(tmp_path / "judged"))
    (dataset,) = list_datasets(workspace)
    assert dataset.archived_at is None
    assert workspace.revision(dataset).counts["queries"] == 3
    assert list_campaigns(workspace, archived=None) == []

"""Campaigns that are made in parts: seen when whole, never half; beside saves, beside each other, and after a crash."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from audit_core import config
from audit_core.errors import NameTaken, NotFound, StorageError
from audit_core.storage import making, samples
from audit_core.storage.database import Database, open_database
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.schema import campaign, entry, entry_stratum
from audit_core.workflow import campaigns as workflow
from audit_core.workflow.campaigns import list_campaigns, start_campaign
from audit_core.workflow.carry_over import carry_over
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.reporting import audit_report
from audit_core.workflow.sample_request import SampleRequest
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle, without_judgments
from tests.homes import row_counts
from tests.importers.small_bundle import Rows

#: A part of each insertion: so many that a tiny campaign takes three of them.
ONE_ROW = 1
#: Starts a campaign and kills itself, as a power cut would, when a part is in.
KILLED = """
import os, signal
from audit_core.storage import making
from audit_core.workflow.campaigns import find_dataset, start_campaign
from audit_core.workflow.workspace import open_workspace
making.FIRST_ROWS = making.FEWEST_ROWS = making.MOST_ROWS = 1
rested = making._rested
def killed(took, start, size, total):
    if start == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return rested(took, start, size, total)
making._rested = killed
workspace = open_workspace()
start_campaign(workspace, dataset=find_dataset(workspace, "small"), name="fresh")
"""


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FIRST_ROWS", "FEWEST_ROWS", "MOST_ROWS"):
        monkeypatch.setattr(making, name, ONE_ROW)


def imported(workspace: Workspace, folder: Path) -> DatasetRow:
    return import_bundle(workspace, small_bundle(folder, without_judgments)).dataset


def between_parts(monkeypatch: pytest.MonkeyPatch, work: Callable[[int], None]) -> None:
    """Have `work` done after each part of an insertion, in the rest; it is given the number of rows that are in."""
    rested = making._rested

    def at_rest(took: float, start: int, size: int, total: int) -> tuple[int, int]:
        work(start + size)
        return rested(took, start, size, total)

    monkeypatch.setattr(making, "_rested", at_rest)


def rows_in_making(database: Database) -> tuple[int, int]:
    """Return how many campaigns are in the making, and how many entries there are in all."""
    with database.read() as connection:
        unfinished = sa.select(sa.func.count()).where(campaign.c.making_since.is_not(None))
        return (
            connection.execute(unfinished).scalar_one(),
            connection.execute(sa.select(sa.func.count()).select_from(entry)).scalar_one(),
        )


def test_a_campaign_is_seen_by_nobody_until_its_last_entry_is_in_and_others_save_meanwhile(
    either_workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = either_workspace
    dataset = imported(workspace, tmp_path / "b")
    seen: list[tuple[tuple[int, int], int]] = []

    def look(rows: int) -> None:
        sign_in(workspace, f"Annotator {rows}")  # takes the write lock, so the maker does not hold it
        seen.append((rows_in_making(workspace.database), len(list_campaigns(workspace))))
        with pytest.raises(NotFound):
            workspace.campaign(1)

    between_parts(monkeypatch, look)
    made = start_campaign(workspace, dataset=dataset, name="fresh")
    assert seen == [((1, 1), 0), ((1, 2), 0), ((1, 3), 0)]
    assert [each.campaign for each in list_campaigns(workspace)] == [made]
    assert (made.name, workflow.count_entries(workspace, made.id)) == ("fresh", 3)
    assert rows_in_making(workspace.database) == (0, 3)


@pytest.mark.parametrize("fault", [RuntimeError("boom"), KeyboardInterrupt()])
def test_a_start_that_fails_between_two_parts_leaves_nothing_and_can_be_done_again(
    either_workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    dataset = imported(either_workspace, tmp_path / "b")
    before = row_counts(either_workspace)

    failed: list[int] = []

    def fail(rows: int) -> None:
        if rows == 2 and not failed:
            failed.append(rows)
            raise fault

    with monkeypatch.context() as patched:
        between_parts(patched, fail)
        with pytest.raises(type(fault)):
            start_campaign(either_workspace, dataset=dataset, name="fresh")
    assert row_counts(either_workspace) == before
    made = start_campaign(either_workspace, dataset=dataset, name="fresh")
    assert workflow.count_entries(either_workspace, made.id) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="a process that kills itself at once")
@pytest.mark.parametrize("again", ["open", "start"])
def test_what_a_killed_start_left_is_not_seen_and_goes_at_the_next_opening_or_start(
    either_workspace: Workspace, tmp_path: Path, again: str
) -> None:
    workspace = either_workspace
    dataset = imported(workspace, tmp_path / "b")
    ended = subprocess.run([sys.executable, "-c", KILLED], env=dict(os.environ), timeout=120, check=False)
    assert ended.returncode == -signal.SIGKILL
    assert rows_in_making(workspace.database) == (1, 2), "the test proves nothing unless something was left"
    assert list_campaigns(workspace, archived=None) == []
    if again == "open":
        open_database(config.database_url()).close()
        assert rows_in_making(workspace.database) == (0, 0)
    made = start_campaign(workspace, dataset=dataset, name="fresh")
    assert rows_in_making(workspace.database) == (0, 3)
    assert [each.campaign.id for each in list_campaigns(workspace)] == [made.id]
    assert audit_report(workspace, made.id).total.entries == 3


def test_a_campaign_being_made_is_not_taken_for_one_whose_maker_died(
    either_workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = imported(either_workspace, tmp_path / "b")
    swept: list[int] = []
    between_parts(monkeypatch, lambda rows: swept.append(making.sweep_unfinished(either_workspace.database)))
    made = start_campaign(either_workspace, dataset=dataset, name="fresh")
    assert swept == [0, 0, 0]
    assert workflow.count_entries(either_workspace, made.id) == 3


def test_of_several_starts_of_one_name_at_once_one_is_made_and_the_others_are_told(
    either_workspace: Workspace, tmp_path: Path
) -> None:
    dataset = imported(either_workspace, tmp_path / "b")
    together = threading.Barrier(4)
    made: list[int] = []
    refused: list[BaseException] = []

    def start() -> None:
        together.wait(30)
        try:
            made.append(start_campaign(either_workspace, dataset=dataset, name="fresh").id)
        except NameTaken as error:
            refused.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(120)
    assert (len(made), len(refused)) == (1, 3)
    assert rows_in_making(either_workspace.database) == (0, 3)
    assert [each.campaign.id for each in list_campaigns(either_workspace)] == made


def test_a_name_that_is_taken_while_the_entries_are_put_in_is_refused_at_the_end(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from audit_core.workflow.housekeeping import rename_campaign

    dataset = imported(workspace, tmp_path / "b")
    other = start_campaign(workspace, dataset=dataset, name="other")

    def rename(rows: int) -> None:
        if rows == 2:
            rename_campaign(workspace, other, "fresh")

    between_parts(monkeypatch, rename)
    with pytest.raises(NameTaken):
        start_campaign(workspace, dataset=dataset, name="fresh")
    assert rows_in_making(workspace.database) == (0, 3)
    assert [each.campaign.name for each in list_campaigns(workspace)] == ["fresh"]


def test_a_maker_that_waits_too_long_for_another_one_says_so_and_starts_nothing(
    either_workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = imported(either_workspace, tmp_path / "b")
    before = row_counts(either_workspace)
    brief = making.alone
    with brief(either_workspace.database) as is_alone:
        assert is_alone
        monkeypatch.setattr(making, "alone", lambda database, **_: brief(database, wait=0))
        with pytest.raises(StorageError, match="Try again in a moment"):
            start_campaign(either_workspace, dataset=dataset, name="fresh")
    assert row_counts(either_workspace) == before


def test_a_campaign_removed_while_it_is_made_is_not_shown(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = imported(workspace, tmp_path / "b")

    def remove(rows: int) -> None:
        if rows == 3:
            making._remove_unfinished(workspace.database)

    between_parts(monkeypatch, remove)
    with pytest.raises(StorageError, match="removed while it was being made"):
        start_campaign(workspace, dataset=dataset, name="fresh")
    assert rows_in_making(workspace.database) == (0, 0)


def test_parts_grow_and_shrink_so_that_each_takes_about_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    rests: list[float] = []
    monkeypatch.setattr("audit_core.storage.making.time.sleep", rests.append)
    assert making._rested(making.PART_SECONDS * 2, 0, 1_000, 9_000) == (1_000, 500)
    assert making._rested(making.PART_SECONDS / 2, 1_000, 500, 9_000) == (1_500, 1_000)
    assert making._rested(0.0, 1_500, 1_000, 9_000) == (2_500, making.MOST_ROWS)
    assert making._rested(60.0, 2_500, 1_000, 9_000) == (3_500, making.FEWEST_ROWS)
    assert rests == [making.PART_SECONDS, making.PART_SECONDS / 2, 0.0, making.PART_SECONDS]
    making._rested(1.0, 8_000, 1_000, 9_000)
    assert len(rests) == 4, "after the last part nobody rests"


def test_the_strata_of_the_entries_are_those_that_a_count_finds(either_workspace: Workspace, tmp_path: Path) -> None:
    dataset = import_bundle(either_workspace, small_bundle(tmp_path / "b")).dataset
    start_campaign(either_workspace, dataset=dataset, name="fresh", sample=SampleRequest(seed=1))
    with either_workspace.database.read() as connection:
        found = sa.select(
            entry.c.campaign_id, entry.c.source, entry.c.evidence_structure, sa.func.count(),
            sa.func.count(sa.distinct(entry.c.query_id)),
        ).group_by(entry.c.campaign_id, entry.c.source, entry.c.evidence_structure)  # fmt: skip
        kept = [tuple(row) for row in connection.execute(sa.select(entry_stratum))]
        assert sorted(kept) == sorted(tuple(row) for row in connection.execute(found))
        assert len(kept) == 6
        assert list(samples.entry_counts(connection).values()) == [3, 3]


def revision_two(rows: Rows) -> None:
    without_judgments(rows)
    rows["dataset"].update(revision="2")


def judged_campaign(workspace: Workspace, folder: Path) -> tuple[Any, DatasetRow]:
    """Return a campaign with a judgment on each entry, and a later revision in which nothing changed."""
    from audit_core.workflow import judging

    made = start_campaign(workspace, dataset=imported(workspace, folder / "one"), name="fresh")
    ada = sign_in(workspace, "Ada")
    for each in judging.upcoming(workspace, ada, campaign_id=made.id, after=0, count=3):
        body = {"nonce": f"nonce-first-{each.row.id}", "outcome": "judged", "codes": "F"}
        judging.save_judgment(workspace, ada, entry_id=each.row.id, body=body)
    later = import_bundle(workspace, small_bundle(folder / "two", revision_two)).dataset
    return made, later


def test_judgments_saved_while_a_campaign_is_carried_over_come_along_in_place_of_earlier_ones(
    either_workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from audit_core.storage import judgments
    from audit_core.workflow import judging

    workspace = either_workspace
    campaign_row, later = judged_campaign(workspace, tmp_path)
    ada, bob = sign_in(workspace, "Ada"), sign_in(workspace, "Bob")
    insert = making.insert_in_parts

    def insert_then_save(database: Database, table: sa.Table, rows: Sequence[Any]) -> None:
        insert(database, table, rows)
        if table.name == "carried_judgment":
            (first,) = [judging.entry_numbered(workspace, ada, campaign_id=campaign_row.id, number=1)]
            for person, base, codes in ((ada, 1, "E"), (bob, 0, "N")):
                body = {
                    "nonce": f"nonce-late-{person.name}",
                    "base_revision": base,
                    "outcome": "judged",
                    "codes": codes,
                }
                judging.save_judgment(workspace, person, entry_id=first.row.id, body=body)

    monkeypatch.setattr(making, "insert_in_parts", insert_then_save)
    made = carry_over(workspace, campaign_row, later)
    with workspace.database.read() as connection:
        rows = judgments.of_campaign(connection, made.id, newest_only=False)
    assert sorted((row.codes, row.revision) for row in rows) == [("E", 1), ("F", 1), ("F", 1), ("N", 1)]
    carried = audit_report(workspace, made.id).context.carried_over
    assert carried is not None
    assert (carried.entries, carried.judged, carried.judgments) == (3, 3, 4)


def test_a_carry_over_that_fails_between_two_parts_leaves_nothing(
    either_workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign_row, later = judged_campaign(either_workspace, tmp_path)
    before = row_counts(either_workspace)
    calls: list[int] = []

    def fail(rows: int) -> None:
        calls.append(rows)
        if len(calls) == 8:  # three entries, three judgments, two of three links
            raise RuntimeError("boom")

    with monkeypatch.context() as patched:
        between_parts(patched, fail)
        with pytest.raises(RuntimeError):
            carry_over(either_workspace, campaign_row, later)
    assert row_counts(either_workspace) == before
    assert carry_over(either_workspace, campaign_row, later).name == "fresh"

"""Proposed corrections with judgments and drafts: kept, returned, checked against the entry, and in no export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from audit_core.errors import JudgmentConflict, JudgmentInvalid
from audit_core.geometry import overlap
from audit_core.storage import judgments
from audit_core.workflow import judging
from audit_core.workflow.entry_view import describe_entry
from audit_core.workflow.exporting import export_bundle
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.homes import with_campaign

#: Of entry 1 (query q1): evidence is element e1 on p1 with its box; p2 is the other page of the document.
BOX = [0.01, 0.01, 0.03, 0.02]
WHOLE = {
    "query": "what is the first?", "answer": "one", "drop_pages": ["p1"], "add_pages": [{"page_id": "p2", "set": "required"}],
    "boxes": [
        {"page_id": "p1", "element_id": "e1", "action": "drop", "from": BOX, "to": None},
        {"page_id": "p2", "element_id": None, "action": "add", "from": None, "to": [0.25, 0.25, 0.5, 0.5]},
    ],
}  # fmt: skip


class Desk:
    """A campaign over the tiny bundle with Ada at it."""

    def __init__(self, workspace: Workspace, folder: Path) -> None:
        self.workspace = workspace
        self.campaign = with_campaign(workspace, folder)
        self.ada = sign_in(workspace, "Ada")

    def mine(self, number: int = 1) -> judging.MyEntry:
        return judging.entry_numbered(self.workspace, self.ada, campaign_id=self.campaign.id, number=number)

    def save(self, correction: Any, number: int = 1, **body: Any) -> judging.Saved:
        filled = {"nonce": "nonce-0001", "outcome": "judged", "codes": "E", "correction": correction, **body}
        return judging.save_judgment(self.workspace, self.ada, entry_id=self.mine(number).row.id, body=filled)

    def shown(self, number: int = 1) -> dict[str, Any]:
        return describe_entry(self.workspace, self.workspace.dataset(self.campaign.dataset_id), self.mine(number))


@pytest.fixture
def desk(either_workspace: Workspace, tmp_path: Path) -> Desk:
    """A fresh campaign, on either database."""
    return Desk(either_workspace, tmp_path / "bundle")


def test_a_correction_is_kept_with_its_judgment_and_returned_with_the_entry(desk: Desk) -> None:
    desk.save(WHOLE)
    assert desk.shown()["saved"]["correction"] == WHOLE
    with desk.workspace.database.read() as connection:
        (row,) = judgments.of_campaign(connection, desk.campaign.id)
    assert row.correction == WHOLE
    desk.save(None, nonce="nonce-0002", base_revision=1)
    assert desk.shown()["saved"]["correction"] is None


def test_a_draft_carries_its_correction_also_while_it_names_what_is_not_there(desk: Desk) -> None:
    odd = {"drop_pages": ["p99"]}
    judging.save_draft(desk.workspace, desk.ada, entry_id=desk.mine().row.id, body={"codes": "E", "correction": odd})
    assert desk.shown()["draft"]["correction"] == odd
    with pytest.raises(JudgmentInvalid, match="correction"):
        judging.save_draft(desk.workspace, desk.ada, entry_id=desk.mine().row.id, body={"correction": {"query": 5}})


def test_a_conflict_brings_the_other_correction_along(desk: Desk) -> None:
    desk.save(WHOLE)
    with pytest.raises(JudgmentConflict) as caught:
        desk.save({"query": "another"}, nonce="nonce-0002", base_revision=0)
    assert caught.value.newest["correction"] == WHOLE


@pytest.mark.parametrize(
    ("correction", "words"),
    [
        ({"drop_pages": ["p2"]}, "nothing to drop"),
        ({"add_pages": [{"page_id": "p3", "set": "required"}]}, "not in this entry's documents"),
        ({"boxes": [{"page_id": "p1", "element_id": "e2", "action": "add", "from": None, "to": [0, 0, 1, 1]}]}, "no element 'e2'"),
        ({"boxes": [{"page_id": "p2", "element_id": "e1", "action": "add", "from": None, "to": [0, 0, 1, 1]}]}, "no element 'e1'"),
        ({"boxes": [{"page_id": "p1", "element_id": "e1", "action": "drop", "from": [0, 0, 1, 1], "to": None}]}, "no box where"),
        ({"boxes": [{"page_id": "p1", "element_id": "e1", "action": "move", "from": BOX, "to": [0.5, 0.5, 0.6, 0.6]}]}, "lies elsewhere"),
        ({"boxes": [{"page_id": "p1", "element_id": "e1", "action": "add", "from": None, "to": [0, 0, 1, 1]}]}, "lies elsewhere"),
    ],
)  # fmt: skip
def test_a_correction_of_what_is_not_there_is_refused_and_nothing_is_saved(
    workspace: Workspace, tmp_path: Path, correction: Any, words: str
) -> None:
    desk = Desk(workspace, tmp_path / "bundle")
    with pytest.raises(JudgmentInvalid, match=words):
        desk.save(correction)
    assert desk.shown()["saved"] is None


def test_a_box_may_be_added_as_an_element_of_its_page(workspace: Workspace, tmp_path: Path) -> None:
    desk = Desk(workspace, tmp_path / "bundle")
    snapped = {
        "boxes": [
            {"page_id": "p4", "element_id": "e2", "action": "add", "from": None, "to": [0.005, 0.01125, 0.3, 0.2]}
        ]
    }
    desk.save(snapped, number=2)
    assert desk.shown(2)["saved"]["correction"] == snapped


@pytest.mark.parametrize(
    ("element_id", "to"),
    [("e1", [0.012, 0.01, 0.032, 0.02]), (None, [0.5, 0.5, 0.6, 0.6]), (None, [0.012, 0.01, 0.032, 0.02])],
    ids=["a little off its own element", "away from any element", "set free near its own"],
)
def test_a_moved_box_names_the_element_that_it_covers_or_none(
    workspace: Workspace, tmp_path: Path, element_id: str | None, to: list[float]
) -> None:
    desk = Desk(workspace, tmp_path / "bundle")
    moved = {"boxes": [{"page_id": "p1", "element_id": element_id, "action": "move", "from": BOX, "to": to}]}
    desk.save(moved)
    assert desk.shown()["saved"]["correction"] == moved


def test_overlap_is_the_common_part_of_both_areas() -> None:
    assert overlap([0, 0, 0.2, 0.1], [0, 0, 0.2, 0.1]) == pytest.approx(1)
    assert overlap([0, 0, 0.2, 0.1], [0.1, 0, 0.3, 0.1]) == pytest.approx(1 / 3)
    assert overlap([0, 0, 0.2, 0.1], [0.2, 0, 0.3, 0.1]) == 0
    assert overlap([0.1, 0.1, 0.1, 0.2], [0, 0, 1, 1]) == 0


def test_an_export_does_not_carry_proposals_for_the_format_has_no_place_for_them(
    workspace: Workspace, tmp_path: Path
) -> None:
    desk = Desk(workspace, tmp_path / "bundle")
    desk.save(WHOLE)
    dataset = workspace.dataset(desk.campaign.dataset_id)
    folder = export_bundle(workspace, dataset, tmp_path / "out", form="jsonl", media="refer")
    text = (folder / "judgments" / "fresh.jsonl").read_text(encoding="utf-8")
    assert "what is the first?" not in text
    assert '"codes"' in text

"""Campaigns: their names, starting one, finding one again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from audit_core.errors import AssayError, NameTaken, NotFound
from audit_core.workflow.campaigns import find_campaign, find_dataset, list_campaigns, start_campaign
from audit_core.workflow.exporting import export_bundle
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.reporting import audit_report
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle, without_judgments
from tests.homes import row_counts, with_campaign
from tests.importers.small_bundle import Rows


def _as_revision(name: str, revision: str) -> Callable[[Rows], None]:
    def change(rows: Rows) -> None:
        without_judgments(rows)
        rows["dataset"].update(name=name, revision=revision)

    return change


def test_a_campaign_over_a_dataset_has_an_entry_for_each_query_in_its_order(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = with_campaign(workspace, tmp_path / "b", judgments_per_entry=2)
    assert (campaign.state, campaign.origin, campaign.judgments_per_entry) == ("open", "created", 2)
    report = audit_report(workspace, campaign.id)
    assert report.total.entries == report.total.not_judged == 3
    assert report.design is not None
    assert report.design.method == "all queries"
    assert report.design_check.frame_matches
    (summary,) = [each for each in list_campaigns(workspace) if each.campaign.id == campaign.id]
    assert (summary.entries, summary.answered, summary.mine) == (3, 0, None)


def test_a_name_is_used_once_a_dataset(workspace: Workspace, tmp_path: Path) -> None:
    campaign = with_campaign(workspace, tmp_path / "b")
    dataset = workspace.dataset(campaign.dataset_id)
    before = row_counts(workspace)
    with pytest.raises(NameTaken, match="choose another name"):
        start_campaign(workspace, dataset=dataset, name="  fresh ")
    assert row_counts(workspace) == before


@pytest.mark.parametrize(
    "name",
    [
        "",
        "  ",
        "x" * 121,
        "漢" * 70,
        ".hidden",
        "a/b",
        "a\\b",
        "..",
        "a:b",
        "a*b",
        'a"b',
        "a\x00b",
        "a\u200bb",
        "a\u2028\u202eb",
    ],
)
def test_a_name_that_could_not_be_a_file_is_refused(workspace: Workspace, tmp_path: Path, name: str) -> None:
    dataset = import_bundle(workspace, small_bundle(tmp_path / "b", without_judgments)).dataset
    with pytest.raises(AssayError, match=r"name"):
        start_campaign(workspace, dataset=dataset, name=name)
    assert row_counts(workspace)["campaign"] == 0


@pytest.mark.parametrize("name", ["漢" * 66, "audit v1.2", "ما هو", "x" * 120, "NA", "007", "x.design"])
def test_a_name_that_is_taken_can_be_exported(workspace: Workspace, tmp_path: Path, name: str) -> None:
    from audit_core.workflow import judging
    from audit_core.workflow.sign_in import sign_in

    dataset = import_bundle(workspace, small_bundle(tmp_path / "b", without_judgments)).dataset
    campaign = start_campaign(workspace, dataset=dataset, name=name)
    ada = sign_in(workspace, "Ada")
    entry = judging.entry_numbered(workspace, ada, campaign_id=campaign.id, number=1)
    judging.save_judgment(workspace, ada, entry_id=entry.row.id, body={"nonce": "nonce-nonce", "outcome": "judged"})
    out = export_bundle(workspace, dataset, tmp_path / "out", form="jsonl", media="refer")
    assert import_bundle(workspace, out).campaigns_known == [name]


@pytest.mark.parametrize("number", [0, -1, 51])
def test_a_number_of_judgments_that_makes_no_sense_is_refused(
    workspace: Workspace, tmp_path: Path, number: int
) -> None:
    with pytest.raises(AssayError, match="choose 1 to 50"):
        with_campaign(workspace, tmp_path / "b", judgments_per_entry=number)


def test_a_dataset_is_found_by_name_and_revision_even_where_they_hold_an_at_sign(
    workspace: Workspace, tmp_path: Path
) -> None:
    for number, (name, revision) in enumerate([("set", "1"), ("set", "2"), ("set@1", "x"), ("a@b", "1@2")]):
        import_bundle(workspace, small_bundle(tmp_path / str(number), _as_revision(name, revision)))
    assert find_dataset(workspace, "set").revision == "2"
    assert find_dataset(workspace, "a@b").revision == "1@2"
    assert find_dataset(workspace, "a@b@1@2").name == "a@b"
    assert find_dataset(workspace, "set@2").revision == "2"
    with pytest.raises(NotFound, match=r"There are: a@b@1@2, set@1@x, set@2, set@1\."):
        find_dataset(workspace, "set@3")
    with pytest.raises(NotFound):
        find_dataset(workspace, "set\udcff")


def test_a_campaign_is_found_by_name_and_where_that_is_not_enough_by_its_dataset(
    workspace: Workspace, tmp_path: Path
) -> None:
    with pytest.raises(NotFound, match="There is none yet"):
        find_campaign(workspace, "audit")
    for number, (name, revision) in enumerate([("set", "1"), ("set", "2"), ("a@b", "1")]):
        bundle = small_bundle(tmp_path / str(number), _as_revision(name, revision))
        start_campaign(workspace, dataset=import_bundle(workspace, bundle).dataset, name="pilot")
    with pytest.raises(NotFound, match=r"name one with --dataset \(a@b@1, set@2, set@1\)"):
        find_campaign(workspace, "pilot")
    assert find_campaign(workspace, "pilot", dataset="a@b").dataset_id == find_dataset(workspace, "a@b").id
    assert find_campaign(workspace, "pilot", dataset="set@1").dataset_id == find_dataset(workspace, "set@1").id
    with pytest.raises(NotFound, match="Several datasets"):
        find_campaign(workspace, "pilot", dataset="set")
    with pytest.raises(NotFound, match=r"on nothing\. There are: pilot"):
        find_campaign(workspace, "pilot", dataset="nothing")

"""Removal campaigns from the start to the export: saved, drafted, carried over, reported, and brought back as labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from audit_core.domain import CampaignState
from audit_core.errors import AssayError, JudgmentConflict, JudgmentInvalid, NotFound, RevisionClash
from audit_core.storage import campaigns, datasets, judgments
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.workflow import judging
from audit_core.workflow.campaigns import list_campaigns, start_campaign
from audit_core.workflow.carry_over import carry_over
from audit_core.workflow.exporting import export_bundle, not_in_labels
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.judging import MyEntry, Saved
from audit_core.workflow.overview import overview_page
from audit_core.workflow.reporting import audit_report, campaign_report, removal_report
from audit_core.workflow.sample_request import SampleKind, SampleRequest
from audit_core.workflow.sampling import plan_sample
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle, without_judgments
from tests.homes import another_home, row_counts, with_campaign
from tests.importers.small_bundle import Rows

_numbers = count(1)
RATED = {"remove": True, "clarity": 0.25, "no_layout_reference": 1}


class Desk:
    """A removal campaign of three entries (q1, q2, q3) with Ada and Bob at it."""

    def __init__(
        self, workspace: Workspace, folder: Path, change: Callable[[Rows], object] = without_judgments, **options: Any
    ) -> None:
        self.workspace = workspace
        self.campaign = with_campaign(workspace, folder, change, **{"protocol": "removal", **options})
        self.ada, self.bob = sign_in(workspace, "Ada"), sign_in(workspace, "Bob")

    def entry(self, number: int, person: Person | None = None, campaign: CampaignRow | None = None) -> MyEntry:
        return judging.entry_numbered(
            self.workspace, person or self.ada, campaign_id=(campaign or self.campaign).id, number=number
        )

    def save(self, number: int, person: Person | None = None, **body: Any) -> Saved:
        filled = {"nonce": f"removal-{next(_numbers):06}", "base_revision": 0, "outcome": "judged", **body}
        return judging.save_judgment(
            self.workspace, person or self.ada, entry_id=self.entry(number).row.id, body=filled
        )

    def remove(self, number: int, person: Person | None = None, *, remove: bool = True, **body: Any) -> Saved:
        return self.save(number, person, fields={"remove": remove}, **body)

    def exported(self, folder: Path, form: str = "jsonl") -> Path:
        return export_bundle(
            self.workspace, self.workspace.dataset(self.campaign.dataset_id), folder, form=form, media="copy"
        )


@pytest.fixture
def desk(workspace: Workspace, tmp_path: Path) -> Desk:
    return Desk(workspace, tmp_path / "bundle")


def label_sets(workspace: Workspace) -> dict[str, list[dict[str, Any]]]:
    with workspace.database.read() as connection:
        dataset = datasets.all_rows(connection)[0]
        return {
            each.name: datasets.labels_of(connection, each.id) for each in datasets.label_sets(connection, dataset.id)
        }


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line]


def test_an_answer_is_stored_with_its_fields_and_comes_back_with_them(
    either_workspace: Workspace, tmp_path: Path
) -> None:
    desk = Desk(either_workspace, tmp_path / "bundle")
    desk.save(1, fields=RATED, note="which report?")
    saved = desk.entry(1).saved
    assert saved is not None
    assert saved.as_json()["fields"] == {"remove": True, "clarity": 0.25, "no_layout_reference": 1.0}
    assert (saved.codes, saved.targets, saved.note) == ("", {}, "which report?")


def test_a_later_answer_is_a_further_revision_and_a_stale_one_a_conflict_with_the_fields(desk: Desk) -> None:
    desk.save(1, fields=RATED)
    assert desk.remove(1, remove=False, base_revision=1).judgment.revision == 2
    with pytest.raises(JudgmentConflict) as refused:
        desk.remove(1, base_revision=1)
    assert refused.value.newest["fields"] == {"remove": False}


def test_cannot_judge_is_stored_without_fields(desk: Desk) -> None:
    desk.save(1, outcome="cannot_judge", reason="blurred")
    saved = desk.entry(1).saved
    assert saved is not None
    assert (saved.answer, saved.as_json()["fields"], saved.reason) == (None, {}, "blurred")


def test_codes_and_corrections_are_refused_in_a_removal_campaign(desk: Desk) -> None:
    before = row_counts(desk.workspace)
    with pytest.raises(JudgmentInvalid, match="codes belongs to the audit"):
        desk.save(1, fields={"remove": True}, codes="F")
    with pytest.raises(JudgmentInvalid, match="propose corrections in an audit"):
        desk.save(1, fields={"remove": True}, correction={"query": "x"})
    assert row_counts(desk.workspace) == before


def test_an_audit_has_no_fields(workspace: Workspace, tmp_path: Path) -> None:
    desk = Desk(workspace, tmp_path / "bundle", protocol="audit")
    desk.save(1, codes="F", fields={"remove": True})
    saved = desk.entry(1).saved
    assert saved is not None
    assert (saved.codes, saved.answer) == ("F", None)


def test_a_draft_keeps_ratings_without_a_choice(desk: Desk) -> None:
    body = {"base_revision": 0, "outcome": None, "fields": {"clarity": 0.5}, "note": "hm"}
    judging.save_draft(desk.workspace, desk.ada, entry_id=desk.entry(1).row.id, body=body)
    draft = desk.entry(1).draft
    assert draft is not None
    assert (draft["outcome"], draft["fields"], draft["note"]) == (None, {"clarity": 0.5}, "hm")
    assert desk.entry(1, desk.bob).draft is None
    desk.remove(1)
    assert desk.entry(1).draft is None


def test_the_overview_tells_ones_own_fields(desk: Desk) -> None:
    desk.save(2, fields=RATED)
    desk.remove(1, desk.bob)
    rows = overview_page(desk.workspace, desk.ada, desk.campaign.id).as_json()["entries"]
    assert [row["fields"] for row in rows] == [{}, {"remove": True, "clarity": 0.25, "no_layout_reference": 1.0}, {}]


def test_an_unknown_protocol_is_refused_before_anything_is_made(workspace: Workspace, tmp_path: Path) -> None:
    dataset = import_bundle(workspace, small_bundle(tmp_path / "bundle")).dataset
    before = row_counts(workspace)
    with pytest.raises(NotFound, match="'beauty' is not known here"):
        start_campaign(workspace, dataset=dataset, name="x", protocol="beauty")
    assert row_counts(workspace) == before


def test_a_campaign_that_is_carried_over_keeps_protocol_and_fields(desk: Desk, tmp_path: Path) -> None:
    desk.save(1, fields=RATED, note="kept")
    desk.remove(2, remove=False)

    def second(rows: Rows) -> None:
        without_judgments(rows)
        rows["dataset"]["revision"] = "2"
        rows["queries"][1]["text"] = "what is two, exactly?"

    target = import_bundle(desk.workspace, small_bundle(tmp_path / "second", second)).dataset
    made = carry_over(desk.workspace, desk.campaign, target)
    assert made.protocol == "removal"
    one, two = (desk.entry(number, campaign=made).saved for number in (1, 2))
    assert one is not None
    assert (one.answer, one.note) == ({"remove": True, "clarity": 0.25, "no_layout_reference": 1.0}, "kept")
    assert two is None
    report = removal_report(desk.workspace, made.id)
    assert (report.total.remove, report.total.not_judged) == (1, 2)
    assert report.carried_sentence is not None


def test_each_report_is_of_its_own_protocol(desk: Desk) -> None:
    desk.remove(1)
    report = campaign_report(desk.workspace, desk.campaign.id)
    assert report.context.protocol == "removal"
    with pytest.raises(
        AssayError, match="fresh follows the protocol removal, and this asks for one of the protocol audit"
    ):
        audit_report(desk.workspace, desk.campaign.id)


def test_a_plan_takes_no_guesses_from_a_removal_campaign(desk: Desk) -> None:
    dataset = desk.workspace.dataset(desk.campaign.dataset_id)
    request = SampleRequest(kind=SampleKind.STRATIFIED, total=3, guess_from=desk.campaign.id)
    with pytest.raises(AssayError, match="protocol audit: choose another campaign"):
        plan_sample(desk.workspace, dataset, request)


def test_the_report_counts_keep_remove_disputed_cannot_judge_and_not_judged(
    workspace: Workspace, tmp_path: Path
) -> None:
    desk = Desk(workspace, tmp_path / "bundle", judgments_per_entry=2)
    for person in (desk.ada, desk.bob):
        desk.save(1, person, fields={"remove": True, "clarity": 0.25 if person is desk.ada else 0.75})
    desk.remove(2)
    desk.remove(2, desk.bob, remove=False)
    desk.save(3, outcome="cannot_judge")
    total = removal_report(workspace, desk.campaign.id).total
    assert (total.keep, total.remove, total.disputed, total.cannot_judge, total.not_judged) == (0, 1, 1, 1, 0)
    desk.remove(3, desk.bob)
    assert removal_report(workspace, desk.campaign.id).total.not_judged == 1, "one of two judgments is not enough"


def test_an_export_writes_labels_and_no_judgments(desk: Desk, tmp_path: Path) -> None:
    desk.save(1, fields=RATED, note="which report?")
    desk.remove(1, desk.bob, remove=False)
    folder = desk.exported(tmp_path / "out")
    assert not (folder / "judgments").exists()
    assert lines(folder / "labels" / "fresh.jsonl") == [
        {
            "query_id": "q1",
            "remove": True,
            "annotator": "Ada",
            "clarity": 0.25,
            "no_layout_reference": 1.0,
            "note": "which report?",
        },
        {"query_id": "q1", "remove": False, "annotator": "Bob"},
    ]
    assert not_in_labels(desk.workspace, desk.workspace.dataset(desk.campaign.dataset_id)) == []


def test_an_export_says_which_answers_have_no_place_in_labels(desk: Desk, tmp_path: Path) -> None:
    desk.remove(1)
    desk.remove(1, remove=False, base_revision=1)
    desk.save(2, outcome="cannot_judge", reason="blurred")
    folder = desk.exported(tmp_path / "out")
    assert lines(folder / "labels" / "fresh.jsonl") == [{"query_id": "q1", "remove": False, "annotator": "Ada"}]
    assert not_in_labels(desk.workspace, desk.workspace.dataset(desk.campaign.dataset_id)) == [
        "Removal campaign fresh is written as labels, which have no place for 1 answer 'cannot judge' and 1 earlier "
        "revision: these stay here."
    ]


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_an_export_comes_back_elsewhere_as_a_label_set(desk: Desk, tmp_path: Path, form: str) -> None:
    desk.save(1, fields=RATED, note="which report?")
    desk.remove(3, desk.bob, remove=False)
    folder = desk.exported(tmp_path / "out", form)
    with another_home(tmp_path / "other") as other:
        result = import_bundle(other, folder)
        assert (result.campaigns, result.label_sets) == ([], ["fresh"])
        (found,) = label_sets(other).values()
    assert [(row["query_id"], row["annotator"], row["remove"], row["clarity"], row["note"]) for row in found] == [
        ("q1", "Ada", True, 0.25, "which report?"),
        ("q3", "Bob", False, None, None),
    ]


def test_an_export_that_comes_back_to_its_own_home_adds_nothing(desk: Desk, tmp_path: Path) -> None:
    desk.remove(1)
    folder = desk.exported(tmp_path / "out")
    before = row_counts(desk.workspace)
    result = import_bundle(desk.workspace, folder)
    assert (result.label_sets, result.label_sets_known) == ([], ["fresh"])
    after = row_counts(desk.workspace)
    assert {name for name in after if after[name] != before[name]} <= {"activity"}


def test_labels_of_an_earlier_export_are_a_set_of_their_own_once_the_campaign_went_on(
    desk: Desk, tmp_path: Path
) -> None:
    desk.remove(1)
    folder = desk.exported(tmp_path / "out")
    desk.remove(2)
    assert import_bundle(desk.workspace, folder).label_sets == ["fresh"]
    again = desk.exported(tmp_path / "again")
    assert sorted(each.name for each in (again / "labels").iterdir()) == ["fresh (campaign).jsonl", "fresh.jsonl"]
    assert [len(lines(again / "labels" / f"{name}.jsonl")) for name in ("fresh", "fresh (campaign)")] == [1, 2]


def test_a_label_set_of_the_campaigns_name_keeps_it(workspace: Workspace, tmp_path: Path) -> None:
    def renamed(rows: Rows) -> None:
        rows["labels/fresh"] = rows["labels/removal"]
        rows["labels/fresh (campaign)"] = rows.pop("labels/removal")[:1]
        del rows["judgments/audit"]

    desk = Desk(workspace, tmp_path / "bundle", renamed)
    before = label_sets(workspace)
    desk.remove(1)
    folder = desk.exported(tmp_path / "out")
    names = sorted(each.stem for each in (folder / "labels").iterdir())
    assert names == ["fresh", "fresh (campaign 2)", "fresh (campaign)"]
    assert lines(folder / "labels" / "fresh (campaign 2).jsonl") == [
        {"query_id": "q1", "remove": True, "annotator": "Ada"}
    ]
    assert label_sets(workspace) == before


def test_judgments_of_the_name_of_a_removal_campaign_are_refused(workspace: Workspace, tmp_path: Path) -> None:
    def named(rows: Rows) -> None:
        without_judgments(rows)
        rows["judgments/fresh"] = [{"query_id": f"q{number}", "annotator": "Ada", "codes": []} for number in (1, 2, 3)]

    desk = Desk(workspace, tmp_path / "bundle")
    for number in (1, 2, 3):
        desk.remove(number)
    with pytest.raises(RevisionClash, match="campaign 'fresh' with other judgments"):
        import_bundle(workspace, small_bundle(tmp_path / "more", named, design=False))


def test_a_query_judged_under_two_entries_is_exported_as_two_voices(workspace: Workspace, tmp_path: Path) -> None:
    desk = Desk(workspace, tmp_path / "bundle")
    entries = [(1, "q1", "wiki", "Page-Single", ["d1"]), (2, "q1", "wiki", "Page-Single", ["d1"])]
    with workspace.database.write() as connection:
        twice = campaigns.add(
            connection, dataset_id=desk.campaign.dataset_id, name="twice", protocol="removal",
            state=CampaignState.OPEN, judgments_per_entry=1, design=None,
        )  # fmt: skip
        campaigns.add_entries(connection, twice, entries)
        desk.campaign = campaigns.by_id(connection, twice) or desk.campaign
    desk.remove(1)
    desk.remove(2, remove=False)
    folder = desk.exported(tmp_path / "out")
    assert [(row["annotator"], row["remove"]) for row in lines(folder / "labels" / "twice.jsonl")] == [
        ("Ada #1", True),
        ("Ada #2", False),
    ]


def test_the_list_of_campaigns_tells_the_protocol(desk: Desk) -> None:
    assert [each.campaign.protocol for each in list_campaigns(desk.workspace)] == ["removal"]
    with desk.workspace.database.read() as connection:
        assert judgments.of_campaign(connection, desk.campaign.id) == []

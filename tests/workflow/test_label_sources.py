"""Labels from label sets, removal campaigns and audits, each with what it can say."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest

from audit_core.domain import CampaignState, SampleDesign, Stratum
from audit_core.errors import NotFound
from audit_core.storage import campaigns
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow import judging
from audit_core.workflow.campaigns import start_campaign
from audit_core.workflow.housekeeping import archive_campaign
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.label_sources import AUDIT, LABEL_SET, REMOVAL, SourceLabel, label_sources, labels_from
from audit_core.workflow.sample_request import SampleKind, SampleRequest
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle
from tests.campaigns_in_order import in_dataset_order
from tests.homes import reopened
from tests.strata_bundle import strata_bundle

_numbers = count(1)


@pytest.fixture
def dataset(workspace: Workspace, tmp_path: Path) -> DatasetRow:
    """The tiny bundle with its audit `audit` and its label set `removal`."""
    return import_bundle(workspace, small_bundle(tmp_path / "bundle")).dataset


def started(workspace: Workspace, dataset: DatasetRow, protocol: str = "removal", name: str = "mine") -> CampaignRow:
    return in_dataset_order(workspace, start_campaign(workspace, dataset=dataset, name=name, protocol=protocol))


def judge(workspace: Workspace, campaign: CampaignRow, number: int, who: str = "Ada", **body: Any) -> None:
    person = sign_in(workspace, who)
    entry = judging.entry_numbered(workspace, person, campaign_id=campaign.id, number=number)
    base = entry.saved.revision if entry.saved else 0
    filled = {"nonce": f"source-{next(_numbers):06}", "base_revision": base, "outcome": "judged", **body}
    judging.save_judgment(workspace, person, entry_id=entry.row.id, body=filled)


def from_campaign(workspace: Workspace, dataset: DatasetRow, name: str = "mine") -> list[SourceLabel]:
    return labels_from(workspace, dataset, f"campaign:{name}")[1]


def test_a_label_set_gives_its_labels_with_criteria_and_without_chances(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    source, labels = labels_from(workspace, dataset, "labels:removal")
    assert (source.kind, source.name, source.queries, source.is_probability) == (
        LABEL_SET,
        "removal",
        len(labels),
        False,
    )
    assert labels[0] == SourceLabel(
        query_id="q1", annotator="ann", remove=False, codes=None, probability=None,
        criteria={"clarity": 1.0, "correctness": 0.25}, where="label 1 of removal",
    )  # fmt: skip


def test_a_removal_campaign_gives_the_newest_answer_of_each_annotator(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    campaign = started(workspace, dataset)
    judge(workspace, campaign, 1, fields={"remove": False})
    judge(workspace, campaign, 1, fields={"remove": True, "clarity": 0})
    judge(workspace, campaign, 1, "Bob", fields={"remove": False, "closedness": 0.75})
    source, labels = labels_from(workspace, dataset, "campaign:mine")
    assert (source.kind, source.queries) == (REMOVAL, 1)
    assert [(each.query_id, each.annotator, each.remove, each.codes, each.criteria) for each in labels] == [
        ("q1", "Ada", True, None, {"clarity": 0.0}),
        ("q1", "Bob", False, None, {"closedness": 0.75}),
    ]
    assert labels[0].where == "entry 1 of mine"


def test_an_audit_gives_codes_and_leaves_removal_open(workspace: Workspace, dataset: DatasetRow) -> None:
    source, labels = labels_from(workspace, dataset, "campaign:audit")
    assert source.kind == AUDIT
    assert [(each.query_id, each.annotator, each.remove, each.codes) for each in labels] == [
        ("q1", "ann", None, ""),
        ("q2", "ann", None, "FE"),
        ("q3", "bob", None, None),
    ]


@pytest.mark.parametrize("protocol", ["audit", "removal"])
def test_cannot_judge_says_neither_codes_nor_remove(workspace: Workspace, dataset: DatasetRow, protocol: str) -> None:
    campaign = started(workspace, dataset, protocol)
    judge(workspace, campaign, 2, outcome="cannot_judge", reason="blurred")
    (label,) = from_campaign(workspace, dataset)
    assert (label.query_id, label.remove, label.codes, label.criteria) == ("q2", None, None, {})


def test_a_campaign_without_a_judgment_and_an_archived_one_are_no_source(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    campaign = started(workspace, dataset)
    known = ["labels:removal", "campaign:audit"]
    assert [each.key for each in label_sources(workspace, dataset)] == known
    judge(workspace, campaign, 1, fields={"remove": True})
    assert [each.key for each in label_sources(workspace, dataset)] == [
        "labels:removal",
        "campaign:mine",
        "campaign:audit",
    ]
    archive_campaign(workspace, campaign, archived=True)
    assert [each.key for each in label_sources(workspace, dataset)] == known
    with pytest.raises(NotFound, match="It has labels:removal, campaign:audit"):
        labels_from(workspace, dataset, "campaign:mine")


def test_a_random_sample_gives_the_chance_of_each_of_its_queries(workspace: Workspace, tmp_path: Path) -> None:
    dataset = import_bundle(workspace, strata_bundle(tmp_path / "strata")).dataset
    campaign = start_campaign(
        workspace, dataset=dataset, name="mine", protocol="removal",
        sample=SampleRequest(kind=SampleKind.STRATIFIED, total=12, seed=7),
    )  # fmt: skip
    with workspace.database.read() as connection:
        entries = campaigns.entries_of(connection, campaign.id)
        design = campaigns.design_of(connection, campaign)
    assert design is not None
    chances = {(each.source, each.evidence_structure): each.drawn / each.population for each in design.strata}
    for entry in entries:
        judge(workspace, campaign, entry.number, fields={"remove": False})
    source, labels = labels_from(workspace, dataset, "campaign:mine")
    assert source.is_probability
    assert len(set(chances.values())) > 1, "strata are drawn from with different chances"
    expected = {each.query_id: chances[each.source, each.evidence_structure] for each in entries}
    assert {each.query_id: each.probability for each in labels} == pytest.approx(expected)


def test_a_design_without_stored_chances_gives_those_of_its_strata(workspace: Workspace, dataset: DatasetRow) -> None:
    strata = (Stratum("wiki", "Page-Single", 4, 1), Stratum("law", "Cross-Doc", 8, 2))
    design = SampleDesign("small", "1", "stratified random", 1, strata, is_probability=True)
    made(workspace, dataset, [(1, "q1", "wiki", "Page-Single"), (2, "q3", "law", "Cross-Doc")], design)
    for number in (1, 2):
        judge(workspace, campaign_named(workspace, dataset), number, fields={"remove": True})
    # Of the two drawn from the second stratum one is judged: it stands for all eight.
    assert [each.probability for each in from_campaign(workspace, dataset)] == [0.25, 0.125]


def test_a_stratum_that_is_partly_judged_counts_in_full(workspace: Workspace, tmp_path: Path) -> None:
    dataset = import_bundle(workspace, strata_bundle(tmp_path / "strata")).dataset
    campaign = start_campaign(
        workspace, dataset=dataset, name="mine", protocol="removal",
        sample=SampleRequest(kind=SampleKind.STRATIFIED, total=16, seed=7),
    )  # fmt: skip
    with workspace.database.read() as connection:
        entries = campaigns.entries_of(connection, campaign.id)
        design = campaigns.design_of(connection, campaign)
    assert design is not None
    sizes = {(each.source, each.evidence_structure): each.population for each in design.strata}
    first: set[tuple[str, str]] = set()
    for entry in entries:
        stratum = (entry.source, entry.evidence_structure)
        if stratum[0] == "wiki" or stratum not in first:
            judge(workspace, campaign, entry.number, fields={"remove": False})
        elif stratum == ("law", "Page-Single"):
            judge(workspace, campaign, entry.number, outcome="cannot_judge", reason="the page is blank")
        first.add(stratum)
    strata_of = {each.query_id: (each.source, each.evidence_structure) for each in entries}
    weights: dict[tuple[str, str], float] = {}
    for label in from_campaign(workspace, dataset):
        if label.remove is not None:
            assert label.probability is not None
            stratum = strata_of[label.query_id]
            weights[stratum] = weights.get(stratum, 0.0) + 1.0 / label.probability
    assert weights == pytest.approx(sizes)


def test_a_query_that_is_entered_twice_has_two_voices_of_one_annotator(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    made(
        workspace, dataset, [(1, "q1", "wiki", "Page-Single"), (2, "q1", "wiki", "Page-Single"), (3, "q3", "law", "x")]
    )
    for number, remove in ((1, True), (2, False), (3, True)):
        judge(workspace, campaign_named(workspace, dataset), number, fields={"remove": remove})
    assert [(each.query_id, each.annotator, each.remove) for each in from_campaign(workspace, dataset)] == [
        ("q1", "Ada #1", True),
        ("q1", "Ada #2", False),
        ("q3", "Ada", True),
    ]


def test_somebody_who_has_the_name_of_an_imported_annotator_is_another_voice(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    judge(workspace, reopened(workspace, "audit"), 1, "ann", codes="N")
    labels = [each for each in from_campaign(workspace, dataset, "audit") if each.query_id == "q1"]
    assert [(each.annotator, each.codes) for each in labels] == [("ann", ""), ("ann (2)", "N")]


def made(
    workspace: Workspace,
    dataset: DatasetRow,
    entries: list[tuple[int, str, str, str]],
    design: SampleDesign | None = None,
) -> None:
    """Store a removal campaign `mine` with given entries."""
    with workspace.database.write() as connection:
        campaign_id = campaigns.add(
            connection, dataset_id=dataset.id, name="mine", protocol="removal", state=CampaignState.OPEN,
            judgments_per_entry=1, design=design,
        )  # fmt: skip
        campaigns.add_entries(connection, campaign_id, [(*each, ["d1"]) for each in entries])


def campaign_named(workspace: Workspace, dataset: DatasetRow, name: str = "mine") -> CampaignRow:
    with workspace.database.read() as connection:
        return campaigns.by_name(connection, name, dataset_id=dataset.id)[0]

"""Labels of a random sample as they come from a workspace: chances, strata, groups, and why others are none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from audit_core.errors import CleaningError, NotFound
from audit_core.storage import campaigns
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow import judging
from audit_core.workflow.campaigns import start_campaign
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.label_sets import add_labels
from audit_core.workflow.label_sources import label_sources
from audit_core.workflow.sample_request import SampleFilter, SampleKind, SampleRequest
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace, open_workspace
from cleaning.drawn_labels import Division, groups_of, read_drawn_labels, refuse_unfit
from cleaning.scoring import Scoring
from tests.cleaning.scored_sets import scored
from tests.mixed_bundle import entries_of, judge, mixed_campaign
from tests.strata_bundle import strata_bundle

SIZES = {("wiki", "Page-Single"): 40, ("law", "Cross-Doc"): 20}
_numbers = count(1)


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    """The workspace of the test's own home."""
    found = open_workspace()
    yield found
    found.close()


@pytest.fixture
def dataset(workspace: Workspace, tmp_path: Path) -> DatasetRow:
    return import_bundle(workspace, strata_bundle(tmp_path / "strata", SIZES)).dataset


def scoring_of(workspace: Workspace, dataset: DatasetRow) -> Scoring:
    ids = tuple(workspace.revision(dataset).query_ids(limit=1000))
    scores = scored(np.linspace(0, 1, len(ids)))
    return Scoring(1, "first", dataset.name, dataset.revision, dataset.content_hash, ids, (scores,))


def judged(
    workspace: Workspace, dataset: DatasetRow, sample: SampleRequest, *, name: str = "mine", leave: int = 0
) -> None:
    """Start a removal campaign and judge all its entries but the last few: every third is to be removed."""
    campaign = start_campaign(workspace, dataset=dataset, name=name, protocol="removal", sample=sample)
    with workspace.database.read() as connection:
        entries = campaigns.entries_of(connection, campaign.id)
    person = sign_in(workspace, "Ada")
    for place, each in enumerate(entries[: len(entries) - leave]):
        body = {
            "nonce": f"drawn-{next(_numbers):06}",
            "base_revision": 0,
            "outcome": "judged",
            "fields": {"remove": place % 3 == 0},
        }
        judging.save_judgment(workspace, person, entry_id=each.id, body=body)


def test_a_simple_draw_gives_equal_chances_even_when_it_is_judged_in_part(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    judged(workspace, dataset, SampleRequest(kind=SampleKind.SIMPLE, total=30, seed=1), leave=7)
    drawn = read_drawn_labels(workspace, scoring_of(workspace, dataset), "campaign:mine")
    assert (drawn.unfit, drawn.division, len(drawn.labels), drawn.labels.positives) == (None, Division.NONE, 23, 8)
    assert set(drawn.labels.probabilities or ()) == {23 / 60}
    assert drawn.stands_for == pytest.approx(60)
    refuse_unfit(scoring_of(workspace, dataset), drawn, what="It")


def test_all_queries_in_random_order_are_a_simple_draw_as_far_as_they_are_judged(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    judged(workspace, dataset, SampleRequest(seed=1), leave=40)
    drawn = read_drawn_labels(workspace, scoring_of(workspace, dataset), "campaign:mine")
    assert (drawn.unfit, drawn.division, set(drawn.labels.probabilities or ())) == (None, Division.NONE, {20 / 60})


def test_a_stratified_draw_gives_its_strata_and_their_chances(workspace: Workspace, dataset: DatasetRow) -> None:
    sizes = {("wiki", "Page-Single"): 10, ("law", "Cross-Doc"): 10}
    judged(workspace, dataset, SampleRequest(kind=SampleKind.STRATIFIED, sizes=sizes, seed=1))
    drawn = read_drawn_labels(workspace, scoring_of(workspace, dataset), "campaign:mine")
    assert (drawn.unfit, drawn.division) == (None, Division.DESIGN)
    assert sorted(set(drawn.labels.probabilities or ())) == [0.25, 0.5]
    assert {name: drawn.strata.count(name) for name in set(drawn.strata)} == {
        "wiki Page-Single": 40,
        "law Cross-Doc": 20,
    }


def test_a_draw_from_a_part_of_the_dataset_is_none_of_the_whole(workspace: Workspace, dataset: DatasetRow) -> None:
    where = SampleFilter(source=("law",))
    judged(workspace, dataset, SampleRequest(kind=SampleKind.SIMPLE, total=12, seed=1, where=where))
    scoring = scoring_of(workspace, dataset)
    drawn = read_drawn_labels(workspace, scoring, "campaign:mine")
    assert drawn.unfit == (
        "it was drawn from a part of the dataset (strata, only source is law 1), so nothing follows for the other queries."
    )
    # The list of sources says so before anybody chooses it.
    (source,) = [each for each in label_sources(workspace, dataset) if each.key == "campaign:mine"]
    assert (source.is_probability, source.is_of_part) == (True, True)
    assert "drawn from a part of the dataset (strata, only source is law)" in source.says
    with pytest.raises(CleaningError, match=r"A bound needs a random sample of strata 1, and campaign:mine is none"):
        refuse_unfit(scoring, drawn, what="A bound")


def test_a_list_of_ids_is_no_random_sample(workspace: Workspace, dataset: DatasetRow) -> None:
    ids = tuple(workspace.revision(dataset).query_ids(limit=5))
    judged(workspace, dataset, SampleRequest(kind=SampleKind.IDS, query_ids=ids))
    drawn = read_drawn_labels(workspace, scoring_of(workspace, dataset), "campaign:mine")
    assert "nobody knows with which chance" in str(drawn.unfit)


def test_labels_that_scores_chose_are_refused_and_their_random_share_is_taken(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = mixed_campaign(workspace, tmp_path / "mixed")
    judge(workspace, entries_of(workspace, campaign), fields={"remove": False})
    dataset = workspace.dataset(campaign.dataset_id)
    scoring = scoring_of(workspace, dataset)
    with pytest.raises(CleaningError, match="was chosen by strategies' scores"):
        read_drawn_labels(workspace, scoring, "campaign:next")
    share = read_drawn_labels(workspace, scoring, "campaign:next#random")
    assert (share.unfit, share.division, len(share.labels)) == (None, Division.NONE, 10)
    assert set(share.labels.probabilities or ()) == {10 / 30}


def test_a_label_set_with_chances_is_a_sample_if_they_add_up_to_the_dataset(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    ids = workspace.revision(dataset).query_ids(limit=1000)
    scoring = scoring_of(workspace, dataset)

    def added(name: str, *chances: float | None) -> None:
        rows = [
            {"query_id": query, "remove": place % 2 == 0, "probability": chances[place % len(chances)]}
            for place, query in enumerate(ids[:20])
        ]
        add_labels(workspace, dataset, name=name, labels=rows)

    added("right", 0.25, 0.5)
    right = read_drawn_labels(workspace, scoring, "labels:right")
    assert (right.unfit, right.division, right.stands_for) == (None, Division.CHANCES, 60.0)
    added("larger", 0.002)
    assert read_drawn_labels(workspace, scoring, "labels:larger").unfit is not None
    assert "stands for about 10,000 queries, while 60 were scored" in str(
        read_drawn_labels(workspace, scoring, "labels:larger").unfit
    )
    added("partly", 0.25, None)
    assert "nobody knows" in str(read_drawn_labels(workspace, scoring, "labels:partly").unfit)


def test_a_sample_of_another_revision_is_told_by_its_frame_and_by_its_dataset(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    judged(workspace, dataset, SampleRequest(kind=SampleKind.SIMPLE, total=30, seed=1))
    scoring = scoring_of(workspace, dataset)
    drawn = read_drawn_labels(workspace, scoring, "campaign:mine")
    with pytest.raises(CleaningError, match="labels of another dataset or revision than the scoring first"):
        refuse_unfit(replace(scoring, dataset_hash="other"), drawn, what="It")
    with pytest.raises(CleaningError, match="is not here any more"):
        read_drawn_labels(workspace, replace(scoring, dataset_hash="other"), "campaign:mine")
    with workspace.database.write() as connection:
        connection.exec_driver_sql("UPDATE campaign SET frame_revision = '0'")
    assert read_drawn_labels(workspace, scoring, "campaign:mine").unfit == (
        "it was drawn from strata 0, which holds other queries."
    )


def test_wrong_keys_and_codes_are_refused(workspace: Workspace, dataset: DatasetRow) -> None:
    scoring = scoring_of(workspace, dataset)
    with pytest.raises(NotFound, match="There are no labels 'labels:none'"):
        read_drawn_labels(workspace, scoring, "labels:none")
    judged(workspace, dataset, SampleRequest(kind=SampleKind.SIMPLE, total=10, seed=1))
    for codes in ("", "FX"):
        with pytest.raises(CleaningError, match="name at least one of F, E, U and N"):
            read_drawn_labels(workspace, scoring, "campaign:mine", remove_codes=codes)


def test_queries_go_together_by_home_document_group_and_wording_also_through_others() -> None:
    rows = [
        ("a", "Who founded the old harbour?", ["d1", "d9"], None),
        ("b", "What does the bridge cost?", ["d1"], "g1"),
        ("c", "When was the tower built?", ["d2"], "g1"),
        ("d", "Which birds nest on the cliff?", ["d3"], None),
        ("e", "Which birds nest on the cliff", ["d4"], None),
        ("f", "Which birds nest on the cliff?!", ["d5"], None),
        ("g", "How deep is the lake?", [], None),
        ("h", "How long is the tunnel?", [], None),
        ("i", "How high is the mountain?", ["d9"], None),
    ]
    frame = pl.DataFrame(rows, schema=["query_id", "text", "documents", "group_id"], orient="row")
    groups = groups_of(frame, ["d", "e", "a"]).tolist()
    a, b, c, d, e, f, g, h, i = groups
    assert a == b == c
    # Of the three that are worded alike only two are labelled, so that only these could enter a test together.
    assert d == e != f
    # A second evidence document joins nobody, and queries without evidence stand alone.
    assert len({a, d, f, g, h, i}) == 6
    assert len(set(groups_of(frame.with_columns(group_id=pl.lit(None, pl.String)), []).tolist())) == 8

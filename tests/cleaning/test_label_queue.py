"""What to label next: from a stored scoring to a campaign, by function and by command, and what its labels may do."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from audit_core.domain import JsonObject
from audit_core.errors import CleaningError, NotFound, StatisticsError
from audit_core.sampling import Selection
from audit_core.storage import campaigns
from audit_core.storage.campaigns import CampaignRow, EntryRow
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.campaigns import find_campaign, start_campaign
from audit_core.workflow.cleanings import add_run, cleaning_folder, find_run, finish_run
from audit_core.workflow.sample_request import SampleKind, SampleRequest
from audit_core.workflow.workspace import Workspace, open_workspace
from cleaning.contract import Kind
from cleaning.drawn_labels import Division, read_drawn_labels, usable_rows
from cleaning.executing import check_request
from cleaning.label_queue import QueueRequest, plan_queue, start_queue
from cleaning.preparing import read_labels, read_training_labels
from cleaning.scoring import Scoring
from cleaning.scoring_files import read_scoring, write_scoring
from tests.cleaning.label_bundle import LabelBundle, asked, compared, imported
from tests.cleaning.scored_sets import scored
from tests.command_line import Run
from tests.homes import row_counts
from tests.mixed_bundle import entries_of, judge

N = 240
#: Of 40 queries the two strategies say different things.
DISPUTED = frozenset(range(0, 80, 2))
SMALL = QueueRequest(entries=100, seed=7)


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    """The workspace of the test's own home."""
    found = open_workspace()
    yield found
    found.close()


@pytest.fixture
def dataset(workspace: Workspace, tmp_path: Path) -> DatasetRow:
    """240 queries without labels, two on a document."""
    bundle = LabelBundle(n=N)
    bundle.labels = {}
    return imported(workspace, tmp_path / "bundle", bundle)


def scoring_of(workspace: Workspace, dataset: DatasetRow, name: str = "first-scores") -> Scoring:
    """Two graded strategies that differ on 40 queries, one that decides nothing on half, and a baseline that differs on all."""
    ids = tuple(workspace.revision(dataset).query_ids(limit=10_000))
    rows = np.arange(N)
    base = np.where(rows % 3 == 0, 0.55 + rows / 1_000, 0.45 - rows / 1_000)
    other = np.where(np.isin(rows, list(DISPUTED)), 1 - base, base)
    strategies = (
        scored(base, "graded"), scored(other, "second", kind=Kind.MODEL),
        scored(np.where(rows < N // 2, np.nan, base), "silent", kind=Kind.MODEL),
        scored(1 - base, "chance", kind=Kind.BASELINE),
        scored((base >= 0.5).astype(float), "verdicts", kind=Kind.RULE),
    )  # fmt: skip
    return Scoring(1, name, dataset.name, dataset.revision, dataset.content_hash, ids, strategies)


def stored(workspace: Workspace, dataset: DatasetRow) -> Scoring:
    """Write the scoring as a run does, and read it back."""
    row = add_run(workspace, dataset, kind="score", name="first-scores", spec={})
    write_scoring(replace(scoring_of(workspace, dataset), run_id=row.id), cleaning_folder(workspace, row.id))
    finish_run(workspace, row.id, result={})
    return read_scoring(workspace, find_run(workspace, "first-scores"))


def rows_of(workspace: Workspace, entries: list[EntryRow]) -> list[int]:
    with workspace.database.read() as connection:
        row = campaigns.by_id(connection, entries[0].campaign_id)
    assert row is not None
    ids = workspace.revision(workspace.dataset(row.dataset_id)).query_ids(limit=10_000)
    return [ids.index(each.query_id) for each in entries]


@pytest.mark.parametrize(
    ("entries", "shares", "sizes"),
    [
        (100, (0.4, 0.3, 0.3), (40, 30, 30)),
        (100, (4, 3, 3), (40, 30, 30)),
        (10, (1, 1, 1), (4, 3, 3)),
        (7, (0.5, 0, 0.5), (4, 0, 3)),
        (3, (0.4, 0.3, 0.3), (1, 1, 1)),
    ],
)
def test_shares_are_relative_and_sizes_add_up(
    entries: int, shares: tuple[float, float, float], sizes: tuple[int, int, int]
) -> None:
    found = QueueRequest(entries, *shares).sizes()
    assert tuple(found[each] for each in Selection) == sizes
    assert sum(found.values()) == entries


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"random": 0.0}, "Without a random share"),
        ({"disagreement": 0.0, "near_threshold": 0.0}, "campaign start"),
        ({"near_threshold": -0.1}, "numbers from 0"),
        ({"disagreement": float("nan")}, "numbers from 0"),
        ({"entries": 0}, "holds nothing"),
    ],
)
def test_a_queue_that_could_not_evaluate_or_is_no_queue_is_refused(options: dict[str, float], says: str) -> None:
    with pytest.raises(CleaningError, match=says):
        QueueRequest(**options)  # type: ignore[arg-type]


def test_too_few_entries_for_the_shares_are_refused() -> None:
    with pytest.raises(CleaningError, match="a part would be empty"):
        QueueRequest(2, 0.1, 0.45, 0.45).sizes()


def test_disputed_entries_are_disputed_and_near_ones_near(workspace: Workspace, dataset: DatasetRow) -> None:
    scoring = stored(workspace, dataset)
    request = replace(SMALL, strategies=("graded", "second"))
    campaign, _ = start_queue(workspace, dataset, scoring, request, name="next")
    assert campaign.protocol == "removal"
    entries = entries_of(workspace, campaign)
    assert Counter(each.selection for each in entries) == {"random": 40, "disagreement": 30, "near_threshold": 30}
    assert set(rows_of(workspace, entries_of(workspace, campaign, "disagreement"))) <= DISPUTED
    near = entries_of(workspace, campaign, "near_threshold")
    distance = np.abs(scoring.of("graded").scores - 0.5)
    assert distance[rows_of(workspace, near)].mean() < 0.6 * distance.mean()


def test_the_baseline_that_contradicts_everything_chooses_only_when_it_is_named(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    scoring = scoring_of(workspace, dataset)
    planned = plan_queue(workspace, dataset, scoring, SMALL)
    assert planned.request.basis["strategies"].keys() == {"graded", "second", "silent", "verdicts"}
    assert set(planned.request.basis["near_threshold"]["bands"]) == {"graded", "second", "silent"}
    named = plan_queue(workspace, dataset, scoring, replace(SMALL, strategies=("graded", "chance")))
    assert named.mixed.parts[1].candidates == N - 40


def test_a_plan_changes_nothing_and_its_seed_draws_the_same(workspace: Workspace, dataset: DatasetRow) -> None:
    scoring = scoring_of(workspace, dataset)
    before = row_counts(workspace)
    planned = plan_queue(workspace, dataset, scoring, replace(SMALL, seed=None))
    assert row_counts(workspace) == before
    again, drawn = start_queue(
        workspace, dataset, scoring, replace(SMALL, seed=planned.mixed.seed), name="next", protocol="audit"
    )
    assert drawn.mixed == planned.mixed
    assert again.protocol == "audit"
    assert [each.query_id for each in entries_of(workspace, again)] == [each.query_id for each in planned.mixed.entries]


def test_campaigns_to_leave_out_are_left_out_of_every_part(workspace: Workspace, dataset: DatasetRow) -> None:
    simple = SampleRequest(SampleKind.SIMPLE, 3, total=60)
    earlier = start_campaign(workspace, dataset=dataset, name="earlier", sample=simple)
    request = replace(SMALL, leave_out=(earlier.id,))
    campaign, drawn = start_queue(workspace, dataset, scoring_of(workspace, dataset), request, name="next")
    taken = {each.query_id for each in entries_of(workspace, earlier)}
    assert not taken & {each.query_id for each in entries_of(workspace, campaign)}
    assert {each.probability for each in entries_of(workspace, campaign, "random")} == {40 / 180}
    assert "60 queries of earlier campaigns could not be drawn." in drawn.as_json()["sentences"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"strategies": ("graded",)}, "alone disagrees with nobody"),
        ({"strategies": ("graded", "silent")}, "No query is decided differently by graded, silent"),
        ({"strategies": ("verdicts",), "disagreement": 0.0}, "say yes or no"),
        ({"strategies": ("nobody",)}, "took no part"),
    ],
)
def test_what_the_scores_cannot_give_is_refused_with_what_to_do(
    workspace: Workspace, dataset: DatasetRow, options: JsonObject, says: str
) -> None:
    with pytest.raises(CleaningError, match=says):
        plan_queue(workspace, dataset, scoring_of(workspace, dataset), replace(SMALL, **options))


def test_scores_of_another_revision_and_too_many_entries_are_refused(workspace: Workspace, dataset: DatasetRow) -> None:
    scoring = scoring_of(workspace, dataset)
    with pytest.raises(CleaningError, match="Score this revision"):
        plan_queue(workspace, dataset, replace(scoring, dataset_hash="0" * 64), SMALL)
    with pytest.raises(StatisticsError, match="241 queries were asked for, but there are 240"):
        plan_queue(workspace, dataset, scoring, replace(SMALL, entries=241))
    only_baselines = replace(scoring, strategies=scoring.strategies[3:4])
    with pytest.raises(CleaningError, match="says which queries are bad"):
        plan_queue(workspace, dataset, only_baselines, SMALL)


def judged(workspace: Workspace, dataset: DatasetRow) -> CampaignRow:
    """A queue that is judged: bad are the queries whose text points at a table."""
    request = QueueRequest(entries=160, random=0.5, disagreement=0.1, near_threshold=0.4, seed=7)
    campaign, _ = start_queue(workspace, dataset, scoring_of(workspace, dataset), request, name="next")
    revision = workspace.revision(dataset)
    for each in entries_of(workspace, campaign):
        judge(workspace, [each], fields={"remove": "table" in revision.query(each.query_id).text})
    return campaign


def test_labels_that_scores_chose_train_and_the_random_share_evaluates(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    campaign = judged(workspace, dataset)
    refused = asked(labels="campaign:next")
    for check in (lambda: read_labels(workspace, dataset, refused), lambda: check_request(workspace, dataset, refused)):
        with pytest.raises(CleaningError, match="chosen by strategies' scores"):
            check()
    assert len(read_labels(workspace, dataset, refused, evaluates=False)[1]) == 160
    wanted = asked("rules", "length", labels="campaign:next#random", train_labels="campaign:next")
    training = read_training_labels(workspace, dataset, wanted)
    assert training is not None
    assert len(training) == 160
    split = compared(workspace, dataset, wanted).record.split
    random = {each.query_id for each in entries_of(workspace, campaign, "random")}
    (fold,) = split.folds
    assert len(fold.evaluation) == len(random) == 80
    assert 0 < len(fold.training) <= 80
    assert "80 queries have labels in both: they evaluate and do not train." in split.notes
    with pytest.raises(NotFound, match=r"campaign:next, campaign:next#random, campaign:next#active"):
        read_labels(workspace, dataset, asked(labels="campaign:other"))


def test_a_threshold_is_chosen_on_the_random_share_and_never_on_what_scores_chose(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    campaign, scoring = judged(workspace, dataset), scoring_of(workspace, dataset)
    with pytest.raises(CleaningError, match="chosen by strategies' scores"):
        read_drawn_labels(workspace, scoring, "campaign:next")
    drawn = read_drawn_labels(workspace, scoring, "campaign:next#random")
    assert drawn.unfit is None
    assert drawn.division is Division.NONE
    assert drawn.stands_for == pytest.approx(N)
    assert set(drawn.labels.query_ids) == {each.query_id for each in entries_of(workspace, campaign, "random")}


def test_the_command_previews_then_starts_the_campaign(run: Run, workspace: Workspace, dataset: DatasetRow) -> None:
    stored(workspace, dataset)
    before = row_counts(workspace)
    preview = run("clean", "queue", "first-scores", "--name", "next", "--seed", 7, "--preview")
    assert preview.exit_code == 0, preview.output
    assert "40 queries at random, of 240 that could be drawn." in preview.stdout
    assert "Only the random share evaluates" in preview.stdout
    assert row_counts(workspace) == before
    planned = json.loads(
        run("clean", "queue", "first-scores", "--name", "next", "--seed", 7, "--preview", "--json").stdout
    )
    assert (planned["entries"], planned["seed"], planned["campaign"]) == (100, 7, "next")
    assert [each["drawn"] for each in planned["parts"]] == [40, 30, 30]
    made = json.loads(run("clean", "queue", "first-scores", "--name", "next", "--seed", 7, "--json").stdout)
    assert made == {**planned, "id": made["id"]}
    assert len(entries_of(workspace, find_campaign(workspace, "next"))) == 100
    said = run(
        "clean", "queue", "first-scores", "--name", "doubts", "--entries", 20, "--strategy", "graded", "--random", 1,
        "--disagreement", 0, "--near-threshold", 1, "--leave-out", "next", "--protocol", "audit", "--judgments", 2,
    )  # fmt: skip
    assert said.exit_code == 0, said.output
    assert "and the random share does not stand for them" in said.stdout
    doubts = find_campaign(workspace, "doubts")
    assert (doubts.protocol, doubts.judgments_per_entry) == ("audit", 2)
    assert f"/judge?campaign={doubts.id}" in said.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nothing", "--name", "next"), "There is no scoring 'nothing'"),
        (("first-scores", "--name", "next", "--random", "0"), "Without a random share"),
        (("first-scores", "--name", "a/b"), "may not begin with a dot"),
        (("first-scores", "--name", "next", "--leave-out", "gone"), "no campaign 'gone'"),
    ],
)
def test_the_command_refuses_with_words_and_leaves_nothing(
    run: Run, workspace: Workspace, dataset: DatasetRow, words: tuple[str, ...], says: str
) -> None:
    stored(workspace, dataset)
    before = row_counts(workspace)
    for more in ((), ("--preview",), ("--json",)):
        refused = run("clean", "queue", *words, *more)
        assert refused.exit_code == 1
        assert says in refused.stderr
        if more == ("--json",):
            assert says in json.loads(refused.stdout)["error"]
    assert row_counts(workspace) == before


def test_the_list_of_labels_says_what_each_may_do(run: Run, workspace: Workspace, dataset: DatasetRow) -> None:
    judged(workspace, dataset)
    rows = json.loads(run("clean", "labels", "labelled", "--json").stdout)
    assert [(each["key"], each["trains_only"], each["is_probability"]) for each in rows] == [
        ("campaign:next", True, False),
        ("campaign:next#random", False, True),
        ("campaign:next#active", True, False),
    ]
    assert [each["part"] for each in rows] == [None, "random", "active"]
    listed = run("clean", "labels", "labelled")
    table = listed.stdout.splitlines()
    assert [each.split("  ")[-1].strip() for each in table[1:]] == ["train only", "train, evaluate", "train only"]
    said = listed.stderr.splitlines()
    assert said[0] == f"campaign:next: {rows[0]['says']}"
    assert "train on campaign:next#active" in said[0]
    assert [each.partition(": ")[0] for each in said[1:]] == ["campaign:next#random", "campaign:next#active"]


def test_after_training_on_what_scores_chose_the_random_share_chooses_and_after_all_of_it_it_may_not(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    campaign, scoring = judged(workspace, dataset), scoring_of(workspace, dataset)
    random = {each.query_id for each in entries_of(workspace, campaign, "random")}
    drawn = read_drawn_labels(workspace, scoring, "campaign:next#random")

    def trained_on(labels: str) -> frozenset[str]:
        training = read_training_labels(workspace, dataset, asked(labels="campaign:next#random", train_labels=labels))
        assert training is not None
        return frozenset(training.query_ids)

    rows, _, _ = usable_rows(scoring, drawn, trained_on("campaign:next#active"))
    assert {scoring.query_ids[row] for row in rows} == random
    with pytest.raises(CleaningError, match="All 80 labels of campaign:next#random trained a strategy"):
        usable_rows(scoring, drawn, trained_on("campaign:next"))
    with pytest.raises(CleaningError, match="chosen by strategies' scores"):
        read_drawn_labels(workspace, scoring, "campaign:next#active")

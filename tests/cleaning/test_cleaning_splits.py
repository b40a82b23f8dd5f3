"""Splits: documents partitioned, leaks dropped, positives in each fold, and a hash that stands for all of it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from audit_core.errors import CleaningError
from cleaning.leaks import DOCUMENT as SHARED_DOCUMENT
from cleaning.leaks import DUPLICATE, GROUP, PAGES, REASONS
from cleaning.splits import Split, check_same_split
from cleaning.splits_plan import given_split, plan_folds, plan_single
from tests.cleaning.stub_strategies import benchmark, query_table


def _entangled(n: int = 200, seed: int = 5):  # type: ignore[no-untyped-def]
    generator = np.random.default_rng(seed)
    documents = [[f"d{each}" for each in generator.integers(0, 90, size=generator.integers(0, 4))] for _ in range(n)]
    groups = [f"g{each}" if each < 15 else None for each in generator.integers(0, 150, size=n)]
    pages = [[f"p{each}" for each in generator.integers(0, 9, size=generator.integers(0, 3))] for _ in range(n)]
    duplicates = [int(each) if each < 12 else -1 for each in generator.integers(0, 120, size=n)]
    return query_table(documents, group_ids=groups, pages=pages), generator.random(n) < 0.4, duplicates


def test_each_query_is_evaluated_once_a_repeat_and_documents_are_partitioned() -> None:
    inputs, remove = benchmark(300)
    split = plan_folds(inputs.queries, remove)
    assert (split.repeats, split.k, len(split.folds)) == (5, 5, 25)
    homes = [documents[0] for documents in inputs.queries["documents"].to_list()]
    for repeat in range(5):
        rows = np.concatenate([fold.evaluation for fold in split.of_repeat(repeat)])
        assert sorted(rows.tolist()) == list(range(300))
        fold_of = {}
        for fold in split.of_repeat(repeat):
            for row in fold.evaluation:
                assert fold_of.setdefault(homes[row], fold.number) == fold.number
    assert len({split.of_repeat(repeat)[0].evaluation.tobytes() for repeat in range(5)}) == 5
    assert split.notes == ()


def test_positives_are_even_over_the_folds() -> None:
    inputs, remove = benchmark(400, share=0.05)
    counts = plan_folds(inputs.queries, remove).counts
    positives = [each.evaluation_positives for each in counts]
    assert max(positives) - min(positives) <= 2
    assert sum(each.evaluation_positives for each in counts if each.repeat == 0) == remove.sum()


def _shares(table, duplicates, one: int, other: int) -> set[str]:  # type: ignore[no-untyped-def]
    """What two queries have in common, the slow way."""
    rows = table.row(one, named=True), table.row(other, named=True)
    found = set()
    if set(rows[0]["documents"]) & set(rows[1]["documents"]):
        found.add(SHARED_DOCUMENT)
    if rows[0]["group_id"] is not None and rows[0]["group_id"] == rows[1]["group_id"]:
        found.add(GROUP)
    if rows[0]["configured_pages"] and set(rows[0]["configured_pages"]) == set(rows[1]["configured_pages"]):
        found.add(PAGES)
    if duplicates[one] >= 0 and duplicates[one] == duplicates[other]:
        found.add(DUPLICATE)
    return found


def test_exactly_the_training_queries_that_share_something_are_dropped() -> None:
    table, remove, duplicates = _entangled()
    split = plan_folds(table, remove, duplicate_group=duplicates, folds=4, repeats=2, fewer_folds=True)
    seen: set[str] = set()
    for fold in split.folds:
        evaluation = set(fold.evaluation.tolist())
        counts = dict.fromkeys(REASONS, 0)
        dropped = []
        for row in range(len(remove)):
            if row in evaluation:
                continue
            reasons = set().union(*(_shares(table, duplicates, row, other) for other in evaluation))
            for reason in reasons:
                counts[reason] += 1
            if reasons:
                dropped.append(row)
        seen |= {reason for reason, count in counts.items() if count}
        assert fold.dropped.tolist() == dropped
        assert fold.reasons == tuple(counts[reason] for reason in REASONS)
        assert sorted([*fold.training, *fold.evaluation, *fold.dropped]) == list(range(len(remove)))
    assert seen == set(REASONS)


def test_a_query_without_documents_stands_for_itself() -> None:
    table = query_table([[] for _ in range(50)])
    remove = [row % 3 == 0 for row in range(50)]
    split = plan_folds(table, remove)
    assert [len(fold.evaluation) for fold in split.folds] == [10] * 25
    assert all(len(fold.dropped) == 0 for fold in split.folds)


def test_the_plan_and_its_hash_do_not_depend_on_the_order_of_the_rows() -> None:
    table, remove, duplicates = _entangled()
    order = np.random.default_rng(1).permutation(len(remove))
    one = plan_folds(table, remove, duplicate_group=duplicates, folds=3, repeats=2, fewer_folds=True)
    other = plan_folds(
        table[order], remove[order], duplicate_group=[duplicates[row] for row in order], folds=3, repeats=2,
        fewer_folds=True,
    )  # fmt: skip
    assert one.hash == other.hash
    for left, right in zip(one.folds, other.folds, strict=True):
        assert {one.query_ids[row] for row in left.training} == {other.query_ids[row] for row in right.training}


def test_the_hash_changes_with_a_label_the_seed_the_folds_and_the_duplicates() -> None:
    inputs, remove = benchmark(120)
    flipped = remove.copy()
    flipped[0] = not flipped[0]
    near = [0, 0, *([-1] * 118)]
    splits: list[Split] = [
        plan_folds(inputs.queries, remove, repeats=2),
        plan_folds(inputs.queries, flipped, repeats=2),
        plan_folds(inputs.queries, remove, repeats=2, seed=2),
        plan_folds(inputs.queries, remove, repeats=2, folds=4),
        plan_folds(inputs.queries, remove, repeats=2, duplicate_group=near),
        plan_single(inputs.queries, remove, train=60),
    ]
    assert len({split.hash for split in splits}) == 6
    again = plan_folds(inputs.queries, remove, repeats=2)
    assert again.hash == splits[0].hash
    assert check_same_split([again.hash, splits[0].hash]) == again.hash
    for one, other in pairwise(splits):
        with pytest.raises(CleaningError, match="2 different splits"):
            check_same_split([one.hash, other.hash])


def test_non_ascii_ids_and_documents_keep_their_hash() -> None:
    ids = [f"запит-{row}-œ" for row in range(60)]
    table = query_table([[f"документ {row // 2}"] for row in range(60)], ids=ids)
    remove = [row % 4 == 0 for row in range(60)]
    split = plan_folds(table, remove, repeats=1)
    assert len(split.hash) == 64
    assert set(split.query_ids) == set(ids)


def test_one_fold_is_refused_with_the_reason() -> None:
    inputs, remove = benchmark(100)
    with pytest.raises(CleaningError, match="evaluated on the queries that it was trained on"):
        plan_folds(inputs.queries, remove, folds=1)
    with pytest.raises(CleaningError, match="At least 1"):
        plan_folds(inputs.queries, remove, repeats=0)


def test_all_labels_equal_are_refused_with_the_reason() -> None:
    inputs, _ = benchmark(100)
    with pytest.raises(CleaningError, match="All 100 labels say keep"):
        plan_folds(inputs.queries, [False] * 100)
    with pytest.raises(CleaningError, match="All 100 labels say remove"):
        plan_folds(inputs.queries, [True] * 100)


def test_twenty_labels_are_refused_and_what_is_needed_is_said() -> None:
    table = query_table([[f"d{row}"] for row in range(20)])
    with pytest.raises(
        CleaningError, match=r"20 labels are too few .* at least 30 .* 5 queries to remove and 5 to keep"
    ):
        plan_folds(table, [row % 2 == 0 for row in range(20)])


def test_three_positives_in_one_document_are_refused_even_with_fewer_folds() -> None:
    documents = [["same"]] * 3 + [[f"d{row}"] for row in range(97)]
    table = query_table(documents)
    remove = [row < 3 for row in range(100)]
    for fewer in (False, True):
        with pytest.raises(CleaningError, match=r"3 queries to remove stand on 1 separable document,.*No split"):
            plan_folds(table, remove, fewer_folds=fewer)


def test_fewer_separable_documents_than_folds_name_the_largest_number_or_use_it() -> None:
    documents = [[f"p{row % 3}"] for row in range(9)] + [[f"d{row}"] for row in range(91)]
    table = query_table(documents)
    remove = [row < 9 for row in range(100)]
    with pytest.raises(CleaningError, match="At most 3 folds are possible"):
        plan_folds(table, remove)
    split = plan_folds(table, remove, fewer_folds=True)
    assert split.k == 3
    assert "5 folds are not possible" in split.notes[0]
    assert "largest number is 3" in split.notes[0]
    assert all(each.evaluation_positives == 3 for each in split.counts)


def test_a_training_part_emptied_of_positives_by_leaks_is_refused() -> None:
    # Every query to remove also names the document `hub`, so that no fold can train on one.
    documents = [[f"p{row}", "hub"] for row in range(10)] + [[f"d{row}"] for row in range(90)]
    with pytest.raises(CleaningError, match="No split over documents is possible"):
        plan_folds(query_table(documents), [row < 10 for row in range(100)])


def test_another_deal_is_used_where_the_first_leaves_nothing_to_learn_from() -> None:
    # Two pairs of positives, each pair linked by a document: a fold with one of each would drop the other two.
    links = [["p0", "one"], ["p1", "one"], ["p2", "two"], ["p3", "two"]]
    table = query_table(links + [[f"d{row}"] for row in range(60)])
    split = plan_folds(table, [row < 4 for row in range(64)], folds=2, repeats=4)
    assert any("another was used" in note for note in split.notes)
    for count in split.counts:
        assert (count.evaluation_positives, count.training_positives) == (2, 2)


def test_single_and_given_splits_without_anything_to_learn_from_are_refused() -> None:
    table = query_table([[f"p{row}", "hub"] for row in range(10)] + [[f"d{row}"] for row in range(90)])
    remove = [row < 10 for row in range(100)]
    ids = table["query_id"].to_list()
    with pytest.raises(CleaningError, match="leaves both kinds of label on either side"):
        plan_single(table, remove, train=60)
    with pytest.raises(CleaningError, match=r"5 share a document.*one kind only"):
        given_split(table, remove, train_ids=ids[5:60], test_ids=[*ids[:5], *ids[60:]])


def test_results_without_a_split_are_not_compared() -> None:
    with pytest.raises(CleaningError, match="no results"):
        check_same_split([])


def test_repeats_that_cannot_differ_are_noted() -> None:
    documents = [[f"d{row % 2}"] for row in range(60)]
    split = plan_folds(query_table(documents), [row % 4 < 2 for row in range(60)], folds=2, repeats=4)
    assert "Only 1 of 4 repeats differ" in split.notes[0]


def test_a_single_split_trains_on_about_as_many_as_asked_with_even_shares_of_positives() -> None:
    inputs, remove = benchmark(1438, share=0.31)
    split = plan_single(inputs.queries, remove, train=800)
    (fold,) = split.folds
    assert len(fold.training) + len(fold.dropped) == pytest.approx(800, abs=3)
    assert split.evaluated.tolist() == fold.evaluation.tolist()
    assert remove[fold.evaluation].mean() == pytest.approx(remove.mean(), abs=0.01)
    with pytest.raises(CleaningError, match="at least one query must train"):
        plan_single(inputs.queries, remove, train=1438)


def test_a_given_split_is_kept_and_its_leaks_are_dropped_or_noted() -> None:
    documents = [[f"d{row}"] for row in range(60)]
    documents[0] = ["d50"]
    table = query_table(documents)
    remove = [row % 2 == 0 for row in range(60)]
    ids = table["query_id"].to_list()
    split = given_split(table, remove, train_ids=ids[:40], test_ids=[*ids[45:], "unseen"])
    assert split.folds[0].evaluation.tolist() == list(range(45, 60))
    assert split.folds[0].dropped.tolist() == [0]
    assert split.notes == ("1 ids of the given split are not among the labelled queries.",)
    kept = given_split(table, remove, train_ids=ids[:40], test_ids=ids[45:], drop_leaks=False)
    assert len(kept.folds[0].training) == 40
    assert "as published" in kept.notes[0]
    with pytest.raises(CleaningError, match="both train and evaluate"):
        given_split(table, remove, train_ids=ids[:40], test_ids=ids[39:])
    with pytest.raises(CleaningError, match="no labelled query"):
        given_split(table, remove, train_ids=ids[:40], test_ids=["unseen"])
    with pytest.raises(CleaningError, match="all of one kind"):
        given_split(table, remove, train_ids=ids[:40], test_ids=ids[40:60:2])


def test_a_table_that_cannot_be_split_is_refused() -> None:
    inputs, remove = benchmark(100)
    with pytest.raises(CleaningError, match="99 labels were given for 100"):
        plan_folds(inputs.queries, remove[:99])
    with pytest.raises(CleaningError, match="twice"):
        plan_folds(inputs.queries[[0, *range(99)]], remove)
    with pytest.raises(CleaningError, match="no column documents"):
        plan_folds(inputs.queries.drop("documents"), remove)
    with pytest.raises(CleaningError, match="3 near-duplicate groups"):
        plan_folds(inputs.queries, remove, duplicate_group=[1, 2, 3])

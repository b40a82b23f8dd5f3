"""The document-clustered bootstrap: against direct computation, and where it does not exist."""

from __future__ import annotations

import math

import numpy as np
import pytest

from audit_core.errors import StatisticsError
from audit_core.statistics import clustered as clustered_module
from audit_core.statistics.clustered import document_clustered, entries_sharing_documents
from audit_core.statistics.intervals import wilson


def test_the_interval_is_the_percentiles_of_weighted_means_computed_entry_by_entry() -> None:
    correct = [True, False, True, True, False, True]
    documents = [{"a"}, {"a"}, {"b", "c"}, {"c"}, {"d", "a"}, {"b", "c"}]
    found = document_clustered(correct, documents, resamples=500, seed=11)

    weights_of = np.random.default_rng(11).standard_exponential((500, 4))
    position = {"a": 0, "b": 1, "c": 2, "d": 3}
    means = []
    for row in weights_of:
        weights = [math.prod(row[position[name]] for name in each) for each in documents]
        means.append(sum(w for w, ok in zip(weights, correct, strict=True) if ok) / sum(weights))
    low, high = np.quantile(means, [0.025, 0.975])
    assert found.interval.low == pytest.approx(low, abs=1e-12)
    assert found.interval.high == pytest.approx(high, abs=1e-12)
    assert found.interval.estimate == 4 / 6
    assert (found.interval.count, found.interval.n) == (4, 6)
    assert found.interval.method == "document-clustered bootstrap"
    assert (found.resamples, found.seed, found.documents, found.sharing) == (500, 11, 4, 6)


def test_the_same_seed_gives_the_same_interval_and_another_seed_another() -> None:
    correct = [number % 5 != 0 for number in range(60)]
    documents = [{f"d{number // 3}"} for number in range(60)]
    first = document_clustered(correct, documents, seed=4)
    assert first == document_clustered(correct, documents, seed=4)
    assert first.interval != document_clustered(correct, documents, seed=5).interval


def test_drawing_in_small_pieces_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    correct = [number % 5 != 0 for number in range(60)]
    documents = [{f"d{number // 3}", f"d{number % 4}"} for number in range(60)]
    whole = document_clustered(correct, documents, resamples=300)
    monkeypatch.setattr(clustered_module, "WEIGHTS_AT_ONCE", 700)
    assert document_clustered(correct, documents, resamples=300).interval == whole.interval


def test_independent_entries_give_about_the_width_of_wilson() -> None:
    correct = [number >= 60 for number in range(600)]
    alone = document_clustered(correct, [{f"d{number}"} for number in range(600)]).interval
    plain = wilson(540, 600)
    assert alone.low == pytest.approx(plain.low, abs=0.006)
    assert alone.high == pytest.approx(plain.high, abs=0.006)


def test_faults_that_gather_in_documents_widen_the_interval() -> None:
    correct = [number >= 60 for number in range(600)]
    gathered = document_clustered(correct, [{f"d{number // 20}"} for number in range(600)]).interval
    plain = wilson(540, 600)
    assert gathered.low is not None
    assert gathered.high is not None
    assert plain.low is not None
    assert plain.high is not None
    assert gathered.high - gathered.low > 2 * (plain.high - plain.low)


def test_an_entry_without_a_document_is_resampled_by_itself_and_counted() -> None:
    named = document_clustered([True, False, True, True], [{"a"}, {"b"}, {"c"}, {"d"}], seed=3)
    unnamed = document_clustered([True, False, True, True], [{"a"}, {"b"}, {"c"}, set()], seed=3)
    assert unnamed.without_document == 1
    assert unnamed.documents == 3
    assert unnamed.interval == named.interval


def test_a_document_named_twice_in_an_entry_counts_once() -> None:
    twice = document_clustered([True, False, True], [["a", "a"], ["b"], ["a", "c"]], seed=2)
    assert twice.interval == document_clustered([True, False, True], [["a"], ["b"], ["c", "a"]], seed=2).interval
    assert twice.sharing == 2


@pytest.mark.parametrize(
    ("correct", "documents", "reason"),
    [
        ([], [], "no entries (0 of 0)"),
        ([True, False], [{"a"}, {"a"}], "all entries rest on one document"),
        ([True], [set()], "one entry, which names no document"),
        ([True, False], [{"a", "b"}, {"b", "a"}], "all entries rest on the same documents"),
        ([True, True], [{"a"}, {"b"}], "every entry is correct, so each resample repeats the same share"),
        ([False, False], [{"a"}, {"b"}], "every entry is incorrect, so each resample repeats the same share"),
        ([True, True], [set(), set()], "every entry is correct, so each resample repeats the same share"),
    ],
)
def test_where_resampling_shows_nothing_the_reason_is_given(
    correct: list[bool], documents: list[set[str]], reason: str
) -> None:
    interval = document_clustered(correct, documents).interval
    assert interval.undefined == reason
    assert (interval.low, interval.high) == (None, None)


def test_values_and_documents_must_pair_up() -> None:
    with pytest.raises(StatisticsError, match="2 values but 1"):
        document_clustered([True, False], [{"a"}])


@pytest.mark.parametrize("resamples", [0, 99, 150.5])
def test_too_few_resamples_are_refused(resamples: float) -> None:
    with pytest.raises(StatisticsError, match="resamples"):
        document_clustered([True, False], [{"a"}, {"b"}], resamples=resamples)  # type: ignore[arg-type]


def test_entries_that_share_a_document_are_counted_once_each() -> None:
    assert entries_sharing_documents([{"a"}, {"b"}, {"b", "c"}, {"c"}, set()]) == 3
    assert entries_sharing_documents([{"a"}, {"b"}]) == 0
    assert entries_sharing_documents([]) == 0

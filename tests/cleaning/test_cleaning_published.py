"""The published matrices: the printed rates follow from the counts, and what the counts contradict is said."""

from __future__ import annotations

import csv

import pytest

from cleaning.published import NOTES, PUBLISHED
from tests.conftest import REAL_DATA

#: As printed in the VL-DocIR paper, in its order.
PRINTED = ["0.1472", "0.1464", "0.1472", "0.1437", "0.1782", "0.1360", "0.1307", "0.1246", "0.1977"]


def test_the_printed_false_omission_rates_follow_from_the_counts_to_the_digit() -> None:
    assert [f"{row.rates.false_omission.estimate:.4f}" for row in PUBLISHED] == PRINTED
    assert [f"{row.printed:.4f}" for row in PUBLISHED] == PRINTED


def test_the_printed_shares_kept_follow_from_the_counts() -> None:
    shares = {row.method: f"{100 * (row.rates.share_kept.estimate or 0):.2f}" for row in PUBLISHED}
    assert shares["Classifier or rating"] == "69.05"
    assert shares["Logistic regression"] == "62.38"
    assert shares["XGBoost"] == "55.33"


def test_the_test_sets_are_not_one() -> None:
    assert [row.confusion.n for row in PUBLISHED] == [1438] * 6 + [638] * 3
    assert [row.confusion.positives for row in PUBLISHED[6:]] == [193, 194, 201]
    assert {row.confusion.positives for row in PUBLISHED[:6]} == {440}
    assert "order is not established" in " ".join(NOTES)


def test_the_intervals_of_the_three_classifiers_overlap_those_of_the_union() -> None:
    union = PUBLISHED[5].rates.false_omission
    for row in PUBLISHED[6:8]:
        interval = row.rates.false_omission
        assert interval.low is not None
        assert union.low is not None
        assert interval.high is not None
        assert union.high is not None
        assert interval.low < union.high
        assert union.low < interval.high


def test_the_misprints_are_what_the_counts_contradict() -> None:
    by_method = {(row.method, row.setting): row for row in PUBLISHED}
    assert PUBLISHED[0].confusion.removed == 344
    assert "13.37" in PUBLISHED[3].note
    assert f"{PUBLISHED[3].rates.false_omission.estimate:.4f}" == "0.1437"
    assert by_method["Logistic regression", "800 training queries"].confusion.kept == 398
    assert by_method["XGBoost", "800 training queries"].confusion.kept == 353


def test_no_guarantee_below_fifteen_and_a_half_percent_follows_from_the_counts() -> None:
    # The smallest upper Clopper-Pearson bound (one-sided, 5 %) of all rows, before any division over strategies.
    from scipy.stats import beta

    bounds = [beta.ppf(0.95, row.confusion.fn + 1, row.confusion.kept - row.confusion.fn) for row in PUBLISHED]
    assert min(bounds) == pytest.approx(0.155, abs=0.002)


def test_the_counts_are_those_of_the_collected_facts() -> None:
    path = REAL_DATA.parent / "facts" / "removal_confusions.csv"
    if not path.is_file():
        pytest.skip("test_the_counts_are_those_of_the_collected_facts needs the collected facts")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(PUBLISHED)
    for row, ours in zip(rows, PUBLISHED, strict=True):
        counts = ours.confusion
        assert [int(row[name]) for name in ("tp", "fn", "fp", "tn", "n_eval")] == [
            counts.tp, counts.fn, counts.fp, counts.tn, counts.n,
        ]  # fmt: skip
        assert float(row["for_printed"]) == ours.printed

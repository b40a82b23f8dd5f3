"""Coefficients against all values collected in `agreement/expected.json`, and on the real ratings of 477 answers."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit_core.agreement.alpha import differences_of, given_distance, krippendorff_alpha
from audit_core.agreement.coefficients import brennan_prediger, fleiss_kappa, percent_agreement
from audit_core.agreement.gwet import gwet_ac
from audit_core.agreement.kappa import bangdiwala_b, cohen_kappa, conger_kappa, scott_pi
from audit_core.agreement.ratings import Patterns, Ratings, long_ratings, patterns_of, ratings_of
from audit_core.agreement.weights import Metric, Weights, agreement_weights

#: File -> the columns before the ratings, and the scale where all its values are not just those of the file.
RATINGS = {
    "krippendorff2011_A_binary_2x10.csv": (1, (0, 1)),
    "krippendorff2011_B_nominal_2x12.csv": (1, tuple("abcde")),
    "krippendorff2011_C_gwet_raw4raters_4x12.csv": (1, (1, 2, 3, 4, 5)),
    "wikipedia_krippendorff_3x15.csv": (1, (1, 2, 3, 4)),
    "gwet_raw5observers_5x15.csv": (1, (0, 1, 2, 3)),
    # The expected AC1 and Brennan-Prediger are those of a scale a to c; d and e occur in the other files only.
    "gwet_raw_gender_4x15.csv": (2, tuple("abc")),
    "gwet_raw_g1g2_4x14.csv": (2, tuple("abcde")),
    "gwet_ben_gerry_2x12.csv": (2, tuple("abcde")),
    "fleiss1971_diagnoses_6x30.csv": (1, (1, 2, 3, 4, 5)),
}
COUNTS = ("gwet_distrib_6raters_15x5.csv", "wikipedia_fleiss_10x5.csv")
TABLES = ("gwet_cont3x3abstractors.csv", "sas_cohen_3x3.csv")
#: Values that other tests look at: parts, errors, intervals, other forms of a name.
ELSEWHERE = {
    "gwet_ac1.ci95",
    "z",
    "category_totals",
    "per_subject_P_i",
    "ase",
    "ci95",
    "ase_h0",
    "weighted.ase",
    "weighted.ci95",
}
NAMES = {
    "krippendorff_alpha.nominal(irrCAC)": "krippendorff_alpha.nominal", "krippendorff": "krippendorff_alpha.nominal",
    "fleiss": "fleiss_kappa", "fleiss_kappa(missing-aware, irrCAC)": "fleiss_kappa", "conger": "conger_kappa",
    "bp": "brennan_prediger", "gwet": "gwet_ac1", "nominal": "krippendorff_alpha.nominal",
    "ordinal": "krippendorff_alpha.ordinal", "interval": "krippendorff_alpha.interval", "ratio": "krippendorff_alpha.ratio",
    "weighted_kappa(linear)": "cohen_kappa.linear",
}  # fmt: skip


def _cells(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))[1:]


def _of_patterns(patterns: Patterns, scale: tuple[Any, ...]) -> dict[str, float | None]:
    ac1 = gwet_ac(patterns, scale)
    found = {
        "percent_agreement": percent_agreement(patterns, scale).value,
        "fleiss_kappa": fleiss_kappa(patterns, scale).value,
        "brennan_prediger": brennan_prediger(patterns, scale).value,
        "gwet_ac1": ac1.value,
        "gwet_ac1.se": ac1.se,
        "gwet_ac1.pa": ac1.observed,
        "gwet_ac1.pe": ac1.expected,
    }
    for metric in Metric:
        alpha = krippendorff_alpha(patterns, scale, differences_of(metric, scale))
        found[f"krippendorff_alpha.{metric.value}"] = alpha.value
    for weights in (Weights.LINEAR, Weights.QUADRATIC, Weights.ORDINAL):
        name = f"{weights.value}{'_weights' if weights is Weights.ORDINAL else ''}"
        found[f"gwet_ac2.{name}"] = gwet_ac(patterns, scale, weights=weights).value
        apart = given_distance(1 - agreement_weights(weights, scale))
        found[f"irrCAC_alpha.{name}"] = krippendorff_alpha(patterns, scale, apart).value
    return found


def _of_ratings(ratings: Ratings) -> dict[str, float | None]:
    return {**_of_patterns(patterns_of(ratings.counts), ratings.scale), "conger_kappa": conger_kappa(ratings).value}


def _of_table(table: np.ndarray[Any, Any]) -> dict[str, float | None]:
    scale = tuple(range(len(table)))
    rows = [(i, j) for i in scale for j in scale for _ in range(table[i, j])]
    kappa = cohen_kappa(table, scale)
    found = _of_ratings(ratings_of(rows, scale))
    # Of a table the error of AC1 is divided by n there, here by n - 1.
    found["gwet_ac1.se"] = (found["gwet_ac1.se"] or 0.0) * ((len(rows) - 1) / len(rows)) ** 0.5
    return {
        **found,
        "cohen_kappa": kappa.value,
        "cohen_kappa.se": kappa.se,
        "cohen_kappa.linear": cohen_kappa(table, scale, weights=Weights.LINEAR).value,
        "scott_pi": scott_pi(table, scale).value,
        "bangdiwala_b": bangdiwala_b(table).value,
    }


def _typed(cell: str, scale: tuple[Any, ...]) -> Any:
    if not cell:
        return None
    return int(cell) if isinstance(scale[0], int) else cell


def _found(folder: Path, name: str) -> dict[str, float | None]:
    cells = _cells(folder / name)
    if name in RATINGS:
        first, scale = RATINGS[name]
        return _of_ratings(ratings_of([[_typed(each, scale) for each in row[first:]] for row in cells], scale))
    numbers = np.asarray([[int(each) for each in row[1:]] for row in cells])
    return _of_table(numbers) if name in TABLES else _of_patterns(patterns_of(numbers), tuple(range(numbers.shape[1])))


def _digits(number: float) -> float:
    """Return half of the last digit that a number was given to."""
    decimals = len(repr(number).partition(".")[2])
    return 0.51 * 10**-decimals


@pytest.mark.parametrize("name", [*RATINGS, *COUNTS, *TABLES])
def test_every_collected_value_is_met_to_its_last_digit(real_data: Path, name: str) -> None:
    folder = real_data / "agreement"
    known = json.loads((folder / "expected.json").read_text(encoding="utf-8"))[name]
    found = _found(folder, name)
    wanted = dict(known["expected"])
    for key, each in known.get("recomputed", {}).items():
        wanted |= {f"{key}.{one}": number for one, number in each.items()} if isinstance(each, dict) else {key: each}
    checked = 0
    for key, number in wanted.items():
        if key in ELSEWHERE:
            continue
        assert found[NAMES.get(key, key)] == pytest.approx(number, abs=_digits(number)), key
        checked += 1
    assert checked >= 1


@pytest.mark.parametrize("scale", ["naturalness", "appropriateness", "completeness", "faithfulness"])
def test_the_ratings_of_477_answers_give_what_other_libraries_gave(real_data: Path, scale: str) -> None:
    known = json.loads((real_data / "agreement" / "expected.json").read_text(encoding="utf-8"))
    key = next(each for each in known if "mtrag" in each)
    wanted = known[key]["recomputed"][scale]
    with (real_data / "multi_rater" / "ratings.csv").open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["scale"] == scale]
    items = {each: place for place, each in enumerate(dict.fromkeys(row["item"] for row in rows))}
    raters = {each: place for place, each in enumerate(sorted({row["annotator"] for row in rows}))}
    triples = [(items[row["item"]], raters[row["annotator"]], int(row["value"])) for row in rows]
    ratings = long_ratings(triples, (1, 2, 3, 4), units=len(items), raters=len(raters))
    found = _of_ratings(ratings)
    assert (len(raters), len(items), len(rows)) == (wanted["n_annotators"], wanted["n_units"], wanted["n_ratings"])
    for metric in ("nominal", "ordinal", "interval"):
        assert found[f"krippendorff_alpha.{metric}"] == pytest.approx(wanted[metric], abs=5.1e-5)
    assert found["krippendorff_alpha.nominal"] == pytest.approx(wanted["irrCAC_alpha_nominal"], abs=5.1e-5)
    assert found["gwet_ac1"] == pytest.approx(wanted["gwet_ac1"], abs=5.1e-5)
    assert found["gwet_ac2.quadratic"] == pytest.approx(wanted["gwet_ac2_quadratic"], abs=5.1e-5)

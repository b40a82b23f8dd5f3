"""Union, intersection and k of n: decisions with undecided members, and scores that agree with them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from strategy_cases import cases

from audit_core.errors import CleaningError
from cleaning.catalogue import build_strategy
from cleaning.contract import Inputs

NAN = float("nan")


def _decided(
    name: str, decisions: dict[str, list[float]], scores: dict[str, list[float]] | None = None, **options: object
) -> list[float]:
    n = len(next(iter(decisions.values())))
    inputs, _ = cases(n)
    given = {key: np.array(value) for key, value in decisions.items()}
    own = {key: np.array(value) for key, value in (scores or {}).items()}
    strategy = build_strategy(name, {"members": list(decisions), **options})
    values = (
        strategy.fit(inputs, np.zeros(n, dtype=bool), seed=1)
        .score(  # type: ignore[arg-type]
            Inputs(inputs.queries, other=own, decisions=given)
        )
        .values
    )
    return values.tolist()


def _as_decision(value: float) -> float:
    return NAN if np.isnan(value) else float(value >= 0.5)


@pytest.mark.parametrize(
    ("name", "table"),
    [
        # remove, keep, undecided of the first member; rows of the second
        ("union", {(1, 1): 1, (1, 0): 1, (0, 0): 0, (1, NAN): 1, (0, NAN): NAN, (NAN, NAN): NAN}),
        ("intersection", {(1, 1): 1, (1, 0): 0, (0, 0): 0, (1, NAN): NAN, (0, NAN): 0, (NAN, NAN): NAN}),
    ],
)
def test_undecided_members_count_as_in_logic_of_three_values(
    name: str, table: dict[tuple[float, float], float]
) -> None:
    pairs = list(table)
    for swap in (False, True):
        one, two = [each[int(swap)] for each in pairs], [each[int(not swap)] for each in pairs]
        values = _decided(name, {"one": one, "two": two})
        np.testing.assert_array_equal([_as_decision(each) for each in values], list(table.values()))


def test_k_of_n_is_undecided_only_where_the_undecided_could_turn_it() -> None:
    rows = list(itertools.product((1.0, 0.0, NAN), repeat=3))
    values = _decided("k_of_n", {name: [row[place] for row in rows] for place, name in enumerate("abc")}, k=2)
    for row, value in zip(rows, values, strict=True):
        outcomes = {
            sum(filled) >= 2
            for filled in itertools.product(*[(0.0, 1.0) if np.isnan(each) else (each,) for each in row])
        }
        assert _as_decision(value) == pytest.approx(float(outcomes.pop()) if len(outcomes) == 1 else NAN, nan_ok=True)


def test_k_is_more_than_half_of_the_members_where_it_is_not_given() -> None:
    three = {"a": [1.0, 1.0], "b": [1.0, 0.0], "c": [0.0, 0.0]}
    assert [_as_decision(each) for each in _decided("k_of_n", three)] == [1.0, 0.0]


def test_the_decision_holds_whatever_the_scores_and_thresholds_of_the_members() -> None:
    # A member with a threshold of 0.9 keeps at 0.8; one with 0.1 removes at 0.2.
    values = _decided(
        "union", {"a": [0.0, 0.0, 0.0], "b": [1.0, 0.0, 0.0]}, {"a": [0.8, 0.8, 1.0], "b": [0.2, 0.05, 0.0]}
    )
    assert [_as_decision(each) for each in values] == [1.0, 0.0, 0.0]
    assert values[0] == pytest.approx(0.9)
    assert values[1] == pytest.approx(0.4)
    assert values[2] < 0.5


def test_on_either_side_the_deciding_score_orders_the_queries() -> None:
    decisions = {"a": [1.0, 1.0], "b": [1.0, 1.0]}
    scores = {"a": [0.9, 0.6], "b": [0.7, 0.8]}
    union, both = _decided("union", decisions, scores), _decided("intersection", decisions, scores)
    assert union == pytest.approx([0.95, 0.9])
    assert both == pytest.approx([0.85, 0.8])


def test_members_without_scores_lend_their_decisions() -> None:
    assert _decided("union", {"a": [1.0, 0.0]}) == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize("name", ["union", "intersection", "k_of_n"])
def test_members_are_needed_and_must_have_taken_part(name: str) -> None:
    with pytest.raises(CleaningError, match="needs the option members"):
        build_strategy(name)
    for wrong in ([], "rules", ["a", "a"], [1]):
        with pytest.raises(CleaningError, match="option members"):
            build_strategy(name, {"members": wrong})
    with pytest.raises(CleaningError, match="member of itself"):
        build_strategy(name, {"members": [name, "rules"]})
    inputs, remove = cases()
    fitted = build_strategy(name, {"members": ["one", "absent"]}).fit(inputs, remove, seed=1)
    with pytest.raises(
        CleaningError, match=r"decisions of absent, which took no part or failed. There are: one, three, two"
    ):
        fitted.score(inputs)


@pytest.mark.parametrize("k", [0, 4, 1.5, True, "2"])
def test_k_must_be_a_number_of_members(k: object) -> None:
    with pytest.raises(CleaningError, match="option k of the strategy k_of_n"):
        build_strategy("k_of_n", {"members": ["a", "b", "c"], "k": k})


def test_k_of_one_is_no_combination() -> None:
    with pytest.raises(CleaningError, match="at least two members"):
        build_strategy("k_of_n", {"members": ["a"]})

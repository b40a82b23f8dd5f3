"""What the page promises of a threshold, in words and in its chart: of which queries, where some trained a strategy."""

from __future__ import annotations

import numpy as np

from cleaning.guarantee import Guarantee, choose
from cleaning.ui.bound_chart import bound_chart
from cleaning.ui.guarantee_view import _promise
from tests.cleaning.scored_sets import drawn, ids, scored, scoring


def found(*, trained: int) -> Guarantee:
    """Return what is promised of 400 good queries, all labelled, of which the first so many trained."""
    first = scoring(scored(np.where(np.arange(400) % 2 == 0, 0.2, 0.8)), trained_on=ids(400)[:trained])
    return choose(first, drawn(np.arange(400), np.zeros(400, dtype=bool)))


def promise(of: Guarantee) -> str:
    best = of.best
    assert best is not None
    return _promise(best, "10 %", "95 %", part=of.part)


def test_the_promise_is_of_the_queries_that_trained_nothing_where_some_did() -> None:
    said = promise(found(trained=100))
    part = "the 300 queries whose labels trained no strategy"
    assert f"at most 10 % of what is kept of {part} is bad" in said
    assert "It keeps 300 of these, 100" in said
    assert bound_chart(found(trained=100)).layout.xaxis.title.text == f"share kept, % of {part}"


def test_the_promise_is_of_all_queries_where_none_trained() -> None:
    said = promise(found(trained=0))
    assert "at most 10 % of what is kept is bad" in said
    assert "It keeps 400 queries, 100" in said
    assert bound_chart(found(trained=0)).layout.xaxis.title.text == "share kept, % of all queries"

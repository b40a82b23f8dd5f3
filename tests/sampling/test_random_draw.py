"""Draws by chance: fixed by the seed, uniform, nested, refused by name, and quick at full size."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from itertools import combinations, pairwise

import pytest

from audit_core.errors import StatisticsError
from audit_core.sampling import (
    Draw,
    StratumKey,
    census_draw,
    draw_sentences,
    sample_design,
    simple_draw,
    stratified_draw,
)
from audit_core.statistics.stratified import StratumCount, stratified_estimate
from tests.sampling.published import full_frame, published_sizes

FAR: StratumKey = ("PubMed", "Doc-Far")
OTHER: StratumKey = ("SEC", "Doc-Far")
FRAME = {FAR: [f"q{number}" for number in range(20)], OTHER: [f"q{number}" for number in range(20, 50)]}
SIZES = {FAR: 4, OTHER: 6}


def ids(draw: Draw) -> list[str]:
    """Return the query ids in the order of the campaign."""
    return [each.query_id for each in draw.entries]


def test_a_seed_gives_these_queries_in_this_order_on_every_machine() -> None:
    # Stored designs rest on this: another order for these seeds would break every campaign that was drawn before.
    draw = stratified_draw(FRAME, SIZES, seed=20260517)
    assert ids(draw) == ["q47", "q4", "q25", "q29", "q8", "q37", "q36", "q19", "q9", "q28"]
    assert [each.query_ids for each in draw.strata] == [
        ("q4", "q8", "q19", "q9"),
        ("q47", "q25", "q29", "q37", "q36", "q28"),
    ]
    assert ids(simple_draw(FRAME, 6, seed=20260517)) == ["q4", "q45", "q0", "q29", "q37", "q23"]


def test_the_order_of_a_stratum_is_that_of_the_hashes_as_documented() -> None:
    def number(query_id: str) -> bytes:
        parts = [text.encode() for text in ("assay-draw-1", "7", *FAR)]
        framed = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
        return hashlib.sha256(framed + query_id.encode()).digest()

    draw = stratified_draw(FRAME, {FAR: 20}, seed=7)
    assert list(draw.strata[0].query_ids) == sorted(FRAME[FAR], key=number)


def test_a_draw_depends_neither_on_the_order_of_the_frame_nor_on_that_of_the_sizes() -> None:
    turned = {OTHER: FRAME[OTHER][::-1], FAR: FRAME[FAR][::-1]}
    assert stratified_draw(turned, {OTHER: 6, FAR: 4}, seed=3) == stratified_draw(FRAME, SIZES, seed=3)
    assert simple_draw(turned, 9, seed=3) == simple_draw(FRAME, 9, seed=3)


def test_names_that_only_differ_in_where_they_are_cut_have_orders_of_their_own() -> None:
    queries = [f"q{number}" for number in range(30)]
    one = stratified_draw({("ab", "c"): queries}, {("ab", "c"): 30}, seed=1)
    other = stratified_draw({("a", "bc"): queries}, {("a", "bc"): 30}, seed=1)
    assert ids(one) != ids(other)


@pytest.mark.parametrize("smaller", [1, 3, 11])
def test_a_larger_draw_with_the_same_seed_contains_the_smaller_one(smaller: int) -> None:
    small = stratified_draw(FRAME, {FAR: smaller, OTHER: smaller}, seed=5)
    large = stratified_draw(FRAME, {FAR: 15, OTHER: 12}, seed=5)
    for before, after in zip(small.strata, large.strata, strict=True):
        assert after.query_ids[:smaller] == before.query_ids
    assert ids(simple_draw(FRAME, 40, seed=5))[:smaller] == ids(simple_draw(FRAME, smaller, seed=5))


def test_queries_that_join_the_frame_leave_the_order_of_the_others_as_it_was() -> None:
    grown = {**FRAME, FAR: [*FRAME[FAR], *(f"new{number}" for number in range(10))]}
    before = stratified_draw(FRAME, {FAR: 20}, seed=5).strata[0].query_ids
    after = stratified_draw(grown, {FAR: 30}, seed=5).strata[0].query_ids
    assert [each for each in after if not each.startswith("new")] == list(before)


def test_every_query_and_every_pair_is_drawn_as_often_as_its_probability_says() -> None:
    frame = {FAR: [f"q{number}" for number in range(12)], OTHER: [f"r{number}" for number in range(3)]}
    seeds, size, population = 4000, 5, 12
    single: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for seed in range(seeds):
        draw = stratified_draw(frame, {FAR: size, OTHER: 1}, seed=seed)
        assert draw.strata[0].probability == size / population
        single.update(draw.strata[0].query_ids)
        pairs.update(combinations(sorted(draw.strata[0].query_ids), 2))
    chance = size / population
    # (N - 1) / N times the sum of squared z of SRSWOR counts is chi-square with N - 1 = 11 degrees of freedom:
    # mean 11; 40 is passed with chance 4e-5.
    spread = seeds * chance * (1 - chance)
    chi_square = (
        sum((single[each] - seeds * chance) ** 2 / spread for each in frame[FAR]) * (population - 1) / population
    )
    assert 1.5 < chi_square < 40
    chance = size * (size - 1) / (population * (population - 1))
    assert len(pairs) == 66
    # 5.5 standard deviations for the most deviant of 66 pairs.
    assert max(abs(count - seeds * chance) for count in pairs.values()) < 5.5 * (seeds * chance * (1 - chance)) ** 0.5


def test_two_seeds_share_as_many_queries_as_independent_draws_do() -> None:
    frame = {FAR: [f"q{number}" for number in range(60)]}
    drawn = [set(ids(stratified_draw(frame, {FAR: 20}, seed=seed))) for seed in range(600)]
    shared = [len(one & other) for one, other in pairwise(drawn)]
    # Hypergeometric: mean 20 * 20 / 60 = 6.67, variance 6.67 * (2/3) * 40/59 = 3.01; 599 pairs.
    assert sum(shared) / len(shared) == pytest.approx(20 * 20 / 60, abs=5 * (3.01 / 599) ** 0.5)


def test_the_simple_draw_gives_every_query_of_the_frame_the_same_chance() -> None:
    seeds, size = 3000, 10
    count: Counter[str] = Counter()
    for seed in range(seeds):
        draw = simple_draw(FRAME, size, seed=seed)
        count.update(ids(draw))
    assert {each.probability for each in draw.strata} == {0.2}
    chi_square = sum((count[f"q{each}"] - 600) ** 2 / (seeds * 0.2 * 0.8) for each in range(50)) * 49 / 50
    # 49 degrees of freedom: mean 49, standard deviation 9.9.
    assert 15 < chi_square < 105


def test_whatever_part_of_a_campaign_is_done_every_stratum_is_done_to_about_that_part() -> None:
    sizes = {FAR: 5, OTHER: 30}
    for seed in range(50):
        draw = stratified_draw(FRAME, sizes, seed=seed)
        done = dict.fromkeys(sizes, 0)
        for each in draw.entries:
            key = each.source, each.evidence_structure
            done[key] += 1
            assert each.place == done[key]
            assert abs(done[FAR] / 5 - done[OTHER] / 30) < 1 / 5 + 1 / 30
        assert [each.number for each in draw.entries] == list(range(1, 36))
        assert done == sizes


def test_the_first_entry_comes_from_each_stratum_as_often_as_its_size_says() -> None:
    # The first of n = 2 and of n = 8 stand at u/2 and u/8: that of the smaller stratum is first with chance 1/8.
    first = Counter(stratified_draw(FRAME, {FAR: 2, OTHER: 8}, seed=seed).entries[0].source for seed in range(4000))
    assert first["PubMed"] == pytest.approx(500, abs=5.5 * (4000 / 8 * 7 / 8) ** 0.5)


def test_all_queries_are_a_census_in_random_order() -> None:
    draw = census_draw(FRAME, seed=2)
    assert sorted(ids(draw)) == sorted(FRAME[FAR] + FRAME[OTHER])
    assert draw.is_census
    assert draw.is_probability
    assert {(each.probability, each.probability_combined) for each in draw.entries} == {(1.0, 1.0)}
    assert ids(draw) == ids(stratified_draw(FRAME, {FAR: 20, OTHER: 30}, seed=2))


def test_a_stratum_without_queries_has_no_probability_and_breaks_nothing() -> None:
    frame = {**FRAME, ("arXiv", "Doc-Far"): []}
    for draw in (stratified_draw(frame, SIZES, seed=1), census_draw(frame, seed=1)):
        assert [(each.probability, each.probability_combined) for each in draw.strata if not each.population] == [
            (None, None)
        ]
        assert draw.undrawn == ()


def test_a_stratum_of_which_nothing_is_drawn_is_named() -> None:
    draw = stratified_draw(FRAME, {FAR: 4}, seed=1)
    assert draw.undrawn == (OTHER,)
    assert [each.probability for each in draw.strata] == [0.2, 0.0]
    assert draw_sentences(draw) == (
        "4 of 50 queries: stratified random without replacement, seed 1.",
        "Nothing is drawn of SEC Doc-Far: this draw alone gives no estimate for the whole frame.",
    )


def test_the_design_holds_what_the_report_needs() -> None:
    design = sample_design(stratified_draw(FRAME, SIZES, seed=9), frame_name="small", frame_revision="2")
    assert (design.frame_name, design.frame_revision, design.seed, design.is_probability) == ("small", "2", 9, True)
    assert [(*each_key, each.population, each.drawn) for each in design.strata for each_key in [(each.source,)]] == [
        ("PubMed", 20, 4),
        ("SEC", 30, 6),
    ]


def test_the_design_of_a_simple_draw_has_the_strata_that_chance_gave() -> None:
    draw = simple_draw(FRAME, 12, seed=4)
    design = sample_design(draw, frame_name="small", frame_revision="2")
    by_source = Counter(each.source for each in draw.entries)
    assert {each.source: each.drawn for each in design.strata} == by_source
    assert sum(each.drawn for each in design.strata) == 12


def test_a_condition_stands_in_the_name_of_the_frame() -> None:
    draw = stratified_draw(FRAME, SIZES, seed=9, condition="generator is A")
    assert sample_design(draw, frame_name="small", frame_revision="2").frame_name == "small, only generator is A"
    assert draw_sentences(draw) == (
        "10 of 50 queries that match (generator is A): stratified random without replacement, seed 9.",
        "The queries that match are the frame: nothing follows for the others.",
    )


def test_estimates_from_draws_are_right_on_average() -> None:
    frame = {FAR: [f"q{number}" for number in range(40)], OTHER: [f"r{number}" for number in range(160)]}
    faulty = {*frame[FAR][:20], *frame[OTHER][:16]}
    estimates = []
    for seed in range(800):
        draw = stratified_draw(frame, {FAR: 10, OTHER: 20}, seed=seed)
        counts = [
            StratumCount(*each.key, each.population, each.drawn, sum(one not in faulty for one in each.query_ids))
            for each in draw.strata
        ]
        estimates.append(stratified_estimate(counts).interval.estimate or 0.0)
    # True share 164 / 200 = 0.82. V = 0.2^2 (3/4) (0.25 * 40/39) / 10 + 0.8^2 (7/8) (0.09 * 160/159) / 20.
    variance = 0.04 * 0.75 * 0.25 * 40 / 39 / 10 + 0.64 * 0.875 * 0.09 * 160 / 159 / 20
    mean = sum(estimates) / len(estimates)
    assert mean == pytest.approx(0.82, abs=4.5 * (variance / 800) ** 0.5)
    assert sum((each - mean) ** 2 for each in estimates) / 799 == pytest.approx(variance, rel=0.25)


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ({FAR: 21, OTHER: 1}, r"PubMed Doc-Far \(21 asked for, 20 to draw from: 20 queries, 0 left out\)"),
        ({FAR: 21, OTHER: 31}, r"PubMed Doc-Far .* SEC Doc-Far"),
        ({FAR: 1, ("SEC", "Doc-Near"): 1}, "no stratum SEC Doc-Near"),
        ({FAR: -1}, "size of PubMed Doc-Far"),
        ({FAR: 1.5}, "size of PubMed Doc-Far"),
        ({FAR: 0}, "Nothing would be drawn"),
        ({}, "Nothing would be drawn"),
    ],
)
def test_sizes_that_cannot_be_drawn_are_refused_with_the_stratum_named(
    sizes: dict[StratumKey, int], words: str
) -> None:
    with pytest.raises(StatisticsError, match=words):
        stratified_draw(FRAME, sizes, seed=1)


@pytest.mark.parametrize(("size", "words"), [(51, "51 queries were asked for, but the frame has 50"), (0, "Nothing")])
def test_a_simple_draw_of_too_many_or_none_is_refused(size: int, words: str) -> None:
    with pytest.raises(StatisticsError, match=words):
        simple_draw(FRAME, size, seed=1)


def test_a_census_of_nothing_is_refused() -> None:
    with pytest.raises(StatisticsError, match="holds no query"):
        census_draw({FAR: []}, seed=1)


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, True, "7"])
def test_a_seed_that_no_database_could_keep_is_refused(seed: int) -> None:
    with pytest.raises(StatisticsError, match="seed must be a whole number"):
        stratified_draw(FRAME, SIZES, seed=seed)


def test_the_published_design_is_drawn_from_271760_queries_in_less_than_a_second() -> None:
    frame, sizes = full_frame(), published_sizes()
    seconds = []
    for seed in range(3):
        start = time.process_time()
        draw = stratified_draw(frame, sizes, seed=seed)
        seconds.append(time.process_time() - start)
    assert draw.population == 271_760
    assert len(set(ids(draw))) == 800
    assert min(seconds) < 1.0

"""Mixed draws: a simple random share whatever the weights, active parts with known chances, one random order of all."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations

import pytest

from audit_core.errors import StatisticsError
from audit_core.sampling import (
    ActivePart,
    MixedDraw,
    PartDraw,
    Selection,
    StratumKey,
    inclusion_chances,
    is_probability_method,
    mixed_design,
    mixed_draw,
    sample_design,
    simple_draw,
)

ONE: StratumKey = ("law", "Page-Single")
TWO: StratumKey = ("wiki", "Cross-Doc")
FRAME = {ONE: [f"a{number}" for number in range(12)], TWO: [f"b{number}" for number in range(28)]}
EVERY = [*FRAME[ONE], *FRAME[TWO]]
DISPUTED = {each: 1.0 if place % 4 == 0 else 0.5 for place, each in enumerate(EVERY) if place % 2 == 0}
NEAR = {each: (place + 1) / 40 for place, each in enumerate(EVERY)}
PARTS = (ActivePart(Selection.DISAGREEMENT, 6, DISPUTED), ActivePart(Selection.NEAR_THRESHOLD, 5, NEAR))


def drawn(seed: int = 1, **options: object) -> MixedDraw:
    return mixed_draw(FRAME, **{"random": 8, "parts": PARTS, "seed": seed, **options})  # type: ignore[arg-type]


def ids(mixed: MixedDraw, selection: Selection) -> set[str]:
    return {each.query_id for each in mixed.entries if each.selection == selection}


def test_every_part_has_its_size_whatever_the_seed_and_no_query_comes_twice() -> None:
    for seed in range(300):
        mixed = drawn(seed)
        assert Counter(each.selection for each in mixed.entries) == {
            "random": 8, "disagreement": 6, "near_threshold": 5,
        }  # fmt: skip
        assert len({each.query_id for each in mixed.entries}) == 19
        assert [each.number for each in mixed.entries] == list(range(1, 20))


def test_the_random_share_is_the_simple_draw_of_that_seed_and_no_weight_changes_it() -> None:
    alone = simple_draw(FRAME, 8, seed=5)
    other = replace(PARTS[0], weights=dict.fromkeys(EVERY, 1.0))
    for parts in (PARTS, (other,)):
        mixed = drawn(5, parts=parts)
        assert mixed.share == alone
        assert ids(mixed, Selection.RANDOM) == {each.query_id for each in alone.entries}
        assert {each.probability for each in mixed.entries if each.selection == "random"} == {8 / 40}


def test_the_chance_of_an_active_entry_is_that_given_the_parts_before_it() -> None:
    mixed = drawn(2)
    random, disputed = ids(mixed, Selection.RANDOM), ids(mixed, Selection.DISAGREEMENT)
    after_random = inclusion_chances({each: w for each, w in DISPUTED.items() if each not in random}, 6)
    after_both = inclusion_chances({each: w for each, w in NEAR.items() if each not in random | disputed}, 5)
    for entry in mixed.entries:
        if entry.selection == "disagreement":
            assert entry.probability == float(after_random[entry.query_id])
        if entry.selection == "near_threshold":
            assert entry.probability == float(after_both[entry.query_id])
        if entry.selection != "random":
            assert (entry.place, entry.probability_combined) == (None, None)


def test_over_many_seeds_a_query_is_active_as_often_as_all_random_shares_together_say() -> None:
    """Small enough to go through every random share: 2 of 6, then 2 of the rest in proportion to weights 1 to 6."""
    frame = {ONE: [f"q{number}" for number in range(1, 7)]}
    weights = {each: int(each[1:]) / 8 for each in frame[ONE]}
    part = ActivePart(Selection.NEAR_THRESHOLD, 2, weights)
    expected: defaultdict[str, float] = defaultdict(float)
    shares = list(combinations(frame[ONE], 2))
    for share in shares:
        rest = inclusion_chances({each: weight for each, weight in weights.items() if each not in share}, 2)
        for each, chance in rest.items():
            expected[each] += float(chance) / len(shares)
    assert sum(expected.values()) == pytest.approx(2)
    seeds = 6000
    active: Counter[str] = Counter()
    at_random: Counter[str] = Counter()
    for seed in range(seeds):
        mixed = mixed_draw(frame, random=2, parts=[part], seed=seed)
        active.update(ids(mixed, Selection.NEAR_THRESHOLD))
        at_random.update(ids(mixed, Selection.RANDOM))
    for each, p in expected.items():
        assert abs(active[each] / seeds - p) < 4 * math.sqrt(p * (1 - p) / seeds), each
        assert abs(at_random[each] / seeds - 1 / 3) < 4 * math.sqrt(2 / 9 / seeds), each


def test_given_one_random_share_the_active_chances_hold_over_its_seeds() -> None:
    frame = {ONE: ["p", "q", "r", "s"]}
    part = ActivePart(Selection.DISAGREEMENT, 1, {"p": 0.5, "q": 0.25, "r": 0.25, "s": 1.0})
    draws = [mixed_draw(frame, random=1, parts=[part], seed=seed) for seed in range(8000)]
    given = [next(iter(ids(each, Selection.DISAGREEMENT))) for each in draws if ids(each, Selection.RANDOM) == {"s"}]
    counts = Counter(given)
    for each, p in {"p": 0.5, "q": 0.25, "r": 0.25}.items():
        assert abs(counts[each] / len(given) - p) < 4 * math.sqrt(p * (1 - p) / len(given)), each


def test_number_and_place_of_an_entry_do_not_tell_which_part_it_is_of() -> None:
    """The mean number of each part's entries over many seeds is that of all entries: (19 + 1) / 2."""
    sums: defaultdict[str, list[int]] = defaultdict(list)
    for seed in range(400):
        for each in drawn(seed).entries:
            sums[str(each.selection)].append(each.number)
    spread = math.sqrt((19**2 - 1) / 12)
    for numbers in sums.values():
        assert abs(sum(numbers) / len(numbers) - 10) < 4 * spread / math.sqrt(len(numbers))


def test_a_part_with_too_few_candidates_takes_them_all_and_the_random_share_stays() -> None:
    few = ActivePart(Selection.DISAGREEMENT, 6, {"a0": 1.0, "a1": 0.5})
    told = set()
    for seed in range(60):
        mixed = drawn(seed, parts=(few,))
        assert len(ids(mixed, Selection.RANDOM)) == 8
        left = {"a0", "a1"} - ids(mixed, Selection.RANDOM)
        assert ids(mixed, Selection.DISAGREEMENT) == left
        assert mixed.parts[1] == PartDraw(Selection.DISAGREEMENT, 6, len(left), len(left), len(left))
        assert {each.probability for each in mixed.entries if each.selection == "disagreement"} <= {1.0}
        told.add(len(left))
    assert told == {0, 1, 2}


def test_queries_left_out_are_in_no_part() -> None:
    out = [f"b{number}" for number in range(15)]
    for seed in range(40):
        mixed = drawn(seed, leave_out=out)
        assert not {each.query_id for each in mixed.entries} & set(out)
        assert {each.probability for each in mixed.entries if each.selection == "random"} == {8 / 25}


def test_the_design_counts_all_entries_and_is_no_probability_sample_by_its_words_too() -> None:
    mixed = drawn(7)
    design = mixed_design(mixed, frame_name="set", frame_revision="1")
    assert design.method == "mixed: 8 simple random without replacement, 6 by disagreement, 5 near-threshold"
    assert not design.is_probability
    assert not is_probability_method(design.method)
    counts = Counter(each.source for each in mixed.entries)
    assert [(each.source, each.population, each.drawn) for each in design.strata] == [
        ("law", 12, counts["law"]),
        ("wiki", 28, counts["wiki"]),
    ]
    assert sample_design(mixed.share, frame_name="set", frame_revision="1").is_probability


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"random": 0}, "may train but never evaluate"),
        ({"parts": ()}, "start a campaign"),
        ({"parts": (replace(PARTS[0], size=0),)}, "start a campaign"),
        ({"parts": (PARTS[0], PARTS[0])}, "each once"),
        ({"parts": (replace(PARTS[0], selection=Selection.RANDOM),)}, "each once"),
        ({"random": 30}, "41 queries were asked for, but there are 40"),
        ({"parts": (replace(PARTS[0], weights={"elsewhere": 1.0, "a0": 0.0}),)}, "No query that can be drawn"),
        ({"parts": (PARTS[0],), "leave_out": list(DISPUTED), "random": 2}, "No query that can be drawn"),
    ],
)
def test_what_cannot_be_drawn_is_refused_whatever_the_seed(options: dict[str, object], says: str) -> None:
    for seed in (1, 2, 3):
        with pytest.raises(StatisticsError, match=says):
            drawn(seed, **options)

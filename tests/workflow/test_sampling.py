"""Sampling: plans before labelling, draws that can be made again, and what is stored of them."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest

from audit_core.domain import CampaignState
from audit_core.errors import AssayError, StatisticsError
from audit_core.sampling import Allocation, Wanted
from audit_core.storage import campaigns, samples
from audit_core.storage.campaigns import CampaignRow, EntryRow
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow import judging, sampling
from audit_core.workflow.campaigns import campaigns_on, find_campaign, set_campaign_state, start_campaign
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.reporting import audit_report
from audit_core.workflow.sample_request import (
    SampleFilter,
    SampleKind,
    SampleRequest,
    filter_of,
    fresh_seed,
    ids_in,
    sizes_from_csv,
)
from audit_core.workflow.sampling import draw_again, drawn_sample, plan_sample
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.sampling.published import published_counts
from tests.strata_bundle import SIZES, strata_bundle

STRATIFIED, SIMPLE, ALL, IDS = SampleKind.STRATIFIED, SampleKind.SIMPLE, SampleKind.ALL, SampleKind.IDS


@pytest.fixture
def dataset(workspace: Workspace, tmp_path: Path) -> DatasetRow:
    """30 queries in four strata."""
    return import_bundle(workspace, strata_bundle(tmp_path / "strata")).dataset


def entries_of(workspace: Workspace, campaign: CampaignRow) -> list[EntryRow]:
    with workspace.database.read() as connection:
        return campaigns.entries_of(connection, campaign.id)


def strata_of(workspace: Workspace, campaign: CampaignRow) -> dict[tuple[str, str], tuple[int, ...]]:
    """Population, drawn, population of the frame, left out of each stratum."""
    with workspace.database.read() as connection:
        rows = samples.strata_of(connection, campaign.id)
    return {
        (row.source, row.evidence_structure): (row.population, row.drawn, row.frame_population or 0, row.left_out or 0)
        for row in rows
    }


REQUESTS = {
    "all": SampleRequest(seed=3),
    "stratified": SampleRequest(STRATIFIED, seed=3, total=12),
    "by hand": SampleRequest(STRATIFIED, seed=3, sizes={("wiki", "Page-Single"): 5, ("law", "Doc-Near"): 1}),
    "simple": SampleRequest(SIMPLE, seed=3, total=7),
    "a part": SampleRequest(STRATIFIED, seed=3, total=6, where=SampleFilter(domain=("odd",), source=("wiki",))),
}


@pytest.mark.parametrize("name", REQUESTS)
def test_a_draw_made_again_from_the_stored_seed_gives_the_same_entries(
    workspace: Workspace, dataset: DatasetRow, name: str
) -> None:
    campaign = start_campaign(workspace, dataset=dataset, name="drawn", sample=REQUESTS[name])
    stored = [
        (each.number, each.query_id, each.place, each.probability, each.probability_combined)
        for each in entries_of(workspace, campaign)
    ]
    again = draw_again(workspace, find_campaign(workspace, "drawn"))
    assert stored == [
        (each.number, each.query_id, each.place, each.probability, each.probability_combined) for each in again.entries
    ]
    other = drawn_sample(workspace, dataset, REQUESTS[name]).draw
    assert [each.query_id for each in other.entries] == [each[1] for each in stored]


def test_another_seed_draws_others_and_a_made_up_seed_is_stored(workspace: Workspace, dataset: DatasetRow) -> None:
    drawn = [
        tuple(each.query_id for each in drawn_sample(workspace, dataset, SampleRequest(SIMPLE, seed=seed, total=8)).draw.entries)
        for seed in range(5)
    ]  # fmt: skip
    assert len(set(drawn)) == 5
    campaign = start_campaign(workspace, dataset=dataset, name="made up", sample=SampleRequest(SIMPLE, total=8))
    assert campaign.sample_seed is not None
    assert 0 <= campaign.sample_seed < 10**9
    assert len({fresh_seed() for _ in range(20)}) > 1


def test_a_stratified_campaign_stores_how_it_was_drawn(workspace: Workspace, dataset: DatasetRow) -> None:
    request = SampleRequest(STRATIFIED, seed=11, total=12, allocation=Allocation.EQUAL, guess=0.9)
    campaign = start_campaign(workspace, dataset=dataset, name="drawn", sample=request)
    assert (campaign.sample_method, campaign.sample_seed, campaign.sample_scheme, campaign.allocation) == (
        "stratified random without replacement", 11, "assay-draw-1", "equal",
    )  # fmt: skip
    assert campaign.is_probability_sample
    assert campaign.frame_hash is not None
    assert campaign.frame_condition is None
    assert campaign.plan is not None
    assert campaign.plan["request"]["total"] == campaign.plan["total"] == 12
    assert campaign.plan["request"]["guess"] == 0.9
    sizes = {each["source"] + each["evidence_structure"]: each["size"] for each in campaign.plan["strata"]}
    assert sizes == {"wikiPage-Single": 4, "wikiCross-Doc": 3, "lawPage-Single": 4, "lawDoc-Near": 1}
    entries = entries_of(workspace, campaign)
    assert Counter(each.source + each.evidence_structure for each in entries) == sizes
    assert {each.probability for each in entries if each.evidence_structure == "Cross-Doc"} == {3 / 6}
    assert [each.number for each in entries] == list(range(1, 13))
    assert strata_of(workspace, campaign)[("wiki", "Cross-Doc")] == (6, 3, 6, 0)
    assert audit_report(workspace, campaign.id).design_check.frame_matches


def test_a_census_comes_in_random_order_so_that_its_finished_part_is_a_random_part(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    campaign = start_campaign(workspace, dataset=dataset, name="census", sample=SampleRequest(seed=4))
    ids = [each.query_id for each in entries_of(workspace, campaign)]
    in_order = [query_id for query_id, _, _ in workspace.revision(dataset).queries_index()]
    assert sorted(ids) == sorted(in_order)
    assert ids != in_order
    first = Counter(each.rsplit("-", 1)[0] for each in ids[:15])
    assert first["wiki-Page-Single"] == 7
    assert first["wiki-Cross-Doc"] == 3


def test_a_simple_sample_with_an_empty_stratum_reports_one_pooled_stratum(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    request = next(
        each
        for seed in range(50)
        for each in [SampleRequest(SIMPLE, seed=seed, total=10)]
        if not any(
            drawn.evidence_structure == "Doc-Near" for drawn in drawn_sample(workspace, dataset, each).draw.entries
        )
    )
    campaign = start_campaign(workspace, dataset=dataset, name="simple", sample=request)
    ada = sign_in(workspace, "Ada")
    for number in range(1, 11):
        entry = judging.entry_numbered(workspace, ada, campaign_id=campaign.id, number=number).row
        body = {"nonce": f"nonce-{number:04}", "outcome": "judged", "codes": "F" if number == 1 else ""}
        judging.save_judgment(workspace, ada, entry_id=entry.id, body=body)
    report = audit_report(workspace, campaign.id)
    estimate = report.benchmark.estimate
    assert estimate is not None
    assert (estimate.population, estimate.decided, len(estimate.strata)) == (30, 10, 1)
    assert estimate.interval.estimate == 0.9
    assert estimate.effective_n == pytest.approx(9 / (1 - 10 / 30))  # (n - 1) / (1 - n/N)
    assert "all queries taken as one stratum" in report.benchmark.sentence
    assert "law Doc-Near" in " ".join(report.benchmark.warnings)


def test_a_filter_makes_the_queries_that_match_the_frame(workspace: Workspace, dataset: DatasetRow) -> None:
    where = SampleFilter(source=("wiki",), domain=("odd",))
    campaign = start_campaign(workspace, dataset=dataset, name="part", sample=SampleRequest(seed=1, where=where))
    assert campaign.frame_condition == "source is wiki and domain is odd"
    assert campaign.frame_filter == {"source": ["wiki"], "domain": ["odd"]}
    assert len(entries_of(workspace, campaign)) == 7 + 3
    report = audit_report(workspace, campaign.id)
    assert report.design_check.is_part
    assert report.design_check.frame_matches
    assert "nothing follows for the other queries" in " ".join(report.benchmark.warnings)
    assert report.benchmark.sentence.startswith("Part of the benchmark (10 queries of strata, only source is wiki")


@pytest.mark.parametrize(
    ("where", "count"),
    [
        (SampleFilter(structure=("Cross-Doc", "Doc-Near")), 7),
        (SampleFilter(generator=("hand",)), 7),
        (SampleFilter(text=("law say",)), 10),
        (SampleFilter(text=("wiki-Cross-Doc-3",)), 1),
        (SampleFilter(text=("law say", "wiki-Cross-Doc-3")), 11),
        (SampleFilter(source=("law",), text=("number 3",)), 1),
    ],
)
def test_every_key_of_a_filter_narrows_the_frame(
    workspace: Workspace, dataset: DatasetRow, where: SampleFilter, count: int
) -> None:
    planned = plan_sample(workspace, dataset, SampleRequest(where=where))
    assert planned.plan is not None
    assert planned.plan.total == count


def test_queries_with_findings_of_a_kind_can_be_drawn(workspace: Workspace, tmp_path: Path) -> None:
    def change(rows: dict[str, list[dict[str, object]]]) -> None:
        rows["queries"][2]["evidence"] = [{"page_id": "p-wiki-Page-Single-2", "box": [0, 0, 100, 200]}]

    dataset = import_bundle(workspace, strata_bundle(tmp_path / "odd", change=change)).dataset
    planned = drawn_sample(workspace, dataset, SampleRequest(where=SampleFilter(finding=("whole_page_box",))))
    assert [each.query_id for each in planned.draw.entries] == ["wiki-Page-Single-2"]


def test_a_filter_that_nothing_matches_names_what_there_is(workspace: Workspace, dataset: DatasetRow) -> None:
    with pytest.raises(AssayError, match=r"source 'news' \(there are: law, wiki\)"):
        plan_sample(workspace, dataset, SampleRequest(where=SampleFilter(source=("news",))))
    with pytest.raises(AssayError, match=r"finding 'x' \(there are: same_text\)"):
        plan_sample(workspace, dataset, SampleRequest(where=SampleFilter(finding=("x",))))
    with pytest.raises(AssayError, match="Widen the filter"):
        plan_sample(workspace, dataset, SampleRequest(where=SampleFilter(text=("zebra",))))


def test_a_second_draw_leaves_out_the_first_and_stands_for_the_whole_since_that_was_random(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    first = start_campaign(workspace, dataset=dataset, name="first", sample=SampleRequest(STRATIFIED, seed=1, total=9))
    request = SampleRequest(STRATIFIED, seed=2, total=10, leave_out=(first.id,))
    second = start_campaign(workspace, dataset=dataset, name="second", sample=request)
    one, two = entries_of(workspace, first), entries_of(workspace, second)
    assert not {each.query_id for each in one} & {each.query_id for each in two}
    assert (second.left_out_at_random, second.left_out_elsewhere) == (True, 0)
    with workspace.database.read() as connection:
        assert samples.left_out_of(connection, second.id) == [first.id]
    population, drawn, frame, left_out = strata_of(workspace, second)[("wiki", "Page-Single")]
    assert (population, frame, left_out) == (14, 14, 4)
    assert {each.probability for each in two if each.source == "wiki" and each.evidence_structure == "Page-Single"} == {
        drawn / 10
    }
    combined = {each.probability_combined for each in two if each.evidence_structure == "Cross-Doc"}
    assert combined == {(2 + 2) / 6}
    assert [each.query_id for each in draw_again(workspace, second).entries] == [each.query_id for each in two]


def test_a_second_draw_after_a_choice_stands_for_the_rest_only(workspace: Workspace, dataset: DatasetRow) -> None:
    chosen = SampleRequest(IDS, query_ids=("wiki-Page-Single-1", "wiki-Page-Single-0"))
    first = start_campaign(workspace, dataset=dataset, name="first", sample=chosen)
    assert [each.query_id for each in entries_of(workspace, first)] == ["wiki-Page-Single-1", "wiki-Page-Single-0"]
    assert not first.is_probability_sample
    request = SampleRequest(STRATIFIED, seed=2, total=10, leave_out=(first.id,))
    planned = plan_sample(workspace, dataset, request)
    assert planned.plan is not None
    assert planned.plan.whole.population == 28
    second = start_campaign(workspace, dataset=dataset, name="second", sample=request)
    assert second.left_out_at_random is False
    assert second.frame_name == "strata, without 2 queries taken before"
    assert strata_of(workspace, second)[("wiki", "Page-Single")][0] == 12
    with pytest.raises(AssayError, match="cannot be drawn again"):
        draw_again(workspace, first)


def test_only_simple_draws_of_the_same_frame_are_random_to_a_simple_draw(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    by_strata = start_campaign(workspace, dataset=dataset, name="a", sample=SampleRequest(STRATIFIED, seed=1, total=8))
    simple = start_campaign(workspace, dataset=dataset, name="b", sample=SampleRequest(SIMPLE, seed=1, total=8))
    part = start_campaign(
        workspace, dataset=dataset, name="c",
        sample=SampleRequest(SIMPLE, seed=1, total=5, where=SampleFilter(source=("wiki",))),
    )  # fmt: skip

    def is_random(kind: SampleKind, *earlier: CampaignRow) -> bool:
        request = SampleRequest(kind, seed=5, total=8, leave_out=tuple(each.id for each in earlier))
        return plan_sample(workspace, dataset, request).frame.at_random

    assert is_random(STRATIFIED, by_strata)
    assert is_random(STRATIFIED, by_strata, simple)
    assert is_random(SIMPLE, simple)
    assert not is_random(SIMPLE, by_strata)
    assert not is_random(STRATIFIED, simple, part)


def test_all_that_is_left_can_be_drawn_and_then_nothing_is_left(workspace: Workspace, dataset: DatasetRow) -> None:
    first = start_campaign(workspace, dataset=dataset, name="first", sample=SampleRequest(STRATIFIED, seed=1, total=9))
    planned = plan_sample(workspace, dataset, SampleRequest(leave_out=(first.id,)))
    # The first sample was random, so the rest stands for the whole, with an interval and not exactly.
    assert planned.sentences[0].startswith("All 21 queries that were not taken before, of 30")
    assert planned.sentences[1] == "Whole benchmark: interval undefined: nothing would be drawn from law Doc-Near."
    assert "exact" not in " ".join(planned.sentences)
    rest = start_campaign(workspace, dataset=dataset, name="rest", sample=SampleRequest(leave_out=(first.id,)))
    assert len(entries_of(workspace, rest)) == 21
    with pytest.raises(AssayError, match="nothing is left to draw"):
        plan_sample(workspace, dataset, SampleRequest(leave_out=(first.id, rest.id)))


def test_the_rest_of_every_stratum_gives_an_interval_of_the_whole(workspace: Workspace, dataset: DatasetRow) -> None:
    sizes = {("law", "Page-Single"): 3, ("wiki", "Cross-Doc"): 2, ("wiki", "Page-Single"): 3}
    first = start_campaign(
        workspace, dataset=dataset, name="first", sample=SampleRequest(STRATIFIED, seed=1, sizes=sizes)
    )
    planned = plan_sample(workspace, dataset, SampleRequest(leave_out=(first.id,)))
    assert planned.sentences[0].startswith("All 22 queries that were not taken before, of 30")
    assert "half-width" in planned.sentences[1]
    assert planned.sentences[1].endswith("once every entry is decided.")


def test_a_simple_sample_that_needs_every_query_says_so(workspace: Workspace, dataset: DatasetRow) -> None:
    planned = plan_sample(workspace, dataset, SampleRequest(SIMPLE, seed=1, wanted=Wanted(whole=0.001)))
    assert planned.sentences[0] == "All 30 queries: so many are needed, and there is no sampling error."


def test_a_plan_that_needs_more_than_is_left_of_a_stratum_takes_what_is_left(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    sizes = {("wiki", "Page-Single"): 11, ("law", "Page-Single"): 2}
    first = start_campaign(
        workspace, dataset=dataset, name="first", sample=SampleRequest(STRATIFIED, seed=1, sizes=sizes)
    )
    planned = plan_sample(workspace, dataset, SampleRequest(STRATIFIED, seed=2, total=15, leave_out=(first.id,)))
    assert planned.plan is not None
    assert planned.plan.total == 15
    assert planned.plan.whole.population == 30
    assert planned.plan.sizes_by_stratum()[("wiki", "Page-Single")] <= 3
    with pytest.raises(StatisticsError, match="too large"):
        plan_sample(workspace, dataset, SampleRequest(STRATIFIED, seed=2, total=18, leave_out=(first.id,)))


def test_campaigns_of_another_revision_can_be_left_out_and_of_another_dataset_not(
    workspace: Workspace, dataset: DatasetRow, tmp_path: Path
) -> None:
    def fewer(rows: dict[str, list[dict[str, object]]]) -> None:
        del rows["queries"][0]

    first = start_campaign(workspace, dataset=dataset, name="first")
    later = import_bundle(workspace, strata_bundle(tmp_path / "two", change=fewer, revision="2")).dataset
    chosen = SampleRequest(IDS, query_ids=("wiki-Cross-Doc-1", "wiki-Page-Single-0"))
    listed = start_campaign(workspace, dataset=dataset, name="listed", sample=chosen)
    planned = plan_sample(workspace, later, SampleRequest(STRATIFIED, total=8, leave_out=(listed.id,)))
    assert (planned.frame.at_random, planned.frame.elsewhere) == (False, 1)
    assert "1 queries of the campaigns to leave out are not in this frame" in " ".join(planned.warnings)
    assert [each.name for each in campaigns_on(workspace, later)] == ["listed", "first"]
    with pytest.raises(AssayError, match="not one on strata"):
        plan_sample(workspace, dataset, SampleRequest(STRATIFIED, total=8, leave_out=(first.id + 100,)))


def test_guesses_come_from_the_decided_entries_of_an_earlier_campaign(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    earlier = start_campaign(
        workspace, dataset=dataset, name="earlier", sample=SampleRequest(STRATIFIED, seed=1, total=12)
    )
    request = SampleRequest(STRATIFIED, total=10, guess_from=earlier.id)
    with pytest.raises(StatisticsError, match="no decided entry to guess from"):
        plan_sample(workspace, dataset, request)
    ada = sign_in(workspace, "Ada")
    for each in entries_of(workspace, earlier):
        codes = "F" if each.source == "law" else ""
        body = {"nonce": f"nonce-{each.number:04}", "outcome": "judged", "codes": codes}
        judging.save_judgment(workspace, ada, entry_id=each.id, body=body)
    set_campaign_state(workspace, earlier, CampaignState.CLOSED)
    plan = plan_sample(workspace, dataset, request).plan
    assert plan is not None
    guesses = {each.key: each.accuracy for each in plan.guesses}
    assert guesses[("law", "Page-Single")] < 0.6 < 0.8 < guesses[("wiki", "Page-Single")]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"kind": STRATIFIED}, "in one way"),
        ({"kind": STRATIFIED, "total": 5, "wanted": Wanted(whole=0.1)}, "in one way"),
        ({"kind": SIMPLE}, "in one way"),
        ({"kind": SIMPLE, "wanted": Wanted(source=0.1)}, "half-width of the whole"),
        ({"kind": ALL, "total": 5}, "no number to choose"),
        ({"kind": IDS, "query_ids": ("a",), "leave_out": (1,)}, "as it is"),
        ({"kind": IDS, "query_ids": ("a",), "where": SampleFilter(source=("x",))}, "as it is"),
    ],
)
def test_a_request_that_contradicts_itself_is_refused(fields: dict[str, object], words: str) -> None:
    with pytest.raises(AssayError, match=words):
        SampleRequest(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (SampleRequest(STRATIFIED, total=31), "too large"),
        (SampleRequest(SIMPLE, total=31), "there are 30 to draw from"),
        (SampleRequest(STRATIFIED, sizes={("wiki", "Nowhere"): 1}), "no stratum wiki Nowhere"),
        (SampleRequest(IDS, query_ids=("nothing",)), "No query of the frame has the id nothing"),
        (SampleRequest(IDS), "list of ids is empty"),
        (SampleRequest(STRATIFIED, wanted=Wanted(whole=0.05), guess=1.0), "every query is guessed correct"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_no_campaign_is_there(
    workspace: Workspace, dataset: DatasetRow, request_: SampleRequest, words: str
) -> None:
    with pytest.raises(AssayError, match=words):
        start_campaign(workspace, dataset=dataset, name="x", sample=request_)
    assert campaigns_on(workspace, dataset) == []


def test_sizes_and_ids_are_read_from_text() -> None:
    text = "\ufeffsource,evidence_structure,size\nwiki,Page-Single,5\nlaw,Doc-Near, 1\n"
    assert sizes_from_csv(text, name="s.csv") == {("wiki", "Page-Single"): 5, ("law", "Doc-Near"): 1}
    assert ids_in("\ufeffa\n\n b c \r\nd") == ("a", "b c", "d")
    for broken, words in (
        ("source,size\n", r"s\.csv has no column evidence_structure"),
        ("source,evidence_structure,size\na,b,x\n", r"s\.csv, row 2, field size: found 'x'"),
        ("source,evidence_structure,size\na,b,1\na,b,2\n", r"s\.csv, row 3: the stratum a b stands twice"),
        ("source,evidence_structure,size\n", "names no stratum"),
    ):
        with pytest.raises(AssayError, match=words):
            sizes_from_csv(broken, name="s.csv")


def test_a_filter_is_read_from_pairs_and_told_in_words() -> None:
    where = filter_of([("source", "wiki"), ("text", "two words"), ("source", " law ")])
    assert where == SampleFilter(source=("wiki", "law"), text=("two words",))
    assert where.condition == 'source is wiki or law and text has "two words"'
    assert filter_of([]).is_empty
    for pair, words in ((("colour", "red"), "no key 'colour'"), (("source", " "), "has no value")):
        with pytest.raises(AssayError, match=words):
            filter_of([pair])


def test_a_plan_for_the_published_populations_is_ready_at_once_and_meets_its_width(
    workspace: Workspace, dataset: DatasetRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """271,760 queries in the 24 published strata (tests/data/audit_strata.csv), without a bundle of that size."""
    import polars as pl

    from audit_core.workflow.sample_frame import Frame, FrameStratum

    counts = published_counts()
    strata = tuple(FrameStratum((each.source, each.evidence_structure), each.population, 0) for each in counts)
    whole = Frame(pl.DataFrame(), "hash", strata, frozenset(), False, 0)
    monkeypatch.setattr(sampling, "frame_for", lambda *_: whole)
    start = time.perf_counter()
    plan = plan_sample(workspace, dataset, SampleRequest(STRATIFIED, wanted=Wanted(whole=0.015))).plan
    assert time.perf_counter() - start < 2.0
    assert plan is not None
    assert plan.whole.population == 271_760
    assert plan.whole.half_width is not None
    assert plan.whole.half_width <= 0.015
    assert 700 < plan.total < 1000
    assert all(size >= min(2, each.population) for size, each in zip(plan.sizes, plan.guesses, strict=True))
    with pytest.raises(AssayError, match="one way"):
        SampleRequest(STRATIFIED, wanted=Wanted(whole=0.015), total=800)
    simple = plan_sample(workspace, dataset, SampleRequest(SIMPLE, wanted=Wanted(whole=0.015))).plan
    assert simple is not None
    assert abs(simple.total - plan.total) < 60


def test_a_plan_as_json_has_its_inputs_and_what_it_expects(workspace: Workspace, dataset: DatasetRow) -> None:
    document = plan_sample(workspace, dataset, SampleRequest(STRATIFIED, seed=8, total=12)).as_json()
    assert (document["seed"], document["total"], document["allocation"]) == (8, 12, "proportional")
    assert sum(each["size"] for each in document["strata"]) == 12
    assert sum(each["population"] for each in document["strata"]) == sum(SIZES.values())
    assert document["whole"]["half_width"] > 0

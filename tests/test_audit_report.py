"""The audit report: the published audit, the value of an entry, and a matrix of awkward inputs."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from audit_core.audit_report import (
    AuditReport,
    CarriedOver,
    EntryOutcome,
    ReportContext,
    ReportRow,
    UnjudgedEntries,
    build_audit_report,
    entry_value,
)
from audit_core.domain import Answer, EntryState, IssueCode, Outcome, SampleDesign, Stratum
from audit_core.errors import StatisticsError
from audit_core.statistics.percent import percent

FACTS = Path(__file__).parent / "data" / "audit_strata.csv"
CONTEXT = ReportContext(
    dataset_name="Benchmark",
    dataset_revision="1.0",
    content_hash="0a1b2c",
    campaign="audit-2026",
    protocol="audit",
    when=datetime(2026, 3, 1, 12, 0, tzinfo=UTC),
)
D, X, C, N = EntryState.DECIDED, EntryState.DISPUTED, EntryState.CANNOT_JUDGE, EntryState.NOT_JUDGED


def outcome(
    entry: int,
    codes: str = "",
    *,
    state: EntryState = D,
    source: str = "S",
    structure: str = "Doc-Near",
    query: str | None = None,
    documents: Sequence[str] | None = None,
    judges: int = 1,
    how: str | None = None,
) -> EntryOutcome:
    """Return one entry; by default decided, on its own query and document."""
    return EntryOutcome(
        entry=entry,
        query_id=query or f"q{entry}",
        source=source,
        evidence_structure=structure,
        document_ids=frozenset(documents if documents is not None else [f"d{entry}"]),
        state=state,
        codes=frozenset(IssueCode(code) for code in codes),
        judges=judges,
        how=how,
    )


def design(*strata: tuple[str, str, int, int], is_probability: bool = True, revision: str = "1.0") -> SampleDesign:
    """Return a design of the context's dataset from (source, structure, population, drawn)."""
    return SampleDesign(
        frame_name="Benchmark",
        frame_revision=revision,
        method="stratified random sample without replacement",
        seed=7,
        strata=tuple(Stratum(*each) for each in strata),
        is_probability=is_probability,
    )


def report(outcomes: Sequence[EntryOutcome], sample: SampleDesign | None = None, **options: object) -> AuditReport:
    """Return the report in the standing context."""
    return build_audit_report(outcomes, context=CONTEXT, design=sample, **options)  # type: ignore[arg-type]


def row_of(found: AuditReport, source: str | None, structure: str | None) -> ReportRow:
    """Return the one row with this source and structure."""
    (row,) = [row for row in found.rows if (row.source, row.evidence_structure) == (source, structure)]
    return row


@pytest.fixture(scope="module")
def facts() -> list[dict[str, str]]:
    with FACTS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def published(facts: list[dict[str, str]]) -> AuditReport:
    """The published audit of 800 entries; one Cross-Doc query is in it twice."""
    outcomes: list[EntryOutcome] = []
    for row in facts:
        for code in ("", "F", "E", "U", "N"):
            for _ in range(int(row[code or "correct"])):
                entry = len(outcomes) + 1
                outcomes.append(
                    outcome(entry, code, source=row["source"], structure=row["evidence_structure"], how="single")
                )
    crossing = [each.entry for each in outcomes if each.evidence_structure == "Cross-Doc"]
    last = outcomes[crossing[1] - 1]
    outcomes[crossing[1] - 1] = outcome(
        last.entry, source=last.source, structure="Cross-Doc", query=f"q{crossing[0]}", how="single"
    )
    sample = design(
        *(
            (row["source"], row["evidence_structure"], int(row["population_queries"]), int(row["audited"]))
            for row in facts
        )
    )
    return report(outcomes, sample, sources=["Wikipedia", "arXiv", "PubMed", "SEC"])


def test_the_published_audit_has_the_published_headline(published: AuditReport) -> None:
    assert published.headline == "746 of 800 audited entries are correct: 93.3 %, 95 % Wilson 91.3-94.8 %."
    assert published.total.interval.estimate == 0.9325


def test_the_published_audit_has_the_published_codes(published: AuditReport) -> None:
    assert {code.value: number for code, number in published.total.codes.items()} == {"F": 13, "E": 20, "U": 17, "N": 4}
    assert published.total.incorrect == 54


@pytest.mark.parametrize(
    ("source", "structure", "correct", "decided", "share", "low", "high"),
    [
        (None, "Cross-Doc", 177, 200, "88.5", "83.3", "92.2"),
        ("PubMed", "Cross-Doc", 40, 50, "80.0", "67.0", "88.8"),
        (None, None, 746, 800, "93.3", "91.3", "94.8"),
    ],
)
def test_the_published_audit_has_the_published_intervals(
    published: AuditReport,
    source: str | None,
    structure: str | None,
    correct: int,
    decided: int,
    share: str,
    low: str,
    high: str,
) -> None:
    row = row_of(published, source, structure)
    assert (row.correct, row.decided) == (correct, decided)
    assert [percent(each) for each in (row.interval.estimate, row.interval.low, row.interval.high)] == [
        share,
        low,
        high,
    ]
    assert row.interval.method == "Wilson"


def test_every_published_stratum_comes_back_in_table_order(published: AuditReport, facts: list[dict[str, str]]) -> None:
    rows = published.rows_of("stratum")
    assert [(row.source, row.evidence_structure) for row in rows] == [
        (row["source"], row["evidence_structure"]) for row in facts
    ]
    for row, fact in zip(rows, facts, strict=True):
        assert (row.population, row.drawn, row.decided, row.correct) == (
            int(fact["population_queries"]),
            int(fact["audited"]),
            int(fact["audited"]),
            int(fact["correct"]),
        )
        assert {code.value: number for code, number in row.codes.items()} == {
            code: int(fact[code]) for code in ("F", "E", "U", "N")
        }


def test_the_published_subtotals_add_up(published: AuditReport) -> None:
    assert [row.kind for row in published.rows] == ["stratum"] * 24 + ["source"] * 4 + ["structure"] * 6 + ["total"]
    for kind in ("stratum", "source", "structure"):
        rows = published.rows_of(kind)
        assert sum(row.correct for row in rows) == 746
        assert sum(row.decided for row in rows) == 800
        assert sum(row.population or 0 for row in rows) == 271_760
    assert [row.evidence_structure for row in published.rows_of("structure")] == [
        "Page-Single",
        "Page-Multi",
        "Doc-Adjacent",
        "Doc-Near",
        "Doc-Far",
        "Cross-Doc",
    ]


def test_the_published_audit_gives_the_published_whole_benchmark_estimate(published: AuditReport) -> None:
    benchmark = published.benchmark
    assert benchmark.estimate is not None
    interval = benchmark.estimate.interval
    assert percent(interval.estimate, decimals=2) == "96.38"
    assert (percent(interval.low), percent(interval.high)) == ("94.8", "97.5")
    assert "96.4 % correct, 95 % Wilson at the effective n 94.8-97.5 %" in benchmark.sentence
    assert "271,760 queries" in benchmark.sentence
    assert benchmark.remaining_sentence is not None
    assert "270,960 queries without a decision, about 9,790 faulty ones" in benchmark.remaining_sentence
    assert (benchmark.undetermined, benchmark.lowest, benchmark.highest) == (0, None, None)
    assert published.design_check.mismatches == ()
    assert published.design_check.sentences == ()


def test_the_published_cross_doc_entries_are_counted_as_entries_and_as_queries(published: AuditReport) -> None:
    row = row_of(published, None, "Cross-Doc")
    assert (row.entries, row.distinct_queries) == (200, 199)
    assert "The 200 entries of Cross-Doc are 199 distinct queries: counts are of entries." in published.notes
    assert published.total.distinct_queries == 799
    assert "1 decided entry repeats a query of the same stratum: the estimate counts entries." in (
        published.benchmark.warnings
    )


def test_the_report_says_what_it_rests_on_and_what_its_numbers_are_for(published: AuditReport) -> None:
    assert published.design_sentence == (
        "Design: stratified random sample without replacement (seed 7) from Benchmark 1.0, 800 of 271,760 queries in "
        "24 strata; a probability sample."
    )
    assert any("codes may add up to more than the incorrect entries" in note for note in published.notes)
    assert "How entries were decided: 800 single." in published.notes
    uses = {use.number: use.text for use in published.uses}
    assert "not for the whole benchmark, nor for what is left after corrections" in uses["Audited entries"]
    assert "all 271,760 queries of Benchmark 1.0" in uses["Whole benchmark"]


F = Answer(codes=(IssueCode.F,))
OK = Answer()
CANNOT = Answer(outcome=Outcome.CANNOT_JUDGE, reason="the page is blank")
E_P1 = Answer(codes=(IssueCode.E,), targets={"E": ["p1"]})
E_P2 = Answer(codes=(IssueCode.E,), targets={"E": ["p2"]})


@pytest.mark.parametrize(
    ("judgments", "needed", "state", "codes", "how", "reason"),
    [
        ([], 1, N, "", None, "no judgment"),
        ([], 2, N, "", None, "no judgment"),
        ([OK], 1, D, "", "single", "one judgment, as the campaign asks for"),
        ([F], 1, D, "F", "single", "one judgment, as the campaign asks for"),
        ([F], 2, N, "", None, "incomplete: 1 of 2 judgments"),
        ([F, F], 2, D, "F", "unanimous", "2 judgments agree"),
        ([F, F], 1, D, "F", "unanimous", "2 judgments agree"),
        ([F, F], 3, N, "", None, "incomplete: 2 of 3 judgments"),
        ([F, OK], 2, X, "", None, "2 judgments differ"),
        ([F, OK], 1, X, "", None, "2 judgments differ"),
        ([F, OK], 3, X, "", None, "2 judgments differ"),
        ([F, F, OK], 3, X, "", None, "3 judgments differ"),
        ([E_P1, E_P2], 2, X, "", None, "2 judgments differ"),
        ([E_P1, E_P1], 2, D, "E", "unanimous", "2 judgments agree"),
        ([CANNOT], 1, C, "", None, "1 cannot judge, nobody judged"),
        ([CANNOT], 2, C, "", None, "1 cannot judge, nobody judged"),
        ([CANNOT, CANNOT], 2, C, "", None, "2 cannot judge, nobody judged"),
        ([F, CANNOT], 1, D, "F", "single", "one judgment, as the campaign asks for; 1 cannot judge"),
        ([F, CANNOT], 2, N, "", None, "incomplete: 1 of 2 judgments; 1 cannot judge"),
        ([F, F, CANNOT], 2, D, "F", "unanimous", "2 judgments agree; 1 cannot judge"),
        ([F, OK, CANNOT], 2, X, "", None, "2 judgments differ; 1 cannot judge"),
        ([F, CANNOT, CANNOT], 3, N, "", None, "incomplete: 1 of 3 judgments; 2 cannot judge"),
    ],
)
def test_the_value_of_an_entry_for_every_mixture_of_judgments(
    judgments: list[Answer], needed: int, state: EntryState, codes: str, how: str | None, reason: str
) -> None:
    for order in (judgments, judgments[::-1]):
        value = entry_value(order, needed=needed)
        assert value == (state, frozenset(IssueCode(code) for code in codes), how, reason)


@pytest.mark.parametrize("judgments", [[], [F], [F, OK], [CANNOT], [F, F]])
def test_a_decision_counts_whatever_the_judgments_are(judgments: list[Answer]) -> None:
    decided = entry_value(judgments, needed=2, decision=E_P1)
    assert decided[:3] == (D, frozenset({IssueCode.E}), "adjudicated")
    unable = entry_value(judgments, needed=2, decision=CANNOT)
    assert unable[:3] == (C, frozenset(), "adjudicated")


def test_codes_and_targets_are_compared_as_sets() -> None:
    one = Answer(codes=(IssueCode.E, IssueCode.F), targets={"E": ["p1", "p2"], "F": []})
    other = Answer(codes=(IssueCode.F, IssueCode.E), targets={"E": ["p2", "p1", "p1"], "U": ["p9"]})
    assert entry_value([one, other], needed=2)[:3] == (D, frozenset({IssueCode.E, IssueCode.F}), "unanimous")


def test_notes_and_times_do_not_make_a_dispute() -> None:
    assert entry_value([Answer(note="fine", active_ms=900), OK], needed=2).how == "unanimous"


def test_an_entry_that_needs_no_judgment_is_refused() -> None:
    with pytest.raises(StatisticsError, match="at least 1 judgment"):
        entry_value([F], needed=0)


def test_no_entries_are_undefined_and_not_zero() -> None:
    found = report([])
    assert found.headline == "No entries: accuracy is undefined (0 of 0)."
    assert [row.kind for row in found.rows] == ["total"]
    assert found.total.interval.undefined == "no entries (0 of 0)"
    assert (found.total.lowest, found.total.highest) == (None, None)
    assert found.benchmark.estimate is None
    assert found.clustered is None


@pytest.mark.parametrize(
    ("codes", "sentence"),
    [
        ("", "1 of 1 audited entry is correct: 100.0 %, 95 % Wilson 20.7-100.0 %."),
        ("F", "0 of 1 audited entry are correct: 0.0 %, 95 % Wilson 0.0-79.3 %."),
    ],
)
def test_one_entry(codes: str, sentence: str) -> None:
    assert report([outcome(1, codes)]).headline == sentence


def test_all_correct_has_a_whole_benchmark_share_but_no_interval() -> None:
    found = report([outcome(n) for n in range(30)], design(("S", "Doc-Near", 500, 30)))
    assert found.total.interval.high == 1.0
    assert found.benchmark.estimate is not None
    assert found.benchmark.estimate.interval.estimate == 1.0
    assert "100.0 % correct, interval undefined: every decided entry is correct" in found.benchmark.sentence
    assert found.benchmark.remaining_sentence is not None
    assert "this does not show that none is" in found.benchmark.remaining_sentence


def test_all_wrong_has_a_low_bound_of_zero() -> None:
    found = report([outcome(n, "E") for n in range(30)], design(("S", "Doc-Near", 500, 30)))
    assert found.total.interval.low == 0.0
    assert found.headline.startswith("0 of 30 audited entries are correct: 0.0 %")
    assert found.benchmark.estimate is not None
    assert found.benchmark.estimate.remaining_faulty == 470.0


def test_one_stratum_with_one_entry_leaves_the_interval_undefined_and_names_it() -> None:
    outcomes = [outcome(n, "F" if n == 3 else "") for n in range(30)] + [outcome(99, structure="Doc-Far")]
    found = report(outcomes, design(("S", "Doc-Near", 500, 30), ("S", "Doc-Far", 40, 1)))
    assert "only one entry is decided in S Doc-Far" in found.benchmark.sentence
    assert "each stratum's own interval stands in the table" in found.benchmark.sentence
    assert row_of(found, "S", "Doc-Far").interval.low == pytest.approx(0.2065, abs=1e-4)
    words = "1 stratum that is not decided in full has under 20 decided entries, the smallest 1."
    assert any(words in each for each in found.benchmark.warnings)


@pytest.mark.parametrize(("state", "words"), [(X, "3 disputed"), (C, "3 cannot be judged"), (N, "3 not judged")])
def test_nothing_decided_is_undefined_with_bounds_of_none_and_all(state: EntryState, words: str) -> None:
    found = report([outcome(n, state=state) for n in range(3)], design(("S", "Doc-Near", 50, 3)))
    assert found.headline == (
        "0 of 3 audited entries are decided: accuracy is undefined (0 of 0). 3 of 3 entries are not decided "
        f"({words}): over all 3 the share correct lies between 0.0 % (each of them incorrect) and 100.0 % "
        "(each correct)."
    )
    assert found.total.interval.undefined == "no decided entries (0 of 0)"
    assert (found.total.lowest, found.total.highest) == (0.0, 1.0)
    assert (found.total.disputed, found.total.cannot_judge, found.total.not_judged) == (
        3 * (state is X),
        3 * (state is C),
        3 * (state is N),
    )
    assert found.benchmark.estimate is not None
    assert found.benchmark.estimate.interval.estimate is None
    assert "undefined, since nothing is decided in S Doc-Near" in found.benchmark.sentence
    assert (found.benchmark.lowest, found.benchmark.highest) == (0.0, 1.0)
    assert {use.number: use.text for use in found.uses}["Whole benchmark"] == (
        "No number may be given: undefined, since nothing is decided in S Doc-Near."
    )
    assert found.benchmark.remaining_sentence is None


def test_undecided_entries_leave_the_denominator_and_show_bounds() -> None:
    outcomes = [outcome(n, "U" if n == 0 else "") for n in range(8)]
    outcomes += [outcome(8, state=X), outcome(9, state=N)]
    found = report(outcomes)
    assert found.headline == (
        "7 of 8 audited entries are correct: 87.5 %, 95 % Wilson 52.9-97.8 %. 2 of 10 entries are not decided "
        "(1 disputed, 1 not judged): over all 10 the share correct lies between 70.0 % (each of them incorrect) and "
        "90.0 % (each correct)."
    )


def test_an_entry_with_two_codes_counts_under_both() -> None:
    found = report([outcome(1, "FN"), outcome(2, "F"), outcome(3)])
    assert [found.total.codes[code] for code in IssueCode] == [2, 0, 0, 1]
    assert (found.total.incorrect, found.total.correct) == (2, 1)
    assert any("here 3 codes on 2 incorrect entries" in note for note in found.notes)


def test_an_unknown_structure_is_shown_last_and_named() -> None:
    found = report([outcome(1, structure="Sideways"), outcome(2, structure="Cross-Doc"), outcome(3, structure="Aside")])
    assert [row.evidence_structure for row in found.rows_of("stratum")] == ["Cross-Doc", "Aside", "Sideways"]
    assert "Not one of the six evidence structures, shown last: 'Aside', 'Sideways'." in found.notes


def test_sources_stand_in_the_order_of_the_dataset_and_others_as_first_seen() -> None:
    outcomes = [outcome(n, source=source) for n, source in enumerate(["Z", "B", "A", "Y"])]
    assert [row.source for row in report(outcomes, sources=["A", "B"]).rows_of("source")] == ["A", "B", "Z", "Y"]
    assert [row.source for row in report(outcomes).rows_of("source")] == ["Z", "B", "A", "Y"]


def test_without_a_design_there_is_no_whole_benchmark_estimate() -> None:
    found = report([outcome(1), outcome(2, "F")])
    assert found.benchmark.estimate is None
    assert found.benchmark.sentence == "Whole benchmark: no probability sample: describes these entries only."
    assert found.design_sentence.startswith("Design: none is recorded")
    assert {use.number: use.text for use in found.uses}["Strata"] == (
        "Describe the entries of the stratum, not its other queries."
    )


def test_a_design_that_is_no_probability_sample_gives_no_estimate_but_its_populations() -> None:
    found = report([outcome(1), outcome(2, "F")], design(("S", "Doc-Near", 50, 2), is_probability=False))
    assert found.benchmark.reason == "no probability sample: describes these entries only"
    assert row_of(found, "S", "Doc-Near").population == 50
    assert found.design_sentence.endswith("no probability sample.")


def test_a_design_without_strata_gives_no_estimate() -> None:
    assert report([outcome(1)], design()).benchmark.reason == "undefined, since the design names no strata"


def test_a_stratum_of_the_design_without_entries_is_named_and_bounded() -> None:
    outcomes = [outcome(n, "F" if n < 3 else "") for n in range(30)]
    found = report(outcomes, design(("S", "Doc-Near", 300, 30), ("S", "Doc-Far", 100, 20)))
    assert row_of(found, "S", "Doc-Far").entries == 0
    assert found.design_check.sentences == ("S Doc-Far: 20 drawn, 0 entries, 0 decided.",)
    assert found.benchmark.estimate is not None
    assert found.benchmark.estimate.interval.estimate is None
    assert "nothing is decided in S Doc-Far" in found.benchmark.sentence
    # 300 of 400 queries at 27/30, the other 100 all wrong or all right.
    assert found.benchmark.lowest == pytest.approx(0.675)
    assert found.benchmark.highest == pytest.approx(0.925)
    assert found.benchmark.undetermined == 20


def test_a_stratum_from_which_nothing_was_drawn_is_named_and_bounded() -> None:
    outcomes = [outcome(n, "F" if n < 3 else "") for n in range(30)]
    found = report(outcomes, design(("S", "Doc-Near", 300, 30), ("S", "Doc-Far", 100, 0)))
    assert found.design_check.mismatches == ()
    assert found.benchmark.undetermined == 0
    assert found.benchmark.lowest == pytest.approx(0.675)
    assert any(each.startswith("Nothing was drawn from S Doc-Far.") for each in found.benchmark.warnings)


def test_undecided_entries_of_a_probability_sample_are_warned_of_and_bounded() -> None:
    outcomes = [outcome(n, "F" if n < 4 else "") for n in range(20)]
    outcomes += [outcome(n, state=X if n < 25 else N) for n in range(20, 30)]
    found = report(outcomes, design(("S", "Doc-Near", 300, 30)))
    benchmark = found.benchmark
    assert benchmark.estimate is not None
    assert benchmark.estimate.interval.estimate == pytest.approx(0.8)
    assert benchmark.estimate.decided == 20
    assert benchmark.undetermined == 10
    assert benchmark.lowest == pytest.approx(16 / 30)
    assert benchmark.highest == pytest.approx(26 / 30)
    assert benchmark.rests_on is not None
    assert benchmark.rests_on.startswith("Rests on 20 decided entries, where the design drew 30 of 300 queries")
    assert any(
        "10 drawn queries have no decision" in each and "missing at random" in each for each in benchmark.warnings
    )
    assert any("53.3 %, or 86.7 %" in each for each in benchmark.warnings)
    assert found.design_check.sentences == ("S Doc-Near: 30 drawn, 30 entries, 20 decided.",)


def test_a_census_with_everything_judged_is_exact() -> None:
    outcomes = [outcome(n, "F" if n == 0 else "") for n in range(8)]
    outcomes += [outcome(n, structure="Doc-Far") for n in range(8, 12)]
    sample = design(("S", "Doc-Near", 8, 8), ("S", "Doc-Far", 4, 4), is_probability=False)
    found = report(outcomes, sample)
    assert found.benchmark.estimate is not None
    assert found.benchmark.estimate.is_census
    assert found.benchmark.sentence == (
        "Whole benchmark (12 queries of Benchmark 1.0): 11 are correct, 91.7 %; census, no sampling error."
    )
    assert found.benchmark.warnings == ()
    assert found.benchmark.remaining_sentence is None
    assert found.design_sentence.endswith("12 of 12 queries in 2 strata; a census.")
    assert {use.number: use.text for use in found.uses}["Strata"].startswith("The shares are exact")


def test_a_census_with_an_undecided_entry_is_no_longer_exact() -> None:
    outcomes = [outcome(n, "F" if n == 0 else "") for n in range(7)] + [outcome(7, state=C)]
    found = report(outcomes, design(("S", "Doc-Near", 8, 8)))
    assert found.benchmark.estimate is not None
    assert not found.benchmark.estimate.is_census
    assert (found.benchmark.lowest, found.benchmark.highest) == (6 / 8, 7 / 8)


def test_a_census_in_which_one_query_was_judged_twice_and_another_never_is_no_census() -> None:
    outcomes = [outcome(1), outcome(2), outcome(3, "F", query="q2")]
    found = report(outcomes, design(("S", "Doc-Near", 3, 3)))
    assert found.benchmark.estimate is None
    assert found.benchmark.reason == "undefined, since entries that repeat a query fill up S Doc-Near"


def test_entries_outside_the_design_are_named_and_stay_out_of_the_estimate() -> None:
    inside = [outcome(n, "F" if n < 3 else "") for n in range(30)]
    outside = [outcome(100 + n, "E", source="Other", structure="Doc-Far") for n in range(5)]
    sample = design(("S", "Doc-Near", 300, 30))
    found, alone = report([*inside, *outside], sample), report(inside, sample)
    assert found.total.decided == 35
    assert found.design_check.outside == (("Other", "Doc-Far", 5),)
    assert "Other Doc-Far: 5 entries in no stratum of the design." in found.design_check.sentences
    assert "5 entries outside the design's strata: not in this estimate." in found.benchmark.warnings
    assert found.benchmark.estimate == alone.benchmark.estimate


def test_more_distinct_queries_than_were_drawn_give_no_estimate() -> None:
    found = report([outcome(n, "F" if n < 3 else "") for n in range(31)], design(("S", "Doc-Near", 300, 30)))
    assert found.benchmark.estimate is None
    assert found.benchmark.reason is not None
    assert "S Doc-Near has more distinct queries among its entries than the design drew" in found.benchmark.reason
    assert found.design_check.mismatches[0].entries == 31


def test_a_sample_of_another_revision_is_said_to_be_one() -> None:
    outcomes = [outcome(n, "F" if n < 3 else "") for n in range(30)]
    found = report(outcomes, design(("S", "Doc-Near", 300, 30), revision="0.9"))
    assert found.design_check.frame_matches is False
    assert "drawn from Benchmark 0.9, but this report is on Benchmark 1.0" in found.design_check.sentences[0]
    assert any("another dataset or revision" in each for each in found.benchmark.warnings)


@pytest.mark.parametrize(
    ("sample", "message"),
    [
        (design(("S", "Doc-Near", 30, 31)), "draws 31 of the 30 queries of S Doc-Near"),
        (design(("S", "Doc-Near", -1, 0)), "population of S Doc-Near"),
        (design(("S", "Doc-Near", 30, -1)), "drawn queries of S Doc-Near"),
        (design(("S", "Doc-Near", 30, 3), ("S", "Doc-Near", 40, 3)), "names the stratum S Doc-Near twice"),
    ],
)
def test_a_design_that_contradicts_itself_is_refused(sample: SampleDesign, message: str) -> None:
    with pytest.raises(StatisticsError, match=message):
        report([outcome(1)], sample)


def test_entries_that_share_documents_bring_the_clustered_interval_beside() -> None:
    outcomes = [outcome(n, "E" if n < 6 else "", documents=[f"d{n // 3}"]) for n in range(30)]
    found = report(outcomes, seed=5, resamples=500)
    assert found.clustered is not None
    assert (found.clustered.sharing, found.clustered.documents) == (30, 10)
    assert (found.clustered.resamples, found.clustered.seed) == (500, 5)
    assert found.clustered.interval.estimate == found.total.interval.estimate
    assert found.clustered == report(outcomes[::-1], seed=5, resamples=500).clustered
    assert any("30 decided entries share an evidence document" in note and "seed 5" in note for note in found.notes)


def test_entries_that_share_no_document_have_none_and_undecided_ones_do_not_count() -> None:
    outcomes = [outcome(1, documents=["a"]), outcome(2, "F", documents=["b"]), outcome(3, state=X, documents=["a"])]
    found = report(outcomes)
    assert found.clustered is None
    assert any(note.startswith("No two decided entries share an evidence document") for note in found.notes)


def test_one_document_under_all_entries_is_undefined_with_the_reason() -> None:
    found = report([outcome(1, documents=["a"]), outcome(2, "F", documents=["a"])])
    assert found.clustered is not None
    assert found.clustered.interval.undefined == "all entries rest on one document"


def test_the_report_counts_who_and_what_decided() -> None:
    outcomes = [
        outcome(1, judges=2, how="unanimous"),
        outcome(2, "F", judges=3, how="adjudicated"),
        outcome(3, judges=2, how="unanimous"),
        outcome(4, state=N, judges=1),
    ]
    found = report(outcomes)
    assert found.by_judges == {2: 2, 3: 1}
    assert found.by_how == {"adjudicated": 1, "unanimous": 2}
    assert "Annotators to a decided entry: 2 for 2, 3 for 1." in found.notes


def test_entries_left_out_are_told() -> None:
    context = ReportContext("B", "1", "h", "c", "audit", CONTEXT.when, left_out={"pilot": 10, "gold": 20})
    found = build_audit_report([outcome(1)], context=context)
    assert "Entries that never enter estimates are left out: 20 gold, 10 pilot." in found.notes


def test_an_entry_number_that_comes_twice_is_refused() -> None:
    with pytest.raises(StatisticsError, match="Entry 1 comes 2 times"):
        report([outcome(1), outcome(1)])


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"state": "pending"}, "Entry 1"),
        ({"codes": frozenset({"Q"})}, "Entry 1"),
        ({"state": X, "codes": frozenset({IssueCode.F})}, "has codes but is disputed"),
        ({"judges": -1}, "-1 judges"),
    ],
)
def test_an_outcome_that_cannot_be_is_refused(fields: dict[str, object], message: str) -> None:
    whole: dict[str, object] = {"state": D, "codes": frozenset(), "judges": 1, **fields}
    with pytest.raises(StatisticsError, match=message):
        EntryOutcome(1, "q", "S", "Doc-Near", frozenset(), **whole)  # type: ignore[arg-type]


def test_plain_text_states_and_codes_become_their_enums() -> None:
    made = EntryOutcome(1, "q", "S", "Doc-Near", frozenset(), "decided", frozenset({"F"}))  # type: ignore[arg-type]
    assert made.state is EntryState.DECIDED
    assert report([made]).total.codes[IssueCode.F] == 1


def test_another_confidence_is_named_and_used() -> None:
    found = report([outcome(n, "F" if n < 3 else "") for n in range(30)], confidence=0.9)
    assert "90 % Wilson" in found.headline
    with pytest.raises(StatisticsError, match="confidence level"):
        report([], confidence=95)


def simple_design(
    *strata: tuple[str, str, int, int], method: str = "simple random without replacement"
) -> SampleDesign:
    """Return the design of a simple random sample with the numbers that chance gave to the strata."""
    return replace(design(*strata), method=method)


def test_a_simple_sample_with_an_empty_stratum_is_taken_as_one_stratum() -> None:
    outcomes = [outcome(number, "F" if number == 1 else "") for number in range(1, 41)]
    strata = (("S", "Doc-Near", 900, 40), ("S", "Cross-Doc", 100, 0))
    found = report(outcomes, simple_design(*strata)).benchmark
    assert found.estimate is not None
    assert (found.estimate.population, found.estimate.decided) == (1000, 40)
    assert found.estimate.interval.estimate == 39 / 40
    assert found.estimate.effective_n == pytest.approx(39 / (1 - 40 / 1000))  # (n - 1) / (1 - n / N)
    assert found.lowest is None
    assert found.sentence.endswith("all queries taken as one stratum.")
    assert "S Cross-Doc" in found.warnings[0]
    assert "about 24 faulty" in (found.remaining_sentence or "")
    stratified = report(outcomes, design(*strata)).benchmark
    assert stratified.estimate is not None
    assert stratified.estimate.interval.estimate is None


def test_a_simple_sample_with_entries_in_every_stratum_is_weighted_by_strata() -> None:
    outcomes = [outcome(number, "F" if number == 1 else "") for number in range(1, 41)]
    outcomes += [outcome(number, structure="Cross-Doc") for number in range(41, 44)]
    found = report(outcomes, simple_design(("S", "Doc-Near", 900, 40), ("S", "Cross-Doc", 100, 3))).benchmark
    assert found.estimate is not None
    assert len(found.estimate.strata) == 2
    assert found.sentence.endswith("strata weighted by their number of queries.")


def test_a_pooled_simple_sample_with_undecided_entries_is_bounded() -> None:
    outcomes = [outcome(number, "F" if number == 1 else "") for number in range(1, 9)]
    outcomes += [outcome(9, state=N), outcome(10, state=X)]
    found = report(outcomes, simple_design(("S", "Doc-Near", 90, 10), ("S", "Doc-Far", 10, 0))).benchmark
    assert found.undetermined == 2
    assert (found.lowest, found.highest) == (0.7, 0.9)
    assert "stand for all that were drawn, as if" in " ".join(found.warnings)
    assert "Nothing was drawn" not in " ".join(found.warnings)


@pytest.mark.parametrize(
    ("method", "is_pooled"),
    [
        ("Simple  random sampling", True),
        ("simple random sample without replacement", True),
        ("stratified simple random", False),
        ("simple random within strata", False),
    ],
)
def test_only_a_simple_random_sample_is_pooled(method: str, is_pooled: bool) -> None:
    outcomes = [outcome(number, "F" if number == 1 else "") for number in range(1, 11)]
    strata = (("S", "Doc-Near", 90, 10), ("S", "Doc-Far", 10, 0))
    found = report(outcomes, simple_design(*strata, method=method)).benchmark
    assert found.estimate is not None
    assert (found.estimate.interval.estimate is not None) == is_pooled


@pytest.mark.parametrize("name", ["Benchmark, only source is S", "Benchmark, without 12 queries taken before"])
def test_a_sample_of_a_part_of_the_dataset_is_said_to_be_one(name: str) -> None:
    outcomes = [outcome(number, "F" if number == 1 else "") for number in range(1, 31)]
    found = report(outcomes, replace(design(("S", "Doc-Near", 90, 30)), frame_name=name))
    assert found.design_check.is_part
    assert found.design_check.frame_matches
    assert found.benchmark.sentence.startswith(f"Part of the benchmark (90 queries of {name} 1.0)")
    assert "nothing follows for the other queries" in found.benchmark.warnings[0]
    assert not report(outcomes, design(("S", "Doc-Near", 90, 30))).design_check.is_part


def test_an_undefined_estimate_is_not_said_to_rest_on_decided_entries() -> None:
    found = report([outcome(1), outcome(2, state=N)], design(("S", "Doc-Near", 50, 1), ("S", "Doc-Far", 50, 1)))
    words = " ".join((found.benchmark.sentence, *found.benchmark.warnings))
    assert "undefined" in words
    assert "missing at random" not in words
    assert "decided in full" not in words


def test_without_a_decision_nothing_is_said_of_shared_documents() -> None:
    found = report([outcome(n, state=N) for n in range(3)], design(("S", "Doc-Near", 50, 3)))
    assert "No entry is decided, so no document-clustered interval is shown." in found.notes
    assert not any("No two decided" in note for note in found.notes)


def _mixed() -> list[EntryOutcome]:
    """Return entries in every state, some of one query, in strata in and outside the design."""
    states = [(D, ""), (D, "F"), (D, "EU"), (X, ""), (C, ""), (N, "")]
    return [
        outcome(
            number,
            codes,
            state=state,
            source="AB"[number % 2],
            structure=("Doc-Near", "Cross-Doc", "Odd")[number // 20],
            # Two entries a query now and then; a query lies in one stratum.
            query=f"q{number - 2 * (number % 20 % 7 == 6)}",
            documents=[f"d{number // 3}"],
        )
        for number, (state, codes) in enumerate(states * 10)
    ]


@pytest.mark.parametrize("silent", ["none", "some", "all"])
def test_entries_without_a_judgment_may_be_counted_instead_of_given_one_by_one(silent: str) -> None:
    entries = _mixed()
    if silent == "all":
        entries = [outcome(each.entry, state=N, source=each.source, query=each.query_id) for each in entries]
    if silent == "none":
        entries = [each for each in entries if each.state is not N]
    given = [each for each in entries if each.state is not N]
    known = {each.query_id for each in given}
    counted: dict[tuple[str, str], list[EntryOutcome]] = {}
    for each in entries:
        if each.state is N:
            counted.setdefault((each.source, each.evidence_structure), []).append(each)
    unjudged = [
        UnjudgedEntries(*key, len(rows), len({each.query_id for each in rows} - known)) for key, rows in counted.items()
    ]
    sample = design(("A", "Doc-Near", 100, 10), ("B", "Doc-Near", 50, 10), ("A", "Cross-Doc", 30, 10))
    for plan in (sample, None):
        whole = report(entries, plan, sources=["A", "B"])
        assert report(given, plan, sources=["A", "B"], unjudged=unjudged) == whole
    assert (silent == "none") == (whole.total.not_judged == 0)


def test_more_queries_than_entries_without_a_judgment_are_refused() -> None:
    with pytest.raises(StatisticsError, match="Give each query once"):
        UnjudgedEntries("A", "Doc-Near", 2, 3)


@pytest.mark.parametrize(
    ("entries", "judgments", "said"),
    [
        (
            3,
            4,
            "Of 5 judged entries, 3 have judgments carried over from campaign audit-2025 on Benchmark 0.9 (4 judgments)",
        ),
        (
            1,
            1,
            "Of 5 judged entries, 1 has a judgment carried over from campaign audit-2025 on Benchmark 0.9 (1 judgment)",
        ),
        (0, 0, "Made from campaign audit-2025 on Benchmark 0.9; no entry has a judgment that was carried over."),
    ],
)
def test_judgments_that_were_carried_over_are_told_with_where_they_come_from(
    entries: int, judgments: int, said: str
) -> None:
    origin = CarriedOver("audit-2025", "Benchmark", "0.9", entries, 5, judgments)
    context = replace(CONTEXT, carried_over=origin)
    found = build_audit_report([outcome(number) for number in range(1, 6)], context=context)
    assert found.carried_sentence is not None
    assert found.carried_sentence.startswith(said)
    assert found.carried_sentence in found.notes
    assert not entries or "query, answer and evidence of such an entry are the same" in found.carried_sentence
    assert report([outcome(1)]).carried_sentence is None

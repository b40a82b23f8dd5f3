"""The report of a removal campaign: counts, shares, criteria, what it says of all queries, and its formats."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest

from audit_core.audit_report import EntryOutcome, ReportContext, UnjudgedEntries, build_audit_report
from audit_core.audit_report.removal import JudgedEntry, RemovalAnswer, RemovalReport, build_removal_report
from audit_core.domain import EntryState, IssueCode, SampleDesign, Stratum
from audit_core.errors import StatisticsError
from audit_core.registry import load_folder
from audit_core.statistics.percent import percent

FACTS = Path(__file__).parent / "data" / "audit_strata.csv"
CONTEXT = ReportContext("Benchmark", "1.0", "0a1b2c", "cleaning", "removal", datetime(2026, 3, 1, 12, 0, tzinfo=UTC))
FORMATS = load_folder("audit_core.exporters", prefix="removal_")
NASTY = '=cmd|"a",50% & _x_ {y} #1 [z] ~^\\\n\\input{evil}<b>$5$ `--'
REMOVE, KEEP, CANNOT = RemovalAnswer(True, {}), RemovalAnswer(False, {}), RemovalAnswer(None, {})


def entry(
    number: int, *answers: RemovalAnswer, source: str = "S", structure: str = "Doc-Near", document: str | None = None
) -> JudgedEntry:
    documents = frozenset({document or f"d{number}"})
    return JudgedEntry(number, f"q{number}", source, structure, documents, answers)


def report(judged: Sequence[JudgedEntry], *, needed: int = 1, **options: object) -> RemovalReport:
    return build_removal_report(judged, **{"needed": needed, "context": CONTEXT, **options})  # type: ignore[arg-type]


def design(*strata: tuple[str, str, int, int], is_probability: bool = True) -> SampleDesign:
    made = tuple(Stratum(*each) for each in strata)
    return SampleDesign("Benchmark", "1.0", "stratified random sample without replacement", 7, made, is_probability)


def test_the_share_to_remove_is_one_less_the_share_to_keep_in_the_numbers_of_the_published_audit() -> None:
    # 746 of 800 correct with 95 % Wilson 91.3-94.8 % is published; an interval for the other 54 is its mirror image.
    answers = [REMOVE] * 54 + [KEEP] * 746
    found = report([entry(number, answer) for number, answer in enumerate(answers, start=1)])
    assert found.headline == "54 of 800 decided entries are to be removed: 6.8 %, 95 % Wilson 5.2-8.7 %."
    assert (found.total.keep, found.total.remove, found.total.undecided) == (746, 54, 0)


def test_the_estimate_for_all_queries_mirrors_that_of_the_audit_report() -> None:
    with FACTS.open(encoding="utf-8", newline="") as file:
        facts = list(csv.DictReader(file))
    outcomes: list[EntryOutcome] = []
    judged: list[JudgedEntry] = []
    for row in facts:
        place = row["source"], row["evidence_structure"]
        correct, audited = int(row["correct"]), int(row["audited"])
        for at in range(audited):
            number = len(judged) + 1
            codes = frozenset() if at < correct else frozenset({IssueCode.F})
            documents = frozenset({f"d{number}"})
            outcomes.append(EntryOutcome(number, f"q{number}", *place, documents, EntryState.DECIDED, codes))
            judged.append(entry(number, REMOVE if codes else KEEP, source=place[0], structure=place[1]))
    sample = design(
        *(
            (row["source"], row["evidence_structure"], int(row["population_queries"]), int(row["audited"]))
            for row in facts
        )
    )
    audited_report = build_audit_report(outcomes, context=CONTEXT, design=sample, resamples=10)
    audited_share, removed = audited_report.benchmark.estimate, report(judged, design=sample).whole.estimate
    assert audited_share is not None
    assert removed is not None
    one, other = audited_share.interval, removed.interval
    assert other.estimate == pytest.approx(1 - (one.estimate or 0))
    assert (other.low, other.high) == (pytest.approx(1 - (one.high or 0)), pytest.approx(1 - (one.low or 0)))


@pytest.mark.parametrize(
    ("answers", "needed", "state"),
    [
        ([REMOVE], 1, "remove"),
        ([KEEP], 1, "keep"),
        ([REMOVE, REMOVE], 2, "remove"),
        ([REMOVE, KEEP], 1, "disputed"),
        ([REMOVE], 2, "not_judged"),
        ([CANNOT], 1, "cannot_judge"),
        ([CANNOT, KEEP], 1, "keep"),
        ([CANNOT, KEEP], 2, "not_judged"),
    ],
)
def test_an_entry_is_what_its_answers_come_to(answers: list[RemovalAnswer], needed: int, state: str) -> None:
    total = report([entry(1, *answers)], needed=needed).total
    counts = {name: getattr(total, name) for name in ("keep", "remove", "disputed", "cannot_judge", "not_judged")}
    assert counts == {**dict.fromkeys(counts, 0), state: 1}


def test_answers_that_differ_in_criteria_alone_agree() -> None:
    answers = [RemovalAnswer(True, {"clarity": 0.0}), RemovalAnswer(True, {"clarity": 1.0})]
    assert report([entry(1, *answers)], needed=2).total.remove == 1


def test_criteria_are_counted_by_judgment_and_what_is_left_open_apart() -> None:
    found = report(
        [
            entry(1, RemovalAnswer(True, {"clarity": 0.0, "correctness": 0.5}), RemovalAnswer(False, {"clarity": 1.0})),
            entry(2, RemovalAnswer(True, {"clarity": 0.0})),
            entry(3, CANNOT),
        ]
    )
    clarity, correctness, closedness, layout = found.criteria
    assert clarity.values == ((0.0, 2), (0.25, 0), (0.5, 0), (0.75, 0), (1.0, 1))
    assert clarity.of_removed == ((0.0, 2), (0.25, 0), (0.5, 0), (0.75, 0), (1.0, 0))
    assert [(each.rated, each.left_open) for each in (clarity, correctness, closedness)] == [(3, 0), (1, 2), (0, 3)]
    assert (layout.name, layout.title) == ("no_layout_reference", "No layout reference")


def test_undecided_entries_are_told_and_in_no_share() -> None:
    found = report(
        [entry(1, REMOVE), entry(2, KEEP), entry(3, REMOVE, KEEP), entry(4, CANNOT)],
        unjudged=[UnjudgedEntries("S", "Doc-Near", 2, 2)],
    )
    assert found.headline == (
        "1 of 2 decided entries is to be removed: 50.0 %, 95 % Wilson 9.5-90.5 %. "
        "4 of 6 entries are not decided (1 disputed, 1 cannot be judged, 2 not judged)."
    )
    assert found.total.distinct_queries == 6


def test_without_decided_entries_the_share_is_undefined_and_not_zero() -> None:
    found = report([entry(1, CANNOT)])
    assert found.total.interval.estimate is None
    assert found.headline.startswith("0 of 1 entry are decided: the share to remove is undefined (0 of 0).")
    assert report([]).headline == "No entries: the share to remove is undefined (0 of 0)."


def test_without_a_random_sample_nothing_is_said_of_all_queries() -> None:
    for sample in (None, design(("S", "Doc-Near", 10, 1), is_probability=False)):
        whole = report([entry(1, REMOVE)], design=sample).whole
        assert whole.estimate is None
        assert "no probability sample" in whole.sentence


def test_open_draws_stand_beside_the_estimate_with_their_worst_cases() -> None:
    judged = [entry(number, REMOVE if number == 1 else KEEP) for number in range(1, 5)]
    found = report(judged, design=design(("S", "Doc-Near", 100, 5)), unjudged=[UnjudgedEntries("S", "Doc-Near", 1, 1)])
    assert found.whole.sentence.startswith(
        "Whole benchmark (100 queries of Benchmark 1.0): 25.0 % to be removed, 95 % "
    )
    assert (found.whole.lowest, found.whole.highest) == (pytest.approx(0.2), pytest.approx(0.4))
    assert "1 drawn query has no decision" in found.whole.warnings[0]
    assert "would be 20.0 %, or 40.0 %" in found.whole.warnings[0]


@pytest.mark.parametrize(("answer", "words"), [(REMOVE, "to be removed"), (KEEP, "to be kept")])
def test_where_all_are_alike_there_is_an_estimate_without_an_interval(answer: RemovalAnswer, words: str) -> None:
    sentence = report([entry(1, answer), entry(2, answer)], design=design(("S", "Doc-Near", 100, 2))).whole.sentence
    assert f"every decided entry is {words}" in sentence
    assert "correct" not in sentence


def test_a_census_is_exact() -> None:
    found = report([entry(1, REMOVE), entry(2, KEEP)], design=design(("S", "Doc-Near", 2, 2)))
    assert found.whole.sentence.endswith("50.0 % to be removed, census, no sampling error.")


def test_shared_documents_are_said_to_make_the_intervals_narrow() -> None:
    judged = [entry(1, REMOVE, document="d"), entry(2, KEEP, document="d"), entry(3, KEEP)]
    assert any("2 decided entries share an evidence document" in each for each in report(judged).notes)
    assert not any("share" in each for each in report(judged[1:]).notes)


def test_needed_below_one_is_refused() -> None:
    with pytest.raises(StatisticsError, match="at least 1 judgment"):
        report([entry(1, REMOVE)], needed=0)


def nasty() -> RemovalReport:
    judged = [
        entry(1, RemovalAnswer(True, {"clarity": 0.25}), source=NASTY),
        entry(2, KEEP, source="B", structure="Cross-Doc"),
        entry(3, REMOVE, KEEP, source="B", structure="Cross-Doc"),
    ]
    return report(judged, design=design((NASTY, "Doc-Near", 9, 1), ("B", "Cross-Doc", 9, 2)))


def test_a_removal_report_can_be_written_in_the_formats_of_the_audit_report() -> None:
    assert sorted(FORMATS) == sorted(load_folder("audit_core.exporters", prefix="report_"))


@pytest.mark.parametrize("form", FORMATS.values(), ids=list(FORMATS))
def test_every_format_takes_an_empty_report_and_awkward_names(form: ModuleType) -> None:
    assert form.write(report([])).endswith("\n")
    text = form.write(nasty())
    assert "nan" not in text.lower()
    assert "incorrect" not in text


def test_the_csv_has_a_line_a_row_and_a_line_a_value() -> None:
    found = nasty()
    lines = list(csv.DictReader(io.StringIO(FORMATS["csv"].write(found), newline="")))
    assert [line["row"] for line in lines].count("stratum") == 2
    total = next(line for line in lines if line["row"] == "total")
    assert (total["keep"], total["remove"], total["disputed"], float(total["estimate"])) == ("1", "1", "1", 0.5)
    assert lines[0]["source"].startswith("'=cmd")
    clarity = [line for line in lines if line["criterion"] == "clarity"]
    assert [(line["value"], line["judgments"], line["of_removed"]) for line in clarity] == [
        ("0.0", "0", "0"), ("0.25", "1", "1"), ("0.5", "0", "0"), ("0.75", "0", "0"), ("1.0", "0", "0"), ("", "3", ""),
    ]  # fmt: skip


def test_the_json_names_its_format_and_gives_every_number() -> None:
    document = json.loads(FORMATS["json"].write(nasty()))
    assert document["format"] == "assay-removal-report"
    assert (document["total"]["remove"], document["total"]["keep"]) == (1, 1)
    assert document["criteria"][0]["values"][1] == [0.25, 1]


def test_markdown_and_latex_keep_text_of_the_dataset_from_being_markup() -> None:
    markdown, latex = FORMATS["markdown"].write(nasty()), FORMATS["latex"].write(nasty())
    assert "<b>" not in markdown.replace("\\<b\\>", "")
    assert "| all sources | all structures | 3 | 1 | 1 | 1 | 0 | 0 | 50.0 |" in markdown
    assert "\\input{evil}" not in "".join(line for line in latex.split("\n") if not line.startswith("%"))
    assert latex.count("\\begin{tabular}") == latex.count("\\end{tabular}") == 2


def test_percentages_are_those_of_the_one_place_that_rounds() -> None:
    assert f"{percent(54 / 800)} %" in report([entry(n, REMOVE if n <= 54 else KEEP) for n in range(1, 801)]).headline

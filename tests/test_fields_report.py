"""The report of protocols that ask fields: the verdict, every field by value in every stratum, and its formats."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import ModuleType
from typing import Any

import pytest

from audit_core.audit_report import ReportContext, UnjudgedEntries
from audit_core.audit_report.field_counts import FieldCounts, FieldRow, JudgedFields
from audit_core.audit_report.fields import FieldsReport, build_fields_report
from audit_core.domain import SampleDesign, Stratum
from audit_core.errors import StatisticsError
from audit_core.protocols import query_review, relevance
from audit_core.registry import load_folder
from audit_core.statistics.intervals import wilson

FORMATS = load_folder("audit_core.exporters", prefix="fields_")
NASTY = '=cmd|"a",50% & _x_ {y} #1 [z] ~^\\\n\\input{evil}<b>$5$ `--'
POOR = {"query": "poor", "reasons": ["unclear"]}
GOOD = {"query": "good", "grades": {"p1": 2, "p2": 0}, "types": {"p1": ["text", "table"]}, "answered": "answer",
        "answer_text": "4.2 m", "boxes": [{"page_id": "p1", "box": [0, 0, 1, 1]}] * 2}  # fmt: skip
KEEP = {
    "naturalness": "ok",
    "ambiguity": "ok",
    "answerability": "ok",
    "evidence": "yes",
    "quality": 8,
    "outcome": "keep",
}
DISCARD = {**KEEP, "answerability": "remove", "answerability_reasons": ["absent"], "quality": 2, "outcome": "discard"}
REWRITE = {
    **KEEP,
    "naturalness": "rewrite",
    "naturalness_reasons": ["stiff"],
    "outcome": "rewrite",
    "rewritten": "better",
}

Answer = Mapping[str, Any] | None


def context(protocol: ModuleType, **change: Any) -> ReportContext:
    when = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
    facts = {"dataset_name": "Benchmark", "dataset_revision": "1.0", "content_hash": "0a1b2c", "campaign": "reviews"}
    return ReportContext(**{**facts, **change}, protocol=protocol.name, when=when)


def entry(number: int, *answers: Answer, source: str = "S", structure: str = "Doc-Near") -> JudgedFields:
    return JudgedFields(number, f"q{number}", source, structure, frozenset({f"d{number}"}), answers)


def report(protocol: ModuleType, judged: Sequence[JudgedFields], *, needed: int = 1, **options: Any) -> FieldsReport:
    about = options.pop("context", context(protocol))
    return build_fields_report(
        judged,
        title=protocol.title,
        fields=protocol.FIELDS,
        verdict=protocol.HEADLINE,
        needed=needed,
        context=about,
        **options,
    )


def field(found: FieldsReport, name: str) -> FieldCounts:
    return next(each for each in found.fields if each.name == name)


def counts(row: FieldRow) -> dict[Any, tuple[int | None, float]]:
    """Return (count, denominator) of each value."""
    return {each.value: (each.interval.count, each.interval.n) for each in row.shares}


def test_the_verdict_of_relevance_is_the_share_of_poor_queries_with_its_wilson_interval() -> None:
    # 54 of 800 mirrors the 746 of 800 of the published audit, 95 % Wilson 91.3-94.8 %.
    answers = [POOR] * 54 + [GOOD] * 746
    found = report(relevance, [entry(number, each) for number, each in enumerate(answers, start=1)])
    assert found.headline == "54 of 800 decided entries are poor: 6.8 %, 95 % Wilson 5.2-8.7 %."
    assert found.total.interval == wilson(54, 800)


def test_the_verdict_of_a_review_is_what_is_discarded_and_quality_changes_nothing() -> None:
    found = report(query_review, [entry(1, DISCARD), entry(2, {**KEEP, "quality": 1}), entry(3, REWRITE)])
    assert found.headline.startswith("1 of 3 decided entries is to be discarded: 33.3 %")
    assert "quality" not in " ".join(found.notes[:2]).lower()


@pytest.mark.parametrize(
    ("answers", "needed", "state"),
    [
        ([DISCARD], 1, "decided"),
        ([KEEP, REWRITE], 1, "disputed"),
        ([KEEP, {**KEEP, "quality": 1}], 2, "decided"),
        ([KEEP], 2, "not_judged"),
        ([None], 1, "cannot_judge"),
        ([None, KEEP], 1, "decided"),
        ([None, KEEP], 2, "not_judged"),
    ],
)
def test_an_entry_is_what_its_verdicts_come_to(answers: list[Answer], needed: int, state: str) -> None:
    total = report(query_review, [entry(1, *answers)], needed=needed).total
    states = {name: getattr(total, name) for name in ("decided", "disputed", "cannot_judge", "not_judged")}
    assert states == {**dict.fromkeys(states, 0), state: 1}


def test_each_field_has_the_denominator_of_the_units_on_which_it_is_decided() -> None:
    found = report(relevance, [entry(1, GOOD), entry(2, POOR), entry(3, {**GOOD, "grades": {"p1": 1}}), entry(4, None)])
    assert counts(field(found, "query").total) == {"good": (2, 3), "poor": (1, 3)}
    grades = field(found, "grades")
    assert (grades.unit, counts(grades.total)) == ("pages", {0: (1, 3), 1: (1, 3), 2: (1, 3)})
    assert counts(field(found, "reasons").total)["unclear"] == (1, 1)
    assert counts(field(found, "types").total)["table"] == (2, 2)
    assert counts(field(found, "types").total)["chart"] == (0, 2)
    for share in grades.total.shares:
        assert share.interval == wilson(1, 3)


def test_annotators_who_differ_on_a_page_leave_that_page_undecided_and_no_other() -> None:
    other = {**GOOD, "grades": {"p1": 1, "p2": 0}, "types": {"p1": ["text"]}}
    found = report(relevance, [entry(1, GOOD, other)], needed=2)
    grades = field(found, "grades").total
    assert (grades.answered, grades.disputed, counts(grades)) == (2, 1, {0: (1, 1), 1: (0, 1), 2: (0, 1)})
    types = field(found, "types").total
    assert (types.answered, types.disputed) == (1, 1)
    assert counts(types)["text"] == (1, 1), "both say text; they differ in table alone"
    assert counts(types)["table"] == (0, 0)


def test_quality_is_counted_by_judgment_also_where_annotators_differ() -> None:
    quality = field(report(query_review, [entry(1, KEEP, {**KEEP, "quality": 3}), entry(2, None)], needed=2), "quality")
    assert quality.unit == "judgments"
    assert {value: count for value, (count, _) in counts(quality.total).items() if count} == {3: 1, 8: 1}
    assert {n for _, n in counts(quality.total).values()} == {2}


def test_every_field_is_counted_in_every_row_of_the_table() -> None:
    judged = [entry(1, KEEP), entry(2, DISCARD, source="T"), entry(3, KEEP, source="T", structure="Page-Single")]
    found = report(query_review, judged)
    for each in found.fields:
        assert [(row.kind, row.source, row.evidence_structure) for row in each.rows] == [
            (row.kind, row.source, row.evidence_structure) for row in found.rows
        ]
    outcome = field(found, "outcome")
    by_source = {row.source: counts(row) for row in outcome.rows if row.kind == "source"}
    assert by_source == {"S": {"keep": (1, 1), "rewrite": (0, 1), "discard": (0, 1)},
                         "T": {"keep": (1, 2), "rewrite": (0, 2), "discard": (1, 2)}}  # fmt: skip


def test_texts_pages_and_boxes_are_mentioned_by_how_many_there_are() -> None:
    found = report(relevance, [entry(1, GOOD, POOR), entry(2, {**GOOD, "pages": ["p8", "p9"]})])
    assert [(each.name, each.judgments, each.items) for each in found.mentions] == [
        ("pages", 1, 2), ("boxes", 2, 4), ("answer_text", 2, 2),
    ]  # fmt: skip


def test_what_nobody_answered_is_undefined_and_not_zero() -> None:
    found = report(relevance, [entry(1, POOR)])
    share = field(found, "grades").total.shares[0]
    assert (share.interval.estimate, share.interval.n) == (None, 0)
    assert share.interval.undefined is not None
    assert report(relevance, []).headline == "No entries: the share poor is undefined (0 of 0)."


def test_the_estimate_for_all_queries_rests_on_the_design() -> None:
    design = SampleDesign("Benchmark", "1.0", "stratified random sample", 7, (Stratum("S", "Doc-Near", 100, 5),), True)
    judged = [entry(number, POOR if number == 1 else GOOD) for number in range(1, 5)]
    found = report(relevance, judged, design=design, unjudged=[UnjudgedEntries("S", "Doc-Near", 1, 1)])
    assert found.whole.sentence.startswith("Whole benchmark (100 queries of Benchmark 1.0): 25.0 % poor, 95 % ")
    assert "were poor, or all of it, the weighted share would be 20.0 %, or 40.0 %" in found.whole.warnings[0]
    assert report(relevance, judged).whole.estimate is None


def test_where_all_are_alike_the_words_are_the_protocols_own() -> None:
    design = SampleDesign("Benchmark", "1.0", "stratified random sample", 7, (Stratum("S", "Doc-Near", 100, 2),), True)
    sentence = report(query_review, [entry(1, KEEP), entry(2, KEEP)], design=design).whole.sentence
    assert "every decided entry is to be kept or rewritten" in sentence


def test_needing_no_judgment_is_refused() -> None:
    with pytest.raises(StatisticsError, match="needs at least 1 judgment"):
        report(relevance, [entry(1, GOOD)], needed=0)


def test_there_are_the_same_formats_as_for_the_other_reports() -> None:
    assert set(FORMATS) == set(load_folder("audit_core.exporters", prefix="removal_"))


@pytest.mark.parametrize("protocol", [relevance, query_review], ids=["relevance", "query-review"])
@pytest.mark.parametrize("form", sorted(FORMATS))
def test_every_format_is_written_with_hostile_names_and_without_judgments(protocol: ModuleType, form: str) -> None:
    answer = GOOD if protocol is relevance else KEEP
    about = context(protocol, dataset_name=NASTY, campaign=NASTY, dataset_revision=NASTY)
    for judged in ([entry(1, answer, source=NASTY, structure=NASTY)], []):
        text = FORMATS[form].write(report(protocol, judged, context=about))
        assert text.endswith("\n")
        assert "nan" not in text.lower().replace("answer", "")
        if form == "latex":
            lines = [line for line in text.split("\n") if not line.startswith("%")]
            assert not any("\\input" in line for line in lines)
        if form == "markdown":
            assert "<b>" not in text


def test_json_has_every_number_under_its_name() -> None:
    document = json.loads(FORMATS["json"].write(report(relevance, [entry(1, GOOD), entry(2, POOR)])))
    assert (document["format"], document["format_version"]) == ("assay-fields-report", 1)
    assert document["verdict"]["value"] == "poor"
    grades = next(each for each in document["fields"] if each["name"] == "grades")
    assert [share["interval"]["count"] for share in grades["rows"][-1]["shares"]] == [1, 0, 1]


def test_csv_has_a_line_for_each_value_in_each_row_with_count_and_denominator() -> None:
    found = report(query_review, [entry(1, KEEP), entry(2, DISCARD, source="=T")])
    lines = list(csv.DictReader(io.StringIO(FORMATS["csv"].write(found))))
    outcomes = {
        (line["source"], line["value"]): (line["count"], line["n"])
        for line in lines
        if line["field"] == "outcome" and line["row"] == "source"
    }
    assert outcomes[("'=T", "discard")] == ("1", "1")
    assert outcomes[("S", "keep")] == ("1", "1")
    total = next(line for line in lines if line["row"] == "total" and not line["field"])
    assert (total["entries"], total["decided"], total["count"]) == ("2", "2", "1")
    assert next(line for line in lines if line["row"] == "mention")["field"] == "rewritten"


def test_markdown_has_a_table_for_each_field_with_counts_shares_and_bounds() -> None:
    text = FORMATS["markdown"].write(report(relevance, [entry(1, GOOD), entry(2, POOR)]))
    assert text.startswith("# Relevance: grade every page: reviews on Benchmark")
    assert "## Grade (counts of pages)" in text
    assert "1 of 2: 50.0 % (9.5-90.5)" in text
    assert "- Boxes: 2 in 1 judgments." in text


def test_latex_has_a_table_for_each_field() -> None:
    found = report(query_review, [entry(1, KEEP)])
    text = FORMATS["latex"].write(found)
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == 1 + len(found.fields)
    assert r"\label{tab:query-review:naturalness-reasons}" in text

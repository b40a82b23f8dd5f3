"""The formats of the audit report: each on awkward names, undefined numbers and every state."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from types import ModuleType
from typing import Any

import pytest

from audit_core.audit_report import AuditReport, CarriedOver, EntryOutcome, ReportContext, build_audit_report
from audit_core.domain import EntryState, IssueCode, SampleDesign, Stratum
from audit_core.exporters import report_csv, report_latex, report_markdown
from audit_core.registry import load_folder

FORMATS = load_folder("audit_core.exporters", prefix="report_")
NASTY = '=cmd|"a",50% & _x_ {y} #1 [z] ~^\\\n\\input{evil}<b>$5$ `--'


def make_report(
    entries: list[tuple[str, str, EntryState, str]],
    *,
    sampled: bool = False,
    name: str = "Set",
    carried_over: CarriedOver | None = None,
) -> AuditReport:
    """Return a report on entries of (source, structure, state, codes); sampled = 100 queries a stratum."""
    outcomes = [
        EntryOutcome(
            entry=number,
            query_id=f"q{number}",
            source=source,
            evidence_structure=structure,
            document_ids=frozenset({f"d{number // 2}"}),
            state=state,
            codes=frozenset(IssueCode(code) for code in codes),
            judges=1,
        )
        for number, (source, structure, state, codes) in enumerate(entries)
    ]
    drawn: dict[tuple[str, str], int] = {}
    for each in outcomes:
        key = each.source, each.evidence_structure
        drawn[key] = drawn.get(key, 0) + 1
    strata = tuple(Stratum(*key, population=100, drawn=number) for key, number in drawn.items())
    design = SampleDesign(name, "r1", "stratified", 3, strata, True) if sampled else None
    context = ReportContext(name, "r1", "abc123", "campaign", "audit", datetime(2026, 1, 2, 3, 4, tzinfo=UTC))
    context = replace(context, carried_over=carried_over)
    return build_audit_report(outcomes, context=context, design=design, resamples=200)


D, X = EntryState.DECIDED, EntryState.DISPUTED
MIXED = [
    ("A", "Cross-Doc", D, ""),
    ("A", "Cross-Doc", D, "FN"),
    ("A", "Cross-Doc", D, ""),
    ("B", "Doc-Far", D, ""),
    ("B", "Doc-Far", D, "E"),
    ("B", "Doc-Far", X, ""),
]
REPORTS = {
    "mixed, no sample": make_report(MIXED),
    "mixed, sampled": make_report(MIXED, sampled=True),
    "empty": make_report([]),
    "all disputed": make_report([("A", "Doc-Far", X, "")] * 3, sampled=True),
    "all correct": make_report([("A", "Doc-Far", D, "")] * 3, sampled=True),
    "carried over": make_report(MIXED, carried_over=CarriedOver(NASTY, NASTY, "r0", 2, 6, 3)),
    "awkward names": make_report([(NASTY, NASTY, D, "F"), ("-1+2", "@x", D, "")], sampled=True, name=NASTY),
}


def csv_rows(report: AuditReport) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(report_csv.write(report), newline="")))


def test_the_four_formats_are_found_by_their_files() -> None:
    assert {(name, module.suffix) for name, module in FORMATS.items()} == {
        ("csv", ".csv"),
        ("json", ".json"),
        ("latex", ".tex"),
        ("markdown", ".md"),
    }


@pytest.mark.parametrize("format_name", sorted(FORMATS))
@pytest.mark.parametrize("case", sorted(REPORTS))
def test_every_format_writes_every_report(format_name: str, case: str) -> None:
    module: ModuleType = FORMATS[format_name]
    text = module.write(REPORTS[case])
    assert re.fullmatch(r"[a-z]+/[a-z0-9.+-]+", module.media_type)
    assert text.endswith("\n")
    assert not re.search(r"\b(nan|NaN|inf|Infinity|None)\b", text)
    assert text == module.write(REPORTS[case])


@pytest.mark.parametrize("format_name", ["markdown", "latex", "json"])
def test_prose_formats_say_the_headline_the_dataset_and_the_method(format_name: str) -> None:
    text = FORMATS[format_name].write(REPORTS["mixed, sampled"])
    for words in ("3 of 5 audited entries are correct", "abc123", "r1", "Wilson", "stratified (seed 3)"):
        assert words in text


def test_csv_begins_with_its_columns_and_ends_lines_as_rfc_4180_says() -> None:
    text = report_csv.write(REPORTS["mixed, no sample"])
    lines = text.split("\r\n")
    assert lines[0].startswith("row,source,evidence_structure,population,drawn,entries")
    assert lines[-1] == ""
    assert "\n" not in text.replace("\r\n", "")
    assert {len(line) for line in csv.reader(io.StringIO(text, newline=""))} == {len(report_csv.COLUMNS)}


def test_csv_numbers_read_back_at_full_precision() -> None:
    report = REPORTS["mixed, sampled"]
    rows = csv_rows(report)
    assert [row["row"] for row in rows] == [
        *(row.kind for row in report.rows),
        "document-clustered",
        "whole-benchmark",
    ]
    for written, row in zip(rows, report.rows, strict=False):
        assert float(written["low"]) == row.interval.low
        assert float(written["high"]) == row.interval.high
        assert float(written["estimate"]) == row.interval.estimate
        assert (int(written["decided"]), int(written["correct"]), int(written["n"])) == (
            row.decided,
            row.correct,
            row.decided,
        )
        assert written["method"] == "Wilson"
    total = rows[len(report.rows) - 1]
    assert [total[code] for code in "FEUN"] == ["1", "1", "0", "1"]
    assert (total["disputed"], total["lowest"], total["highest"]) == ("1", "0.5", repr(4 / 6))
    assert rows[-1]["method"] == "Wilson at the effective n"
    assert report.benchmark.estimate is not None
    assert float(rows[-1]["estimate"]) == report.benchmark.estimate.interval.estimate


def test_csv_leaves_what_is_undefined_empty_and_gives_the_reason() -> None:
    (total, benchmark) = csv_rows(REPORTS["empty"])
    assert (total["estimate"], total["low"], total["high"]) == ("", "", "")
    assert total["undefined"] == "no entries (0 of 0)"
    assert benchmark["undefined"] == "no probability sample: describes these entries only"
    assert (benchmark["estimate"], benchmark["n"]) == ("", "")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_csv_text_that_a_spreadsheet_would_run_is_led_by_an_apostrophe(start: str) -> None:
    report = make_report([(f"{start}1+1", "Doc-Far", D, "")])
    assert csv_rows(report)[0]["source"] == f"'{start}1+1"
    assert report_csv.safe_text(f"a{start}b") == f"a{start}b"


def test_csv_names_come_back_byte_for_byte_where_they_are_harmless() -> None:
    for name in ('a,"b"', "007", "two\nlines", "naïve", " =x"):
        assert csv_rows(make_report([(name, "Doc-Far", D, "")]))[0]["source"] == name


def test_json_holds_everything_and_undefined_is_null_with_a_reason() -> None:
    found: dict[str, Any] = json.loads(FORMATS["json"].write(REPORTS["all disputed"]))
    assert (found["format"], found["format_version"]) == ("assay-audit-report", 1)
    interval = found["total"]["interval"]
    assert (interval["estimate"], interval["low"], interval["high"]) == (None, None, None)
    assert interval["undefined"] == "no decided entries (0 of 0)"
    assert found["benchmark"]["estimate"]["interval"]["undefined"] == "nothing is decided in A Doc-Far"
    assert found["clustered"] is None
    assert found["context"]["when"] == "2026-01-02T03:04:00+00:00"
    assert found["design"]["strata"][0]["population"] == 100


def test_json_keeps_numbers_at_full_precision_and_names_as_they_are() -> None:
    report = REPORTS["awkward names"]
    found: dict[str, Any] = json.loads(FORMATS["json"].write(report))
    assert found["rows"][0]["source"] == NASTY
    assert found["rows"][0]["codes"] == {"F": 1, "E": 0, "U": 0, "N": 0}
    assert found["total"]["interval"]["low"] == report.total.interval.low
    assert [row["kind"] for row in found["rows"]] == [row.kind for row in report.rows]
    assert found["headline"] == report.headline


def markdown_table(text: str) -> list[list[str]]:
    """Return the cells of the table; a bar that is escaped does not part cells."""
    lines = [line for line in text.split("\n") if line.startswith("| ")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def test_markdown_numbers_are_aligned_right_and_have_one_decimal() -> None:
    table = markdown_table(report_markdown.write(REPORTS["mixed, no sample"]))
    assert table[0] == [
        "Source", "Evidence structure", "Correct", "Decided", "F", "E", "U", "N",
        "Disputed", "Cannot judge", "Not judged", "Accuracy (%)", "95 % Wilson (%)",
    ]  # fmt: skip
    assert table[1] == ["---", "---", *["---:"] * 11]
    assert table[2] == ["A", "Cross-Doc", "2", "3", "1", "0", "0", "1", "0", "0", "0", "66.7", "20.8-93.9"]
    assert table[-1][:4] == ["all sources", "all structures", "3", "5"]


def test_markdown_shows_no_columns_of_undecided_entries_where_there_are_none() -> None:
    table = markdown_table(report_markdown.write(REPORTS["all correct"]))
    assert "Disputed" not in table[0]
    assert {len(line) for line in table} == {10}


@pytest.mark.parametrize("case", sorted(REPORTS))
def test_markdown_tables_keep_their_shape(case: str) -> None:
    table = markdown_table(report_markdown.write(REPORTS[case]))
    assert len(table) == 2 + len(REPORTS[case].rows)
    assert len({len(line) for line in table}) == 1


def test_markdown_names_bring_no_markup() -> None:
    text = report_markdown.write(REPORTS["awkward names"])
    assert "<b>" not in text.replace("\\<b\\>", "")
    assert "\n\\\\input" not in text
    assert report_markdown.escaped("a|b\n*c*") == r"a\|b \*c\*"


def test_markdown_says_undefined_with_the_reason() -> None:
    table = markdown_table(report_markdown.write(REPORTS["all disputed"]))
    assert table[-1][-2:] == ["undefined", "undefined: no decided entries (0 of 0)"]


@pytest.mark.parametrize("case", sorted(REPORTS))
def test_latex_is_one_balanced_table_after_its_comments(case: str) -> None:
    lines = report_latex.write(REPORTS[case]).splitlines()
    body = [line for line in lines if not line.startswith("%")]
    assert body[0] == r"\begin{table}"
    assert body[-1] == r"\end{table}"
    text = re.sub(r"\\[{}]", "", "\n".join(body))
    assert text.count("{") == text.count("}")
    assert not re.search(r"(?<!\\)[#$%_]", text.replace("\\\\", ""))
    columns = re.search(r"\\begin\{tabular\}\{(l+r+)\}", text)
    assert columns is not None
    cells = [line for line in body if line.endswith(r"\\")]
    assert len(cells) == 1 + len(REPORTS[case].rows)
    assert {len(re.findall(r"(?<!\\)&", line)) for line in cells} == {len(columns.group(1)) - 1}


def test_latex_comments_name_dataset_revision_hash_and_method() -> None:
    comments = [line for line in report_latex.write(REPORTS["mixed, sampled"]).splitlines() if line.startswith("%")]
    assert "% Dataset: Set, revision r1, content abc123" in comments
    assert "% Interval in the table: 95 % Wilson" in comments
    assert any("usepackage{booktabs}" in line for line in comments)


def test_latex_names_cannot_leave_a_comment_or_bring_a_command() -> None:
    text = report_latex.write(REPORTS["awkward names"])
    outside = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    assert "\\input" not in outside


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("50% & more_less #1 $2", r"50\% \& more\_less \#1 \$2"),
        ("{a}\\b~c^d", r"\{a\}\textbackslash{}b\textasciitilde{}c\textasciicircum{}d"),
        ("[z]*", "{[}z{]}{*}"),
        ("a--b---c", "a-{}-b-{}-{}-c"),
        ("'' `x", "'{}' {`}x"),
        ('say "x"', r"say {\char34}x{\char34}"),
        ("line\nbreak\x00\u2028end", "line break end"),
        ("<é>|", r"\textless{}é\textgreater{}\textbar{}"),
    ],
)
def test_latex_signs_stand_for_themselves(text: str, written: str) -> None:
    assert report_latex.escaped(text) == written


def test_latex_rows_have_one_decimal_and_rules_between_the_parts() -> None:
    text = report_latex.write(REPORTS["mixed, no sample"])
    assert r"    A & Cross-Doc & 2 & 3 & 1 & 0 & 0 & 1 & 0 & 0 & 0 & 66.7 & 20.8--93.9 \\" in text
    assert text.count(r"\midrule") == 4
    assert r"    all & all & 3 & 5 &" in text


@pytest.mark.parametrize("format_name", sorted(FORMATS))
def test_every_format_says_that_judgments_were_carried_over_and_from_where(format_name: str) -> None:
    origin = CarriedOver("audit 2025", "Set", "r0", entries=2, judged=6, judgments=3)
    report = make_report(MIXED, carried_over=origin)
    said = "Of 6 judged entries, 2 have judgments carried over from campaign audit 2025 on Set r0 (3 judgments)"
    text: str = FORMATS[format_name].write(report)
    assert said in text.replace("\\", "")
    assert "query, answer and evidence of such an entry are the same" in text
    assert "carried over" not in FORMATS[format_name].write(make_report(MIXED))


def test_json_and_csv_give_what_was_carried_over_as_numbers() -> None:
    report = make_report(MIXED, carried_over=CarriedOver("audit 2025", "Set", "r0", 2, 6, 3))
    assert json.loads(FORMATS["json"].write(report))["context"]["carried_over"] == {
        "campaign": "audit 2025", "dataset_name": "Set", "dataset_revision": "r0", "entries": 2, "judged": 6,
        "judgments": 3,
    }  # fmt: skip
    assert json.loads(FORMATS["json"].write(make_report(MIXED)))["context"]["carried_over"] is None
    last = csv_rows(report)[-1]
    assert (last["row"], last["entries"], last["note"]) == ("carried-over", "2", report.carried_sentence)


def test_latex_says_in_the_caption_that_judgments_were_carried_over() -> None:
    report = make_report(MIXED, carried_over=CarriedOver("audit 2025", "Set", "r0", 2, 6, 3))
    (caption,) = [line for line in report_latex.write(report).splitlines() if "caption" in line and line[0] != "%"]
    assert "carried over from campaign audit 2025 on Set r0" in caption

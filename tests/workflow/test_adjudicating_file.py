"""Deciding entries from a file: all of it or nothing, each fault by line and field, the same file again nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit_core.audit_report import AuditReport
from audit_core.corrections.applying import apply_changes
from audit_core.corrections.deriving import changes_of
from audit_core.corrections.pieces import canonical_list, counted
from audit_core.domain import Role
from audit_core.errors import BundleError, CampaignClosed, NotAllowed
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.workflow.adjudicating import adjudicate_from_file, decide, entry_states, reopen
from audit_core.workflow.adjudicating_file import FileAdjudication
from audit_core.workflow.adjudication_person import deciding_person
from audit_core.workflow.campaigns import find_campaign, start_campaign
from audit_core.workflow.correction_ground import contents_of, ground_of, proposal_pages
from audit_core.workflow.decisions_export import export_decisions
from audit_core.workflow.housekeeping import archive_campaign
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.reporting import campaign_report
from audit_core.workflow.workspace import Workspace
from tests.bundles import without_judgments
from tests.campaigns_in_order import in_dataset_order
from tests.homes import row_counts, with_campaign

E1 = {"page_id": "p1", "document_id": "d1", "element_id": "e1", "box": [1, 2, 3, 4], "kind": "Text"}


def _write(folder: Path, *rows: dict[str, Any]) -> Path:
    file = folder / "decisions.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def _run(workspace: Workspace, campaign: CampaignRow, file: Path, **options: bool) -> FileAdjudication:
    return adjudicate_from_file(workspace, deciding_person(workspace, None), campaign.id, file, **options)


def _codes(workspace: Workspace, campaign: CampaignRow) -> list[str]:
    """The codes of the decisions that count, by entry."""
    return [each.decision.codes for each in entry_states(workspace, campaign.id) if each.decision]


@pytest.fixture
def campaign(workspace: Workspace, tmp_path: Path) -> CampaignRow:
    return with_campaign(workspace, tmp_path / "b", without_judgments)


def test_lines_decide_entries_by_query_or_number_with_all_that_they_say(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path
) -> None:
    file = _write(
        tmp_path,
        {"query_id": "q1", "codes": ["F"], "why": "vague", "corrected_text": "What is one?", "confidence": "sure"},
        {"entry": 2, "codes": "EU", "targets": {"E": ["p3"]}, "note": "see the table", "remove": False},
        {"query_id": "q3", "outcome": "cannot_judge", "reason": "blurred"},
    )
    dry = _run(workspace, campaign, file, dry_run=True)
    assert entry_states(workspace, campaign.id) == []
    done = _run(workspace, campaign, file)
    assert (dry.as_json() | {"dry_run": False}) == done.as_json()
    assert (done.lines, done.decided, done.revised, done.unchanged, done.corrections, done.passed_over) == (
        3,
        3,
        0,
        0,
        1,
        1,
    )
    assert done.by_codes == {"": 1, "EU": 1, "F": 1}
    first, second, third = (each.decision for each in entry_states(workspace, campaign.id))
    assert first is not None
    assert second is not None
    assert third is not None
    assert (first.basis, first.codes, first.reason, first.confidence) == ("file", "F", "vague", "sure")
    assert first.correction == {"query": "What is one?"}
    assert (second.codes, second.targets, second.note) == ("EU", {"E": ["p3"]}, "see the table")
    assert (third.outcome, third.codes) == ("cannot_judge", "")


def test_the_same_file_again_changes_nothing_and_another_word_is_a_revision(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path
) -> None:
    row = {"query_id": "q1", "codes": ["E"], "why": "x", "corrected_evidence": [{"page_id": "p2", "relevance": 2}]}
    file = _write(tmp_path, row)
    _run(workspace, campaign, file)
    before = row_counts(workspace)
    again = _run(workspace, campaign, file)
    assert (again.decided, again.revised, again.unchanged) == (0, 0, 1)
    assert "Nothing changes" in " ".join(again.sentences())
    assert row_counts(workspace) == before
    other = _run(workspace, campaign, _write(tmp_path, {**row, "why": "y"}))
    assert (other.decided, other.revised, other.unchanged) == (0, 1, 0)


def test_what_somebody_decided_since_the_file_was_read_stays(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path
) -> None:
    file = _write(tmp_path, {"entry": 1, "codes": ["E"]}, {"entry": 2, "codes": []})
    _run(workspace, campaign, file)
    entry = entry_states(workspace, campaign.id)[0].entry_id
    body = {
        "nonce": "by hand 0001", "base_revision": 1, "basis": "own", "outcome": "judged", "codes": "U", "reason": "one is enough",
    }  # fmt: skip
    decide(workspace, deciding_person(workspace, "Cora"), entry_id=entry, body=body)
    again = _run(workspace, campaign, file)
    assert (again.unchanged, again.left) == (1, (1,))
    assert "Nothing changes. 1 entry was decided otherwise by hand" in " ".join(again.sentences())
    assert "and stays so: 1. With --again it is decided" in " ".join(again.sentences())
    standing = entry_states(workspace, campaign.id)[0]
    assert standing.decision is not None
    assert standing.decision.codes == "U"
    applied = _run(workspace, campaign, file, again=True)
    assert (applied.revised, applied.unchanged, applied.left) == (1, 1, ())
    assert _codes(workspace, campaign) == ["E", ""]


def test_going_back_to_an_earlier_file_is_a_decision_too(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path
) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    first = _write(tmp_path / "one", {"entry": 1, "codes": ["E"]}, {"entry": 2, "codes": []})
    second = _write(tmp_path / "two", {"entry": 1, "codes": ["F"]}, {"entry": 2, "codes": []})
    for file, codes in ((first, "E"), (second, "F"), (first, "E")):
        done = _run(workspace, campaign, file)
        assert (done.decided + done.revised, done.left) == (2 if done.decided else 1, ())
        assert "Nothing changes" not in " ".join(done.sentences())
        assert _codes(workspace, campaign) == [codes, ""]
    twice = _run(workspace, campaign, first)
    assert (twice.revised, twice.unchanged) == (0, 2)
    assert "Nothing changes: all that the file says is decided already." in twice.sentences()


def test_what_was_reopened_since_the_file_was_read_stays_open(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path
) -> None:
    file = _write(tmp_path, {"entry": 1, "codes": ["E"]})
    _run(workspace, campaign, file)
    reopen(workspace, deciding_person(workspace, "Cora"), entry_id=entry_states(workspace, campaign.id)[0].entry_id)
    assert _run(workspace, campaign, file).left == (1,)
    assert _run(workspace, campaign, file, again=True).decided == 1


def test_a_query_that_is_entered_twice_is_decided_twice(workspace: Workspace, tmp_path: Path) -> None:
    def twice(rows: Any) -> None:
        rows["judgments/audit"] = [
            {"query_id": "q1", "annotator": each, "codes": [], "entry": number} for each in "ab" for number in (1, 2)
        ]

    campaign = with_campaign(workspace, tmp_path / "b", twice)
    campaign = find_campaign(workspace, "audit")
    done = _run(workspace, campaign, _write(tmp_path, {"query_id": "q1", "codes": ["F"]}))
    assert (done.lines, done.decided) == (1, 2)


@pytest.mark.parametrize(
    ("row", "field", "words"),
    [
        ({"query_id": "q9", "codes": []}, "query_id", "no such query"),
        ({"entry": 9, "codes": []}, "entry", "no such entry"),
        ({"entry": 1, "query_id": "q2", "codes": []}, "entry", "names another query"),
        ({"codes": []}, "query_id", "say which entry"),
        ({"query_id": 7, "codes": []}, "query_id", "write it as text"),
        ({"entry": "1", "codes": []}, "entry", "whole number"),
        ({"entry": 1}, "codes", "say what was decided"),
        ({"entry": 1, "codes": ["X"]}, "codes", "X"),
        ({"entry": 1, "codes": ["F", "F"]}, "codes", "once"),
        ({"entry": 1, "codes": 3}, "codes", "list of codes"),
        ({"entry": 1, "codes": ["E"], "targets": {"E": ["p9"]}}, "targets", "p9"),
        ({"entry": 1, "codes": ["E"], "outcome": "cannot_judge"}, None, "no codes"),
        ({"entry": 1, "codes": [], "outcome": "skipped"}, "outcome", "skipped"),
        ({"entry": 1, "codes": [], "confidence": "very"}, "confidence", "very"),
        ({"entry": 1, "codes": [], "why": "x" * 5_000}, "reason", "shorten"),
        ({"entry": 1, "codes": [], "why": "x", "reason": "y"}, "why", "one of the two"),
        ({"entry": 1, "codes": [], "corected_text": "x"}, "corected_text", "is corrected_text meant"),
        ({"entry": 1, "codes": ["F"], "corrected_text": "  "}, "corrected_text", "not empty"),
        ({"entry": 1, "codes": ["F"], "corrected_answer": 3}, "corrected_answer", "text"),
        ({"entry": 1, "codes": ["E"], "corrected_evidence": "p2"}, "corrected_evidence", "list"),
        ({"entry": 1, "codes": ["E"], "corrected_evidence": [{"page_id": "p9"}]}, "corrected_evidence[0].page_id", "p9"),
        ({"entry": 1, "codes": ["E"], "corrected_evidence": [{**E1, "box": [1, 2, 300, 4]}]}, "corrected_evidence[0].box", "page"),
        ({"entry": 1, "codes": ["E"], "corrected_evidence": [{**E1, "kind": "Poem"}]}, "corrected_evidence[0].kind", "Poem"),
        (
            {"entry": 1, "codes": ["E"], "corrected_evidence": [{"page_id": "p2", "document_id": "d2"}]},
            "corrected_evidence[0].document_id",
            "d1",
        ),
        ({"entry": 1, "codes": [], "corrected_text": "What else?"}, "corrected_text", "calls correct"),
        ({"entry": 1, "codes": [], "corrected_evidence": []}, "corrected_evidence", "calls correct"),
        ({"entry": 1, "codes": ["E"], "correction": {"query": "x"}}, "correction", "no such field"),
    ],
)  # fmt: skip
def test_each_fault_is_named_by_line_and_field_and_nothing_is_half_decided(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path, row: dict[str, Any], field: str | None, words: str
) -> None:
    _run(workspace, campaign, _write(tmp_path, {"entry": 3, "codes": ["N"]}))
    before = row_counts(workspace)
    with pytest.raises(BundleError) as refused:
        _run(workspace, campaign, _write(tmp_path, {"entry": 2, "codes": []}, row))
    (problem,) = refused.value.problems
    assert (problem.file, problem.line, problem.field) == ("decisions.jsonl", 2, field)
    assert words in str(problem)
    assert row_counts(workspace) == before


def test_faults_of_several_lines_are_told_at_once(workspace: Workspace, campaign: CampaignRow, tmp_path: Path) -> None:
    file = tmp_path / "decisions.jsonl"
    file.write_text(
        '{"entry": 1, "codes": []}\n{"entry": 1, "codes": ["F"]}\nnot json\n[]\n\n{"entry": 3, "codes": "Z"}\n'
    )
    with pytest.raises(BundleError) as refused:
        _run(workspace, campaign, file)
    assert [(each.line, each.field) for each in refused.value.problems] == [
        (2, "entry"), (3, None), (4, None), (6, "codes"),
    ]  # fmt: skip
    assert str(refused.value).startswith("decisions.jsonl was refused and nothing was decided: 4 faults.")
    for content, words in (("", "no decision"), ("\n\n", "no decision")):
        file.write_text(content)
        with pytest.raises(BundleError, match=words):
            _run(workspace, campaign, file)
    with pytest.raises(BundleError, match=r"ends in \.jsonl"):
        _run(workspace, campaign, tmp_path / "decisions.csv")


@pytest.mark.parametrize(
    "line",
    [
        '{"entry": 1, "codes": [], "codes": ["F"]}',
        '{"entry": 2, "codes": ["E"], "targets": {"E": ["p1"], "E": ["p3"]}}',
    ],
)
def test_a_field_that_a_line_has_twice_is_refused(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path, line: str
) -> None:
    file = tmp_path / "decisions.jsonl"
    file.write_text('{"entry": 3, "codes": []}\n' + line)
    with pytest.raises(BundleError, match="has this field twice") as refused:
        _run(workspace, campaign, file)
    (problem,) = refused.value.problems
    assert (problem.line, problem.field) == (2, "codes" if "codes" in line.partition("codes")[2] else "E")
    assert entry_states(workspace, campaign.id) == []


def test_the_export_of_decisions_is_read_where_they_counted(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path
) -> None:
    whole = [{"page_id": "p4", "set_id": "new", "relevance": 2}]
    file = _write(
        tmp_path,
        {
            "entry": 1,
            "codes": ["E"],
            "targets": {"E": ["p1"]},
            "why": "x",
            "corrected_text": "Which?",
            "confidence": "sure",
        },
        {"entry": 2, "codes": ["E"], "corrected_evidence": whole},
        {"entry": 3, "codes": []},
    )
    _run(workspace, campaign, file)
    cora, third = deciding_person(workspace, "Cora"), entry_states(workspace, campaign.id)[2].entry_id
    reopen(workspace, cora, entry_id=third)
    exported = export_decisions(workspace, campaign, tmp_path / "exported.jsonl").file
    again = _run(workspace, campaign, exported)
    assert (again.lines, again.unchanged, again.decided, again.corrections) == (2, 2, 0, 2)
    other = start_campaign(workspace, dataset=workspace.dataset(campaign.dataset_id), name="other")
    other = in_dataset_order(workspace, other)
    assert _run(workspace, other, exported).decided == 2
    said = [
        (each.number, each.decision.codes, each.decision.targets, each.decision.correction, each.decision.reason, each.decision.confidence)
        for each in entry_states(workspace, other.id) if each.decision
    ]  # fmt: skip
    assert said == [
        (1, "E", {"E": ["p1"]}, {"query": "Which?"}, "x", "sure"),
        (2, "E", {}, {"evidence": whole}, "", None),
    ]


def test_corrections_are_steps_where_these_say_all_of_it_and_else_whole(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path
) -> None:
    wanted: dict[int, tuple[list[dict[str, Any]], list[str]]] = {
        1: ([], ["drop_pages"]),
        2: ([{"page_id": "p4", "set_id": "new", "relevance": 2}], ["evidence"]),
    }
    rows = [{"entry": number, "codes": ["E"], "corrected_evidence": each} for number, (each, _) in wanted.items()]
    _run(workspace, campaign, _write(tmp_path, *rows, {"entry": 3, "codes": ["F"], "corrected_answer": None}))
    revision = workspace.revision(workspace.dataset(campaign.dataset_id))
    for standing in entry_states(workspace, campaign.id)[:2]:
        assert standing.decision is not None
        correction = standing.decision.correction
        assert correction is not None
        evidence, keys = wanted[standing.number]
        assert list(correction) == keys
        content = contents_of(revision, [standing.query_id])[standing.query_id]
        pages = [*(each["page_id"] for each in content.evidence), *proposal_pages([correction])]
        made = apply_changes(content, changes_of(correction, content, ground_of(revision, pages)))
        assert counted(made.evidence) == counted(canonical_list(evidence))


def test_a_correction_that_changes_nothing_is_none(workspace: Workspace, campaign: CampaignRow, tmp_path: Path) -> None:
    row = {
        "entry": 1,
        "codes": [],
        "corrected_text": "what is one?",
        "corrected_answer": "1",
        "corrected_evidence": [E1],
    }
    _run(workspace, campaign, _write(tmp_path, row))
    (standing,) = entry_states(workspace, campaign.id)
    assert standing.decision is not None
    assert standing.decision.correction is None


def test_a_removal_campaign_takes_remove_as_its_answer(workspace: Workspace, tmp_path: Path) -> None:
    campaign = with_campaign(workspace, tmp_path / "b", without_judgments, protocol="removal")
    rows = ({"entry": 1, "remove": True, "fields": {"clarity": 0.25}}, {"entry": 2, "fields": {"remove": False}})
    done = _run(workspace, campaign, _write(tmp_path, *rows))
    assert (done.decided, done.passed_over) == (2, 0)
    answers = [each.decision.answer for each in entry_states(workspace, campaign.id) if each.decision]
    assert answers == [{"remove": True, "clarity": 0.25}, {"remove": False}]
    with pytest.raises(BundleError, match="corrected_text") as refused:
        _run(workspace, campaign, _write(tmp_path, {"entry": 3, "remove": True, "corrected_text": "x"}))
    assert refused.value.problems[0].field == "corrected_text"


def test_annotators_and_archived_campaigns_are_refused(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path
) -> None:
    file = _write(tmp_path, {"entry": 1, "codes": []})
    with pytest.raises(NotAllowed):
        adjudicate_from_file(workspace, Person(1, "Ada", is_imported=False, role=Role.ANNOTATOR), campaign.id, file)
    archive_campaign(workspace, campaign, archived=True)
    with pytest.raises(CampaignClosed, match="archive"):
        _run(workspace, campaign, file)


def test_two_annotators_adjudicated_to_gold_give_the_report_of_gold(workspace: Workspace, real_data: Path) -> None:
    """Counts from real/pdf_audit/README.md: 50 of 72 correct; F 8, E 7, U 6, N 4."""
    import_bundle(workspace, real_data / "pdf_audit")
    campaign = find_campaign(workspace, "two_annotators")
    file = real_data / "pdf_audit" / "gold.jsonl"
    done = _run(workspace, campaign, file)
    assert (done.lines, done.decided, done.corrections, done.passed_over) == (72, 72, 22, 72)
    report = campaign_report(workspace, campaign.id)
    assert isinstance(report, AuditReport)
    assert (report.total.correct, report.total.decided) == (50, 72)
    assert {code.value: number for code, number in report.total.codes.items()} == {"F": 8, "E": 7, "U": 6, "N": 4}
    assert dict(report.by_how) == {"adjudicated": 72}
    before = row_counts(workspace)
    assert _run(workspace, campaign, file).unchanged == 72
    assert row_counts(workspace) == before
    gold = {row["query_id"]: row for row in map(json.loads, file.read_text(encoding="utf-8").splitlines())}
    revision = workspace.revision(workspace.dataset(campaign.dataset_id))
    corrected = 0
    for standing in entry_states(workspace, campaign.id):
        assert standing.decision is not None
        row, correction = gold[standing.query_id], standing.decision.correction
        assert standing.decision.reason == row["why"]
        content = contents_of(revision, [standing.query_id])[standing.query_id]
        pages = [*(each["page_id"] for each in content.evidence), *proposal_pages([correction])]
        made = apply_changes(content, changes_of(correction, content, ground_of(revision, pages)))
        assert made.text == row.get("corrected_text", content.text)
        wanted = row.get("corrected_evidence")
        assert counted(made.evidence) == counted(content.evidence if wanted is None else canonical_list(wanted))
        corrected += correction is not None
    assert corrected == 22

"""Imports of judgments: there and back, checked by the protocol, all or nothing, the same file twice is nothing new."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from audit_core.domain import CampaignState, Role
from audit_core.errors import AssayError, BundleError, CampaignClosed, NotAllowed, StorageError
from audit_core.exporters.judgment_table import COLUMNS
from audit_core.storage import making
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.workflow import judging
from audit_core.workflow.campaigns import find_campaign, set_campaign_state, start_campaign
from audit_core.workflow.housekeeping import archive_campaign
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.judgments_export import export_judgments, form_of
from audit_core.workflow.judgments_import import import_judgments, preview_judgments_import
from audit_core.workflow.sample_request import SampleKind, SampleRequest
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle, without_judgments
from tests.homes import another_home, reopened, row_counts, with_campaign
from tests.judged_campaigns import NOTES, judged_audit, judged_relevance, judged_removal, save

Row = dict[str, Any]


def written(file: Path, rows: list[Row]) -> Path:
    """Write rows in the form that the file's name says."""
    if file.suffix == ".jsonl":
        file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    elif file.suffix == ".csv":
        names = list(dict.fromkeys(name for row in rows for name in row))
        with file.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, names)
            writer.writeheader()
            for row in rows:
                cells = {name: json.dumps(value) if isinstance(value, dict) else value for name, value in row.items()}
                writer.writerow({**cells, **({"codes": "".join(row["codes"])} if "codes" in row else {})})
    else:
        pq.write_table(pa.Table.from_pylist(rows), file)
    return file


def exported(workspace: Workspace, campaign: CampaignRow, file: Path, **options: Any) -> Path:
    return export_judgments(workspace, campaign, file, form=form_of(file), **options).file


def rows_of(workspace: Workspace, campaign: CampaignRow, folder: Path, **options: Any) -> list[Row]:
    file = exported(workspace, campaign, folder / "rows.jsonl", names=True, **options)
    return [json.loads(line) for line in file.read_bytes().split(b"\n") if line]


def but_for(rows: list[Row], *names: str) -> list[Row]:
    return [{name: value for name, value in row.items() if name not in names} for row in rows]


@pytest.fixture
def campaign(workspace: Workspace, tmp_path: Path) -> CampaignRow:
    """An audit of three entries (q1, q2, q3) without judgments."""
    return with_campaign(workspace, tmp_path / "bundle", without_judgments)


# --- there and back ------------------------------------------------------------------------------------------------


def _fresh_copy(home: Workspace, folder: Path, protocol: str) -> CampaignRow:
    return with_campaign(home, folder, without_judgments, protocol=protocol)


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
@pytest.mark.parametrize("newest", [False, True])
@pytest.mark.parametrize(
    ("made", "protocol"), [(judged_audit, "audit"), (judged_removal, "removal"), (judged_relevance, "relevance")]
)
def test_what_is_exported_imported_into_a_fresh_copy_and_exported_again_is_the_same_bytes(
    workspace: Workspace, tmp_path: Path, suffix: str, newest: bool, made: Callable[..., CampaignRow], protocol: str
) -> None:
    first = exported(workspace, made(workspace, tmp_path / "b"), tmp_path / f"first{suffix}", newest_only=newest)
    with another_home(tmp_path / "fresh") as fresh:
        copy = _fresh_copy(fresh, tmp_path / "copy", protocol)
        result = import_judgments(fresh, copy, first)
        assert (result.added, result.revised, result.known) == (result.rows, 0, 0)
        # The annotators of the copy are called by the pseudonyms of the first file: their names are its bytes.
        second = exported(fresh, copy, tmp_path / f"second{suffix}", newest_only=newest, names=True)
        assert second.read_bytes() == first.read_bytes()
        hidden = exported(fresh, copy, tmp_path / f"hidden{suffix}", newest_only=newest)
        assert hidden.read_bytes() != first.read_bytes()


def test_hard_texts_come_back_to_the_letter_through_every_form(workspace: Workspace, tmp_path: Path) -> None:
    campaign = judged_audit(workspace, tmp_path / "b")
    for suffix in (".jsonl", ".csv", ".parquet"):
        file = exported(workspace, campaign, tmp_path / f"j{suffix}")
        with another_home(tmp_path / f"fresh{suffix}") as fresh:
            copy = _fresh_copy(fresh, tmp_path / f"copy{suffix}", "audit")
            import_judgments(fresh, copy, file)
            notes = [row["note"] for row in rows_of(fresh, copy, tmp_path) if row["entry"] == 2]
            assert notes == list(NOTES)


def test_an_export_imported_into_its_own_campaign_changes_nothing(workspace: Workspace, tmp_path: Path) -> None:
    campaign = judged_audit(workspace, tmp_path / "b")
    file = exported(workspace, campaign, tmp_path / "j.csv")
    before = row_counts(workspace)
    result = import_judgments(workspace, campaign, file)
    assert (result.added, result.known) == (0, result.rows)
    assert {each.person for each in result.annotators} == {"Ada", "Bob", "Cy"}
    assert row_counts(workspace) == before


# --- what is taken -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_a_minimal_file_makes_imported_annotators(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path, suffix: str
) -> None:
    rows: list[Row] = [
        {"query_id": "q1", "annotator": "Ada", "codes": ["E", "F"]},
        {"query_id": "q2", "annotator": "Ada", "codes": []},
        {"query_id": "q1", "annotator": "עדה", "codes": ["N"]},
    ]
    sign_in(workspace, "Ada")
    result = import_judgments(workspace, campaign, written(tmp_path / f"j{suffix}", rows))
    assert [(each.name, each.is_new, each.is_account) for each in result.annotators] == [
        ("Ada", True, False),
        ("עדה", True, False),
    ]
    assert result.same_names == ("Ada",)
    assert "--as NAME=ACCOUNT" in " ".join(result.sentences())
    found = [
        (row["entry"], row["annotator"], row["codes"], row["outcome"]) for row in rows_of(workspace, campaign, tmp_path)
    ]
    assert found == [(1, "Ada", ["F", "E"], "judged"), (1, "עדה", ["N"], "judged"), (2, "Ada", [], "judged")]


def test_fields_of_other_protocols_are_checked_by_theirs(workspace: Workspace, tmp_path: Path) -> None:
    campaign = with_campaign(workspace, tmp_path / "b", without_judgments, protocol="removal")
    rows: list[Row] = [
        {"query_id": "q1", "annotator": "a", "fields": {"remove": True, "clarity": 1}},
        {"query_id": "q2", "annotator": "a", "outcome": "cannot_judge", "reason": "blurred"},
    ]
    import_judgments(workspace, campaign, written(tmp_path / "j.csv", rows))
    assert [row["fields"] for row in rows_of(workspace, campaign, tmp_path)] == [{"remove": True, "clarity": 1.0}, None]
    rows[0]["fields"]["clarity"] = 0.3
    with pytest.raises(BundleError, match=r"row 2, field fields.*one of 0, 0.25, 0.5, 0.75 and 1"):
        import_judgments(workspace, campaign, written(tmp_path / "bad.csv", rows))


def test_a_page_that_has_no_grade_is_refused_as_on_the_judging_page(workspace: Workspace, tmp_path: Path) -> None:
    campaign = with_campaign(workspace, tmp_path / "b", without_judgments, protocol="relevance")
    fields = {"query": "good", "grades": {"p3": 0}, "answered": "unanswerable"}
    file = written(tmp_path / "j.jsonl", [{"query_id": "q2", "annotator": "a", "fields": fields}])
    with pytest.raises(BundleError, match="line 1, field fields; grades is missing of page 'p4'"):
        import_judgments(workspace, campaign, file)


def test_an_annotator_may_be_an_account_which_can_then_go_on(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path
) -> None:
    ada = sign_in(workspace, "Ada")
    file = written(tmp_path / "j.csv", [{"entry": 1, "annotator": "a=b", "codes": ["F"]}])
    result = import_judgments(workspace, campaign, file, accounts={"a=b": "ADA"})
    assert [(each.person, each.is_account) for each in result.annotators] == [("Ada", True)]
    assert save(workspace, campaign, ada, 1, codes="").judgment.revision == 2
    progress = judging.progress(workspace, ada, campaign.id)
    assert progress["judged"] == 1


@pytest.mark.parametrize(
    ("accounts", "words"), [({"x": "Ada"}, "no annotator 'x'"), ({"a": "Nobody"}, "no account 'Nobody'")]
)
def test_an_annotator_or_account_that_is_not_there_is_refused(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path, accounts: dict[str, str], words: str
) -> None:
    sign_in(workspace, "Ada")
    file = written(tmp_path / "j.csv", [{"entry": 1, "annotator": "a", "codes": ["F"]}])
    before = row_counts(workspace)
    with pytest.raises(AssayError, match=words):
        import_judgments(workspace, campaign, file, accounts=accounts)
    assert row_counts(workspace) == before


def test_targets_corrections_and_times_are_kept(workspace: Workspace, campaign: CampaignRow, tmp_path: Path) -> None:
    row = {
        "query_id": "q1", "annotator": "a", "codes": ["E"], "targets": {"E": ["p1"]}, "active_seconds": 12.345678901,
        "correction": {"query": "better?"}, "saved_at": "2026-03-01T10:30:00+01:00", "revision": 4,
    }  # fmt: skip
    import_judgments(workspace, campaign, written(tmp_path / "j.jsonl", [row]))
    (found,) = rows_of(workspace, campaign, tmp_path)
    assert (found["targets"], found["active_seconds"], found["revision"]) == ({"E": ["p1"]}, 12.345678901, 4)
    assert (found["correction"], found["saved_at"]) == ({"query": "better?"}, "2026-03-01T09:30:00.000000Z")


def test_a_version_of_guidelines_that_the_campaign_does_not_have_is_left_out_and_said(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path
) -> None:
    row = {"query_id": "q1", "annotator": "a", "codes": [], "guideline_version": 3}
    result = import_judgments(workspace, campaign, written(tmp_path / "j.jsonl", [row]))
    assert result.guidelines_unknown == 1
    assert "the version is left out" in " ".join(result.sentences())
    assert rows_of(workspace, campaign, tmp_path)[0]["guideline_version"] is None


# --- again, and otherwise ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("revise", [False, True])
def test_the_same_file_twice_changes_nothing(either_workspace: Workspace, tmp_path: Path, revise: bool) -> None:
    campaign = with_campaign(either_workspace, tmp_path / "bundle", without_judgments)
    rows: list[Row] = [
        {"query_id": "q1", "annotator": "a", "codes": ["F"], "revision": 1},
        {"query_id": "q1", "annotator": "a", "codes": ["F"], "revision": 2, "note": "again"},
        {"query_id": "q1", "annotator": "a", "codes": ["F"], "revision": 3},
        {"query_id": "q2", "annotator": "b", "codes": []},
    ]
    file = written(tmp_path / "j.jsonl", rows)
    assert import_judgments(either_workspace, campaign, file, revise=revise).added == 4
    before = row_counts(either_workspace)
    again = import_judgments(either_workspace, campaign, file, revise=revise)
    assert (again.added, again.known) == (0, 4)
    assert row_counts(either_workspace) == before


def test_a_judgment_that_says_otherwise_is_refused_and_becomes_a_revision_only_when_asked(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path
) -> None:
    import_judgments(workspace, campaign, written(tmp_path / "1.csv", [{"entry": 1, "annotator": "a", "codes": ["F"]}]))
    other = written(tmp_path / "2.csv", [{"entry": 1, "annotator": "a", "codes": ["N"]}])
    before = row_counts(workspace)
    with pytest.raises(BundleError, match=r'2\.csv, row 2, field annotator: found "a"; .*otherwise already .*--revise'):
        import_judgments(workspace, campaign, other)
    assert row_counts(workspace) == before
    result = import_judgments(workspace, campaign, other, revise=True)
    assert (result.added, result.revised) == (1, 1)
    assert "1 of them replaces what its annotator said before." in result.sentences()
    assert [(row["revision"], row["codes"]) for row in rows_of(workspace, campaign, tmp_path)] == [
        (1, ["F"]),
        (2, ["N"]),
    ]
    assert import_judgments(workspace, campaign, other, revise=True).added == 0
    # Also when the annotator has changed their mind since: the file has said what it says before.
    third = written(tmp_path / "3.csv", [{"entry": 1, "annotator": "a", "codes": ["U"]}])
    import_judgments(workspace, campaign, third, revise=True)
    assert import_judgments(workspace, campaign, other).added == 0


def test_a_revision_of_the_file_that_is_taken_gets_the_next_number_and_is_known_the_next_time(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path
) -> None:
    import_judgments(workspace, campaign, written(tmp_path / "1.csv", [{"entry": 1, "annotator": "a", "codes": ["F"]}]))
    rows: list[Row] = [
        {"entry": 1, "annotator": "a", "codes": ["N"], "revision": 1},
        {"entry": 1, "annotator": "a", "codes": ["U"], "revision": 2},
    ]
    other = written(tmp_path / "2.jsonl", rows)
    import_judgments(workspace, campaign, other, revise=True)
    found = [(row["revision"], row["codes"]) for row in rows_of(workspace, campaign, tmp_path)]
    assert found == [(1, ["F"]), (2, ["N"]), (3, ["U"])]
    assert import_judgments(workspace, campaign, other, revise=True).added == 0


def test_earlier_revisions_that_were_not_here_are_added_without_changing_what_counts(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = judged_audit(workspace, tmp_path / "b")
    newest = exported(workspace, campaign, tmp_path / "newest.jsonl", newest_only=True)
    whole = exported(workspace, campaign, tmp_path / "whole.jsonl")
    with another_home(tmp_path / "fresh") as fresh:
        copy = _fresh_copy(fresh, tmp_path / "copy", "audit")
        import_judgments(fresh, copy, newest)
        before = rows_of(fresh, copy, tmp_path, newest_only=True)
        result = import_judgments(fresh, copy, whole)
        assert (result.known, result.revised) == (5, 0)
        assert rows_of(fresh, copy, tmp_path, newest_only=True) == before
        assert len(rows_of(fresh, copy, tmp_path)) == len(whole.read_bytes().splitlines())


# --- what is refused -----------------------------------------------------------------------------------------------

RIGHT: Row = {"query_id": "q1", "annotator": "a", "codes": ["F"]}


@pytest.mark.parametrize(
    ("changed", "field", "words"),
    [
        ({"query_id": "q9"}, "query_id", "no such query"),
        ({"query_id": "q3"}, "query_id", "is no entry of the campaign"),
        ({"query_id": "q1", "entry": 2}, "query_id", "entry 2 of this campaign is query q2"),
        ({"entry": 77, "query_id": None}, "entry", "no entry of that number"),
        ({"entry": 1.5}, "entry", "a whole number from 1"),
        ({"entry": 0}, "entry", "a whole number from 1"),
        ({"query_id": 7}, "query_id", "write it as text"),
        ({"codes": ["X"]}, "codes", "use F, E, U and N"),
        ({"codes": ["F", "F"]}, "codes", "name each code once"),
        ({"codes": 5}, "codes", "a list of codes"),
        ({"codes": None}, "codes", "give none"),
        ({"annotator": None}, "annotator", "give the annotator"),
        ({"annotator": "  "}, "annotator", "give the annotator"),
        ({"annotator": 3}, "annotator", "write it as text"),
        ({"outcome": "maybe"}, "outcome", "use 'judged' or 'cannot_judge'"),
        ({"outcome": "cannot_judge"}, "outcome", "carries no codes"),
        ({"targets": {"F": ["nowhere"]}}, "targets", "no page or element of the dataset"),
        ({"targets": {"N": ["p1"]}}, "targets", "not among the codes"),
        ({"targets": "p1"}, "targets", "must map a code"),
        ({"correction": {"drop_pages": ["p4"]}}, "correction", "not listed as evidence"),
        ({"note": 5}, "note", "must be text"),
        ({"note": "a\x00b"}, "note", "NUL character"),
        ({"annotator": "a\x00b"}, "annotator", "NUL character"),
        ({"note": "x" * 4001}, "note", "shorten it"),
        ({"active_seconds": -1}, "active_seconds", "seconds from 0"),
        ({"active_seconds": "long"}, "active_seconds", "seconds from 0"),
        ({"active_seconds": 86_400.001}, "active_seconds", "from 0 to 86400 (a day)"),
        ({"active_seconds": 1e300}, "active_seconds", "from 0 to 86400 (a day)"),
        ({"saved_at": "2999-01-01T00:00:00Z"}, "saved_at", "not in the future"),
        ({"saved_at": "1969-12-31T23:59:59Z"}, "saved_at", "from 1970 on"),
        ({"saved_at": "0001-01-01T00:00:00+14:00"}, "saved_at", "from 1970 on"),
        ({"saved_at": "9999-12-31T23:59:59-14:00"}, "saved_at", "not in the future"),
        ({"annotator": "\u202emoc"}, "annotator", "cannot be shown"),
        ({"annotator": "a\u200b"}, "annotator", "cannot be shown"),
        ({"annotator": "x" * 81}, "annotator", "shorten it to 80"),
        ({"is_gold": True}, "is_gold", "leave the rows with is_gold true out"),
        ({"is_pilot": True}, "is_pilot", "leave the rows with is_pilot true out"),
        ({"is_gold": "TRUE"}, "is_gold", "leave the rows with is_gold true out"),
        ({"is_gold": "perhaps", "is_pilot": False}, "is_gold", "write true or false"),
        ({"is_pilot": 1}, "is_pilot", "write true or false"),
        ({"saved_at": "yesterday"}, "saved_at", "2026-03-01T09:30:00Z"),
        ({"saved_at": "2026-03-01T09:30:00"}, "saved_at", "2026-03-01T09:30:00Z"),
        ({"revision": 2**31}, "revision", "a whole number from 1"),
        ({"protocol": "removal"}, "protocol", "asks for audit"),
        ({"content_hash": "0" * 64}, "content_hash", "on other content"),
        ({"codez": ["F"]}, "codez", "is codes meant"),
    ],
)  # fmt: skip
def test_a_faulty_row_is_refused_with_place_field_and_what_to_do(
    workspace: Workspace, tmp_path: Path, changed: Row, field: str, words: str
) -> None:
    dataset = import_bundle(workspace, small_bundle(tmp_path / "b", without_judgments)).dataset
    two = SampleRequest(SampleKind.IDS, query_ids=("q1", "q2"))
    campaign = start_campaign(workspace, dataset=dataset, name="two", sample=two)
    before = row_counts(workspace)
    rows = [{"query_id": "q2", "annotator": "a", "codes": []}, {**RIGHT, **changed}]
    with pytest.raises(BundleError) as refused:
        import_judgments(workspace, campaign, written(tmp_path / "j.jsonl", rows))
    (problem,) = refused.value.problems
    assert (problem.file, problem.line, problem.field) == ("j.jsonl", 2, field)
    assert words in problem.expected
    assert f"j.jsonl, line 2, field {field}" in str(refused.value)
    assert row_counts(workspace) == before


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
@pytest.mark.parametrize(("values", "field"), [({"gold": {"codes": "F"}}, "is_gold"), ({"is_pilot": True}, "is_pilot")])
def test_gold_and_pilot_answers_go_to_entries_that_are_so_themselves_alone(
    workspace: Workspace, tmp_path: Path, suffix: str, values: Row, field: str
) -> None:
    campaign = judged_audit(workspace, tmp_path / "b")
    _mark(workspace, campaign, values)
    file = exported(workspace, campaign, tmp_path / f"j{suffix}")
    assert import_judgments(workspace, campaign, file).added == 0, "its own entries are marked"
    with another_home(tmp_path / "fresh") as fresh:
        copy = _fresh_copy(fresh, tmp_path / "copy", "audit")
        before = row_counts(fresh)
        with pytest.raises(BundleError) as refused:
            import_judgments(fresh, copy, file)
        first = 1 if suffix != ".csv" else 2
        assert [(each.line, each.field) for each in refused.value.problems] == [
            (first + number, field) for number in range(4)
        ]
        assert f"leave the rows with {field} true out" in str(refused.value)
        assert row_counts(fresh) == before
        _mark(fresh, copy, values)
        result = import_judgments(fresh, copy, file)
        assert result.added == result.rows


def _mark(workspace: Workspace, campaign: CampaignRow, values: Row) -> None:
    """Make the first entry a gold or pilot one."""
    from audit_core.storage.schema import entry

    with workspace.database.write() as connection:
        first = (entry.c.campaign_id == campaign.id) & (entry.c.number == 1)
        connection.execute(entry.update().where(first).values(**values))


def test_a_file_without_a_judgment_is_refused(workspace: Workspace, campaign: CampaignRow, tmp_path: Path) -> None:
    file = tmp_path / "j.csv"
    file.write_text("query_id,annotator,codes\n")
    with pytest.raises(BundleError, match="it holds no judgment"):
        import_judgments(workspace, campaign, file)


def test_a_query_that_is_entered_twice_needs_its_entry(workspace: Workspace, tmp_path: Path) -> None:
    def twice(rows: dict[str, Any]) -> None:
        rows["judgments/audit"] = [
            {"query_id": "q1", "annotator": "ann", "codes": [], "entry": number} for number in (1, 2)
        ]

    import_bundle(workspace, small_bundle(tmp_path / "b", twice, design=False))
    campaign = reopened(workspace, "audit")
    with pytest.raises(BundleError, match="entered as 1 and 2: say which one in the column entry"):
        import_judgments(workspace, campaign, written(tmp_path / "j.jsonl", [RIGHT]))
    assert import_judgments(workspace, campaign, written(tmp_path / "j.jsonl", [{**RIGHT, "entry": 2}])).added == 1


@pytest.mark.parametrize(
    ("rows", "line", "words"),
    [
        ([RIGHT, RIGHT], 2, "take one away"),
        ([RIGHT, {**RIGHT, "codes": ["N"]}], 2, "take one away"),
        ([{**RIGHT, "revision": 1}, {**RIGHT, "revision": 1}], 2, "take one away"),
        ([{**RIGHT, "revision": 1}, RIGHT], 2, "number all of them"),
    ],
)
def test_an_annotator_who_says_something_twice_is_refused(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path, rows: list[Row], line: int, words: str
) -> None:
    with pytest.raises(BundleError) as refused:
        import_judgments(workspace, campaign, written(tmp_path / "j.jsonl", rows))
    assert [(each.line, each.field) for each in refused.value.problems] == [(line, "revision")]
    assert words in str(refused.value)


def test_all_faults_are_counted_and_the_first_hundred_listed(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path
) -> None:
    file = written(tmp_path / "j.csv", [{**RIGHT, "query_id": f"x{number}"} for number in range(250)])
    with pytest.raises(BundleError) as refused:
        import_judgments(workspace, campaign, file)
    assert (len(refused.value.problems), refused.value.total) == (100, 250)
    assert "and 150 more." in str(refused.value)


@pytest.mark.parametrize("form", ["spreadsheet", "renamed"])
def test_a_file_for_spreadsheets_is_refused_by_its_name_and_by_what_stands_in_it(
    workspace: Workspace, tmp_path: Path, form: str
) -> None:
    campaign = judged_audit(workspace, tmp_path / "b")
    file = export_judgments(workspace, campaign, tmp_path / "j.csv", form="spreadsheet").file
    if form == "renamed":
        file = file.rename(tmp_path / "innocent.csv")
    with pytest.raises(BundleError, match=r"written for spreadsheets.*Export again without --spreadsheet"):
        import_judgments(workspace, campaign, file)


def test_a_closed_or_archived_campaign_takes_no_file(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path
) -> None:
    file = written(tmp_path / "j.jsonl", [RIGHT])
    set_campaign_state(workspace, campaign, CampaignState.CLOSED)
    with pytest.raises(CampaignClosed, match="open it, import, and close it again"):
        import_judgments(workspace, find_campaign(workspace, "fresh"), file)
    set_campaign_state(workspace, campaign, CampaignState.OPEN)
    archive_campaign(workspace, campaign, archived=True)
    with pytest.raises(AssayError, match="restore it first"):
        import_judgments(workspace, find_campaign(workspace, "fresh"), file)
    # The caller's copy of the row may be old.
    with pytest.raises(AssayError, match="restore it first"):
        import_judgments(workspace, campaign, file)


def test_only_leads_import(workspace: Workspace, campaign: CampaignRow, tmp_path: Path) -> None:
    with pytest.raises(NotAllowed):
        import_judgments(
            workspace, campaign, written(tmp_path / "j.jsonl", [RIGHT]), person=Person(1, "Ada", False, Role.ANNOTATOR)
        )


# --- a look first, and half-way ------------------------------------------------------------------------------------


def test_a_preview_says_what_would_be_done_and_does_nothing(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path
) -> None:
    file = written(tmp_path / "j.jsonl", [RIGHT])
    before = row_counts(workspace)
    preview = preview_judgments_import(workspace, campaign, file)
    assert (preview.is_done, preview.added) == (False, 1)
    assert "1 would be added to campaign fresh" in preview.sentences()[0]
    assert row_counts(workspace) == before
    done = import_judgments(workspace, campaign, file)
    assert {**done.as_json(), "done": False} == preview.as_json()


def _many(folder: Path) -> Path:
    rows: list[Row] = [
        {"entry": entry, "annotator": f"a{number}", "codes": []} for entry in (1, 2, 3) for number in range(4)
    ]
    return written(folder / "many.jsonl", rows)


def _one_row_at_a_time(monkeypatch: pytest.MonkeyPatch, work: Callable[[int], object]) -> None:
    """Insert a row at a time, and have `work` done in the rest after each; it is told how many rests there were."""
    rested, times = making._rested, [0]

    def at_rest(took: float, start: int, size: int, total: int) -> tuple[int, int]:
        times[0] += 1
        work(times[0])
        return rested(took, start, size, total)

    for name in ("FIRST_ROWS", "FEWEST_ROWS", "MOST_ROWS"):
        monkeypatch.setattr(making, name, 1)
    monkeypatch.setattr(making, "_rested", at_rest)


@pytest.mark.parametrize("fault", [RuntimeError("boom"), KeyboardInterrupt()])
def test_an_import_that_fails_half_way_is_taken_back_and_can_be_done_again(
    either_workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    campaign = with_campaign(either_workspace, tmp_path / "bundle", without_judgments)
    ada = sign_in(either_workspace, "Ada")
    save(either_workspace, campaign, ada, 1, codes="F")
    before = row_counts(either_workspace)

    def fail(times: int) -> None:
        if times == 5:
            raise fault

    with monkeypatch.context() as patched:
        _one_row_at_a_time(patched, fail)
        with pytest.raises(type(fault)):
            import_judgments(either_workspace, campaign, _many(tmp_path))
    assert row_counts(either_workspace) == before
    assert import_judgments(either_workspace, campaign, _many(tmp_path)).added == 12
    assert len(rows_of(either_workspace, campaign, tmp_path)) == 13


def test_others_save_between_two_parts(
    either_workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = with_campaign(either_workspace, tmp_path / "bundle", without_judgments)
    ada = sign_in(either_workspace, "Ada")
    _one_row_at_a_time(monkeypatch, lambda times: save(either_workspace, campaign, ada, 1, codes="F"))
    import_judgments(either_workspace, campaign, _many(tmp_path))
    assert [row["annotator"] for row in rows_of(either_workspace, campaign, tmp_path)].count("Ada") == 12


def test_what_an_import_left_whose_process_died_goes_at_the_next_opening(
    either_workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = with_campaign(either_workspace, tmp_path / "bundle", without_judgments)
    before = row_counts(either_workspace)

    class Died(BaseException):
        pass

    def die(times: int) -> None:
        if times == 3:
            raise Died

    with monkeypatch.context() as patched:
        _one_row_at_a_time(patched, die)
        # A process that is killed cleans nothing up.
        patched.setattr(making, "_remove_unfinished", lambda database: 0)
        with pytest.raises(Died):
            import_judgments(either_workspace, campaign, _many(tmp_path))
    assert row_counts(either_workspace)["judgment"] == 3, "the test proves nothing unless something was left"
    assert making.sweep_unfinished(either_workspace.database) == 1
    assert row_counts(either_workspace) == before


def test_a_campaign_that_is_closed_meanwhile_gets_none_of_the_file(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _one_row_at_a_time(
        monkeypatch,
        lambda times: set_campaign_state(workspace, campaign, CampaignState.CLOSED) if times == 4 else None,
    )
    with pytest.raises(CampaignClosed):
        import_judgments(workspace, campaign, _many(tmp_path))
    assert row_counts(workspace)["judgment"] == 0
    assert row_counts(workspace)["person"] == 0


def test_an_account_that_saves_the_same_entry_meanwhile_is_not_overwritten(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = sign_in(workspace, "Ada")
    _one_row_at_a_time(monkeypatch, lambda times: save(workspace, campaign, ada, 3, codes="N") if times == 1 else None)
    with pytest.raises(StorageError, match="nothing was saved"):
        import_judgments(workspace, campaign, _many(tmp_path), accounts={"a0": "Ada"})
    assert [(row["entry"], row["codes"]) for row in rows_of(workspace, campaign, tmp_path)] == [(3, ["N"])]


def test_a_campaign_that_hands_out_exactly_says_how_many_entries_get_more(
    workspace: Workspace, campaign: CampaignRow, tmp_path: Path
) -> None:
    from audit_core.storage.schema import campaign as table

    with workspace.database.write() as connection:
        connection.execute(table.update().where(table.c.id == campaign.id).values(hand_out="exact"))
    exact = find_campaign(workspace, "fresh")
    preview = preview_judgments_import(workspace, exact, _many(tmp_path))
    assert preview.surplus == 3
    assert "3 entries have more judgments then than the campaign asks for." in preview.sentences()


def test_the_result_is_plain_json(workspace: Workspace, campaign: CampaignRow, tmp_path: Path) -> None:
    result = import_judgments(workspace, campaign, written(tmp_path / "j.jsonl", [RIGHT]))
    assert json.loads(json.dumps(result.as_json()))["annotators"] == [
        {"name": "a", "person": "a", "new": True, "account": False}
    ]
    assert set(RIGHT) < set(COLUMNS)

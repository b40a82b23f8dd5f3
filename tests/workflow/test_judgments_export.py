"""Exports of judgments: every revision in every form, under pseudonyms, the same bytes each time, and safe in a spreadsheet."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from audit_core.domain import Role
from audit_core.errors import AssayError, NotAllowed
from audit_core.exporters.judgment_table import COLUMNS
from audit_core.storage import judgment_lists
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.workflow.campaigns import start_campaign
from audit_core.workflow.exporting import export_bundle
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.judgments_export import export_file_name, export_judgments, form_of
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle
from tests.homes import reopened, row_counts
from tests.judged_campaigns import NOTES, judged_audit, judged_removal, save


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_bytes().split(b"\n") if line]


def records(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def exported(workspace: Workspace, campaign: CampaignRow, file: Path, **options: Any) -> Path:
    form = options.pop("form", None) or form_of(file)
    return export_judgments(workspace, campaign, file, form=form, **options).file


def test_every_revision_is_a_row_with_what_is_known_of_it(either_workspace: Workspace, tmp_path: Path) -> None:
    campaign = judged_audit(either_workspace, tmp_path / "b")
    rows = lines(exported(either_workspace, campaign, tmp_path / "j.jsonl"))
    assert all(tuple(row) == COLUMNS for row in rows)
    places = [(row["entry"], row["query_id"], row["revision"], row["is_newest"]) for row in rows]
    assert places == [
        (1, "q1", 1, False), (1, "q1", 2, True), (1, "q1", 1, True), (1, "q1", 1, True),
        *((2, "q2", number, number == len(NOTES)) for number in range(1, len(NOTES) + 1)), (3, "q3", 1, True),
    ]  # fmt: skip
    dataset = either_workspace.dataset(campaign.dataset_id)
    about = {(row["dataset"], row["dataset_revision"], row["content_hash"]) for row in rows}
    assert about == {("small", "1", dataset.content_hash)}
    first, second, third = rows[:3]
    assert (first["codes"], first["targets"], first["active_seconds"]) == (["E"], {"E": ["e1", "p1"]}, 0.333)
    assert (second["codes"], second["correction"]["query"]) == (["E", "N"], "=what?")
    assert (third["outcome"], third["codes"], third["reason"]) == ("cannot_judge", [], "=blurred")
    assert [row["note"] for row in rows if row["entry"] == 2] == list(NOTES)
    assert {(row["is_pilot"], row["is_gold"], row["selection"], row["guideline_version"]) for row in rows} == {
        (False, False, None, None)
    }


def test_all_forms_say_the_same(workspace: Workspace, tmp_path: Path) -> None:
    campaign = judged_audit(workspace, tmp_path / "b")
    from_lines = lines(exported(workspace, campaign, tmp_path / "j.jsonl"))
    from_csv = records(exported(workspace, campaign, tmp_path / "j.csv"))
    from_parquet = pq.read_table(exported(workspace, campaign, tmp_path / "j.parquet")).to_pylist()
    for row, cells, stored in zip(from_lines, from_csv, from_parquet, strict=True):
        for name in COLUMNS:
            value = row[name]
            if name in ("fields", "targets", "correction"):
                assert (json.loads(cells[name]) if cells[name] else None) == value
                assert (json.loads(stored[name]) if stored[name] else None) == value
            elif name == "codes":
                assert (cells[name], stored[name]) == ("".join(value), value)
            else:
                assert stored[name] == value
                assert cells[name] == (
                    ""
                    if value is None
                    else str(value).lower()
                    if value in (True, False) and name.startswith("is_")
                    else str(value)
                )


def test_a_plain_csv_keeps_every_text_to_the_letter_and_is_rfc_4180(workspace: Workspace, tmp_path: Path) -> None:
    file = exported(workspace, judged_audit(workspace, tmp_path / "b"), tmp_path / "j.csv")
    assert [row["note"] for row in records(file) if row["entry"] == "2"] == list(NOTES)
    content = file.read_bytes()
    assert content.startswith(b"dataset,dataset_revision,")
    assert content.endswith(b"\r\n")
    assert b'""quoted""' in content


def test_the_fields_of_other_protocols_are_an_object(workspace: Workspace, tmp_path: Path) -> None:
    campaign = judged_removal(workspace, tmp_path / "b")
    rows = lines(exported(workspace, campaign, tmp_path / "j.jsonl"))
    assert rows[0]["fields"] == {"remove": True, "clarity": 0.25, "no_layout_reference": 1.0}
    assert records(exported(workspace, campaign, tmp_path / "j.csv"))[1]["fields"] == '{"remove":false}'


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet", "spreadsheet"])
def test_the_same_judgments_give_the_same_bytes(workspace: Workspace, tmp_path: Path, form: str) -> None:
    campaign = judged_audit(workspace, tmp_path / "b")
    one, two = (exported(workspace, campaign, tmp_path / f"{each}.x", form=form) for each in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


def test_the_newest_alone_are_one_a_person_and_entry(workspace: Workspace, tmp_path: Path) -> None:
    campaign = judged_audit(workspace, tmp_path / "b")
    rows = lines(exported(workspace, campaign, tmp_path / "j.jsonl", newest_only=True))
    assert [(row["entry"], row["revision"]) for row in rows] == [(1, 2), (1, 1), (1, 1), (2, len(NOTES)), (3, 1)]
    assert all(row["is_newest"] for row in rows)


def test_rows_are_read_a_block_of_entries_at_a_time(workspace: Workspace, tmp_path: Path) -> None:
    campaign = judged_audit(workspace, tmp_path / "b")
    with workspace.database.read() as connection:
        whole = list(judgment_lists.judgment_rows(connection, campaign.id, newest_only=False))
        for block in (1, 2):
            parts = judgment_lists.judgment_rows(connection, campaign.id, newest_only=False, block=block)
            assert list(parts) == whole


# --- annotators --------------------------------------------------------------------------------------------------


def annotators(file: Path) -> set[str]:
    return {row["annotator"] for row in lines(file)}


def test_a_pseudonym_is_the_same_in_every_export_and_another_one_in_another_campaign(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = judged_audit(workspace, tmp_path / "b")
    before = annotators(exported(workspace, campaign, tmp_path / "1.jsonl"))
    assert len(before) == 3
    assert all(each.startswith("ann-") and len(each) == 14 for each in before)
    # Somebody who joins later and judges the first entry changes nobody else's.
    save(workspace, campaign, sign_in(workspace, "Aaron"), 1, codes="")
    assert annotators(exported(workspace, campaign, tmp_path / "2.jsonl")) > before
    other = start_campaign(workspace, dataset=workspace.dataset(campaign.dataset_id), name="other")
    save(workspace, other, sign_in(workspace, "Ada"), 1, codes="")
    assert annotators(exported(workspace, other, tmp_path / "3.jsonl")).isdisjoint(before)


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet", "spreadsheet"])
def test_no_name_stands_anywhere_in_an_export_unless_it_is_asked_for(
    workspace: Workspace, tmp_path: Path, form: str
) -> None:
    campaign = judged_audit(workspace, tmp_path / "b")
    person = sign_in(workspace, "Zbigniew Unmistakable")
    save(workspace, campaign, person, 3, codes="")
    file = exported(workspace, campaign, tmp_path / "hidden.x", form=form)
    assert b"Unmistakable" not in file.read_bytes()
    named = exported(workspace, campaign, tmp_path / "named.x", form=form, names=True)
    assert b"Unmistakable" in named.read_bytes()


def test_an_account_with_the_name_of_an_imported_annotator_is_another_name(
    workspace: Workspace, tmp_path: Path
) -> None:
    import_bundle(workspace, small_bundle(tmp_path / "b"))
    campaign = reopened(workspace, "audit")
    save(workspace, campaign, sign_in(workspace, "ann"), 1, codes="N")
    assert annotators(exported(workspace, campaign, tmp_path / "j.jsonl", names=True)) == {"ann", "bob", "ann (2)"}


def test_only_leads_export(workspace: Workspace, tmp_path: Path) -> None:
    campaign = judged_audit(workspace, tmp_path / "b")
    annotator = Person(1, "Ada", False, Role.ANNOTATOR)
    with pytest.raises(NotAllowed):
        export_judgments(workspace, campaign, tmp_path / "j.csv", form="csv", person=annotator)
    assert not (tmp_path / "j.csv").exists()


# --- spreadsheets ------------------------------------------------------------------------------------------------


def test_a_spreadsheet_gets_no_text_that_it_would_run(workspace: Workspace, tmp_path: Path) -> None:
    file = exported(workspace, judged_audit(workspace, tmp_path / "b"), tmp_path / "j.csv", form="spreadsheet")
    assert file.name == "j.not-for-import.csv"
    assert file.read_bytes().startswith(b"\xef\xbb\xbfnot for import,dataset,")
    with file.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["not for import"] for row in rows} == {"changed for spreadsheets"}
    cells = [cell for row in rows for cell in row.values()]
    assert [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))] == []
    notes = [row["note"] for row in rows if row["entry"] == "2"]
    assert notes[:4] == [f"'{each}" for each in NOTES[:4]]
    assert notes[4] == "'\t'=1+1"
    # Read by a spreadsheet that splits at semicolons, a cell could begin anywhere after one, or after a line end.
    assert "\r\n'=more" in notes[5]
    assert notes[6:] == list(NOTES[6:])


def test_numbers_in_a_spreadsheet_stay_numbers(workspace: Workspace, tmp_path: Path) -> None:
    file = exported(workspace, judged_audit(workspace, tmp_path / "b"), tmp_path / "j.csv", form="spreadsheet")
    with file.open(encoding="utf-8-sig", newline="") as stream:
        first = next(csv.DictReader(stream))
    assert (first["entry"], first["active_seconds"], first["is_newest"]) == ("1", "0.333", "false")


# --- files -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "spreadsheet", "form"),
    [
        ("a.jsonl", False, "jsonl"),
        ("a.CSV", False, "csv"),
        ("a.parquet", False, "parquet"),
        ("a.csv", True, "spreadsheet"),
    ],
)
def test_the_name_of_a_file_says_its_form(name: str, spreadsheet: bool, form: str) -> None:
    assert form_of(Path(name), spreadsheet=spreadsheet) == form


@pytest.mark.parametrize(("name", "spreadsheet"), [("a.txt", False), ("a", False), ("a.jsonl", True), ("a.xlsx", True)])
def test_a_name_that_says_no_form_is_refused(name: str, spreadsheet: bool) -> None:
    with pytest.raises(AssayError, match="let its name end in"):
        form_of(Path(name), spreadsheet=spreadsheet)


def test_a_download_is_named_by_dataset_and_campaign(workspace: Workspace, tmp_path: Path) -> None:
    campaign = judged_audit(workspace, tmp_path / "b")
    dataset = workspace.dataset(campaign.dataset_id)
    assert export_file_name(campaign, dataset, form="parquet") == "judgments-small-1-fresh.parquet"
    assert export_file_name(campaign, dataset, form="spreadsheet") == "judgments-small-1-fresh.not-for-import.csv"


def test_a_file_that_cannot_be_written_leaves_nothing_and_no_log_entry(workspace: Workspace, tmp_path: Path) -> None:
    campaign = judged_audit(workspace, tmp_path / "b")
    before = row_counts(workspace)
    with pytest.raises(AssayError, match="cannot be written"):
        exported(workspace, campaign, tmp_path / "nowhere" / "j.csv")
    assert row_counts(workspace) == before


def test_an_export_that_fails_half_way_leaves_the_file_of_before(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = judged_audit(workspace, tmp_path / "b")
    file = exported(workspace, campaign, tmp_path / "j.jsonl")
    before = file.read_bytes()

    def fail(*_arguments: object, **_options: object) -> Any:
        yield from ()
        raise RuntimeError("boom")

    monkeypatch.setattr(judgment_lists, "judgment_rows", fail)
    with pytest.raises(RuntimeError):
        exported(workspace, campaign, file)
    assert file.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".")] == []


def test_a_campaign_without_judgments_is_a_table_without_rows(workspace: Workspace, tmp_path: Path) -> None:
    campaign = judged_audit(workspace, tmp_path / "b")
    other = start_campaign(workspace, dataset=workspace.dataset(campaign.dataset_id), name="other")
    assert lines(exported(workspace, other, tmp_path / "j.jsonl")) == []
    assert records(exported(workspace, other, tmp_path / "j.csv")) == []
    assert pq.read_table(exported(workspace, other, tmp_path / "j.parquet")).column_names == list(COLUMNS)


def test_a_bundle_keeps_an_account_apart_whose_judgments_came_in_a_file(workspace: Workspace, tmp_path: Path) -> None:
    from audit_core.workflow.judgments_import import import_judgments

    dataset = import_bundle(workspace, small_bundle(tmp_path / "b")).dataset
    campaign = reopened(workspace, "audit")
    sign_in(workspace, "ann")
    (tmp_path / "j.csv").write_text("entry,annotator,codes\r\n1,x,N\r\n")
    import_judgments(workspace, campaign, tmp_path / "j.csv", accounts={"x": "ann"})
    out = export_bundle(workspace, dataset, tmp_path / "out", form="jsonl", media="refer")
    rows = lines(out / "judgments" / "audit.jsonl")
    assert [row["annotator"] for row in rows if row["query_id"] == "q1"] == ["ann", "ann (2)"]

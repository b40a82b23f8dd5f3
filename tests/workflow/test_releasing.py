"""Releases: what they hold and leave out, that they can be made again, and that nothing half-made stays."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from audit_core.corrections.records import CorrectionState
from audit_core.domain import Answer, IssueCode, Outcome
from audit_core.errors import CleaningError, LedgerError, NotAllowed, NotFound, StorageError
from audit_core.jobs.context import JobContext
from audit_core.jobs.kinds import work_of
from audit_core.release.verify_files import verify_files
from audit_core.storage import campaigns, decisions, releases
from audit_core.storage.decision_tables import Basis
from audit_core.storage.decisions import NewDecision
from audit_core.storage.people import Person
from audit_core.workflow import releasing
from audit_core.workflow.corrections import list_corrections, review
from audit_core.workflow.deleting import (
    delete_campaign,
    delete_dataset,
    preview_campaign_deletion,
    preview_dataset_deletion,
)
from audit_core.workflow.guidelines import write_guidelines
from audit_core.workflow.importing import import_bundle, list_datasets
from audit_core.workflow.jobs import get_job
from audit_core.workflow.release_again import certificate_again
from audit_core.workflow.release_list import ReleaseView, delete_release, get_release, list_releases
from audit_core.workflow.release_preview import preview_release
from audit_core.workflow.release_request import ReleaseRequest
from audit_core.workflow.release_told import released_text, verify_stored, write_zip
from audit_core.workflow.releasing import execute_release, make_release, start_release
from audit_core.workflow.run_lock import alone_on
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.homes import content
from tests.judged_campaigns import save
from tests.workflow.released_corrections import NAMES, QUERIES, Home, audited_home


@pytest.fixture
def home(workspace: Workspace, tmp_path: Path) -> Home:
    return audited_home(workspace, tmp_path / "old")


def released(workspace: Workspace, home: Home, revision: str = "2", **options: Any) -> ReleaseView:
    return make_release(workspace, home.dataset, ReleaseRequest(revision, **options), person=home.lead)


def rows_in(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_release_is_proved_listed_and_imported_with_the_hash_that_its_certificate_says(
    workspace: Workspace, home: Home
) -> None:
    view = released(workspace, home, imports=True, beir=True)
    assert [each.row.id for each in list_releases(workspace)] == [view.row.id]
    certificate = json.loads(released_text(view, "certificate.json"))
    assert view.made is not None
    assert view.made.content_hash == certificate["result"]["hash"]
    assert (view.made.name, view.made.revision) == ("made", "2")
    assert certificate["dataset"]["hash"] == home.dataset.content_hash
    assert certificate["verification"]["proved"] is True
    found = verify_files(
        home.bundle, view.folder / "ledger.jsonl", view.folder / "bundle", certificate=view.folder / "certificate.json"
    )
    assert found.is_proved
    assert "The hashes are those of certificate.json." in found.notes
    assert verify_stored(workspace, view).is_proved
    # Read from its folder it is the same revision again.
    assert import_bundle(workspace, view.folder / "bundle").dataset.id == view.made.id


def test_the_certificate_is_the_same_bytes_when_the_release_is_made_again(workspace: Workspace, home: Home) -> None:
    view = released(workspace, home, beir=True, form="parquet")
    before = content(view.folder)
    assert certificate_again(workspace, view).is_same
    delete_release(workspace, view.row.id, person=home.lead)
    assert not view.folder.exists()
    again = released(workspace, home, beir=True, form="parquet")
    assert content(again.folder) == before


def test_what_is_accepted_judged_decided_and_reviewed_later_is_no_part_of_a_release_made_again(
    workspace: Workspace, home: Home
) -> None:
    view = released(workspace, home)
    found = list_corrections(workspace, home.dataset.id)
    left = [each.row.id for each in found if each.row.state is CorrectionState.PROPOSED]
    review(workspace, home.people[2], left, CorrectionState.ACCEPTED)
    for number in (1, 7, 40, 41):
        save(workspace, home.campaign, home.people[2], number, codes="U", note="later")
    with workspace.database.write() as connection:
        row = campaigns.entry_by_number(connection, home.campaign.id, 3)
        assert row is not None
        answer = Answer(Outcome.JUDGED, (IssueCode.E,))
        decisions.add(connection, NewDecision(row.id, 1, home.lead.id, "later", Basis.OWN, answer))
    write_guidelines(workspace, home.campaign, "Other guidelines.", person=home.lead)
    # A word of the reasons is the name of somebody who came later.
    sign_in(workspace, "seen by")
    made = certificate_again(workspace, view)
    assert made.fields == []
    assert made.is_same


def test_a_release_made_again_after_its_campaign_was_deleted_says_what_differs_and_why(
    workspace: Workspace, home: Home
) -> None:
    view = released(workspace, home)
    preview = preview_campaign_deletion(workspace, home.campaign)
    delete_campaign(workspace, home.campaign, preview=preview, confirmation=preview.name)
    made = certificate_again(workspace, view)
    assert not made.is_same
    assert set(made.differs_in) == {"campaigns", "files"}
    assert made.fields == ["campaigns", "files.ledger.jsonl"]
    assert any("a campaign was deleted" in each for each in made.why)


def test_a_release_that_noted_nothing_is_made_again_from_the_corrections_of_its_ledger(
    workspace: Workspace, home: Home
) -> None:
    view = released(workspace, home)
    result = {name: part for name, part in (view.row.result or {}).items() if name != "held"}
    with workspace.database.write() as connection:
        releases.set_finished(connection, view.row.id, result=result, result_dataset_id=None)
    left = [each.row.id for each in list_corrections(workspace, home.dataset.id, states=[CorrectionState.PROPOSED])]
    review(workspace, home.lead, left, CorrectionState.ACCEPTED)
    made = certificate_again(workspace, get_release(workspace, view.row.id))
    assert made.is_same
    assert "did not note up to which judgment" in made.why[0]


def test_a_query_is_mended_only_where_all_that_was_decided_on_it_is_released(workspace: Workspace, home: Home) -> None:
    own = [each.row for each in list_corrections(workspace, home.dataset.id) if each.row.campaign is not None]
    assert len(own) == 4
    review(workspace, home.lead, [own[0].id], CorrectionState.REJECTED, "not so")
    view = released(workspace, home)
    (campaign,) = json.loads(released_text(view, "certificate.json"))["campaigns"]
    withdrawn = (view.row.result or {})["counts"]["by_status"]["withdrawn"]
    assert campaign["mended"] == 3 + withdrawn
    assert campaign["expected_left"]["changed_undecided"] > 0
    assert "changed without a decision of this campaign, and not counted as mended." in released_text(view, "README.md")


def test_the_certificate_holds_guidelines_design_agreement_audit_and_version_but_no_time(
    workspace: Workspace, home: Home
) -> None:
    from audit_core import __version__

    certificate = json.loads(released_text(released(workspace, home), "certificate.json"))
    (campaign,) = certificate["campaigns"]
    assert certificate["assay_version"] == __version__
    assert campaign["protocol"] == "audit"
    assert len(campaign["guidelines"]) == 1
    assert len(campaign["protocol_hash"]) == 64
    assert campaign["audit"]["total"]["decided"] == 29
    assert campaign["audit"]["total"]["disputed"] == 1
    assert {each["coefficient"] for each in campaign["agreement"]} >= {"percent", "alpha", "ac1"}
    rows = rows_in(list_releases(workspace)[0].folder / "ledger.jsonl")
    assert campaign["mended"] == 4 + sum(each["action"] == "withdraw" for each in rows)
    year = list_datasets(workspace)[0].imported_at[:4]
    assert f"{year}-" not in json.dumps(certificate)


def test_every_ledger_row_tells_what_it_rests_on(workspace: Workspace, home: Home) -> None:
    view = released(workspace, home)
    rows = rows_in(view.folder / "ledger.jsonl")
    decided = [each for each in rows if each["agreement"] is not None]
    assert len(decided) == 4
    for row in decided:
        assert row["agreeing"] == {"count": 2, "of": 2}
        assert len(row["annotators"]) == 2
        assert {each["coefficient"] for each in row["agreement"]} == {"percent", "alpha", "ac1"}
    boxed = next(each for each in rows if each["action"] == "move-box")
    assert boxed["page"]["box"] == boxed["after"]["box"]
    assert boxed["page"]["printed_label"] == str(boxed["page"]["page_index"] + 1)
    assert {each["author"] for each in rows if each["status"] == "derived"} == {None}


def test_no_name_of_a_person_is_in_any_file_of_a_release(workspace: Workspace, home: Home) -> None:
    for options in ({"beir": True}, {"ids_only": True}, {"form": "parquet"}):
        view = released(workspace, home, "-".join(options), **options)
        for name, data in content(view.folder).items():
            text = data.decode("utf-8", "replace").casefold()
            if name.endswith(".parquet"):
                text = str(pl.read_parquet(view.folder / name).to_dicts()).casefold()
            for person in NAMES:
                assert person.casefold() not in text, (name, person)
    assert "(somebody)" in (view.folder / "ledger.jsonl").read_text()


def test_ids_only_tells_no_text_of_query_answer_or_page(workspace: Workspace, home: Home) -> None:
    view = released(workspace, home, ids_only=True)
    files = content(view.folder)
    assert set(files) == {
        "README.md",
        "certificate.json",
        "certificate.md",
        "issue.md",
        "ledger.jsonl",
        "row_status.jsonl",
    }
    whole = "\n".join(data.decode() for data in files.values())
    texts = [each["text"] for each in rows_in(home.bundle / "queries.jsonl")]
    texts += [each["answer"] for each in rows_in(home.bundle / "queries.jsonl") if "answer" in each]
    texts += [each["text"] for each in rows_in(home.bundle / "elements.jsonl")]
    plain = rows_in(released(workspace, home, "3").folder / "ledger.jsonl")
    texts += [each["after"] for each in plain if each["target"] in ("query", "answer") and each["after"]]
    assert [each for each in texts if each in whole] == []
    assert len(texts) > 2 * QUERIES
    assert "q" in whole


def test_ids_only_is_proved_against_the_revision_that_was_imported(
    workspace: Workspace, home: Home, tmp_path: Path
) -> None:
    from audit_core.workflow.exporting import export_bundle

    view = released(workspace, home, ids_only=True, imports=True)
    assert view.made is not None
    new = export_bundle(workspace, view.made, tmp_path / "new", form="jsonl", media="refer")
    found = verify_files(home.bundle, view.folder / "ledger.jsonl", new, certificate=view.folder / "certificate.json")
    assert found.is_proved


def test_what_a_release_leaves_unsaid_is_counted_in_its_card_and_issue_text(workspace: Workspace, home: Home) -> None:
    view = released(workspace, home, beir=True)
    card, issue = released_text(view, "README.md"), released_text(view, "issue.md")
    counts = (view.row.result or {})["counts"]
    assert sum(counts["by_status"].values()) == QUERIES
    for status, count in counts["by_status"].items():
        assert f"| {status} | {count:,} |" in card
    assert f"- Queries without evidence: {counts['without_evidence']:,} of {counts['queries_after']:,}." in card
    assert "1 entry is still disputed" in card
    assert "It supersedes revision 1" in card
    assert "adapted from that revision" in card
    assert "CC0-1.0 (as" in card
    assert "path: beir/qrels/test-*" in card
    assert "Expected faulty queries left: " in card
    assert "of 29 = " in issue
    assert "95 % Wilson" in issue
    examples = [line for line in issue.splitlines() if line.startswith("- **")]
    assert 5 <= len(examples) <= 10
    ambiguous = issue.partition("## Ambiguous ones")[2]
    assert "annotators differ and nobody decided: 1: `q2`" in ambiguous
    assert "decided, but unsure: 1: `q6`" in ambiguous
    assert "reviewed by the person who wrote the correction: 1" in ambiguous
    assert not [line for line in examples if "**q6**" in line]


def test_row_status_and_beir_tables_say_what_became_of_each_query(workspace: Workspace, home: Home) -> None:
    view = released(workspace, home, beir=True)
    status = {each["query_id"]: each for each in rows_in(view.folder / "row_status.jsonl")}
    assert len(status) == QUERIES
    rows = rows_in(view.folder / "ledger.jsonl")
    for row in rows:
        said = status[row["query_id"]]
        if row["action"] == "withdraw":
            assert said["status"] == "withdrawn"
            assert said["structure_after"] is None
        elif row["target"] in ("query", "answer", "evidence"):
            assert row["target"] in said["status"].split("+")
            assert said[f"{row['target']}_changed"] is True
    touched = {row["query_id"] for row in rows}
    assert {each["status"] for name, each in status.items() if name not in touched} == {"unchanged"}
    parts = {
        name: pl.read_parquet(view.folder / "beir" / name) for name in ("corpus", "queries", "qrels", "row_status")
    }
    assert parts["qrels"].columns[:3] == ["query-id", "corpus-id", "score"]
    assert parts["corpus"].columns[:3] == ["_id", "title", "text"]
    assert parts["queries"].columns[:2] == ["_id", "text"]
    assert set(parts["qrels"]["corpus-id"]) <= set(parts["corpus"]["_id"])
    new = rows_in(view.folder / "bundle" / "queries.jsonl")
    expected = {(each["query_id"], piece["page_id"]) for each in new for piece in each["evidence"]}
    assert set(parts["qrels"].select("query-id", "corpus-id").iter_rows()) == expected
    assert parts["queries"]["_id"].to_list() == [each["query_id"] for each in new]


def test_only_corrections_of_the_campaigns_that_were_named_are_released(workspace: Workspace, home: Home) -> None:
    view = released(workspace, home, campaigns=(home.campaign.name,))
    rows = rows_in(view.folder / "ledger.jsonl")
    assert [each["action"] for each in rows] == ["reword"] * 4
    with pytest.raises(NotFound, match="has no campaign 'other'"):
        released(workspace, home, "3", campaigns=("other",))


def test_a_preview_counts_what_would_be_released_and_what_is_left(workspace: Workspace, home: Home) -> None:
    found = preview_release(workspace, home.dataset)
    assert found.blocks is None
    assert found.proposed == 1
    assert found.corrections == found.states["accepted"] == sum(found.by_action.values())
    assert found.by_code["F"] >= 4
    assert found.campaigns[home.campaign.name] == 4
    view = released(workspace, home)
    counts = (view.row.result or {})["counts"]
    assert counts["changes"] == found.corrections
    assert counts["by_status"]["withdrawn"] == found.withdrawn
    assert counts["without_evidence"] == found.without_evidence > 0


def test_nothing_accepted_is_nothing_to_release(workspace: Workspace, tmp_path: Path) -> None:
    from tests.release.made_release import generated_bundle

    dataset = import_bundle(workspace, generated_bundle(tmp_path / "b", 20)).dataset
    assert "nothing to release" in str(preview_release(workspace, dataset).blocks)


def test_a_revision_is_released_once_and_never_over_one_that_is_there(workspace: Workspace, home: Home) -> None:
    view = released(workspace, home)
    with pytest.raises(LedgerError, match=rf"Release {view.row.id} makes revision 2 of made@1 already"):
        released(workspace, home)
    with pytest.raises(LedgerError, match="made has a revision 1 already"):
        released(workspace, home, "1")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"form": "csv"}, "no form 'csv'"),
        ({"media": "link"}, "cannot be treated"),
        ({"beir": True, "ids_only": True}, "hold texts"),
    ],
)
def test_a_request_that_contradicts_itself_is_refused(
    workspace: Workspace, home: Home, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(LedgerError, match=words):
        released(workspace, home, **options)
    assert list_releases(workspace) == []


def test_an_annotator_may_not_release(workspace: Workspace, home: Home) -> None:
    from audit_core.domain import Role

    somebody: Person = replace(home.lead, role=Role.ADJUDICATOR)
    with pytest.raises(NotAllowed):
        make_release(workspace, home.dataset, ReleaseRequest("2"), person=somebody)


def test_a_release_that_breaks_off_leaves_no_files_and_is_taken_up(
    workspace: Workspace, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("audit_core.workflow.release_making.card_text", full)
        with pytest.raises(StorageError, match="is full; nothing was kept"):
            released(workspace, home)
    assert list_releases(workspace) == []
    assert list((workspace.home / "releases").iterdir()) == []
    again = released(workspace, home, "3")
    assert again.row.id == 1
    assert again.row.finished_at is not None


def test_a_release_whose_job_broke_off_is_taken_up_and_has_no_files_till_then(
    workspace: Workspace, home: Home, no_process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_release(workspace, home.dataset, ReleaseRequest("2"), person=home.lead)
    (broken,) = list_releases(workspace)
    with monkeypatch.context() as patched:
        patched.setattr("audit_core.workflow.release_making.card_text", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            execute_release(workspace, broken.row.id)
    assert list((workspace.home / "releases").iterdir()) == []
    with pytest.raises(LedgerError, match="is not finished"):
        released_text(broken, "README.md")
    assert execute_release(workspace, broken.row.id).row.finished_at is not None


def test_what_cannot_be_released_takes_no_number(workspace: Workspace, home: Home) -> None:
    ids = [each.row.id for each in list_corrections(workspace, home.dataset.id)]
    review(workspace, home.lead, ids, CorrectionState.REJECTED, "not so")
    for _ in range(3):
        with pytest.raises(LedgerError, match="nothing to release"):
            released(workspace, home)
    assert list_releases(workspace) == []
    assert not (workspace.home / "releases").exists()


def test_the_name_that_a_preview_offers_is_free(workspace: Workspace, home: Home) -> None:
    assert preview_release(workspace, home.dataset).free_revision == "2"
    released(workspace, home, imports=True)
    released(workspace, home, "3")
    assert preview_release(workspace, home.dataset).free_revision == "4"
    assert preview_release(workspace, replace(home.dataset, revision="v1.09")).free_revision == "v1.10"
    assert preview_release(workspace, replace(home.dataset, revision="main")).free_revision == "main-2"


def test_a_release_that_is_not_what_its_ledger_says_is_not_kept(
    workspace: Workspace, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    from audit_core.workflow import release_making

    original = release_making.write_bundle

    def spoiled(source: Any, folder: Path, **options: Any) -> Path:
        place = original(source, folder, **options)
        text = (place / "documents.jsonl").read_text()
        (place / "documents.jsonl").write_text(text.replace("Title 1", "Title one", 1))
        return place

    monkeypatch.setattr(release_making, "write_bundle", spoiled)
    with pytest.raises(
        LedgerError, match=r"nothing was kept[\s\S]*documents\.jsonl, row 2 \(document_id 'd1'\), field title"
    ):
        released(workspace, home)
    assert list_releases(workspace) == []
    assert list((workspace.home / "releases").iterdir()) == []


def test_a_review_while_a_release_is_made_undoes_it(
    workspace: Workspace, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = releasing.make_files

    def slow(*given: Any, **named: Any) -> Any:
        left = [each.row.id for each in list_corrections(workspace, home.dataset.id, states=[CorrectionState.PROPOSED])]
        review(workspace, home.lead, left, CorrectionState.ACCEPTED)
        return original(*given, **named)

    monkeypatch.setattr(releasing, "make_files", slow)
    with pytest.raises(LedgerError, match="reviewed while the release was made"):
        released(workspace, home)
    assert list_releases(workspace) == []
    assert list((workspace.home / "releases").iterdir()) == []


def test_two_processes_never_make_the_same_release(workspace: Workspace, home: Home) -> None:
    view = released(workspace, home)
    with alone_on(view.folder, "it"), pytest.raises(CleaningError, match="another process"):
        delete_release(workspace, view.row.id, person=home.lead)


def test_a_release_is_made_by_a_job(workspace: Workspace, home: Home, no_process: None) -> None:

    job = start_release(workspace, home.dataset, ReleaseRequest("2"), person=home.lead)
    with pytest.raises(LedgerError, match=f"Job {job.id} makes revision 2 already"):
        start_release(workspace, home.dataset, ReleaseRequest("2"), person=home.lead)
    context = JobContext(
        job_id=job.id,
        attempt=1,
        arguments=job.arguments,
        folder=workspace.home,
        tell=lambda *_: None,
        check=lambda: None,
    )
    result = work_of("release.make")(context)
    assert result is not None
    assert result["summary"].startswith("made 1 -> 2: ")
    assert list_releases(workspace)[0].row.finished_at is not None
    assert get_job(workspace, job.id).job.kind == "release.make"


def test_its_files_are_put_elsewhere_with_page_files_that_can_be_found_there(
    workspace: Workspace, home: Home, tmp_path: Path
) -> None:
    to = tmp_path / "far"
    view = make_release(workspace, home.dataset, ReleaseRequest("2", beir=True), person=home.lead, to=to)
    assert verify_files(home.bundle, to / "ledger.jsonl", to / "bundle", certificate=to / "certificate.json").is_proved
    here, there = content(view.folder), content(to)
    # Where the page files lie is all that differs.
    assert {name for name in here if here[name] != there[name]} == {"bundle/dataset.json", "bundle/pages.jsonl"}
    with pytest.raises(LedgerError, match="not an empty folder"):
        make_release(workspace, home.dataset, ReleaseRequest("3"), person=home.lead, to=to)


def test_the_zip_of_a_release_is_the_same_bytes_each_time_and_its_bundle_can_be_verified(
    workspace: Workspace, home: Home, tmp_path: Path
) -> None:
    view = released(workspace, home, media="copy")
    one, other = write_zip(view, tmp_path / "a.zip"), write_zip(view, tmp_path / "b.zip")
    assert one.read_bytes() == other.read_bytes()
    shutil.make_archive(str(tmp_path / "new"), "zip", view.folder / "bundle")
    assert verify_files(home.bundle, view.folder / "ledger.jsonl", tmp_path / "new.zip").is_proved


def test_a_dataset_takes_its_releases_along_and_a_revision_that_was_made_lives_on(
    workspace: Workspace, home: Home
) -> None:
    view = released(workspace, home, imports=True)
    assert view.made is not None
    gone = preview_dataset_deletion(workspace, view.made)
    delete_dataset(workspace, view.made, preview=gone, confirmation=gone.name)
    assert list_releases(workspace)[0].made is None
    preview = preview_dataset_deletion(workspace, home.dataset)
    assert preview.counts["releases"] == 1
    delete_dataset(workspace, home.dataset, preview=preview, confirmation=preview.name)
    assert list_releases(workspace) == []
    assert not view.folder.exists()


def test_a_release_is_made_listed_and_deleted_on_either_database(either_workspace: Workspace, tmp_path: Path) -> None:
    home = audited_home(either_workspace, tmp_path / "old", corrections=8)
    view = released(either_workspace, home, imports=True)
    assert list_releases(either_workspace, home.dataset)[0].row == view.row
    assert certificate_again(either_workspace, view).is_same
    delete_release(either_workspace, view.row.id, person=home.lead)
    assert list_releases(either_workspace) == []

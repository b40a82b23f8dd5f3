"""Relevance campaigns and query reviews from the start to the export: saved, drafted, reported, brought back, taken as labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from audit_core.errors import AssayError, BundleError, JudgmentConflict, JudgmentInvalid, RevisionClash
from audit_core.storage import judgments
from audit_core.storage.people import Person
from audit_core.workflow import judging
from audit_core.workflow.campaigns import find_campaign
from audit_core.workflow.carry_over import carry_over
from audit_core.workflow.exporting import export_bundle, not_in_labels
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.judging import MyEntry, Saved
from audit_core.workflow.label_sources import QUERY_REVIEW, RELEVANCE, label_sources, labels_from
from audit_core.workflow.overview import overview_page
from audit_core.workflow.reporting import audit_report, campaign_report, fields_report, report_formats
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle, without_judgments
from tests.homes import another_home, row_counts, with_campaign
from tests.importers.small_bundle import Rows

_numbers = count(1)
POOR = {"query": "poor", "reasons": ["unclear"]}
KEEP = {"naturalness": "ok", "ambiguity": "ok", "answerability": "ok", "evidence": "yes", "outcome": "keep"}
REWRITE = {**KEEP, "naturalness": "rewrite", "naturalness_reasons": ["stiff"], "quality": 4, "outcome": "rewrite",
           "rewritten": "What is it?"}  # fmt: skip
DISCARD = {**KEEP, "answerability": "remove", "answerability_reasons": ["absent", "other"], "outcome": "discard"}


class Desk:
    """A campaign of three entries (q1, q2, q3) with Ada and Bob at it."""

    def __init__(
        self, workspace: Workspace, folder: Path, protocol: str, change: Callable[[Rows], object] = without_judgments,
        **options: Any,
    ) -> None:  # fmt: skip
        self.workspace = workspace
        self.campaign = with_campaign(workspace, folder, change, protocol=protocol, **options)
        self.ada, self.bob = sign_in(workspace, "Ada"), sign_in(workspace, "Bob")

    @property
    def dataset(self) -> Any:
        return self.workspace.dataset(self.campaign.dataset_id)

    def entry(self, number: int, person: Person | None = None) -> MyEntry:
        who = person or self.ada
        return judging.entry_numbered(self.workspace, who, campaign_id=self.campaign.id, number=number)

    def listed(self, number: int) -> list[str]:
        query = self.workspace.revision(self.dataset).query(self.entry(number).row.query_id)
        return list(dict.fromkeys(each.page_id for each in query.evidence))

    def good(self, number: int, grade: int = 0, **more: Any) -> dict[str, Any]:
        """A whole answer that calls the query good and grades every listed page alike."""
        pages = self.listed(number)
        fields: dict[str, Any] = {"query": "good", "grades": dict.fromkeys(pages, grade), "answered": "unanswerable"}
        if grade:
            fields["types"] = {page: ["table"] for page in pages}
        return fields | more

    def save(self, number: int, fields: dict[str, Any], person: Person | None = None, **body: Any) -> Saved:
        filled = {
            "nonce": f"fields-{next(_numbers):06}",
            "base_revision": 0,
            "outcome": "judged",
            "fields": fields,
            **body,
        }
        return judging.save_judgment(
            self.workspace, person or self.ada, entry_id=self.entry(number).row.id, body=filled
        )

    def exported(self, folder: Path, form: str = "jsonl") -> Path:
        return export_bundle(self.workspace, self.dataset, folder, form=form, media="refer")


@pytest.fixture
def grading(workspace: Workspace, tmp_path: Path) -> Desk:
    return Desk(workspace, tmp_path / "bundle", "relevance")


@pytest.fixture
def reviewing(workspace: Workspace, tmp_path: Path) -> Desk:
    return Desk(workspace, tmp_path / "bundle", "query-review")


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def answers(workspace: Workspace, campaign_id: int) -> list[Any]:
    with workspace.database.read() as connection:
        return [row.answer for row in judgments.of_campaign(connection, campaign_id, newest_only=False)]


def test_a_saved_answer_comes_back_whole_to_its_annotator_and_to_nobody_else(grading: Desk) -> None:
    fields = grading.good(1, 2, answered="answer", answer_text="1 m")
    grading.save(1, fields)
    saved = grading.entry(1).saved
    assert saved is not None
    assert saved.as_json()["fields"] == fields
    assert grading.entry(1, grading.bob).saved is None


def test_every_listed_page_needs_a_grade_and_a_page_of_another_document_may_not_be_added(grading: Desk) -> None:
    page = grading.listed(1)[0]
    before = row_counts(grading.workspace)
    with pytest.raises(JudgmentInvalid, match=f"grades is missing of page '{page}'"):
        grading.save(1, {"query": "good", "answered": "unanswerable"})
    with pytest.raises(JudgmentInvalid, match="is listed as evidence already"):
        grading.save(1, grading.good(1, pages=[page]))
    with pytest.raises(JudgmentInvalid, match="is not in this entry's documents"):
        grading.save(1, grading.good(1, pages=["nowhere"]))
    assert row_counts(grading.workspace) == before


def test_another_page_of_the_entrys_document_is_added_and_graded(grading: Desk) -> None:
    revision = grading.workspace.revision(grading.dataset)
    for number in (1, 2, 3):
        listed = grading.listed(number)
        others = [
            page.page_id
            for document in {revision.page(each).document_id for each in listed}
            for page in revision.pages_of(document)
            if page.page_id not in listed
        ]
        if others:
            break
    fields = grading.good(number, pages=others[:1])
    fields["grades"] |= {others[0]: 1}
    fields["types"] = {others[0]: ["chart"]}
    fields["boxes"] = [{"page_id": others[0], "box": [0.1, 0.1, 0.5, 0.5]}]
    assert grading.save(number, fields).judgment.answer == fields


def test_a_draft_may_be_anything_on_the_way_and_goes_with_the_judgment(grading: Desk) -> None:
    body = {"base_revision": 0, "outcome": None, "fields": {"query": "good", "pages": ["somewhere"]}}
    judging.save_draft(grading.workspace, grading.ada, entry_id=grading.entry(1).row.id, body=body)
    draft = grading.entry(1).draft
    assert draft is not None
    assert draft["fields"] == body["fields"]
    grading.save(1, POOR)
    assert grading.entry(1).draft is None


def test_a_stale_window_is_a_conflict_that_shows_the_newest_fields(reviewing: Desk) -> None:
    reviewing.save(1, KEEP)
    reviewing.save(1, DISCARD, base_revision=1)
    with pytest.raises(JudgmentConflict) as refused:
        reviewing.save(1, REWRITE, base_revision=1)
    assert refused.value.newest["fields"] == DISCARD


def test_the_overview_tells_ones_own_fields(reviewing: Desk) -> None:
    reviewing.save(2, DISCARD)
    reviewing.save(1, KEEP, reviewing.bob)
    rows = overview_page(reviewing.workspace, reviewing.ada, reviewing.campaign.id).as_json()["entries"]
    assert [row["fields"] for row in rows] == [{}, DISCARD, {}]


def test_the_report_counts_entries_pages_and_judgments(grading: Desk) -> None:
    grading.save(1, POOR)
    grading.save(2, grading.good(2, 1))
    grading.save(3, {}, outcome="cannot_judge", reason="blurred")
    report = fields_report(grading.workspace, grading.campaign.id)
    total = report.total
    assert (total.decided, total.interval.count, total.cannot_judge, total.not_judged) == (2, 1, 1, 0)
    grades = next(each for each in report.fields if each.name == "grades").total
    assert [share.interval.count for share in grades.shares] == [0, len(grading.listed(2)), 0]
    assert campaign_report(grading.workspace, grading.campaign.id).headline == report.headline
    for form, module in report_formats("relevance").items():
        assert module.write(report), form


def test_two_annotators_who_differ_dispute_the_outcome(workspace: Workspace, tmp_path: Path) -> None:
    desk = Desk(workspace, tmp_path / "bundle", "query-review", judgments_per_entry=2)
    for person, outcome in ((desk.ada, KEEP), (desk.bob, REWRITE)):
        desk.save(1, outcome, person)
        desk.save(2, DISCARD, person)
    total = fields_report(workspace, desk.campaign.id).total
    assert (total.disputed, total.decided, total.interval.count, total.not_judged) == (1, 1, 1, 1)


def test_each_report_is_of_its_own_protocol(grading: Desk) -> None:
    with pytest.raises(AssayError, match="follows the protocol relevance"):
        audit_report(grading.workspace, grading.campaign.id)
    removing = Desk(grading.workspace, grading.workspace.home / "other", "removal", _second)
    with pytest.raises(AssayError, match="has another report"):
        fields_report(grading.workspace, removing.campaign.id)


def _second(rows: Rows) -> None:
    without_judgments(rows)
    rows["dataset"]["revision"] = "2"


def test_a_campaign_that_is_carried_over_keeps_protocol_and_fields(reviewing: Desk, tmp_path: Path) -> None:
    reviewing.save(1, REWRITE, note="kept")
    target = import_bundle(reviewing.workspace, small_bundle(tmp_path / "second", _second)).dataset
    made = carry_over(reviewing.workspace, reviewing.campaign, target)
    assert made.protocol == "query-review"
    assert answers(reviewing.workspace, made.id) == [REWRITE]


def test_an_export_writes_protocol_and_fields_beside_no_codes(reviewing: Desk, tmp_path: Path) -> None:
    reviewing.save(1, REWRITE, note="hm")
    reviewing.save(2, {}, reviewing.bob, outcome="cannot_judge", reason="blurred")
    rows = lines(reviewing.exported(tmp_path / "out") / "judgments" / "fresh.jsonl")
    assert [(row["protocol"], row["codes"], row["outcome"], row.get("fields")) for row in rows] == [
        ("query-review", [], "judged", REWRITE), ("query-review", [], "cannot_judge", None),
    ]  # fmt: skip
    assert not_in_labels(reviewing.workspace, reviewing.dataset) == []


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
@pytest.mark.parametrize("protocol", ["relevance", "query-review"])
def test_an_export_comes_back_elsewhere_as_a_campaign_of_its_protocol_with_every_field(
    workspace: Workspace, tmp_path: Path, protocol: str, form: str
) -> None:
    desk = Desk(workspace, tmp_path / "bundle", protocol)
    first, second = (desk.good(1, 2), POOR) if protocol == "relevance" else (REWRITE, DISCARD)
    desk.save(1, first, note="hm", active_ms=1500)
    desk.save(1, second, base_revision=1)
    desk.save(2, {}, desk.bob, outcome="cannot_judge", reason="blurred")
    desk.save(3, second)
    folder = desk.exported(tmp_path / "out", form)
    with another_home(tmp_path / "other") as other:
        assert import_bundle(other, folder).campaigns == ["fresh"]
        campaign = find_campaign(other, "fresh")
        assert campaign.protocol == protocol
        assert answers(other, campaign.id) == answers(workspace, desk.campaign.id) == [first, second, None, second]
        assert campaign_report(other, campaign.id).headline == campaign_report(workspace, desk.campaign.id).headline
        again = export_bundle(
            other, other.dataset(campaign.dataset_id), tmp_path / "again", form="jsonl", media="refer"
        )
    assert lines(again / "judgments" / "fresh.jsonl") == lines(
        desk.exported(tmp_path / "plain") / "judgments" / "fresh.jsonl"
    )


def test_an_export_that_comes_back_to_its_own_home_adds_nothing(reviewing: Desk, tmp_path: Path) -> None:
    reviewing.save(1, REWRITE)
    reviewing.save(2, KEEP)
    reviewing.save(3, DISCARD)
    folder = reviewing.exported(tmp_path / "out")
    result = import_bundle(reviewing.workspace, folder)
    assert (result.campaigns, result.campaigns_known) == ([], ["fresh"])
    file = folder / "judgments" / "fresh.jsonl"
    file.write_text(file.read_text(encoding="utf-8").replace('"What is it?"', '"What was it?"'), encoding="utf-8")
    with pytest.raises(RevisionClash, match="with other judgments"):
        import_bundle(reviewing.workspace, folder)


def with_judgments(*rows: dict[str, Any]) -> Callable[[Rows], None]:
    def change(made: Rows) -> None:
        without_judgments(made)
        made["judgments/mine"] = [{"query_id": "q1", "annotator": "Ada", "codes": [], **row} for row in rows]

    return change


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"protocol": "beauty", "fields": {}}, "one of audit, query-review, relevance, removal"),
        ({"fields": {"query": "poor"}}, "no fields: an audit has codes"),
        ({"protocol": "query-review", "fields": {**KEEP, "outcome": "gone"}}, "outcome must be one of keep, rewrite, discard"),
        ({"protocol": "query-review"}, "naturalness is missing"),
        ({"protocol": "query-review", "fields": KEEP, "codes": ["F"]}, "codes belongs to the audit"),
        ({"protocol": "query-review", "fields": [1]}, "an object"),
        ({"protocol": "relevance", "fields": {"query": "good", "grades": {"nowhere": 0}, "answered": "unanswerable"}},
         "a page_id that is in pages"),
        ({"protocol": "query-review", "fields": KEEP, "outcome": "cannot_judge"}, "cannot be judged"),
    ],
)  # fmt: skip
def test_judgments_that_break_their_protocol_are_refused_by_line_and_field(
    workspace: Workspace, tmp_path: Path, row: dict[str, Any], words: str
) -> None:
    before = row_counts(workspace)
    with pytest.raises(BundleError) as refused:
        import_bundle(workspace, small_bundle(tmp_path / "bundle", with_judgments(row), design=False))
    assert words in str(refused.value)
    assert "judgments/mine.jsonl" in str(refused.value)
    assert row_counts(workspace) == before


def test_a_file_follows_one_protocol(workspace: Workspace, tmp_path: Path) -> None:
    change = with_judgments({"protocol": "query-review", "fields": KEEP}, {"query_id": "q2"})
    with pytest.raises(BundleError, match="the protocol of the first judgment, query-review"):
        import_bundle(workspace, small_bundle(tmp_path / "bundle", change, design=False))


def test_a_relevance_campaign_gives_labels_of_a_kind_of_its_own(grading: Desk) -> None:
    grading.save(1, POOR)
    grading.save(2, grading.good(2))
    grading.save(3, {}, outcome="cannot_judge")
    source, labels = labels_from(grading.workspace, grading.dataset, "campaign:fresh")
    assert (source.kind, source.queries) == (RELEVANCE, 3)
    assert source.says.startswith("Removed is what an annotator calls a poor query")
    assert [(each.remove, each.codes, each.criteria) for each in labels] == [
        (True, None, {}),
        (False, None, {}),
        (None, None, {}),
    ]


def test_a_query_review_takes_what_is_discarded_for_remove_and_a_rewrite_for_keep(reviewing: Desk) -> None:
    for number, fields in enumerate((DISCARD, REWRITE, KEEP), start=1):
        reviewing.save(number, fields)
    source, labels = labels_from(reviewing.workspace, reviewing.dataset, "campaign:fresh")
    assert source.kind == QUERY_REVIEW
    assert "would discard" in source.says
    assert [each.remove for each in labels] == [True, False, False]
    assert [each.key for each in label_sources(reviewing.workspace, reviewing.dataset)] == ["campaign:fresh"]

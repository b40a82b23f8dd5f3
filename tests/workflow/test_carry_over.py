"""Judgments carry over to another revision where query and evidence are the same, and only there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from audit_core.domain import CampaignState
from audit_core.errors import AssayError, NameTaken
from audit_core.storage import campaigns, decisions, judgments, samples
from audit_core.storage.campaigns import CampaignRow, EntryRow
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.judgments import JudgmentRow
from audit_core.storage.schema import carried_campaign, carried_judgment
from audit_core.workflow import adjudicating, judging
from audit_core.workflow.campaigns import find_campaign, start_campaign
from audit_core.workflow.carry_over import CarryOverPreview, carried_from, carry_over, preview_carry_over
from audit_core.workflow.deleting import preview_campaign_deletion, preview_dataset_deletion
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.reporting import audit_report
from audit_core.workflow.revision_changes import Change, revision_changes
from audit_core.workflow.sample_request import SampleFilter, SampleKind, SampleRequest
from audit_core.workflow.sampling import draw_again
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle, without_judgments
from tests.homes import row_counts
from tests.importers.small_bundle import Rows
from tests.strata_bundle import strata_bundle

Edit = Callable[[Rows], object]


def revision(number: str, *edits: Edit) -> Edit:
    def change(rows: Rows) -> None:
        without_judgments(rows)
        rows["dataset"]["revision"] = number
        for edit in edits:
            edit(rows)

    return change


def evidence(rows: Rows, query: int, place: int = 0) -> dict[str, object]:
    found: dict[str, object] = rows["queries"][query]["evidence"][place]
    return found


#: What is edited in query q2 (or what it rests on), and what became of it.
EDITS: dict[str, tuple[Edit, Change, str]] = {
    "nothing": (lambda rows: None, Change.UNCHANGED, ""),
    "its text": (lambda rows: rows["queries"][1].update(text="what are two?"), Change.QUERY, "query"),
    "its answer": (lambda rows: rows["queries"][1].update(answer="2"), Change.QUERY, "answer"),
    "its page": (lambda rows: evidence(rows, 1, 1).update(page_id="p2"), Change.EVIDENCE, "evidence, page images"),
    "its box": (lambda rows: evidence(rows, 1).update(box=[10, 20, 31, 40]), Change.EVIDENCE, "evidence"),
    "its set": (lambda rows: evidence(rows, 1).update(set_id="b"), Change.EVIDENCE, "evidence"),
    "its relevance": (lambda rows: evidence(rows, 1).update(relevance=1), Change.EVIDENCE, "evidence"),
    "its element": (lambda rows: evidence(rows, 1, 2).pop("element_id"), Change.EVIDENCE, "evidence"),
    "the box of its element": (lambda rows: rows["elements"][1].update(box=[0, 2, 30, 40]), Change.EVIDENCE, "evidence"),
    "one piece less": (lambda rows: rows["queries"][1]["evidence"].pop(1), Change.EVIDENCE, "evidence"),
    "the path of its page image": (
        lambda rows: rows["pages"][3].update(image="images/p1.png"), Change.EVIDENCE, "page images",
    ),
    "the size of its page image": (
        lambda rows: rows["pages"][3].update(height=210), Change.EVIDENCE, "evidence, page images",
    ),
    "both": (
        lambda rows: (rows["queries"][1].update(text="else?"), evidence(rows, 1).update(relevance=1)),
        Change.QUERY, "query, evidence",
    ),
    "withdrawn": (lambda rows: rows["queries"].pop(1), Change.GONE, ""),
    "the order of its evidence": (lambda rows: rows["queries"][1]["evidence"].reverse(), Change.UNCHANGED, ""),
    "its domain": (lambda rows: rows["queries"][1].update(domain="z"), Change.UNCHANGED, ""),
    "another page of the document": (lambda rows: rows["pages"][1].update(image="images/p1.png"), Change.UNCHANGED, ""),
}  # fmt: skip


@pytest.mark.parametrize("name", EDITS)
def test_what_counts_as_a_change_of_a_query(workspace: Workspace, tmp_path: Path, name: str) -> None:
    edit, change, what = EDITS[name]
    earlier = import_bundle(workspace, small_bundle(tmp_path / "1", revision("1"))).dataset
    # Something else always differs, so that the content is another one.
    other: Edit = lambda rows: rows["documents"][0].update(title="New")  # noqa: E731
    later = import_bundle(workspace, small_bundle(tmp_path / "2", revision("2", other, edit))).dataset
    found = revision_changes(workspace.revision(earlier), workspace.revision(later))
    assert {row[0]: row[1:] for row in found.iter_rows()}["q2"] == (change.value, what)
    assert {row[1] for row in found.iter_rows() if row[0] == "q1"} == {"unchanged"}


def test_boxes_in_pixels_and_in_parts_of_the_page_are_the_same_boxes(workspace: Workspace, tmp_path: Path) -> None:
    def in_parts(rows: Rows) -> None:
        rows["dataset"]["box_units"] = "fraction"
        for piece in [each for query in rows["queries"] for each in query["evidence"]] + rows["elements"]:
            if "box" in piece:
                x0, y0, x1, y1 = piece["box"]
                piece["box"] = [x0 / 100, y0 / 200, x1 / 100, y1 / 200]
            piece.pop("document_box", None)

    earlier = import_bundle(workspace, small_bundle(tmp_path / "1", revision("1"))).dataset
    later = import_bundle(workspace, small_bundle(tmp_path / "2", revision("2", in_parts))).dataset
    found = revision_changes(workspace.revision(earlier), workspace.revision(later))
    assert set(found["change"].to_list()) == {"unchanged"}


@pytest.fixture
def judged(workspace: Workspace, tmp_path: Path) -> CampaignRow:
    """Three entries: Ada judged all (q1 twice) and Bob q1; a draft and nothing else is left."""
    dataset = import_bundle(workspace, small_bundle(tmp_path / "1", revision("1"))).dataset
    campaign = start_campaign(
        workspace, dataset=dataset, name="audit", judgments_per_entry=2, sample=SampleRequest(seed=3)
    )
    ada, bob = sign_in(workspace, "Ada"), sign_in(workspace, "Bob")
    by_query = {each.query_id: each.id for each in entries_of(workspace, campaign)}

    def judge(person: object, query: str, base: int, **body: object) -> None:
        full = {"nonce": f"nonce-{query}-{base}-{person!r}"[:80], "base_revision": base, "outcome": "judged", **body}
        judging.save_judgment(workspace, person, entry_id=by_query[query], body=full)  # type: ignore[arg-type]

    judge(ada, "q1", 0, codes="")
    judge(ada, "q1", 1, codes="E", targets={"E": ["p1"]}, note="wrong page", active_ms=1500)
    judge(bob, "q1", 0, codes="E", targets={"E": ["p1"]})
    judge(ada, "q2", 0, codes="F")
    judge(ada, "q3", 0, codes="")
    judging.save_draft(workspace, bob, entry_id=by_query["q3"], body={"codes": "U"})
    return campaign


def entries_of(workspace: Workspace, campaign: CampaignRow) -> list[EntryRow]:
    with workspace.database.read() as connection:
        return campaigns.entries_of(connection, campaign.id)


def judgments_of(workspace: Workspace, campaign: CampaignRow) -> list[JudgmentRow]:
    with workspace.database.read() as connection:
        return judgments.of_campaign(connection, campaign.id, newest_only=False)


def later_revision(workspace: Workspace, tmp_path: Path, *edits: Edit) -> DatasetRow:
    return import_bundle(workspace, small_bundle(tmp_path / "2", revision("2", *edits))).dataset


def reworded(rows: Rows) -> None:
    rows["queries"][1]["text"] = "what are two?"


def test_a_preview_lists_what_changed_and_changes_nothing(
    workspace: Workspace, judged: CampaignRow, tmp_path: Path
) -> None:
    target = later_revision(workspace, tmp_path, reworded, lambda rows: rows["queries"].pop(2))
    before = row_counts(workspace)
    preview = preview_carry_over(workspace, judged, target)
    assert row_counts(workspace) == before
    assert preview.counts == {"unchanged": 1, "query changed": 1, "evidence changed": 0, "gone": 1}
    assert preview.judgments == 2
    listed = {each.entry.query_id: (each.change, each.what, each.judgments) for each in preview.changed()}
    assert listed == {"q2": (Change.QUERY, "query", 1), "q3": (Change.GONE, "", 1)}
    document = preview.as_json()
    assert (document["from"], document["to"]) == ("small@1", "small@2")
    assert {each["query_id"] for each in document["changed"]} == {"q2", "q3"}
    assert "2 judgments stay behind" in document["sentences"][1]


def test_unchanged_entries_come_with_their_newest_judgments_and_changed_ones_without(
    workspace: Workspace, judged: CampaignRow, tmp_path: Path
) -> None:
    target = later_revision(workspace, tmp_path, reworded)
    made = carry_over(workspace, judged, target)
    assert (made.name, made.state, made.origin, made.judgments_per_entry) == ("audit", "open", "created", 2)
    assert made.dataset_id == target.id
    entries = entries_of(workspace, made)
    assert [each.query_id for each in entries] == [each.query_id for each in entries_of(workspace, judged)]
    query_of = {each.id: each.query_id for each in entries}
    rows = judgments_of(workspace, made)
    assert sorted(query_of[row.entry_id] for row in rows) == ["q1", "q1", "q3"]
    assert {row.revision for row in rows} == {1}
    earlier = {row.id: row for row in judgments_of(workspace, judged)}
    with workspace.database.read() as connection:
        links = {row.judgment_id: row.earlier_judgment_id for row in connection.execute(sa.select(carried_judgment))}
        assert connection.execute(sa.select(carried_campaign.c.earlier_campaign_id)).scalar_one() == judged.id
    assert set(links) == {row.id for row in rows}
    for row in rows:
        origin = earlier[links[row.id]]
        said = (
            "person_id",
            "outcome",
            "codes",
            "targets",
            "note",
            "reason",
            "active_seconds",
            "saved_at",
            "is_imported",
        )
        assert [getattr(row, each) for each in said] == [getattr(origin, each) for each in said]
        assert origin.revision == max(
            each.revision for each in earlier.values()
            if (each.entry_id, each.person_id) == (origin.entry_id, origin.person_id)
        )  # fmt: skip
    assert row_counts(workspace)["draft"] == 1
    assert carried_from(workspace, made) == (judged, workspace.dataset(judged.dataset_id), 3)
    assert carried_from(workspace, judged) is None


def test_decisions_come_along_with_unchanged_entries_as_first_revisions_that_rest_on_the_carried_judgments(
    workspace: Workspace, judged: CampaignRow, tmp_path: Path
) -> None:
    cora = sign_in(workspace, "Cora")
    ids = {each.query_id: each.id for each in entries_of(workspace, judged)}
    for query, base, basis, codes in (
        ("q1", 0, "own", "U"),
        ("q1", 1, "own", "E"),
        ("q2", 0, "own", "N"),
        ("q3", 0, "own", ""),
    ):
        body = {
            "nonce": f"decision {query} {base}", "base_revision": base, "basis": basis, "outcome": "judged", "codes": codes,
            "reason": "looked again",
        }  # fmt: skip
        adjudicating.decide(workspace, cora, entry_id=ids[query], body=body)
    adjudicating.reopen(workspace, cora, entry_id=ids["q3"])
    made = carry_over(workspace, judged, later_revision(workspace, tmp_path, reworded))
    standings = {each.query_id: each for each in adjudicating.entry_states(workspace, made.id)}
    assert {query: each.decision is not None for query, each in standings.items()} == {"q1": True, "q3": False}
    decision = standings["q1"].decision
    assert decision is not None
    earlier = next(each for each in adjudicating.entry_states(workspace, judged.id) if each.query_id == "q1").decision
    assert earlier is not None
    assert (decision.revision, decision.codes, decision.reason, decision.person_id, decision.decided_at) == (
        1, "E", "looked again", cora.id, earlier.decided_at,
    )  # fmt: skip
    assert sorted(decision.judgment_ids) == sorted(each.id for each in standings["q1"].judgments)
    with workspace.database.read() as connection:
        moved = decisions.reveals_of_campaign(connection, made.id)
    assert set(moved) == {(standings["q1"].entry_id, cora.id), (standings["q3"].entry_id, cora.id)}


def test_a_carried_judgment_can_be_revised_and_a_changed_entry_judged(
    workspace: Workspace, judged: CampaignRow, tmp_path: Path
) -> None:
    made = carry_over(workspace, judged, later_revision(workspace, tmp_path, reworded))
    ada = sign_in(workspace, "Ada")
    left = judging.upcoming(workspace, ada, campaign_id=made.id, after=0, count=5)
    assert [each.row.query_id for each in left] == ["q2"]
    (first,) = [each for each in entries_of(workspace, made) if each.query_id == "q1"]
    body = {"nonce": "nonce-again", "base_revision": 1, "outcome": "judged", "codes": ""}
    assert judging.save_judgment(workspace, ada, entry_id=first.id, body=body).judgment.revision == 2
    assert len(judgments_of(workspace, judged)) == 5


def test_the_earlier_campaign_is_kept_while_the_later_one_rests_on_it(
    workspace: Workspace, judged: CampaignRow, tmp_path: Path
) -> None:
    made = carry_over(workspace, judged, later_revision(workspace, tmp_path), name="audit again")
    (hindrance,) = preview_campaign_deletion(workspace, judged).hindrances
    assert hindrance.startswith("Campaign audit again on small@2 rests on this: judgments of audit were carried over")
    assert preview_dataset_deletion(workspace, workspace.dataset(judged.dataset_id)).hindrances == (hindrance,)
    assert preview_campaign_deletion(workspace, made).hindrances == ()


def test_what_cannot_be_carried_over_is_refused(workspace: Workspace, judged: CampaignRow, tmp_path: Path) -> None:
    own = workspace.dataset(judged.dataset_id)
    with pytest.raises(AssayError, match="on small@1 already"):
        preview_carry_over(workspace, judged, own)
    target = later_revision(workspace, tmp_path)
    stranger = import_bundle(workspace, strata_bundle(tmp_path / "other")).dataset
    carry_over(workspace, judged, target)
    before = row_counts(workspace)
    with pytest.raises(NameTaken, match="choose another name"):
        carry_over(workspace, judged, target)
    with pytest.raises(AssayError, match="name"):
        carry_over(workspace, judged, target, name="a/b")
    with pytest.raises(AssayError, match="None of the queries of audit is in strata@1"):
        carry_over(workspace, judged, stranger)
    assert row_counts(workspace) == before


def test_an_imported_campaign_carries_over_with_its_annotators(workspace: Workspace, tmp_path: Path) -> None:
    import_bundle(workspace, small_bundle(tmp_path / "1"))
    made = carry_over(workspace, find_campaign(workspace, "audit"), later_revision(workspace, tmp_path))
    assert {row.is_imported for row in judgments_of(workspace, made)} == {True}
    report = audit_report(workspace, made.id)
    assert report.total.entries == 3
    assert report.design_check.frame_matches


# Designs -------------------------------------------------------------------------------------------------------------


def drawn(workspace: Workspace, tmp_path: Path, request: SampleRequest) -> CampaignRow:
    dataset = import_bundle(workspace, strata_bundle(tmp_path / "one")).dataset
    return start_campaign(workspace, dataset=dataset, name="drawn", sample=request)


def carried_to(
    workspace: Workspace, tmp_path: Path, campaign: CampaignRow, edit: Edit
) -> tuple[CarryOverPreview, CampaignRow]:
    target = import_bundle(workspace, strata_bundle(tmp_path / "two", change=edit, revision="2")).dataset
    preview = preview_carry_over(workspace, campaign, target)
    return preview, carry_over(workspace, campaign, target)


def asked_else(*names: str) -> Edit:
    def edit(rows: Rows) -> None:
        for query in rows["queries"]:
            if query["query_id"] in names:
                query["text"] += " Say more."

    return edit


def without(*names: str) -> Edit:
    def edit(rows: Rows) -> None:
        rows["queries"] = [each for each in rows["queries"] if each["query_id"] not in names]

    return edit


STRATIFIED = SampleRequest(SampleKind.STRATIFIED, seed=5, total=12)


def test_the_design_holds_where_the_later_revision_has_the_same_queries_in_the_same_strata(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = drawn(workspace, tmp_path, STRATIFIED)
    outside = next(
        query for query, _, _ in workspace.revision(workspace.dataset(campaign.dataset_id)).queries_index()
        if query not in {each.query_id for each in entries_of(workspace, campaign)}
    )  # fmt: skip
    preview, made = carried_to(workspace, tmp_path, campaign, asked_else(outside))
    assert preview.design.is_kept
    assert (made.is_probability_sample, made.frame_revision, made.sample_seed) == (True, "2", 5)
    assert made.frame_hash == campaign.frame_hash
    assert audit_report(workspace, made.id).design_check.frame_matches
    kept = ("query_id", "place", "probability", "source", "evidence_structure", "number")
    assert [[getattr(each, name) for name in kept] for each in entries_of(workspace, made)] == [
        [getattr(each, name) for name in kept] for each in entries_of(workspace, campaign)
    ]
    assert [each.query_id for each in draw_again(workspace, made).entries] == [
        each.query_id for each in entries_of(workspace, made)
    ]


def test_a_few_changes_that_hit_the_sample_by_chance_leave_the_design(workspace: Workspace, tmp_path: Path) -> None:
    campaign = drawn(workspace, tmp_path, STRATIFIED)
    one = entries_of(workspace, campaign)[0].query_id
    preview, made = carried_to(workspace, tmp_path, campaign, asked_else(one))
    assert preview.counts["query changed"] == 1
    assert made.is_probability_sample


def test_a_revision_in_which_just_the_entries_were_mended_has_no_probability_sample(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = drawn(workspace, tmp_path, STRATIFIED)
    names = [each.query_id for each in entries_of(workspace, campaign)][:8]
    preview, made = carried_to(workspace, tmp_path, campaign, asked_else(*names))
    assert not preview.design.is_kept
    assert "8 of the 8 queries that changed or went are entries" in preview.design.reason
    assert not made.is_probability_sample
    assert made.sample_scheme is None
    assert {each.probability for each in entries_of(workspace, made)} == {None}
    assert "no probability sample" in audit_report(workspace, made.id).benchmark.sentence


def test_a_census_keeps_its_design_whatever_was_mended(workspace: Workspace, tmp_path: Path) -> None:
    campaign = drawn(workspace, tmp_path, SampleRequest(seed=1))
    names = [each.query_id for each in entries_of(workspace, campaign)][:8]
    _, made = carried_to(workspace, tmp_path, campaign, asked_else(*names))
    assert made.is_probability_sample
    assert made.sample_method == "all queries"


def test_withdrawn_queries_leave_a_sample_of_what_is_left(workspace: Workspace, tmp_path: Path) -> None:
    campaign = drawn(workspace, tmp_path, STRATIFIED)
    entries = entries_of(workspace, campaign)
    taken = {each.query_id for each in entries if each.evidence_structure == "Cross-Doc"}
    gone = [sorted(taken)[0], *[f"wiki-Cross-Doc-{n}" for n in range(6) if f"wiki-Cross-Doc-{n}" not in taken][:2]]
    preview, made = carried_to(workspace, tmp_path, campaign, without(*gone))
    assert preview.counts["gone"] == 1
    assert preview.design.is_kept
    rows = entries_of(workspace, made)
    assert [each.query_id for each in rows] == [each.query_id for each in entries if each.query_id != gone[0]]
    assert [each.number for each in rows] == list(range(1, 12))
    with workspace.database.read() as connection:
        strata = {(row.source, row.evidence_structure): row for row in samples.strata_of(connection, made.id)}
    crossed = strata[("wiki", "Cross-Doc")]
    assert (crossed.population, crossed.drawn) == (3, len(taken) - 1)
    assert strata[("wiki", "Page-Single")].population == 14
    assert audit_report(workspace, made.id).design_check.mismatches != ()  # nothing is decided yet
    assert {each.query_id for each in draw_again(workspace, made).entries} == {each.query_id for each in rows}


@pytest.mark.parametrize(
    "edit",
    [
        lambda rows: rows["queries"].append({**rows["queries"][0], "query_id": "new", "text": "new?"}),
        lambda rows: rows["queries"][0].update(evidence_structure="Cross-Doc"),
    ],
    ids=["a query came", "a query changed its stratum"],
)
def test_queries_that_had_no_chance_leave_no_probability_sample(
    workspace: Workspace, tmp_path: Path, edit: Edit
) -> None:
    preview, made = carried_to(workspace, tmp_path, drawn(workspace, tmp_path, STRATIFIED), edit)
    assert "1 of its queries could not be drawn, or lay in another stratum" in preview.design.reason
    assert not made.is_probability_sample
    assert made.sample_method == "carried over from another revision: non-probability"


def test_a_part_of_the_dataset_is_compared_with_the_same_part(workspace: Workspace, tmp_path: Path) -> None:
    where = SampleFilter(source=("wiki",))
    campaign = drawn(workspace, tmp_path, SampleRequest(SampleKind.STRATIFIED, seed=5, total=6, where=where))
    preview, made = carried_to(workspace, tmp_path, campaign, without("law-Doc-Near-0", "law-Page-Single-1"))
    assert preview.design.is_kept
    assert made.frame_name == "strata, only source is wiki"
    assert made.frame_condition == "source is wiki"
    assert audit_report(workspace, made.id).design_check.is_part


def test_a_list_of_ids_stays_a_list(workspace: Workspace, tmp_path: Path) -> None:
    ids = ("wiki-Cross-Doc-1", "law-Doc-Near-0")
    preview, made = carried_to(
        workspace, tmp_path, drawn(workspace, tmp_path, SampleRequest(SampleKind.IDS, query_ids=ids)), without()
    )
    assert "was none of its own revision" in preview.design.reason
    assert [each.query_id for each in entries_of(workspace, made)] == list(ids)


def test_it_carries_over_on_either_database(either_workspace: Workspace, tmp_path: Path) -> None:
    import_bundle(either_workspace, small_bundle(tmp_path / "1"))
    campaign = find_campaign(either_workspace, "audit")
    made = carry_over(either_workspace, campaign, later_revision(either_workspace, tmp_path, reworded))
    assert made.state == CampaignState.OPEN
    assert len(judgments_of(either_workspace, made)) == 2

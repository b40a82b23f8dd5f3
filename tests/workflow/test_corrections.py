"""Corrections: proposing, reviewing, revising and rebasing them, and what is released of them."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from audit_core.corrections.records import Action, Change, CorrectionState
from audit_core.domain import Role
from audit_core.errors import AssayError, CorrectionError, CorrectionStale, NotAllowed, NotFound
from audit_core.storage import activity
from audit_core.storage.cleaning_runs import Rewording
from audit_core.storage.clock import now
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.decision_tables import release
from audit_core.storage.people import Person
from audit_core.workflow.cleanings import add_run, finish_run
from audit_core.workflow.correction_standing import Standing
from audit_core.workflow.corrections import (
    Draft,
    check_corrections,
    corrections_for_release,
    list_corrections,
    propose,
    propose_from_rewrites,
    rebase,
    review,
    revise,
)
from audit_core.workflow.deleting import delete_dataset, preview_dataset_deletion
from audit_core.workflow.rewrites import decide_rewrite
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.homes import row_counts
from tests.workflow.corrected_queries import Q1, dataset_of, move, on_page, reword

ACCEPTED, REJECTED = CorrectionState.ACCEPTED, CorrectionState.REJECTED
WITHDRAW = Draft(Change("q1", Action.WITHDRAW, {}, None, None), "N", "no answer")
DROP = on_page("drop-page", "p1", before=[Q1])


@pytest.fixture
def ada(workspace: Workspace) -> Person:
    return sign_in(workspace, "Ada")


@pytest.fixture
def bob(workspace: Workspace) -> Person:
    return sign_in(workspace, "Bob")


@pytest.fixture
def dataset(workspace: Workspace, tmp_path: Path) -> DatasetRow:
    return dataset_of(workspace, tmp_path / "bundle")


def proposed(workspace: Workspace, person: Person, dataset: DatasetRow, *drafts: Draft) -> list[int]:
    """Propose drafts one by one (so that none builds on another) and return their ids."""
    for each in drafts:
        propose(workspace, person, dataset, [each])
    return [each.row.id for each in list_corrections(workspace, dataset.id)][-len(drafts) :]


def states(workspace: Workspace, dataset: DatasetRow) -> list[str]:
    return [each.row.state.value for each in list_corrections(workspace, dataset.id)]


def one(workspace: Workspace, dataset: DatasetRow, correction_id: int) -> Standing:
    return next(each for each in list_corrections(workspace, dataset.id) if each.row.id == correction_id)


def released(workspace: Workspace, dataset: DatasetRow, person: Person, *campaigns: str) -> None:
    values = {
        "dataset_id": dataset.id, "revision": "2", "spec": {"campaigns": list(campaigns)}, "person_id": person.id, "created_at": now(),
        "finished_at": now(),
    }  # fmt: skip
    with workspace.database.write() as connection:
        connection.execute(release.insert().values(**values))


def test_a_correction_is_proposed_accepted_and_released_under_pseudonyms(
    workspace: Workspace, ada: Person, bob: Person, dataset: DatasetRow
) -> None:
    (found,) = proposed(workspace, ada, dataset, reword())
    assert corrections_for_release(workspace, dataset.id) == []
    assert review(workspace, bob, [found], ACCEPTED, "right").ids == (found,)
    (correction,) = corrections_for_release(workspace, dataset.id)
    assert (correction.id, correction.revision, correction.code) == (found, 1, "F")
    assert correction.change == reword().change
    assert correction.author != correction.reviewer
    assert {correction.author[:2], (correction.reviewer or "")[:2]} == {"p-"}
    assert not {"Ada", "Bob"} & {correction.author, correction.reviewer}
    assert corrections_for_release(workspace, dataset.id) == [correction]
    row = one(workspace, dataset, found).row
    assert (row.author, row.reviewer, row.review_note, row.is_self_reviewed) == ("Ada", "Bob", "right", False)
    with workspace.database.read() as connection:
        logged = [(each.action, each.name) for each in activity.newest(connection, count=2)]
    assert logged == [("correction-accept", "Bob"), ("correction-propose", "Ada")]


def test_a_review_of_one_s_own_correction_is_marked(workspace: Workspace, ada: Person, dataset: DatasetRow) -> None:
    (found,) = proposed(workspace, ada, dataset, reword())
    review(workspace, ada, [found], ACCEPTED)
    assert one(workspace, dataset, found).row.is_self_reviewed


def test_proposing_the_same_twice_adds_nothing_also_where_it_was_rejected(
    workspace: Workspace, ada: Person, dataset: DatasetRow
) -> None:
    drafts = [reword(), move(9)]
    assert propose(workspace, ada, dataset, drafts).added == 2
    again = propose(workspace, ada, dataset, drafts)
    assert (again.added, again.there_already) == (0, 2)
    first = list_corrections(workspace, dataset.id)[0].row.id
    review(workspace, ada, [first], REJECTED)
    again = propose(workspace, ada, dataset, drafts)
    assert (again.added, again.there_already, again.rejected_before) == (0, 1, 1)


def test_annotators_neither_propose_nor_review_nor_rebase(
    workspace: Workspace, ada: Person, dataset: DatasetRow
) -> None:
    (found,) = proposed(workspace, ada, dataset, reword())
    annotator, adjudicator = replace(ada, role=Role.ANNOTATOR), replace(ada, role=Role.ADJUDICATOR)
    for refused in (
        lambda: propose(workspace, annotator, dataset, [move(9)]),
        lambda: review(workspace, annotator, [found], ACCEPTED),
        lambda: rebase(workspace, annotator, [found]),
        lambda: revise(workspace, annotator, found, change=reword().change, code=None, reason=""),
    ):
        with pytest.raises(NotAllowed):
            refused()
    assert states(workspace, dataset) == ["proposed"]
    assert review(workspace, adjudicator, [found], ACCEPTED).ids == (found,)


@pytest.mark.parametrize(
    "draft",
    [reword(before="what is two?"), on_page("add-page", "p9", after={"page_id": "p9"}), reword("q9"),
     on_page("add-box", "p1", after={"page_id": "p1", "box": [0.0, 0.0, 101.0, 5.0]})],
)  # fmt: skip
def test_what_does_not_fit_the_dataset_is_not_stored_and_neither_is_what_comes_with_it(
    workspace: Workspace, ada: Person, dataset: DatasetRow, draft: Draft
) -> None:
    before = row_counts(workspace)
    with pytest.raises(CorrectionError):
        propose(workspace, ada, dataset, [move(9), draft])
    assert row_counts(workspace) == before


@pytest.mark.parametrize(
    ("draft", "says"),
    [
        (replace(move(9), code="X"), "one of F, E, U, N"),
        (replace(move(9), reason="a\x00"), "NUL"),
        (on_page("add-page", "p2", after={"page_id": "p3"}), "the page and set that the key names"),
        (reword(after=" "), "text that is not empty"),
    ],
)  # fmt: skip
def test_what_is_no_correction_is_refused_also_when_no_file_was_read(
    workspace: Workspace, ada: Person, dataset: DatasetRow, draft: Draft, says: str
) -> None:
    with pytest.raises(AssayError, match=says):
        propose(workspace, ada, dataset, [draft])
    (found,) = proposed(workspace, ada, dataset, move(9))
    if draft.change.action == "move-box":
        with pytest.raises(AssayError, match=says):
            revise(workspace, ada, found, change=draft.change, code=draft.code, reason=draft.reason)


def test_of_two_corrections_of_one_box_the_second_is_refused_until_it_is_rebased(
    workspace: Workspace, ada: Person, bob: Person, dataset: DatasetRow
) -> None:
    first, second = proposed(workspace, ada, dataset, move(9), move(20))
    assert one(workspace, dataset, second).conflict == first
    done = review(workspace, bob, [first, second], ACCEPTED)
    assert done.ids == (first,)
    assert f"Correction {first} stands in its way. Rebase it first." in done.left[0].reason
    assert one(workspace, dataset, second).is_stale
    assert rebase(workspace, bob, [second]).ids == (second,)
    newest = list_corrections(workspace, dataset.id)[-1].row
    assert (newest.first_id, newest.revision, newest.author, newest.state) == (second, 2, "Ada", "proposed")
    assert newest.change.before == move(9).change.after
    assert states(workspace, dataset) == ["accepted", "superseded", "proposed"]
    assert review(workspace, bob, [newest.id], ACCEPTED).ids == (newest.id,)
    assert [each.change.after["box"][2] for each in corrections_for_release(workspace, dataset.id)] == [9.0, 20.0]
    assert [each.id for each in corrections_for_release(workspace, dataset.id)] == [first, second]


def test_a_correction_of_a_withdrawn_query_is_refused(workspace: Workspace, ada: Person, dataset: DatasetRow) -> None:
    words, gone = proposed(workspace, ada, dataset, reword(), WITHDRAW)
    review(workspace, ada, [gone], ACCEPTED)
    done = review(workspace, ada, [words], ACCEPTED)
    assert "the query is withdrawn" in done.left[0].reason
    assert "the query is withdrawn" in rebase(workspace, ada, [words]).left[0].reason
    assert check_corrections(workspace, dataset.id).withdrawn == ["q1"]


def test_what_is_reworded_and_then_withdrawn_is_both(workspace: Workspace, ada: Person, dataset: DatasetRow) -> None:
    words, gone = proposed(workspace, ada, dataset, reword(), WITHDRAW)
    review(workspace, ada, [words], ACCEPTED)
    assert review(workspace, ada, [gone], ACCEPTED).ids == (gone,)
    assert len(corrections_for_release(workspace, dataset.id)) == 2


def test_a_query_that_is_left_without_evidence_is_told(workspace: Workspace, ada: Person, dataset: DatasetRow) -> None:
    (found,) = proposed(workspace, ada, dataset, DROP)
    structure = one(workspace, dataset, found).structure
    assert structure is not None
    assert structure.words == "Page-Single -> no evidence left"
    assert check_corrections(workspace, dataset.id).empty == []
    review(workspace, ada, [found], ACCEPTED)
    check = check_corrections(workspace, dataset.id)
    assert (check.empty, check.is_releasable) == (["q1"], True)


def test_what_is_proposed_is_told_apart_as_if_all_of_it_were_accepted(
    workspace: Workspace, ada: Person, dataset: DatasetRow
) -> None:
    gone = Draft(Change("q2", Action.WITHDRAW, {}, None, None), "N", "")
    dropped, _ = proposed(workspace, ada, dataset, DROP, gone)
    check = check_corrections(workspace, dataset.id)
    assert (check.structures, check.empty, check.withdrawn, check.is_reviewed) == ({}, [], [], False)
    assert check.if_all is not None
    assert check.if_all.structures == {"Page-Single -> no evidence left": 1, "withdrawn": 1}
    assert (check.if_all.empty, check.if_all.withdrawn) == (["q1"], ["q2"])
    review(workspace, ada, [dropped], ACCEPTED)
    check = check_corrections(workspace, dataset.id)
    assert (check.empty, check.withdrawn) == (["q1"], [])
    assert check.if_all is not None
    assert (check.if_all.empty, check.if_all.withdrawn) == (["q1"], ["q2"])
    review(workspace, ada, [each.row.id for each in list_corrections(workspace, dataset.id)], ACCEPTED)
    check = check_corrections(workspace, dataset.id)
    assert (check.if_all, check.is_reviewed, check.withdrawn) == (None, True, ["q2"])


def test_a_query_whose_evidence_goes_and_that_is_withdrawn_is_withdrawn_alone(
    workspace: Workspace, ada: Person, dataset: DatasetRow
) -> None:
    review(workspace, ada, proposed(workspace, ada, dataset, DROP, WITHDRAW), ACCEPTED)
    check = check_corrections(workspace, dataset.id)
    assert (check.empty, check.withdrawn) == ([], ["q1"])


def test_a_stale_correction_that_cannot_be_rebased_says_what_can_be_done_and_is_revised(
    workspace: Workspace, ada: Person, dataset: DatasetRow
) -> None:
    first, second = proposed(workspace, ada, dataset, reword(after="One?"), reword(after="Two?"))
    newer = revise(workspace, ada, first, change=reword(after="Two?").change, code="F", reason="")
    review(workspace, ada, [newer.id], ACCEPTED)
    stale = one(workspace, dataset, second)
    assert (stale.is_stale, stale.can_be_rebased) == (True, False)
    assert stale.no_rebase is not None
    assert stale.no_rebase.endswith("stands there already. Reject it, or revise what shall stand there.")
    refused = review(workspace, ada, [second], ACCEPTED).left[0].reason
    assert "Rebase" not in refused
    assert refused.endswith("or revise what shall stand there.")
    made = revise(workspace, ada, second, change=reword(after="Three?").change, code="F", reason="")
    assert (made.change.before, made.change.after) == ("Two?", "Three?")
    assert review(workspace, ada, [made.id], ACCEPTED).ids == (made.id,)


def test_the_structure_that_corrections_proposed_together_lead_to_is_shown(
    workspace: Workspace, ada: Person, dataset: DatasetRow
) -> None:
    far = on_page("add-page", "p3", after={"page_id": "p3", "document_id": "d2"})
    propose(workspace, ada, dataset, [far, DROP])
    words = [each.structure.words for each in list_corrections(workspace, dataset.id) if each.structure]
    assert words == ["Page-Single (unchanged)"] * 2
    (alone,) = proposed(workspace, ada, dataset, on_page("add-page", "p2", after={"page_id": "p2"}))
    shown = one(workspace, dataset, alone).structure
    assert shown is not None
    assert shown.words == "Page-Single -> Doc-Adjacent"


def test_what_builds_on_one_another_is_accepted_in_its_order(
    workspace: Workspace, ada: Person, dataset: DatasetRow
) -> None:
    whole, boxed = {"page_id": "p2"}, {"page_id": "p2", "box": [0.0, 0.0, 5.0, 5.0]}
    propose(
        workspace,
        ada,
        dataset,
        [on_page("add-page", "p2", after=whole), on_page("add-box", "p2", before=whole, after=boxed)],
    )
    page, box = (each.row.id for each in list_corrections(workspace, dataset.id))
    assert "is not there" in review(workspace, ada, [box], ACCEPTED).left[0].reason
    assert review(workspace, ada, [box, page], ACCEPTED).ids == (page, box)
    review(workspace, ada, [page], REJECTED, "not needed")
    assert one(workspace, dataset, box).is_stale
    with pytest.raises(CorrectionStale, match=f"1 accepted corrections .* {box}: "):
        corrections_for_release(workspace, dataset.id)
    assert not check_corrections(workspace, dataset.id).is_releasable
    review(workspace, ada, [box], REJECTED, "its page is gone")
    assert corrections_for_release(workspace, dataset.id) == []


def test_a_revision_supersedes_its_own_earlier_one_and_keeps_the_author(
    workspace: Workspace, ada: Person, bob: Person, dataset: DatasetRow
) -> None:
    (first,) = proposed(workspace, ada, dataset, move(9))
    review(workspace, bob, [first], ACCEPTED)
    row = revise(workspace, bob, first, change=move(12).change, code="U", reason="wider")
    assert (row.first_id, row.revision, row.author, row.state, row.code, row.reason) == (
        first,
        2,
        "Ada",
        "proposed",
        "U",
        "wider",
    )
    assert corrections_for_release(workspace, dataset.id) == []
    with pytest.raises(CorrectionError, match="was superseded"):
        revise(workspace, bob, first, change=move(13).change, code=None, reason="")
    assert "was superseded" in review(workspace, bob, [first], ACCEPTED).left[0].reason
    with pytest.raises(CorrectionError, match="acts on something else"):
        revise(workspace, bob, row.id, change=reword().change, code=None, reason="")
    with pytest.raises(CorrectionError, match="on its page"):
        revise(workspace, bob, row.id, change=move(300).change, code=None, reason="")


def test_a_revision_of_a_box_may_build_on_its_page_that_is_still_proposed(
    workspace: Workspace, ada: Person, dataset: DatasetRow
) -> None:
    whole, boxed = {"page_id": "p2"}, {"page_id": "p2", "box": [0.0, 0.0, 5.0, 5.0]}
    box = on_page("add-box", "p2", before=whole, after=boxed)
    propose(workspace, ada, dataset, [on_page("add-page", "p2", after=whole), box])
    last = list_corrections(workspace, dataset.id)[-1].row.id
    assert "needs no rebasing" in rebase(workspace, ada, [last]).left[0].reason
    wider = {**boxed, "box": [0.0, 0.0, 9.0, 9.0]}
    row = revise(workspace, ada, last, change=replace(box.change, after=wider), code="E", reason="")
    assert one(workspace, dataset, row.id).misfit is None


def test_only_these_steps_lead_from_state_to_state(workspace: Workspace, ada: Person, dataset: DatasetRow) -> None:
    words, box = proposed(workspace, ada, dataset, reword(), move(9))
    assert review(workspace, ada, [words], REJECTED).ids == (words,)
    assert "revise it" in review(workspace, ada, [words], ACCEPTED).left[0].reason
    review(workspace, ada, [box], ACCEPTED)
    assert "accepted already" in review(workspace, ada, [box], ACCEPTED).left[0].reason
    assert "say in a note" in review(workspace, ada, [box], REJECTED).left[0].reason
    assert review(workspace, ada, [box], REJECTED, "wrong after all").ids == (box,)
    with pytest.raises(CorrectionError, match="accepts or rejects"):
        review(workspace, ada, [box], "superseded")


def test_what_is_released_stays_what_it_is(workspace: Workspace, ada: Person, dataset: DatasetRow) -> None:
    words, box = proposed(workspace, ada, dataset, reword(), move(9))
    review(workspace, ada, [words], ACCEPTED)
    released(workspace, dataset, ada)
    assert "part of a release" in review(workspace, ada, [words], REJECTED, "no").left[0].reason
    assert "part of a release" in rebase(workspace, ada, [words]).left[0].reason
    with pytest.raises(CorrectionError, match="part of a release"):
        revise(workspace, ada, words, change=reword(after="One?").change, code=None, reason="")
    review(workspace, ada, [box], ACCEPTED)
    assert review(workspace, ada, [box], REJECTED, "later than the release").ids == (box,)


def test_a_release_of_some_campaigns_publishes_none_that_comes_from_elsewhere(
    workspace: Workspace, ada: Person, dataset: DatasetRow
) -> None:
    (words,) = proposed(workspace, ada, dataset, reword())
    review(workspace, ada, [words], ACCEPTED)
    released(workspace, dataset, ada, "fresh")
    assert review(workspace, ada, [words], REJECTED, "not published yet").ids == (words,)


def test_corrections_that_are_not_there_are_refused_whole(
    workspace: Workspace, ada: Person, dataset: DatasetRow
) -> None:
    (words,) = proposed(workspace, ada, dataset, reword())
    with pytest.raises(NotFound, match="no correction 99"):
        review(workspace, ada, [words, 99], ACCEPTED)
    assert states(workspace, dataset) == ["proposed"]


def test_lists_are_narrowed_by_state_action_code_and_query(
    workspace: Workspace, ada: Person, dataset: DatasetRow
) -> None:
    words, box, other = proposed(workspace, ada, dataset, reword(), move(9), reword("q2", "what is two?", "Two?", None))
    review(workspace, ada, [box], ACCEPTED)

    def ids(**wanted: object) -> list[int]:
        return [each.row.id for each in list_corrections(workspace, dataset.id, **wanted)]  # type: ignore[arg-type]

    assert ids(states=[ACCEPTED]) == [box]
    assert ids(action="reword") == [words, other]
    assert ids(code="E") == [box]
    assert ids(code="") == [other]
    assert ids(query_id="q2") == [other]


def test_accepted_rewordings_are_proposed_with_their_model_and_prompt(
    workspace: Workspace, ada: Person, dataset: DatasetRow
) -> None:
    run = add_run(workspace, dataset, kind="rewrite", name="better", spec={})
    rows = [Rewording("q1", "what is one?", "One?", "shorter"), Rewording("q2", "what is two?", "Two?", "shorter")]
    finish_run(workspace, run.id, result={"asked": {"model": "tiny", "prompt_hash": "ab" * 32}}, rewordings=rows)
    with pytest.raises(CorrectionError, match="Nothing of the rewording better is accepted"):
        propose_from_rewrites(workspace, ada, dataset, run.id)
    decide_rewrite(workspace, run.id, "q1", accept=True, person=ada)
    assert propose_from_rewrites(workspace, ada, dataset, run.id).added == 1
    assert propose_from_rewrites(workspace, ada, dataset, run.id).added == 0
    (found,) = list_corrections(workspace, dataset.id)
    assert (found.row.change.after, found.row.code, found.row.model, found.row.prompt_hash) == (
        "One?",
        "F",
        "tiny",
        "ab" * 32,
    )


def test_corrections_go_with_their_dataset(workspace: Workspace, ada: Person, dataset: DatasetRow) -> None:
    (first,) = proposed(workspace, ada, dataset, move(9))
    revise(workspace, ada, first, change=move(12).change, code=None, reason="")
    preview = preview_dataset_deletion(workspace, dataset)
    assert preview.counts["corrections"] == 2
    assert "2 corrections, in all their revisions" in " ".join(preview.sentences())
    delete_dataset(workspace, dataset, preview=preview, confirmation=preview.name)
    assert row_counts(workspace)["correction"] == 0


def test_two_thousand_corrections_are_proposed_accepted_and_checked_in_seconds(
    workspace: Workspace, ada: Person, tmp_path: Path
) -> None:
    def many(rows: dict[str, list[dict[str, object]]]) -> None:
        pattern = rows["queries"][0]
        rows["queries"] = [{**pattern, "query_id": f"n{at}", "text": f"what is {at}?"} for at in range(2000)]
        for name in [each for each in rows if "/" in each]:
            del rows[name]

    from audit_core.workflow.importing import import_bundle
    from tests.bundles import small_bundle

    dataset = import_bundle(workspace, small_bundle(tmp_path / "many", many)).dataset
    drafts = [reword(f"n{at}", f"what is {at}?", f"What is {at}?") for at in range(2000)]
    began = time.perf_counter()
    assert propose(workspace, ada, dataset, drafts).added == 2000
    ids = [each.row.id for each in list_corrections(workspace, dataset.id)]
    assert len(review(workspace, ada, ids, ACCEPTED).ids) == 2000
    assert len(corrections_for_release(workspace, dataset.id)) == 2000
    assert time.perf_counter() - began < 10


def test_a_correction_lives_through_all_states_on_either_database(either_workspace: Workspace, tmp_path: Path) -> None:
    person = sign_in(either_workspace, "Ada")
    dataset = dataset_of(either_workspace, tmp_path / "bundle")
    propose(
        either_workspace,
        person,
        dataset,
        [move(9), reword("q2", "what is two?", "Two? \U0001f469\u200d\U0001f52c", None)],
    )
    first, second = (each.row.id for each in list_corrections(either_workspace, dataset.id))
    assert review(either_workspace, person, [first, second], ACCEPTED).ids == (first, second)
    row = revise(either_workspace, person, first, change=move(12).change, code="U", reason="wider")
    assert review(either_workspace, person, [row.id], ACCEPTED).ids == (row.id,)
    found = corrections_for_release(either_workspace, dataset.id)
    assert [(each.id, each.revision, each.change.after) for each in found] == [
        (second, 1, "Two? \U0001f469\u200d\U0001f52c"),
        (first, 2, {**Q1, "box": [1.0, 2.0, 12.0, 4.0]}),
    ]
    review(either_workspace, person, [row.id], REJECTED, "no")
    assert states(either_workspace, dataset) == ["superseded", "accepted", "rejected"]
    preview = preview_dataset_deletion(either_workspace, dataset)
    delete_dataset(either_workspace, dataset, preview=preview, confirmation=preview.name)
    assert row_counts(either_workspace)["correction"] == 0

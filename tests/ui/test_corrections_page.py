"""The page of corrections: what is proposed, both sides, filters, and a person's word on one or many."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from audit_core.corrections.records import Action, Change, CorrectionState
from audit_core.domain import Box
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.ui.corrections_drawing import figures_html, page_names
from audit_core.workflow.correction_view import MarkKind, by_query, query_views
from audit_core.workflow.corrections import Draft, list_corrections, propose, review
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.bundles import without_judgments
from tests.homes import with_campaign
from tests.judged_campaigns import save
from tests.ui.conftest import run, shown
from tests.workflow.corrected_queries import Q1, decided, move, on_page, reword

pytestmark = pytest.mark.usefixtures("ada")


@pytest.fixture
def campaign(workspace: Workspace, tmp_path: Path) -> CampaignRow:
    return with_campaign(workspace, tmp_path / "bundle", without_judgments)


def proposed(workspace: Workspace, campaign: CampaignRow, person: Person) -> None:
    """A rewording, and two moves of one box."""
    dataset = workspace.dataset(campaign.dataset_id)
    for draft in (reword(after="<b>What</b> is one?"), move(9), move(20)):
        propose(workspace, person, dataset, [draft])


def opened(campaign: CampaignRow) -> AppTest:
    return run("corrections", dataset=str(campaign.dataset_id))


def states(workspace: Workspace, campaign: CampaignRow) -> list[str]:
    return [each.row.state.value for each in list_corrections(workspace, campaign.dataset_id)]


def html(page: AppTest) -> str:
    return "\n".join(each.proto.body for each in page.get("html"))


def click(page: AppTest, key: str) -> AppTest:
    page.button(key=key).click().run()
    assert not page.exception, page.exception
    return page


def test_without_a_dataset_the_page_says_so() -> None:
    assert "no dataset yet" in run("corrections").info[0].value


def test_without_corrections_the_page_says_what_to_do(campaign: CampaignRow) -> None:
    assert "No corrections yet. Propose" in opened(campaign).info[0].value


def test_both_sides_are_shown_escaped_with_what_differs_marked(
    workspace: Workspace, campaign: CampaignRow, ada: Person
) -> None:
    proposed(workspace, campaign, ada)
    page = opened(campaign)
    said = html(page)
    assert "<s>what</s> is one?" in said
    assert "<mark>&lt;b&gt;What&lt;/b&gt;</mark> is one?" in said
    assert "<s>3,</s>" in said
    assert "Only one of this and correction 2 can be accepted as it is." in said
    assert "3 proposed · 0 accepted" in shown(page)
    assert "structure: Page-Single (unchanged)" in shown(page)


def test_chosen_corrections_are_accepted_together_and_what_does_not_fit_is_named(
    workspace: Workspace, campaign: CampaignRow, ada: Person
) -> None:
    proposed(workspace, campaign, ada)
    page = opened(campaign)
    assert page.button(key="corrections-accept").disabled
    click(page, "choose-all")
    click(page, "corrections-accept")
    assert states(workspace, campaign) == ["accepted", "accepted", "proposed"]
    assert "2 corrections accepted. 1 left as they are" in shown(page)
    assert "stale: rebase" in html(page)
    assert not page.checkbox(key="correction-chosen-3").value
    page.checkbox(key="correction-chosen-3").check().run()
    click(page, "corrections-rebase")
    assert states(workspace, campaign) == ["accepted", "accepted", "superseded", "proposed"]


def test_what_was_accepted_is_rejected_with_a_note_alone(
    workspace: Workspace, campaign: CampaignRow, ada: Person
) -> None:
    proposed(workspace, campaign, ada)
    review(workspace, ada, [1], CorrectionState.ACCEPTED)
    page = opened(campaign)
    page.selectbox(key=f"corrections-state-{campaign.dataset_id}").set_value("accepted").run()
    assert "self-reviewed" in html(page)
    page.checkbox(key="correction-chosen-1").check().run()
    click(page, "corrections-reject")
    assert "say in a note why it is rejected now" in shown(page)
    page.text_input(key="corrections-note").set_value("wrong after all").run()
    page.checkbox(key="correction-chosen-1").check().run()
    click(page, "corrections-reject")
    assert states(workspace, campaign)[0] == "rejected"


def test_filters_narrow_the_list_and_what_they_hide_is_not_acted_on(
    workspace: Workspace, campaign: CampaignRow, ada: Person
) -> None:
    proposed(workspace, campaign, ada)
    page = opened(campaign)
    click(page, "choose-all")
    page.selectbox(key="corrections-code").select("F").run()
    assert 'data-correction="1"' in html(page)
    assert 'data-correction="2"' not in html(page)
    assert page.button(key="corrections-accept").disabled
    click(page, "choose-these")
    click(page, "corrections-accept")
    assert states(workspace, campaign) == ["accepted", "proposed", "proposed"]
    page.text_input(key="corrections-query").set_value("nothing").run()
    assert "No correction is like that." in shown(page)


def test_decisions_are_proposed_from_the_page(workspace: Workspace, campaign: CampaignRow, ada: Person) -> None:
    decided(workspace, campaign, ada, 3, "U", correction={"drop_pages": ["p3"]})
    decided(workspace, campaign, ada, 1, "N")
    page = opened(campaign)
    page.checkbox(key="propose-withdraws").check().run()
    click(page, "propose-decisions")
    assert "2 corrections proposed" in shown(page)
    assert states(workspace, campaign) == ["proposed", "proposed"]
    assert "Cross-Doc -> Page-Single" in shown(page)


def test_a_box_is_revised_by_numbers_and_drawn_on_its_page_meanwhile(
    workspace: Workspace, campaign: CampaignRow, ada: Person
) -> None:
    proposed(workspace, campaign, ada)
    page = click(opened(campaign), "revise-open-2")
    assert 'data-testid="draft-box"' in html(page)
    page.number_input(key="revise-right-2").set_value(500.0).run()
    click(page, "revise-propose-2")
    assert "on its page" in shown(page)
    page.number_input(key="revise-right-2").set_value(50.0).run()
    assert "left: 1.000%; top: 1.000%; width: 49.000%; height: 1.000%" in html(page)
    page.selectbox(key="revise-code-2").select("no code").run()
    click(page, "revise-propose-2")
    assert "Revision 2 of correction 2 is proposed, as 4" in shown(page)
    assert "revise-propose-2" not in {each.key for each in page.button}
    newest = list_corrections(workspace, campaign.dataset_id)[-1].row
    assert newest.change.after == {**Q1, "box": [1.0, 2.0, 50.0, 4.0]}
    assert (newest.code, newest.revision) == (None, 2)
    assert states(workspace, campaign) == ["proposed", "superseded", "proposed", "proposed"]


def test_a_text_is_revised_in_its_form(workspace: Workspace, campaign: CampaignRow, ada: Person) -> None:
    proposed(workspace, campaign, ada)
    page = click(opened(campaign), "revise-open-1")
    page.text_area(key="revise-after-1").set_value("what is  one?").run()
    click(page, "revise-propose-1")
    assert "in blanks alone" in shown(page)
    page.text_area(key="revise-after-1").set_value("Which one?").run()
    click(page, "revise-propose-1")
    assert list_corrections(workspace, campaign.dataset_id)[-1].row.change.after == "Which one?"


def test_when_all_are_reviewed_the_page_leads_to_the_release(
    workspace: Workspace, campaign: CampaignRow, ada: Person
) -> None:
    propose(workspace, ada, workspace.dataset(campaign.dataset_id), [reword(after="What is one now?")])
    assert "All are reviewed" not in shown(opened(campaign))
    review(workspace, ada, [1], CorrectionState.ACCEPTED)
    page = opened(campaign)
    assert "All are reviewed" in shown(page)
    assert f"dataset={campaign.dataset_id}" in str([each.proto for each in page.get("page_link")])


def test_a_stale_correction_that_cannot_be_rebased_is_offered_no_rebasing(
    workspace: Workspace, campaign: CampaignRow, ada: Person
) -> None:
    dataset = workspace.dataset(campaign.dataset_id)
    gone = Draft(Change("q1", Action.WITHDRAW, {}, None, None), "N", "")
    for each in (reword(after="What is one now?"), gone):
        propose(workspace, ada, dataset, [each])
    review(workspace, ada, [2], CorrectionState.ACCEPTED)
    page = opened(campaign)
    assert "stale, cannot be rebased" in html(page)
    assert "Reject it, or reject the withdrawal" in html(page)
    assert "corrections-rebase" not in {each.key for each in page.button}


def test_pages_name_their_document_where_a_query_s_pages_are_of_several(
    workspace: Workspace, campaign: CampaignRow, ada: Person
) -> None:
    dataset = workspace.dataset(campaign.dataset_id)
    propose(workspace, ada, dataset, [on_page("add-page", "p2", after={"page_id": "p2"})])
    assert "add a page: p. 2</b>" in html(opened(campaign)).replace(" (“2”)", "")
    propose(workspace, ada, dataset, [on_page("add-page", "p3", after={"page_id": "p3"})])
    (view,) = query_views(workspace, ada, dataset, by_query(list_corrections(workspace, dataset.id)))
    titles = {each.page["page_id"]: each.page["title"] for each in view.figures}
    for page_id, name in page_names(view).items():
        assert name.endswith(f" of {titles[page_id]}")


def test_queries_that_wait_for_one_s_own_judgment_are_not_shown(workspace: Workspace, campaign: CampaignRow) -> None:
    bob = sign_in(workspace, "Bob")
    proposed(workspace, campaign, bob)
    ada = sign_in(workspace, "Ada")
    save(workspace, campaign, ada, 2, codes="F")
    page = opened(campaign)
    assert "Corrections of 1 query wait for your own judgment on it" in shown(page)
    assert "data-correction" not in html(page)
    save(workspace, campaign, ada, 1, codes="F")
    assert 'data-correction="1"' in html(opened(campaign))


def test_boxes_are_marked_old_new_and_staying_and_what_passes_is_not(
    workspace: Workspace, campaign: CampaignRow, ada: Person
) -> None:
    dataset = workspace.dataset(campaign.dataset_id)
    whole, boxed = {"page_id": "p2"}, {"page_id": "p2", "box": [0.0, 0.0, 50.0, 50.0]}
    propose(
        workspace,
        ada,
        dataset,
        [move(9), on_page("add-page", "p2", after=whole), on_page("add-box", "p2", before=whole, after=boxed)],
    )
    (view,) = query_views(workspace, ada, dataset, by_query(list_corrections(workspace, dataset.id)))
    first, second = view.figures
    old, new = Box(0.01, 0.01, 0.03, 0.02), Box(0.01, 0.01, 0.09, 0.02)
    assert [(each.kind, each.box, each.corrections) for each in first.marks] == [
        (MarkKind.NEW, new, (1,)), (MarkKind.OLD, old, (1,)),
    ]  # fmt: skip
    assert [(each.kind, each.box, each.corrections) for each in second.marks] == [
        (MarkKind.NEW, Box(0.0, 0.0, 0.5, 0.25), (3,))
    ]
    (alone,) = query_views(workspace, ada, dataset, [list_corrections(workspace, dataset.id)[1:]])
    assert [each.page["page_id"] for each in alone.figures] == ["p2"]
    drawn = figures_html(view.figures)
    assert 'class="box old high"' not in drawn
    assert 'class="box old"' in drawn
    assert "left: 1.000%; top: 1.000%; width: 8.000%; height: 1.000%" in drawn
    assert Q1["page_id"] in str(first.page)


def test_a_box_that_goes_and_comes_again_in_another_set_is_shown_where_it_stays(
    workspace: Workspace, campaign: CampaignRow, ada: Person
) -> None:
    dataset = workspace.dataset(campaign.dataset_id)
    page_id, again = Q1["page_id"], {**Q1, "set_id": "b"}
    whole = {"page_id": page_id, "set_id": "b"}
    drafts = [
        on_page("drop-page", page_id, before=[Q1]),
        on_page("add-page", page_id, set_id="b", after=whole),
        on_page("add-box", page_id, set_id="b", before=whole, after=again),
    ]
    propose(workspace, ada, dataset, drafts)
    (view,) = query_views(workspace, ada, dataset, by_query(list_corrections(workspace, dataset.id)))
    (figure,) = view.figures
    assert [(each.kind, each.box, each.corrections) for each in figure.marks] == [
        (MarkKind.STAYS, Box(0.01, 0.01, 0.03, 0.02), (1, 3))
    ]
    assert '<span class="tag">1, 3 stays</span>' in figures_html(view.figures)


def test_the_list_begins_with_what_was_accepted_where_nothing_waits(
    workspace: Workspace, campaign: CampaignRow, ada: Person
) -> None:
    propose(workspace, ada, workspace.dataset(campaign.dataset_id), [reword(after="What is one now?")])
    key = f"corrections-state-{campaign.dataset_id}"
    assert opened(campaign).selectbox(key=key).value == "proposed"
    review(workspace, ada, [1], CorrectionState.ACCEPTED, "")
    assert 'data-correction="1"' in html(opened(campaign))

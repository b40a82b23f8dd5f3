"""The page of corrections: what is proposed, both sides, filters, and a person's word on one or many."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from audit_core.corrections.records import CorrectionState
from audit_core.domain import Box
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.ui.corrections_drawing import figures_html
from audit_core.workflow.correction_view import MarkKind, by_query, query_views
from audit_core.workflow.corrections import list_corrections, propose, review
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
    page.segmented_control(key=f"corrections-state-{campaign.dataset_id}").set_value("accepted").run()
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


def test_a_correction_is_revised_in_its_form(workspace: Workspace, campaign: CampaignRow, ada: Person) -> None:
    proposed(workspace, campaign, ada)
    page = opened(campaign)
    wider = {**Q1, "box": [1, 2, 50, 4]}
    page.text_area(key="revise-after-2").set_value("{")
    page.button(key="FormSubmitter:revise-2-Propose this revision").click().run()
    assert "is no JSON" in shown(page)
    page.text_area(key="revise-after-2").set_value(json.dumps({**wider, "box": [1, 2, 500, 4]}))
    page.button(key="FormSubmitter:revise-2-Propose this revision").click().run()
    assert "on its page" in shown(page)
    page.text_area(key="revise-after-2").set_value(json.dumps(wider))
    page.selectbox(key="revise-code-2").select("no code")
    page.button(key="FormSubmitter:revise-2-Propose this revision").click().run()
    assert "Revision 2 of correction 2 is proposed, as 4" in shown(page)
    newest = list_corrections(workspace, campaign.dataset_id)[-1].row
    assert (newest.change.after["box"], newest.code, newest.revision) == ([1.0, 2.0, 50.0, 4.0], None, 2)
    assert states(workspace, campaign) == ["proposed", "superseded", "proposed", "proposed"]


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
    assert "proposed (1)" in str(opened(campaign).get("button_group"))
    review(workspace, ada, [1], CorrectionState.ACCEPTED, "")
    assert 'data-correction="1"' in html(opened(campaign))

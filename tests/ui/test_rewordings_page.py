"""The page of rewordings: what was proposed, accepted, rejected and decided again, and by whom."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from audit_core.sampling import ActivePart, Selection
from audit_core.storage.cleaning_runs import Rewording
from audit_core.storage.cleaning_tables import ProposalState, RunKind
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.cleanings import add_run, finish_run
from audit_core.workflow.mixed_campaigns import MixedRequest, start_mixed_campaign
from audit_core.workflow.rewrites import list_rewrites
from audit_core.workflow.workspace import Workspace
from tests.cleaning.rated_bundle import Rated
from tests.cleaning.ui.finished_scoring import ASKED, FEW, rated_dataset
from tests.ui.cleaning_pages import RUNNING, html, press, said, table, waiting_run
from tests.ui.conftest import run, shown

pytestmark = pytest.mark.usefixtures("ada", "started")


@pytest.fixture
def few(workspace: Workspace, tmp_path: Path) -> tuple[Rated, DatasetRow]:
    """48 queries, 12 of them bad."""
    return rated_dataset(workspace, tmp_path / "few", sizes=FEW, with_sample=False)


def proposed(workspace: Workspace, few: tuple[Rated, DatasetRow], *, count: int = 12) -> int:
    """A finished run with a proposal for as many bad queries; of 15 that were asked about one was to stay, two failed."""
    rated, dataset = few
    revision = workspace.revision(dataset)
    rows = [
        Rewording(each, revision.query(each).text, rated.truth[revision.query(each).text]["query"] or "Other?", "It points.")
        for each in rated.bad[:count]
    ]  # fmt: skip
    row = add_run(workspace, dataset, kind="rewrite", name="better", spec={})
    stage = ASKED["stages"][0]
    result = {"queries": count + 3, "proposed": count, "unchanged": 1, "unanswered": 2, "asked": stage, "spent": {}}
    finish_run(workspace, row.id, result=result, rewordings=rows)
    return row.id


def opened(number: int) -> AppTest:
    """The page of a run."""
    return run("rewordings", rewordings=str(number))


def states(workspace: Workspace, number: int) -> list[str]:
    """The states of all proposals."""
    return [each.state.value for each in list_rewrites(workspace, number)]


def test_without_a_number_the_page_says_where_rewordings_are() -> None:
    assert "the cleaning page lists them" in run("rewordings").info[0].value


def test_rewordings_that_are_being_asked_for_show_their_progress(
    workspace: Workspace, few: tuple[Rated, DatasetRow]
) -> None:
    view = waiting_run(workspace, few[1], RunKind.REWRITE, {"name": "slow"}, **RUNNING)
    page = opened(view.row.id)
    assert len(page.get("progress")) == 1
    page.button(key="cancel-rewrite").click().run()
    assert not page.exception


def test_what_came_of_the_run_and_what_was_asked_stand_above_the_proposals(
    workspace: Workspace, few: tuple[Rated, DatasetRow]
) -> None:
    page = opened(proposed(workspace, few))
    words = shown(page)
    said_of_it = "12 proposals for 15 queries, 1 left as they are by the model, 2 without a usable answer"
    assert f"**{said_of_it}.**" in words
    assert "On rated revision 1." in words
    assert '<td class="text">truncated</td><td>3</td>' in table(page, "model-answers")
    assert "Prompt llm_rating (0123456789ab)" in words
    assert f"rated revision 1 · {said_of_it} · 20" in shown(run("cleaning"))


def test_ten_proposals_are_shown_at_once_with_what_changed_marked(
    workspace: Workspace, few: tuple[Rated, DatasetRow]
) -> None:
    page = opened(proposed(workspace, few))
    assert page.segmented_control(key="rewordings-which").options == ["open (12)", "accepted (0)", "rejected (0)"]
    assert html(page).count('data-testid="rewording"') == 10
    assert "<s>What does the table above give</s> for" in html(page)
    assert "<mark>Which figure is given</mark> for" in html(page)
    part = next(each for each in page.number_input if each.label == "Page of 2")
    part.set_value(2).run()
    assert html(page).count('data-testid="rewording"') == 2


def test_a_proposal_is_accepted_rejected_and_decided_again_under_ones_name(
    workspace: Workspace, few: tuple[Rated, DatasetRow]
) -> None:
    number = proposed(workspace, few, count=2)
    first, second = few[0].bad[:2]
    page = opened(number)
    page.button(key=f"accept-{first}").click().run()
    assert not page.exception
    assert states(workspace, number) == ["accepted", "proposed"]
    assert page.segmented_control(key="rewordings-which").options == ["open (1)", "accepted (1)", "rejected (0)"]
    # The card stays where it is, so that a second click meets nothing else.
    assert html(page).count('data-testid="rewording"') == 2
    assert (page.button(key=f"accept-{first}").disabled, page.button(key=f"reject-{first}").disabled) == (True, False)
    assert ":green-badge[accepted] by Ada" in shown(page)
    page.button(key=f"reject-{second}").click().run()
    assert states(workspace, number) == ["accepted", "rejected"]
    page.segmented_control(key="rewordings-which").set_value(ProposalState.REJECTED).run()
    assert html(page).count('data-testid="rewording"') == 1
    page.segmented_control(key="rewordings-which").set_value(ProposalState.PROPOSED).run()
    assert "None here." in said(page.info)
    page.segmented_control(key="rewordings-which").set_value(ProposalState.ACCEPTED).run()
    assert ":green-badge[accepted] by Ada" in shown(page)
    assert [each.disabled for each in page.button if each.label == "Accept"] == [True]
    press(page, "Reject")
    assert states(workspace, number) == ["rejected", "rejected"]
    page.segmented_control(key="rewordings-which").set_value(ProposalState.REJECTED).run()
    assert ":orange-badge[rejected] by Ada" in shown(page)
    page.button(key=f"accept-{second}").click().run()
    assert states(workspace, number) == ["rejected", "accepted"]


def test_where_nothing_was_proposed_it_is_said(workspace: Workspace, few: tuple[Rated, DatasetRow]) -> None:
    page = opened(proposed(workspace, few, count=0))
    assert "no rewording that can be used" in said(page.info)


def test_a_query_that_waits_for_ones_own_judgment_is_not_shown(
    workspace: Workspace, few: tuple[Rated, DatasetRow]
) -> None:
    number = proposed(workspace, few, count=3)
    hidden = few[0].bad[0]
    part = ActivePart(Selection.DISAGREEMENT, 1, {hidden: 1.0})
    request = MixedRequest(random=1, parts=(part,), seed=1, basis={}, leave_out=())
    start_mixed_campaign(workspace, few[1], request, name="next", protocol="removal")
    page = opened(number)
    assert "wait" in shown(page)
    assert "for your own judgment in the campaign next" in shown(page)
    assert f"<small>{hidden}</small>" not in html(page)


def test_rewordings_are_renamed_and_told_what_a_deletion_takes(
    workspace: Workspace, few: tuple[Rated, DatasetRow]
) -> None:
    number = proposed(workspace, few, count=1)
    page = run("cleaning")
    page.text_input(key=f"name-rewrite-{number}").set_value("second")
    press(page, "Rename")
    assert "Renamed: better is now second." in shown(page)
    page.button(key=f"delete-rewrite-{number}").click().run()
    assert "the decisions on the rewordings go" in shown(page)

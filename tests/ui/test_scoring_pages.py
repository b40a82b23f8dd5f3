"""The page of a scoring: being made, failed, done; and each of its tabs with what it refuses and what it hands on."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from audit_core.storage.cleaning_tables import RunKind
from audit_core.storage.clock import now
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.workflow.campaigns import list_campaigns, start_campaign
from audit_core.workflow.cleanings import RunView, list_runs
from audit_core.workflow.flags import raise_flag
from audit_core.workflow.jobs import get_job
from audit_core.workflow.workspace import Workspace
from cleaning.apply_request import Combine, apply_request_from
from cleaning.rewrite_request import rewrite_request_from
from cleaning.ui.handing_over import APPLY, QUEUE, WHOLE, tabs_key
from tests.cleaning.applied_cleanings import reworded
from tests.cleaning.rated_bundle import Rated
from tests.cleaning.ui.finished_scoring import FEW, finished_scoring, rated_dataset
from tests.mixed_bundle import entries_of
from tests.ui.cleaning_pages import RUNNING, has_table, html, labels_of, press, said, table, waiting_run
from tests.ui.conftest import run, shown

pytestmark = pytest.mark.usefixtures("ada", "started")
SPEC = {"name": "slow", "strategies": [{"strategy": "rules"}]}


@pytest.fixture
def few(workspace: Workspace, tmp_path: Path) -> tuple[Rated, DatasetRow]:
    """48 queries, with a random sample of labels."""
    return rated_dataset(workspace, tmp_path / "few", sizes=FEW)


@pytest.fixture
def many(workspace: Workspace, tmp_path: Path) -> tuple[Rated, DatasetRow]:
    """320 queries, with a random sample of labels."""
    return rated_dataset(workspace, tmp_path / "many")


@pytest.fixture
def done(workspace: Workspace, few: tuple[Rated, DatasetRow]) -> RunView:
    """A finished scoring of 48 queries."""
    return finished_scoring(workspace, few[1], few[0])


def opened(view: RunView, tab: str = "") -> AppTest:
    """The page of a scoring, with one of its tabs open."""
    page = run("scoring", scoring=str(view.row.id))
    if tab:
        page.session_state[tabs_key(view.row.id)] = tab
        page.run()
        assert not page.exception, page.exception
    return page


# While it is made, and where it failed.


def test_without_a_number_the_page_of_a_scoring_says_where_they_are() -> None:
    assert "the cleaning page lists them" in run("scoring").info[0].value


def test_a_scoring_that_is_being_made_shows_its_progress_and_is_cancelled(
    workspace: Workspace, few: tuple[Rated, DatasetRow]
) -> None:
    view = waiting_run(workspace, few[1], RunKind.SCORE, SPEC, **RUNNING)
    page = opened(view)
    (bar,) = page.get("progress")
    assert (bar.proto.value, bar.proto.text.replace("\\", "")) == (40, "asking llm_rating (40 %)")
    assert "you can leave this page" in shown(page)
    listed = run("cleaning")
    assert ":blue-badge[running]" in shown(listed)
    assert "rated revision 1 · 1 strategy" in shown(listed)
    page.button(key="cancel-score").click().run()
    assert not page.exception
    assert get_job(workspace, 1).job.cancel_requested


def test_a_scoring_that_failed_shows_why_and_is_resumed(
    workspace: Workspace, few: tuple[Rated, DatasetRow], started: list[int]
) -> None:
    view = waiting_run(
        workspace, few[1], RunKind.SCORE, SPEC, state="failed", started_at=now(), finished_at=now(), error="402: no money."
    )  # fmt: skip
    page = opened(view)
    assert said(page.error) == "402: no money."
    started.clear()
    page.button(key="resume-score").click().run()
    assert not page.exception
    assert started == [1]
    assert "It goes on by itself" in shown(page)


# Its scores.


def test_the_table_counts_what_each_strategy_removes_keeps_and_leaves_open(done: RunView) -> None:
    page = opened(done)
    lines = {each.partition("</span>")[2].partition("<")[0]: each for each in table(page, "scores").split("<tr>")[2:]}
    # 48 queries, 12 bad; the model misses those at places 0 and 40. Every third is left open by one of them: 16.
    assert "<b>10</b></td><td>20.8</td><td>38</td><td>0</td>" in lines["Llm Rating"]
    assert "<td>16</td></tr>" in lines["Silent"]
    assert "failed: nothing was decided: 48 refused" in lines["Broken"]
    assert "not ranked" in lines["Easy"]
    assert "48 queries" in shown(page)
    assert "trained a strategy" not in shown(page)


def test_strategies_that_say_the_same_are_warned_of_by_their_titles_and_failures_stand_in_the_table(
    done: RunView,
) -> None:
    says = said(opened(done).warning)
    assert "Keep All and Twin give every query the same score" in says
    assert "failed" not in says


def test_undecided_queries_are_listed_apart(done: RunView) -> None:
    page = opened(done)
    page.selectbox(key="scores-strategy").select("silent").run()
    assert not page.exception
    which = page.segmented_control(key="scored-which-silent")
    assert [each.partition(" ")[0] for each in which.options] == ["removed", "kept", "undecided"]
    which.set_value("undecided").run()
    assert not page.exception
    assert html(page).count("<b>score none</b>") == 10
    assert len([each for each in page.button if each.label == "Look"]) == 10
    assert page.number_input(key="scored-part-silent-undecided").label == "Page of 2"


def test_what_became_of_the_questions_stands_with_prompt_price_and_flips(done: RunView) -> None:
    page = opened(done)
    answers = table(page, "model-answers")
    assert '<td class="text">truncated</td><td>3</td><td>6.3</td>' in answers
    words = shown(page)
    assert "Prompt llm_rating (0123456789ab) to `a-model` at `http://127.0.0.1:1/v1`" in words
    assert "41 calls, 12,000 tokens in, 900 out, 0.25 US dollars; the server ignored the schema" in words
    # 4 of 40 by Wilson at 95 %: 4.0 to 23.1 %.
    assert "4 of 40 (10.0 %, 95 % Wilson 4.0-23.1 %)" in words
    page.selectbox(key="scores-strategy").select("graded").run()
    assert not has_table(page, "model-answers")


def test_questions_that_wait_for_an_answer_are_one_click_away(
    workspace: Workspace, few: tuple[Rated, DatasetRow], done: RunView, ada: Person
) -> None:
    campaign = start_campaign(workspace, dataset=few[1], name="look again", protocol="removal")
    links = [each.proto.label for each in opened(done).get("page_link")]
    assert "Dataset" in links
    assert not [each for each in links if "question" in each]
    raise_flag(workspace, ada, entry_id=entries_of(workspace, campaign)[0].id, question="Which table?")
    assert "1 question in look again" in [each.proto.label for each in opened(done).get("page_link")]


# A threshold with a guarantee, and how many are bad in all.


def test_without_a_random_sample_guarantee_and_estimate_are_refused_with_the_way_out(
    workspace: Workspace, tmp_path: Path
) -> None:
    rated, dataset = rated_dataset(workspace, tmp_path / "few", sizes=FEW, with_sample=False)
    page = opened(finished_scoring(workspace, dataset, rated), WHOLE)
    refusals = [each for each in page.warning if "a random sample of its queries" in each.value]
    assert len(refusals) == 2
    assert all("rated has 1 source of labels, none of them" in each.value for each in refusals)
    assert [each.proto.label for each in page.get("page_link")].count("Start a campaign") == 2
    assert "Choose" not in labels_of(page)
    assert not has_table(page, "whole-estimate")


def test_it_is_said_how_many_labels_there_are_and_how_many_a_bound_takes(
    workspace: Workspace, many: tuple[Rated, DatasetRow]
) -> None:
    page = opened(finished_scoring(workspace, many[1], many[0], only=("llm_rating", "graded")))
    # Two strategies at 97.5 % each: 0.9^n <= 0.025 from n = 36 on; one alone at 95 %: 29.
    assert f"{len(many[0].sample)} of 320 queries have a label. The bound takes at least 36" in shown(page)
    page.multiselect(key="guarantee-1-names").set_value(["llm_rating"]).run()
    assert "at least 29" in shown(page)
    page.multiselect(key="guarantee-1-names").set_value([]).run()
    assert "Choose at least one strategy" in shown(page)
    assert page.button(key="guarantee-1-choose").disabled


def test_a_guarantee_that_is_reached_is_handed_over_to_the_tab_that_cleans(
    workspace: Workspace, many: tuple[Rated, DatasetRow]
) -> None:
    view = finished_scoring(workspace, many[1], many[0], only=("graded", "llm_rating"))
    page = opened(view)
    # Before, the first strategy that looks for bad queries is proposed at its own threshold.
    first = next(each for each in page.multiselect if each.label == "Strategies that remove")
    assert first.value == ["llm_rating"]
    press(page, "Choose")
    promise = said(page.success).replace("\u00a0", " ")
    assert promise.startswith(
        "With 95 % confidence at most 10 % of what is kept is bad: Llm Rating removes at a score of 1"
    )
    assert "It keeps 248 queries, 77.5 %." in promise
    reached = table(page, "guarantee")
    # Nothing was held out, and what is missing is told in sentences.
    assert "FOR held out" not in reached
    assert "What is missing" not in reached
    assert "<td>248</td><td>77.5</td>" in reached
    assert "- Graded: To keep more" in shown(page)
    assert has_table(page, "guarantee-steps")
    press(page, "Clean the dataset with this threshold")
    assert page.session_state[tabs_key(view.row.id)] == APPLY
    assert next(each for each in page.multiselect if each.label == "Strategies that remove").value == ["llm_rating"]
    at = next(each for each in page.number_input if each.label == "Threshold of Llm Rating")
    assert at.value == 1.0
    assert "those that the guarantee chose" in shown(page)
    assert "72 of 320 queries go and 248 stay" in shown(page)


def test_a_threshold_is_handed_over_to_its_last_digit(done: RunView) -> None:
    page = opened(done, APPLY)
    for threshold in (0.50011, 0.50014):
        page.session_state["apply-chosen-1"] = {"graded": threshold}
        page.run()
        assert not page.exception
        at = next(each for each in page.number_input if each.label == "Threshold of Graded")
        assert at.value == threshold


def test_a_guarantee_that_is_not_reached_says_what_is_missing(
    workspace: Workspace, few: tuple[Rated, DatasetRow], done: RunView
) -> None:
    page = opened(done)
    press(page, "Choose")
    assert "No threshold gives at most 10" in said(page.warning)
    assert "Not reachable with these labels" in shown(page)
    assert "more labels are needed" in shown(page)
    assert "Clean the dataset with this threshold" not in labels_of(page)
    assert has_table(page, "guarantee")


def test_what_was_chosen_is_shown_for_the_same_choices_only(
    workspace: Workspace, many: tuple[Rated, DatasetRow]
) -> None:
    page = opened(finished_scoring(workspace, many[1], many[0], only=("llm_rating",)))
    press(page, "Choose")
    assert page.success
    page.number_input(key="guarantee-1-risk").set_value(2.0).run()
    assert not page.success
    assert not has_table(page, "guarantee")
    assert "it is of other choices" in shown(page)
    page.number_input(key="guarantee-1-risk").set_value(10.0).run()
    assert page.success


def test_a_threshold_that_keeps_all_has_nothing_to_hand_over(
    workspace: Workspace, many: tuple[Rated, DatasetRow]
) -> None:
    page = opened(finished_scoring(workspace, many[1], many[0], only=("llm_rating",)))
    page.number_input(key="guarantee-1-risk").set_value(50.0).run()
    press(page, "Choose")
    assert "keeps every query" in said(page.success)
    assert "nothing to clean" in shown(page)
    assert "Clean the dataset with this threshold" not in labels_of(page)


def test_the_estimate_for_all_is_worked_out_where_it_is_looked_at(
    workspace: Workspace, many: tuple[Rated, DatasetRow]
) -> None:
    view = finished_scoring(workspace, many[1], many[0], only=("llm_rating", "graded"))
    assert not has_table(opened(view), "whole-estimate")
    page = opened(view, WHOLE)
    whole = table(page, "whole-estimate")
    assert "Of 320 queries in all, to be removed" in whole
    assert "To remove, %" in whole
    assert f"From {len(many[0].sample)} labels alone: " in shown(page)
    drawn = table(page, "whole-drawn")
    assert drawn.index("Labels alone") < drawn.index("With the scores of Llm Rating")
    assert "labels alone</td>" in drawn


# What to label next.


def test_the_shares_begin_as_the_scores_allow_and_what_they_do_not_allow_is_said(done: RunView) -> None:
    page = opened(done, QUEUE)
    shares = ["queue-random", "queue-disagreement", "queue-near"]
    assert [page.number_input(key=each).value for each in shares] == [40, 30, 30]
    assert "Start the campaign" in labels_of(page)
    page.multiselect(key="queue-by").set_value(["llm_rating"]).run()
    assert "Llm Rating alone disagrees with nobody: set the share of disagreement to 0" in said(page.info)
    page.number_input(key="queue-disagreement").set_value(0).run()
    assert "say yes or no, so no query is near a threshold" in said(page.info)
    assert "--" not in said(page.info)
    page.number_input(key="queue-near").set_value(0).run()
    assert "All shares but the random one are 0" in said(page.info)
    page.multiselect(key="queue-by").set_value([]).run()
    assert "Choose at least one strategy" in said(page.info)
    assert "Start the campaign" not in labels_of(page)


def test_yes_or_no_scores_begin_without_queries_near_a_threshold(
    workspace: Workspace, few: tuple[Rated, DatasetRow]
) -> None:
    page = opened(finished_scoring(workspace, few[1], few[0], only=("llm_rating", "keep_all")), QUEUE)
    shares = ["queue-random", "queue-disagreement", "queue-near"]
    assert [page.number_input(key=each).value for each in shares] == [100, 0, 0]
    assert "All shares but the random one are 0" in said(page.info)


def test_a_campaign_of_what_to_label_next_is_started(
    workspace: Workspace, few: tuple[Rated, DatasetRow], done: RunView, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = opened(done, QUEUE)
    page.number_input(key="queue-entries").set_value(10).run()
    press(page, "Start the campaign")
    assert "The campaign scores next is open." in said(page.success)
    (campaign,) = list_campaigns(workspace)
    assert (campaign.campaign.name, campaign.entries) == ("scores next", 10)
    # A second click a moment later opens the same; after that the name is taken.
    press(page, "Start the campaign")
    assert "The campaign scores next is open." in said(page.success)
    assert len(list_campaigns(workspace)) == 1
    monkeypatch.setattr("cleaning.ui.one_start._SECONDS", 0.0)
    press(page, "Start the campaign")
    assert "scores next" in said(page.error)
    assert len(list_campaigns(workspace)) == 1


# Rewording.


def test_what_is_asked_for_is_what_the_rewording_gets(
    workspace: Workspace, done: RunView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_LLM_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("ASSAY_LLM_MODEL", "a-model")
    page = opened(done)
    page.selectbox(key="reword-1-strategy").select("llm_rating")
    page.toggle(key="reword-1-pages").set_value(True)
    page.text_input(key="reword-1-model").set_value("another")
    page.number_input(key="reword-1-cap-calls").set_value(30)
    page.number_input(key="reword-1-in-flight").set_value(3).run()
    press(page, "Ask for rewordings")
    assert page.title[0].value == "rewordings 1"
    (view,) = list_runs(workspace, kind=RunKind.REWRITE)
    request = rewrite_request_from(view.row.spec)
    assert (request.scoring, request.strategy, request.in_flight) == (1, "llm_rating", 3)
    assert request.options == {"with_answer": True, "with_pages": True, "model": {"model": "another"}}
    assert request.caps == {"calls": 30}


def test_the_estimate_of_rewordings_sends_nothing(done: RunView, monkeypatch: pytest.MonkeyPatch) -> None:
    # Nothing listens there: a question that is sent would fail.
    monkeypatch.setenv("ASSAY_LLM_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("ASSAY_LLM_MODEL", "a-model")
    page = opened(done)
    press(page, "Estimate calls and cost")
    planned = table(page, "llm-estimate")
    assert '<td class="text">Rewordings</td><td class="text">a-model</td><td>10</td><td>0</td><td>10</td>' in planned


def test_without_a_model_rewordings_are_refused_before_anything_is_started(workspace: Workspace, done: RunView) -> None:
    page = press(opened(done), "Ask for rewordings")
    assert "No language model is named" in said(page.error)
    assert not list_runs(workspace, kind=RunKind.REWRITE)


def test_where_nothing_is_removed_there_is_nothing_to_reword_and_nothing_to_choose(
    workspace: Workspace, few: tuple[Rated, DatasetRow]
) -> None:
    page = opened(finished_scoring(workspace, few[1], few[0], only=("keep_all",)), QUEUE)
    says = said(page.info)
    assert "there is nothing to reword" in says
    assert "no threshold to choose" in says
    assert "nothing to choose by" in says
    assert "Choose at least one strategy" in says


# Cleaning.


def test_a_union_of_two_strategies_is_previewed_and_stored(
    workspace: Workspace, few: tuple[Rated, DatasetRow], done: RunView, started: list[int]
) -> None:
    page = opened(done, APPLY)
    names = next(each for each in page.multiselect if each.label == "Strategies that remove")
    names.set_value(["llm_rating", "graded"]).run()
    assert not page.exception
    assert page.segmented_control(key="apply-combine").value == Combine.UNION
    assert "A query goes where it is removed by any of them." in shown(page)
    assert has_table(page, "preview-source")
    press(page, "Make the cleaned revision")
    assert page.title[0].value == "scores applied"
    (view,) = list_runs(workspace, kind=RunKind.APPLY)
    request = apply_request_from(view.row.spec)
    assert [(each.strategy, each.threshold) for each in request.strategies] == [("llm_rating", 0.5), ("graded", 0.5)]
    assert (request.combine, request.revision, request.rewrites) == (Combine.UNION, "1-cleaned", None)
    assert started == [1]


def test_several_of_the_strategies_may_decide(workspace: Workspace, done: RunView) -> None:
    page = opened(done, APPLY)
    names = next(each for each in page.multiselect if each.label == "Strategies that remove")
    names.set_value(["llm_rating", "graded", "silent"]).run()
    page.segmented_control(key="apply-combine").set_value(Combine.K_OF_N).run()
    page.number_input(key="apply-k").set_value(3).run()
    press(page, "Make the cleaned revision")
    request = apply_request_from(list_runs(workspace, kind=RunKind.APPLY)[0].row.spec)
    assert (request.combine, request.k) == (Combine.K_OF_N, 3)


def test_a_revision_that_is_there_already_is_refused_in_place(workspace: Workspace, done: RunView) -> None:
    page = opened(done, APPLY)
    page.text_input(key="apply-revision").set_value("1").run()
    assert "Make the cleaned revision" not in labels_of(page)
    assert "1" in said(page.error)
    assert "already" in said(page.error)
    page.text_input(key="apply-revision").set_value("2").run()
    assert not page.error
    assert "Make the cleaned revision" in labels_of(page)


def test_without_a_strategy_nothing_is_cleaned(done: RunView) -> None:
    page = opened(done, APPLY)
    next(each for each in page.multiselect if each.label == "Strategies that remove").set_value([]).run()
    assert "Choose at least one strategy." in said(page.info)
    assert "Make the cleaned revision" not in labels_of(page)


def test_accepted_rewordings_can_go_in(workspace: Workspace, few: tuple[Rated, DatasetRow], done: RunView) -> None:
    text = workspace.revision(few[1]).query(few[0].bad[1]).text
    reworded(workspace, few[1], {few[0].bad[1]: (text, "Which figure is meant?")})
    page = opened(done, APPLY)
    page.selectbox(key="apply-rewrites").select_index(1).run()
    assert not page.exception
    assert "9 of 48 queries go" in shown(page)
    press(page, "Make the cleaned revision")
    assert apply_request_from(list_runs(workspace, kind=RunKind.APPLY)[0].row.spec).rewrites == 2


# Its menu.


def test_a_scoring_is_renamed_archived_and_restored_and_told_what_a_deletion_takes(
    workspace: Workspace, done: RunView
) -> None:
    page = run("cleaning")
    page.text_input(key="name-score-1").set_value("second")
    press(page, "Rename")
    assert "Renamed: scores is now second." in shown(page)
    page.button(key="archive-score-1").click().run()
    assert list_runs(workspace, kind=RunKind.SCORE) == []
    page.button(key="restore-score-1").click().run()
    assert [each.row.name for each in list_runs(workspace, kind=RunKind.SCORE)] == ["second"]
    page.button(key="delete-score-1").click().run()
    words = shown(page)
    assert "The scoring **second**" in words
    assert "its results go" in words
    assert "the answers of language models and the dataset stay" in words


def test_a_scoring_is_deleted_once_its_name_is_typed(workspace: Workspace, done: RunView) -> None:
    page = AppTest.from_function(_deletion, args=(done.row.id,), default_timeout=60).run()
    page.text_input(key="typed-name").set_value("other")
    press(page, "Delete for good")
    assert "That is not its name" in said(page.error)
    assert list_runs(workspace, kind=RunKind.SCORE)


def _deletion(number: int) -> None:
    """The inside of the dialog, which a headless run cannot keep open from one run to the next."""
    from audit_core.ui.access import require_person
    from audit_core.workflow.cleanings import get_run
    from audit_core.workflow.workspace import open_workspace
    from cleaning.ui.made import of_run
    from cleaning.ui.made_menu import deletion_form

    deletion_form(of_run(open_workspace(), require_person(), get_run(open_workspace(), number)))

"""The page on which a scoring is started: what is missing, which model is asked under which caps, and what the job gets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from audit_core.storage.cleaning_tables import RunKind
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.cleanings import list_runs
from audit_core.workflow.workspace import Workspace
from cleaning.llm.prompt import load_prompt, prompt_names
from cleaning.score_request import ScoreRequest, score_request_from
from tests.cleaning.ui.finished_scoring import FEW, finished_scoring, rated_dataset
from tests.inference.chat_answers import PROSE, ignores_schema, saying, status
from tests.inference.chat_server import ChatServer, running
from tests.ui.cleaning_pages import has_table, labels_of, press, said, table
from tests.ui.conftest import run, shown

pytestmark = pytest.mark.usefixtures("ada", "started")
KEY = "sk-of-the-settings"


@pytest.fixture
def dataset(workspace: Workspace, tmp_path: Path) -> DatasetRow:
    """48 queries, with labels."""
    return rated_dataset(workspace, tmp_path / "few", sizes=FEW)[1]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A model that the settings name, with a key and no price."""
    with running() as found:
        monkeypatch.setenv("ASSAY_LLM_URL", found.url)
        monkeypatch.setenv("ASSAY_LLM_MODEL", "stub")
        monkeypatch.setenv("ASSAY_LLM_KEY", KEY)
        yield found


def chosen(*names: str) -> AppTest:
    """The page with these strategies chosen, and no others."""
    page = run("new_scoring")
    for each in page.checkbox:
        if each.value:
            each.set_value(False)
    for name in names:
        page.checkbox(key=f"strategy-{name}").set_value(True)
    page.run()
    assert not page.exception, page.exception
    return page


def stored(workspace: Workspace) -> ScoreRequest:
    """What the only scoring was asked to do."""
    (view,) = list_runs(workspace, kind=RunKind.SCORE)
    return score_request_from(view.row.spec)


def test_without_a_dataset_the_page_leads_to_the_import(workspace: Workspace) -> None:
    page = run("new_scoring")
    assert "There is no dataset yet" in page.info[0].value
    assert not page.checkbox


def test_with_a_dataset_and_no_run_each_tab_says_what_one_is_for(dataset: DatasetRow) -> None:
    page = run("cleaning")
    says = said(page.info)
    for words in ("No scoring yet", "No cleaned revision yet", "No rewordings yet"):
        assert words in says
    press(page, "New scoring")
    assert page.title[0].value == "New scoring"


def test_rules_are_proposed_and_without_any_strategy_nothing_is_started(dataset: DatasetRow) -> None:
    page = run("new_scoring")
    assert [each.key for each in page.checkbox if each.value] == ["strategy-rules"]
    page.checkbox(key="strategy-rules").set_value(False).run()
    assert "Choose at least one strategy." in said(page.info)
    assert "Start" not in labels_of(page)


def test_rules_alone_ask_no_model_and_are_started(
    workspace: Workspace, dataset: DatasetRow, started: list[int]
) -> None:
    page = chosen("rules")
    assert "Try it" not in labels_of(page)
    assert "Estimate calls and cost" not in labels_of(page)
    press(page, "Start")
    assert started == [1]
    assert page.title[0].value == "scores 1"
    assert "It goes on by itself" in shown(page)
    request = stored(workspace)
    assert ([each.strategy for each in request.strategies], request.embedder) == (["rules"], "none")
    assert (request.train_labels, request.caps) == (None, None)


def test_a_second_click_a_moment_later_starts_nothing_else_and_later_it_does(
    workspace: Workspace, dataset: DatasetRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = chosen("rules")
    with monkeypatch.context() as patch:
        # The second click ends the first run of the page before it opens the scoring.
        patch.setattr("streamlit.switch_page", lambda *_, **__: None)
        press(page, "Start")
        assert next(each for each in page.text_input if each.label == "Name of the scoring").value == "scores 1"
        page.run()
        assert next(each for each in page.text_input if each.label == "Name of the scoring").value == "scores 2"
        press(page, "Start")
        assert [each.row.name for each in list_runs(workspace, kind=RunKind.SCORE)] == ["scores 1"]
        patch.setattr("cleaning.ui.one_start._SECONDS", 0.0)
        press(page, "Start")
    assert [each.row.name for each in list_runs(workspace, kind=RunKind.SCORE)] == ["scores 2", "scores 1"]


def test_what_learns_is_trained_on_chosen_labels(workspace: Workspace, dataset: DatasetRow) -> None:
    page = chosen("length")
    assert "Labels that train** Length of the query" in shown(page)
    assert "may not choose the threshold" in shown(page)
    next(each for each in page.selectbox if each.label == "Labels").select("labels:train").run()
    press(page, "Start")
    assert stored(workspace).train_labels == "labels:train"


def test_a_name_that_is_taken_is_never_proposed_and_refused_where_it_is_typed(
    workspace: Workspace, tmp_path: Path
) -> None:
    rated, dataset = rated_dataset(workspace, tmp_path / "few", sizes=FEW)
    finished_scoring(workspace, dataset, rated, name="scores 1", only=("llm_rating",))
    page = chosen("rules")
    name = next(each for each in page.text_input if each.label == "Name of the scoring")
    assert name.value == "scores 2"
    name.set_value("scores 1")
    press(page, "Start")
    assert "'scores 1' on this dataset already" in said(page.error)
    assert len(list_runs(workspace, kind=RunKind.SCORE)) == 1


# The language model.


def test_without_a_model_a_scoring_that_asks_one_is_refused_with_what_to_set(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    page = press(chosen("llm_rating"), "Start")
    assert "set ASSAY_LLM_URL and ASSAY_LLM_MODEL" in said(page.error)
    assert not list_runs(workspace, kind=RunKind.SCORE)


def test_caps_questions_at_once_and_what_the_judge_sees_go_into_the_run(
    workspace: Workspace, dataset: DatasetRow, server: ChatServer
) -> None:
    page = chosen("llm_rating", "rules")
    page.number_input(key="judge-repeats-llm_rating").set_value(3)
    page.toggle(key="judge-answer-llm_rating").set_value(True)
    page.number_input(key="llm-cap-calls").set_value(200)
    page.number_input(key="llm-cap-tokens").set_value(90_000)
    page.number_input(key="llm-in-flight").set_value(5).run()
    assert "ASSAY_LLM_KEY is set and is sent to it." in shown(page)
    press(page, "Start")
    request = stored(workspace)
    assert request.caps == {"calls": 200, "tokens": 90_000}
    assert request.in_flight == 5
    options = {each.strategy: each.options for each in request.strategies}
    assert options == {"rules": {}, "llm_rating": {"repeats": 3, "with_answer": True}}
    assert KEY not in str(request.as_json())
    assert server.count == 0


def test_another_server_is_an_option_of_each_strategy_that_asks_and_does_not_get_the_key(
    workspace: Workspace, dataset: DatasetRow, server: ChatServer
) -> None:
    page = chosen("llm_rating", "llm_classifier", "rules")
    page.text_input(key="llm-url").set_value("http://127.0.0.1:9/v1")
    page.text_input(key="llm-model").set_value("other").run()
    assert "is not sent to this one" in shown(page)
    assert KEY not in shown(page)
    press(page, "Start")
    model = {"base_url": "http://127.0.0.1:9/v1", "model": "other"}
    options = {each.strategy: each.options for each in stored(workspace).strategies}
    assert options == {"rules": {}, "llm_rating": {"model": model}, "llm_classifier": {"model": model}}


def test_the_same_server_with_a_stroke_at_the_end_is_no_other_one(dataset: DatasetRow, server: ChatServer) -> None:
    page = chosen("llm_rating")
    page.text_input(key="llm-url").set_value(server.url + "/").run()
    assert "ASSAY_LLM_KEY is set and is sent to it." in shown(page)


def test_money_is_capped_only_where_the_price_is_known(
    dataset: DatasetRow, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = chosen("llm_rating")
    spend = page.number_input(key="llm-cap-spend")
    assert (spend.disabled, spend.placeholder) == (True, "no price")
    monkeypatch.setenv("ASSAY_LLM_PRICE_INPUT", "1")
    monkeypatch.setenv("ASSAY_LLM_PRICE_OUTPUT", "2")
    page.run()
    assert not page.number_input(key="llm-cap-spend").disabled
    # The price is that of the settings' model.
    page.text_input(key="llm-model").set_value("other").run()
    assert page.number_input(key="llm-cap-spend").disabled


def test_a_cap_on_money_goes_into_the_run(
    workspace: Workspace, dataset: DatasetRow, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_LLM_PRICE_INPUT", "1")
    monkeypatch.setenv("ASSAY_LLM_PRICE_OUTPUT", "2")
    page = chosen("llm_rating")
    page.number_input(key="llm-cap-spend").set_value(1.5).run()
    press(page, "Start")
    assert stored(workspace).caps == {"spend": 1.5}


def test_a_model_is_tried_out_with_one_question_and_what_came_of_it_stays_for_this_model(
    dataset: DatasetRow, server: ChatServer
) -> None:
    page = press(chosen("llm_rating"), "Try it")
    assert re.fullmatch(r"It answered in \d+\.\d s\. It keeps to a JSON schema\.", said(page.success))
    page.number_input(key="llm-in-flight").set_value(5).run()
    assert page.success
    page.text_input(key="llm-model").set_value("other").run()
    assert not page.success


def test_a_server_that_does_not_keep_to_a_schema_is_told_apart(dataset: DatasetRow, server: ChatServer) -> None:
    server.otherwise = ignores_schema
    assert "does not keep to a JSON schema by itself" in said(press(chosen("llm_rating"), "Try it").success)
    server.otherwise = saying(PROSE)
    page = press(chosen("llm_rating"), "Try it")
    assert not page.success
    assert "cannot be used" in said(page.warning)


def test_a_server_that_refuses_the_key_is_told_in_words_without_it(dataset: DatasetRow, server: ChatServer) -> None:
    server.otherwise = status(401, f"the key {KEY} is unknown")
    page = press(chosen("llm_rating"), "Try it")
    assert "401" in said(page.warning)
    assert KEY not in shown(page)


def test_the_estimate_sends_nothing_and_is_shown_for_the_same_choices_only(
    dataset: DatasetRow, server: ChatServer
) -> None:
    page = press(chosen("llm_rating", "rules"), "Estimate calls and cost")
    planned = table(page, "llm-estimate")
    # One question a query; no price is known.
    line = '<td class="text">Rated by a language model</td><td class="text">stub</td><td>48</td><td>0</td><td>48</td>'
    assert line in planned
    assert "<td>unknown</td></tr>" in planned
    assert "US $,<br>at most" in planned
    assert server.count == 0
    page.number_input(key="judge-repeats-llm_rating").set_value(2).run()
    assert not has_table(page, "llm-estimate")
    page.number_input(key="judge-repeats-llm_rating").set_value(1).run()
    assert has_table(page, "llm-estimate")
    press(page, "Estimate calls and cost")
    page.checkbox(key="strategy-llm_classifier").set_value(True).run()
    assert not has_table(page, "llm-estimate")


def test_every_prompt_is_shown_word_for_word_with_its_hash(workspace: Workspace, dataset: DatasetRow) -> None:
    page = run("cleaning")
    texts = [each.value for each in page.code]
    titles = [each.label.replace("\\", "") for each in page.expander]
    for name in prompt_names():
        prompt = load_prompt(name)
        assert prompt.text.strip() in texts
        assert f"SHA-256 {prompt.hash}" in shown(page)
        (title,) = [each for each in titles if f"{name}.md" in each]
        assert title.endswith(prompt.hash[:12])
        assert not title.startswith(name)

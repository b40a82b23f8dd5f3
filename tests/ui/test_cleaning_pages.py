"""The pages of cleaning: nothing there, refused, started, running, failed, done, and what their controls do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from audit_core.storage import campaigns, judgments
from audit_core.storage.clock import now
from audit_core.storage.schema import job as job_table
from audit_core.storage.schema import judgment as judgment_table
from audit_core.workflow.comparisons import ComparisonView, comparison_folder, list_comparisons, start_comparison
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.jobs import get_job
from audit_core.workflow.sample import SAMPLE
from audit_core.workflow.workspace import Workspace
from cleaning.labels import MINIMUM_LABELS
from cleaning.request import Choice, ComparisonRequest, request_from
from cleaning.ui.loading import load_result
from tests.bundles import small_bundle
from tests.cleaning.ui.finished_comparison import finish, the_sample
from tests.ui.conftest import run, shown

pytestmark = pytest.mark.usefixtures("ada", "started")


@pytest.fixture
def sample(workspace: Workspace) -> Workspace:
    """The workspace with the built-in sample."""
    import_bundle(workspace, SAMPLE)
    return workspace


@pytest.fixture
def done(sample: Workspace) -> ComparisonView:
    """A finished comparison on the sample."""
    return finish(sample)


def opened(view: ComparisonView) -> AppTest:
    """The page of a comparison."""
    return run("comparison", comparison=str(view.row.id))


def waiting(workspace: Workspace, **columns: Any) -> ComparisonView:
    """A comparison that was started, its job with these columns."""
    request = ComparisonRequest("slow", "labels:removal", (Choice("rules"), Choice("keep_all")))
    row, job = start_comparison(workspace, the_sample(workspace), name=request.name, spec=request.as_json())
    if columns:
        with workspace.database.write() as connection:
            connection.execute(job_table.update().where(job_table.c.id == job.id).values(columns))
    return next(each for each in list_comparisons(workspace) if each.row.id == row.id)


def html(page: AppTest) -> str:
    """All that the page draws as HTML."""
    return "\n".join(each.proto.body for each in page.get("html"))


def test_without_a_dataset_the_page_says_what_to_do_and_shows_the_published_example() -> None:
    page = run("cleaning")
    assert "There is no dataset yet" in page.info[0].value
    assert not [each for each in page.button if each.label == "New comparison"]
    # facts: logistic regression FN 52 of 398 kept, 62.38 % of 638 kept, printed 13.07 %; FOR of XGBoost printed 12.46 %.
    table = html(page)
    for words in ("13.07", "52/398", "398/638", "12.46", "the matrix has 398"):
        assert words in table
    assert "Their order is not established" in shown(page)


def test_with_a_dataset_and_no_comparison_the_page_says_what_one_does(sample: Workspace) -> None:
    page = run("cleaning")
    assert "No comparison yet" in page.info[0].value
    next(each for each in page.button if each.label == "New comparison").click().run()
    assert page.title[0].value == "New comparison"


def test_a_dataset_without_labels_offers_a_campaign_instead_of_a_form(workspace: Workspace, tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path / "b")
    for folder in ("labels", "judgments"):
        for each in (bundle / folder).iterdir():
            each.unlink()
    import_bundle(workspace, bundle)
    page = run("new_comparison")
    assert "has no labels that say which queries to remove" in page.warning[0].value
    assert not page.checkbox


def test_too_few_labels_are_refused_in_place_with_what_is_needed(workspace: Workspace, tmp_path: Path) -> None:
    import_bundle(workspace, small_bundle(tmp_path / "b"))
    page = run("new_comparison")
    assert any(f"at least {MINIMUM_LABELS} are needed" in each.value.replace("\\", "") for each in page.error)
    assert not [each for each in page.button if each.label == "Start"]


def test_the_look_ahead_counts_labels_and_positives_and_follows_the_codes(sample: Workspace) -> None:
    page = run("new_comparison")
    # The sample: 177 labels, 36 of them say remove.
    assert {each.label: each.value for each in page.metric} == {
        "Queries scored": "177", "To remove (20.3 %)": "36", "Folds": "5 x 5",
    }  # fmt: skip
    assert "No labelled query is left out." in shown(page)
    assert 'data-testid="look-ahead-folds"' in html(page)
    assert not page.multiselect
    labels = next(each for each in page.selectbox if each.label == "Labels")
    labels.select("campaign:two-annotators").run()
    (codes,) = page.multiselect
    assert codes.label == "Codes that mean removal"
    assert codes.value == ["F", "N"]
    before = shown(page)
    codes.set_value(["F", "E", "U", "N"]).run()
    assert "removed when the codes hold one of F, E, U, N" in shown(page)
    assert shown(page) != before


def test_the_look_ahead_follows_a_judgment_that_is_saved_meanwhile(sample: Workspace) -> None:
    page = run("new_comparison")
    labels = next(each for each in page.selectbox if each.label == "Labels")
    labels.select("campaign:two-annotators").run()
    before = {each.label: each.value for each in page.metric}["Queries scored"]
    with sample.database.write() as connection:
        row = next(each for each in campaigns.all_rows(connection) if each.name == "two-annotators")
        first = judgments.of_campaign(connection, row.id)[0].entry_id
        connection.execute(judgment_table.delete().where(judgment_table.c.entry_id == first))
    page.run()
    after = {each.label: each.value for each in page.metric}["Queries scored"]
    assert int(after) == int(before) - 1


def test_folds_that_are_impossible_are_refused_with_the_largest_number(sample: Workspace) -> None:
    page = run("new_comparison")
    page.number_input(key="compare-folds").set_value(20).run()
    assert any("folds are possible" in each.value.replace("\\", "") for each in page.error), [
        e.value for e in page.error
    ]
    assert not [each for each in page.button if each.label == "Start"]
    page.toggle(key="compare-fewer").set_value(True).run()
    assert not page.error
    assert [each for each in page.button if each.label == "Start"]


def test_what_is_chosen_is_what_the_job_gets(sample: Workspace, started: list[int]) -> None:
    page = run("new_comparison")
    for each in page.checkbox:
        if each.value and each.key != "strategy-keep_all":
            each.set_value(False)
    page.checkbox(key="strategy-rules").set_value(True)
    page.checkbox(key="strategy-random").set_value(True)
    page.run()
    page.radio(key="threshold-way-random").set_value("tuned for a share kept").run()
    page.number_input(key="wanted-random-tuned for a share kept").set_value(60)
    page.checkbox(key="strategy-union").set_value(True).run()
    page.checkbox(key="strategy-evidence_filter").set_value(True).run()
    page.multiselect(key="members-union").set_value(["rules", "evidence_filter"]).run()
    assert "none of the chosen strategies needs any" in shown(page)
    page.number_input(key="compare-repeats").set_value(2).run()
    next(each for each in page.button if each.label == "Start").click().run()
    assert not page.exception
    assert started == [1]
    (view,) = list_comparisons(sample)
    request = request_from(view.row.spec)
    assert [(each.strategy, each.tune) for each in request.strategies] == [
        ("evidence_filter", None), ("rules", None), ("union", None), ("keep_all", None), ("random", {"share_kept": 0.6}),
    ]  # fmt: skip
    assert request.strategies[2].options == {"members": ["rules", "evidence_filter"]}
    assert (request.name, request.labels, request.embedder, request.repeats) == (
        "removal 1",
        "labels:removal",
        "none",
        2,
    )
    assert page.title[0].value == "removal 1"
    assert "It goes on by itself" in shown(page)


def test_options_that_a_strategy_does_not_know_are_refused_in_place(sample: Workspace) -> None:
    page = run("new_comparison")
    page.text_area(key="options-rules").set_value('{"depth": 3}').run()
    assert any("has no option depth" in each.value.replace("\\", "") for each in page.error)
    page.text_area(key="options-rules").set_value("depth=3").run()
    assert any("are no JSON" in each.value.replace("\\", "") for each in page.error)
    assert not [each for each in page.button if each.label == "Start"]


def test_a_comparison_that_is_being_made_shows_its_progress_and_is_cancelled(sample: Workspace) -> None:
    columns = {
        "state": "running", "runner_token": "t", "runner_pid": 5, "runner_host": "elsewhere", "started_at": now(),
        "heartbeat_at": "9999-01-01T00:00:00.000000Z", "share": 0.4, "step": "training",
    }  # fmt: skip
    view = waiting(sample, **columns)
    page = opened(view)
    (bar,) = page.get("progress")
    assert (bar.proto.value, bar.proto.text.replace("\\", "")) == (40, "training (40 %)")
    listed = run("cleaning")
    assert ":blue-badge[running]" in shown(listed)
    assert "labels removal · 2 strategies" in shown(listed)
    page.button(key="cancel-comparison").click().run()
    assert not page.exception
    assert get_job(sample, 1).job.cancel_requested


def test_a_failed_job_shows_why_and_is_resumed(sample: Workspace, started: list[int]) -> None:
    view = waiting(sample, state="failed", started_at=now(), finished_at=now(), error="The disk is full.")
    page = opened(view)
    assert page.error[0].value.replace("\\", "") == "The disk is full."
    listed = run("cleaning")
    assert ":red-badge[failed]" in shown(listed)
    started.clear()
    page.button(key="resume-comparison").click().run()
    assert not page.exception
    assert started == [1]
    assert "It goes on by itself" in shown(page)


def test_without_a_number_the_page_of_a_comparison_says_where_they_are(sample: Workspace) -> None:
    page = run("comparison")
    assert "Choose a comparison first" in page.info[0].value


def test_the_cleaning_page_passes_the_number_of_a_comparison_on(sample: Workspace) -> None:
    view = waiting(sample)
    assert run("cleaning", comparison=str(view.row.id)).title[0].value == "slow"


def test_a_comparison_that_is_being_made_is_not_deleted(sample: Workspace) -> None:
    page = AppTest.from_function(_deletion, args=(waiting(sample).row.id,), default_timeout=60).run()
    assert page.error[0].value == "slow is being made: cancel it first, on its page."
    assert not page.text_input


def test_the_result_shows_every_count_the_failures_and_the_filters_apart(
    sample: Workspace, done: ComparisonView
) -> None:
    page = opened(done)
    result = load_result(sample, done)
    words, tables = shown(page), html(page)
    assert "177 queries, 36 to remove (20.3 %)" in words
    assert "2 x 5 folds over documents" in words
    assert "Broken** failed and has no figures: RuntimeError: no memory left" in words
    assert "Keep and Twin: give every query the same score" in words
    assert "1 queries that no strategy could be given: empty text (q-empty)." in words
    assert "1 labels are of queries that the dataset does not have (q-unknown)." in words
    assert "labelled set only, n = 177, 36 to remove" in tables
    assert '<td class="none">undefined<small>0 kept</small></td>' in tables
    main, _, difficulty = tables.partition('data-testid="difficulty"')
    assert "not ranked" in difficulty[:300]
    assert "Easy" not in main
    for each in result.summaries:
        rate = each.rates.false_omission
        if rate.estimate is not None:
            assert f"{rate.count:,}/{rate.n:,.0f}" in tables
    undecided = next(each for each in result.summaries if each.name == "silent").rates.confusion
    assert undecided.undecided == 45
    assert f"{undecided.undecided_positive:,} / {undecided.undecided_negative:,}" in tables


def test_the_threshold_slider_moves_the_four_counts(sample: Workspace, done: ComparisonView) -> None:
    page = opened(done)
    table = load_result(sample, done).thresholds["knows"]
    slider = page.select_slider(key="explore-threshold-knows")
    # It starts where the strategy decides as it did, at 0.5.
    assert table.thresholds[slider.value] >= 0.5 > table.thresholds[slider.value - 1]
    slider.set_value(10).run()
    square = next(each.proto.body for each in page.get("html") if 'data-testid="confusion"' in each.proto.body)
    assert f"<b>{table.tp[10]:,}</b>removed, was bad" in square
    assert f"<b>{table.fn[10]:,}</b>kept, should go" in square
    assert f"<b>{table.fp[10]:,}</b>removed, was right" in square
    assert f"<b>{table.tn[10]:,}</b>kept, is right" in square


def test_at_an_equal_share_every_strategy_keeps_as_many(done: ComparisonView) -> None:
    page = opened(done)
    page.segmented_control(key="explore-by").set_value("Equal share kept by all").run()
    page.slider(key="explore-share").set_value(50).run()
    assert not page.exception
    table = next(each.proto.body for each in page.get("html") if 'data-testid="equal-share"' in each.proto.body)
    assert "89 of 177 kept by every strategy" in table
    assert "Base rate" in table
    assert "Easy" not in table


def test_a_pair_lists_exactly_the_queries_on_which_it_differs(sample: Workspace, done: ComparisonView) -> None:
    page = opened(done)
    result = load_result(sample, done)
    page.selectbox(key="pair-first").select("little").run()
    page.selectbox(key="pair-second").select("rules").run()
    assert not page.exception
    pair = next(each for each in result.pairs if (each.first, each.second) == ("little", "rules"))
    ids = [*pair.only_first_removes, *pair.only_second_removes]
    assert len(ids) > 20
    looks = [each.key for each in page.button if (each.key or "").startswith("pair-query-look-")]
    assert looks == [f"pair-query-look-{result.rows[each]}" for each in ids[:10]]
    assert "<mark>" in html(page)
    page.number_input(key="pair-query-part").set_value(2).run()
    looks = [each.key for each in page.button if (each.key or "").startswith("pair-query-look-")]
    assert looks == [f"pair-query-look-{result.rows[each]}" for each in ids[10:20]]
    page.button(key=looks[0]).click().run()
    assert not page.exception
    look = html(page)
    assert 'data-testid="look"' in look
    assert "/api/pages/" in look


def test_the_same_pair_the_other_way_round_turns_every_sign(sample: Workspace, done: ComparisonView) -> None:
    page = opened(done)
    page.selectbox(key="pair-first").select("rules").run()
    page.selectbox(key="pair-second").select("knows").run()
    one = next(each.proto.body for each in page.get("html") if 'data-testid="pair-figures"' in each.proto.body)
    page.selectbox(key="pair-second").select("keep").run()
    page.selectbox(key="pair-first").select("knows").run()
    page.selectbox(key="pair-second").select("rules").run()
    other = next(each.proto.body for each in page.get("html") if 'data-testid="pair-figures"' in each.proto.body)
    pair = next(each for each in load_result(sample, done).pairs if (each.first, each.second) == ("knows", "rules"))
    shift = pair.differences[1].difference
    assert shift is not None
    assert shift < 0
    shown_shift = f"{100 * abs(shift):.1f}"
    assert f"+{shown_shift}<small>" in one
    assert f"-{shown_shift}<small>" in other


def test_labels_that_are_likely_wrong_are_listed_worst_first(sample: Workspace, done: ComparisonView) -> None:
    page = opened(done)
    page.selectbox(key="errors-strategy").select("little").run()
    errors = load_result(sample, done).label_errors("little")
    assert errors.suspects
    assert f"**{len(errors.suspects):,} of 177** labels are likely wrong" in shown(page)
    rows = load_result(sample, done).rows
    looks = [each.key for each in page.button if (each.key or "").startswith("error-query-look-")]
    assert looks == [f"error-query-look-{rows[each.query_id]}" for each in errors.suspects[:5]]


def test_a_comparison_whose_files_were_changed_is_refused_by_name(sample: Workspace, done: ComparisonView) -> None:
    file = comparison_folder(sample, done.row.id) / "split.json"
    content = json.loads(file.read_text())
    content["seed"] = 2
    file.write_text(json.dumps(content))
    page = AppTest.from_function(_opened, args=(str(done.row.id),), default_timeout=60)
    page.run()
    assert "split.json was changed since it was written" in page.error[0].value


def _opened(comparison: str) -> None:
    """Stand in for the shell, which shows an error of a page as a sentence."""
    import streamlit as st

    from audit_core.errors import AssayError
    from audit_core.ui.addresses import PAGES

    st.query_params["comparison"] = comparison
    pages = [st.Page(each, default=each.stem == "comparison") for each in sorted(PAGES.glob("*.py"))]
    try:
        st.navigation(pages, position="hidden").run()
    except AssayError as error:
        st.error(str(error))


def test_a_comparison_is_renamed_archived_and_restored_and_told_what_a_deletion_takes(
    sample: Workspace, done: ComparisonView
) -> None:
    number = done.row.id
    page = run("cleaning")
    page.text_input(key=f"name-comparison-{number}").set_value("second")
    next(each for each in page.button if each.label == "Rename").click().run()
    assert "Renamed: first is now second." in shown(page)
    page.button(key=f"archive-comparison-{number}").click().run()
    assert list_comparisons(sample) == []
    page.button(key=f"restore-comparison-{number}").click().run()
    assert [each.row.name for each in list_comparisons(sample)] == ["second"]
    page.button(key=f"delete-comparison-{number}").click().run()
    assert "its results go" in shown(page)


def _deletion(number: int) -> None:
    """The inside of the dialog, which a headless run cannot keep open from one run to the next."""
    from audit_core.ui.access import require_person
    from audit_core.workflow.comparisons import get_comparison
    from audit_core.workflow.workspace import open_workspace
    from cleaning.ui.made import of_comparison
    from cleaning.ui.made_menu import deletion_form

    deletion_form(of_comparison(open_workspace(), require_person(), get_comparison(open_workspace(), number)))


def test_a_comparison_is_deleted_with_its_files_when_its_name_is_typed(
    sample: Workspace, done: ComparisonView, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[str] = []
    monkeypatch.setattr("cleaning.ui.made_menu.st.switch_page", lambda page: left.append(page.stem))
    folder = comparison_folder(sample, done.row.id)
    page = AppTest.from_function(_deletion, args=(done.row.id,), default_timeout=60).run()
    page.text_input(key="typed-name").set_value("another")
    next(each for each in page.button if each.label == "Delete for good").click().run()
    assert page.error[0].value == "That is not its name: type first."
    assert (folder / "card.json").is_file()
    page.text_input(key="typed-name").set_value("first")
    next(each for each in page.button if each.label == "Delete for good").click().run()
    assert not folder.exists()
    assert list_comparisons(sample) == []
    assert left == ["cleaning"]

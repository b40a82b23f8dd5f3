"""Nobody sees what strategies said of a query before their own judgment on it; and which labels the pages offer for what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from html import escape
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from audit_core.domain import CampaignState
from audit_core.sampling import ActivePart, Selection
from audit_core.storage import campaigns
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.cleanings import RunView, add_run, cleaning_folder, find_run, finish_run
from audit_core.workflow.comparisons import ComparisonView
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.mixed_campaigns import MixedRequest, start_mixed_campaign
from audit_core.workflow.sample import SAMPLE
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from cleaning.contract import Reason
from cleaning.finished import Result
from cleaning.scoring import Scoring
from cleaning.scoring_files import write_scoring
from cleaning.ui.loading import load_result
from cleaning.ui.rule_hits import rule_hits
from cleaning.ui.waiting_queries import told, waiting_sentence
from tests.cleaning.scored_sets import scored
from tests.cleaning.ui.finished_comparison import finish, the_sample
from tests.mixed_bundle import entries_of, judge, judged_in_full, mixed_campaign
from tests.ui.conftest import run, shown

SignIn = Callable[[str], None]


@pytest.fixture
def signed_in(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> SignIn:
    """A function that signs somebody in, instead of whoever was before."""

    def change(name: str) -> None:
        person = sign_in(workspace, name)
        monkeypatch.setattr("audit_core.ui.access.current_person", lambda: person)

    return change


def html(page: AppTest) -> str:
    """All that the page draws as HTML."""
    return "\n".join(each.proto.body for each in page.get("html"))


def rows_listed(page: AppTest, key: str) -> list[int]:
    """The rows of a list, in its order, from all its parts."""
    last = next((each for each in page.number_input if (each.key or "").startswith(f"{key}-part")), None)
    found: list[int] = []
    for part in range(1, int(last.max or 1) + 1 if last else 2):
        if last:
            page.number_input(key=last.key or "").set_value(part).run()
            assert not page.exception
        found += [
            int((each.key or "").rpartition("-")[2])
            for each in page.button
            if (each.key or "").startswith(f"{key}-look-")
        ]
    return found


# The page of a comparison.


@pytest.fixture
def done(workspace: Workspace) -> ComparisonView:
    """A finished comparison on the sample."""
    import_bundle(workspace, SAMPLE)
    return finish(workspace)


def queue_of(workspace: Workspace, dataset: DatasetRow, query_ids: list[str], name: str = "next") -> CampaignRow:
    """A campaign of what to label next with exactly these disputed queries, and one at random of the rest."""
    part = ActivePart(Selection.DISAGREEMENT, len(query_ids), dict.fromkeys(query_ids, 1.0))
    request = MixedRequest(1, (part,), seed=next(seed for seed in range(99) if _misses(workspace, dataset, part, seed)))
    return start_mixed_campaign(workspace, dataset, request, name=name)[0]


def _misses(workspace: Workspace, dataset: DatasetRow, part: ActivePart, seed: int) -> bool:
    """Return whether the random entry of that seed is none of the disputed ones, so that all of these are drawn."""
    from audit_core.workflow.mixed_campaigns import draw_mixed

    return len(draw_mixed(workspace, dataset, MixedRequest(1, (part,), seed)).mixed.entries) == part.size + 1


def hide_some(workspace: Workspace, result: Result, query_ids: list[str]) -> tuple[CampaignRow, int]:
    """Start a queue of these; return it with how many queries of the comparison are in it."""
    campaign = queue_of(workspace, the_sample(workspace), query_ids)
    return campaign, sum(each.query_id in result.rows for each in entries_of(workspace, campaign))


@pytest.mark.parametrize("which", ["pair-query", "rule-query", "error-query"])
def test_a_list_of_a_comparison_leaves_out_what_waits_for_the_reader_and_for_nobody_else(
    workspace: Workspace, done: ComparisonView, signed_in: SignIn, which: str
) -> None:
    result = load_result(workspace, done)
    pair = next(each for each in result.pairs if (each.first, each.second) == ("knows", "little"))
    listed = {
        "pair-query": [*pair.only_first_removes, *pair.only_second_removes],
        "rule-query": [result.compared.query_ids[row] for row in rule_hits(result.compared)[0].rows],
        "error-query": [each.query_id for each in result.label_errors("little").suspects],
    }[which]
    hidden = listed[:3]
    assert len(listed) > 3
    campaign, count = hide_some(workspace, result, hidden)
    judge(workspace, entries_of(workspace, campaign), "Bob", fields={"remove": False})

    def page_of(name: str) -> tuple[AppTest, list[int]]:
        signed_in(name)
        page = run("comparison", comparison=str(done.row.id))
        page.selectbox(key="pair-first").select("knows").run()
        page.selectbox(key="pair-second").select("little").run()
        page.selectbox(key="errors-strategy").select("little").run()
        return page, rows_listed(page, which)

    rest = {each.query_id for each in entries_of(workspace, campaign)}
    page, rows = page_of("Ada")
    assert rows == [result.rows[each] for each in listed if each not in rest]
    sentence = waiting_sentence(["next"] * count)
    assert sentence in shown(page)
    for each in hidden:
        assert f"<small>{each}</small>" not in html(page)
        assert escape(result.queries["text"][result.rows[each]]) not in html(page).replace("<mark>", "").replace(
            "</mark>", ""
        )
    page, rows = page_of("Bob")
    assert rows == [result.rows[each] for each in listed]
    assert "for your own judgment" not in shown(page)


def test_a_list_of_which_everything_waits_says_that_there_is_no_other(
    workspace: Workspace, done: ComparisonView, signed_in: SignIn
) -> None:
    result = load_result(workspace, done)
    every = list(result.compared.query_ids)
    part = ActivePart(Selection.DISAGREEMENT, len(every) - 1, dict.fromkeys(every, 1.0))
    start_mixed_campaign(workspace, the_sample(workspace), MixedRequest(1, (part,), seed=1), name="next")
    signed_in("Ada")
    page = run("comparison", comparison=str(done.row.id))
    assert not [each for each in page.button if "-look-" in (each.key or "")]
    assert "No other query is in this list." in shown(page)


def _look(number: int, query_id: str) -> None:
    """The inside of the dialog, which a headless run cannot keep open from one run to the next."""
    from audit_core.ui.access import require_person
    from audit_core.workflow.comparisons import get_comparison
    from audit_core.workflow.workspace import open_workspace
    from cleaning.ui.loading import load_result
    from cleaning.ui.query_look import draw_query

    view = get_comparison(open_workspace(), number)
    draw_query(open_workspace(), require_person(), view.dataset, load_result(open_workspace(), view), query_id)


def test_a_look_at_a_waiting_query_shows_its_pages_and_neither_label_nor_strategies(
    workspace: Workspace, done: ComparisonView, signed_in: SignIn
) -> None:
    result = load_result(workspace, done)
    row = rule_hits(result.compared)[0].rows[0]
    query_id = result.compared.query_ids[row]
    campaign, _ = hide_some(workspace, result, [query_id])
    judge(workspace, entries_of(workspace, campaign), "Bob", fields={"remove": False})
    signed_in("Ada")
    page = AppTest.from_function(_look, args=(done.row.id, query_id), default_timeout=60).run()
    assert not page.exception
    assert "/api/pages/" in html(page)
    assert "1 query waits for your own judgment in the campaign next; its scores are shown after it." in shown(page)
    for words in ("Strategy", "Label:", *(reason.says for reason in result.compared.of("rules").reasons[row])):
        assert words not in html(page)
    signed_in("Bob")
    page = AppTest.from_function(_look, args=(done.row.id, query_id), default_timeout=60).run()
    for words in ("Strategy", "Label:", *(reason.says for reason in result.compared.of("rules").reasons[row])):
        assert words in html(page)


# The page of a scoring.


@pytest.fixture
def campaign(workspace: Workspace, tmp_path: Path) -> CampaignRow:
    """A queue of twenty of thirty queries."""
    return mixed_campaign(workspace, tmp_path / "bundle")


def score_of(row: int) -> str:
    return f"{0.301 + 0.023 * row:.3f}"


def finished_scoring(workspace: Workspace, campaign: CampaignRow) -> RunView:
    """A scoring in which each query has a score and a reason of its own, and some remain undecided."""
    dataset = workspace.dataset(campaign.dataset_id)
    ids = tuple(workspace.revision(dataset).query_ids(limit=100))
    values = np.asarray([float(score_of(row)) for row in range(len(ids))])
    first = {entry.query_id for entry in entries_of(workspace, campaign)}
    named = next(each for each in ids if each in first)
    reasons: dict[int, tuple[Reason, ...]] = {
        row: (Reason("oddity", f"oddity {row:02}", 0, 4),) for row in range(len(ids))
    }
    free = next(row for row, each in enumerate(ids) if each not in first)
    reasons[free] += (Reason("duplicate", f"the same text as {named!r}, which stays", 0, 4),)
    graded = replace(scored(values, "graded"), reasons=reasons)
    silent = scored(np.where(np.arange(len(ids)) % 3 == 0, np.nan, 1 - values), "silent")
    row = add_run(workspace, dataset, kind="score", name="all", spec={})
    scoring = Scoring(
        row.id, "all", dataset.name, dataset.revision, dataset.content_hash, ids, (graded, silent)
    )  # fmt: skip
    write_scoring(scoring, cleaning_folder(workspace, row.id))
    finish_run(workspace, row.id, result={})
    return find_run(workspace, row.id)


def hidden_rows(workspace: Workspace, campaign: CampaignRow) -> set[int]:
    ids = workspace.revision(workspace.dataset(campaign.dataset_id)).query_ids(limit=100)
    return {ids.index(each.query_id) for each in entries_of(workspace, campaign)}


def lists_of(page: AppTest) -> dict[int, str]:
    """Every row that the lists of the first strategy show in any choice and part, with all that was drawn beside it."""
    found: dict[int, str] = {}
    for which in list(page.segmented_control(key="scored-which-graded").options):
        page.segmented_control(key="scored-which-graded").set_value(which.partition(" ")[0]).run()
        for row in rows_listed(page, "scored"):
            found[row] = which
    return found


def words_of(page: AppTest) -> str:
    """All that any choice, order and part of the first strategy's lists shows."""
    words = []
    control = page.segmented_control(key="scored-which-graded")
    for which in [each.partition(" ")[0] for each in control.options]:
        page.segmented_control(key="scored-which-graded").set_value(which).run()
        for order in ("highest score first", "lowest score first", "order of the dataset"):
            page.selectbox(key="scored-order-graded").select(order).run()
            part = next((each for each in page.number_input if "scored-part" in (each.key or "")), None)
            for number in range(1, int(part.max or 1) + 1 if part else 2):
                if part:
                    page.number_input(key=part.key or "").set_value(number).run()
                assert not page.exception
                words.append(shown(page))
    return "\n".join(words)


def test_the_scores_and_reasons_of_waiting_queries_stand_nowhere_on_the_page_of_a_scoring(
    workspace: Workspace, campaign: CampaignRow, signed_in: SignIn
) -> None:
    view = finished_scoring(workspace, campaign)
    hidden = hidden_rows(workspace, campaign)
    ids = workspace.revision(workspace.dataset(campaign.dataset_id)).query_ids(limit=100)
    judge(workspace, entries_of(workspace, campaign), "Bob", fields={"remove": False})

    def told_of(name: str) -> tuple[dict[str, set[int]], str]:
        signed_in(name)
        words = words_of(run("scoring", scoring=str(view.row.id)))
        rows = range(len(ids))
        return {
            "score": {row for row in rows if f"score {score_of(row)}" in words},
            "reason": {row for row in rows if f"oddity {row:02}" in words},
            "id": {row for row in rows if f"<small>{ids[row]}</small>" in words},
        }, words

    seen, words = told_of("Ada")
    assert all(seen[each] == set(range(30)) - hidden for each in ("score", "reason", "id"))
    assert "20 queries wait for your own judgment in the campaign next; their scores are shown after it." in words
    assert "names a query that waits for your own judgment" in words
    assert "which stays" not in words
    seen, words = told_of("Bob")
    assert all(seen[each] == set(range(30)) for each in ("score", "reason", "id"))
    assert "which stays" in words
    assert "for your own judgment" not in words


def test_counts_of_the_lists_leave_out_what_waits_and_follow_each_judgment(
    workspace: Workspace, campaign: CampaignRow, signed_in: SignIn
) -> None:
    view = finished_scoring(workspace, campaign)
    hidden = hidden_rows(workspace, campaign)
    removed = {row for row in range(30) if float(score_of(row)) >= 0.5}
    signed_in("Ada")
    page = run("scoring", scoring=str(view.row.id))
    assert list(page.segmented_control(key="scored-which-graded").options) == [
        f"removed ({len(removed - hidden)})", f"kept ({30 - len(removed | hidden)})",
    ]  # fmt: skip
    first, *_ = entries_of(workspace, campaign)
    judge(workspace, [first], "Ada", fields={"remove": True})
    page.run()
    assert "19 queries wait for your own judgment" in shown(page)
    ids = workspace.revision(workspace.dataset(campaign.dataset_id)).query_ids(limit=100)
    row = ids.index(first.query_id)
    assert lists_of(page)[row].startswith("removed" if row in removed else "kept")


def test_a_list_that_is_chosen_and_becomes_empty_gives_way_to_another(
    workspace: Workspace, campaign: CampaignRow, signed_in: SignIn
) -> None:
    view = finished_scoring(workspace, campaign)
    dataset = workspace.dataset(campaign.dataset_id)
    ids = workspace.revision(dataset).query_ids(limit=100)
    with workspace.database.write() as connection:
        campaigns.set_state(connection, campaign.id, CampaignState.CLOSED)
    signed_in("Ada")
    page = run("scoring", scoring=str(view.row.id))
    page.segmented_control(key="scored-which-graded").set_value("removed").run()
    queue_of(workspace, dataset, [each for row, each in enumerate(ids) if float(score_of(row)) >= 0.5], name="more")
    page.run()
    assert not page.exception
    assert [each.partition(" ")[0] for each in page.segmented_control(key="scored-which-graded").options] == ["kept"]
    queue_of(workspace, dataset, [each for row, each in enumerate(ids) if float(score_of(row)) < 0.5], name="others")
    page.run()
    assert not page.exception
    assert "There is no other query." in shown(page)


def _scored_look(number: int, row: int) -> None:
    from audit_core.ui.access import require_person
    from audit_core.workflow.cleanings import find_run
    from audit_core.workflow.workspace import open_workspace
    from cleaning.ui.loading import load_scoring
    from cleaning.ui.scored_queries import draw_scored_query

    view = find_run(open_workspace(), number)
    draw_scored_query(open_workspace(), require_person(), view.dataset, load_scoring(open_workspace(), view), row)


def test_a_look_at_a_scored_query_that_waits_shows_no_score(
    workspace: Workspace, campaign: CampaignRow, signed_in: SignIn
) -> None:
    view = finished_scoring(workspace, campaign)
    row = min(hidden_rows(workspace, campaign))
    judge(workspace, entries_of(workspace, campaign), "Bob", fields={"remove": False})
    for name, is_hidden in (("Ada", True), ("Bob", False)):
        signed_in(name)
        page = AppTest.from_function(_scored_look, args=(view.row.id, row), default_timeout=60).run()
        assert not page.exception
        assert ("1 query waits for your own judgment in the campaign next" in shown(page)) is is_hidden
        for words in (score_of(row), f"oddity {row:02}", "Strategy"):
            assert (words not in html(page)) is is_hidden


def test_the_sentence_counts_each_campaign_and_a_name_with_signs_stays_words() -> None:
    assert waiting_sentence([]) == ""
    assert waiting_sentence(["next"]).startswith("1 query waits for your own judgment in the campaign next; its")
    assert waiting_sentence(["next", "more", "next"]) == (
        "2 queries wait for your own judgment in the campaign next, 1 in more; their scores are shown after it."
    )
    reasons = (Reason("a", "as 'q-1', which stays", 0, 2), Reason("b", "other"))
    assert told(reasons, {"q-2": "next"}) == reasons
    assert told(reasons, {"q-1": "next"})[0] == Reason("a", "names a query that waits for your own judgment", 0, 2)


# Which labels are offered for what.


def labels_offered(page: AppTest) -> list[str]:
    control = next(each for each in page.selectbox if each.label == "Labels")
    return list(control.options)


def test_labels_that_only_train_are_offered_where_labels_train_and_not_where_they_evaluate(
    workspace: Workspace, campaign: CampaignRow, signed_in: SignIn
) -> None:
    judged_in_full(workspace, campaign)
    signed_in("Ada")
    share = "next, random share (removal campaign, 10)"
    assert labels_offered(run("new_comparison")) == [share]
    page = run("new_scoring")
    page.checkbox(key="strategy-logistic_regression").set_value(True).run()
    assert not page.exception
    every, active = "next (removal campaign, 20)", "next, chosen by scores (removal campaign, 10)"
    assert labels_offered(page) == [every, share, active]
    assert "the random share as well, which then may not choose a threshold: train on campaign:next#active" in shown(
        page
    )
    next(each for each in page.selectbox if each.label == "Labels").select("campaign:next#active").run()
    assert "campaign:next#random may evaluate, and choose the threshold" in shown(page)
    assert "rates describe" not in shown(page)


def test_where_all_labels_only_train_a_comparison_says_so(
    workspace: Workspace, campaign: CampaignRow, signed_in: SignIn
) -> None:
    active = entries_of(workspace, campaign, "disagreement", "near_threshold")
    judge(workspace, active, fields={"remove": True})
    signed_in("Ada")
    page = run("new_comparison")
    assert "strategies' scores chose, which may train and never evaluate" in page.warning[0].value


def test_a_threshold_is_chosen_on_the_random_share_with_the_word_what_was_trained_may_not_have_seen(
    workspace: Workspace, campaign: CampaignRow, signed_in: SignIn
) -> None:
    judged_in_full(workspace, campaign)
    view = finished_scoring(workspace, campaign)
    signed_in("Ada")
    page = run("scoring", scoring=str(view.row.id))
    control = page.selectbox(key=f"labels-guarantee-{view.row.id}")
    assert list(control.options) == ["next, random share (removal campaign, 10)"]
    assert "strategies that were trained without it, such as on campaign:next#active" in shown(page)
    assert "2 other sources are no random sample, and not offered." in shown(page)

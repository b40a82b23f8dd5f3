"""The pages, run headless: what they show to whom, and what stands there when there is nothing to show."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from audit_core.storage.people import Person
from audit_core.workflow import sign_in
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.sample import SAMPLE, add_sample
from audit_core.workflow.workspace import Workspace, open_workspace

PAGES = Path(__file__).parents[2] / "pages"
ALL_PAGES = sorted(PAGES.glob("*.py"))
SHELL = Path(__file__).parents[2] / "audit_core" / "ui" / "shell" / "main.py"


@pytest.fixture
def workspace() -> Workspace:
    return open_workspace()


@pytest.fixture
def ada(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Person:
    """Somebody who is signed in."""
    person = sign_in.sign_in(workspace, "Ada")
    monkeypatch.setattr("audit_core.ui.access.current_person", lambda: person)
    return person


def shown(page: AppTest) -> str:
    """All the words on a page."""
    kinds = (page.title, page.markdown, page.caption, page.info, page.error, page.success, page.metric)
    words = [str(getattr(each, "value", "")) for kind in kinds for each in kind]
    words += [each.label for each in page.metric] + [each.label for each in page.button]
    return "\n".join(words + [str(each.proto) for each in page.get("html")]).replace("\\", "")


def _one_page(page: str) -> None:
    """Stand in for the shell: the same pages, with one of them opened."""
    import streamlit as st

    from audit_core.ui.addresses import PAGES

    pages = [st.Page(each, default=each.stem == page) for each in sorted(PAGES.glob("*.py"))]
    st.navigation(pages, position="hidden").run()


def run(page: str, **query: str) -> AppTest:
    test = AppTest.from_function(_one_page, args=(page,), default_timeout=60)
    for name, value in query.items():
        test.query_params[name] = value
    test.run()
    assert not test.exception, test.exception
    return test


@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda each: each.stem)
def test_a_page_shows_nothing_to_somebody_signed_out(page: Path, workspace: Workspace) -> None:
    add_sample(workspace)
    test = AppTest.from_file(str(page), default_timeout=60).run()
    assert not test.exception
    assert shown(test).strip() == ""


def test_the_shell_shows_nothing_to_somebody_signed_out(workspace: Workspace) -> None:
    add_sample(workspace)
    test = AppTest.from_file(str(SHELL), default_timeout=60).run()
    assert not test.exception
    assert "try-it" not in shown(test)


@pytest.mark.usefixtures("ada")
def test_the_campaigns_page_says_what_to_do_when_there_is_no_dataset() -> None:
    assert "There is no dataset yet" in shown(run("campaigns"))


@pytest.mark.usefixtures("ada")
def test_the_campaigns_page_says_what_to_do_when_there_is_no_campaign(workspace: Workspace) -> None:
    bare = workspace.home / "bare"
    shutil.copytree(SAMPLE, bare, ignore=shutil.ignore_patterns("build", "judgments"))
    import_bundle(workspace, bare)
    assert "No campaign yet" in shown(run("campaigns"))


@pytest.mark.usefixtures("ada")
def test_the_campaigns_page_lists_campaigns_with_ones_own_progress(workspace: Workspace) -> None:
    add_sample(workspace)
    page = run("campaigns")
    words = shown(page)
    assert "try-it" in words
    assert "answered by 0 annotators" in words
    assert "answered by 2 annotators" in words
    assert ":gray-badge[closed]" in words


@pytest.mark.usefixtures("ada")
def test_a_campaign_is_started_in_the_browser(workspace: Workspace) -> None:
    add_sample(workspace)
    page = run("campaigns")
    page.text_input[0].set_value("second look")
    page.button(key="FormSubmitter:new-campaign-Start").click().run()
    assert not page.exception
    assert "second look" in shown(page)


@pytest.mark.usefixtures("ada")
def test_a_campaign_of_a_name_in_use_is_refused_in_the_browser(workspace: Workspace) -> None:
    add_sample(workspace)
    page = run("campaigns")
    page.text_input[0].set_value("try-it")
    page.button(key="FormSubmitter:new-campaign-Start").click().run()
    assert "choose another name" in page.error[0].value


@pytest.mark.usefixtures("ada")
def test_the_report_page_shows_sentence_cards_table_and_downloads(workspace: Workspace) -> None:
    add_sample(workspace)
    page = run("report", campaign="1")
    words = shown(page)
    assert "audited entries are correct" in words
    assert "95 % Wilson" in words
    assert "Whole benchmark" in words
    assert "audit-table" in words
    assert {each.proto.label for each in page.get("download_button")} == {"CSV", "Markdown", "LaTeX", "JSON"}


@pytest.mark.usefixtures("ada")
def test_the_report_of_a_campaign_without_judgments_is_undefined_and_says_so(workspace: Workspace) -> None:
    campaign = add_sample(workspace)
    words = shown(run("report", campaign=str(campaign.id)))
    assert "accuracy is undefined (0 of 0)" in words
    assert "NaN" not in words
    assert "nan" not in words.split()


@pytest.mark.usefixtures("ada")
def test_the_report_page_without_any_campaign_shows_the_way(workspace: Workspace) -> None:
    assert "There is no campaign to report on yet" in shown(run("report"))


@pytest.mark.usefixtures("ada")
def test_an_unknown_campaign_in_the_address_opens_the_newest_report(workspace: Workspace) -> None:
    add_sample(workspace)
    assert "accuracy is undefined" in shown(run("report", campaign="999"))


@pytest.mark.usefixtures("ada")
def test_the_datasets_page_shows_sizes_and_says_when_nothing_is_odd(workspace: Workspace) -> None:
    add_sample(workspace)
    words = shown(run("datasets"))
    assert "assay-sample" in words
    assert "queries" in words
    assert "ASSAY_IMPORT_FOLDERS" in words


@pytest.mark.usefixtures("ada")
def test_a_dataset_whose_folder_is_gone_says_what_to_do_and_the_page_goes_on(workspace: Workspace) -> None:
    add_sample(workspace)
    shutil.rmtree(workspace.datasets_folder)
    page = run("datasets")
    assert "import the bundle again" in page.error[0].value


@pytest.mark.usefixtures("ada")
def test_a_bundle_in_an_allowed_folder_is_imported_in_the_browser(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_IMPORT_FOLDERS", str(SAMPLE.parent))
    page = run("datasets")
    next(each for each in page.button if each.label == "Import the folder").click().run()
    assert not page.exception
    assert "imported:" in page.success[0].value
    assert "assay-sample" in shown(run("datasets"))

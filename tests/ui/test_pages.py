"""The pages, run headless: what they show to whom, and what stands there when there is nothing to show."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from audit_core.workflow.importing import import_bundle
from audit_core.workflow.sample import SAMPLE, add_sample
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle
from tests.ui.conftest import run, shown

PAGES = Path(__file__).parents[2] / "pages"
ALL_PAGES = sorted(PAGES.glob("*.py"))
SHELL = Path(__file__).parents[2] / "audit_core" / "ui" / "shell" / "main.py"


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
def test_the_campaigns_page_leads_to_the_page_that_starts_one(workspace: Workspace) -> None:
    add_sample(workspace)
    page = run("campaigns").button(key="new-campaign").click().run()
    assert not page.exception
    assert page.title[0].value == "Start a campaign"


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
def test_an_unknown_campaign_in_the_address_opens_the_newest_report_and_says_so(workspace: Workspace) -> None:
    add_sample(workspace)
    assert "There is no campaign of that number" in run("report", campaign="999").warning[0].value
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


@pytest.mark.usefixtures("ada")
def test_the_datasets_page_lists_the_findings_of_a_lenient_import(workspace: Workspace, tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path / "b", lambda rows: rows["pages"][0].update(image="images/gone.png"))
    assert import_bundle(workspace, bundle, lenient=True).findings > 0
    page = run("datasets")
    assert "nothing odd" not in shown(page)
    assert any("findings of the import" in each.label for each in page.expander)

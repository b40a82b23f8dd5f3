"""Judgments to and from a file in the browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from audit_core.domain import Role
from audit_core.storage.people import Person
from audit_core.workflow.workspace import Workspace
from tests.homes import row_counts
from tests.judged_campaigns import judged_audit
from tests.ui.conftest import run, shown

pytestmark = pytest.mark.usefixtures("ada")


def _export() -> None:
    """The inside of the dialog, which a headless run cannot keep open from one run to the next."""
    from audit_core.ui.judgments_file import export_form
    from audit_core.workflow.campaigns import find_campaign
    from audit_core.workflow.sign_in import sign_in
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace()
    export_form(workspace, sign_in(workspace, "Ada"), find_campaign(workspace, "fresh"))


def _import(name: str, content: str) -> None:
    """The inside of the dialog with a file that was chosen."""
    import io

    import streamlit as st

    from audit_core.ui.judgments_file import draw_import, draw_judgments_notice
    from audit_core.workflow.campaigns import find_campaign
    from audit_core.workflow.sign_in import sign_in
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace()
    draw_judgments_notice()
    file = io.BytesIO(content.encode())
    file.name = name
    revise = st.checkbox("revise", key="revise")
    draw_import(workspace, sign_in(workspace, "Ada"), find_campaign(workspace, "fresh"), file, revise=revise)


def imported(name: str, content: str) -> AppTest:
    return AppTest.from_function(_import, args=(name, content), default_timeout=60).run()


def test_leads_find_both_ways_in_the_menu_of_a_campaign(workspace: Workspace, tmp_path: Path) -> None:
    judged_audit(workspace, tmp_path / "b")
    page = run("campaigns").button(key="export-judgments-1").click().run()
    assert not page.exception
    assert "Only the newest judgment" in "\n".join(each.label for each in page.checkbox)
    page = run("campaigns").button(key="import-judgments-1").click().run()
    assert not page.exception
    assert "All of it is taken or nothing" in shown(page)


def test_an_annotator_finds_neither(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ada: Person
) -> None:
    judged_audit(workspace, tmp_path / "b")
    annotator = Person(ada.id, ada.name, False, Role.ANNOTATOR)
    monkeypatch.setattr("audit_core.ui.access.current_person", lambda: annotator)
    keys = {each.key for each in run("campaigns").button}
    assert not keys & {"export-judgments-1", "import-judgments-1"}


def test_each_form_is_offered_under_a_name_that_says_what_it_is_for(workspace: Workspace, tmp_path: Path) -> None:
    judged_audit(workspace, tmp_path / "b")
    page = AppTest.from_function(_export, default_timeout=60).run()
    assert not page.exception
    for form in ("jsonl", "csv", "parquet", "spreadsheet"):
        page.radio(key="judgments-form").set_value(form).run()
        assert not page.exception
        assert len(page.get("download_button")) == 1
    assert "not for import" in page.radio(key="judgments-form").options[-1]


def test_an_import_is_shown_first_and_done_at_the_button(workspace: Workspace, tmp_path: Path) -> None:
    judged_audit(workspace, tmp_path / "b")
    before = row_counts(workspace)
    page = imported("j.csv", "entry,annotator,codes\r\n3,new one,U\r\n3,second,\r\n")
    assert not page.exception
    assert "2 would be added to campaign fresh" in shown(page)
    assert {**row_counts(workspace), "activity": 0} == {**before, "activity": 0}, "but for signing in"
    page.button(key="judgments-import").click().run()
    assert not page.exception
    assert "2 were added to campaign fresh" in page.success[0].value
    assert row_counts(workspace)["judgment"] == before["judgment"] + 2
    # Drawn again, the same file has nothing new.
    assert page.button(key="judgments-import").disabled


def test_a_refused_file_is_a_table_of_its_faults(workspace: Workspace, tmp_path: Path) -> None:
    judged_audit(workspace, tmp_path / "b")
    page = imported("j.csv", "query_id,annotator,codes\r\nq9,a,U\r\nq1,,F\r\n")
    assert not page.exception
    assert "2 faults" in page.error[0].value
    table = page.dataframe[0].value
    assert sorted(table["row"]) == [2, 3]
    assert not page.button


def test_what_says_otherwise_needs_the_box(workspace: Workspace, tmp_path: Path) -> None:
    judged_audit(workspace, tmp_path / "b")
    imported("1.csv", "entry,annotator,codes\r\n3,x,U\r\n").button(key="judgments-import").click().run()
    page = imported("2.csv", "entry,annotator,codes\r\n3,x,N\r\n")
    assert "1 fault" in page.error[0].value
    page.checkbox(key="revise").check().run()
    assert {each.label: each.value for each in page.metric} == {"New": "0", "Revisions": "1", "There already": "0"}

"""A campaign's judgments as a file in the browser: writing them, and taking those of a file in after a look at what changes."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Protocol

import pandas as pd
import streamlit as st

from audit_core.domain import Role
from audit_core.errors import AssayError, BundleError
from audit_core.exporters.judgment_table import FORM_OF_SUFFIX
from audit_core.registry import look_up
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.ui.access import made_when_asked, only_for
from audit_core.ui.plain_text import plain
from audit_core.workflow.judgments_export import export_file_name, export_judgments
from audit_core.workflow.judgments_import import JudgmentsImport, import_judgments, preview_judgments_import
from audit_core.workflow.roles import require_role
from audit_core.workflow.workspace import Workspace

#: Form -> what it is for.
_FORMS = {
    "jsonl": "JSON Lines (can be imported again)",
    "csv": "CSV for programs (can be imported again)",
    "parquet": "Parquet (can be imported again)",
    "spreadsheet": "CSV for a spreadsheet (not for import: text that a spreadsheet would run is changed)",
}
_DONE = "judgments-imported"


class _Upload(Protocol):
    """A file as the browser sent it."""

    name: str

    def getvalue(self) -> bytes: ...


def judgments_menu(workspace: Workspace, person: Person, campaign: CampaignRow) -> None:
    """Draw the ways to and from a file of judgments; nothing for whoever does not lead."""
    if not person.role.allows(Role.LEAD):
        return
    if st.button("Export judgments ...", icon=":material/download:", key=f"export-judgments-{campaign.id}"):
        _export_dialog(workspace, person, campaign)
    if st.button("Import judgments ...", icon=":material/upload:", key=f"import-judgments-{campaign.id}"):
        _import_dialog(workspace, person, campaign)


def draw_judgments_notice() -> None:
    """Say what the last import of judgments did, once."""
    if notice := st.session_state.pop(_DONE, None):
        st.success(plain(notice), icon=":material/check:")


@st.dialog("Export judgments", width="medium")
@only_for(Role.LEAD)
def _export_dialog(workspace: Workspace, person: Person, campaign: CampaignRow) -> None:
    export_form(workspace, person, campaign)


def export_form(workspace: Workspace, person: Person, campaign: CampaignRow) -> None:
    """Draw the choices of an export and its download; the file is written when it is asked for."""
    require_role(person, Role.LEAD)
    st.caption(
        f"One row a judgment of {plain(campaign.name)}, with all its revisions unless only the newest are wanted."
    )
    form = st.radio("Form", list(_FORMS), format_func=lambda each: _FORMS[each], key="judgments-form")
    newest = st.checkbox("Only the newest judgment of each annotator on each entry", key="judgments-newest")
    names = st.checkbox(
        "Names of the annotators instead of pseudonyms",
        help="A pseudonym is the same in every export of this campaign, and leads back to a name only through the database.",
        key="judgments-names",
    )

    def content() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            written = export_judgments(
                workspace,
                campaign,
                Path(folder) / f"judgments{module.suffix}",
                form=form,
                newest_only=newest,
                names=names,
                person=person,
            )
            return written.file.read_bytes()

    module = look_up("audit_core.exporters", form, prefix="judgments_")
    st.download_button(
        "Download",
        made_when_asked(content, Role.LEAD),
        file_name=export_file_name(campaign, workspace.dataset(campaign.dataset_id), form=form),
        mime=module.media_type,
        on_click="ignore",
        type="primary",
        key="judgments-download",
    )


@st.dialog("Import judgments", width="large")
@only_for(Role.LEAD)
def _import_dialog(workspace: Workspace, person: Person, campaign: CampaignRow) -> None:
    import_form(workspace, person, campaign)


def import_form(workspace: Workspace, person: Person, campaign: CampaignRow) -> None:
    """Draw the choice of a file, what importing it would change, and the button that does it."""
    require_role(person, Role.LEAD)
    st.caption(
        "A file as an export writes it, or a table with query_id (or entry), annotator and codes or fields; "
        "docs/judgments_file.md describes it. All of it is taken or nothing."
    )
    file = st.file_uploader("File", type=[each.removeprefix(".") for each in FORM_OF_SUFFIX], key="judgments-file")
    revise = st.checkbox(
        "Judgments that say otherwise than their annotator did become further revisions", key="judgments-revise"
    )
    if file is not None:
        draw_import(workspace, person, campaign, file, revise=revise)


def draw_import(workspace: Workspace, person: Person, campaign: CampaignRow, file: _Upload, *, revise: bool) -> None:
    """Draw what importing a file would change, or why it cannot be, and the button that imports it."""
    require_role(person, Role.LEAD)
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "judgments"
        kept.write_bytes(file.getvalue())
        try:
            with st.spinner("Checking the file ..."):
                preview = preview_judgments_import(workspace, campaign, kept, name=file.name, revise=revise)
            _draw_preview(preview)
            label = f"Import {preview.added:,} judgment{'' if preview.added == 1 else 's'}"
            if not st.button(label, type="primary", disabled=not preview.added, key="judgments-import"):
                return
            with st.spinner("Importing ..."):
                done = import_judgments(workspace, campaign, kept, name=file.name, revise=revise, person=person)
        except BundleError as error:
            _draw_refusal(error)
            return
        except AssayError as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
    st.session_state[_DONE] = " ".join(done.sentences())
    st.rerun()


def _draw_preview(preview: JudgmentsImport) -> None:
    for column, (title, count) in zip(
        st.columns(3),
        {"New": preview.added - preview.revised, "Revisions": preview.revised, "There already": preview.known}.items(),
        strict=True,
    ):
        column.metric(title, f"{count:,}")
    st.markdown("\n".join(f"- {plain(each)}" for each in preview.sentences()))
    rows = [
        {"in the file": each.name, "here": each.person, "who": _kind(each.is_new, each.is_account)}
        for each in preview.annotators
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, height=min(320, 38 + 35 * max(1, len(rows))))


def _kind(is_new: bool, is_account: bool) -> str:
    return "account" if is_account else "new imported annotator" if is_new else "imported annotator"


def _draw_refusal(error: BundleError) -> None:
    st.error(plain(error.summary), icon=":material/error:")
    table = pd.DataFrame(
        [
            {"row": each.line, "field": each.field, "found": each.value, "what to do": each.expected}
            for each in error.problems
        ]
    )
    table["row"] = table["row"].astype("Int64")
    st.dataframe(table, hide_index=True)

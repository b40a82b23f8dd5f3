"""Importing a bundle in the browser: a zip that is uploaded, or a folder that the server allows."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import streamlit as st

from audit_core import config
from audit_core.errors import AssayError, BundleError
from audit_core.storage.people import Person
from audit_core.workflow.importing import ImportResult, allowed_bundles, import_allowed, import_zip
from audit_core.workflow.workspace import Workspace


def import_form(workspace: Workspace, person: Person) -> None:
    """Draw the import form and the outcome of an import."""
    with st.expander("Import a dataset", icon=":material/upload:"):
        st.caption(
            "A bundle is a folder with dataset.json and tables in JSON Lines or Parquet; docs/bundle_format.md describes it."
        )
        lenient = st.checkbox(
            "Lenient", help="Take what can be taken. Each thing that would be refused becomes a finding of the dataset."
        )
        uploaded, folder = st.tabs(["Upload a zip", "Choose a folder of the server"])
        with uploaded:
            _upload(workspace, person, lenient=lenient)
        with folder:
            _choose(workspace, person, lenient=lenient)


def _upload(workspace: Workspace, person: Person, *, lenient: bool) -> None:
    limit = config.max_upload_bytes() // 1_000_000
    file = st.file_uploader(f"Zipped bundle (at most {limit:,} MB unpacked)", type="zip")
    if not st.button("Import the zip", type="primary", disabled=file is None) or file is None:
        return
    with tempfile.NamedTemporaryFile(suffix=".zip") as kept:
        while block := file.read(1 << 20):
            kept.write(block)
        kept.flush()
        _run(
            lambda progress: import_zip(
                workspace,
                Path(kept.name),
                lenient=lenient,
                person=person,
                progress=progress,
                origin=f"upload of {file.name}",
            )
        )


def _choose(workspace: Workspace, person: Person, *, lenient: bool) -> None:
    bundles = allowed_bundles()
    if not bundles:
        st.info(
            "No folder may be read from here. Whoever runs the server can allow some: set ASSAY_IMPORT_FOLDERS to folders "
            "that hold bundles, and start again."
        )
        return
    chosen = st.selectbox("Bundle", bundles, format_func=str)
    if st.button("Import the folder", type="primary") and chosen is not None:
        _run(lambda progress: import_allowed(workspace, chosen, lenient=lenient, person=person, progress=progress))


def _run(work: Callable[[Callable[[str, float], None]], ImportResult]) -> None:
    bar = st.progress(0.0, text="reading the bundle")

    def show(step: str, share: float) -> None:
        bar.progress(min(1.0, share), text=step)

    try:
        result = work(show)
    except BundleError as error:
        bar.empty()
        _draw_refusal(error)
        return
    except AssayError as error:
        bar.empty()
        st.error(str(error), icon=":material/error:")
        return
    bar.empty()
    st.success("\n\n".join(result.sentences()).replace("_", "\\_"))


def _draw_refusal(error: BundleError) -> None:
    st.error(error.summary, icon=":material/error:")
    if not error.problems:
        return
    names = ("file", "line", "field", "value", "expected")
    table = pd.DataFrame([{name: getattr(each, name) for name in names} for each in error.problems])
    table["line"] = table["line"].astype("Int64")
    st.caption(
        f"{error.total:,} faults"
        + (f"; the first {len(error.problems):,} are listed." if error.total > len(error.problems) else ".")
    )
    st.dataframe(table, hide_index=True)

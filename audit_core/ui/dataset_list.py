"""Datasets as the datasets page shows them: sizes, findings, a look at the queries."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from audit_core.datasets.revision import Revision
from audit_core.errors import AssayError
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.ui.addresses import link_to_corrections, link_to_releases
from audit_core.ui.housekeeping import dataset_menu
from audit_core.ui.plain_text import plain
from audit_core.workflow.workspace import Workspace

#: Queries on one page of the list.
QUERIES_SHOWN = 25
FINDINGS_SHOWN = 200


def draw_dataset(workspace: Workspace, person: Person, dataset: DatasetRow) -> None:
    """Draw one dataset; where its folder is gone, what to do about it."""
    with st.container(border=True):
        title, menu = st.columns([11, 1], vertical_alignment="center")
        own = f" · {plain(dataset.name)}" if dataset.title else ""
        title.markdown(f"**{plain(dataset.shown)}** revision {plain(dataset.revision)}{own}")
        with menu.container(horizontal=True, horizontal_alignment="right").popover(
            "", icon=":material/more_horiz:", help="More"
        ):
            dataset_menu(workspace, person, dataset)
        try:
            revision = workspace.revision(dataset)
        except AssayError as error:
            st.error(str(error))
            return
        counts = revision.counts
        sizes = " · ".join(f"{counts[name]:,} {name}" for name in ("documents", "pages", "queries") if name in counts)
        lenient = " · imported leniently" if dataset.is_lenient else ""
        st.caption(
            f"{sizes} · content {dataset.content_hash[:12]} · imported {dataset.imported_at[:10]} from "
            f"{plain(dataset.origin)}{lenient} · licence: {plain(revision.info.license)}"
        )
        with st.container(horizontal=True):
            link_to_corrections(dataset.id)
            link_to_releases(dataset.id)
        _draw_queries(dataset, revision)
        _draw_findings(dataset, revision)


def _draw_queries(dataset: DatasetRow, revision: Revision) -> None:
    with st.expander("Look at the queries", on_change="rerun", key=f"queries-{dataset.id}") as shown:
        if not shown.open:
            return
        words = st.text_input(
            "Search", placeholder="words of the query or its answer, or a query id", key=f"search-{dataset.id}"
        )
        total = revision.counts.get("queries", 0)
        pages = max(1, -(-total // QUERIES_SHOWN))
        if words.strip():
            ids = revision.search(words, limit=QUERIES_SHOWN)
            st.caption(f"The {len(ids)} best matches." if ids else "No query matches.")
        else:
            page = st.number_input(f"Page (of {pages:,})", 1, pages, 1, key=f"page-{dataset.id}") if pages > 1 else 1
            ids = revision.query_ids(offset=(int(page) - 1) * QUERIES_SHOWN, limit=QUERIES_SHOWN)
        rows = [revision.query(each) for each in ids]
        table = pd.DataFrame(
            {
                "query id": [each.query_id for each in rows],
                "query": [each.text for each in rows],
                "answer": [each.answer for each in rows],
                "source": [each.source for each in rows],
                "structure": [each.evidence_structure for each in rows],
                "evidence pages": [len({piece.page_id for piece in each.evidence}) for each in rows],
            }
        )
        st.dataframe(table, hide_index=True, height="content")


def _draw_findings(dataset: DatasetRow, revision: Revision) -> None:
    total = sum(revision.manifest.finding_counts.values())
    if not total:
        st.caption("The import found nothing odd.")
        return
    with st.expander(f"{total:,} findings of the import", on_change="rerun", key=f"findings-{dataset.id}") as shown:
        if not shown.open:
            return
        rows = revision.findings(limit=FINDINGS_SHOWN)
        if total > len(rows):
            st.caption(f"The first {len(rows)} of {total:,}.")
        st.dataframe(pd.DataFrame(rows), hide_index=True)

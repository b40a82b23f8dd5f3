"""Finished comparisons and scorings, read once and kept in memory: what every section of their pages draws from."""

from __future__ import annotations

import streamlit as st

from audit_core.workflow.cleanings import RunView
from audit_core.workflow.comparisons import ComparisonView
from audit_core.workflow.workspace import Workspace
from cleaning.finished import GROUPS as GROUPS
from cleaning.finished import Result as Result
from cleaning.finished import read_finished
from cleaning.finished import titles_of as titles_of
from cleaning.scoring import Scoring
from cleaning.scoring_files import read_scoring

#: How many finished comparisons, and as many scorings, stay in memory.
_KEPT = 6


def load_result(workspace: Workspace, view: ComparisonView) -> Result:
    """Return a finished comparison, read at the first call.

    Raises:
        CleaningError: its files are missing, broken or changed since.
        NotFound: its dataset's folder is gone.
    """
    return _load(str(workspace.home), view.row.id, view.row.finished_at, workspace, view)


@st.cache_resource(max_entries=_KEPT, show_spinner="Reading the comparison ...")
def _load(home: str, comparison_id: int, finished: str | None, _workspace: Workspace, _view: ComparisonView) -> Result:
    return read_finished(_workspace, _view)


def load_scoring(workspace: Workspace, view: RunView) -> Scoring:
    """Return a finished scoring, read at the first call.

    Raises:
        CleaningError: its files are missing, broken or changed since.
    """
    return _load_scoring(str(workspace.home), view.row.id, view.row.finished_at, workspace, view)


@st.cache_resource(max_entries=_KEPT, show_spinner="Reading the scores ...")
def _load_scoring(home: str, run_id: int, finished: str | None, _workspace: Workspace, _view: RunView) -> Scoring:
    return read_scoring(_workspace, _view)

"""A dataset whose queries are corrected, decisions on them, and changes in few words."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

from audit_core.corrections.records import Action, Change
from audit_core.domain import Answer, IssueCode, JsonObject, Outcome
from audit_core.storage import campaigns, decisions
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.decision_tables import Basis
from audit_core.storage.decisions import DecisionRow, NewDecision
from audit_core.storage.people import Person
from audit_core.workflow.corrections import Draft
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle, without_judgments

#: The one piece of query q1 of the tiny bundle, as corrections know it.
Q1 = {"page_id": "p1", "document_id": "d1", "element_id": "e1", "box": [1.0, 2.0, 3.0, 4.0], "kind": "Text"}
_nonces = count(1)


def dataset_of(workspace: Workspace, folder: Path) -> DatasetRow:
    """Import the tiny bundle, without judgments."""
    return import_bundle(workspace, small_bundle(folder, without_judgments)).dataset


def reword(
    query_id: str = "q1", before: str = "what is one?", after: str = "What is one?", code: str | None = "F"
) -> Draft:
    """A rewording."""
    return Draft(Change(query_id, Action.REWORD, {}, before, after), code, "clearer")


def on_page(
    action: str, page: str, *, before: Any = None, after: Any = None, query_id: str = "q1", set_id: str | None = None
) -> Draft:
    """A change of the evidence in a set, the default one where none is named."""
    return Draft(Change(query_id, Action(action), {"page_id": page, "set_id": set_id}, before, after), "E", "")


def move(x1: float) -> Draft:
    """The box of q1 made wider or narrower."""
    return on_page("move-box", "p1", before=Q1, after={**Q1, "box": [1.0, 2.0, x1, 4.0]})


def decided(
    workspace: Workspace, campaign: CampaignRow, person: Person, number: int, codes: str = "", *,
    correction: JsonObject | None = None, basis: Basis = Basis.OWN, note: str = "",
) -> DecisionRow:  # fmt: skip
    """Store a decision on an entry by its number, the next revision."""
    with workspace.database.write() as connection:
        row = campaigns.entry_by_number(connection, campaign.id, number)
        assert row is not None
        newest = decisions.newest(connection, row.id)
        answer = Answer(Outcome.JUDGED, tuple(IssueCode(each) for each in codes), note)
        revision = newest.revision + 1 if newest else 1
        new = NewDecision(row.id, revision, person.id, f"decision {next(_nonces)}", basis, answer, correction)
        return decisions.add(connection, new)

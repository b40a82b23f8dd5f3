"""A real set of audited PDFs: what its gold rows want of the faulty queries becomes corrections that lead exactly there."""

from __future__ import annotations

import json
from pathlib import Path

from audit_core.corrections.applying import apply_changes
from audit_core.corrections.pieces import canonical_list, counted
from audit_core.corrections.records import CorrectionState
from audit_core.domain import JsonObject
from audit_core.workflow.campaigns import start_campaign
from audit_core.workflow.correction_ground import contents_of
from audit_core.workflow.corrections import (
    check_corrections,
    corrections_for_release,
    list_corrections,
    propose_from_decisions,
    review,
)
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.campaigns_in_order import in_dataset_order
from tests.workflow.corrected_queries import decided

#: Faulty queries of the set: README.md beside it.
FAULTY = 22


def test_all_faulty_queries_become_what_gold_wants_over_decisions_and_reviews(
    workspace: Workspace, real_data: Path
) -> None:
    folder = real_data / "pdf_audit"
    gold: dict[str, JsonObject] = {
        row["query_id"]: row
        for row in map(json.loads, (folder / "gold.jsonl").read_text().splitlines())
        if row["codes"]
    }
    assert len(gold) == FAULTY
    dataset = import_bundle(workspace, folder).dataset
    campaign = in_dataset_order(workspace, start_campaign(workspace, dataset=dataset, name="gold"))
    ada, bob = sign_in(workspace, "Ada"), sign_in(workspace, "Bob")
    revision = workspace.revision(dataset)
    for number, query_id in enumerate(revision.query_ids(limit=100), start=1):
        row = gold.get(query_id, {"codes": []})
        wanted = {
            name: row[f"corrected_{name}"] for name in ("text", "evidence") if f"corrected_{name}" in row
        }  # fmt: skip
        decided(
            workspace, campaign, ada, number, "".join(row["codes"]), correction=wanted or None, note=row.get("why", "")
        )
    made = propose_from_decisions(workspace, ada, campaign.id)
    assert made.left == []
    found = list_corrections(workspace, dataset.id)
    assert {each.row.query_id for each in found} == set(gold)
    assert [each.misfit for each in found] == [None] * len(found)
    assert {each.row.code for each in found} <= {"F", "E", "U", "N"}
    done = review(workspace, bob, [each.row.id for each in found], CorrectionState.ACCEPTED)
    assert done.left == ()
    corrections = corrections_for_release(workspace, dataset.id)
    contents = contents_of(revision, gold)
    for query_id, old in contents.items():
        new = apply_changes(old, [each.change for each in corrections if each.change.query_id == query_id])
        wanted = gold[query_id]
        assert new.text == wanted.get("corrected_text", old.text)
        evidence = canonical_list(wanted.get("corrected_evidence", list(old.evidence)))
        assert counted(new.evidence) == counted(evidence), query_id
    check = check_corrections(workspace, dataset.id)
    assert sorted(check.empty) == sorted(
        query_id for query_id, row in gold.items() if row.get("corrected_evidence") == []
    )
    assert check.structures["Doc-Near -> Page-Single"] == 1

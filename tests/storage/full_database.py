"""A row in every table, and how many rows each table has."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from audit_core.domain import Answer, CampaignState, IssueCode, SampleDesign, Stratum
from audit_core.storage import activity, campaigns, cleaning_runs, comparisons, datasets, jobs, judgments, people
from audit_core.storage.database import Database
from audit_core.storage.schema import (
    account,
    campaign_annotator,
    campaign_left_out,
    carried_campaign,
    carried_judgment,
    claim,
    comment,
    correction,
    decision,
    flag,
    guideline,
    judgment_words,
    metadata,
    oidc_request,
    precedent,
    release,
    reveal,
    session,
    sign_in_failure,
)

HASH = "a" * 64
TIME = "2026-01-01T00:00:00.000000Z"


def fill(database: Database) -> dict[str, int]:
    """Put rows into every table; return the ids of one campaign, entry and person."""
    stratum = Stratum("wiki", "Page-Single", 2, 2)
    design = SampleDesign("small", "1", "all queries", 7, (stratum,), is_probability=True)
    labels: dict[str, Any] = dict.fromkeys(datasets.LABEL_COLUMNS)
    with database.write() as connection:
        dataset = datasets.add(
            connection, name="small", revision="1", content_hash=HASH, origin="here", is_lenient=False
        )
        campaign = campaigns.add(
            connection, dataset_id=dataset, name="audit", protocol="audit", state=CampaignState.OPEN,
            judgments_per_entry=1, design=design,
        )  # fmt: skip
        campaigns.add_entries(connection, campaign, [(n, f"q{n}", "wiki", "Page-Single", ["d1"]) for n in (1, 2)])
        entry = campaigns.entries_of(connection, campaign)[0].id
        person = people.add(connection, "Ada").id
        answer = Answer(codes=(IssueCode.F,), note="vague", targets={"F": ["p1"]}, active_ms=1500)
        for revision in (1, 2):
            judgments.add(
                connection,
                entry_id=entry,
                person_id=person,
                revision=revision,
                nonce=f"nonce-{revision}",
                answer=answer,
            )
        judgments.put_draft(connection, entry_id=entry, person_id=person, base_revision=2, content={"codes": "F"})
        rows = [{**labels, "query_id": "q1", "remove": True, "annotator": "gold", "clarity": 0.25}]
        datasets.add_label_set(connection, dataset_id=dataset, name="removal", source_hash=HASH, labels=rows)
        activity.record(connection, "import", {"dataset": "small"}, person_id=person)
        later = campaigns.add(
            connection, dataset_id=dataset, name="later", protocol="audit", state=CampaignState.OPEN,
            judgments_per_entry=1, design=None,
        )  # fmt: skip
        connection.execute(campaign_left_out.insert().values(campaign_id=later, earlier_campaign_id=campaign))
        connection.execute(carried_campaign.insert().values(campaign_id=later, earlier_campaign_id=campaign))
        connection.execute(carried_judgment.insert().values(judgment_id=2, earlier_judgment_id=1))
        question = {"question": "Which page?", "raised_at": TIME}
        connection.execute(flag.insert().values(entry_id=entry, person_id=person, **question))
        job = jobs.add(connection, kind="dataset.check-pages", title="Check", arguments={}, person_id=person)
        comparisons.add(
            connection, dataset_id=dataset, name="first", split_hash=HASH, labels_hash=HASH, spec={}, job_id=job
        )
        run = cleaning_runs.add(connection, dataset_id=dataset, kind="rewrite", name="first", spec={}, job_id=job)
        proposal = cleaning_runs.Rewording("q1", "Which?", "Which page?", "says what is meant")
        cleaning_runs.add_proposals(connection, run, [proposal])
        _fill_accounts(connection, person)
        _fill_team(connection, campaign, entry, person)
        _fill_decisions(connection, dataset, entry, person)
    return {"dataset": dataset, "campaign": campaign, "entry": entry, "person": person, "job": job}


def _fill_accounts(connection: sa.Connection, person: int) -> None:
    rows: dict[sa.Table, dict[str, Any]] = {
        account: {"person_id": person, "role": "lead", "must_change": False, "created_at": TIME},
        session: {
            "token_hash": HASH, "person_id": person, "how": "password", "created_at": TIME, "seen_at": TIME,
            "expires_at": TIME,
        },
        sign_in_failure: {"name_key": "ada", "address": "127.0.0.1", "at": TIME},
        oidc_request: {
            "state_hash": HASH, "browser_hash": HASH, "nonce": "n", "verifier": "v", "created_at": TIME,
        },
    }  # fmt: skip
    for table, row in rows.items():
        connection.execute(table.insert().values(row))


def _fill_team(connection: sa.Connection, campaign: int, entry: int, person: int) -> None:
    rows: dict[sa.Table, dict[str, Any]] = {
        campaign_annotator: {"campaign_id": campaign, "person_id": person, "added_at": TIME},
        claim: {"entry_id": entry, "person_id": person, "claimed_at": TIME, "expires_at": TIME},
        guideline: {"campaign_id": campaign, "version": 1, "text": "Look twice.", "created_at": TIME},
        comment: {"entry_id": entry, "person_id": person, "text": "Hard one.", "created_at": TIME},
        precedent: {
            "entry_id": entry, "judgment_id": 2, "text": "Name the board.", "words": "name the board", "person_id": person,
            "created_at": TIME,
        },
        judgment_words: {"judgment_id": 2, "words": "which board"},
    }  # fmt: skip
    for table, row in rows.items():
        connection.execute(table.insert().values(row))


def _fill_decisions(connection: sa.Connection, dataset: int, entry: int, person: int) -> None:
    rows: dict[sa.Table, dict[str, Any]] = {
        decision: {
            "entry_id": entry, "revision": 1, "person_id": person, "nonce": "decision-1", "basis": "own", "outcome": "judged",
            "codes": "F", "targets": {"F": ["p1"]}, "answer": None, "correction": {"query": "Which page?"},
            "confidence": "sure", "note": "", "reason": "names no page", "judgment_ids": [2], "taken_from": [],
            "is_own_judgment": True, "decided_at": TIME,
        },
        reveal: {"entry_id": entry, "person_id": person, "revealed_at": TIME},
        correction: {
            "dataset_id": dataset, "query_id": "q1", "revision": 1, "action": "reword", "key": {}, "before": "Which?",
            "after": "Which page?", "code": "F", "reason": "names no page", "author_id": person, "decision_id": 1,
            "created_at": TIME, "state": "accepted", "reviewer_id": person, "reviewed_at": TIME, "review_note": "",
        },
        release: {
            "dataset_id": dataset, "revision": "2", "spec": {"why": "first"}, "result": {"changed": 1}, "person_id": person,
            "created_at": TIME, "finished_at": TIME,
        },
    }  # fmt: skip
    for table, row in rows.items():
        connection.execute(table.insert().values(row))


def row_counts(database: Database) -> dict[str, int]:
    """Return how many rows each table has."""
    with database.read() as connection:
        return {
            name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for name, table in metadata.tables.items()
        }

"""Campaigns with judgments that are hard on files, saved as annotators save them."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.workflow import judging
from audit_core.workflow.judging import Saved
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.bundles import without_judgments
from tests.homes import with_campaign

#: Notes that a spreadsheet would run, that break lines or cells, or that are written otherwise than Latin.
NOTES = (
    '=HYPERLINK("http://evil.example","click")',
    "+1+1",
    "-2-3",
    "@SUM(A1)",
    "\t=1+1",
    'two\nlines, "quoted"; and\r\n=more',
    "نص عربي من اليمين ‏123 עברית",
    "👩🏽‍🔬 emoji, e\u0301 combined, \u2028 line separator",
    "'apostrophe first",
    "",
)
_nonces = count(1)


def save(workspace: Workspace, campaign: CampaignRow, person: Person, number: int, **body: Any) -> Saved:
    """Save a judgment on an entry by its number, the next revision of that person's."""
    entry = judging.entry_numbered(workspace, person, campaign_id=campaign.id, number=number)
    filled = {
        "nonce": f"random nonce {next(_nonces):06}",
        "base_revision": entry.saved.revision if entry.saved else 0,
        "outcome": "judged",
        **body,
    }
    return judging.save_judgment(workspace, person, entry_id=entry.row.id, body=filled)


def judged_audit(workspace: Workspace, folder: Path, **options: Any) -> CampaignRow:
    """Import the tiny bundle from `folder` and return its campaign `fresh`, judged by Ada (with revisions), Bob and Cy."""
    campaign = with_campaign(workspace, folder, without_judgments, **options)
    ada, bob, cy = (sign_in(workspace, name) for name in ("Ada", "Bob", "Cy"))
    for note in NOTES:
        save(workspace, campaign, ada, 2, codes="F", note=note, active_ms=1234.0)
    save(workspace, campaign, bob, 1, codes="E", targets={"E": ["p1", "e1"]}, active_ms=333)
    save(workspace, campaign, cy, 1, outcome="cannot_judge", reason="=blurred")
    save(workspace, campaign, ada, 1, codes="", note="last")
    save(workspace, campaign, bob, 1, codes="EN", correction={"query": "=what?", "answer": None, "drop_pages": ["p1"]})
    save(workspace, campaign, bob, 3, codes="")
    return campaign


def judged_removal(workspace: Workspace, folder: Path) -> CampaignRow:
    """Import the tiny bundle from `folder` and return a removal campaign `fresh` of it, judged by Ada and Bob."""
    campaign = with_campaign(workspace, folder, without_judgments, protocol="removal")
    ada, bob = sign_in(workspace, "Ada"), sign_in(workspace, "Bob")
    save(workspace, campaign, ada, 1, fields={"remove": True, "clarity": 0.25, "no_layout_reference": 1})
    save(workspace, campaign, bob, 1, fields={"remove": False}, note=NOTES[0])
    save(workspace, campaign, bob, 2, outcome="cannot_judge", reason="blurred")
    return campaign


def judged_relevance(workspace: Workspace, folder: Path) -> CampaignRow:
    """Import the tiny bundle from `folder` and return a relevance campaign `fresh` of it, judged by Ada."""
    campaign = with_campaign(workspace, folder, without_judgments, protocol="relevance")
    ada = sign_in(workspace, "Ada")
    graded = {
        "query": "good",
        "grades": {"p1": 2},
        "types": {"p1": ["text"]},
        "boxes": [{"page_id": "p1", "box": [0.1, 0.2, 0.3, 1 / 3]}],
        "answered": "answer",
        "answer_text": "=one",
    }
    save(workspace, campaign, ada, 1, fields=graded)
    save(
        workspace, campaign, ada, 2, fields={"query": "good", "grades": {"p3": 0, "p4": 0}, "answered": "unanswerable"}
    )
    save(workspace, campaign, ada, 3, outcome="cannot_judge", reason="blurred")
    return campaign

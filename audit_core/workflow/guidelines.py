"""Guidelines of a campaign: what a lead tells annotators beside what the protocol says; versions are kept.

Each judgment keeps the number of the version that was shown, so that it can be told which ones were made under which rules.
"""

from __future__ import annotations

import unicodedata

from audit_core.errors import AssayError
from audit_core.storage import activity, guidelines
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.guidelines import GuidelineRow
from audit_core.storage.people import Person
from audit_core.workflow.workspace import Workspace

#: Longest guidelines, in characters: nobody reads more beside a page.
TEXT_MAX = 20_000


def clean_guidelines(text: str) -> str:
    """Return guidelines as they are kept: lines without blanks at their ends, none empty at either end of the text.

    Raises:
        AssayError: they are empty, too long, or hold characters that cannot be shown.
    """
    cleaned = "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")).strip(
        "\n"
    )
    if not cleaned.strip():
        raise AssayError("The guidelines are empty: write what annotators are to know.")
    if len(cleaned) > TEXT_MAX:
        raise AssayError(f"The guidelines have {len(cleaned):,} characters: shorten them to {TEXT_MAX:,}.")
    if any(unicodedata.category(each) in ("Cc", "Cs", "Cn") and each not in "\n\t" for each in cleaned):
        raise AssayError("The guidelines hold a character that cannot be shown: paste them as plain text.")
    return cleaned


def write_guidelines(workspace: Workspace, campaign: CampaignRow, text: str, *, person: Person | None = None) -> int:
    """Keep guidelines as the newest version, and return its number; the same text again makes no new version.

    Raises:
        AssayError: as `clean_guidelines`.
    """
    cleaned = clean_guidelines(text)
    with workspace.database.write() as connection:
        last = guidelines.newest(connection, campaign.id)
        if last is not None and last.text == cleaned:
            return last.version
        person_id = person.id if person else None
        version = guidelines.add(connection, campaign.id, cleaned, person_id=person_id)
        subject = {"campaign": campaign.name, "version": version}
        activity.record(connection, "guidelines-write", subject, person_id=person_id)
    return version


def guidelines_of(workspace: Workspace, campaign: CampaignRow) -> list[GuidelineRow]:
    """Return all versions of a campaign's guidelines, the newest first."""
    with workspace.database.read() as connection:
        return guidelines.of_campaign(connection, campaign.id)


def newest_guidelines(workspace: Workspace, campaign_id: int) -> GuidelineRow | None:
    """Return the guidelines that annotators are shown, None where the campaign has none of its own."""
    with workspace.database.read() as connection:
        return guidelines.newest(connection, campaign_id)

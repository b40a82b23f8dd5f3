"""Writing the judgments of one campaign to a file, under pseudonyms unless real names are asked for."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from audit_core.domain import JsonObject, Role
from audit_core.errors import AssayError
from audit_core.exporters.judgment_table import FORM_OF_SUFFIX, spreadsheet_place, write_judgment_table
from audit_core.storage import activity, judgment_lists
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.database import Connection
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.judgment_lists import CampaignAnnotator
from audit_core.storage.people import Person
from audit_core.workflow.roles import require_role
from audit_core.workflow.workspace import Workspace

#: Rounds that make guessing what a pseudonym was made of slow.
_ROUNDS = 20_000
_PSEUDONYM_LETTERS = 10


@dataclass(frozen=True, slots=True)
class JudgmentsWritten:
    """What an export wrote: the file, how many judgments, and of how many annotators."""

    file: Path
    judgments: int
    annotators: int

    def as_json(self) -> JsonObject:
        """Return it as one JSON document."""
        return {"file": str(self.file), "judgments": self.judgments, "annotators": self.annotators}


def form_of(file: Path, *, spreadsheet: bool = False) -> str:
    """Return the form that a file's name asks for: `jsonl`, `csv` or `parquet`; of a spreadsheet, which is CSV, `spreadsheet`.

    Raises:
        AssayError: the name ends otherwise.
    """
    form = FORM_OF_SUFFIX.get(file.suffix.lower())
    if form is None or (spreadsheet and form != "csv"):
        endings = ".csv (a spreadsheet opens no other)" if spreadsheet else ", ".join(FORM_OF_SUFFIX)
        raise AssayError(f"{file.name} does not say in which form to write: let its name end in {endings}.")
    return "spreadsheet" if spreadsheet else form


def export_judgments(
    workspace: Workspace,
    campaign: CampaignRow,
    file: Path,
    *,
    form: str,
    newest_only: bool = False,
    names: bool = False,
    person: Person | None = None,
) -> JudgmentsWritten:
    """Write all judgments of a campaign, or with `newest_only` the newest of each annotator on each entry.

    `form` is `jsonl`, `csv`, `parquet` or `spreadsheet`, whose file name is completed to say that it is not for import.
    With `names` annotators stand under their names, otherwise under pseudonyms of this campaign. The rows are read and
    written a block at a time; the same judgments give the same bytes.

    Raises:
        NotAllowed: the person does not lead.
        AssayError: the file cannot be written; nothing was kept.
    """
    if person is not None:
        require_role(person, Role.LEAD)
    dataset = workspace.dataset(campaign.dataset_id)
    count = 0
    with workspace.database.read() as connection:
        annotators = judgment_lists.annotators_of(connection, campaign.id)
        called = distinct_names(annotators) if names else pseudonyms(campaign, annotators)

        def rows() -> Iterator[JsonObject]:
            nonlocal count
            for row in _rows(connection, campaign, dataset, called, newest_only=newest_only):
                count += 1
                yield row

        written = write_judgment_table(rows(), file, form=form)
    if not workspace.database.is_read_only:
        subject = {
            "campaign": campaign.name,
            "dataset": dataset.name,
            "revision": dataset.revision,
            "form": form,
            "judgments": count,
            "newest": newest_only,
            "names": names,
        }
        with workspace.database.write() as connection:
            activity.record(connection, "judgments-export", subject, person_id=person.id if person else None)
    return JudgmentsWritten(written, count, len(annotators))


def export_file_name(campaign: CampaignRow, dataset: DatasetRow, *, form: str) -> str:
    """Return the name of a download: dataset, revision and campaign, in letters that every system takes."""
    words = f"judgments-{dataset.name}-{dataset.revision}-{campaign.name}"
    stem = "".join(each if each.isascii() and (each.isalnum() or each in ".-") else "-" for each in words).strip("-.")
    suffix = next((ending for ending, named in FORM_OF_SUFFIX.items() if named == form), ".csv")
    place = Path(f"{stem}{suffix}")
    return (spreadsheet_place(place) if form == "spreadsheet" else place).name


def pseudonyms(campaign: CampaignRow, annotators: Sequence[CampaignAnnotator]) -> dict[int, str]:
    """Return a name for each annotator that is the same in every export of this campaign and another one elsewhere.

    It is made of what only the database holds (when campaign and person were entered, to the microsecond, and the random
    nonce of the person's first judgment), slowly. No name goes into it, so nothing but the database leads back to one.
    """
    found: dict[int, str] = {}
    for each in annotators:
        known = f"{campaign.id}\n{campaign.created_at}\n{each.id}\n{each.created_at}"
        digest = hashlib.pbkdf2_hmac("sha256", known.encode(), each.first_nonce.encode(), _ROUNDS)
        found[each.id] = f"ann-{base64.b32encode(digest).decode('ascii').lower()[:_PSEUDONYM_LETTERS]}"
    return found


def distinct_names(annotators: Sequence[CampaignAnnotator]) -> dict[int, str]:
    """Return the real name of each annotator, each another one: who signs in here is not an imported one of that name."""
    given = {each.id: each.name for each in annotators if each.is_imported}
    for each in annotators:
        name, number = each.name, 2
        while each.id not in given and name in given.values():
            name, number = f"{each.name} ({number})", number + 1
        given.setdefault(each.id, name)
    return given


def _rows(
    connection: Connection, campaign: CampaignRow, dataset: DatasetRow, called: dict[int, str], *, newest_only: bool
) -> Iterator[JsonObject]:
    """Yield the judgments in the columns of the table."""
    about = {
        "dataset": dataset.name,
        "dataset_revision": dataset.revision,
        "content_hash": dataset.content_hash,
        "campaign": campaign.name,
        "protocol": campaign.protocol,
    }
    same = (
        "query_id", "revision", "is_newest", "outcome", "note", "reason", "active_seconds", "saved_at",
        "guideline_version", "selection", "correction",
    )  # fmt: skip
    for row in judgment_lists.judgment_rows(connection, campaign.id, newest_only=newest_only):
        # PostgreSQL lets in who began to judge meanwhile: the next export has them.
        if row["person_id"] in called:
            yield {
                **about,
                **{column: row[column] for column in same},
                "entry": row["number"],
                "annotator": called[row["person_id"]],
                "codes": list(row["codes"]),
                "fields": row["answer"],
                "targets": dict(sorted(row["targets"].items())) or None,
                "is_pilot": bool(row["is_pilot"]),
                "is_gold": bool(row["is_gold"]),
            }

"""Taking the judgments of a file into a campaign that is there: all of them or none, while others save."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit_core.audit_report.wording import counted
from audit_core.domain import CampaignState, JsonObject, Role
from audit_core.errors import AssayError, CampaignClosed
from audit_core.storage import activity, campaigns, import_marks, making, people
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.clock import now
from audit_core.storage.database import Connection
from audit_core.storage.people import Person
from audit_core.storage.schema import judgment
from audit_core.workflow.import_records import imported_person_ids
from audit_core.workflow.judgments_plan import ImportPlan, plan_import
from audit_core.workflow.roles import require_role
from audit_core.workflow.workspace import Workspace

#: Rows that are made ready at a time.
_READY_ROWS = 20_000
Progress = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class AnnotatorInFile:
    """An annotator of a file: whom it stands for, and whether that is somebody new."""

    name: str
    person: str
    is_new: bool
    is_account: bool


@dataclass(frozen=True, slots=True)
class JudgmentsImport:
    """What an import did, or with `is_done` False would do. `revised` of the `added` ones replace what counted."""

    campaign: str
    file: str
    is_done: bool
    rows: int
    added: int
    revised: int
    known: int
    entries: int
    surplus: int
    guidelines_unknown: int
    annotators: tuple[AnnotatorInFile, ...]
    same_names: tuple[str, ...]

    def as_json(self) -> JsonObject:
        """Return it as one JSON document."""
        return {
            "campaign": self.campaign, "file": self.file, "done": self.is_done, "rows": self.rows, "added": self.added,
            "revised": self.revised, "known": self.known, "entries": self.entries, "surplus_entries": self.surplus,
            "guideline_versions_left_out": self.guidelines_unknown,
            "annotators": [
                {"name": each.name, "person": each.person, "new": each.is_new, "account": each.is_account}
                for each in self.annotators
            ],
        }  # fmt: skip

    def sentences(self) -> list[str]:
        """Return it in words."""
        words = ("were added", "was added") if self.is_done else ("would be added", "would be added")
        which = words[1] if self.added == 1 else words[0]
        found = [
            f"{self.file}: {counted(self.rows, 'judgment', 'judgments')} on "
            f"{counted(self.entries, 'entry', 'entries')}. {self.added:,} {which} to campaign {self.campaign}, "
            f"{self.known:,} {'is' if self.known == 1 else 'are'} there already."
        ]
        if self.revised:
            found.append(
                f"{counted(self.revised, 'of them replaces', 'of them replace')} what its annotator said before."
            )
        new = [each.name for each in self.annotators if each.is_new]
        if new:
            found.append(f"New imported annotators: {_listed(new)}.")
        if self.same_names:
            found.append(
                f"There are accounts of the same name, which are not taken for the same people: {_listed(self.same_names)}. "
                "Say so with --as NAME=ACCOUNT where they are."
            )
        if self.surplus:
            found.append(
                f"{counted(self.surplus, 'entry has', 'entries have')} more judgments then than the campaign asks for."
            )
        if self.guidelines_unknown:
            found.append(
                f"{counted(self.guidelines_unknown, 'judgment names', 'judgments name')} a version of guidelines that this "
                "campaign does not have: the version is left out."
            )
        return found


def _listed(names: list[str] | tuple[str, ...]) -> str:
    return ", ".join(names[:20]) + (f" and {len(names) - 20:,} more" if len(names) > 20 else "")


def preview_judgments_import(
    workspace: Workspace,
    campaign: CampaignRow,
    file: Path,
    *,
    name: str | None = None,
    revise: bool = False,
    accounts: Mapping[str, str] | None = None,
) -> JudgmentsImport:
    """Return what `import_judgments` would do with the same arguments; changes nothing.

    Raises:
        BundleError, AssayError: as `import_judgments`.
    """
    _require_open(campaign)
    called = name or file.name
    plan = plan_import(workspace, campaign, file, name=called, revise=revise, accounts=accounts or {})
    with workspace.database.read() as connection:
        return _result(connection, campaign, called, plan, is_done=False)


def import_judgments(
    workspace: Workspace,
    campaign: CampaignRow,
    file: Path,
    *,
    name: str | None = None,
    revise: bool = False,
    accounts: Mapping[str, str] | None = None,
    person: Person | None = None,
    progress: Progress | None = None,
) -> JudgmentsImport:
    """Add the judgments of a file to an open campaign and return what was done; all of them or none.

    `name` is what the file is called where that is not its own name. An annotator of the file is the person whose
    pseudonym in this campaign that is, the account that `accounts` gives, or an imported annotator of that name. A judgment
    that is there already is left alone, so that the same file again changes nothing; one that says otherwise than its
    annotator did is refused, or with `revise` becomes a further revision.

    Rows go in a part at a time, so that nobody who saves waits for them. If the import fails or its process dies, what it
    added is taken back.

    Raises:
        BundleError: the file was refused; the message lists every fault with row, field and what to do.
        CampaignClosed: the campaign takes no judgments.
        NotAllowed: the person does not lead.
        AssayError: `accounts` names an annotator or account that is not there.
        StorageError: the database cannot be written, or something else is being imported for too long.
    """
    if person is not None:
        require_role(person, Role.LEAD)
    called = name or file.name
    report = progress or (lambda step, share: None)
    _require_open(campaign)
    with making.campaign_in_making(workspace.database):
        report("checking the file", 0.0)
        plan = plan_import(workspace, campaign, file, name=called, revise=revise, accounts=accounts or {})
        with workspace.database.read() as connection:
            result = _result(connection, campaign, called, plan, is_done=True)
        if not plan.added:
            return result
        with workspace.database.write() as connection:
            _require_still_open(connection, campaign)
            names = (each for each in plan.annotators.values() if isinstance(each, str))
            ids, new = imported_person_ids(connection, names)
            mark = import_marks.begin_adding(connection, campaign.id, people=new)
        for done, part in _parts(plan, ids):
            report("saving", 0.5 + 0.5 * done / len(plan.added))
            making.insert_in_parts(workspace.database, judgment, part)
        with workspace.database.write() as connection:
            _require_still_open(connection, campaign)
            import_marks.end_mark(connection, mark)
            subject = {key: value for key, value in result.as_json().items() if key not in ("done", "annotators")}
            activity.record(connection, "judgments-import", subject, person_id=person.id if person else None)
    report("done", 1.0)
    return result


def _parts(plan: ImportPlan, ids: Mapping[str, int]) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Yield the rows to insert, some at a time, each time with how many came before."""
    moment = now()
    for start in range(0, len(plan.added), _READY_ROWS):
        rows = []
        for each in plan.added[start : start + _READY_ROWS]:
            person_id = ids[each.who] if isinstance(each.who, str) else each.who
            said = each.said
            rows.append(
                {
                    "entry_id": each.entry_id, "person_id": person_id, "revision": each.revision,
                    "nonce": each.nonce(person_id), "outcome": said.outcome, "codes": said.codes, "targets": said.targets,
                    "note": said.note, "reason": said.reason, "active_seconds": each.active_seconds, "is_imported": True,
                    "saved_at": each.saved_at or moment, "correction": said.correction, "answer": said.answer,
                    "guideline_version": each.guideline_version,
                }
            )  # fmt: skip
        yield start, rows


def _require_open(campaign: CampaignRow) -> None:
    if campaign.archived_at is not None:
        raise AssayError(f"Campaign {campaign.name} is archived: restore it first. Nothing was imported.")
    if campaign.state != CampaignState.OPEN:
        raise CampaignClosed(
            f"Campaign {campaign.name} is closed and takes no judgments: open it, import, and close it again. "
            "Nothing was imported."
        )


def _require_still_open(connection: Connection, campaign: CampaignRow) -> None:
    row = campaigns.by_id(connection, campaign.id)
    if row is None:
        raise AssayError(f"Campaign {campaign.name} has been deleted meanwhile: nothing was imported.")
    _require_open(row)


def _result(
    connection: Connection, campaign: CampaignRow, file: str, plan: ImportPlan, *, is_done: bool
) -> JudgmentsImport:
    annotators, same_names = [], []
    for name, who in plan.annotators.items():
        person = people.by_id(connection, who) if isinstance(who, int) else None
        annotators.append(
            AnnotatorInFile(
                name=name,
                person=person.name if person else name,
                is_new=person is None,
                is_account=person is not None and not person.is_imported,
            )
        )
        is_imported = person is None or person.is_imported
        if is_imported and (namesake := people.by_name(connection, name)) is not None:
            same_names.append(namesake.name)
    return JudgmentsImport(
        campaign=campaign.name, file=file, is_done=is_done, rows=plan.rows, added=len(plan.added), revised=plan.revised,
        known=plan.known, entries=plan.entries, surplus=plan.surplus, guidelines_unknown=plan.guidelines_unknown,
        annotators=tuple(annotators), same_names=tuple(same_names),
    )  # fmt: skip

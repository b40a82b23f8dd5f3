"""What importing a judgments file into a campaign would do: row by row, against what is there, without changing anything."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from audit_core.domain import HandOut
from audit_core.importers.judgment_rows import FileFaults
from audit_core.storage import judgment_lists
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.database import Connection
from audit_core.workflow.judgments_check import digest_of
from audit_core.workflow.judgments_reading import FileReading, PlannedJudgment, Who
from audit_core.workflow.workspace import Workspace


@dataclass(slots=True)
class ImportPlan:
    """What an import would add, in the order of the file, and what it found there already.

    `annotators` maps each name in the file to the person it stands for, or to itself where that one would be new.
    """

    rows: int = 0
    added: list[PlannedJudgment] = field(default_factory=list)
    revised: int = 0
    known: int = 0
    entries: int = 0
    surplus: int = 0
    guidelines_unknown: int = 0
    annotators: dict[str, Who] = field(default_factory=dict)


def plan_import(
    workspace: Workspace, campaign: CampaignRow, path: Path, *, name: str, revise: bool, accounts: Mapping[str, str]
) -> ImportPlan:
    """Return what importing a file would do; `name` is what the file is called, `accounts` maps annotators to accounts.

    Raises:
        BundleError: the file was refused; the message lists every fault with row, field and what to do.
        AssayError: `accounts` names an annotator or account that is not there.
    """
    faults = FileFaults(name)
    with workspace.database.read() as connection:
        reading = FileReading(workspace, connection, campaign, faults, accounts)
        rows = reading.read(path)
        faults.raise_if_any()
        reading.refuse_unused_accounts()
        plan = _settled(connection, campaign, rows, faults, revise=revise)
        plan.annotators = reading.people
        plan.guidelines_unknown = reading.guidelines_unknown
    faults.raise_if_any()
    return plan


#: (revision, digest, nonce) of what is there.
_There = tuple[int, str, str]


def _settled(
    connection: Connection, campaign: CampaignRow, rows: list[PlannedJudgment], faults: FileFaults, *, revise: bool
) -> ImportPlan:
    """Return the plan: for each annotator and entry, what of the rows is new beside what is there."""
    known_people = {each.who for each in rows if isinstance(each.who, int)}
    there: defaultdict[tuple[int, Who], list[_There]] = defaultdict(list)
    if known_people:
        for entry_id, person_id, revision, nonce, said in judgment_lists.answers_of(
            connection, campaign.id, known_people
        ):
            there[entry_id, person_id].append((revision, digest_of(said), nonce))
    groups: defaultdict[tuple[int, Who], list[PlannedJudgment]] = defaultdict(list)
    for each in rows:
        groups[each.entry_id, each.who].append(each)
    plan = ImportPlan(rows=len(rows), entries=len({each.entry_id for each in rows}))
    for key, group in groups.items():
        if not _has_doubled(group, faults):
            _settle(group, there.get(key, []), plan, faults, revise=revise)
    plan.added.sort(key=lambda each: each.place)
    if campaign.hand_out == HandOut.EXACT:
        plan.surplus = _surplus(connection, campaign, plan)
    return plan


def _has_doubled(group: list[PlannedJudgment], faults: FileFaults) -> bool:
    """Return whether an annotator says something about an entry twice without telling which comes later; a fault then."""
    if len(group) == 1:
        return False
    first: dict[int, PlannedJudgment] = {}
    for each in group:
        twin = first.setdefault(each.revision, each)
        if twin is not each:
            faults.add(
                each.place, "revision", each.file_revision,
                f"row {twin.place} is of the same annotator, entry and revision: take one away, or number them 1, 2 ...",
            )  # fmt: skip
            return True
    if 0 in first:
        faults.add(
            first[0].place,
            "revision",
            None,
            "this annotator has further rows on the entry: number all of them 1, 2 ...",
        )
        return True
    return False


def _settle(
    group: list[PlannedJudgment], there: list[_There], plan: ImportPlan, faults: FileFaults, *, revise: bool
) -> None:
    """Add what is new of an annotator's rows on one entry to the plan."""
    by_revision = {revision: digest for revision, digest, _ in there}
    nonces = {nonce for _, _, nonce in there}
    last = max(by_revision, default=0)
    is_first = not there
    for each in sorted(group, key=lambda each: each.revision):
        is_known = by_revision.get(each.revision) == each.digest or (
            each.file_revision is None and each.digest in by_revision.values()
        )
        if is_known or (isinstance(each.who, int) and each.nonce(each.who) in nonces):
            plan.known += 1
        elif is_first:
            plan.added.append(_numbered(each, each.revision or 1))
        elif each.revision and each.revision < last and each.revision not in by_revision:
            # An earlier answer that was not here: what counts stays.
            plan.added.append(_numbered(each, each.revision))
        elif revise:
            last = each.revision if each.revision > last else last + 1
            plan.added.append(_numbered(each, last))
            plan.revised += 1
        else:
            faults.add(
                each.place, "annotator", each.annotator,
                f"this annotator answered the entry otherwise already (revision {last}): take the row out, or import with "
                "--revise, so that it becomes a further revision",
            )  # fmt: skip


def _numbered(each: PlannedJudgment, revision: int) -> PlannedJudgment:
    return replace(each, revision=revision)


def _surplus(connection: Connection, campaign: CampaignRow, plan: ImportPlan) -> int:
    """Return how many entries would have more judges than the campaign asks for."""
    judges: dict[int, set[Who]] = {
        entry_id: set(found) for entry_id, found in judgment_lists.judges_of_entries(connection, campaign.id).items()
    }
    for each in plan.added:
        judges.setdefault(each.entry_id, set()).add(each.who)
    touched = {each.entry_id for each in plan.added}
    return sum(len(judges[entry_id]) > campaign.judgments_per_entry for entry_id in touched)

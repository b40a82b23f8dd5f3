"""Reading a judgments file against a campaign: which entry and annotator each row means, and whether the protocol takes it."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from audit_core.errors import AssayError, JudgmentInvalid, SignInError
from audit_core.importers.judgment_rows import FileFaults
from audit_core.importers.judgments_file import FileJudgment, read_judgments_file
from audit_core.storage import judgment_lists, people
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.clock import stamp
from audit_core.storage.database import Connection
from audit_core.storage.import_marks import FILE_NONCE
from audit_core.workflow.judgments_check import AnswerCheck, Said
from audit_core.workflow.judgments_export import pseudonyms
from audit_core.workflow.person_names import clean_name
from audit_core.workflow.workspace import Workspace

#: More annotators than that are a column of something else.
ANNOTATORS_MAX = 1_000
#: A person who is here by id, or one who is not by the name in the file.
Who = int | str


@dataclass(frozen=True, slots=True)
class PlannedJudgment:
    """A judgment that the import would add, with the revision that the file gave it and the one that it would get."""

    place: int
    entry_id: int
    annotator: str
    who: Who
    revision: int
    file_revision: int | None
    digest: str
    said: Said
    active_seconds: float | None
    saved_at: str | None
    guideline_version: int | None

    def nonce(self, person_id: int) -> str:
        """Return what marks this judgment of that person, the same at every import of the file."""
        return file_nonce(self.entry_id, person_id, self.file_revision, self.digest)


def file_nonce(entry_id: int, person_id: int, revision: int | None, digest: str) -> str:
    """Return the nonce of a judgment that comes from a file: it depends on nothing but what the file says."""
    text = f"{entry_id}/{person_id}/{revision or 0}/{digest}"
    return FILE_NONCE + hashlib.sha256(text.encode()).hexdigest()


class FileReading:
    """Reads the rows of one file: to which entry and annotator each belongs, and whether the protocol takes it."""

    def __init__(
        self,
        workspace: Workspace,
        connection: Connection,
        campaign: CampaignRow,
        faults: FileFaults,
        accounts: Mapping[str, str],
    ) -> None:
        self.people: dict[str, Who] = {}
        self.guidelines_unknown = 0
        self._workspace = workspace
        self._connection = connection
        self._campaign = campaign
        self._faults = faults
        self._accounts = {name: self._account(name, account) for name, account in accounts.items()}
        self._check = AnswerCheck(workspace, campaign)
        self._dataset = workspace.dataset(campaign.dataset_id)
        self._numbers: dict[int, tuple[int, str]] = {}
        self._of_query: defaultdict[str, list[int]] = defaultdict(list)
        self._pilot: set[int] = set()
        self._gold: set[int] = set()
        for number, entry_id, query_id, is_pilot, is_gold in judgment_lists.entry_index(connection, campaign.id):
            self._numbers[number] = entry_id, query_id
            self._of_query[query_id].append(number)
            if is_pilot:
                self._pilot.add(entry_id)
            if is_gold:
                self._gold.add(entry_id)
        judged = judgment_lists.annotators_of(connection, campaign.id)
        self._pseudonyms = {shown: person for person, shown in pseudonyms(campaign, judged).items()}
        self._versions = judgment_lists.guideline_versions(connection, campaign.id)
        self._queries: set[str] | None = None

    def read(self, path: Path) -> list[PlannedJudgment]:
        """Return the rows that could be read, the revision of each as the file gives it (0 for none)."""
        found = []
        for each in read_judgments_file(path, self._faults):
            entry = self._entry(each)
            is_ours = self._is_of_campaign(each)
            if entry is None or not is_ours or not self._may_stand_on(entry[0], each):
                continue
            try:
                said = self._check.check(*entry, each.body)
            except JudgmentInvalid as error:
                self._faults.add(each.place, self._check.field_of(error), None, str(error))
                continue
            found.append(
                PlannedJudgment(
                    place=each.place, entry_id=entry[0], annotator=each.annotator, who=self._who(each),
                    revision=each.revision or 0, file_revision=each.revision, digest=said.digest, said=said,
                    active_seconds=each.active_seconds,
                    saved_at=None if each.saved_at is None else stamp(each.saved_at),
                    guideline_version=self._guideline(each.guideline_version),
                )
            )  # fmt: skip
        return found

    def refuse_unused_accounts(self) -> None:
        """Refuse an annotator that was to be somebody and is not in the file."""
        if unused := sorted(set(self._accounts) - set(self.people)):
            raise AssayError(
                f"{self._faults.name} has no annotator {unused[0]!r}. It has: {', '.join(sorted(self.people))}."
            )

    def _account(self, name: str, account: str) -> int:
        person = people.by_name(self._connection, account)
        if person is None:
            raise AssayError(
                f"There is no account {account!r} that {name!r} could be: make it first, or correct the name."
            )
        return person.id

    def _may_stand_on(self, entry_id: int, each: FileJudgment) -> bool:
        """Return whether a row stays out of estimates where its file keeps it out: gold and pilot answers enter none."""
        if each.is_gold and entry_id not in self._gold:
            field, word = "is_gold", "a gold"
        elif each.is_pilot and entry_id not in self._pilot:
            field, word = "is_pilot", "a pilot"
        else:
            return True
        self._faults.add(
            each.place, field, True,
            f"the answer was given on {word} entry and may enter no estimate, and the entry of campaign "
            f"{self._campaign.name} is none: leave the rows with {field} true out",
        )  # fmt: skip
        return False

    def _who(self, each: FileJudgment) -> Who:
        annotator = each.annotator
        if annotator not in self.people:
            if len(self.people) == ANNOTATORS_MAX:
                self._faults.add(
                    None, "annotator", None, f"there are more than {ANNOTATORS_MAX:,}: is it the right column?"
                )
                raise self._faults.refusal()
            known = self._accounts.get(annotator) or self._pseudonyms.get(annotator)
            imported = None if known else people.by_name(self._connection, annotator, is_imported=True)
            if not (known or imported):
                self._check_name(each)
            self.people[annotator] = known or (imported.id if imported else annotator)
        return self.people[annotator]

    def _check_name(self, each: FileJudgment) -> None:
        """Note a fault where the name of a new annotator could be no account's."""
        try:
            clean_name(each.annotator)
        except SignInError as error:
            self._faults.add(each.place, "annotator", each.annotator, str(error))

    def _guideline(self, version: int | None) -> int | None:
        if version is None or version in self._versions:
            return version
        self.guidelines_unknown += 1
        return None

    def _is_of_campaign(self, each: FileJudgment) -> bool:
        """Return whether a row may be of this campaign as far as it says; a fault where not."""
        before = self._faults.total
        if each.protocol is not None and each.protocol != self._campaign.protocol:
            self._faults.add_once(
                each.place, "protocol", each.protocol,
                f"campaign {self._campaign.name} asks for {self._campaign.protocol}: choose a campaign of the file's protocol",
            )  # fmt: skip
        if each.content_hash is not None and each.content_hash != self._dataset.content_hash:
            self._faults.add_once(
                each.place, "content_hash", each.content_hash,
                f"the judgments were made on other content than {self._dataset.name}@{self._dataset.revision}: import them "
                "into a campaign on theirs and carry that over, or take the column out if they hold here as well",
            )  # fmt: skip
        return self._faults.total == before

    def _entry(self, each: FileJudgment) -> tuple[int, str] | None:
        """Return id and query id of the entry that a row means, None (and a fault) where none or several can be meant."""
        if each.entry is not None:
            known = self._numbers.get(each.entry)
            if known is None:
                self._faults.add(
                    each.place, "entry", each.entry, "this campaign has no entry of that number: correct it"
                )
            elif each.query_id is not None and known[1] != each.query_id:
                self._faults.add(
                    each.place, "query_id", each.query_id,
                    f"entry {each.entry} of this campaign is query {known[1]}: correct one of the two, or take the column "
                    "entry out to go by queries",
                )  # fmt: skip
                return None
            return known
        query_id = each.query_id or ""
        numbers = self._of_query.get(query_id, [])
        if len(numbers) == 1:
            return self._numbers[numbers[0]]
        if numbers:
            which = " and ".join(map(str, numbers[:5]))
            self._faults.add(
                each.place, "query_id", query_id, f"it is entered as {which}: say which one in the column entry"
            )
        elif query_id in self._all_queries():
            self._faults.add(
                each.place,
                "query_id",
                query_id,
                "this query of the dataset is no entry of the campaign: take the row out",
            )
        else:
            self._faults.add(each.place, "query_id", query_id, "the dataset has no such query: correct the id")
        return None

    def _all_queries(self) -> set[str]:
        if self._queries is None:
            self._queries = {each[0] for each in self._workspace.revision(self._dataset).queries_index()}
        return self._queries

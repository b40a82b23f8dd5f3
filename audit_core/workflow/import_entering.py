"""Entering an imported bundle into the main database: its dataset, its campaigns with their judgments, its label sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from audit_core.errors import RevisionClash, StorageError
from audit_core.storage import activity, datasets, import_marks, making
from audit_core.storage.database import Connection
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.workflow.import_labels import (
    BegunLabelSet,
    begin_label_sets,
    fill_label_set,
    finish_label_set,
    new_label_sets,
)
from audit_core.workflow.import_records import (
    BegunCampaign,
    PlannedCampaign,
    begin_campaigns,
    fill_campaign,
    finish_campaign,
    new_campaigns,
)
from audit_core.workflow.import_result import ImportResult
from audit_core.workflow.workspace import Workspace

if TYPE_CHECKING:
    from audit_core.importers.bundle import Bundle


@dataclass(frozen=True, slots=True)
class ImportEntry:
    """A bundle whose revision stands in its folder, about to be entered. `plan` are the campaigns of its judgments."""

    workspace: Workspace
    bundle: Bundle
    plan: list[PlannedCampaign]
    is_lenient: bool
    person: Person | None
    origin: str

    def refuse_clash(self) -> None:
        """Refuse a bundle whose name and revision, or a campaign or label set of it, are here with other content.

        Raises:
            RevisionClash: says what to rename.
        """
        self._new_sets()

    def enter(self) -> ImportResult:
        """Enter everything, and return what that did.

        In one transaction where there are neither new judgments nor new labels. Otherwise these are put in a part at a
        time, so that nobody who saves waits for them. Until the last transaction they are not seen, and a new dataset is
        archived; what never comes so far is taken back.

        Raises:
            RevisionClash: as `refuse_clash`, where another import or somebody at work was faster.
            StorageError: the database cannot be written, or another import took the files back.
        """
        database = self.workspace.database
        if not any(self._new_sets()):
            with database.write() as connection:
                known = self._known(connection)
                return self._finish(connection, known, known.id if known else self._add_dataset(connection), (), ())
        with making.campaign_in_making(database):
            # What is here is compared before the transaction: nobody who saves waits for that either.
            campaigns, labels = self._new_sets()
            with database.write() as connection:
                known = self._known(connection)
                dataset_id = known.id if known else self._add_dataset(connection)
                if known is None:
                    datasets.set_archived(connection, dataset_id, archived=True)
                begun, people = begin_campaigns(connection, campaigns, dataset_id)
                sets = begin_label_sets(connection, self.bundle, labels, dataset_id)
                mark = import_marks.begin_entering(
                    connection,
                    dataset_id,
                    is_new=known is None,
                    people=people,
                    label_sets=[each.id for each in sets],
                )
            for campaign in begun:
                fill_campaign(database, campaign)
            for label_set in sets:
                fill_label_set(database, self.bundle, label_set)
            with database.write() as connection:
                import_marks.end_mark(connection, mark)
                return self._finish(connection, known, dataset_id, begun, sets)

    def _new_sets(self) -> tuple[list[PlannedCampaign], list[str]]:
        """Return the campaigns and the label sets of the bundle that are not here yet."""
        info = self.bundle.info
        with self.workspace.database.read() as connection:
            self._refuse_other_content(connection)
            for row in datasets.by_name(connection, info.name, info.revision):
                return new_campaigns(connection, self.plan, row.id), new_label_sets(connection, self.bundle, row.id)
        return list(self.plan), list(self.bundle.labels)

    def _known(self, connection: Connection) -> DatasetRow | None:
        """Return the dataset where it is here already, after making sure that the bundle may be entered."""
        self._refuse_other_content(connection)
        if not (self.workspace.datasets_folder / self.bundle.content_hash).is_dir():
            raise StorageError(
                "Another import of the same bundle failed meanwhile and took its files back: import again."
            )
        return datasets.by_hash(connection, self.bundle.content_hash)

    def _refuse_other_content(self, connection: Connection) -> None:
        info, content_hash = self.bundle.info, self.bundle.content_hash
        for row in datasets.by_name(connection, info.name, info.revision):
            if row.content_hash != content_hash:
                raise RevisionClash(
                    f"Dataset {row.name} revision {row.revision} is here already with other content "
                    f"({row.content_hash[:12]}; this bundle has {content_hash[:12]}). A revision is never changed: "
                    "give the bundle another `revision` in dataset.json."
                )

    def _add_dataset(self, connection: Connection) -> int:
        return datasets.add(
            connection,
            name=self.bundle.info.name,
            revision=self.bundle.info.revision,
            content_hash=self.bundle.content_hash,
            origin=self.origin,
            is_lenient=self.is_lenient,
        )

    def _finish(
        self,
        connection: Connection,
        known: DatasetRow | None,
        dataset_id: int,
        begun: Sequence[BegunCampaign],
        sets: Sequence[BegunLabelSet],
    ) -> ImportResult:
        """Show the dataset, its campaigns and its label sets. `known` is the dataset as it was found here."""
        for campaign in begun:
            finish_campaign(connection, campaign)
        for label_set in sets:
            finish_label_set(connection, label_set)
        is_restored = known is not None and known.archived_at is not None
        if is_restored or begun or sets:
            # Whoever imports an archived one again wants to see it.
            datasets.set_archived(connection, dataset_id, archived=False)
        made, labels = [each.planned.name for each in begun], [each.name for each in sets]
        if known is None or made or labels or is_restored:
            subject = {
                "dataset": self.bundle.info.name,
                "revision": self.bundle.info.revision,
                "campaigns": made,
                "labels": labels,
                "restored": is_restored,
            }
            activity.record(connection, "import", subject, person_id=self.person.id if self.person else None)
        row = datasets.by_id(connection, dataset_id)
        assert row is not None
        return self._result(
            row,
            is_new=known is None,
            is_restored=is_restored,
            campaigns=made,
            labels=labels,
        )

    def _result(
        self,
        row: DatasetRow,
        *,
        is_new: bool,
        is_restored: bool,
        campaigns: list[str],
        labels: list[str],
    ) -> ImportResult:
        from audit_core.importers.bundle_schema import MAIN_TABLES

        bundle = self.bundle
        tables = {name: bundle.counts.get(name, 0) for name in (*MAIN_TABLES, "evidence")}
        files = (*(f"judgments/{each}" for each in bundle.judgments), *(f"labels/{each}" for each in bundle.labels))
        is_own = {*tables, *files}
        return ImportResult(
            dataset=row,
            is_new=is_new,
            counts=tables,
            accepted={
                name.replace("_", " "): count for name, count in bundle.counts.items() if name not in is_own and count
            },
            warnings=list(bundle.warnings),
            findings=bundle.findings.height,
            campaigns=campaigns,
            campaigns_known=[each.name for each in self.plan if each.name not in campaigns],
            label_sets=labels,
            label_sets_known=[name for name in bundle.labels if name not in labels],
            is_restored=is_restored,
        )

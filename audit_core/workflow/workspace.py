"""The workspace: everything that lies in one ASSAY_HOME, opened once a process."""

from __future__ import annotations

import threading
from functools import lru_cache
from pathlib import Path

from audit_core import config
from audit_core.datasets.revision import Revision, open_revision
from audit_core.errors import NotFound, StorageError
from audit_core.rendering.page_images import PageImages
from audit_core.storage import campaigns, datasets
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.database import Database, open_database
from audit_core.storage.datasets import DatasetRow

#: How many dataset revisions stay open at once.
_REVISIONS_OPEN = 32


class Workspace:
    """The main database, the dataset revisions and the page images of one home. Threads may share it."""

    def __init__(self, home: Path, database: Database) -> None:
        self.home = home
        self.database = database
        self.page_images = PageImages(
            home / "cache" / "pages",
            cache_bytes=config.page_cache_bytes(),
            max_pixels=config.max_image_pixels(),
            pdf_timeout_seconds=config.pdf_timeout_seconds(),
        )
        self._open_revision = lru_cache(maxsize=_REVISIONS_OPEN)(self._load_revision)

    @property
    def datasets_folder(self) -> Path:
        """The folder in which each dataset revision is a folder named by its content hash."""
        return self.home / "datasets"

    def _load_revision(self, content_hash: str) -> Revision:
        return open_revision(self.datasets_folder / content_hash)

    def revision(self, dataset: DatasetRow) -> Revision:
        """Return the dataset revision, opened.

        Raises:
            NotFound: its folder is gone; says which one to put back.
        """
        folder = self.datasets_folder / dataset.content_hash
        if not folder.is_dir():
            raise NotFound(
                f"The folder of dataset {dataset.name} revision {dataset.revision} is not at {folder}. "
                "Put it back from a copy, or import the bundle again: its campaigns and judgments are kept."
            )
        return self._open_revision(dataset.content_hash)

    def forget_revisions(self) -> None:
        """Open every dataset revision anew at its next use: an import may have brought one back."""
        self._open_revision.cache_clear()

    def dataset(self, dataset_id: int) -> DatasetRow:
        """Return a dataset's row by id.

        Raises:
            NotFound: there is no such dataset.
        """
        with self.database.read() as connection:
            row = datasets.by_id(connection, dataset_id)
        if row is None:
            raise NotFound("There is no such dataset here. `python -m audit_core datasets` lists them.")
        return row

    def campaign(self, campaign_id: int) -> tuple[CampaignRow, DatasetRow]:
        """Return a campaign and its dataset by the campaign's id.

        Raises:
            NotFound: there is no such campaign.
        """
        with self.database.read() as connection:
            row = campaigns.by_id(connection, campaign_id)
            dataset = datasets.by_id(connection, row.dataset_id) if row else None
        if row is None or dataset is None:
            raise NotFound("There is no such campaign here. `python -m audit_core campaigns` lists them.")
        return row, dataset

    def close(self) -> None:
        """Close the database and end the PDF process."""
        self.database.close()
        self.page_images.close()


_lock = threading.Lock()
_opened: dict[tuple[str, str], Workspace] = {}


def open_workspace() -> Workspace:
    """Return this process's workspace for the settings in force, opened and migrated at the first call.

    Raises:
        StorageError: the home or the database cannot be used; says what to do.
    """
    home, url = config.home(), config.database_url()
    with _lock:
        found = _opened.get((str(home), url))
        if found is None:
            try:
                home.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StorageError(
                    f"ASSAY_HOME is {home}, which cannot be made ({error.strerror}). Set it to a writable folder."
                ) from error
            database = open_database(url)
            try:
                found = _opened[(str(home), url)] = Workspace(home, database)
            except BaseException:
                database.close()
                raise
        return found

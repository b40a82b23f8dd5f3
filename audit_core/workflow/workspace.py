"""The workspace: everything that lies in one ASSAY_HOME, opened once a process."""

from __future__ import annotations

import threading
from functools import cached_property, lru_cache
from pathlib import Path

from audit_core import config
from audit_core.datasets.revision import Revision, open_revision
from audit_core.errors import NotFound, StorageError
from audit_core.rendering.page_images import PageImages
from audit_core.storage import campaigns, datasets
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.database import Database, connect, open_database
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.reading import can_only_be_read, open_for_reading

#: How many dataset revisions stay open at once.
_REVISIONS_OPEN = 32
#: Said of a campaign that there is not, and in the same words of one that is not the asker's: nobody learns which.
NO_SUCH_CAMPAIGN = "There is no such campaign here (any more): the list of campaigns has those that there are."


class Workspace:
    """The main database, the dataset revisions and the page images of one home. Threads may share it."""

    def __init__(self, home: Path, database: Database, *, draws_pages: bool = True) -> None:
        self.home = home
        self.database = database
        self._open_revision = lru_cache(maxsize=_REVISIONS_OPEN)(self._load_revision)
        if draws_pages:
            _ = self.page_images

    @cached_property
    def page_images(self) -> PageImages:
        """The page images, with their cache: made at once, unless the workspace was opened to be read alone."""
        return PageImages(
            self.home / "cache" / "pages",
            cache_bytes=config.page_cache_bytes(),
            max_pixels=config.max_image_pixels(),
            pdf_timeout_seconds=config.pdf_timeout_seconds(),
        )

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
            raise NotFound(NO_SUCH_CAMPAIGN)
        return row, dataset

    def close(self) -> None:
        """Close the database and end the PDF process."""
        self.database.close()
        if "page_images" in self.__dict__:
            self.page_images.close()


_lock = threading.Lock()
#: By home, database and whether it was opened to be read alone.
_opened: dict[tuple[str, str, bool], Workspace] = {}


def open_workspace(*, reads_only: bool = False) -> Workspace:
    """Return this process's workspace for the settings in force, opened and migrated at the first call.

    With `reads_only`, for what changes nothing, a home that cannot be written is opened all the same, where SQLite can.

    Raises:
        StorageError: the home or the database cannot be used; says what to do.
    """
    home, url = config.home(), config.database_url()
    key = (str(home), url, reads_only)
    with _lock:
        found = _opened.get((*key[:2], False)) or _opened.get(key)
        if found is None:
            try:
                home.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StorageError(
                    f"ASSAY_HOME is {home}, which cannot be made ({error.strerror}). Set it to a writable folder."
                ) from error
            database = _open_to_read(url) if reads_only else open_database(url)
            try:
                found = _opened[key] = Workspace(home, database, draws_pages=not reads_only)
            except BaseException:
                database.close()
                raise
        return found


def _open_to_read(url: str) -> Database:
    """Return the main database, for reading alone where it cannot be written."""
    database = connect(url)
    try:
        return open_for_reading(database) if can_only_be_read(database) else open_database(url)
    finally:
        database.close()

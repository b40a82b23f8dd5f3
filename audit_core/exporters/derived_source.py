"""A dataset revision with other queries and evidence than it has: what a cleaned or a corrected revision is written from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from audit_core.datasets.revision import Revision
    from audit_core.importers.bundle_attachments import Attachment
    from audit_core.importers.bundle_info import BundleInfo


@dataclass(frozen=True, slots=True, eq=False)
class DerivedSource:
    """What `write_bundle` takes: documents, pages and elements of `original`, and the queries and evidence given here.

    Its runs and embeddings lie below `folder/attachments`. `notes` say what became of each.
    """

    original: Revision
    folder: Path
    info: BundleInfo
    attachments: tuple[Attachment, ...]
    queries: pl.DataFrame
    evidence: pl.DataFrame
    notes: tuple[str, ...] = ()

    @property
    def media_root(self) -> Path:
        """Where the page files of the original lie."""
        return self.original.media_root

    def table(self, name: str) -> pl.LazyFrame:
        """Return one of the five tables."""
        own = {"queries": self.queries, "evidence": self.evidence}
        return own[name].lazy() if name in own else self.original.table(name)


def evidence_of_kept(revision: Revision, keep: NDArray[np.bool_]) -> pl.DataFrame:
    """Return the evidence of the queries that `keep` says, a boolean for each in their order, with their new row numbers."""
    import numpy as np
    import polars as pl

    places = np.cumsum(keep, dtype=np.int64) - 1
    evidence = revision.table("evidence").collect()
    owners = evidence["query_row"].to_numpy()
    stays = keep[owners]
    return evidence.filter(pl.Series(stays)).with_columns(query_row=pl.Series(places[owners[stays]], dtype=pl.Int64))

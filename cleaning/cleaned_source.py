"""A dataset revision without some of its queries, and with some in other words: what a cleaned revision is written from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cleaning.cleaned_attachments import Advance, without_queries

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from audit_core.datasets.revision import Revision
    from audit_core.importers.bundle_attachments import Attachment
    from audit_core.importers.bundle_info import BundleInfo


@dataclass(frozen=True, slots=True, eq=False)
class CleanedSource:
    """What `write_bundle` takes: documents, pages and elements of `original`, and the queries and evidence that are left.

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


def cleaned_source(
    revision: Revision,
    folder: Path,
    *,
    keep: NDArray[np.bool_],
    rewordings: Mapping[str, str],
    name: str,
    advance: Advance,
) -> CleanedSource:
    """Return a revision with the queries that `keep` says, a boolean for each in its order; `name` is the revision's.

    `rewordings` are new texts by query id. Lines of runs and vectors of reworded queries go as well: they were computed
    from the old words. Its own files are written below `folder`.

    Raises:
        CleaningError: a run or embedding of the original cannot be read.
    """
    import polars as pl

    every = revision.table("queries").collect()
    ids = every["query_id"]
    gone = set(ids.filter(pl.Series(~keep))) | set(rewordings)
    queries = every.filter(pl.Series(keep))
    if rewordings:
        queries = queries.with_columns(
            text=pl.col("query_id").replace_strict(dict(rewordings), default=pl.col("text"), return_dtype=pl.String)
        )
    attachments, notes = without_queries(revision, folder, gone, advance=advance)
    return CleanedSource(
        original=revision, folder=folder, info=replace(revision.info, revision=name), attachments=attachments,
        queries=queries, evidence=_evidence_of(revision, keep), notes=tuple(notes),
    )  # fmt: skip


def _evidence_of(revision: Revision, keep: NDArray[np.bool_]) -> pl.DataFrame:
    """Return the evidence of the queries that stay, with their new row numbers."""
    import numpy as np
    import polars as pl

    places = np.cumsum(keep, dtype=np.int64) - 1
    evidence = revision.table("evidence").collect()
    owners = evidence["query_row"].to_numpy()
    stays = keep[owners]
    return evidence.filter(pl.Series(stays)).with_columns(query_row=pl.Series(places[owners[stays]], dtype=pl.Int64))

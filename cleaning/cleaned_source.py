"""A dataset revision without some of its queries, and with some in other words: what a cleaned revision is written from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from audit_core.exporters.derived_source import DerivedSource, evidence_of_kept
from audit_core.exporters.partial_attachments import Advance, without_queries

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from audit_core.datasets.revision import Revision


def cleaned_source(
    revision: Revision,
    folder: Path,
    *,
    keep: NDArray[np.bool_],
    rewordings: Mapping[str, str],
    name: str,
    advance: Advance,
) -> DerivedSource:
    """Return a revision with the queries that `keep` says, a boolean for each in its order; `name` is the revision's.

    `rewordings` are new texts by query id. Lines of runs and vectors of reworded queries go as well: they were computed
    from the old words. Its own files are written below `folder`.

    Raises:
        StorageError: a run or embedding of the original cannot be read.
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
    return DerivedSource(
        original=revision, folder=folder, info=replace(revision.info, revision=name), attachments=attachments,
        queries=queries, evidence=evidence_of_kept(revision, keep), notes=tuple(notes),
    )  # fmt: skip

"""A dataset revision after its corrections: what the new revision is written from, and the status of every query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from audit_core.exporters.derived_source import DerivedSource
from audit_core.exporters.partial_attachments import Advance, without_queries
from audit_core.release.corrected import UNCHANGED, CorrectedQuery, corrected_frames

if TYPE_CHECKING:
    import polars as pl

    from audit_core.datasets.revision import Revision


def corrected_source(
    revision: Revision, folder: Path, *, corrected: Mapping[str, CorrectedQuery], name: str, advance: Advance
) -> DerivedSource:
    """Return a revision after corrections; `name` is that of the new one.

    Withdrawn queries are gone. Lines of runs and vectors of withdrawn and of reworded queries go as well: they were
    computed from the old words. Its own files are written below `folder`.

    Raises:
        StorageError: a run or embedding of the original cannot be read.
    """
    gone = {query_id for query_id, each in corrected.items() if each.loses_attached_rows}
    queries, evidence = corrected_frames(
        revision.table("queries").collect(), revision.table("evidence").collect(), corrected
    )
    attachments, notes = without_queries(revision, folder, gone, advance=advance)
    return DerivedSource(
        original=revision, folder=folder, info=replace(revision.info, revision=name), attachments=attachments,
        queries=queries, evidence=evidence, notes=tuple(notes),
    )  # fmt: skip


def row_statuses(queries: pl.DataFrame, corrected: Mapping[str, CorrectedQuery]) -> pl.DataFrame:
    """Return the status of each query of the old revision, in its order.

    `status` is `unchanged`, `withdrawn`, or the parts that changed joined by `+` (`query`, `answer`, `evidence`);
    beside it the same as booleans, and the evidence structures before and after (null where the query is withdrawn).
    """
    import polars as pl

    rows = [
        (query_id, each.status, *(part in each.parts for part in ("query", "answer", "evidence")),
         None if each.after.is_withdrawn else each.structure_after)
        for query_id, each in corrected.items()
    ]  # fmt: skip
    flags = ("query_changed", "answer_changed", "evidence_changed")
    schema: dict[str, pl.DataType] = {"query_id": pl.String(), "status": pl.String()}
    schema |= dict.fromkeys(flags, pl.Boolean()) | {"_after": pl.String()}
    known = pl.DataFrame(rows, schema=schema, orient="row").with_columns(_is_theirs=pl.lit(True))
    joined = queries.select("query_id", structure_before="evidence_structure").join(
        known, on="query_id", how="left", maintain_order="left"
    )
    is_theirs = pl.col("_is_theirs").fill_null(False)
    return joined.select(
        "query_id",
        pl.col("status").fill_null(UNCHANGED),
        *(pl.col(each).fill_null(False) for each in flags),
        "structure_before",
        structure_after=pl.when(is_theirs).then("_after").otherwise("structure_before"),
    )

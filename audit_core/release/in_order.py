"""The content hash of NEW with its rows put back into the order that OLD and the ledger give them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from audit_core.importers.bundle import EVIDENCE_COLUMNS
from audit_core.importers.bundle_attachments import Attachment, embedding_hash
from audit_core.importers.bundle_runs import read_run, run_hash
from audit_core.importers.bundle_schema import MAIN_TABLES, frame_columns
from audit_core.importers.content_hash import content_hash, frame_hash
from audit_core.release.corrected import is_one_of
from audit_core.release.sides import Side

if TYPE_CHECKING:
    import polars as pl


def hash_in_order(
    old: Side, new: Side, rebuilt: Mapping[str, pl.DataFrame], gone: Collection[str], reordered: Collection[str]
) -> str:
    """Return the content hash of what NEW holds, in the order of OLD.

    NEW is proved to have the same rows: those of OLD are hashed, and `rebuilt` in place of queries and evidence. Of runs and
    embeddings only those that stand in another order are read again; `gone` are queries that have no row in them.
    """
    tables = {**old.tables, **rebuilt}
    columns = {name: frame_columns(each) for name, each in MAIN_TABLES.items()} | {"evidence": list(EVIDENCE_COLUMNS)}
    digests = [(name, frame_hash(tables[name], each)) for name, each in columns.items()]
    before = {(each.kind, each.name): each for each in old.attachments}
    attached = {}
    for each in new.attachments:
        is_other = any(name in reordered for name in each.files)
        found = _rows_hash(old, before[each.kind, each.name], gone) if is_other else each.hash
        attached[f"{each.kind}/{each.name}"] = found
    return content_hash(new.info, digests, attached)


def _rows_hash(old: Side, attachment: Attachment, gone: Collection[str]) -> str:
    files = old.attachment_files(attachment)
    if attachment.kind == "run":
        blocks = read_run(files[0], attachment.files[0])
        return run_hash(block.filter(~is_one_of("query_id", gone)) for block in blocks)
    return embedding_hash(files[0], files[1], without=gone)

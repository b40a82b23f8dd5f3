"""Reads a bundle: every row, reference, box, path and attachment is checked before anything is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from audit_core.errors import BundleError
from audit_core.importers.bundle_attachments import Attachment, read_attachments
from audit_core.importers.bundle_boxes import clip_and_note, refuse_inverted
from audit_core.importers.bundle_duplicates import collapse
from audit_core.importers.bundle_faults import FaultLog
from audit_core.importers.bundle_info import BundleInfo, read_info
from audit_core.importers.bundle_judgments import JudgmentSet, Known, LabelSet, read_judgments, read_labels
from audit_core.importers.bundle_lines import TableSource
from audit_core.importers.bundle_media import place_documents, place_images
from audit_core.importers.bundle_references import Tables, resolve
from audit_core.importers.bundle_schema import EVIDENCE, KEYS, MAIN_TABLES, Kind, frame_columns
from audit_core.importers.bundle_tables import filled, find_main_files, read_table
from audit_core.importers.content_hash import content_hash, frame_hash

if TYPE_CHECKING:
    import polars as pl

#: Told what is being done and the part done, from 0 to 1, never falling.
Progress = Callable[[str, float], None]
EVIDENCE_COLUMNS = (("query_row", Kind.WHOLE), ("position", Kind.WHOLE), *frame_columns(EVIDENCE))
#: Where each stage of reading begins, as a part of the whole.
_STAGES = {
    "reading documents": 0.0, "reading pages": 0.02, "reading elements": 0.12, "reading queries": 0.2,
    "checking references": 0.5, "looking for page images": 0.6, "checking boxes": 0.72, "reading judgments": 0.76,
    "reading labels": 0.78, "checking runs": 0.8, "hashing": 0.94,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bundle:
    """A checked bundle, in memory.

    The frames hold the format's columns in its order; a box is four columns (`box_x0` ...); `image` and `uri` are
    relative to the media root in posix form. Beside them stand nullable row numbers, from 0, of what a reference leads
    to: `document_row`, `page_row`, `element_row`. `evidence` is flat: `query_row`, `position`, then its columns.
    `findings`: kind, table, row_key, field, value, message, line. `counts`: rows of each table,
    judgment set, label set and attachment kind, and beside them `accepted`: how many rows were collapsed, clipped,
    skipped or flagged. `warnings`: one sentence each.
    """

    folder: Path
    info: BundleInfo
    documents: pl.DataFrame
    pages: pl.DataFrame
    elements: pl.DataFrame
    queries: pl.DataFrame
    evidence: pl.DataFrame
    judgments: dict[str, JudgmentSet]
    labels: dict[str, LabelSet]
    attachments: list[Attachment]
    findings: pl.DataFrame
    counts: dict[str, int]
    accepted: dict[str, int]
    warnings: list[str]
    content_hash: str
    is_lenient: bool

    @property
    def tables(self) -> dict[str, pl.DataFrame]:
        """The five frames by name, in schema order."""
        return {
            "documents": self.documents, "pages": self.pages, "elements": self.elements, "queries": self.queries,
            "evidence": self.evidence,
        }  # fmt: skip


class _Stages:
    """Turns the progress inside a stage into one number that never falls."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._last = 0.0

    def of(self, label: str) -> Callable[[float], None]:
        """Announce a stage and return what its work is told about."""
        starts = sorted([*_STAGES.values(), 1.0])
        start = _STAGES[label]
        width = starts[starts.index(start) + 1] - start

        def advance(part: float) -> None:
            self._last = max(self._last, start + width * min(max(part, 0.0), 1.0))
            if self._progress is not None:
                self._progress(label, self._last)

        advance(0.0)
        return advance

    def done(self) -> None:
        """Announce the end."""
        if self._progress is not None:
            self._progress("read", 1.0)


def read_bundle(
    folder: Path, *, lenient: bool = False, media_root: Path | None = None, progress: Progress | None = None
) -> Bundle:
    """Return the bundle in `folder`, checked through and through; nothing is written anywhere.

    `media_root` overrides that of dataset.json (an upload may not leave its own folder). With `lenient`, each refusal
    becomes a finding, rows that cannot be read are skipped and counted, the first of conflicting duplicates is kept,
    and references keep their text beside a null row.

    Raises:
        BundleError: the bundle is refused; all its faults are in `.problems`, at most 100 of each file, and counted.
    """
    if not folder.is_dir():
        raise BundleError(f"{folder} is not a folder: give the folder that holds dataset.json.")
    log = FaultLog(lenient=lenient)
    stages = _Stages(progress)
    info = read_info(folder, log, media_root)
    files = find_main_files(folder, log)
    tables = _checked_tables(folder, files, info, log, stages)
    known = Known(tables.queries["query_id"], tables.pages["page_id"], tables.elements["element_id"])
    judgments = read_judgments(folder, known, log, stages.of("reading judgments"))
    labels = read_labels(folder, known, log, stages.of("reading labels"))
    attachments = read_attachments(folder, known.queries, known.pages, log, stages.of("checking runs"))
    log.raise_if_refused(str(folder))
    stages.of("hashing")
    frames = _finished(tables)
    digest = _hash(info, frames, attachments)
    findings = log.findings()
    accepted = {name: count for name, count in log.accepted.items() if count}
    stages.done()
    return Bundle(
        folder=folder, info=info, **frames, judgments=judgments, labels=labels, attachments=attachments,
        findings=findings, counts={name: frame.height for name, frame in frames.items()} | dict(log.counts) | accepted,
        accepted=accepted,
        warnings=log.warnings, content_hash=digest, is_lenient=lenient,
    )  # fmt: skip


def _checked_tables(
    folder: Path, files: dict[str, Path | None], info: BundleInfo, log: FaultLog, stages: _Stages
) -> Tables:
    names = {table: f"{table}.jsonl" if path is None else path.name for table, path in files.items()}
    tables = _read_tables(files, names, log, stages)
    stages.of("checking references")
    resolve(tables, info, names, log)
    advance = stages.of("looking for page images")
    tables.pages = place_images(tables.pages, info, folder, names["pages"], log, advance)
    tables.documents = place_documents(tables.documents, info, folder, names["documents"], log)
    stages.of("checking boxes")
    _check_boxes(tables, info, names, log)
    _note_query_oddities(tables, log)
    return tables


def _read_tables(files: dict[str, Path | None], names: dict[str, str], log: FaultLog, stages: _Stages) -> Tables:
    frames: dict[str, pl.DataFrame] = {}
    for table, columns in MAIN_TABLES.items():
        source = TableSource(table, columns, KEYS[table], names[table], log)
        frame, evidence = read_table(files[table], source, stages.of(f"reading {table}"))
        is_queries = table == "queries"
        frame, own = collapse(frame, table=table, file=names[table], log=log, evidence=evidence if is_queries else None)
        frames[table] = frame
        if own is not None:
            frames["evidence"] = own
        log.accepted[f"skipped_{table}"] += source.skipped
    return Tables(**frames)


def _check_boxes(tables: Tables, info: BundleInfo, names: dict[str, str], log: FaultLog) -> None:
    import polars as pl

    element = pl.col("element_id")
    where = {"table": "elements", "file": names["elements"], "log": log}
    for name in ("box", "document_box"):
        tables.elements = refuse_inverted(tables.elements, name=name, key=element, field=pl.lit(name), **where)  # type: ignore[arg-type]
    tables.elements = clip_and_note(
        tables.elements, tables.pages, units=info.box_units, key=element, field=pl.lit("box"), table="elements", log=log
    )
    owners = tables.queries["query_id"].gather(tables.evidence["query_row"])
    evidence = tables.evidence.with_columns(_key=owners)
    key, field = pl.col("_key"), pl.format("evidence[{}].box", "position")
    evidence = refuse_inverted(
        evidence, name="box", key=key, field=field, table="queries", file=names["queries"], log=log
    )
    evidence = clip_and_note(
        evidence, tables.pages, units=info.box_units, key=key, field=field, table="queries", log=log
    )
    tables.evidence = evidence.drop("_key")


def _note_query_oddities(tables: Tables, log: FaultLog) -> None:
    """Findings: queries with the same text (a cluster is named by its first query), without text, without evidence."""
    import polars as pl

    queries = tables.queries
    same = queries.filter(pl.col("text").is_duplicated() & (pl.col("text") != ""))
    if not same.is_empty():
        rows = same.select(
            "line", row_key="query_id", field=pl.lit("text"), value=pl.col("query_id").first().over("text")
        )
        message = "another query has the same text; the value is the first query of the cluster"
        log.findings_of(rows, kind="same_text", table="queries", message=message)
        log.accepted["same_text_queries"] = same.height
        log.accepted["same_text_clusters"] = same["text"].n_unique()
    numbered = queries.with_row_index("_row")
    bare = numbered.filter(~pl.col("_row").cast(pl.Int64).is_in(tables.evidence["query_row"].unique().implode()))
    nothing = pl.lit(None, pl.String)
    rows = bare.select("line", row_key="query_id", field=pl.lit("evidence"), value=nothing)
    log.findings_of(rows, kind="no_evidence", table="queries", message="the query has no evidence")
    rows = queries.filter(pl.col("text").str.strip_chars() == "").select(
        "line", row_key="query_id", field=pl.lit("text"), value="text"
    )
    log.findings_of(rows, kind="empty_text", table="queries", message="the query has no text")


def _finished(tables: Tables) -> dict[str, pl.DataFrame]:
    frames: dict[str, pl.DataFrame] = {}
    for table, columns in MAIN_TABLES.items():
        frames[table] = filled(getattr(tables, table).drop("line"), columns)
    frames["evidence"] = tables.evidence.drop("line")
    return frames


def _hash(info: BundleInfo, frames: dict[str, pl.DataFrame], attachments: list[Attachment]) -> str:
    columns = {table: frame_columns(each) for table, each in MAIN_TABLES.items()} | {"evidence": list(EVIDENCE_COLUMNS)}
    tables = [(name, frame_hash(frames[name], each)) for name, each in columns.items()]
    return content_hash(info, tables, {f"{each.kind}/{each.name}": each.hash for each in attachments})

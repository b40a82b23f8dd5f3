"""The read-only SQLite index of a dataset revision: look-ups by id, counts of strata, full-text search over queries."""

from __future__ import annotations

import gc
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from audit_core.importers.bundle_schema import box_columns

if TYPE_CHECKING:
    import polars as pl

    from audit_core.importers.bundle import Bundle

ROWS_AT_ONCE = 10_000
#: So much memory may the full-text index take before it is written out.
WORDS_BYTES = 64 * 1024 * 1024
Item = TypeVar("Item")
_SCHEMA = """
CREATE TABLE documents (
    row INTEGER PRIMARY KEY, document_id TEXT NOT NULL, source TEXT, domain TEXT, title TEXT, uri TEXT,
    page_count INTEGER, license TEXT
);
CREATE TABLE pages (
    row INTEGER PRIMARY KEY, page_id TEXT NOT NULL, document_id TEXT, page_number INTEGER, printed_label TEXT,
    image TEXT, width REAL, height REAL
);
CREATE TABLE queries (row INTEGER PRIMARY KEY, query_id TEXT NOT NULL, source TEXT, structure TEXT, body BLOB NOT NULL);
CREATE TABLE strata (source TEXT, structure TEXT, queries INTEGER);
CREATE VIRTUAL TABLE query_text USING fts5(text, answer, content='', tokenize='unicode61 remove_diacritics 2');
"""
_INDEXES = """
CREATE UNIQUE INDEX document_by_id ON documents (document_id);
CREATE UNIQUE INDEX page_by_id ON pages (page_id);
CREATE INDEX page_by_document ON pages (document_id, page_number);
CREATE UNIQUE INDEX query_by_id ON queries (query_id);
CREATE INDEX query_by_source ON queries (source);
CREATE INDEX query_by_structure ON queries (structure);
CREATE INDEX query_by_stratum ON queries (source, structure);
INSERT INTO strata SELECT source, structure, count(*) FROM queries GROUP BY source, structure ORDER BY min(row);
INSERT INTO query_text (query_text) VALUES ('optimize');
ANALYZE;
"""


def write_index(path: Path, bundle: Bundle, advance: Callable[[float], None]) -> None:
    """Write the index of a bundle to a new file; `advance` is told the part that is done."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        # The file is thrown away unless it becomes whole, so it needs no journal, and nobody else opens it.
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.executescript(_SCHEMA)
        # Most of the work is to merge the word lists that were written when this much memory was full.
        connection.execute("INSERT INTO query_text (query_text, rank) VALUES ('hashsize', ?)", (WORDS_BYTES,))
        connection.execute("BEGIN")
        with _collector_at_rest():
            names = ("document_id", "source", "domain", "title", "uri", "page_count", "license")
            _insert(connection, "documents", bundle.documents.select(names))
            advance(0.02)
            number = bundle.pages["page_index"] - bundle.info.first_page_index + 1
            pages = bundle.pages.select("page_id", "document_id", number, "printed_label", "image", "width", "height")
            _insert(connection, "pages", pages)
            advance(0.1)
            _insert_queries(connection, bundle, lambda part: advance(0.1 + 0.7 * part))
        connection.execute("COMMIT")
        connection.executescript(_INDEXES)
        advance(1.0)


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Keep the garbage collector from looking again and again at millions of short-lived rows, none of them in a cycle."""
    was_at_work = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_at_work:
            gc.enable()


def _insert(connection: sqlite3.Connection, table: str, frame: pl.DataFrame) -> None:
    statement = f"INSERT INTO {table} VALUES ({', '.join('?' * (frame.width + 1))})"
    for start in range(0, frame.height, ROWS_AT_ONCE):
        part = frame.slice(start, ROWS_AT_ONCE)
        connection.executemany(statement, zip(range(start, start + part.height), *_lists(part), strict=True))


def _lists(frame: pl.DataFrame) -> list[list[Any]]:
    return [column.to_list() for column in frame.get_columns()]


def _insert_queries(connection: sqlite3.Connection, bundle: Bundle, advance: Callable[[float], None]) -> None:
    import msgspec

    encode = msgspec.msgpack.Encoder().encode
    names = (
        "query_id", "source", "evidence_structure", "text", "answer", "domain", "language", "generator", "group_id",
        "configured_pages",
    )  # fmt: skip
    for start in range(0, bundle.queries.height, ROWS_AT_ONCE):
        part = bundle.queries.slice(start, ROWS_AT_ONCE).select(names)
        stop = start + part.height
        query_ids, sources, structures, *rest = _lists(part)
        evidence = evidence_of(bundle, start, stop)
        bodies = [encode([*own, pieces]) for *own, pieces in zip(*rest, evidence, strict=True)]
        rows = range(start, stop)
        queries = zip(rows, query_ids, sources, structures, bodies, strict=True)
        connection.executemany("INSERT INTO queries VALUES (?, ?, ?, ?, ?)", queries)
        texts = zip(rows, rest[0], (answer or "" for answer in rest[1]), strict=True)
        connection.executemany("INSERT INTO query_text (rowid, text, answer) VALUES (?, ?, ?)", texts)
        advance(stop / bundle.queries.height)


def evidence_of(bundle: Bundle, start: int, stop: int) -> list[list[tuple[Any, ...]]]:
    """Return the evidence of the queries from row `start` to before `stop`, a list for each of them.

    A piece is page, document, element, box or None, kind, relevance, set, page width and height. The size of the page
    goes with the box, so that a look-up can turn pixels into fractions without another one. Evidence that names an
    element but no box, or no kind, has those of its element, where that lies on the same page.
    """
    import polars as pl

    owners = bundle.evidence["query_row"]
    bounds = owners.search_sorted(pl.int_range(start, stop + 1, dtype=pl.Int64, eager=True)).to_list()
    first = bounds[0]
    part = _completed(bundle, bundle.evidence.slice(first, bounds[-1] - first))
    sides = _lists(part.select(box_columns("box")))
    boxes = [None if box[0] is None else box for box in zip(*sides, strict=True)]
    pieces = list(
        zip(
            *_lists(part.select("page_id", "document_id", "element_id")), boxes,
            *_lists(part.select("kind", "relevance", "set_id", "width", "height")), strict=True,
        )
    )  # fmt: skip
    return [pieces[low - first : high - first] for low, high in pairwise(bounds)]


def _completed(bundle: Bundle, part: pl.DataFrame) -> pl.DataFrame:
    """Return some evidence with what its elements and pages add; these are found by their row numbers."""
    import polars as pl

    box = box_columns("box")
    own = {f"own_{name}": bundle.elements[name].gather(part["element_row"]) for name in ("page_row", "kind", *box)}
    size = {name: bundle.pages[name].gather(part["page_row"]) for name in ("width", "height")}
    is_own = pl.col("own_page_row") == pl.col("page_row")
    has_no_box = pl.col(box[0]).is_null()
    return part.with_columns(**own, **size).select(
        "page_id", "document_id", "element_id",
        *(pl.when(is_own & has_no_box).then(f"own_{side}").otherwise(side).alias(side) for side in box),
        pl.when(is_own & pl.col("kind").is_null()).then("own_kind").otherwise("kind").alias("kind"),
        "relevance", "set_id", "width", "height",
    )  # fmt: skip


def grouped(rows: Iterable[tuple[int, Item]], count: int) -> Iterator[list[Item]]:
    """Yield the items of each query from 0 to `count` - 1; `rows` are (query row, item) in the order of query rows."""
    next_row = 0
    waiting: list[Item] = []
    for query_row, item in rows:
        while next_row < query_row:
            yield waiting
            waiting = []
            next_row += 1
        waiting.append(item)
    for _ in range(next_row, count):
        yield waiting
        waiting = []

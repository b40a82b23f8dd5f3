"""An opened dataset revision: look-ups by id, lists, search and tables. Any number of threads may share one."""

from __future__ import annotations

import sqlite3
import threading
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from audit_core.datasets.build import FINDINGS_FILE, INDEX_FILE
from audit_core.datasets.first_queries import LOOKED_AT, FirstQueries, is_one_letter
from audit_core.datasets.manifest import Manifest, read_manifest
from audit_core.datasets.search import match_expression
from audit_core.domain import Box, Document, Evidence, EvidenceStructure, JsonObject, Page, Query
from audit_core.errors import NotFound, StorageError
from audit_core.geometry import is_well_formed, to_fraction
from audit_core.importers.bundle_attachments import Attachment
from audit_core.importers.bundle_info import BundleInfo

if TYPE_CHECKING:
    import polars as pl

TABLES = ("documents", "pages", "elements", "queries", "evidence", "findings")
#: To rank more matches than this takes longer than anybody waits.
MOST_RANKED = 50_000
_STRUCTURE_ORDER = {each.value: number for number, each in enumerate(EvidenceStructure)}


def open_revision(folder: Path) -> Revision:
    """Return the revision in `folder`; cheap, for nothing but its manifest is read.

    Raises:
        NotFound: there is no revision.
        StorageError: it cannot be read.
    """
    return Revision(folder, read_manifest(folder))


class Revision:
    """A dataset revision. It never changes, so its index is opened read-only and without locks, once a thread."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder.absolute()
        self.manifest = manifest
        self._local = threading.local()

    @property
    def info(self) -> BundleInfo:
        """Name, revision, licence, page numbering, box units, sources, media root."""
        return self.manifest.info

    @property
    def counts(self) -> dict[str, int]:
        """How many rows each table has."""
        return self.manifest.counts

    @property
    def media_root(self) -> Path:
        """The absolute folder that `Page.image` and `Document.uri` are relative to."""
        return self.manifest.info.media_root

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """Runs and embeddings; `attachment_files` says where they lie."""
        return self.manifest.attachments

    def attachment_files(self, attachment: Attachment) -> tuple[Path, ...]:
        """Return the files of a run or embedding inside this revision."""
        return tuple(self.folder / "attachments" / name for name in attachment.files)

    def query(self, query_id: str) -> Query:
        """Return a query with its evidence; boxes in parts of the page. An evidence whose page has no size has no box.

        Raises:
            NotFound: there is no such query.
        """
        row = self._one("SELECT source, structure, body FROM queries WHERE query_id = ?", query_id)
        if row is None:
            raise NotFound(f"There is no query {query_id!r} in dataset {self._title}.")
        import msgspec

        source, structure, body = row
        text, answer, domain, language, generator, group_id, configured, evidence = msgspec.msgpack.decode(body)
        return Query(
            query_id=query_id, text=text, answer=answer, source=source, domain=domain, evidence_structure=structure,
            language=language, generator=generator, group_id=group_id, configured_pages=tuple(configured or ()),
            evidence=tuple(self._evidence(each) for each in evidence),
        )  # fmt: skip

    def _evidence(self, packed: list[Any]) -> Evidence:
        page_id, document_id, element_id, sides, kind, relevance, set_id, width, height = packed
        return Evidence(page_id, document_id, element_id, self._box(sides, width, height), kind, relevance, set_id)

    def _box(self, sides: list[float] | None, width: float | None, height: float | None) -> Box | None:
        if sides is None or not is_well_formed(sides):
            return None
        has_size = bool(width and height and width > 0 and height > 0)
        if self.info.box_units == "pixel" and not has_size:
            return None
        return to_fraction(sides, units=self.info.box_units, width=width or 0.0, height=height or 0.0)

    def page(self, page_id: str) -> Page:
        """Return a page.

        Raises:
            NotFound: there is no such page.
        """
        row = self._one(f"SELECT {_PAGE_COLUMNS} FROM pages WHERE page_id = ?", page_id)
        if row is None:
            raise NotFound(f"There is no page {page_id!r} in dataset {self._title}.")
        return Page(*row)

    def document(self, document_id: str) -> Document:
        """Return a document.

        Raises:
            NotFound: there is no such document.
        """
        row = self._one(
            "SELECT document_id, source, domain, title, uri, page_count, license FROM documents WHERE document_id = ?",
            document_id,
        )
        if row is None:
            raise NotFound(f"There is no document {document_id!r} in dataset {self._title}.")
        return Document(*row)

    def pages_of(self, document_id: str) -> list[Page]:
        """Return the pages of a document in their order; empty where it has none."""
        return [
            Page(*row)
            for row in self._all(
                f"SELECT {_PAGE_COLUMNS} FROM pages WHERE document_id = ? ORDER BY page_number, row",
                document_id,
            )
        ]

    def strata(self) -> list[tuple[str, str, int]]:
        """Return (source, evidence structure, queries) of each stratum that has a query.

        In the order of the dataset's sources (others after them, by name), then in that of the structures.
        """
        places = {source: number for number, source in enumerate(self.info.sources)}
        last = len(places)
        return sorted(
            self._all("SELECT source, structure, queries FROM strata"),
            key=lambda row: (
                places.get(row[0], last),
                row[0],
                _STRUCTURE_ORDER.get(row[1], len(_STRUCTURE_ORDER)),
                row[1],
            ),
        )

    def query_ids(
        self, source: str | None = None, structure: str | None = None, *, offset: int = 0, limit: int = 100
    ) -> list[str]:
        """Return query ids in the dataset's order, of one source or structure where it is given."""
        wanted = [("source = ?", source), ("structure = ?", structure)]
        given = [(test, value) for test, value in wanted if value is not None]
        if not given:
            # Rows are numbered from 0 without gaps, so none has to be passed over.
            statement = "SELECT query_id FROM queries WHERE row >= ? ORDER BY row LIMIT ?"
            return [row[0] for row in self._all(statement, _bounded(offset), _bounded(limit))]
        # The rows to pass over are counted in the index alone; only those of the page are looked up.
        statement = (
            f"SELECT query_id FROM queries WHERE row IN (SELECT row FROM queries "
            f"WHERE {' AND '.join(test for test, _ in given)} ORDER BY row LIMIT ? OFFSET ?) ORDER BY row"
        )
        return [
            row[0] for row in self._all(statement, *(value for _, value in given), _bounded(limit), _bounded(offset))
        ]

    def queries_index(self) -> list[tuple[str, str, str]]:
        """Return (query_id, source, evidence structure) of every query in the dataset's order."""
        return self._all("SELECT query_id, source, structure FROM queries ORDER BY row")

    def evidence_documents(self) -> dict[str, tuple[str, ...]]:
        """Return the documents in which each query has evidence, by query id, in order of first mention.

        The document of a page is the page's; that named by the evidence counts only where the page is unknown.
        """
        import polars as pl

        pages = (
            pl.scan_parquet(self.folder / "pages.parquet")
            .select(page_document="document_id")
            .with_row_index("page_row")
        )
        queries = pl.scan_parquet(self.folder / "queries.parquet").select("query_id").with_row_index("query_row")
        rows = (
            pl.scan_parquet(self.folder / "evidence.parquet")
            .select("query_row", "page_row", "document_id")
            .join(
                pages.with_columns(pl.col("page_row").cast(pl.Int64)), on="page_row", how="left", maintain_order="left"
            )
            .select("query_row", document=pl.coalesce("page_document", "document_id"))
            .drop_nulls()
            .unique(maintain_order=True)
            .join(queries.with_columns(pl.col("query_row").cast(pl.Int64)), on="query_row", maintain_order="left")
            .collect()
        )
        found: dict[str, list[str]] = {}
        for query_id, document in rows.select("query_id", "document").iter_rows():
            found.setdefault(query_id, []).append(document)
        return {query_id: tuple(documents) for query_id, documents in found.items()}

    def search(self, text: str, *, limit: int = 50, offset: int = 0) -> list[str]:
        """Return the ids of queries whose id is `text`, or whose text or answer has all its words, best match first.

        Any text is safe: what it holds of search syntax is taken as words. The last word may be the beginning of one.
        Words that more than 50,000 queries have, or a letter with which a word of many begins, tell these not apart: they
        come in the dataset's order.
        """
        wanted, limit, offset = text.strip(), _bounded(limit), _bounded(offset)
        expression = match_expression(text.lstrip())
        if expression is None:
            statement = "SELECT query_id FROM queries WHERE query_id = ? LIMIT ? OFFSET ?"
            return [row[0] for row in self._all(statement, wanted, limit, offset)]
        first = self._first_queries.common_rows(expression) if is_one_letter(expression) else ()
        # The rows are cut before their ids are looked up; one more of them, for the query of that id may be among them.
        most = limit + offset + 1
        values: list[Any]
        if len(first) >= most:
            matches = f"SELECT row, 0.0 AS score FROM queries WHERE row IN ({', '.join('?' * most)})"
            values = [*first[:most]]
        else:
            is_ranked = not first and self._matches(expression) <= MOST_RANKED
            score, order = ("rank", "rank, rowid") if is_ranked else ("0.0", "rowid")
            matches = f"SELECT rowid AS row, {score} AS score FROM query_text WHERE query_text MATCH ? ORDER BY {order} LIMIT ?"
            values = [expression, most]
        statement = (
            "SELECT query_id FROM (SELECT row, query_id, -1e9 AS score FROM queries WHERE query_id = ? UNION ALL "
            f"SELECT q.row, q.query_id, f.score FROM ({matches}) AS f JOIN queries AS q ON q.row = f.row "
            "WHERE q.query_id <> ?) ORDER BY score, row LIMIT ? OFFSET ?"
        )
        return [row[0] for row in self._all(statement, wanted, *values, wanted, limit, offset)]

    @cached_property
    def _first_queries(self) -> FirstQueries:
        import msgspec

        rows = self._all("SELECT row, body FROM queries ORDER BY row LIMIT ?", LOOKED_AT)
        bodies = ((row, msgspec.msgpack.decode(body)) for row, body in rows)
        return FirstQueries((row, text, answer or "") for row, (text, answer, *_) in bodies)

    def _matches(self, expression: str) -> int:
        """Return how many queries match, counted as far as tells whether they are ranked."""
        statement = "SELECT count(*) FROM (SELECT 1 FROM query_text WHERE query_text MATCH ? LIMIT ?)"
        row = self._one(statement, expression, MOST_RANKED + 1)
        return int(row[0]) if row else 0

    def findings(self, *, limit: int = 100, offset: int = 0, kind: str | None = None) -> list[JsonObject]:
        """Return what the import found odd: kind, table, row_key, field, value, message, line; of one kind if given."""
        import polars as pl

        frame = pl.scan_parquet(self.folder / FINDINGS_FILE)
        if kind is not None:
            frame = frame.filter(pl.col("kind") == kind)
        return frame.slice(_bounded(offset), _bounded(limit)).collect().to_dicts()

    def table(self, name: str) -> pl.LazyFrame:
        """Return a table (documents, pages, elements, queries, evidence, findings) to select from.

        Raises:
            NotFound: there is no table of that name.
        """
        import polars as pl

        if name not in TABLES:
            raise NotFound(f"There is no table {name!r}. Choose one of: {', '.join(TABLES)}.")
        return pl.scan_parquet(self.folder / f"{name}.parquet")

    @property
    def _title(self) -> str:
        return f"{self.info.name} revision {self.info.revision}"

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            address = f"file:{quote(str(self.folder / INDEX_FILE))}?mode=ro&immutable=1"
            connection = self._local.connection = sqlite3.connect(address, uri=True)
        return connection

    def _all(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        try:
            return self._connection().execute(statement, values).fetchall()
        except UnicodeEncodeError:
            # Text with lone surrogates, which no imported id or text holds.
            return []
        except sqlite3.Error as error:
            place = self.folder / INDEX_FILE
            raise StorageError(f"{place} cannot be read ({error}): import the bundle again, or put it back.") from error

    def _one(self, statement: str, *values: Any) -> tuple[Any, ...] | None:
        rows = self._all(statement, *values)
        return rows[0] if rows else None


_PAGE_COLUMNS = "page_id, document_id, page_number, printed_label, image, width, height"


def _bounded(number: int) -> int:
    """Return a limit or offset as SQLite and polars take it: not negative, at most 2**31 - 1."""
    return min(max(number, 0), 2**31 - 1)

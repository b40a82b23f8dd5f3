"""The files of the bundle: pages drawn, boxes in page units, tables as JSON Lines."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from audit.resolve import Row
from typeset import pdf, raster
from typeset.design import Document
from typeset.errors import BuildError
from typeset.flow import Element, Flow

NAME, REVISION, LICENSE = "assay-sample", "2", "Apache-2.0"
_PAD = 1.5  # points by which a box is wider than the letters it encloses


class Bundle:
    """The rows of the document, page and element tables, filled document by document."""

    def __init__(self, folder: Path, *, draws: bool = True) -> None:
        self.folder = folder
        self.draws = draws  # False: page images stay as they are
        self.documents: list[Row] = []
        self.pages: list[Row] = []
        self.elements: list[tuple[str, Row]] = []  # with the key that queries use

    def add(self, document: Document) -> None:
        """Lay out one document, write its images or its PDF, and add its rows."""
        flow = Flow(document.layout)
        flow.run(document.blocks)
        for page in flow.pages:
            self.pages.append(self._page_row(document, flow, page.index))
        if document.media == "pdf":
            pdf.write_pdf(
                [page.surface for page in flow.pages],
                [page.label for page in flow.pages],
                self.folder / "pdfs" / f"{document.document_id}.pdf",
                title=document.title,
                author="Assay sample",
                crop=document.crop,
            )
        uri = f"pdfs/{document.document_id}.pdf" if document.media == "pdf" else f"images/{document.document_id}"
        self.documents.append(
            {
                "document_id": document.document_id,
                "source": document.source,
                "domain": document.domain,
                "title": document.title,
                "uri": uri,
                "page_count": len(flow.pages),
                "license": LICENSE,
            }
        )
        counts: Counter[int] = Counter()
        for element in sorted(flow.elements, key=lambda item: item.page):  # stable: reading order within a page
            row = self._element_row(document, flow, element, counts[element.page])
            counts[element.page] += 1
            self.elements.append((element.key, row))

    def _page_row(self, document: Document, flow: Flow, index: int) -> Row:
        page = flow.pages[index]
        row: Row = {"page_id": _page_id(document, index), "document_id": document.document_id, "page_index": index}
        if page.label is not None:
            row["printed_label"] = page.label
        if document.media == "pdf":
            return row | {
                "image": f"pdfs/{document.document_id}.pdf#page={index + 1}",
                "width": page.surface.width,
                "height": page.surface.height,
            }
        name = f"images/{document.document_id}/p{index:03d}.{document.media}"
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        width = round(page.surface.width * document.pixels / document.layout.width)  # more on a landscape page
        if self.draws:
            raster.save(raster.page_image(page.surface, width=width), page.surface, self.folder / name)
        return row | {"image": name, "width": width, "height": raster.pixel_height(page.surface, width)}

    def _element_row(self, document: Document, flow: Flow, element: Element, number: int) -> Row:
        surface = flow.pages[element.page].surface
        x0, y0, x1, y1 = element.box
        x0, y0, x1, y1 = x0 - _PAD, y0, x1 + _PAD, y1
        if x0 < 0 or y0 < 0 or x1 > surface.width or y1 > surface.height or x0 >= x1 or y0 >= y1:
            raise BuildError(
                f"{document.document_id}, page {element.page}: the box of {element.text[:50]!r} leaves the page."
            )
        box: list[float]
        if document.media == "pdf":
            box = [round(value, 1) for value in (x0, y0, x1, y1)]
        else:
            scale = document.pixels / document.layout.width
            box = [math.floor(x0 * scale), math.floor(y0 * scale), math.ceil(x1 * scale), math.ceil(y1 * scale)]
        page_id = _page_id(document, element.page)
        return {
            "document_id": document.document_id,
            "element_id": f"{page_id}-e{number:02d}",
            "kind": element.kind,
            "page_id": page_id,
            "box": box,
            "text": element.text,
        }


def _page_id(document: Document, index: int) -> str:
    return f"{document.document_id}-p{index:03d}"


def dataset_row(documents: list[Row]) -> Row:
    """The content of `dataset.json`."""
    return {
        "format": "assay-bundle",
        "format_version": 1,
        "name": NAME,
        "revision": REVISION,
        "license": LICENSE,
        "page_numbering": "0-based",
        "box_units": "pixel",
        "sources": list(dict.fromkeys(row["source"] for row in documents)),
    }


def design_row(queries: list[Row], *, seed: int) -> Row:
    """The design of the audit: all queries, a census of each stratum."""
    counts = Counter((row["source"], row["evidence_structure"]) for row in queries)
    return {
        "frame": {"name": NAME, "revision": REVISION},
        "method": "all queries",
        "seed": seed,
        "strata": [
            {"source": source, "evidence_structure": structure, "population": count, "drawn": count}
            for (source, structure), count in sorted(counts.items())
        ],
    }


def write_lines(path: Path, rows: Iterable[Row]) -> None:
    """Write rows as JSON Lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())


def write_json(path: Path, row: Row) -> None:
    """Write one object, indented."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes((json.dumps(row, ensure_ascii=False, indent=1) + "\n").encode())

"""A long PDF to leaf through, and a bundle whose evidence lies in it: made anew, the same bytes for the same seed."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

#: As many pages as the longest document of the audited manuals.
PAGES = 468
WIDTH, HEIGHT = 612, 792

_LINES, _WORDS_A_LINE, _ROWS, _COLUMNS = 44, 12, 9, 5


def _content(number: int, chance: random.Random) -> bytes:
    """Return the drawing of one page: a heading, lines of words and a ruled table of numbers."""
    words = [chr(97 + position % 26) * (2 + position % 8) for position in range(300)]
    drawn = [f"BT /F2 20 Tf 72 730 Td (Section {number}) Tj ET", "BT /F1 9 Tf 72 705 Td 11 TL"]
    drawn += [f"({' '.join(chance.choices(words, k=_WORDS_A_LINE))[:92]}) '" for _ in range(_LINES)]
    drawn.append("ET 0.5 w")
    for row in range(_ROWS + 1):
        drawn.append(f"72 {60 + 14 * row} m 540 {60 + 14 * row} l S")
    for row in range(_ROWS):
        for column in range(_COLUMNS):
            place = f"{80 + 94 * column} {64 + 14 * row}"
            drawn.append(f"BT /F1 9 Tf {place} Td ({chance.uniform(1, 999):.2f}) Tj ET")
    return "\n".join(drawn).encode("ascii")


def write_long_pdf(path: Path, *, pages: int = PAGES, seed: int) -> None:
    """Write a PDF of text pages of letter size."""
    chance = random.Random(seed)
    fonts = b"<< /F1 << /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >> /F2 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >> >>"
    kids = " ".join(f"{3 + 2 * page} 0 R" for page in range(pages))
    bodies = [b"<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>".encode()]
    for page in range(pages):
        content = _content(page + 1, chance)
        box = f"/MediaBox [0 0 {WIDTH} {HEIGHT}]"
        head = f"<< /Type /Page /Parent 2 0 R {box} /Contents {4 + 2 * page} 0 R /Resources << /Font ".encode()
        bodies.append(head + fonts + b" >> >>")
        bodies.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(bodies, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(bodies) + 1, start)
    path.write_bytes(bytes(out))


def write_pdf_bundle(folder: Path, entries: int, *, seed: int, pages: int = PAGES, pdf: Path | None = None) -> Path:
    """Write a bundle of one long PDF with two evidence pages for each query, a box on each; return its folder.

    `pdf` is a document of that many pages to use instead of one made here.
    """
    folder.mkdir(parents=True)
    if pdf is None:
        write_long_pdf(folder / "manual.pdf", pages=pages, seed=seed)
    else:
        (folder / "manual.pdf").write_bytes(pdf.read_bytes())
    chance = random.Random(seed)
    about = {"source": "bench", "domain": "bench"}
    rows: dict[str, list[dict[str, Any]]] = {
        "documents": [{"document_id": "manual", "title": "A long manual", "page_count": pages, **about}],
        "pages": [
            {
                "page_id": f"manual-{index}", "document_id": "manual", "page_index": index, "width": WIDTH, "height": HEIGHT,
                "image": f"manual.pdf#page={index + 1}",
            }
            for index in range(pages)
        ],
        "queries": [],
    }  # fmt: skip
    for entry in range(entries):
        # Each page is the evidence of one entry at most: no entry finds its pages drawn for an earlier one.
        chosen = [2 * entry, 2 * entry + 1] if 2 * entries > pages else chance.sample(range(entry, pages, entries), 2)
        evidence = [{"page_id": f"manual-{at}", "box": [0.12, 0.15, 0.88, 0.3], "kind": "Text"} for at in chosen]
        query = {"query_id": f"q{entry}", "text": f"What stands on the pages of entry {entry}?", "answer": "words"}
        rows["queries"].append({**query, **about, "evidence_structure": "Doc-Far", "evidence": evidence})
    info = {
        "format": "assay-bundle", "format_version": 1, "name": "label-loop-pdf", "revision": "1", "license": "CC0-1.0",
        "page_numbering": "0-based", "box_units": "fraction",
    }  # fmt: skip
    (folder / "dataset.json").write_text(json.dumps(info))
    for table, content in rows.items():
        (folder / f"{table}.jsonl").write_text("\n".join(map(json.dumps, content)) + "\n")
    return folder

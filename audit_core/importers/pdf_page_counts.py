"""Prints the number of pages of PDF files: run as a program of its own, so that PDFium can crash alone.

Reads paths from standard input, one JSON text a line, and answers each with one JSON object a line: `{"pages": N}` or
`{"error": "why not"}`. It imports nothing of the project, so it starts quickly and needs no path to it.
"""

from __future__ import annotations

import json
import sys


def _answer(path: str) -> dict[str, int | str]:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path)
    except (pypdfium2.PdfiumError, OSError, ValueError) as error:
        return {"error": str(error)}
    try:
        return {"pages": len(document)}
    finally:
        document.close()


def main() -> None:
    """Answer every line of standard input."""
    for line in sys.stdin:
        sys.stdout.write(json.dumps(_answer(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

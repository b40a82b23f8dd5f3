"""The documents of the sample. To add one: write a module with `document()` and list it here."""

from __future__ import annotations

from typeset.design import Document

from texts import apollo, coast, elements, harbour, metre, planets


def all_documents() -> list[Document]:
    """The documents in the order of `documents.jsonl`."""
    return [
        metre.document(),
        planets.document(),
        coast.document(),
        elements.document(),
        apollo.document(),
        harbour.document(),
    ]

"""Bundles of labelled queries for tests of the whole comparison: bad ones point at a table, good ones do not."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.comparisons import ComparisonView, add_comparison, get_comparison
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.workspace import Workspace
from cleaning.executing import execute
from cleaning.finished import Result, read_finished
from cleaning.request import NO_VECTORS, Choice, ComparisonRequest

_SYLLABLES = [
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ha",
    "je",
    "ki",
    "lo",
    "mu",
    "na",
    "pe",
    "ri",
    "so",
    "tu",
    "va",
    "we",
    "xi",
    "yo",
    "zu",
]
_WORDS = [f"{one}{two}{three}" for one in _SYLLABLES for two in _SYLLABLES for three in _SYLLABLES[:5]]
DIMENSIONS = 4


@dataclass(slots=True)
class LabelBundle:
    """Queries that are to be written as a bundle: one document for every `a_document` of them, label sets by name."""

    n: int = 60
    share: float = 0.4
    a_document: int = 2
    name: str = "labelled"
    ids: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)
    remove: list[bool] = field(default_factory=list)
    labels: dict[str, list[dict[str, object]]] = field(default_factory=dict)
    judgments: list[dict[str, object]] = field(default_factory=list)
    vectors: NDArray[np.float32] | None = None

    def __post_init__(self) -> None:
        chance = np.random.default_rng(7)
        words = chance.permutation(_WORDS).tolist()
        self.ids = [f"q{row:03}" for row in range(self.n)]
        self.remove = [(row * 7) % 10 < self.share * 10 for row in range(self.n)]
        self.documents = [f"d{row // self.a_document}" for row in range(self.n)]
        for row in range(self.n):
            three = " ".join(words[3 * row : 3 * row + 3])
            # Some of the good ones look bad and some bad ones good, so that no strategy is perfect.
            looks_bad = self.remove[row] != (row % 9 == 0)
            self.texts.append(f"What does the table above give for {three}?" if looks_bad else f"Who founded {three}?")
        self.labels["removal"] = labels_of(self.ids, self.remove)

    def with_vectors(self) -> LabelBundle:
        """Give every query a vector of which the first number betrays the label, mostly."""
        chance = np.random.default_rng(3)
        self.vectors = chance.normal(size=(self.n, DIMENSIONS)).astype(np.float32)
        self.vectors[:, 0] += np.asarray(self.remove) * 2.0
        return self

    def write(self, folder: Path) -> Path:
        """Write the bundle and return its folder."""
        for each in ("", "labels", "judgments", "embeddings"):
            (folder / each).mkdir(parents=True, exist_ok=True)
        info = {
            "format": "assay-bundle", "format_version": 1, "name": self.name, "revision": "1", "license": "CC0",
            "page_numbering": "0-based", "box_units": "pixel",
        }  # fmt: skip
        (folder / "dataset.json").write_text(json.dumps(info))
        Image.new("RGB", (10, 10)).save(folder / "page.png")
        place = {"source": "s", "domain": "x"}
        page = {"page_index": 0, "image": "page.png", "width": 10, "height": 10}
        documents = list(dict.fromkeys(self.documents))
        tables: dict[str, Sequence[Mapping[str, object]]] = {
            "documents": [{"document_id": each, "title": each, "page_count": 1, **place} for each in documents],
            "pages": [{"page_id": each, "document_id": each, **page} for each in documents],
            "queries": [
                {"query_id": query, "text": text, "evidence_structure": "Page-Single", "evidence": [{"page_id": document}], **place}
                for query, text, document in zip(self.ids, self.texts, self.documents, strict=True)
            ],
            **{f"labels/{name}": rows for name, rows in self.labels.items()},
        }  # fmt: skip
        if self.judgments:
            tables["judgments/audit"] = self.judgments
        for name, rows in tables.items():
            lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
            (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
        if self.vectors is not None:
            np.save(folder / "embeddings" / "made.npy", self.vectors)
            (folder / "embeddings" / "made.ids.txt").write_text("\n".join(self.ids), encoding="utf-8")
        return folder


def labels_of(ids: Sequence[str], remove: Sequence[bool], **more: object) -> list[dict[str, object]]:
    """Return the rows of a label set."""
    return [{"query_id": query, "remove": bad, **more} for query, bad in zip(ids, remove, strict=True)]


def imported(workspace: Workspace, folder: Path, bundle: LabelBundle | None = None) -> DatasetRow:
    """Write and import a bundle; return the dataset."""
    return import_bundle(workspace, (bundle or LabelBundle()).write(folder)).dataset


def asked(*strategies: str | Choice, **options: object) -> ComparisonRequest:
    """A small request: rules and length without vectors, unless others are named."""
    chosen = tuple(Choice(each) if isinstance(each, str) else each for each in strategies or ("rules", "length"))
    values: dict[str, object] = {
        "name": "first", "labels": "labels:removal", "embedder": NO_VECTORS, "folds": 3, "repeats": 2,
        "learning_curves": False, "resamples": 200, **options,
    }  # fmt: skip
    return ComparisonRequest(strategies=chosen, **values)  # type: ignore[arg-type]


def compared(workspace: Workspace, dataset: DatasetRow, request: ComparisonRequest) -> Result:
    """Run a comparison as the command does, and read it back from its folder."""
    return read_finished(workspace, made(workspace, dataset, request))


def made(workspace: Workspace, dataset: DatasetRow, request: ComparisonRequest) -> ComparisonView:
    """Run a comparison as the command does."""
    row = add_comparison(workspace, dataset, name=request.name, spec=request.as_json())
    execute(workspace, row.id)
    return get_comparison(workspace, row.id)

"""The runs as TREC lines: query, Q0, page, rank, score, tag."""

from __future__ import annotations

from audit.resolve import Row

from retrieval.bm25 import Bm25
from retrieval.dense import similarities
from retrieval.pages import page_texts

DEPTH = 10


def frozen_runs(elements: list[tuple[str, Row]], pages: list[Row], queries: list[Row]) -> dict[str, str]:
    """Name of the run -> content of its file; ten pages a query, equal scores in page order."""
    texts = page_texts(elements, pages)
    index = Bm25(texts)
    asked = [row["text"] for row in queries]
    ids = [row["query_id"] for row in queries]
    found = {"bm25": [index.scores(text) for text in asked], "dense": similarities(texts, asked)}
    return {name: _lines(name, ids, scores) for name, scores in found.items()}


def _lines(name: str, ids: list[str], scores: list[dict[str, float]]) -> str:
    out = []
    for query, by_page in zip(ids, scores, strict=True):
        rounded = {page: round(score, 4) for page, score in by_page.items()}
        best = sorted(rounded, key=lambda page: (-rounded[page], page))[:DEPTH]
        out += [f"{query} Q0 {page} {rank} {rounded[page]:.4f} {name}" for rank, page in enumerate(best, start=1)]
    return "\n".join(out) + "\n"


def reached(run: str, queries: list[Row], depth: int) -> int:
    """How many queries have an evidence page among the first `depth` of a run."""
    wanted = {row["query_id"]: {item["page_id"] for item in row["evidence"]} for row in queries}
    hits = set()
    for line in run.splitlines():
        query, _, page, rank, _, _ = line.split()
        if int(rank) <= depth and page in wanted[query]:
            hits.add(query)
    return len(hits)

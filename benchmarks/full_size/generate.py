"""Makes a bundle of the published size, or a part of it, with planted faults; the same seed gives the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.full_size.document_faults import plant_document_faults
from benchmarks.full_size.draft import Draft
from benchmarks.full_size.evidence_faults import plant_box_faults, plant_mapping_faults
from benchmarks.full_size.layout import make_documents, make_pages, put_large_images
from benchmarks.full_size.page_images import PageImage, link_own_files, make_images, make_large_images
from benchmarks.full_size.places import (
    count_pieces,
    draw_alternatives,
    draw_pages,
    make_elements,
    make_evidence,
    make_queries,
)
from benchmarks.full_size.refusals import plant_refusals
from benchmarks.full_size.runs import write_runs
from benchmarks.full_size.structure_faults import plant_structure_faults
from benchmarks.full_size.tables import make_tables, with_evidence
from benchmarks.full_size.text_faults import plant_text_faults
from benchmarks.full_size.truth import Truth
from benchmarks.full_size.words import Words
from benchmarks.full_size.writing import repeat_rows, write_info, write_table

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Options:
    """What to make. `scale` 1 is the published size; `elements` the share of the evidence that points to an element."""

    scale: float = 1.0
    seed: int = 7
    form: str = "parquet"
    runs: int = 0
    elements: float = 1.0
    images: int = 240
    large_pages: int = 0
    own_images: bool = False
    with_refusals: bool = False
    name: str = "full-size"


def generate(folder: Path, options: Options, say: Callable[[str], None] = lambda line: None) -> dict[str, int]:
    """Write the bundle and its `truth.jsonl` to `folder`; return the rows of each table and the faults of each kind.

    Raises:
        FileExistsError: the folder holds something.
    """
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty: name a new folder, or clear it.")
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(options.seed)
    say("drawing page images")
    shared = make_images(folder, options.images, rng)
    images = [*shared, *make_large_images(folder, options.large_pages, rng)]
    say("drawing documents, pages, queries and evidence")
    draft = _draft(options, shared, images, rng)
    say("writing texts")
    words = Words(rng)
    titles = words.titles([draft.domain_name(each) for each in draft.documents.domain.tolist()])
    language = words.languages(draft.queries.ids.size)
    primary = draft.pages.document[draft.queries.pages[:, 0]]
    texts, answers = words.queries(language, titles.gather(primary)), words.answers(language)
    texts, answers = plant_text_faults(draft.queries, texts, answers, draft.truth)
    numbers = draft.pages.image.tolist()
    if options.own_images:
        paths = link_own_files(folder, images, numbers, [str(each) for each in draft.pages.ids])
    else:
        paths = [images[number].path for number in numbers]
    tables = make_tables(draft, paths, words, titles, language, texts, answers)
    say("writing tables")
    counts = _write(folder, options, tables, draft)
    if options.runs:
        say("writing runs")
        ids = (draft.queries.ids, draft.pages.ids)
        write_runs(folder, options.runs, *ids, draft.queries.pages, options.seed)
    return counts


def _draft(options: Options, shared: list[PageImage], images: list[PageImage], rng: np.random.Generator) -> Draft:
    documents = make_documents(options.scale, rng)
    pages = make_pages(documents, shared, rng)
    put_large_images(documents, pages, images, len(shared), rng)
    queries = make_queries(options.scale, rng)
    truth = Truth(options.scale, queries.ids.size, rng)
    one_piece = plant_structure_faults(queries, truth)
    draw_pages(queries, documents, rng)
    draw_alternatives(queries, documents, pages, ~truth.taken, rng)
    truth.taken |= queries.has_alternatives
    count_pieces(queries, options.scale, one_piece, rng)
    evidence = make_evidence(queries, pages, rng)
    elements = make_elements(evidence, pages, options.elements, rng)
    draft = Draft(documents, pages, queries, evidence, elements, truth)
    plant_document_faults(draft)
    plant_mapping_faults(draft)
    plant_box_faults(draft)
    return draft


def _write(folder: Path, options: Options, tables: dict[str, pl.DataFrame], draft: Draft) -> dict[str, int]:
    counts = {name: frame.height for name, frame in tables.items()}
    if options.with_refusals:
        plant_refusals(tables, draft.truth)
    evidence = tables.pop("evidence")
    rows = tables["queries"].height
    # A query whose id comes twice has the evidence of the first one of its id.
    tables["queries"] = _nested(tables["queries"], evidence, counts["queries"], rows)
    repeat_rows(tables, draft.truth)
    write_info(folder, name=options.name, seed=options.seed, scale=options.scale)
    for name in list(tables):
        write_table(tables.pop(name), folder, name, options.form)
    draft.truth.write(folder)
    return counts | {f"planted {name}": count for name, count in sorted(draft.truth.counts.items())}


def _nested(queries: pl.DataFrame, evidence: pl.DataFrame, first: int, rows: int) -> pl.DataFrame:
    import polars as pl

    whole = with_evidence(queries.head(first), evidence)
    if rows == first:
        return whole
    own = whole.select("query_id", "evidence").unique("query_id", keep="first")
    return pl.concat([whole, queries.tail(rows - first).join(own, on="query_id", how="left", maintain_order="left")])

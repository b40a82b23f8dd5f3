"""Documents and pages: how many of each domain, how long, how large, and where each page's screenshot begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.full_size import published
from benchmarks.full_size.page_images import PageImage

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
#: Every domain has a document of so many pages, so that pages which lie far apart can be found in it.
LONGEST_NEEDED = 12
#: Sources whose documents are web pages: a page of theirs is a stretch of one long screenshot.
HTML_SOURCES = ("Wikipedia", "SEC")
#: Ids that a careless reader turns into a number, a truth value or nothing.
TRAP_IDS = ("007", "NA", "null", "1e5", "True")


@dataclass(slots=True)
class Documents:
    """Documents in the order of sources and domains; `first_page` is the row of the first page of each."""

    domain: Ints
    pages: Ints
    first_page: Ints
    is_html: npt.NDArray[np.bool_]
    ids: npt.NDArray[Any]


@dataclass(slots=True)
class Pages:
    """Pages, those of a document together and in order. `top` is the pixel row in the screenshot, NaN where there is none."""

    document: Ints
    index: Ints
    image: Ints
    width: Floats
    height: Floats
    top: Floats
    ids: npt.NDArray[Any]


def shares(weights: npt.ArrayLike, total: int, *, least: int = 0) -> Ints:
    """Return whole numbers in proportion to `weights` with the sum `total`, each at least `least`.

    The largest remainders are rounded up, so that all is exact where the weights are whole and sum to `total`.
    """
    exact = np.asarray(weights, dtype=np.float64)
    exact = exact * (max(total - least * exact.size, 0) / exact.sum())
    whole = np.floor(exact + 1e-9).astype(np.int64)
    missing = max(total - least * exact.size, 0) - int(whole.sum())
    order = np.argsort(-(exact - whole).ravel(), kind="stable")[:missing]
    whole.flat[order] += 1
    parts: Ints = whole + least
    return parts


def text_ids(count: int) -> npt.NDArray[Any]:
    """Return so many ids: whole numbers as text, but for five traps."""
    ids = np.array([str(number) for number in range(count)], dtype=object)
    if count > 100:
        ids[10 : 10 + len(TRAP_IDS)] = TRAP_IDS
        # 7 and 100000 stand beside 007 and 1e5.
    return ids


def make_documents(scale: float, rng: np.random.Generator) -> Documents:
    """Return the documents of all domains; pages sum to the published number times `scale`."""
    sources = list(published.DOCUMENTS)
    domains = published.DOMAINS
    own = {source: [number for number, each in enumerate(domains) if each[1] == source] for source in sources}
    per_source = shares([count for count, _ in published.DOCUMENTS.values()], _documents(scale, own))
    pages_of_source = shares([count * mean for count, mean in published.DOCUMENTS.values()], _pages(scale))
    domain_parts: list[Ints] = []
    page_parts: list[Ints] = []
    for source, count, pages in zip(sources, per_source, pages_of_source, strict=True):
        weights = [sum(domains[number][2]) for number in own[source]]
        split = shares(weights, max(int(count), 2 * len(weights)), least=2)
        domain = np.repeat(own[source], split)
        is_first = np.r_[True, domain[1:] != domain[:-1]]
        domain_parts.append(domain)
        page_parts.append(_lengths(is_first, int(pages), rng))
    domain, lengths = np.concatenate(domain_parts), np.concatenate(page_parts)
    html = np.array([each[1] in HTML_SOURCES for each in domains])[domain]
    first = np.r_[0, np.cumsum(lengths)[:-1]]
    return Documents(domain, lengths, first, html, text_ids(domain.size))


def _documents(scale: float, own: dict[str, list[int]]) -> int:
    whole = sum(count for count, _ in published.DOCUMENTS.values())
    return max(round(whole * scale), 4 * sum(map(len, own.values())))


def _pages(scale: float) -> int:
    return round(published.PAGES * scale)


def _lengths(is_first: npt.NDArray[np.bool_], total: int, rng: np.random.Generator) -> Ints:
    """Return skewed page counts with the sum `total` (more where so few pages do not suffice); none is 0."""
    count = is_first.size
    least = np.where(is_first, LONGEST_NEEDED, 1)
    weights = rng.gamma(1.6, 1.0, size=count) + 0.02
    return least + shares(weights, max(total - int(least.sum()), 0))


def make_pages(documents: Documents, images: list[PageImage], rng: np.random.Generator) -> Pages:
    """Return the pages of the documents; all pages of one document have images of one size, as its screenshot has."""
    document = np.repeat(np.arange(documents.pages.size), documents.pages)
    index = np.arange(document.size) - documents.first_page[document]
    sizes = sorted({(each.width, each.height) for each in images})
    by_size = [np.array([n for n, each in enumerate(images) if (each.width, each.height) == size]) for size in sizes]
    size_of_document = rng.integers(len(sizes), size=documents.pages.size)
    image = np.empty(document.size, np.int64)
    for number, choices in enumerate(by_size):
        rows = np.nonzero(size_of_document[document] == number)[0]
        image[rows] = choices[rng.integers(choices.size, size=rows.size)]
    width = np.array([each.width for each in images], np.float64)[image]
    height = np.array([each.height for each in images], np.float64)[image]
    top = np.where(documents.is_html[document], index * height, np.nan)
    return Pages(document, index, image, width, height, top, text_ids(document.size))


def put_large_images(
    documents: Documents, pages: Pages, images: list[PageImage], first: int, rng: np.random.Generator
) -> None:
    """Give as many pages as there are `images` from number `first` on one of those each; none of a screenshot."""
    rows = np.nonzero(~documents.is_html[pages.document])[0]
    chosen = rng.choice(rows, size=min(len(images) - first, rows.size), replace=False)
    for row, image in zip(chosen.tolist(), range(first, len(images)), strict=False):
        pages.image[row], pages.width[row], pages.height[row] = image, images[image].width, images[image].height

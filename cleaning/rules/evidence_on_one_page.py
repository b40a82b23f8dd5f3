"""The rule on queries whose evidence should lie on several pages, or in several documents, and does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from audit_core.domain import EvidenceStructure
from cleaning.contract import Reason
from cleaning.rules.finding import Found, without_reasons

if TYPE_CHECKING:
    import polars as pl

name = "evidence_on_one_page"
title = "Evidence on one page"
describe = (
    "A query of a structure over several pages (Doc-Adjacent, Doc-Near, Doc-Far, Cross-Doc) has all of its evidence on one "
    "page, or a Cross-Doc query has it in one document. Queries without evidence do not count."
)
compares_queries = False

MULTI_PAGE = (
    EvidenceStructure.DOC_ADJACENT,
    EvidenceStructure.DOC_NEAR,
    EvidenceStructure.DOC_FAR,
    EvidenceStructure.CROSS_DOC,
)


def find(queries: pl.DataFrame) -> Found:
    """Return what the rule says of each query's structure, evidence pages and documents; it shows no stretch of text."""
    structures = queries["evidence_structure"].to_list()
    pages = [len(set(each or ())) for each in queries["evidence_pages"].to_list()]
    documents = [len(set(each or ())) for each in queries["documents"].to_list()]
    one_page = np.array([s in MULTI_PAGE and n == 1 for s, n in zip(structures, pages, strict=True)], dtype=bool)
    cross = [structure == EvidenceStructure.CROSS_DOC for structure in structures]
    one_document = np.array([c and n == 1 for c, n in zip(cross, documents, strict=True)], dtype=bool)

    def reason(row: int) -> Reason:
        where = "on one page" if one_page[row] else "in one document"
        return Reason(name, f"{structures[row]}, but all of its evidence lies {where}")

    return without_reasons(one_page | one_document, reason)

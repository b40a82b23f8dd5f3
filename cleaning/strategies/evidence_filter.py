"""The deterministic filter: the evidence of a query over several pages must lie on different pages."""

from __future__ import annotations

from collections.abc import Mapping

from cleaning.contract import Kind
from cleaning.rules import evidence_on_one_page
from cleaning.strategies.options import check_options
from cleaning.strategies.rules import Rules

name = "evidence_filter"
title = "Filter on evidence pages"
kind = Kind.RULE
describe = f"{evidence_on_one_page.describe} The score is 1 for such a query, else 0. It looks at the evidence alone, at no text."
needs_embeddings = False
default_threshold = 0.5


def build(options: Mapping[str, object]) -> Rules:
    """Return the strategy; it has no options.

    Raises:
        CleaningError: an option was given.
    """
    check_options(name, options, ())
    return Rules((evidence_on_one_page.name,))

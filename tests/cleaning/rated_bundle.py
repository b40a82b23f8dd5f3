"""A bundle of which it is known which queries are bad, labels of a random sample, and what an honest model says of each."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from audit_core.domain import ELEMENT_KINDS
from tests.importers.small_bundle import Rows
from tests.strata_bundle import Sizes, strata_bundle

#: 320 queries, each on a document of its own.
SIZES: Sizes = {
    ("wiki", "Page-Single"): 120,
    ("wiki", "Cross-Doc"): 60,
    ("law", "Page-Single"): 100,
    ("law", "Doc-Near"): 40,
}
_SYLLABLES = [one + two for one in "bdfgklmnprstvz" for two in "aeiou"]
_KINDS = ELEMENT_KINDS[:3]
#: One of so many queries is bad, one of so many looks otherwise than it is, and with this chance each is labelled.
_BAD, _MISLEADING, _LABELLED = 4, 25, 0.75
#: Of so many queries the model takes one bad one for good.
_MISSED = 40


@dataclass(slots=True)
class Rated:
    """The bundle: `bad` are the ids of its bad queries, `truth` is what a model answers by the text of a query.

    `sample` are labels of a random sample, which no bundle can hold: `clean import-labels` takes their file.
    """

    folder: Path
    bad: list[str] = field(default_factory=list)
    sample: list[dict[str, Any]] = field(default_factory=list)
    truth: dict[str, dict[str, Any]] = field(default_factory=dict)


def rated_bundle(folder: Path, sizes: Sizes = SIZES) -> Rated:
    """Write the bundle; its label set `train` holds the queries that are not in the sample, and is no random sample.

    A model that knows the `truth` rates the bad queries but a few 0 for layout references and all others 1, and rewords
    those so that they stand for themselves. By their wording, which is what rules see, some look otherwise than they are.
    """
    found = Rated(folder)
    strata_bundle(folder, sizes, lambda rows: _fill(rows, found))
    return found


def _fill(rows: Rows, found: Rated) -> None:
    chance = random.Random(5)
    rows["elements"], rows["labels/train"] = [], []
    for row, query in enumerate(rows["queries"]):
        query_id = query["query_id"]
        words = " ".join("".join(chance.choice(_SYLLABLES) for _ in range(3)) for _ in range(3))
        is_bad = row % _BAD == 0
        looks_bad = is_bad != (row % _MISLEADING == 0)
        query["text"] = f"What does the table above give for {words}?" if looks_bad else f"Who founded {words}?"
        query["evidence"] = [_evidence(rows, query_id, number, row) for number in range(1 + row % 2)]
        found.truth[query["text"]] = _truth(words, is_bad=is_bad and row % _MISSED != 0)
        if is_bad:
            found.bad.append(query_id)
        label = {"query_id": query_id, "remove": is_bad, "annotator": "ann"}
        if chance.random() < _LABELLED:
            found.sample.append({**label, "probability": _LABELLED})
        else:
            rows["labels/train"].append(label)
    rows["dataset"]["name"] = "rated"


def _evidence(rows: Rows, query_id: str, number: int, row: int) -> dict[str, Any]:
    kind = _KINDS[(row + number) % len(_KINDS)]
    element = f"e-{query_id}-{number}"
    place = {"page_id": f"p-{query_id}", "box": [1, 2 + 50 * number, 30, 40 + 50 * number]}
    rows["elements"].append({"document_id": f"d-{query_id}", "element_id": element, "kind": kind, **place})
    return {**place, "element_id": element}


def _truth(words: str, *, is_bad: bool) -> dict[str, Any]:
    right = {"clarity": 1, "correctness": 1, "closedness": 1}
    return {
        **right, "no_layout_reference": 0 if is_bad else 1, "decision": "discard" if is_bad else "accept",
        "reason": "It points at a table." if is_bad else "Nothing is wrong.",
        "query": f"Which figure is given for {words}?" if is_bad else "",
    }  # fmt: skip

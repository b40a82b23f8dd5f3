"""Two simulated annotators, each off on about one query in seven in the ways people are."""

from __future__ import annotations

import random

from audit.resolve import Elements, Row, query_id
from audit.spec import Ev, Query

SEED = 20260517
# Of 20 faulty and of 20 sound queries so many are judged otherwise than in gold.
_MISTAKES = {"ann-a": (4.0, 2.2), "ann-b": (3.4, 3.0)}
_UNREAD = {("ann-b", "ar"): "I do not read Arabic"}
_PACE = {"ann-a": 0.9, "ann-b": 1.2}  # ann-b reads more slowly
# What a reader writes who sees a fault where there is none; E by the kind of the element.
_DOUBTS = {
    "F": ["two questions in one, hard to follow", "wording could be clearer"],
    "F, no title": ["not obvious which document is meant", "no document named"],
    "E, Table": [
        "box takes in the whole table, only one cell is needed",
        "column heads and number hard to match, not sure",
    ],
    "E, Image": ["value can only be read off the curve, box not exact"],
    "E, Text": ["box seems to be on the neighbouring paragraph", "answer is not in the box as I read it"],
    "U": ["one page would do, I think", "second page adds little"],
}
_TITLES = (
    "Solar System in Figures",
    "Short Companion",
    "Handbook of Measures",
    "Constants of Nature",
    "Larkmouth",
    "Orbit & Harbour",
    "Apollo",
    "Signals",
)
_SHORT = {
    "F": ["cannot tell what is asked", "unclear reference"],
    "E": ["wrong place", "answer not in box"],
    "U": ["not needed"],
    "N": ["no answer in document", "not stated anywhere"],
}
_REMARKS = [
    "small print, but it is there",
    "ok, found it at once",
    "checked against the page",
    "fine",
    "had to zoom in",
    "wording a bit stiff, still clear",
    "answer ok, page number in print differs from the file",
    "took me a while to see the row",
]


def judgments(queries: list[Query], elements: Elements) -> list[Row]:
    """All judgments, ann-a's first, each annotator in an order of their own."""
    out: list[Row] = []
    for annotator in _PACE:
        dice = random.Random(f"{SEED}/{annotator}")
        order = list(queries)
        dice.shuffle(order)
        wrong = _chosen(queries, dice, _MISTAKES[annotator])
        out += [_judgment(query, annotator, query.number in wrong, elements, dice) for query in order]
    return out


def _chosen(queries: list[Query], dice: random.Random, rates: tuple[float, float]) -> set[int]:
    faulty = [query.number for query in queries if query.gold.codes]
    sound = [query.number for query in queries if not query.gold.codes]
    return {
        number
        for group, rate in zip((faulty, sound), rates, strict=True)
        for number in dice.sample(group, round(len(group) * rate / 20))
    }


def _judgment(query: Query, annotator: str, mistaken: bool, elements: Elements, dice: random.Random) -> Row:
    gold = query.gold
    if reason := _UNREAD.get((annotator, query.language)):
        return {
            "query_id": query_id(query),
            "annotator": annotator,
            "codes": [],
            "outcome": "cannot_judge",
            "reason": reason,
            "seconds": 9.4,
        }
    codes = _mistaken_codes(query, dice) if mistaken else list(gold.codes)
    row: Row = {"query_id": query_id(query), "annotator": annotator, "codes": codes, "outcome": "judged"}
    targets = {code: _targets(query, code, elements, dice) for code in codes if code in "EU"}
    if targets:
        row["targets"] = targets
    doubted = targets.get("E", [""])[0]
    note = _note(query, codes, mistaken, elements.kinds.get(doubted, "Text"), dice, second=annotator == "ann-b")
    if note:
        row["note"] = note
    pages = len({elements.find(ev, "")["page_id"] for ev in query.evidence})
    slow = 1.35 if codes else 1.0
    row["seconds"] = round(_PACE[annotator] * slow * (14 + 13 * pages) * dice.lognormvariate(0.0, 0.32), 1)
    return row


def _mistaken_codes(query: Query, dice: random.Random) -> list[str]:
    true = query.gold.codes
    if not true:
        single = query.structure == "Page-Single"
        return [dice.choice("EF" if single else "EFU")]
    if len(true) > 1:
        return [dice.choice(true)]  # one of two faults is seen
    if true == "N":
        return ["E"]  # takes it for wrong evidence
    return [] if dice.random() < 0.6 else [{"E": "U", "U": "E", "F": "N"}[true]]


def _targets(query: Query, code: str, elements: Elements, dice: random.Random) -> list[str]:
    keys = query.gold.wrong.get(code) or query.gold.wrong.get("E") or query.gold.wrong.get("U") or ()
    chosen: list[Ev] = [ev for ev in query.evidence if ev.key in keys]
    if not chosen:
        chosen = [query.evidence[-1] if code == "U" else dice.choice(query.evidence)]
    field = "page_id" if code == "U" else "element_id"
    # A page that is listed without a box has no element to point at.
    return [elements.find(ev, query_id(query))[field if ev.boxed else "page_id"] for ev in chosen]


def _note(query: Query, codes: list[str], mistaken: bool, kind: str, dice: random.Random, *, second: bool) -> str:
    if not codes:
        return dice.choice(_REMARKS) if dice.random() < 0.08 else ""
    if mistaken and query.gold.codes:
        return dice.choice(_SHORT[codes[0]])
    if mistaken:
        group = codes[0]
        if group == "E":
            group = f"E, {kind.split()[0] if kind.split()[0] in ('Table', 'Image') else 'Text'}"
        elif group == "F" and not any(title in query.text for title in _TITLES):
            group = "F, no title"
        return dice.choice(_DOUBTS[group])
    full = query.gold.second_note if second else query.gold.note
    return full if dice.random() < 0.7 else dice.choice(_SHORT[codes[0]])

"""The guidelines of the removal protocol, as annotators read them beside an entry. The cases are invented."""

from __future__ import annotations

from typing import Any

#: Read first.
INTRODUCTION = (
    "The question is whether the query can stay in a benchmark as it is. Read the query alone first, as somebody would who "
    "searches a large collection and has never seen the page. Then read the answer and the pages. Rate the criteria that "
    "you can tell, from 0 (bad) to 1 (good); leave open what you cannot. Then keep or remove: one bad criterion is enough "
    "to remove, and what can only be helped by rewriting is removed here."
)

SECTIONS: tuple[dict[str, str], ...] = (
    {
        "code": "K",
        "title": "Keep",
        "means": "Somebody who searches could have asked it, it has one meaning, and the answer given is right.",
        "clear": '"How deep is the north basin of Estby at the lowest tide?", answer "4.2 m", and the table says so.',
        "borderline": (
            "Stiff wording, a spelling error, or a question nobody is likely to ask: keep, as long as its meaning is "
            "certain and the answer right."
        ),
    },
    {
        "code": "R",
        "title": "Remove",
        "means": "It harms a comparison of retrieval systems: nobody can know what it asks, or what it asks is not so.",
        "clear": '"What does the table say about the second basin?" Which table, and whose basin?',
        "borderline": (
            "The evidence has a small fault, such as a page too many, but the query is good: keep. Evidence is mended, "
            "queries are removed."
        ),
    },
    {
        "code": "",
        "field": "clarity",
        "title": "Clarity",
        "means": "Whether the wording has one meaning. 1: one; 0.5: two that could be meant; 0: none that can be told.",
        "clear": '"Which one grew more, and by how much, before it?" is 0.',
        "borderline": '"Ships in 2019" as a keyword query is short but clear: 0.75 or 1.',
    },
    {
        "code": "",
        "field": "correctness",
        "title": "Correctness",
        "means": "Whether the answer is right by the pages. Where that cannot be known: whether it is plausible.",
        "clear": 'The answer says "4.2 km", the table "4.2 m": 0.',
        "borderline": "Right, but one of the two parts asked for is left out: 0.5.",
    },
    {
        "code": "",
        "field": "closedness",
        "title": "Closedness",
        "means": "Whether the query names what it speaks of. 0: it refers to an article, study or document without its name.",
        "clear": '"What did the authors conclude?" is 0.',
        "borderline": '"What did the 2019 yearbook of the Estby harbour board conclude?" names it: 1.',
    },
    {
        "code": "",
        "field": "no_layout_reference",
        "title": "No layout reference",
        "means": 'Whether the query does without places on a page, such as "in the table" or "in the left figure". 0: it needs one.',
        "clear": '"What is the value in the last row?" is 0.',
        "borderline": 'A subject that is called a table or figure, as in "the periodic table" or "figure skating", is none: 1.',
    },
    {
        "code": "X",
        "title": "Cannot judge",
        "means": "You are not able to tell, even with time. It is counted apart and never becomes a label. Say why (A).",
        "clear": "The page cannot be shown, and the query cannot be judged without it.",
        "borderline": "You doubt: decide, and say so in the note, or ask your lead (!).",
    },
)


def guidelines() -> dict[str, Any]:
    """Return the guidelines for the judging surface: introduction, and sections with title, means, clear, borderline.

    A section speaks of an answer, by its letter in `code`, or of a criterion, by its name in `field`.
    """
    return {"introduction": INTRODUCTION, "sections": [dict(each) for each in SECTIONS]}

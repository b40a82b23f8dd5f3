"""The guidelines of the query-review protocol, as annotators read them beside an entry. The cases are invented."""

from __future__ import annotations

from typing import Any

#: Read first.
INTRODUCTION = (
    "You decide what becomes of the query. Judge three things one after the other, each as ok, rewrite (other words would "
    "mend it) or remove (no words would). The outcome follows from the strictest of them: any remove discards the query, "
    "else any rewrite asks you to write it anew, else it is kept. You may be stricter than that, never milder. Read the "
    "query alone for the first two, then the pages."
)

SECTIONS: tuple[dict[str, str], ...] = (
    {
        "code": "",
        "field": "naturalness",
        "title": "Naturalness",
        "means": (
            "Whether a person with a need to know would ask it like this, without having seen the page. Not whether it is "
            "elegant."
        ),
        "clear": (
            '"As stated in the above table, what is the depth-value of the NB-entity?" points at a page and speaks like a '
            "form: rewrite (stiff, layout)."
        ),
        "borderline": 'A keyword query, or a spelling error: ok. Two questions joined by "and" that have one answer: ok.',
    },
    {
        "code": "",
        "field": "ambiguity",
        "title": "Ambiguity",
        "means": "Whether it has one meaning, and says what it is about. Ok means: it is not ambiguous.",
        "clear": '"How deep is the basin?" Any harbour has basins: rewrite, if the pages tell which one was meant; else remove.',
        "borderline": "A name that two places share, where only one fits the rest of the query: ok.",
    },
    {
        "code": "",
        "field": "answerability",
        "title": "Answerability",
        "means": "Whether the documents answer it. A query that only needs a narrower wording to be answered is to rewrite.",
        "clear": '"What will the basin cost in 2040?" and no page looks ahead: remove (no page answers it).',
        "borderline": (
            "The pages answer for 2019 and the query names no year: rewrite (partly). The answer must be added up from "
            "figures that stand there: ok."
        ),
    },
    {
        "code": "",
        "field": "evidence",
        "title": "Evidence confirmed",
        "means": "Yes: what is listed answers the query, all of it. No: something is missing or wrong. It decides no outcome.",
        "clear": "The box is around the row of another year: no.",
        "borderline": "A listed page more than is needed: yes, and say it in the note.",
    },
    {
        "code": "",
        "field": "quality",
        "title": "Quality, 1 to 10",
        "means": (
            "Your impression as a whole. It shows how annotators differ in strictness (calibration), and never keeps or "
            "discards a query. 1: unusable; 5: usable with a weakness; 10: could not be better. It may be left open."
        ),
        "clear": "All three ok and a question one would like to ask oneself: 9 or 10.",
        "borderline": "Good, but dull: do not go below 5 for that.",
    },
    {
        "code": "K",
        "field": "outcome",
        "title": "Keep",
        "means": "The query stays as it is. Possible only where all three are ok.",
        "clear": '"How deep is the north basin of Estby at the lowest tide?", and page 4 says it.',
        "borderline": 'All three ok but the evidence is wrong: keep, with evidence "no"; evidence is mended, queries are kept.',
    },
    {
        "code": "R",
        "field": "rewritten",
        "title": "Rewrite",
        "means": (
            "Write the query as it should be. It asks for the same thing, has the same answer on the same pages, and needs "
            "no page to be understood."
        ),
        "clear": '"How deep is the basin?" becomes "How deep is the north basin of Estby?"',
        "borderline": "You would have to ask something else to save it: that is another query, so discard.",
    },
    {
        "code": "D",
        "title": "Discard",
        "means": "The query is taken out. Any remove comes to this; you may also discard where rewriting is not worth it.",
        "clear": "No page answers it.",
        "borderline": "Two of three say rewrite: rewrite it if you can do so in a minute, else discard.",
    },
    {
        "code": "X",
        "title": "Cannot judge",
        "means": "You are not able to tell, even with time. It is counted apart and decides nothing. Say why (R).",
        "clear": "The query is in a language that you do not read.",
        "borderline": "You doubt: decide, and say so in the note, or ask your lead (!).",
    },
)


def guidelines() -> dict[str, Any]:
    """Return the guidelines for the judging surface: introduction, and sections with title, means, clear, borderline.

    A section speaks of an answer, by its letter in `code`, or of a field, by its name in `field`.
    """
    return {"introduction": INTRODUCTION, "sections": [dict(each) for each in SECTIONS]}

"""The guidelines of the relevance protocol, as annotators read them beside an entry. The cases are invented."""

from __future__ import annotations

from typing import Any

#: Read first.
INTRODUCTION = (
    "Read the query alone first. Could somebody have searched for it? If not, it is poor: say why, and the entry is done. "
    "Else grade every listed page by one question: if I had only this page, how far would I get? Leaf to the neighbours; a "
    "page that answers and is not listed is added (I) and graded like the others. Of pages above 0 say what on them "
    "answers, and draw a box (A) around it. At the end write the answer, or that there is none."
)

SECTIONS: tuple[dict[str, str], ...] = (
    {
        "code": "G",
        "field": "query",
        "title": "Good query",
        "means": "Its meaning is certain, it says what it is about, and somebody could want to know it.",
        "clear": '"How deep is the north basin of Estby at the lowest tide?"',
        "borderline": '"north basin depth Estby" is short but a search all the same: good. So is a query with a typing error.',
    },
    {
        "code": "P",
        "field": "reasons",
        "title": "Poor query",
        "means": (
            "No pages can be graded for it: it cannot be understood, does not say which document or thing it is about, asks "
            "what nobody would search for, or takes something for true that is not. Name every reason that holds."
        ),
        "clear": '"What does the second figure show?" Nobody knows whose figure: does not say what it is about.',
        "borderline": (
            '"Why did Estby close its south basin in 2019?" The pages say it was closed in 2018. A slip in a detail that '
            "the pages correct: good. If it was never closed: poor, false premise."
        ),
    },
    {
        "code": "",
        "field": "grades",
        "title": "Grades 0, 1 and 2",
        "means": (
            "2: this page alone answers the query. 1: it answers a part, or is needed to understand the page that answers. "
            "0: it does not help, even if it is about the same subject. Grade each page by itself, not against the others."
        ),
        "clear": "The table on page 4 gives the depth: 2. Page 9 praises the view over the basin: 0.",
        "borderline": (
            'The query asks for two depths; page 4 gives one, page 7 the other: 1 and 1. Page 3 says what "NB" means, which '
            "the table on page 4 uses: 1 for page 3, and 2 for page 4 if a reader would understand it all the same."
        ),
    },
    {
        "code": "",
        "field": "types",
        "title": "What answers: content types",
        "means": (
            "Text: sentences and lists. Table: rows and columns. Chart: values drawn to scale. Infographic: a drawing that "
            "joins words and pictures, such as a flow chart or a map with labels. Image: photographs and pictures. Other: "
            "such as a formula or a stamp. Several if the answer needs several."
        ),
        "clear": "The depth stands in a table: table. A bar whose height must be read off: chart.",
        "borderline": (
            "The table gives the figure and a sentence below repeats it: both. A caption that only names the table: the "
            "table alone. Numbers printed on the bars of a chart: chart, for its labels belong to it."
        ),
    },
    {
        "code": "",
        "field": "boxes",
        "title": "Boxes",
        "means": (
            "Draw them around what answers, as tightly as a reader would point: one box a place. Near an element of the "
            "page a box snaps to it; with Alt it does not."
        ),
        "clear": "The row with the depth, with the head of the table if the row cannot be understood without it.",
        "borderline": "The answer is all over the page: one box around all of it rather than ten. Boxes may be left out.",
    },
    {
        "code": "",
        "field": "answered",
        "title": "Answer, or unanswerable",
        "means": (
            "Write the answer in the fewest words, from the pages and not from what you know. Unanswerable: the query is "
            "good, and nothing in its documents answers it; look around before you say so."
        ),
        "clear": '"4.2 m". If no page gives a depth: unanswerable, and no page is graded 2.',
        "borderline": "The pages give a part of the answer only: write that part, and say in the note what is missing.",
    },
    {
        "code": "X",
        "title": "Cannot judge",
        "means": "You are not able to tell, even with time. It is counted apart and never becomes a grade. Say why (R).",
        "clear": "The listed page cannot be shown, and the document has no other that helps.",
        "borderline": "You doubt between two grades: take the lower one and say so in the note, or ask your lead (!).",
    },
)


def guidelines() -> dict[str, Any]:
    """Return the guidelines for the judging surface: introduction, and sections with title, means, clear, borderline.

    A section speaks of an answer, by its letter in `code`, or of a field, by its name in `field`.
    """
    return {"introduction": INTRODUCTION, "sections": [dict(each) for each in SECTIONS]}

"""The guidelines of the audit protocol, as annotators read them beside an entry: one section an answer.

Each section has a clear case and a borderline case. The cases are invented; they speak of harbours so that nobody takes
them for entries of a dataset.
"""

from __future__ import annotations

from typing import Any

#: Read first; in this order the questions need the least reading.
INTRODUCTION = (
    "Ask in this order: Is the query clear to somebody who has only the query? Do the listed pages answer it, and are the "
    "boxes on the right places? Is every listed page needed? Judge what stands on the pages, not what you happen to know."
)

#: One section an answer: code, title, what it means, a clear case, a borderline case with what to do and why.
SECTIONS: tuple[dict[str, str], ...] = (
    {
        "code": "F",
        "title": "Ambiguous, or does not say what it is about",
        "means": (
            "The query cannot be understood, contradicts itself, or fits so many documents that nobody could know which one "
            "is meant. Imagine all documents of the collection on one shelf and only this sentence in your hand."
        ),
        "clear": (
            '"What did the board decide at its spring meeting?" The evidence is the minutes of one harbour board. Which '
            'board, and which year? Give F. With "the harbour board of Estby, 2019" in it, it would be fine.'
        ),
        "borderline": (
            '"How many cranes does the harbour with the octagonal customs house have?" No name, but only one harbour in '
            "the collection has such a house: it identifies, so no F. If a second document describes another octagonal "
            "customs house, it does not: F. Clumsy wording or a typing error alone is no F while the meaning is certain."
        ),
    },
    {
        "code": "E",
        "title": "Wrong page or box, or a needed page is missing",
        "means": (
            "A listed page or box does not hold what is needed, or the listed pages do not answer the query although "
            "another page would. Name the pages or boxes that you mean; for a missing page you can propose it (K)."
        ),
        "clear": (
            '"How many ships called at Estby in 2019?" The box is around the row of 2018. Give E and name the box.'
        ),
        "borderline": (
            "The box cuts off the last letters of the figure, or takes in half of the next row: a reader still finds the "
            "place at once, so no E. A box around the whole table where one row is asked for is coarse but right: no E. A "
            "table row without its head, where the head is needed to know what the figure is: E, for something needed is "
            "outside every box."
        ),
    },
    {
        "code": "U",
        "title": "A listed page is not needed",
        "means": (
            "The query is answered completely without one of the listed pages. Cover the page in your mind: if nothing is "
            "missing from the answer, it is superfluous. Name the page."
        ),
        "clear": (
            '"How deep is the north basin?" lists page 4, whose table gives the depth, and page 5, on which the same '
            "table goes on with the cranes. Give U and name page 5."
        ),
        "borderline": (
            "Two pages state the same depth. If they are listed as alternatives, each of them alone is enough and nothing "
            "is superfluous: no U. If both are required, one of them is: U. A page that only says which basin the "
            'abbreviation "NB" means is needed if the query writes "north basin" and the table writes "NB": no U.'
        ),
    },
    {
        "code": "N",
        "title": "Nothing in the documents answers it",
        "means": (
            "The query asks for something that is not there, so that no page states the answer, and a reader could conclude "
            "it only from silence. Leaf through the document before you say so."
        ),
        "clear": (
            '"Which of the five harbours has no pilot service?" Four pages describe the pilots of four harbours; that the '
            "fifth has none is written nowhere. Give N."
        ),
        "borderline": (
            'The table has a column "pilots" with a dash for the fifth harbour, and its legend says that a dash means '
            "none: the answer is stated, so no N. If another page of the document states the answer and it is merely not "
            "listed, that is E, not N. If the sum must be worked out from figures that are listed, it is answered: no N."
        ),
    },
    {
        "code": "C",
        "title": "Correct: nothing is wrong",
        "means": (
            "Somebody who has only the query knows what is asked; the listed pages together answer it, as the answer says; "
            "none is superfluous; the boxes are where the answer stands."
        ),
        "clear": (
            '"How deep is the north basin of Estby at the lowest tide?", answer "4.2 m", one page, the box around the '
            "row that says 4.2 m."
        ),
        "borderline": (
            'The answer says "about four metres", the page "4.2 m": as precise as the query asks, so correct. The query '
            "is fine and the pages are right, but the answer is wrong: there is no code of its own for it; propose the "
            "right answer (K), and settle with your lead which code such an entry gets."
        ),
    },
    {
        "code": "X",
        "title": "Cannot judge",
        "means": (
            "You are not able to tell, even with time: the page cannot be read or shown, or the subject is beyond you. It "
            "is counted apart and never becomes a score. Say why (R)."
        ),
        "clear": "The only listed page cannot be shown, and no other page of the document helps.",
        "borderline": (
            "It is tedious, not impossible: zoom in, leaf, and judge. You doubt between two codes: decide, and say so in "
            "the note, or ask your lead (!). Only what you could not decide with any effort is X."
        ),
    },
)


def guidelines() -> dict[str, Any]:
    """Return the guidelines for the judging surface: introduction, and sections with code, title, means, clear, borderline."""
    return {"introduction": INTRODUCTION, "sections": [dict(each) for each in SECTIONS]}

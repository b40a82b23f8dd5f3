"""Small published ratings, typed in as numbers, each with its source."""

from __future__ import annotations

from typing import Any

Rows = list[tuple[Any, ...]]


def _columns(*raters: str) -> Rows:
    """Return rows of units from one text a rater, a sign a unit, a dot where nothing was said."""
    said = [[None if sign == "." else int(sign) if sign.isdigit() else sign for sign in each] for each in raters]
    return list(zip(*said, strict=True))


#: Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section A: two observers, binary.
KRIPPENDORFF_A = _columns("0100000010", "1110010000")
#: The same, section B: two observers, nominal.
KRIPPENDORFF_B = _columns("aabbdcccedda", "babbbccceddd")
#: The same, section C, and Gwet, Handbook of Inter-Rater Reliability (2014): four raters, missing ratings, scale 1 to 5.
KRIPPENDORFF_C = _columns("123321412...", "1233224125..", ".33323422513", "12332441251.")
#: Gwet's teaching data of five observers, scale 0 to 3 (as in the Python package irrCAC, datasets.py).
FIVE_OBSERVERS = _columns("112.001122.0131", "1130000.2110231", "203000222100221", ".13....0.10022.", "2..0001.2....31")
#: Gwet's teaching data of four raters (the same source).
FOUR_RATERS = _columns("abccbadab...bb", "abccbbdabe..ba", ".cccbcdbbeaccc", "abccbddabea.bb")
#: Fleiss 1971 (Psychological Bulletin 76): 30 patients, six raters, whose identity is not kept (as in R's irr).
DIAGNOSES = _columns(
    "422521311511212311215221121215",
    "423521311542242311235421421235",
    "423523334544244311435444421435",
    "453543334544344341455454421435",
    "453543534544344351455454425435",
    "455543544544345552455454545435",
)
#: Ratings of anxiety by raters 1 to 3, scale 1 to 6 (as in R's irr).
ANXIETY = _columns("33345523522615221243", "36462424332333221334", "21443216111233113322")
#: Fleiss 1971, the first fifteen patients as counts of six raters in five categories (as in R's irrCAC).
DISTRIBUTION = (
    (0, 0, 0, 6, 0),
    (0, 3, 0, 0, 3),
    (0, 1, 4, 0, 1),
    (0, 0, 0, 0, 6),
    (0, 3, 0, 3, 0),
    (2, 0, 4, 0, 0),
    (0, 0, 4, 0, 2),
    (2, 0, 3, 1, 0),
    (2, 0, 0, 4, 0),
    (0, 0, 0, 0, 6),
    (1, 0, 0, 5, 0),
    (1, 1, 0, 4, 0),
    (0, 3, 3, 0, 0),
    (1, 0, 0, 5, 0),
    (0, 2, 0, 3, 1),
)
#: Wikipedia, Fleiss' kappa: ten subjects, fourteen raters, five categories.
FOURTEEN_RATERS = (
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
)
#: Gwet 2014: two abstractors, a hundred pregnancies (ectopic, abnormal and normal intrauterine).
ABSTRACTORS = ((13, 0, 0), (0, 20, 7), (0, 4, 56))
#: Two raters of nineteen units, the first column empty (SAS PROC FREQ; quoted in statsmodels' test_inter_rater.py).
EMPTY_COLUMN = ((0, 4, 1), (0, 8, 0), (0, 1, 5))

"""The published confusion matrices of nine removal strategies, with what their counts do and do not say.

Source: the removal experiments of the VL-DocIR paper (1,438 labelled queries; positive = remove), the counts and
the false omission rate as printed there.
"""

from __future__ import annotations

from dataclasses import dataclass

from cleaning.metrics import Confusion, Rates, rates_of

#: What a published threshold means; Assay's own scores say remove at or *above* a threshold.
THRESHOLD_SAYS = (
    "A query goes when any criterion is rated at or below the threshold: ratings are 0, 0.25, 0.5, 0.75 or 1, and a "
    "threshold of 0.0 removed 344 queries. The text says below."
)
#: What must stand beside the table.
NOTES = (
    THRESHOLD_SAYS,
    "The three trained classifiers were scored on different test sets (193, 194 and 201 positives of 638), the language "
    "models on all 1,438. Their order is not established: the intervals overlap.",
    "A lower false omission rate was bought by removing more: read it beside FN, TN and the share kept.",
    "These rates hold for the labelled set only.",
)

_RATING = "Language-model rating"


@dataclass(frozen=True, slots=True)
class Published:
    """One published row: its counts, the false omission rate as printed (a part of 1) and what is known to be wrong."""

    method: str
    setting: str
    confusion: Confusion
    printed: float
    test_set: str
    note: str = ""

    @property
    def rates(self) -> Rates:
        """The rates that follow from the counts, with Wilson intervals."""
        return rates_of(self.confusion)


def _row(
    method: str, setting: str, cells: tuple[int, int, int, int], printed: float, test_set: str, note: str = ""
) -> Published:
    tp, fn, fp, tn = cells
    return Published(method, setting, Confusion(tp=tp, fp=fp, fn=fn, tn=tn), printed, test_set, note)


#: In the order of the publication; cells are TP, FN, FP, TN.
PUBLISHED: tuple[Published, ...] = (
    _row(_RATING, "threshold 0.0", (279, 161, 65, 933), 0.1472, "all 1,438"),
    _row(_RATING, "threshold 0.25", (281, 159, 71, 927), 0.1464, "all 1,438"),
    _row(_RATING, "threshold 0.5", (281, 159, 77, 921), 0.1472, "all 1,438"),
    _row(
        _RATING, "threshold 0.75", (294, 146, 128, 870), 0.1437, "all 1,438",
        "The text gives 13.37 %, the table 14.37 %; the counts give the latter.",
    ),
    _row("Language-model classifier", "", (237, 203, 62, 936), 0.1782, "all 1,438"),
    _row("Classifier or rating", "threshold 0.75", (305, 135, 140, 858), 0.1360, "all 1,438"),
    _row(
        "Logistic regression", "800 training queries", (141, 52, 99, 346), 0.1307, "638 of its own",
        "The text says 392 non-removals; the matrix has 398.",
    ),
    _row(
        "XGBoost", "800 training queries", (150, 44, 135, 309), 0.1246, "638 of its own",
        "The text says 353 removals; these are the kept queries.",
    ),
    _row("Nearest neighbours", "k = 5, cosine, majority, 800 training queries", (116, 85, 92, 345), 0.1977, "638 of its own"),
)  # fmt: skip

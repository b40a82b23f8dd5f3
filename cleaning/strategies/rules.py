"""The strategy that removes what a rule fires on."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from audit_core.registry import load_folder
from cleaning.contract import Inputs, Kind, Scores
from cleaning.strategies.options import check_options, names

if TYPE_CHECKING:
    from numpy.typing import NDArray

name = "rules"
title = "Rules"
kind = Kind.RULE
describe = (
    "Rules on the wording of a query, its answer and its duplicates. The score is 1 where any of them fires, else 0. The "
    "filter on evidence pages is a strategy of its own, but can be chosen here as well."
)
needs_embeddings = False
default_threshold = 0.5

_PACKAGE = "cleaning.rules"
#: Fires on the evidence, not on the wording; `evidence_filter` is the strategy of it alone.
_APART = "evidence_on_one_page"


def build(options: Mapping[str, object]) -> Rules:
    """Return the strategy. Option: `rules`, the names of those that count (all on wording, answer and duplicates).

    Raises:
        CleaningError: an option or a rule is unknown.
    """
    check_options(name, options, ("rules",))
    known = list(load_folder(_PACKAGE))
    default = [each for each in known if each != _APART]
    return Rules(names(name, options, "rules", default, known=known))


class Rules:
    """Some rules, any of which removes. It learns nothing."""

    def __init__(self, chosen: tuple[str, ...]) -> None:
        self.chosen = chosen

    def fit(self, inputs: Inputs, remove: NDArray[np.bool_], *, seed: int) -> Rules:
        """Return the strategy itself."""
        return self

    def score(self, inputs: Inputs) -> Scores:
        """Return 1 where a rule fires, else 0, with the reasons of every rule, in the order of the rules.

        The duplicate rules look at all queries of `inputs` together. The one of a group that stays scores 0 and has
        the reason that tells its group.
        """
        rules = load_folder(_PACKAGE)
        found = [rules[each].find(inputs.queries) for each in self.chosen]
        fired = np.zeros(len(inputs), dtype=bool)
        for each in found:
            fired |= each.fired
        reasons = tuple(tuple(chain.from_iterable(of_row)) for of_row in zip(*(f.reasons for f in found), strict=True))
        return Scores(fired.astype(np.float64), reasons)

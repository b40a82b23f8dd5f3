"""What is guessed of the strata before labelling: one accuracy for all, one for each, or an earlier audit's."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from audit_core.errors import StatisticsError
from audit_core.sampling.expectation import StratumGuess
from audit_core.sampling.frame import StratumKey, key_name
from audit_core.statistics.intervals import check_count
from audit_core.statistics.stratified import StratumCount, name_list

#: The share of correct queries that is guessed where nothing is known.
DEFAULT_ACCURACY = 0.95
#: With how many entries the accuracy of all strata together weighs in the guess for one stratum.
POOLED_ENTRIES = 4


def guessed_strata(
    populations: Mapping[StratumKey, int], accuracy: float | Mapping[StratumKey, float] = DEFAULT_ACCURACY
) -> list[StratumGuess]:
    """Return the strata of a plan, sorted by name, with one guessed accuracy for all or one for each (parts of 1).

    Raises:
        StatisticsError: a stratum without a guess, or a guess for a stratum that is not there.
    """
    if isinstance(accuracy, Mapping):
        missing = [key_name(key) for key in populations if key not in accuracy]
        if missing:
            raise StatisticsError(f"No accuracy is guessed for {name_list(missing)}. Give one for each stratum.")
        unknown = [key_name(key) for key in accuracy if key not in populations]
        if unknown:
            raise StatisticsError(f"An accuracy is guessed for {name_list(unknown)}, which is no stratum here.")
        return [StratumGuess(*key, populations[key], accuracy[key]) for key in sorted(populations)]
    return [StratumGuess(*key, populations[key], accuracy) for key in sorted(populations)]


def guesses_from_audit(counts: Sequence[StratumCount]) -> list[StratumGuess]:
    """Return the strata of a plan with accuracies from the counts of an earlier audit, none of them exactly 0 or 1.

    A stratum with c of n correct gets (c + 4 q) / (n + 4), where q = (C + 1/2) / (M + 1) is the accuracy of all M
    decided entries: 30 of 30 does not say that no query of the stratum is faulty, and a plan that took it so would
    draw nothing there. A stratum without decided entries gets q. For planning alone: estimates take the counts as
    they are.

    Raises:
        StatisticsError: no entry is decided.
    """
    decided = sum(check_count(each.decided, what=f"the decided entries of {_name(each)}") for each in counts)
    correct = sum(check_count(each.correct, what=f"the correct entries of {_name(each)}") for each in counts)
    if not decided:
        raise StatisticsError("The earlier audit has no decided entry to guess from. Guess an accuracy instead.")
    pooled = (correct + 0.5) / (decided + 1)
    return [
        StratumGuess(
            each.source,
            each.evidence_structure,
            each.population,
            (each.correct + POOLED_ENTRIES * pooled) / (each.decided + POOLED_ENTRIES),
        )
        for each in counts
    ]


def check_guesses(strata: Sequence[StratumGuess]) -> None:
    """Check the strata of a plan.

    Raises:
        StatisticsError: none is there, none holds a query, one is named twice, a population that is no count, an
            accuracy outside [0, 1].
    """
    if not any(each.population for each in strata):
        raise StatisticsError("There is no stratum with queries to plan for. Import a dataset with queries first.")
    seen: set[StratumKey] = set()
    for each in strata:
        check_count(each.population, what=f"the population of {each.name}")
        if not math.isfinite(each.accuracy) or not 0.0 <= each.accuracy <= 1.0:
            raise StatisticsError(
                f"The guessed accuracy of {each.name} is {each.accuracy}. Give a part of 1, such as 0.95."
            )
        if each.key in seen:
            raise StatisticsError(f"The stratum {each.name} is named twice. Name each once.")
        seen.add(each.key)


def _name(count: StratumCount) -> str:
    return key_name((count.source, count.evidence_structure))

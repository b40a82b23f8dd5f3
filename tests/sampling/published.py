"""The published audit's design and results as plans and frames need them."""

from __future__ import annotations

import csv
from pathlib import Path

from audit_core.sampling import StratumKey
from audit_core.statistics.stratified import StratumCount

FACTS = Path(__file__).parents[1] / "data" / "audit_strata.csv"


def published_counts() -> list[StratumCount]:
    """Return population, audited and correct of the 24 published strata."""
    with FACTS.open(encoding="utf-8", newline="") as file:
        return [
            StratumCount(
                row["source"],
                row["evidence_structure"],
                int(row["population_queries"]),
                int(row["audited"]),
                int(row["correct"]),
            )
            for row in csv.DictReader(file)
        ]


def published_sizes() -> dict[StratumKey, int]:
    """Return how many entries were audited of each stratum: 30, of Cross-Doc 50."""
    return {(each.source, each.evidence_structure): each.decided for each in published_counts()}


def published_accuracies() -> dict[StratumKey, float]:
    """Return the share correct of each stratum."""
    return {(each.source, each.evidence_structure): each.correct / each.decided for each in published_counts()}


def full_frame() -> dict[StratumKey, list[str]]:
    """Return a frame of 271,760 made-up ids with the published populations."""
    return {
        (each.source, each.evidence_structure): [
            f"{each.source}-{each.evidence_structure}-{number}" for number in range(each.population)
        ]
        for each in published_counts()
    }

"""What was planted where: one row a fault, and the choice of queries that have none yet."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
TRUTH_FILE = "truth.jsonl"


class Truth:
    """Collects the planted faults and hands out queries that carry none, so that no two faults hide one another."""

    def __init__(self, scale: float, queries: int, rng: np.random.Generator) -> None:
        self.rows: list[dict[str, Any]] = []
        self.counts: Counter[str] = Counter()
        self.taken = np.zeros(queries, bool)
        self.rng = rng
        self._scale = scale
        self._order = rng.permutation(queries)

    def count(self, at_scale_1: int, *, least: int = 2) -> int:
        """Return how many faults of a kind to plant."""
        return max(round(at_scale_1 * self._scale), least)

    def take(self, at_scale_1: int, eligible: Flags) -> Ints:
        """Return rows of queries without a fault that are `eligible`; they count as faulty from now on."""
        free = self._order[(eligible & ~self.taken)[self._order]]
        chosen = np.sort(free[: self.count(at_scale_1)])
        self.taken[chosen] = True
        return chosen

    def add(self, fault: str, table: str, row: str, field: str, detail: str | None = None, **more: str) -> None:
        """Write down one fault: `row` is the id of the row, `detail` what a check should find or compare with."""
        self.rows.append({"fault": fault, "table": table, "row": row, "field": field, "detail": detail, **more})
        self.counts[fault] += 1

    def add_all(
        self, fault: str, table: str, rows: Iterable[Any], field: str, details: Sequence[Any] | None = None
    ) -> None:
        """Write down one fault a row, all in the same field."""
        for row, detail in zip(rows, details if details is not None else repeat(None), strict=details is not None):
            self.add(fault, table, str(row), field, None if detail is None else str(detail))

    def write(self, folder: Path) -> None:
        """Write `truth.jsonl`."""
        with (folder / TRUTH_FILE).open("w", encoding="utf-8", newline="\n") as stream:
            for row in self.rows:
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")

"""One thing that is wrong with a correction."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a correction: where, what stands there (None: nothing to show), what should."""

    field: str
    found: str | None
    expected: str

    def __str__(self) -> str:
        found = "" if self.found is None else f" is {self.found}"
        return f"its {self.field}{found}; expected {self.expected}"

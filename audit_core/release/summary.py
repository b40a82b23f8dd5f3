"""What a release comes to in figures: queries by status, changes by action and code, and what is left that is known or expected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from audit_core.corrections.records import Correction
from audit_core.domain import CODE_MEANINGS, JsonObject
from audit_core.release.ledger_rows import LedgerRow

#: What stands for a change that mends no issue code.
NO_CODE = "none"


def change_counts(rows: Sequence[LedgerRow]) -> JsonObject:
    """Return how many accepted changes there are by action and by code, how many derived ones, and queries by code.

    A query with changes of two codes counts under both.
    """
    accepted = [each for each in rows if not each.is_derived]
    codes: dict[str, set[str]] = {}
    for each in accepted:
        codes.setdefault(each.code or NO_CODE, set()).add(each.query_id)
    order = [*(code.value for code in CODE_MEANINGS), NO_CODE]
    by_code = Counter(each.code or NO_CODE for each in accepted)
    return {
        "changes": len(accepted),
        "derived": len(rows) - len(accepted),
        "by_action": dict(sorted(Counter(each.action for each in rows).items())),
        "by_code": {code: by_code[code] for code in order if code in by_code},
        "queries_by_code": {code: len(codes[code]) for code in order if code in codes},
    }


def mended_queries(corrections: Iterable[Correction], campaign: str) -> int:
    """Return how many queries have an accepted change that mends a code that this campaign gave."""
    return len({each.change.query_id for each in corrections if each.campaign == campaign and each.code is not None})


@dataclass(frozen=True, slots=True)
class ExpectedLeft:
    """How many faulty queries are expected to be left; `undefined` is the reason where no number can be given.

    `faulty` are all that the estimate expects before the release, `mended` those that the release mends or withdraws.
    Numbers are of queries; `low` and `high` None where the interval does not exist, for the reason in `undefined`.
    """

    expected: float | None
    low: float | None
    high: float | None
    faulty: float | None
    mended: int
    method: str | None
    undefined: str | None

    def sentence(self) -> str:
        """Return it in words."""
        if self.expected is None or self.faulty is None:
            return f"Expected faulty queries left: undefined: {_without_stop(self.undefined)}."
        if self.low is None or self.high is None:
            bounds = f"interval undefined: {_without_stop(self.undefined)}"
        else:
            bounds = (
                f"95 % {self.method} {self.low:,.0f}-{self.high:,.0f}"
                if self.method != "census"
                else "census, no sampling error"
            )
        return (
            f"Expected faulty queries left: about {self.expected:,.0f} ({bounds}): about {self.faulty:,.0f} were faulty by the "
            f"estimate for the whole benchmark, less {self.mended:,} that this release mends or withdraws."
        )

    def as_json(self) -> JsonObject:
        """Return it as a JSON object."""
        return {
            "expected": self.expected, "low": self.low, "high": self.high, "faulty_before": self.faulty,
            "mended": self.mended, "method": self.method, "undefined": self.undefined,
        }  # fmt: skip


def _without_stop(text: str | None) -> str:
    return (text or "no reason is known").rstrip(".")


def expected_left(audit: Mapping[str, Any] | None, mended: int) -> ExpectedLeft:
    """Return how many faulty queries are expected to be left, from an audit report as `report_json.plain` gives it.

    N (1 - p) less those that were mended, with N (1 - high) and N (1 - low) for the bounds, none of them below 0.
    """
    benchmark = (audit or {}).get("benchmark") or {}
    estimate = benchmark.get("estimate")
    if estimate is None:
        reason = benchmark.get("reason") or "no audit campaign is part of this release"
        return ExpectedLeft(None, None, None, None, mended, None, reason)
    interval, population = estimate["interval"], estimate["population"]
    if interval["estimate"] is None:
        return ExpectedLeft(None, None, None, None, mended, None, interval["undefined"])
    faulty = population * (1.0 - interval["estimate"])

    def left(share: float | None) -> float | None:
        return None if share is None else max(0.0, population * (1.0 - share) - mended)

    return ExpectedLeft(
        max(0.0, faulty - mended), left(interval["high"]), left(interval["low"]), faulty, mended, interval["method"],
        interval["undefined"],
    )  # fmt: skip

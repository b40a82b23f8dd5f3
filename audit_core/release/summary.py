"""What a release comes to in figures: queries by status, changes by action and code, and what is left that is known or expected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from audit_core.audit_report.wording import counted
from audit_core.domain import CODE_MEANINGS, JsonObject
from audit_core.release.corrected import CorrectedQuery
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


@dataclass(frozen=True, slots=True)
class DecidedFaults:
    """The codes that were decided on one entry, those that the release's corrections of it mend, and how many it leaves out.

    `left` are corrections that the same decision asks for and that are proposed or rejected.
    """

    query_id: str
    codes: frozenset[str]
    mended: frozenset[str]
    left: int


@dataclass(frozen=True, slots=True)
class Mended:
    """Queries by what a release does to the faults that a campaign found: `whole` have none left, or are withdrawn.

    `in_part` have some left. `undecided` are changed by corrections that come from no decision of the campaign, so that nobody
    said what all is wrong with them. `emptied`, some of `whole`, are left without evidence.
    """

    whole: int
    in_part: int = 0
    undecided: int = 0
    emptied: int = 0

    def sentences(self) -> str:
        """Return what is to be said beside the number of those that are mended; begins with a space unless it is empty."""
        told = []
        if self.in_part:
            told.append(
                f"{counted(self.in_part, 'query is', 'queries are')} mended in part and counted as still faulty: something that was "
                "decided is not accepted."
            )
        if self.undecided:
            told.append(
                f"{counted(self.undecided, 'query is', 'queries are')} changed without a decision of this campaign, and not counted "
                "as mended."
            )
        if self.emptied:
            are = (
                "is left without evidence: it is kept"
                if self.emptied == 1
                else "are left without evidence: they are kept"
            )
            told.append(f"{self.emptied:,} of the mended {are}, as having none.")
        return "".join(f" {each}" for each in told)


def mended_queries(
    decided: Iterable[DecidedFaults], queries: Mapping[str, CorrectedQuery], *, others: Collection[str]
) -> Mended:
    """Return what a release does to the faults of a campaign; `queries` are all that it changes.

    A query counts as mended where all that was decided on it is: every code by a correction that is released, and nothing of
    it left out; or where it is withdrawn, whatever that comes from. `others` have corrections of no decision of the campaign.
    """
    entries: dict[str, list[DecidedFaults]] = {}
    for each in decided:
        if each.codes:
            entries.setdefault(each.query_id, []).append(each)
    withdrawn = {query_id for query_id, each in queries.items() if each.after.is_withdrawn}
    whole = withdrawn | {
        query_id
        for query_id, own in entries.items()
        if query_id in queries and all(each.codes <= each.mended and not each.left for each in own)
    }
    touched = {query_id for query_id, own in entries.items() if any(each.mended for each in own)} - whole
    bare = {
        query_id
        for query_id in whole - withdrawn
        if queries[query_id].before.evidence and not queries[query_id].after.evidence
    }
    return Mended(len(whole), len(touched), len(set(others) - whole - touched), len(bare))


@dataclass(frozen=True, slots=True)
class ExpectedLeft:
    """How many faulty queries are expected to be left; `undefined` is the reason where no number can be given.

    `faulty` are all that the estimate expects before the release, `mended` what the release mends or withdraws.
    Numbers are of queries; `low` and `high` None where the interval does not exist, for the reason in `undefined`.
    """

    expected: float | None
    low: float | None
    high: float | None
    faulty: float | None
    mended: Mended
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
            f"estimate for the whole benchmark, less {self.mended.whole:,} that this release mends or withdraws.{self.mended.sentences()}"
        )

    def as_json(self) -> JsonObject:
        """Return it as a JSON object."""
        return {
            "expected": self.expected, "low": self.low, "high": self.high, "faulty_before": self.faulty,
            "mended": self.mended.whole, "mended_in_part": self.mended.in_part, "changed_undecided": self.mended.undecided,
            "mended_without_evidence": self.mended.emptied, "method": self.method, "undefined": self.undefined,
        }  # fmt: skip


def _without_stop(text: str | None) -> str:
    return (text or "no reason is known").rstrip(".")


def expected_left(audit: Mapping[str, Any] | None, mended: Mended) -> ExpectedLeft:
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
        return None if share is None else max(0.0, population * (1.0 - share) - mended.whole)

    return ExpectedLeft(
        max(0.0, faulty - mended.whole), left(interval["high"]), left(interval["low"]), faulty, mended, interval["method"],
        interval["undefined"],
    )  # fmt: skip

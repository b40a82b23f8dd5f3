"""What came of a cleaning, as files in the folder of its run: its counts as JSON and the removed queries as Parquet."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from audit_core.domain import JsonObject
from audit_core.errors import CleaningError
from audit_core.workflow.cleanings import RunView, cleaning_folder
from audit_core.workflow.workspace import Workspace
from cleaning.apply_request import ApplyRequest, apply_request_from
from cleaning.evidence_combinations import Combination, evidence_table
from cleaning.removal_tables import DOMAIN, SOURCE, Counts, stratum_table, total
from cleaning.removed_list import REMOVED, removed_rows
from cleaning.tables import Table

FORMAT = 1
COUNTS = "cleaning.json"
EVIDENCE = "evidence"
#: The tables of a cleaning by name, and what each shows.
TABLES = {
    SOURCE: "queries before and after, by source and evidence structure",
    DOMAIN: "queries before and after, by domain and evidence structure",
    EVIDENCE: "queries before and after, by the kinds of their evidence",
}


@dataclass(frozen=True, slots=True)
class AppliedMember:
    """A strategy as it was applied; `says` is its threshold in words, `removes` how many queries it removes by itself."""

    name: str
    title: str
    kind: str
    threshold: float
    says: str
    removes: int


@dataclass(frozen=True, slots=True)
class Applied:
    """What a cleaning does to a dataset: counts by stratum and by kinds of evidence.

    `spared` counts the queries that would have gone and stay in new words. `notes` must be read with the figures.
    """

    request: ApplyRequest
    dataset_name: str
    dataset_revision: str
    dataset_hash: str
    rule: str
    members: tuple[AppliedMember, ...]
    spared: int
    notes: tuple[str, ...]
    sources: Mapping[tuple[str, str], Counts]
    domains: Mapping[tuple[str, str], Counts]
    combinations: tuple[Combination, ...]

    @property
    def counts(self) -> Counts:
        """The counts of all queries."""
        return total(self.sources.values())

    @property
    def thresholds(self) -> dict[str, float]:
        """The threshold of each member, in their order."""
        return {each.name: each.threshold for each in self.members}

    def table(self, name: str) -> Table:
        """Return one of the `TABLES`.

        Raises:
            CleaningError: there is none of that name.
        """
        if name == EVIDENCE:
            return evidence_table(self.combinations)
        if name not in TABLES:
            raise CleaningError(f"There is no table {name!r} of a cleaning. Choose one of: {', '.join(TABLES)}.")
        return stratum_table(name, self.sources if name == SOURCE else self.domains)

    def summary(self) -> JsonObject:
        """Return the counts in short, as JSON, for lists."""
        own = self.counts
        return {
            "before": own.before, "removed": own.removed, "after": own.after, "undecided": own.undecided,
            "reworded": own.reworded, "spared": self.spared, "revision": self.request.revision, "rule": self.rule,
            "strategies": self.thresholds,
        }  # fmt: skip

    def sentences(self) -> Iterator[str]:
        """Yield what is done in words, then the notes."""
        own = self.counts
        yield (
            f"{own.removed:,} of {own.before:,} queries go and {own.after:,} stay in {self.dataset_name} revision "
            f"{self.request.revision}; {own.undecided:,} of these are undecided."
        )
        for each in self.members:
            yield f"{each.title} ({each.says}) removes {each.removes:,}."
        if len(self.members) > 1:
            yield f"A query goes where it is removed by {self.rule}."
        yield from self.notes


def write_applied(applied: Applied, folder: Path) -> None:
    """Write the counts of a cleaning into its folder, beside the list of removed queries."""
    document = {
        "format": FORMAT,
        "request": applied.request.as_json(),
        "dataset": [applied.dataset_name, applied.dataset_revision, applied.dataset_hash],
        "rule": applied.rule,
        "members": [asdict(each) for each in applied.members],
        "spared": applied.spared,
        "notes": list(applied.notes),
        "sources": _strata(applied.sources),
        "domains": _strata(applied.domains),
        "evidence": [{"kinds": list(each.kinds), **asdict(each.counts)} for each in applied.combinations],
    }
    text = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False)
    (folder / COUNTS).write_text(text + "\n", encoding="utf-8")


def read_applied(workspace: Workspace, run: RunView) -> Applied:
    """Return what came of a finished cleaning.

    Raises:
        CleaningError: the run is no cleaning or not finished, or its file is missing or broken; names the file.
    """
    if run.row.kind != "apply":
        raise CleaningError(f"{run.row.name} is no cleaning: `python -m audit_core clean applied` lists them.")
    if not run.is_finished:
        raise CleaningError(f"The cleaning {run.row.name} is not finished ({run.state}), so nothing came of it yet.")
    file = cleaning_folder(workspace, run.row.id) / COUNTS
    try:
        raw: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        if raw["format"] != FORMAT:
            raise CleaningError(f"{file} is not of format {FORMAT}. Read it with the version that wrote it.")
        name, revision, content_hash = raw["dataset"]
        return Applied(
            request=apply_request_from(raw["request"]), dataset_name=name, dataset_revision=revision,
            dataset_hash=content_hash, rule=raw["rule"], members=tuple(AppliedMember(**each) for each in raw["members"]),
            spared=raw["spared"], notes=tuple(raw["notes"]), sources=_strata_of(raw["sources"]),
            domains=_strata_of(raw["domains"]), combinations=tuple(map(_combination, raw["evidence"])),
        )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CleaningError(f"{file} cannot be read ({error!r}): put it back from a copy.") from error


def read_removed(workspace: Workspace, run: RunView, applied: Applied, *, start: int = 0) -> Iterator[JsonObject]:
    """Return the queries that a finished cleaning removed, as `removed_rows` yields them, from place `start` on."""
    return removed_rows(cleaning_folder(workspace, run.row.id) / REMOVED, applied.thresholds, start=start)


def _strata(counts: Mapping[tuple[str, str], Counts]) -> list[JsonObject]:
    return [{"group": key[0], "evidence_structure": key[1], **asdict(each)} for key, each in counts.items()]


def _strata_of(rows: Sequence[JsonObject]) -> dict[tuple[str, str], Counts]:
    return {(each.pop("group"), each.pop("evidence_structure")): Counts(**each) for each in rows}


def _combination(row: JsonObject) -> Combination:
    return Combination(tuple(row.pop("kinds")), Counts(**row))

"""What an import did, as a record, as JSON and in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from audit_core.domain import JsonObject
from audit_core.storage.datasets import DatasetRow

_SINGULAR = {"queries": "query", "evidence": "piece of evidence"}
_PLURAL = {"evidence": "pieces of evidence"}


def _counted(count: int, table: str) -> str:
    """Return a number of rows with its noun, such as `1 query` or `1,407 elements`."""
    noun = _SINGULAR.get(table, table.removesuffix("s")) if count == 1 else _PLURAL.get(table, table)
    return f"{count:,} {noun}"


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What an import did. `is_new` is False where the same content had been imported before.

    `is_restored` is True where that was archived, and is in the lists again.
    """

    dataset: DatasetRow
    is_new: bool
    counts: dict[str, int]
    accepted: dict[str, int]
    warnings: list[str]
    findings: int
    campaigns: list[str] = field(default_factory=list)
    campaigns_known: list[str] = field(default_factory=list)
    label_sets: list[str] = field(default_factory=list)
    label_sets_known: list[str] = field(default_factory=list)
    #: The folder that page files are read from; None where the dataset keeps its own.
    media_root: str | None = None
    is_restored: bool = False

    def as_json(self) -> JsonObject:
        """Return the result as one JSON document."""
        return {
            "dataset": self.dataset.name,
            "revision": self.dataset.revision,
            "content_hash": self.dataset.content_hash,
            "is_new": self.is_new,
            "is_restored": self.is_restored,
            "counts": self.counts,
            "accepted": self.accepted,
            "warnings": self.warnings,
            "findings": self.findings,
            "campaigns": self.campaigns,
            "campaigns_known": self.campaigns_known,
            "label_sets": self.label_sets,
            "label_sets_known": self.label_sets_known,
            "media_root": self.media_root,
        }

    def sentences(self) -> Iterator[str]:
        """Yield the result in words, a sentence a line."""
        about = (
            f"Dataset {self.dataset.name} revision {self.dataset.revision} (content {self.dataset.content_hash[:12]})"
        )
        if self.is_new:
            sizes = ", ".join(_counted(count, table) for table, count in self.counts.items() if count)
            yield f"{about} imported: {sizes}."
        elif self.is_restored:
            yield f"{about} was archived here with the same content; it is in the lists again, and its campaigns with it."
        else:
            yield f"{about} is here already with the same content; it was left as it is."
        for what, count in self.accepted.items():
            if count:
                yield f"  accepted: {what}: {count:,}"
        if self.media_root is not None:
            yield f"  page files are read where they lie, below {self.media_root}"
        for warning in self.warnings:
            yield f"  warning: {warning}"
        if self.findings:
            verb = "is" if self.findings == 1 else "are"
            yield f"  {_counted(self.findings, 'findings')} {verb} listed with the dataset."
        for name in self.campaigns:
            yield f"  campaign {name!r} made from its judgments (closed; open it to add to it)"
        for name in self.campaigns_known:
            yield f"  campaign {name!r} is here already with these judgments"
        for name in self.label_sets:
            yield f"  label set {name!r} imported"
        for name in self.label_sets_known:
            yield f"  label set {name!r} is here already with these labels"

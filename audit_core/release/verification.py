"""What a proof found, as a record and in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audit_core.audit_report.wording import counted
from audit_core.domain import JsonObject
from audit_core.release.comparing import Difference

#: How what is compared is called, one and several.
WORDS = {
    "documents": ("document", "documents"), "pages": ("page", "pages"), "elements": ("element", "elements"),
    "queries": ("query", "queries"), "evidence": ("piece of evidence", "pieces of evidence"), "runs": ("run", "runs"),
    "embeddings": ("embedding", "embeddings"), "media": ("page file", "page files"),
}  # fmt: skip
#: What rows of a ledger say beside their change: of people and their judgments, which no bundle holds.
ONLY_SAID = (
    "id",
    "code",
    "reason",
    "author",
    "reviewer",
    "annotators",
    "agreeing",
    "agreement",
    "model",
    "prompt_hash",
)


@dataclass(frozen=True, slots=True)
class Verification:
    """What a proof found. `differences` are the first ones of `total`; none means that the release is proved.

    `ordered_hash` is the content hash of NEW with its rows in the order of OLD, which a certificate says; `certified` are the
    parts of a certificate as they come out of the files.

    `counts`: changes (rows of the ledger), their actions, changed and withdrawn queries, rows of each table compared.
    """

    old_hash: str
    new_hash: str
    ordered_hash: str
    counts: Mapping[str, int]
    actions: Mapping[str, int]
    differences: tuple[Difference, ...]
    total: int
    notes: tuple[str, ...]
    certified: JsonObject

    @property
    def is_proved(self) -> bool:
        """Whether NEW is OLD with the changes of the ledger, and nothing else."""
        return self.total == 0

    def as_json(self) -> JsonObject:
        """Return it as one JSON document."""
        return {
            "proved": self.is_proved, "old_hash": self.old_hash, "new_hash": self.new_hash,
            "new_hash_in_order": self.ordered_hash, "counts": dict(self.counts),
            "actions": dict(self.actions), "differences": [each.as_json() for each in self.differences],
            "differences_total": self.total, "notes": list(self.notes),
            "only_said": list(ONLY_SAID),
        }  # fmt: skip

    def sentences(self) -> list[str]:
        """Return in words what was compared and what came of it."""
        counts = self.counts
        actions = ", ".join(f"{count:,} {name}" for name, count in self.actions.items())
        lines = [
            f"{counted(counts['changes'], 'row', 'rows')} of the ledger ({actions}): {counted(counts['changed'], 'query', 'queries')} "
            f"changed, {counts['withdrawn']:,} withdrawn, {counts['unchanged']:,} unchanged.",
            f"Compared: {', '.join(counted(counts[name], *words) for name, words in WORDS.items())}.",
            *self.notes,
            f"Only said by the ledger, and by no file to be proved from: {', '.join(ONLY_SAID)}.",
        ]  # fmt: skip
        if self.is_proved:
            return [*lines, "Proved: NEW is OLD with the changes of the ledger, and nothing else differs."]
        listed = [f"  {each}" for each in self.differences]
        more = [f"  and {self.total - len(listed):,} more"] if self.total > len(listed) else []
        return [*lines, f"NOT proved: {self.total:,} difference{'s' * (self.total > 1)}.", *listed, *more]

"""What a deletion would take away, in figures and in words: what a person sees before confirming it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from audit_core.domain import JsonObject

#: What is counted, one and several.
COUNT_WORDS = {
    "entries": ("entry", "entries"),
    "judgments": ("judgment", "judgments"),
    "decisions": ("decision", "decisions"),
    "reveals": ("note of who saw others' answers", "notes of who saw others' answers"),
    "drafts": ("draft", "drafts"),
    "flags": ("flag", "flags"),
    "comments": ("comment", "comments"),
    "precedents": ("precedent", "precedents"),
    "guidelines": ("version of its guidelines", "versions of its guidelines"),
    "label_sets": ("label set", "label sets"),
    "labels": ("label", "labels"),
    "comparisons": ("comparison", "comparisons"),
    "cleaning_runs": ("cleaning run", "cleaning runs"),
    "rewrites": ("proposed rewording", "proposed rewordings"),
    "corrections": ("correction, in all its revisions", "corrections, in all their revisions"),
    "releases": ("release with its files", "releases with their files"),
}


@dataclass(frozen=True, slots=True)
class DeletionPreview:
    """What a deletion would take away. `name` is what has to be typed; judgments are counted with all their revisions.

    `hindrances` say why it is refused; empty where it is not. `folder` is the dataset's, with its size in bytes; `page_files`
    the folder of page files that stay. `runs` names the comparisons and cleaning runs that go, `staying` the cleanings whose
    revision lives on and keeps them. `loosened` corrections of the dataset stay, and no longer tell which decision asked for
    them.
    """

    kind: str
    name: str
    campaigns: tuple[str, ...]
    counts: dict[str, int]
    hindrances: tuple[str, ...]
    folder: Path | None = None
    folder_bytes: int = 0
    page_files: Path | None = None
    makes_copy: bool = True
    runs: tuple[str, ...] = ()
    staying: tuple[str, ...] = ()
    loosened: int = 0

    def as_json(self) -> JsonObject:
        """Return the preview as one JSON document."""
        return {
            "kind": self.kind,
            "name": self.name,
            "campaigns": list(self.campaigns),
            "counts": self.counts,
            "runs": list(self.runs),
            "runs_that_stay": list(self.staying),
            "corrections_that_stay": self.loosened,
            "folder": str(self.folder) if self.folder else None,
            "folder_bytes": self.folder_bytes,
            "page_files_that_stay": str(self.page_files) if self.page_files else None,
            "makes_copy": self.makes_copy,
            "hindrances": list(self.hindrances),
        }

    def sentences(self) -> list[str]:
        """Return in words what goes, what stays, and what is done before."""
        lines = []
        if self.kind == "dataset" and self.campaigns:
            many = len(self.campaigns) > 1
            lines.append(
                f"The dataset's campaign{'s' if many else ''} {'go' if many else 'goes'} too: {', '.join(self.campaigns)}."
            )
        parts = [f"{number:,} {COUNT_WORDS[what][number != 1]}" for what, number in self.counts.items() if number]
        lines.append(f"Deleted for good: {', '.join(parts)}." if parts else "Nothing that people did hangs on it.")
        if self.runs:
            lines.append(f"With their results: {', '.join(self.runs)}.")
        lines += [f"The account of the {each}: it stays with that." for each in self.staying]
        if self.loosened:
            rest = "corrections that its decisions asked for stay, and no longer tell"
            if self.loosened == 1:
                rest = "correction that its decisions asked for stays, and no longer tells"
            lines.append(f"{self.loosened:,} {rest} by whose judgments.")
        if self.folder is not None:
            lines.append(f"The folder {self.folder} ({_size(self.folder_bytes)}) is removed.")
        if self.page_files is not None:
            lines.append(f"The page files stay where they are: {self.page_files}.")
        lines.append(
            "The database is copied to its backups folder first."
            if self.makes_copy
            else "No copy is made of a PostgreSQL database: make one with pg_dump first."
        )
        return lines


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count < 1e9 else f"{count / 1e9:,.1f} GB"

"""What a file of decisions came to, in figures and in words."""

from __future__ import annotations

from dataclasses import dataclass

from audit_core.domain import JsonObject
from audit_core.importers.decisions_file import PASSED_OVER


@dataclass(frozen=True, slots=True)
class FileAdjudication:
    """What a file of decisions came to.

    `decided` entries had no decision, `revised` ones another; on `unchanged` ones the same counts already; `left` are the
    numbers of entries that somebody decided or reopened by hand since this was read from a file. `by_codes` counts what the file says by codes
    (under protocols without codes all stand under the empty word). `passed_over` lines say `remove`, which is not stored.
    """

    file: str
    is_dry_run: bool
    lines: int
    decided: int
    revised: int
    unchanged: int
    left: tuple[int, ...]
    corrections: int
    passed_over: int
    by_codes: dict[str, int]

    def as_json(self) -> JsonObject:
        """Return it as one JSON document."""
        return {
            "file": self.file,
            "dry_run": self.is_dry_run,
            "lines": self.lines,
            "decided": self.decided,
            "revised": self.revised,
            "unchanged": self.unchanged,
            "left": list(self.left),
            "corrections": self.corrections,
            "remove_passed_over": self.passed_over,
            "by_codes": self.by_codes,
        }

    def sentences(self) -> list[str]:
        """Return it in words."""
        would = "would be " if self.is_dry_run else ""
        lines = [
            f"{self.file}: {_counted(self.lines, 'line')}, {_counted(self.corrections, 'of them', 'of them')} with a correction.",
            f"{_counted(self.decided, 'entry', 'entries')} {would}decided, {self.revised:,} {would}decided anew, "
            f"{self.unchanged:,} unchanged.",
        ]
        if not self.decided and not self.revised:
            lines.append(
                "Nothing changes." if self.left else "Nothing changes: all that the file says is decided already."
            )
        if self.left:
            numbers = ", ".join(map(str, self.left[:20])) + (" ..." if len(self.left) > 20 else "")
            one = len(self.left) == 1
            lines.append(
                f"{_counted(len(self.left), 'entry was', 'entries were')} decided otherwise by hand since this was read from a "
                f"file, and {'stays' if one else 'stay'} so: {numbers}. With --again {'it is' if one else 'they are'} decided "
                "as the file says."
            )
        if self.passed_over:
            lines.append(
                f"{PASSED_OVER} of {_counted(self.passed_over, 'line')} is not stored: which codes mean removal is chosen where "
                "labels are used (F and N by default)."
            )
        return lines


def _counted(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"

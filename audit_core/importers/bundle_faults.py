"""The log of an import: faults that refuse a bundle (or become findings of a lenient import) and accepted oddities."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from audit_core.errors import BundleError, Problem

if TYPE_CHECKING:
    import polars as pl

#: So many faults of each file are listed; the rest is counted.
LISTED_PER_FILE = 100
#: So many characters of a faulty value are shown.
SHOWN_CHARACTERS = 80
FINDING_COLUMNS = ("kind", "table", "row_key", "field", "value", "message", "line")


def shown(value: object) -> str:
    """Return `value` as it stands in a bundle, cut to 80 characters."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = repr(value)
    text = text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\x00", "\\u0000")
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"


class FaultLog:
    """Collects faults and findings of one import; strict imports keep the first faults of each file and a count."""

    def __init__(self, *, lenient: bool) -> None:
        self.lenient = lenient
        #: Tables of which a row could not be kept, so that an unknown reference to them may be an echo of that fault.
        self.incomplete: set[str] = set()
        #: Rows of judgments, labels and attachments, by name.
        self.counts: Counter[str] = Counter()
        #: What was taken although it was odd: duplicates collapsed, boxes clipped, rows skipped, texts twice.
        self.accepted: Counter[str] = Counter()
        self.warnings: list[str] = []
        self._problems: dict[tuple[str, str], list[Problem]] = {}
        self._totals: Counter[tuple[str, str]] = Counter()
        self._rows: list[tuple[str | int | None, ...]] = []
        self._frames: list[pl.DataFrame] = []

    def fault(
        self, *, kind: str, file: str, expected: str, table: str, line: int | None = None,
        row_key: str | None = None, field: str | None = None, value: str | None = None,
    ) -> None:  # fmt: skip
        """Log one fault. `value` is the text as shown, `kind` a stable word."""
        self._keep(kind, Problem(file, line, field, value, expected))
        if self.lenient:
            self._rows.append((kind, table, row_key, field, value, f"expected {expected}", line))

    def faults(self, frame: pl.DataFrame, *, kind: str, file: str, expected: str, table: str) -> None:
        """Log one fault for each row of `frame` (columns line, row_key, field, value)."""
        if frame.is_empty():
            return
        first = frame.sort("line").head(LISTED_PER_FILE)
        for line, field, value in first.select("line", "field", "value").iter_rows():
            self._keep(kind, Problem(file, line, field, None if value is None else shown(value), expected), count=0)
        self._totals[(file, kind)] += frame.height
        if self.lenient:
            self.findings_of(frame, kind=kind, table=table, message=f"expected {expected}")

    def findings_of(self, frame: pl.DataFrame, *, kind: str, table: str, message: str) -> None:
        """Log an accepted oddity for each row of `frame` (columns row_key, field, value, and line where there is one)."""
        import polars as pl

        if frame.is_empty():
            return
        line = pl.col("line") if "line" in frame.columns else pl.lit(None)
        self._frames.append(
            frame.select(
                kind=pl.lit(kind), table=pl.lit(table), row_key=pl.col("row_key").cast(pl.String),
                field=pl.col("field").cast(pl.String), value=pl.col("value").cast(pl.String),
                message=pl.lit(message), line=line.cast(pl.Int64),
            )
        )  # fmt: skip

    def findings(self) -> pl.DataFrame:
        """Return every finding: kind, table, row key, field, value, message, line (of the file it was read from)."""
        import polars as pl

        schema = dict.fromkeys(FINDING_COLUMNS, pl.String()) | {"line": pl.Int64()}
        rows = pl.DataFrame(self._rows, schema=schema, orient="row")
        return pl.concat([rows, *self._frames]) if self._frames else rows

    @property
    def total(self) -> int:
        """How many faults there are."""
        return sum(self._totals.values())

    def problems(self) -> list[Problem]:
        """Return the first 100 faults of each file, in the order of files met and of lines."""
        by_file: dict[str, list[Problem]] = {}
        for (file, _), found in self._problems.items():
            by_file.setdefault(file, []).extend(found)
        return [
            each
            for found in by_file.values()
            for each in sorted(found, key=lambda problem: problem.line or 0)[:LISTED_PER_FILE]
        ]

    def raise_if_refused(self, folder: str) -> None:
        """Raise BundleError with every fault listed unless there is none or the import is lenient."""
        if self.total and not self.lenient:
            raise self.refusal(folder)

    def refusal(self, folder: str) -> BundleError:
        """Return the error that names the faults found so far."""
        problems = self.problems()
        totals: Counter[str] = Counter()
        for (file, _), count in self._totals.items():
            totals[file] += count
        lines = [
            f"The bundle {folder} was refused and nothing was imported: {self.total:,} fault{'s' * (self.total > 1)}."
        ]
        for file, count in totals.items():
            listed = [each for each in problems if each.file == file]
            lines.extend(f"  {each}" for each in listed)
            if count > len(listed):
                lines.append(f"  {file}: and {count - len(listed):,} more.")
        lines.append("Mend the rows and import again, or import leniently to keep what can be kept.")
        return BundleError("\n".join(lines), problems, self.total)

    def _keep(self, kind: str, problem: Problem, count: int = 1) -> None:
        kept = self._problems.setdefault((problem.file, kind), [])
        self._totals[(problem.file, kind)] += count
        if len(kept) < LISTED_PER_FILE or count == 0:
            kept.append(problem)


def row_key_of(row: dict[str, Any], names: tuple[str, ...]) -> str | None:
    """Return the id of a row that is not decoded yet, for a finding; None where it has none that is text."""
    parts = [row.get(name) for name in names]
    texts = [each for each in parts if isinstance(each, str)]
    return texts[-1].replace("\x00", "\ufffd").encode("utf-8", "replace").decode() if texts else None

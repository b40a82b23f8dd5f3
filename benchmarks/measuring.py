"""Peak memory of a process, latencies, and the result as a table and as JSON."""

from __future__ import annotations

import json
import math
import resource
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def peak_bytes() -> int:
    """Return the largest resident memory that this process has had, in bytes (with the file pages mapped into it).

    Linux hands the peak of the starting process on to a child through `getrusage`, so its own account is read there.
    """
    try:
        for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def quantile(values: Sequence[float], part: float) -> float:
    """Return the smallest value that at least `part` of the values do not pass; NaN where there is none."""
    ordered = sorted(values)
    return ordered[max(math.ceil(part * len(ordered)) - 1, 0)] if ordered else math.nan


def print_table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print rows in columns: the first to the left, the others to the right."""
    cells = [list(map(str, header)), *(list(map(str, row)) for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    for row in cells:
        print(
            "  ".join(
                cell.ljust(width) if not n else cell.rjust(width)
                for n, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
        )


def write_json(path: Path, result: dict[str, Any]) -> None:
    """Write a result as one JSON document."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read_json(path: Path) -> Any:
    """Return the JSON document in a file."""
    return json.loads(path.read_text(encoding="utf-8"))

"""One import into the home of the settings, timed step by step; started by `import_full_size`, or alone to look closer."""

from __future__ import annotations

import argparse
import cProfile
import io
import json
import pstats
import time
from pathlib import Path
from typing import Any

from benchmarks.measuring import peak_bytes, write_json

#: Functions of a profile that are printed.
_SHOWN = 45


def import_timed(bundle: Path, *, lenient: bool = False, profile: Path | None = None) -> dict[str, Any]:
    """Import a bundle into the workspace in force; return seconds in all and of each step, counts and peak memory."""
    from audit_core.workflow.importing import import_bundle
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace()
    steps = _Steps()
    profiler = cProfile.Profile() if profile is not None else None
    before = time.process_time()
    began = time.time()
    if profiler is not None:
        profiler.enable()
    result = import_bundle(workspace, bundle, lenient=lenient, progress=steps)
    if profiler is not None and profile is not None:
        profiler.disable()
        profile.write_text(_profile_text(profiler), encoding="utf-8")
    ended = time.time()
    return {
        "began": began,
        "ended": ended,
        "seconds": ended - began,
        "cpu_seconds": time.process_time() - before,
        "peak_bytes": peak_bytes(),
        "steps": steps.seconds(),
        "peaks": steps.peaks,
        "counts": result.counts,
        "findings": result.findings,
        "dataset": f"{result.dataset.name}@{result.dataset.revision}",
        "is_new": result.is_new,
    }


class _Steps:
    """Progress as an import tells it, turned into the seconds of each step and the peak memory at its end."""

    def __init__(self) -> None:
        self._began: dict[str, float] = {}
        self.peaks: dict[str, int] = {}
        self._last = ""

    def __call__(self, step: str, share: float) -> None:
        if step != self._last:
            self._began.setdefault(step, time.perf_counter())
            if self._last:
                self.peaks[self._last] = peak_bytes()
            self._last = step

    def seconds(self) -> dict[str, float]:
        """Return the seconds from the first word of each step to the first word of the next."""
        ends = [*list(self._began.values())[1:], time.perf_counter()]
        return {step: end - began for (step, began), end in zip(self._began.items(), ends, strict=True)}


def _profile_text(profiler: cProfile.Profile) -> str:
    out = io.StringIO()
    for order in ("tottime", "cumtime"):
        pstats.Stats(profiler, stream=out).sort_stats(order).print_stats(_SHOWN)
    return out.getvalue()


def main() -> None:
    """Import the bundle of the arguments and write the result."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.import_once",
        description="Import a bundle into ASSAY_HOME and tell where the time went.",
    )
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--lenient", action="store_true")
    parser.add_argument("--profile", type=Path, help="run under cProfile (about twice as slow) and write the top here")
    parser.add_argument("--json", type=Path, help="write the result here instead of printing it")
    arguments = parser.parse_args()
    result = import_timed(arguments.bundle, lenient=arguments.lenient, profile=arguments.profile)
    if arguments.json:
        write_json(arguments.json, result)
    else:
        print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()

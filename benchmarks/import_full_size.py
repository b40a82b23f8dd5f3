"""Imports the generated bundle while judgments are saved beside it, and sets it against `sqlite3.executemany`."""

from __future__ import annotations

import argparse
import shutil
import time
from pathlib import Path
from typing import Any

from benchmarks.full_size.writing import FORMS
from benchmarks.measuring import print_table, read_json, write_json
from benchmarks.processes import latencies_of, run_module, saves_beside

GOALS = {"ratio": 3.0, "peak_gigabytes": 1.5, "slowest_save_seconds": 1.0}


def measure(folder: Path, form: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of one form: the import, the plain insert of the same rows, and the saves beside it."""
    bundle, work = folder / form, folder / f"work-{form}"
    if not (bundle / "dataset.json").is_file():
        extra = ["--own-images"] if arguments.own_images else []
        options = ["--scale", arguments.scale, "--seed", arguments.seed, "--runs", arguments.runs]
        run_module("full_size", bundle, "--form", form, *options, *extra)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    run_module("plain_insert", bundle, work / "plain.sqlite", "--json", work / "plain.json")
    (work / "plain.sqlite").unlink()
    home = work / "home"
    with saves_beside(home, work, pause_ms=arguments.pause_ms) as saves:
        time.sleep(arguments.quiet)
        profile = ["--profile", arguments.profile / f"{form}.txt"] if arguments.profile else []
        run_module("import_once", bundle, "--json", work / "import.json", *profile, home=home)
    plain, imported = read_json(work / "plain.json"), read_json(work / "import.json")
    latencies = latencies_of(saves, imported["began"], imported["ended"])
    return {"form": form, "plain": plain, "import": imported, "saves": latencies}


def show(results: list[dict[str, Any]]) -> None:
    """Print the figures of all forms."""
    rows = []
    for each in results:
        plain, imported, saves = each["plain"], each["import"], each["saves"]
        reading, inserting = plain["reading_seconds"], plain["inserting_seconds"]
        both = reading + inserting
        rows.append(
            (
                each["form"], f"{imported['seconds']:.1f}", f"{inserting:.1f}", f"{both:.1f}",
                f"{imported['seconds'] / inserting:.2f}", f"{imported['seconds'] / both:.2f}",
                f"{imported['cpu_seconds'] / plain['inserting_cpu_seconds']:.2f}", f"{imported['peak_bytes'] / 1e9:.2f}",
                *(f"{1000 * saves[when][what]:.0f}" for when in ("before", "during") for what in ("p99", "max")),
            )
        )  # fmt: skip
    header = (
        "form", "import s", "insert s", "read + insert s", "ratio", "ratio to both", "ratio of cpu", "peak GB",
        "saves before: p99 ms", "max ms", "during: p99 ms", "max ms",
    )  # fmt: skip
    print_table(header, rows)
    for each in results:
        print(f"\nWhere the import of {each['form']} went:")
        steps, peaks = each["import"]["steps"], each["import"]["peaks"]
        lines = [(name, f"{seconds:.1f}", f"{peaks.get(name, 0) / 1e9:.2f}") for name, seconds in steps.items()]
        print_table(("step", "s", "peak GB by its end"), lines)


def main() -> None:
    """Measure the forms of the arguments, print a table, write JSON."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.import_full_size",
        description="Import the generated bundle in a process of its own while another one saves judgments into the "
        "same home, and set it against executemany of the same rows. Goals: ratio at most 3, peak below 1.5 GB, no save "
        "over 1 s; they are told, never asserted.",
    )
    parser.add_argument("folder", type=Path, help="bundles lie in FOLDER/<form> and are made where they are missing")
    parser.add_argument("--scale", type=float, default=1.0, help="of bundles that are made (default 1)")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--runs", type=int, default=0, help="frozen runs in bundles that are made (default 0)")
    parser.add_argument(
        "--own-images", action="store_true", help="an image path for every page of bundles that are made"
    )
    parser.add_argument("--forms", nargs="+", choices=FORMS, default=list(FORMS))
    parser.add_argument("--pause-ms", type=float, default=20.0, help="rest between two saves (default 20)")
    parser.add_argument(
        "--quiet", type=float, default=3.0, help="seconds of saves before the import begins (default 3)"
    )
    parser.add_argument("--profile", type=Path, help="import under cProfile and write its top to a file in this folder")
    parser.add_argument("--json", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    if arguments.profile:
        arguments.profile.mkdir(parents=True, exist_ok=True)
    results = [measure(arguments.folder, form, arguments) for form in arguments.forms]
    show(results)
    if arguments.json:
        write_json(arguments.json, {"goals": GOALS, "results": results})


if __name__ == "__main__":
    main()

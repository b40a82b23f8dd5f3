"""`python -m benchmarks.full_size OUT`: write the bundle."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from benchmarks.full_size.generate import Options, generate
from benchmarks.full_size.writing import FORMS
from benchmarks.measuring import peak_bytes


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.full_size",
        description="Write a bundle of the published size (29,641 documents, 388,548 pages, 271,760 queries, 1,200,000 "
        "pieces of evidence) with planted faults, all of them listed in truth.jsonl.",
    )
    default = Options()
    parser.add_argument("out", type=Path, help="a new or empty folder")
    parser.add_argument("--scale", type=float, default=default.scale, help="part of the published size (default 1)")
    parser.add_argument("--seed", type=int, default=default.seed)
    parser.add_argument("--form", choices=FORMS, default=default.form, help="form of the tables")
    parser.add_argument("--runs", type=int, default=0, help="so many frozen runs of depth 100 (195 MB each at scale 1)")
    parser.add_argument("--elements", type=float, default=1.0, help="share of the evidence that points to an element")
    parser.add_argument("--images", type=int, default=default.images, help="distinct page images that pages share")
    parser.add_argument("--large-pages", type=int, default=0, help="pages with an image of 2,000 x 4,000 pixels")
    parser.add_argument("--own-images", action="store_true", help="a path of its own for every page (hard links)")
    parser.add_argument("--with-refusals", action="store_true", help="plant faults that a strict import refuses, too")
    parser.add_argument("--name", default=default.name, help="name of the dataset")
    return parser.parse_args()


def main() -> None:
    """Read the arguments, write the bundle, say what is in it."""
    arguments = vars(_arguments())
    out = arguments.pop("out")
    started = time.perf_counter()
    try:
        counts = generate(
            out, Options(**arguments), lambda line: print(f"{time.perf_counter() - started:6.1f} s  {line}")
        )
    except FileExistsError as error:
        sys.exit(str(error))
    for name, count in counts.items():
        print(f"{count:>11,}  {name}")
    print(f"{time.perf_counter() - started:.1f} s, peak {peak_bytes() / 1e9:.2f} GB")


if __name__ == "__main__":
    main()

"""A bundle of the size of the published benchmark, with planted faults that are all written down in `truth.jsonl`.

`generate` is the way in; `python -m benchmarks.full_size OUT` calls it.
"""

from __future__ import annotations

from benchmarks.full_size.generate import Options as Options
from benchmarks.full_size.generate import generate as generate

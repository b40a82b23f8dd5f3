"""Several things done at the same moment, in threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence


def together(works: Sequence[Callable[[], object]]) -> None:
    """Run all at once; the first error of any is raised."""
    failures: list[BaseException] = []
    gate = threading.Barrier(len(works))

    def run(work: Callable[[], object]) -> None:
        gate.wait(timeout=60)
        try:
            work()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    if failures:
        raise failures[0]

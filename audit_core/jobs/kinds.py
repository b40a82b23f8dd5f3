"""Kinds of jobs: a name, and the function that does the work.

A module registers its kinds when it is imported; `join` names such a module, which is imported when a kind is looked up
for the first time. So a command that runs no job loads none of them, and the core need not know who joins.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TypeAlias

from audit_core.domain import JsonObject
from audit_core.errors import JobError
from audit_core.jobs.context import JobContext

#: What does the work of a job: it returns the result, which JSON can hold, or None.
Work: TypeAlias = Callable[[JobContext], JsonObject | None]

_works: dict[str, Work] = {}
_joined: dict[str, None] = {}


def job_kind(name: str) -> Callable[[Work], Work]:
    """Return a decorator that registers a function as the work of jobs of that kind.

    Raises:
        ValueError: another function does that kind already (a programming error, so not an AssayError).
    """

    def register(work: Work) -> Work:
        if name in _works and _works[name] is not work:
            raise ValueError(f"{work.__module__} and {_works[name].__module__} both register the job kind {name!r}")
        _works[name] = work
        return work

    return register


def join(module: str) -> None:
    """Have a module that registers kinds imported when a kind is looked up."""
    _joined[module] = None


def work_of(name: str) -> Work:
    """Return the function that does jobs of that kind.

    Raises:
        JobError: no module that joined knows the kind; the message lists the known ones.
    """
    for module in _joined:
        importlib.import_module(module)
    if name not in _works:
        raise JobError(
            f"This version of Assay knows no job of the kind {name!r}. It knows: {', '.join(sorted(_works)) or 'none'}."
        )
    return _works[name]

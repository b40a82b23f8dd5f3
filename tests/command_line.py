"""The command line, run in this process with its two streams apart."""

from __future__ import annotations

from collections.abc import Callable

from click.testing import CliRunner, Result

from audit_core.__main__ import main
from audit_core.workflow.workspace import _opened as opened

Run = Callable[..., Result]


def run_command(*words: object) -> Result:
    """Run a command; an error that is not turned into words is raised."""
    return CliRunner().invoke(main, [str(each) for each in words], catch_exceptions=False)


def close_homes() -> None:
    """Close the homes that commands have opened, so that the next one opens its own."""
    for each in opened.values():
        each.close()
    opened.clear()

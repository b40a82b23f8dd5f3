"""`python -m audit_core`: the command line, with the job kinds of the packages that are installed beside the core."""

from __future__ import annotations

from importlib.util import find_spec

from audit_core.cli.main import run as run_commands
from audit_core.jobs.kinds import join


def run() -> None:
    """Run the command line and exit."""
    # The core knows no package above it; this is the one place that joins them.
    if find_spec("cleaning") is not None and find_spec("cleaning.jobs") is not None:
        join("cleaning.jobs")
    run_commands()


if __name__ == "__main__":
    run()

"""`python -m audit_core`: the command line, with what the packages beside the core add to it."""

from __future__ import annotations

from audit_core.cli.main import main
from audit_core.cli.main import run as run_commands
from audit_core.jobs.kinds import join
from cleaning.cli import clean_group

# The core knows no package above it; this is the one place that joins them.
join("cleaning.jobs")
join("cleaning.apply_job")
main.add_command(clean_group)


def run() -> None:
    """Run the command line and exit."""
    run_commands()


if __name__ == "__main__":
    run()

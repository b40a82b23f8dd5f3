"""The group of the `clean` commands."""

from __future__ import annotations

import click

from audit_core.cli.output import example


@click.group("clean", epilog=example("clean strategies", "clean compare my-set --labels labels:removal --name first"))
def clean_group() -> None:
    """Compare ways to find the queries that should be removed."""

"""settings: the table of settings with the values in force."""

from __future__ import annotations

import os

import click

from audit_core import config
from audit_core.cli.output import example, json_option, print_json, refusals_exit_with_1


@click.command("settings", epilog=example("settings", "settings --json"))
@json_option
@refusals_exit_with_1
def settings_command(as_json: bool) -> None:
    """List all settings (environment variables) with the values in force."""
    rows = [(each, os.environ.get(each.name)) for each in config.SETTINGS]
    if as_json:
        print_json(
            [
                {"name": each.name, "default": each.default, "value": _shown(each.name, given), "help": each.help}
                for each, given in rows
            ]
        )
        return
    for each, given in rows:
        click.echo(f"{each.name}\n    {each.help}\n    default: {each.default}")
        if given:
            click.echo(f"    now: {_shown(each.name, given)}")


def _shown(name: str, given: str | None) -> str | None:
    """Return a value without a password in it."""
    if given and name == "ASSAY_DATABASE_URL":
        from audit_core.storage.database import without_password

        return without_password(given)
    return given or None

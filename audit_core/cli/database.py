"""db check, db upgrade, db backup."""

from __future__ import annotations

import click

from audit_core.cli.output import example, json_option, print_json, refusals_exit_with_1


@click.group("db", epilog=example("db check"))
def database_group() -> None:
    """Check, upgrade or copy the main database."""


@database_group.command("check", epilog=example("db check", "db check --json"))
@json_option
@refusals_exit_with_1
def check(as_json: bool) -> None:
    """Check the database, its schema and the dataset folders; exits with 1 when something is wrong."""
    from audit_core.workflow.maintenance import check_home

    findings = check_home()
    if as_json:
        print_json([{"what": each.what, "ok": each.ok, "message": each.message} for each in findings])
    else:
        for each in findings:
            click.echo(f"{'ok   ' if each.ok else 'WRONG'}  {each.what}: {each.message}")
    if not all(each.ok for each in findings):
        raise SystemExit(1)


@database_group.command("upgrade", epilog=example("db upgrade", "db upgrade --copied"))
@click.option("--copied", is_flag=True, help="PostgreSQL only: the database was copied with pg_dump.")
@json_option
@refusals_exit_with_1
def upgrade(copied: bool, as_json: bool) -> None:
    """Bring the database to the newest schema; a SQLite file is copied first."""
    from audit_core.workflow.maintenance import upgrade_database

    revision, copy = upgrade_database(copied_by_hand=copied)
    if as_json:
        print_json({"schema": revision, "copy": str(copy) if copy else None})
    else:
        click.echo(f"The schema is {revision}." + (f" The copy made before is {copy}." if copy else ""))


@database_group.command("backup", epilog=example("db backup"))
@json_option
@refusals_exit_with_1
def backup(as_json: bool) -> None:
    """Copy the SQLite database into its backups folder, while it is in use."""
    from audit_core.workflow.maintenance import backup_database

    copy = backup_database()
    if as_json:
        print_json({"copy": str(copy)})
    else:
        click.echo(f"Copied to {copy}.")

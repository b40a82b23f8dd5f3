"""account: who may sign in, as what, with which password; and the log of who did what."""

from __future__ import annotations

import click

from audit_core.cli.output import example, json_option, print_json, print_table, refusals_exit_with_1, say
from audit_core.domain import Role

role_choice = click.Choice([each.value for each in Role])


@click.group("account", epilog=example("account list", "account add Ada", "account reset lead"))
def account_group() -> None:
    """Add accounts, change their roles and passwords, disable them, and read who did what."""


def _tell(name: str, words: str, *, as_json: bool, password: str | None = None, role: str | None = None) -> None:
    """Print what was done; a one-time password is printed this once."""
    if as_json:
        more = {"role": role} if role else {}
        print_json({"name": name, **more, **({"one_time_password": password} if password else {})})
        return
    click.echo(words)
    if password:
        click.echo(f"One-time password: {password}")
        say("It works once and is shown only here; they then choose their own.")


@account_group.command("add", epilog=example("account add Ada", "account add Grace --role lead"))
@click.argument("name")
@click.option("--role", type=role_choice, default=Role.ANNOTATOR.value, show_default=True, help="What they may do.")
@click.option("--subject", help="Who they are to the OpenID Connect provider (its claim sub).")
@json_option
@refusals_exit_with_1
def add_command(name: str, role: str, subject: str | None, as_json: bool) -> None:
    """Give somebody an account, and print the one-time password that they sign in with first."""
    from audit_core.workflow.accounts import add_account
    from audit_core.workflow.workspace import open_workspace

    person, password = add_account(open_workspace(), name, Role(role), subject=subject)
    _tell(person.name, f"{person.name} has an account as {role}.", as_json=as_json, password=password, role=role)


@account_group.command("list", epilog=example("account list", "account list --json"))
@json_option
@refusals_exit_with_1
def list_command(as_json: bool) -> None:
    """List all accounts with their role, their state and how many sign-ins of each hold."""
    from audit_core.workflow.accounts import list_accounts
    from audit_core.workflow.workspace import open_workspace

    found = list_accounts(open_workspace(reads_only=True))
    if as_json:
        print_json([each.as_json() for each in found])
        return
    rows = [(e.person.name, e.person.role.value, e.state, e.created_at[:10], e.sign_ins) for e in found]
    if rows:
        print_table(("name", "role", "state", "since", "sign-ins"), rows)
    else:
        say("There is no account yet.")


@account_group.command("role", epilog=example("account role Ada adjudicator"))
@click.argument("name")
@click.argument("role", type=role_choice)
@json_option
@refusals_exit_with_1
def role_command(name: str, role: str, as_json: bool) -> None:
    """Give an account another role; it holds from its next request on."""
    from audit_core.workflow.accounts import set_role
    from audit_core.workflow.workspace import open_workspace

    person = set_role(open_workspace(), name, Role(role))
    _tell(person.name, f"{person.name} is {role} now.", as_json=as_json, role=role)


def _disable(name: str, *, disabled: bool, as_json: bool) -> None:
    from audit_core.workflow.accounts import disable_account
    from audit_core.workflow.workspace import open_workspace

    person = disable_account(open_workspace(), name, disabled=disabled)
    words = "is disabled and signed out everywhere" if disabled else "can sign in again"
    _tell(person.name, f"{person.name} {words}.", as_json=as_json)


@account_group.command("disable", epilog=example("account disable Ada"))
@click.argument("name")
@json_option
@refusals_exit_with_1
def disable_command(name: str, as_json: bool) -> None:
    """Disable an account and end its sign-ins; its judgments stay."""
    _disable(name, disabled=True, as_json=as_json)


@account_group.command("enable", epilog=example("account enable Ada"))
@click.argument("name")
@json_option
@refusals_exit_with_1
def enable_command(name: str, as_json: bool) -> None:
    """Let a disabled account sign in again."""
    _disable(name, disabled=False, as_json=as_json)


@account_group.command("reset", epilog=example("account reset lead"))
@click.argument("name")
@json_option
@refusals_exit_with_1
def reset_command(name: str, as_json: bool) -> None:
    """Put a one-time password in place of an account's own, print it, and end the account's sign-ins."""
    from audit_core.workflow.accounts import reset_password
    from audit_core.workflow.workspace import open_workspace

    person, password = reset_password(open_workspace(), name)
    words = f"{person.name} is signed out everywhere and signs in with a one-time password."
    _tell(person.name, words, as_json=as_json, password=password)


@account_group.command("password", epilog=example("account password lead"))
@click.argument("name")
@json_option
@refusals_exit_with_1
def password_command(name: str, as_json: bool) -> None:
    """Set the password of an account, typed twice at the terminal and not shown; ends the account's sign-ins."""
    from audit_core.workflow.accounts import set_password
    from audit_core.workflow.workspace import open_workspace

    password = click.prompt("New password", hide_input=True, confirmation_prompt="The same once more", err=True)
    person = set_password(open_workspace(), name, password)
    _tell(person.name, f"{person.name} has a new password.", as_json=as_json)


@account_group.command("log", epilog=example("account log", "account log --name Ada --action sign-in --json"))
@click.option(
    "--count", type=click.IntRange(1, 10_000), default=50, show_default=True, help="How many lines, the newest first."
)
@click.option("--before", type=int, help="Only lines before the one of this number.")
@click.option("--name", help="Only what this person did.")
@click.option("--action", help="Only this action, such as sign-in-failed.")
@json_option
@refusals_exit_with_1
def log_command(count: int, before: int | None, name: str | None, action: str | None, as_json: bool) -> None:
    """Print who did what: sign-ins, failed ones, accounts, imports, campaigns, deletions."""
    from audit_core.workflow.activity_log import list_activity
    from audit_core.workflow.workspace import open_workspace

    lines = list_activity(open_workspace(reads_only=True), count=count, before=before, name=name, action=action)
    if as_json:
        print_json([each.as_json() for each in lines])
        return
    rows = [(str(e.id), e.at[:19].replace("T", " "), e.name or "-", e.action, e.about) for e in lines]
    if rows:
        print_table(("line", "when (UTC)", "who", "what", "about"), rows)
    else:
        say("Nothing in the log.")

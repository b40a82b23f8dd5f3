"""campaign and dataset: rename, archive, restore, delete."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from audit_core.cli.campaigns import dataset_option
from audit_core.cli.output import example, json_option, print_json, refusals_exit_with_1, say
from audit_core.errors import AssayError

if TYPE_CHECKING:
    from audit_core.workflow.deleting import Deleted
    from audit_core.workflow.deletion_preview import DeletionPreview

yes_option = click.option("--yes", is_flag=True, help="Delete without asking for the name.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Show what would go, and change nothing.")


@click.group("dataset", epilog=example("dataset archive pdf_audit@1"))
def dataset_group() -> None:
    """Rename, archive, restore or delete a dataset revision."""


@click.command(
    "rename",
    epilog=example("campaign rename audit-2026 audit-spring", "campaign rename pilot first --dataset pdf_audit@1"),
)
@click.argument("name")
@click.argument("new_name")
@dataset_option
@json_option
@refusals_exit_with_1
def rename_campaign_command(name: str, new_name: str, dataset: str | None, as_json: bool) -> None:
    """Give a campaign another name."""
    from audit_core.workflow.campaigns import find_campaign
    from audit_core.workflow.housekeeping import rename_campaign
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace()
    row = rename_campaign(workspace, find_campaign(workspace, name, dataset=dataset), new_name)
    if as_json:
        print_json({"id": row.id, "name": row.name})
    else:
        click.echo(f"Campaign {name} is now called {row.name}.")


@dataset_group.command(
    "rename", epilog=example("dataset rename pdf_audit reports", "dataset rename pdf_audit@1 pdf_audit")
)
@click.argument("dataset")
@click.argument("title")
@json_option
@refusals_exit_with_1
def rename_dataset_command(dataset: str, title: str, as_json: bool) -> None:
    """Show a dataset under another title; its own name gives that back, and stays in exports and reports."""
    from audit_core.workflow.campaigns import find_dataset
    from audit_core.workflow.housekeeping import rename_dataset
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace()
    row = rename_dataset(workspace, find_dataset(workspace, dataset), title)
    if as_json:
        print_json({"name": row.name, "revision": row.revision, "title": row.title})
    else:
        click.echo(f"Dataset {row.name}@{row.revision} is shown as {row.shown}.")


def _archive_campaign(name: str, dataset: str | None, *, archived: bool, as_json: bool) -> None:
    from audit_core.workflow.campaigns import find_campaign
    from audit_core.workflow.housekeeping import archive_campaign
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace()
    campaign = find_campaign(workspace, name, dataset=dataset)
    archive_campaign(workspace, campaign, archived=archived)
    if as_json:
        print_json({"id": campaign.id, "name": campaign.name, "archived": archived})
    else:
        click.echo(f"Campaign {campaign.name} is {'archived' if archived else 'in the lists again'}.")


@click.command("archive", epilog=example("campaign archive pilot"))
@click.argument("name")
@dataset_option
@json_option
@refusals_exit_with_1
def archive_campaign_command(name: str, dataset: str | None, as_json: bool) -> None:
    """Hide a campaign from lists; nothing of it is lost."""
    _archive_campaign(name, dataset, archived=True, as_json=as_json)


@click.command("restore", epilog=example("campaign restore pilot"))
@click.argument("name")
@dataset_option
@json_option
@refusals_exit_with_1
def restore_campaign_command(name: str, dataset: str | None, as_json: bool) -> None:
    """Show an archived campaign in lists again."""
    _archive_campaign(name, dataset, archived=False, as_json=as_json)


def _archive_dataset(name: str, *, archived: bool, as_json: bool) -> None:
    from audit_core.workflow.campaigns import find_dataset
    from audit_core.workflow.housekeeping import archive_dataset
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace()
    dataset = find_dataset(workspace, name, is_archived=not archived)
    archive_dataset(workspace, dataset, archived=archived)
    if as_json:
        print_json({"name": dataset.name, "revision": dataset.revision, "archived": archived})
    else:
        state = "archived, and its campaigns with it" if archived else "in the lists again"
        click.echo(f"Dataset {dataset.name}@{dataset.revision} is {state}.")


@dataset_group.command("archive", epilog=example("dataset archive pdf_audit@1"))
@click.argument("dataset")
@json_option
@refusals_exit_with_1
def archive_dataset_command(dataset: str, as_json: bool) -> None:
    """Hide a dataset and its campaigns from lists; nothing of it is lost."""
    _archive_dataset(dataset, archived=True, as_json=as_json)


@dataset_group.command("restore", epilog=example("dataset restore pdf_audit@1"))
@click.argument("dataset")
@json_option
@refusals_exit_with_1
def restore_dataset_command(dataset: str, as_json: bool) -> None:
    """Show an archived dataset and its campaigns in lists again."""
    _archive_dataset(dataset, archived=False, as_json=as_json)


@click.command(
    "delete", epilog=example("campaign delete pilot --dry-run", "campaign delete pilot --dataset pdf_audit@1 --yes")
)
@click.argument("name")
@dataset_option
@yes_option
@dry_run_option
@json_option
@refusals_exit_with_1
def delete_campaign_command(name: str, dataset: str | None, yes: bool, dry_run: bool, as_json: bool) -> None:
    """Delete a campaign with its judgments for good, after showing what goes; the database is copied first."""
    from audit_core.workflow.campaigns import find_campaign
    from audit_core.workflow.deleting import delete_campaign, preview_campaign_deletion
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace(reads_only=dry_run)
    campaign = find_campaign(workspace, name, dataset=dataset)
    preview = preview_campaign_deletion(workspace, campaign)
    _delete(
        preview,
        lambda confirmation: delete_campaign(workspace, campaign, preview=preview, confirmation=confirmation),
        yes=yes, dry_run=dry_run, as_json=as_json,
    )  # fmt: skip


@dataset_group.command(
    "delete",
    epilog=example("dataset delete pdf_audit@1 --dry-run", "dataset delete pdf_audit@1 --with-campaigns --yes"),
)
@click.argument("dataset")
@click.option("--with-campaigns", is_flag=True, help="Delete its campaigns and their judgments too.")
@yes_option
@dry_run_option
@json_option
@refusals_exit_with_1
def delete_dataset_command(dataset: str, with_campaigns: bool, yes: bool, dry_run: bool, as_json: bool) -> None:
    """Delete a dataset revision and its folder for good, after showing what goes; the database is copied first."""
    from audit_core.workflow.campaigns import find_dataset
    from audit_core.workflow.deleting import delete_dataset, preview_dataset_deletion
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace(reads_only=dry_run)
    row = find_dataset(workspace, dataset)
    preview = preview_dataset_deletion(workspace, row)
    if preview.campaigns and not with_campaigns and not dry_run:
        raise AssayError(
            f"Dataset {preview.name} has campaigns ({', '.join(preview.campaigns)}). Add --with-campaigns to delete them and "
            "their judgments too, or archive the dataset."
        )
    _delete(
        preview,
        lambda confirmation: delete_dataset(workspace, row, preview=preview, confirmation=confirmation),
        yes=yes, dry_run=dry_run, as_json=as_json,
    )  # fmt: skip


def _delete(
    preview: DeletionPreview, delete: Callable[[str], Deleted], *, yes: bool, dry_run: bool, as_json: bool
) -> None:
    """Show what goes and, unless this is a dry run, delete it once it is confirmed."""
    if dry_run:
        if as_json:
            print_json(preview.as_json())
        else:
            for line in (*preview.sentences(), *preview.hindrances):
                click.echo(line)
        return
    confirmation = preview.name
    if not yes:
        if as_json:
            raise AssayError("With --json nothing is asked: add --yes to delete, or --dry-run to see what would go.")
        for line in preview.sentences():
            say(line)
        confirmation = click.prompt(f"Type {preview.name} to delete it", err=True)
    done = delete(confirmation)
    if as_json:
        print_json(
            {**preview.as_json(), "copy": str(done.copy) if done.copy else None, "folder_problem": done.folder_problem}
        )
        return
    copy = f" The copy made before is {done.copy}." if done.copy else ""
    click.echo(f"{preview.kind.capitalize()} {preview.name} is deleted.{copy}")
    if done.folder_problem:
        say(f"Note: {done.folder_problem}")


CAMPAIGN_COMMANDS = (
    rename_campaign_command,
    archive_campaign_command,
    restore_campaign_command,
    delete_campaign_command,
)

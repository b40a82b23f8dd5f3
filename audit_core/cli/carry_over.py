"""campaign carry-over."""

from __future__ import annotations

import click

from audit_core.cli.campaigns import dataset_option
from audit_core.cli.output import example, json_option, print_json, print_table, refusals_exit_with_1

#: Changed entries that are listed in words; --json lists all.
LISTED = 50


@click.command(
    "carry-over",
    epilog=example(
        "campaign carry-over audit-2026 --to pdf_audit@2 --dry-run",
        "campaign carry-over audit-2026 --dataset pdf_audit@1 --to pdf_audit@2 --name audit-2026-again",
    ),
)
@click.argument("name")
@click.option(
    "--to", "target", required=True, metavar="NAME@REVISION", help="The dataset revision to carry it over to."
)
@click.option("--name", "new_name", metavar="NAME", help="Name of the new campaign, where it shall have another.")
@dataset_option
@click.option("--dry-run", is_flag=True, help="Show what changed and what would come over, and change nothing.")
@json_option
@refusals_exit_with_1
def carry_over_command(
    name: str, target: str, new_name: str | None, dataset: str | None, dry_run: bool, as_json: bool
) -> None:
    """Make a campaign on another dataset revision, with the judgments on the queries that are the same there."""
    from audit_core.workflow.campaigns import find_campaign, find_dataset
    from audit_core.workflow.carry_over import carry_over, preview_carry_over
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace(reads_only=dry_run)
    campaign = find_campaign(workspace, name, dataset=dataset)
    place = find_dataset(workspace, target)
    preview = preview_carry_over(workspace, campaign, place)
    made = None if dry_run else carry_over(workspace, campaign, place, name=new_name)
    if as_json:
        print_json(preview.as_json() | ({"id": made.id, "name": made.name} if made else {}))
        return
    changed = preview.changed()
    if changed:
        rows = [
            (each.entry.number, each.entry.query_id, each.change.value, each.what, each.judgments) for each in changed
        ]
        print_table(("entry", "query", "change", "what", "judgments"), rows[:LISTED])
        click.echo(f"... and {len(rows) - LISTED:,} more\n" if len(rows) > LISTED else "")
    for sentence in preview.sentences():
        click.echo(sentence)
    if made:
        click.echo(
            f"Campaign {made.name} is open on {place.name}@{place.revision}: /judge?campaign={made.id} in the web app."
        )

"""campaigns, campaign open, campaign close."""

from __future__ import annotations

import click

from audit_core.cli.output import example, json_option, print_json, print_table, refusals_exit_with_1, say
from audit_core.domain import CampaignState

dataset_option = click.option(
    "--dataset", metavar="NAME[@REVISION]", help="The campaign's dataset, where several have one of that name."
)


@click.command("campaigns", epilog=example("campaigns", "campaigns --all --json"))
@click.option("--all", "is_all", is_flag=True, help="Archived ones too.")
@json_option
@refusals_exit_with_1
def campaigns_command(is_all: bool, as_json: bool) -> None:
    """List the campaigns with how many entries have been answered."""
    from audit_core.workflow.campaigns import is_archived, list_campaigns
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace(reads_only=True)
    summaries = list_campaigns(workspace, archived=None if is_all else False)
    rows = [
        {
            "id": each.campaign.id,
            "name": each.campaign.name,
            "dataset": each.dataset.name,
            "revision": each.dataset.revision,
            "protocol": each.campaign.protocol,
            "state": each.campaign.state,
            "origin": each.campaign.origin,
            "entries": each.entries,
            "answered": each.answered,
            "annotators": each.annotators,
            "archived": is_archived(each.campaign, each.dataset),
        }
        for each in summaries
    ]
    if as_json:
        print_json(rows)
    elif rows:
        shown = [name for name in rows[0] if is_all or name != "archived"]
        print_table(shown, [[row[name] for name in shown] for row in rows])
    elif list_campaigns(workspace, archived=None):
        say("Every campaign is archived: `python -m audit_core campaigns --all` lists them.")
    else:
        say("There is no campaign yet. Start one: `python -m audit_core campaign start NAME --dataset DATASET`.")


@click.group("campaign", epilog=example("campaign start audit-2026 --dataset pdf_audit"))
def campaign_group() -> None:
    """Plan, start, open, close, rename, archive or delete a campaign."""


def _switch(name: str, dataset: str | None, state: CampaignState, *, as_json: bool) -> None:
    from audit_core.workflow.campaigns import find_campaign, set_campaign_state
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace()
    campaign = find_campaign(workspace, name, dataset=dataset)
    set_campaign_state(workspace, campaign, state)
    if as_json:
        print_json({"id": campaign.id, "name": campaign.name, "state": state.value})
    else:
        click.echo(f"Campaign {campaign.name} is {state.value}.")


@campaign_group.command("open", epilog=example("campaign open two_annotators"))
@click.argument("name")
@dataset_option
@json_option
@refusals_exit_with_1
def open_command(name: str, dataset: str | None, as_json: bool) -> None:
    """Let a campaign take judgments."""
    _switch(name, dataset, CampaignState.OPEN, as_json=as_json)


@campaign_group.command("close", epilog=example("campaign close audit-2026"))
@click.argument("name")
@dataset_option
@json_option
@refusals_exit_with_1
def close_command(name: str, dataset: str | None, as_json: bool) -> None:
    """Stop a campaign from taking judgments; what is saved stays."""
    _switch(name, dataset, CampaignState.CLOSED, as_json=as_json)

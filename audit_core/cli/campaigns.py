"""campaigns, campaign start, campaign open, campaign close."""

from __future__ import annotations

import click

from audit_core.cli.output import example, json_option, print_json, print_table, refusals_exit_with_1, say
from audit_core.domain import CampaignState

dataset_option = click.option(
    "--dataset", metavar="NAME[@REVISION]", help="The campaign's dataset, where several have one of that name."
)


@click.command("campaigns", epilog=example("campaigns", "campaigns --json"))
@json_option
@refusals_exit_with_1
def campaigns_command(as_json: bool) -> None:
    """List the campaigns with how many entries have been answered."""
    from audit_core.workflow.campaigns import list_campaigns
    from audit_core.workflow.workspace import open_workspace

    summaries = list_campaigns(open_workspace())
    rows = [
        {
            "id": each.campaign.id,
            "name": each.campaign.name,
            "dataset": each.dataset.name,
            "revision": each.dataset.revision,
            "state": each.campaign.state,
            "origin": each.campaign.origin,
            "entries": each.entries,
            "answered": each.answered,
            "annotators": each.annotators,
        }
        for each in summaries
    ]
    if as_json:
        print_json(rows)
    elif rows:
        print_table(list(rows[0]), [list(row.values()) for row in rows])
    else:
        say("There is no campaign yet. Start one: `python -m audit_core campaign start NAME --dataset DATASET`.")


@click.group("campaign", epilog=example("campaign start audit-2026 --dataset pdf_audit"))
def campaign_group() -> None:
    """Start, open or close a campaign."""


@campaign_group.command(
    "start",
    epilog=example(
        "campaign start audit-2026 --dataset pdf_audit", "campaign start pilot --dataset pdf_audit@1 --judgments 2"
    ),
)
@click.argument("name")
@click.option("--dataset", required=True, metavar="NAME[@REVISION]", help="The dataset whose queries are judged.")
@click.option("--judgments", type=click.IntRange(1, 50), default=1, show_default=True, help="Judgments an entry needs.")
@json_option
@refusals_exit_with_1
def start(name: str, dataset: str, judgments: int, as_json: bool) -> None:
    """Start an audit campaign over all queries of a dataset."""
    from audit_core.workflow.campaigns import find_dataset, start_campaign
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace()
    campaign = start_campaign(
        workspace, dataset=find_dataset(workspace, dataset), name=name, judgments_per_entry=judgments
    )
    if as_json:
        print_json({"id": campaign.id, "name": campaign.name, "state": campaign.state})
    else:
        click.echo(f"Campaign {campaign.name} is open. Judge it at /judge?campaign={campaign.id} in the web app.")


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

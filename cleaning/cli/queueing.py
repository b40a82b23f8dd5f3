"""`clean queue`: a campaign of what to label next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from audit_core.cli.output import example, json_option, print_json, print_table, refusals_exit_with_1
from audit_core.protocols import audit, removal
from cleaning.cli.group import clean_group

if TYPE_CHECKING:
    from audit_core.workflow.mixed_campaigns import MixedSample

_share = click.FloatRange(min=0)


@clean_group.command(
    "queue",
    epilog=example(
        "clean queue first-scores --name next --preview",
        "clean queue first-scores --name next --entries 200 --leave-out harbour-cleaning",
        "clean queue first-scores --name doubts --strategy knn --random 0.5 --disagreement 0 --near-threshold 0.5",
    ),
)
@click.argument("scoring", metavar="SCORING")
@click.option("--name", required=True, help="How the campaign is called.")
@click.option("--entries", type=click.IntRange(2), default=100, show_default=True, help="Number of entries in all.")
@click.option("--random", type=_share, default=0.4, show_default=True, help="Share that is drawn at random.")
@click.option("--disagreement", type=_share, default=0.3, show_default=True, help="Share on which strategies disagree.")
@click.option("--near-threshold", type=_share, default=0.3, show_default=True, help="Share near a threshold.")
@click.option(
    "--strategy", "strategies", multiple=True, metavar="NAME",
    help="A strategy of the scoring whose scores choose; once for each. Without it all but baselines, difficulty filters "
    "and combinations.",
)  # fmt: skip
@click.option(
    "--leave-out", multiple=True, metavar="CAMPAIGN", help="Draw none of the queries of this campaign; may be repeated."
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    metavar="N",
    help="Seed of the draw; without it one is made up and shown.",
)
@click.option(
    "--protocol", type=click.Choice([removal.name, audit.name]), default=removal.name, show_default=True,
    help="What annotators are asked: keep or remove (removal), or correct or F, E, U, N (audit).",
)  # fmt: skip
@click.option("--judgments", type=click.IntRange(1, 50), default=1, show_default=True, help="Judgments an entry needs.")
@click.option("--preview", is_flag=True, help="Say what would be drawn; change nothing.")
@json_option
@refusals_exit_with_1
def queue_command(
    scoring: str, name: str, protocol: str, judgments: int, preview: bool, as_json: bool, **options: Any
) -> None:
    """Start a campaign of what to label next: at random, by disagreement, near a threshold.

    The three shares are relative. Entries of all parts are mixed, and annotators see neither scores nor which is which.
    """
    from audit_core.workflow.campaigns import check_new_campaign, find_earlier_campaign
    from audit_core.workflow.cleanings import find_run
    from audit_core.workflow.workspace import open_workspace
    from cleaning.label_queue import QueueRequest, plan_queue, start_queue
    from cleaning.scoring_files import read_scoring

    workspace = open_workspace(reads_only=preview)
    run = find_run(workspace, scoring)
    dataset = run.dataset
    earlier = tuple(find_earlier_campaign(workspace, each, dataset).id for each in options.pop("leave_out"))
    request = QueueRequest(leave_out=tuple(dict.fromkeys(earlier)), **options)
    cleaned = check_new_campaign(workspace, dataset, name=name, protocol=protocol, judgments_per_entry=judgments)
    scores = read_scoring(workspace, run)
    if preview:
        planned = plan_queue(workspace, dataset, scores, request)
        _print(planned, {"campaign": cleaned, "protocol": protocol}, as_json=as_json)
        return
    campaign, drawn = start_queue(
        workspace, dataset, scores, request, name=name, protocol=protocol, judgments_per_entry=judgments
    )
    _print(drawn, {"id": campaign.id, "campaign": campaign.name, "protocol": protocol}, as_json=as_json)
    if not as_json:
        click.echo(f"Campaign {campaign.name} is open. Judge it at /judge?campaign={campaign.id} in the web app.")


def _print(sample: MixedSample, subject: dict[str, Any], *, as_json: bool) -> None:
    document = sample.as_json()
    if as_json:
        print_json(subject | document)
        return
    columns = ("selection", "asked", "drawn", "certain", "candidates")
    print_table(
        ("part", "asked", "drawn", "for certain", "could be drawn"),
        [[each[column] for column in columns] for each in document["parts"]],
    )
    click.echo()
    for sentence in document["sentences"]:
        click.echo(sentence)
    click.echo(f"Seed {document['seed']}: the same seed, scores and sizes draw the same entries.")

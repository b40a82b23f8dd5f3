"""campaign adjudication, adjudicate, accept-unanimous, export-decisions."""

from __future__ import annotations

from pathlib import Path

import click

from audit_core.cli.campaigns import dataset_option
from audit_core.cli.output import example, json_option, print_json, print_table, refusals_exit_with_1, say

#: States that the list of entries can be narrowed to; the pages know the same.
_STATES = ("disputed", "second", "unanimous", "decided", "all")

_by_option = click.option(
    "--person", "name", metavar="NAME", help="In whose name; without it the decisions are the command line's."
)


@click.command(
    "adjudication",
    epilog=example("campaign adjudication two_annotators", "campaign adjudication audit-2026 --state all"),
)
@click.argument("campaign")
@dataset_option
@click.option(
    "--state", type=click.Choice(_STATES), default="disputed", show_default=True, help="Which entries are listed."
)
@json_option
@refusals_exit_with_1
def adjudication_command(campaign: str, dataset: str | None, state: str, as_json: bool) -> None:
    """Say how the entries of a campaign stand: disputed, unanimous, judged once, decided; and list some."""
    from audit_core.workflow.adjudication_list import listed_entries
    from audit_core.workflow.adjudication_states import standing_counts
    from audit_core.workflow.campaigns import find_campaign
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace(reads_only=True)
    found = find_campaign(workspace, campaign, dataset=dataset)
    counts, rows = standing_counts(workspace, found), listed_entries(workspace, found, only=state)
    if as_json:
        print_json({"campaign": found.name, "counts": counts, "state": state, "entries": rows})
        return
    click.echo(f"{found.name}: {', '.join(f'{number:,} {name}' for name, number in counts.items())}.")
    if not rows:
        say(f"No entry to list ({state}).")
        return
    header = ("entry", "query_id", "state", "judgments", "differ in", "decision")
    shown = [
        [
            each["entry"],
            each["query_id"],
            each["state"],
            " | ".join(each["judgments"]),
            ", ".join(each["disputes"]),
            each["decision"] or "",
        ]
        for each in rows
    ]
    print_table(header, shown)


@click.command(
    "adjudicate",
    epilog=example(
        "campaign adjudicate two_annotators --from gold.jsonl --dry-run",
        "campaign adjudicate two_annotators --from gold.jsonl --person Cora",
    ),
)
@click.argument("campaign")
@dataset_option
@click.option(
    "--from",
    "file",
    required=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="JSON Lines, one decision a query or entry: docs/adjudication.md has its fields.",
)
@_by_option
@click.option("--dry-run", is_flag=True, help="Check the file and say what would be decided; change nothing.")
@click.option(
    "--again", is_flag=True, help="Decide as the file says also what somebody decided by hand since it was read."
)
@json_option
@refusals_exit_with_1
def adjudicate_command(
    campaign: str, dataset: str | None, file: Path, name: str | None, dry_run: bool, again: bool, as_json: bool
) -> None:
    """Decide entries as a file says, all of it or nothing; the same file twice in a row changes nothing."""
    from audit_core.workflow.adjudicating import adjudicate_from_file
    from audit_core.workflow.adjudication_person import deciding_person
    from audit_core.workflow.campaigns import find_campaign
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace(reads_only=dry_run)
    found = find_campaign(workspace, campaign, dataset=dataset)
    person = deciding_person(workspace, name, adds=not dry_run)
    result = adjudicate_from_file(workspace, person, found.id, file, dry_run=dry_run, again=again)
    if as_json:
        print_json(result.as_json())
        return
    for sentence in result.sentences():
        click.echo(sentence)


@click.command(
    "accept-unanimous",
    epilog=example(
        "campaign accept-unanimous two_annotators", "campaign accept-unanimous audit-2026 --entries 3,7 --person Cora"
    ),
)
@click.argument("campaign")
@dataset_option
@click.option(
    "--entries", metavar="NUMBERS", help="These entries alone, such as 3,7; all that are unanimous without it."
)
@_by_option
@json_option
@refusals_exit_with_1
def accept_unanimous_command(
    campaign: str, dataset: str | None, entries: str | None, name: str | None, as_json: bool
) -> None:
    """Decide entries on which all judgments say the same as they say, together."""
    from audit_core.workflow.adjudicating import accept_unanimous
    from audit_core.workflow.adjudication_person import deciding_person
    from audit_core.workflow.campaigns import find_campaign
    from audit_core.workflow.workspace import open_workspace

    numbers = None if entries is None else _numbers(entries)
    workspace = open_workspace()
    found = find_campaign(workspace, campaign, dataset=dataset)
    accepted = accept_unanimous(workspace, deciding_person(workspace, name), found.id, numbers)
    if as_json:
        print_json(accepted.as_json())
        return
    noun = "entry" if accepted.accepted == 1 else "entries"
    click.echo(f"{accepted.accepted:,} unanimous {noun} of campaign {found.name} accepted.")
    for number, reason in accepted.left:
        say(f"Entry {number} is left: {reason}.")


def _numbers(given: str) -> list[int]:
    parts = [each.strip() for each in given.split(",")]
    if not all(each.isascii() and each.isdigit() and 0 < len(each) <= 9 for each in parts):
        raise click.BadParameter("name entries by their numbers, with commas, such as 3,7", param_hint="--entries")
    return [int(each) for each in parts]


@click.command(
    "export-decisions",
    epilog=example(
        "campaign export-decisions audit-2026 decisions.jsonl",
        "campaign export-decisions audit-2026 decisions.jsonl --newest",
    ),
)
@click.argument("campaign")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@dataset_option
@click.option("--newest", is_flag=True, help="Only the decisions that count.")
@click.option("--names", is_flag=True, help="People by their names instead of pseudonyms.")
@json_option
@refusals_exit_with_1
def export_decisions_command(
    campaign: str, file: Path, dataset: str | None, newest: bool, names: bool, as_json: bool
) -> None:
    """Write the decisions of a campaign to a .jsonl FILE, one row a revision; a file that is there is replaced."""
    from audit_core.workflow.campaigns import find_campaign
    from audit_core.workflow.decisions_export import export_decisions
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace(reads_only=True)
    found = find_campaign(workspace, campaign, dataset=dataset)
    written = export_decisions(workspace, found, file, newest_only=newest, names=names)
    if as_json:
        print_json(written.as_json())
        return
    click.echo(
        f"Decisions of campaign {found.name} written to {written.file}: {written.decisions:,} in all, "
        f"{written.entries:,} of them count."
    )


COMMANDS = (adjudication_command, adjudicate_command, accept_unanimous_command, export_decisions_command)

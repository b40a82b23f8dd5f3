"""campaign export, campaign import."""

from __future__ import annotations

from pathlib import Path

import click

from audit_core.cli.campaigns import dataset_option
from audit_core.cli.output import example, json_option, print_json, progress_bar, refusals_exit_with_1
from audit_core.errors import AssayError


@click.command(
    "export",
    epilog=example(
        "campaign export audit-2026 judgments.jsonl",
        "campaign export audit-2026 judgments.parquet --newest",
        "campaign export audit-2026 judgments.csv --spreadsheet",
    ),
)
@click.argument("campaign")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@dataset_option
@click.option("--newest", is_flag=True, help="Only the newest judgment of each annotator on each entry.")
@click.option(
    "--spreadsheet",
    is_flag=True,
    help="CSV that a spreadsheet may open: no text runs as a formula, and it cannot be imported again.",
)
@click.option("--names", is_flag=True, help="Annotators by their names instead of pseudonyms.")
@json_option
@refusals_exit_with_1
def export_command(
    campaign: str, file: Path, dataset: str | None, newest: bool, spreadsheet: bool, names: bool, as_json: bool
) -> None:
    """Write the judgments of a campaign to a .jsonl, .csv or .parquet FILE, one row a revision; a file that is there is replaced."""
    from audit_core.workflow.campaigns import find_campaign
    from audit_core.workflow.judgments_export import export_judgments, form_of
    from audit_core.workflow.workspace import open_workspace

    form = form_of(file, spreadsheet=spreadsheet)
    workspace = open_workspace(reads_only=True)
    found = find_campaign(workspace, campaign, dataset=dataset)
    written = export_judgments(workspace, found, file, form=form, newest_only=newest, names=names)
    if as_json:
        print_json(written.as_json())
        return
    click.echo(
        f"{written.judgments:,} judgments by {written.annotators:,} annotators of campaign {found.name} written to "
        f"{written.file}."
    )


@click.command(
    "import",
    epilog=example(
        "campaign import audit-2026 judgments.csv --dry-run",
        "campaign import audit-2026 judgments.jsonl --as ann-7k2=Ada",
        "campaign import audit-2026 corrected.csv --revise --json",
    ),
)
@click.argument("campaign")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@dataset_option
@click.option("--dry-run", is_flag=True, help="Check the file and say what would be added; change nothing.")
@click.option(
    "--revise", is_flag=True, help="Let judgments that say otherwise than their annotator did become further revisions."
)
@click.option(
    "--as", "accounts", multiple=True, metavar="NAME=ACCOUNT", help="The annotator NAME is ACCOUNT; may be repeated."
)
@json_option
@refusals_exit_with_1
def import_command(
    campaign: str,
    file: Path,
    dataset: str | None,
    dry_run: bool,
    revise: bool,
    accounts: tuple[str, ...],
    as_json: bool,
) -> None:
    """Add the judgments of a .jsonl, .csv or .parquet FILE to an open campaign, all of them or none."""
    from audit_core.workflow.campaigns import find_campaign
    from audit_core.workflow.judgments_import import import_judgments, preview_judgments_import
    from audit_core.workflow.workspace import open_workspace

    mapping = _accounts(accounts)
    workspace = open_workspace(reads_only=dry_run)
    found = find_campaign(workspace, campaign, dataset=dataset)
    if dry_run:
        result = preview_judgments_import(workspace, found, file, revise=revise, accounts=mapping)
    else:
        with progress_bar() as progress:
            result = import_judgments(workspace, found, file, revise=revise, accounts=mapping, progress=progress)
    if as_json:
        print_json(result.as_json())
        return
    for sentence in result.sentences():
        click.echo(sentence)


def _accounts(given: tuple[str, ...]) -> dict[str, str]:
    """Return who each annotator is; a name may hold an equals sign, an account may not."""
    found: dict[str, str] = {}
    for each in given:
        name, sign, account = each.rpartition("=")
        if not sign or not name or not account:
            raise AssayError(f"--as {each}: write NAME=ACCOUNT, the annotator in the file and the account here.")
        if name in found:
            raise AssayError(f"--as names {name!r} twice: name each annotator once.")
        found[name] = account
    return found

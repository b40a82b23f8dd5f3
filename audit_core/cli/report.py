"""report: the table of a campaign."""

from __future__ import annotations

from pathlib import Path

import click

from audit_core.cli.campaigns import dataset_option
from audit_core.cli.output import example, json_option, put_text, refusals_exit_with_1
from audit_core.registry import file_names


@click.command(
    "report",
    epilog=example(
        "report two_annotators",
        "report audit-2026 --format latex --output audit.tex",
        "report audit-2026 --dataset pdf_audit@1 --json",
    ),
)
@click.argument("campaign")
@dataset_option
@click.option(
    "--format",
    "form",
    type=click.Choice(file_names("audit_core.exporters", "report_")),
    default="markdown",
    show_default=True,
    help="Form of the report.",
)
@click.option(
    "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write to this file, not to stdout; replaces it."
)
@json_option
@refusals_exit_with_1
def report_command(campaign: str, dataset: str | None, form: str, output: Path | None, as_json: bool) -> None:
    """Print the report of a campaign by source and structure, with Wilson intervals.

    Of an audit: correct, F, E, U, N. Of a removal campaign: keep, remove, and how the criteria were rated. Of a relevance
    campaign or a query review: poor queries, or what is to be discarded, and every field by value.
    """
    from audit_core.workflow.campaigns import find_campaign
    from audit_core.workflow.reporting import campaign_report, report_formats
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace(reads_only=True)
    found = find_campaign(workspace, campaign, dataset=dataset)
    text = report_formats(found.protocol)["json" if as_json else form].write(campaign_report(workspace, found.id))
    put_text(text, output, what="Report")

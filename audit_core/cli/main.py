"""The root of the command line."""

from __future__ import annotations

import click

from audit_core import __version__
from audit_core.cli import (
    account,
    adjudicate,
    agreement,
    bundles,
    campaigns,
    carry_over,
    corrections,
    database,
    housekeeping,
    job,
    judgments_file,
    release,
    report,
    sampling,
    settings,
    team,
)

_HELP = """Assay: find out how many queries of a retrieval benchmark are wrong.

Results go to stdout, messages to stderr. Exit codes: 0 done, 1 refused input (the message says why), 2 bad use.
Start the web app with `make run`, or `streamlit run app.py`.
"""


@click.group(help=_HELP, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="assay")
def main() -> None:
    """Collect the commands."""


for command in (
    bundles.prepare,
    bundles.import_command,
    bundles.export_command,
    bundles.datasets_command,
    housekeeping.dataset_group,
    campaigns.campaigns_command,
    campaigns.campaign_group,
    report.report_command,
    release.release_group,
    release.verify_command,
    agreement.agreement_command,
    corrections.corrections_group,
    job.jobs_command,
    job.job_group,
    account.account_group,
    database.database_group,
    settings.settings_command,
):
    main.add_command(command)
for command in (
    sampling.plan,
    sampling.start,
    carry_over.carry_over_command,
    judgments_file.export_command,
    judgments_file.import_command,
    *housekeeping.CAMPAIGN_COMMANDS,
    agreement.campaign_agreement_command,
    *team.COMMANDS,
    *adjudicate.COMMANDS,
):
    campaigns.campaign_group.add_command(command)
housekeeping.dataset_group.add_command(job.check_pages_command)


def run() -> None:
    """Run the command line and exit."""
    main(prog_name="python -m audit_core")

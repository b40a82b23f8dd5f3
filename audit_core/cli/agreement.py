"""campaign agreement, agreement: how far annotators agree, of a campaign or of ratings in a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from audit_core.cli.campaigns import dataset_option
from audit_core.cli.output import example, json_option, put_text, refusals_exit_with_1
from audit_core.registry import file_names

if TYPE_CHECKING:
    from audit_core.agreement.report import AgreementReport

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--format", "form", type=click.Choice(file_names("audit_core.exporters", "agreement_")), default="text",
                 show_default=True, help="Form of the report."),
    click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="Write to this file, not to stdout; replaces it."),
    click.option("--draws", type=click.IntRange(min=100), default=1000, show_default=True, help="Draws of the bootstrap."),
    click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True, help="Seed of the bootstrap."),
    click.option("--no-bootstrap", is_flag=True, help="Without intervals."),
)  # fmt: skip


def _shared(command: Command) -> Command:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command(
    "agreement",
    epilog=example(
        "campaign agreement two_annotators", "campaign agreement audit-2026 --format latex --output agreement.tex"
    ),
)
@click.argument("name")
@dataset_option
@click.option("--pilot", is_flag=True, help="On the pilot's entries instead of the sample's.")
@_shared
@json_option
@refusals_exit_with_1
def campaign_agreement_command(
    name: str,
    dataset: str | None,
    pilot: bool,
    form: str,
    output: Path | None,
    draws: int,
    seed: int,
    no_bootstrap: bool,
    as_json: bool,
) -> None:
    """Show how far the annotators of a campaign agree: percent, kappa, alpha, AC1 and AC2, with document bootstraps.

    What they said after they saw what others said is left out, and counted. Annotators stand by their pseudonyms.
    """
    from audit_core.workflow.agreement import campaign_agreement
    from audit_core.workflow.campaigns import find_campaign
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace(reads_only=True)
    found = find_campaign(workspace, name, dataset=dataset)
    asked = None if no_bootstrap else draws
    report = campaign_agreement(workspace, found.id, bootstrap=asked, seed=seed, pilot=pilot)
    _put(report, "json" if as_json else form, output)


@click.command(
    "agreement",
    epilog=example(
        "agreement ratings.csv", "agreement ratings.csv --level ordinal --categories 1,2,3,4 --draws 2000 --seed 7"
    ),
)
@click.argument("ratings", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--level",
    type=click.Choice(("nominal", "ordinal")),
    default="nominal",
    show_default=True,
    help="How values are compared.",
)
@click.option(
    "--categories",
    metavar="[SCALE=]A,B,...",
    multiple=True,
    help="All values that could have been given, in their order, also those that nobody gave: of every scale, or with SCALE= of "
    "that one. Can be given several times.",
)
@_shared
@json_option
@refusals_exit_with_1
def agreement_command(
    ratings: Path,
    level: str,
    categories: tuple[str, ...],
    form: str,
    output: Path | None,
    draws: int,
    seed: int,
    no_bootstrap: bool,
    as_json: bool,
) -> None:
    """Show how far the ratings in a CSV file agree: columns item, annotator, value, and perhaps scale and documents.

    Each scale is compared by itself. Documents are ids with | between them; items on the same ones are drawn together.
    """
    from audit_core.agreement.bootstrap import Plan
    from audit_core.agreement.records import Compare
    from audit_core.workflow.agreement_file import agreement_of_file

    plan = None if no_bootstrap else Plan(draws, seed)
    report = agreement_of_file(ratings, compare=Compare(level), categories=categories, plan=plan)
    _put(report, "json" if as_json else form, output, inputs=[ratings])


def _put(report: AgreementReport, form: str, output: Path | None, *, inputs: Sequence[Path] = ()) -> None:
    from audit_core.registry import look_up

    put_text(look_up("audit_core.exporters", form, "agreement_").write(report), output, what="Agreement", inputs=inputs)

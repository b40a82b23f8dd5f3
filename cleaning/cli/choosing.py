"""`clean choose`, `clean estimate`: what labels of a random sample promise of a scoring, and of the whole benchmark."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from audit_core.cli.output import example, json_option, refusals_exit_with_1, say
from cleaning.cli.comparing import FORMATS
from cleaning.cli.group import clean_group

if TYPE_CHECKING:
    from cleaning.drawn_labels import DrawnLabels
    from cleaning.scoring import Scoring


@clean_group.command(
    "choose",
    epilog=example(
        "clean choose first --labels campaign:audit-2026 --at-most 10",
        "clean choose first --labels labels:random --at-most 5 --strategy llm_rating --test-share 0.3",
        "clean choose first --labels labels:random --at-most 10 --table sequence --format csv",
    ),
)
@click.argument("scoring", metavar="SCORING")
@click.option("--labels", metavar="KEY", required=True, help="Labels of a random sample, as `clean labels` names them.")
@click.option("--at-most", type=float, required=True, metavar="PERCENT", help="Largest bad share of what is kept.")
@click.option("--confidence", type=float, default=95.0, show_default=True, metavar="PERCENT", help="How sure to be.")
@click.option(
    "--strategy", "strategies", multiple=True, metavar="NAME", help="A strategy to choose from; once for each."
)
@click.option("--test-share", type=float, default=0.0, show_default=True, help="Part of the labels that only measures.")
@click.option("--seed", default=1, show_default=True, help="Seed of the lots that are drawn among the labels.")
@click.option("--remove-codes", default="FN", show_default=True, help="Audit codes that mean removal.")
@click.option("--table", type=click.Choice(["guarantee", "sequence"]), default="guarantee", show_default=True)
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="markdown", show_default=True)
@json_option
@refusals_exit_with_1
def choose_command(
    scoring: str,
    labels: str,
    at_most: float,
    confidence: float,
    strategies: tuple[str, ...],
    test_share: float,
    seed: int,
    remove_codes: str,
    table: str,
    form: str,
    as_json: bool,
) -> None:
    """Choose thresholds of a scoring that keep few bad queries, with a guarantee.

    Exits with 0 also where no threshold gives it: the table says what is missing.
    """
    from cleaning.choosing_tables import guarantee_table, sequence_table
    from cleaning.guarantee import choose
    from cleaning.tables import write_table

    scored, drawn = _read(scoring, labels, remove_codes)
    found = choose(
        scored,
        drawn,
        strategies=strategies or None,
        risk=at_most / 100.0,
        confidence=confidence / 100.0,
        seed=seed,
        test_share=test_share,
    )
    shown = guarantee_table(found) if table == "guarantee" else sequence_table(found)
    click.echo(write_table(shown, FORMATS["json" if as_json else form]))
    if found.best is None:
        say("No threshold gives this guarantee with these labels.")


@clean_group.command(
    "estimate",
    epilog=example(
        "clean estimate first --labels campaign:audit-2026",
        "clean estimate first --labels labels:random --strategy llm_rating --format csv",
    ),
)
@click.argument("scoring", metavar="SCORING")
@click.option("--labels", metavar="KEY", required=True, help="Labels of a random sample, as `clean labels` names them.")
@click.option("--strategy", "strategies", multiple=True, metavar="NAME", help="Whose scores help; once for each.")
@click.option("--confidence", type=float, default=95.0, show_default=True, metavar="PERCENT", help="Of the intervals.")
@click.option("--remove-codes", default="FN", show_default=True, help="Audit codes that mean removal.")
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="markdown", show_default=True)
@json_option
@refusals_exit_with_1
def estimate_command(
    scoring: str,
    labels: str,
    strategies: tuple[str, ...],
    confidence: float,
    remove_codes: str,
    form: str,
    as_json: bool,
) -> None:
    """Estimate how many queries of the whole benchmark are to be removed, from labels and from scores."""
    from cleaning.choosing_tables import estimate_table
    from cleaning.tables import write_table
    from cleaning.whole_estimate import estimate_removal

    scored, drawn = _read(scoring, labels, remove_codes)
    found = estimate_removal(scored, drawn, strategies=strategies or None, confidence=confidence / 100.0)
    click.echo(write_table(estimate_table(found), FORMATS["json" if as_json else form]))


def _read(name: str, labels: str, remove_codes: str) -> tuple[Scoring, DrawnLabels]:
    from audit_core.workflow.cleanings import find_run
    from audit_core.workflow.workspace import open_workspace
    from cleaning.drawn_labels import read_drawn_labels
    from cleaning.scoring_files import read_scoring

    workspace = open_workspace(reads_only=True)
    scoring = read_scoring(workspace, find_run(workspace, name))
    return scoring, read_drawn_labels(workspace, scoring, labels, remove_codes=remove_codes)

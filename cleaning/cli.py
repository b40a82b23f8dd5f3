"""The `clean` commands: comparing strategies and printing what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from audit_core.cli.output import example, json_option, print_json, print_table, progress_bar, refusals_exit_with_1, say
from audit_core.errors import CleaningError

if TYPE_CHECKING:
    from cleaning.request import Choice

#: Strategies that take part unless others are named.
DEFAULTS = ("logistic_regression", "xgboost", "knn", "rules", "keep_all", "random", "length")
FORMATS = {"markdown": ".md", "csv": ".csv", "latex": ".tex", "json": ".json"}


@click.group("clean", epilog=example("clean strategies", "clean compare my-set --labels labels:removal --name first"))
def clean_group() -> None:
    """Compare ways to find the queries that should be removed."""


@clean_group.command("strategies", epilog=example("clean strategies", "clean strategies --json"))
@json_option
@refusals_exit_with_1
def strategies_command(as_json: bool) -> None:
    """List the strategies, what they look at, and their thresholds."""
    from cleaning.catalogue import strategies

    rows = [
        {
            "name": name,
            "kind": module.kind.value,
            "threshold": module.default_threshold,
            "embeddings": module.needs_embeddings,
            "describe": module.describe,
        }
        for name, module in strategies().items()
    ]
    if as_json:
        print_json(rows)
        return
    print_table(
        ("name", "kind", "threshold", "embeddings"),
        [[each["name"], each["kind"], each["threshold"], "needed" if each["embeddings"] else "-"] for each in rows],
    )
    for each in rows:
        click.echo(f"\n{each['name']}: {each['describe']}")


@clean_group.command("labels", epilog=example("clean labels my-set"))
@click.argument("dataset", metavar="DATASET")
@json_option
@refusals_exit_with_1
def labels_command(dataset: str, as_json: bool) -> None:
    """List where labels of a dataset can be taken from."""
    from dataclasses import asdict

    from audit_core.workflow.campaigns import find_dataset
    from audit_core.workflow.label_sources import label_sources
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace(reads_only=True)
    sources = label_sources(workspace, find_dataset(workspace, dataset))
    if as_json:
        print_json([asdict(each) for each in sources])
    elif sources:
        print_table(
            ("labels", "kind", "queries", "random sample"),
            [[each.key, each.kind, each.queries, "yes" if each.is_probability else "no"] for each in sources],
        )
    else:
        say("Nothing is labelled yet: judge queries in a campaign, or import a bundle with labels.")


@clean_group.command(
    "compare",
    epilog=example(
        "clean compare my-set --labels labels:removal --name first",
        "clean compare my-set --labels campaign:audit-2026 --remove-codes FN --name second --detach",
        "clean compare my-set --labels labels:removal --name third --strategy rules --strategy knn:0.6 --folds 3",
    ),
)
@click.argument("dataset", metavar="DATASET")
@click.option("--labels", required=True, metavar="KEY", help="Where the labels come from, as `clean labels` names it.")
@click.option("--name", required=True, help="How the comparison is called.")
@click.option(
    "--strategy", "chosen", multiple=True, metavar="NAME[:THRESHOLD]", help="A strategy that takes part; once for each."
)
@click.option("--all", "is_all", is_flag=True, help="All strategies that need no options.")
@click.option("--remove-codes", default="FN", show_default=True, help="Audit codes that mean removal.")
@click.option("--embedder", help="An embedder, bundle:MODEL, or none; the local model where nothing is said.")
@click.option("--folds", default=5, show_default=True, help="Folds of the cross-validation.")
@click.option("--repeats", default=5, show_default=True, help="How often it is repeated.")
@click.option("--train", type=int, help="One split with so many training queries, instead of folds.")
@click.option("--fewer-folds", is_flag=True, help="Take the largest possible number of folds where it is smaller.")
@click.option("--seed", default=1, show_default=True, help="Seed of the split and of the strategies.")
@click.option("--no-learning-curves", is_flag=True, help="Leave the learning curves out, which take most of the time.")
@click.option("--detach", is_flag=True, help="Start it as a job and come back at once.")
@json_option
@refusals_exit_with_1
def compare_command(
    dataset: str,
    labels: str,
    name: str,
    chosen: tuple[str, ...],
    is_all: bool,
    remove_codes: str,
    embedder: str | None,
    folds: int,
    repeats: int,
    train: int | None,
    fewer_folds: bool,
    seed: int,
    no_learning_curves: bool,
    detach: bool,
    as_json: bool,
) -> None:
    """Compare strategies on the labels of a dataset, all on one split."""
    from audit_core.workflow.campaigns import find_dataset
    from audit_core.workflow.comparisons import add_comparison, delete_comparison, get_comparison, start_comparison
    from audit_core.workflow.workspace import open_workspace
    from cleaning.executing import execute
    from cleaning.finished import read_finished
    from cleaning.report import table_of
    from cleaning.request import DEFAULT_EMBEDDER, ComparisonRequest
    from cleaning.tables import to_markdown

    request = ComparisonRequest(
        name=name, labels=labels, strategies=_choices(chosen, is_all=is_all), remove_codes=remove_codes,
        embedder=embedder or DEFAULT_EMBEDDER, folds=folds, repeats=repeats, train=train, fewer_folds=fewer_folds,
        seed=seed, learning_curves=not no_learning_curves,
    )  # fmt: skip
    workspace = open_workspace()
    found = find_dataset(workspace, dataset)
    if detach:
        row, job = start_comparison(workspace, found, name=name, spec=request.as_json())
        if as_json:
            print_json({"comparison": row.id, "job": job.id})
        else:
            say(f"Comparison {row.id} runs as job {job.id}: `python -m audit_core job show {job.id}`.")
        return
    row = add_comparison(workspace, found, name=name, spec=request.as_json())
    try:
        with progress_bar() as report:
            execute(workspace, row.id, report=report)
    except BaseException:
        # Nobody waits for one that broke off here: its name is free again.
        delete_comparison(workspace, row.id)
        raise
    result = read_finished(workspace, get_comparison(workspace, row.id))
    if as_json:
        print_json({"comparison": row.id, "split": result.record.split.hash})
        return
    click.echo(to_markdown(table_of(result, "folds")))
    click.echo(to_markdown(table_of(result, "summary")))
    for notice in result.compared.notices:
        say(f"Note on {', '.join(notice.about)}: {notice.says}")
    say(f"Comparison {row.id}: `python -m audit_core clean report {row.id} --table differences` prints more.")


def _choices(chosen: tuple[str, ...], *, is_all: bool) -> tuple[Choice, ...]:
    from cleaning.catalogue import strategies
    from cleaning.contract import Kind
    from cleaning.request import Choice

    if is_all and chosen:
        raise CleaningError("Either --all or --strategy: not both.")
    if is_all:
        return tuple(Choice(each) for each, module in strategies().items() if module.kind != Kind.COMBINATION)
    choices = []
    for each in chosen or DEFAULTS:
        strategy, _, threshold = each.partition(":")
        try:
            choices.append(Choice(strategy, threshold=float(threshold) if threshold else None))
        except ValueError:
            raise CleaningError(f"--strategy {each}: {threshold!r} is no threshold. Write NAME:0.6.") from None
    return tuple(choices)


@clean_group.command("list", epilog=example("clean list", "clean list --json"))
@click.option("--all", "is_all", is_flag=True, help="Archived ones too.")
@json_option
@refusals_exit_with_1
def list_command(is_all: bool, as_json: bool) -> None:
    """List the comparisons."""
    from audit_core.workflow.comparisons import list_comparisons
    from audit_core.workflow.workspace import open_workspace

    views = list_comparisons(open_workspace(reads_only=True), archived=None if is_all else False)
    rows = [
        {
            "id": each.row.id,
            "name": each.row.name,
            "dataset": each.dataset.name,
            "revision": each.dataset.revision,
            "labels": each.row.spec.get("labels"),
            "state": "finished" if each.is_finished else each.job.state if each.job else "not finished",
            "split": each.row.split_hash[:12],
        }
        for each in views
    ]
    if as_json:
        print_json(rows)
    elif rows:
        print_table(list(rows[0]), [list(each.values()) for each in rows])
    else:
        say("There is no comparison yet. Make one: `python -m audit_core clean compare DATASET ...`.")


@clean_group.command(
    "report",
    epilog=example(
        "clean report 1", "clean report first --table differences --format csv", "clean report first --card"
    ),
)
@click.argument("comparison", metavar="COMPARISON")
@click.option("--table", default="summary", show_default=True, help="Which table; `--tables` lists them.")
@click.option("--tables", "is_listing", is_flag=True, help="List the tables.")
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="markdown", show_default=True)
@click.option("--strategy", help="Of thresholds and label-errors: the strategy.")
@click.option("--share-kept", type=float, help="Of equal-share: the share to keep, from 0 to 1.")
@click.option("--card", is_flag=True, help="The run card, as JSON: what the comparison was made of.")
@refusals_exit_with_1
def report_command(
    comparison: str, table: str, is_listing: bool, form: str, strategy: str | None, share_kept: float | None, card: bool
) -> None:
    """Print a table of a finished comparison, by its number or name."""
    from audit_core.workflow.comparisons import find_comparison
    from audit_core.workflow.workspace import open_workspace
    from cleaning.executing import card_document
    from cleaning.finished import read_finished
    from cleaning.report import TABLES, table_of
    from cleaning.tables import write_table

    if is_listing:
        print_table(("table", "shows"), list(TABLES.items()))
        return
    workspace = open_workspace(reads_only=True)
    result = read_finished(workspace, find_comparison(workspace, comparison))
    if card:
        print_json(card_document(result.record, result.request))
        return
    click.echo(write_table(table_of(result, table, strategy=strategy, share_kept=share_kept), FORMATS[form]))


@clean_group.command("published", epilog=example("clean published", "clean published --format latex"))
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="markdown", show_default=True)
@refusals_exit_with_1
def published_command(form: str) -> None:
    """Print the nine published removal matrices with their intervals, as an example of how such tables are read."""
    from cleaning.tables import write_table
    from cleaning.tables_content import published_table

    click.echo(write_table(published_table(), FORMATS[form]))

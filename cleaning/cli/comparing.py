"""The `clean` commands: comparing strategies and printing what came of it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from audit_core.cli.output import example, json_option, print_json, print_table, progress_bar, refusals_exit_with_1, say
from audit_core.errors import CleaningError, NotFound
from cleaning.cli.asking import print_estimate, refuse_silent, say_what_is_kept
from cleaning.cli.asking_options import asking_options, caps_of, document_of, refuse_beside_request, strategy_choices
from cleaning.cli.group import clean_group

if TYPE_CHECKING:
    from audit_core.storage.datasets import DatasetRow
    from audit_core.workflow.workspace import Workspace
    from cleaning.request import Choice, ComparisonRequest

#: Strategies that take part unless others are named.
DEFAULTS = ("logistic_regression", "xgboost", "knn", "rules", "keep_all", "random", "length")
#: Options that go into the request under their own name.
_AS_THEY_ARE = ("remove_codes", "folds", "repeats", "train", "train_labels", "fewer_folds", "seed")
FORMATS = {"markdown": ".md", "csv": ".csv", "latex": ".tex", "json": ".json"}


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
            "asks_model": bool(getattr(module, "asks_model", False)),
            "describe": module.describe,
        }
        for name, module in strategies().items()
    ]
    if as_json:
        print_json(rows)
        return
    print_table(
        ("name", "kind", "threshold", "embeddings", "language model"),
        [
            [
                each["name"],
                each["kind"],
                each["threshold"],
                "needed" if each["embeddings"] else "-",
                "asked" if each["asks_model"] else "-",
            ]
            for each in rows
        ],
    )
    for each in rows:
        click.echo(f"\n{each['name']}: {each['describe']}")


@clean_group.command(
    "compare",
    epilog=example(
        "clean compare my-set --labels labels:removal --name first",
        "clean compare my-set --labels campaign:audit-2026 --remove-codes FN --name second --detach",
        "clean compare my-set --labels labels:removal --name third --strategy rules --strategy knn:0.6 --folds 3",
        "clean compare my-set --labels labels:dev --train-labels labels:train --name fourth",
        "clean compare my-set --request request.json --name fifth",
        "clean compare my-set --labels labels:removal --name judged --strategy llm_rating --strategy rules --estimate",
        "clean compare my-set --labels labels:removal --name judged --strategy llm_rating:0.75 --max-calls 2000",
    ),
)
@click.argument("dataset", metavar="DATASET")
@click.option("--labels", metavar="KEY", help="Where the labels come from, as `clean labels` names it.")
@click.option("--name", help="How the comparison is called.")
@click.option(
    "--strategy", "chosen", multiple=True, metavar="NAME[:THRESHOLD]", help="A strategy that takes part; once for each."
)
@click.option(
    "--all", "is_all", is_flag=True, help="All strategies but combinations and those that ask a language model."
)
@click.option("--remove-codes", default="FN", show_default=True, help="Audit codes that mean removal.")
@click.option("--embedder", help="An embedder, bundle:MODEL, or none; the local model where nothing is said.")
@click.option("--folds", default=5, show_default=True, help="Folds of the cross-validation.")
@click.option("--repeats", default=5, show_default=True, help="How often it is repeated.")
@click.option("--train", type=int, help="One split with so many training queries, instead of folds.")
@click.option(
    "--train-labels", metavar="KEY", help="Train on these labels, evaluate all of --labels; instead of folds."
)
@click.option("--fewer-folds", is_flag=True, help="Take the largest possible number of folds where it is smaller.")
@click.option("--seed", default=1, show_default=True, help="Seed of the split and of the strategies.")
@click.option("--no-learning-curves", is_flag=True, help="Leave the learning curves out, which take most of the time.")
@asking_options
@click.option(
    "--request", "request_file", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
    help="Read everything but the name from a JSON file: with options, tuned thresholds and combinations.",
)  # fmt: skip
@click.option("--detach", is_flag=True, help="Start it as a job and come back at once.")
@json_option
@refusals_exit_with_1
def compare_command(
    dataset: str,
    name: str | None,
    request_file: Path | None,
    is_estimate: bool,
    detach: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Compare strategies on the labels of a dataset, all on one split."""
    from audit_core.workflow.campaigns import find_dataset
    from audit_core.workflow.comparisons import start_comparison
    from audit_core.workflow.workspace import open_workspace
    from cleaning.executing import check_request, plan_asking
    from cleaning.preparing import prepare

    request = _request(name, options) if request_file is None else _request_of_file(request_file, name)
    workspace = open_workspace()
    found = find_dataset(workspace, dataset)
    if is_estimate:
        print_estimate(plan_asking(workspace, found, request), as_json=as_json)
        return
    check_request(workspace, found, request)
    if not detach:
        _compare_now(workspace, found, request, as_json=as_json)
        return
    # Nobody looks at a job that fails within a second: what makes a split impossible is said here.
    prepare(workspace, found, request, with_vectors=False)
    row, job = start_comparison(workspace, found, name=request.name, spec=request.as_json())
    if as_json:
        print_json({"comparison": row.id, "job": job.id})
    else:
        say(f"Comparison {row.id} runs as job {job.id}: `python -m audit_core job show {job.id}`.")


def _compare_now(workspace: Workspace, dataset: DatasetRow, request: ComparisonRequest, *, as_json: bool) -> None:
    from audit_core.workflow.comparisons import add_comparison, delete_comparison, get_comparison
    from cleaning.comparison_asking import asks_model
    from cleaning.executing import execute
    from cleaning.finished import read_finished
    from cleaning.report import table_of
    from cleaning.tables import to_markdown

    row = add_comparison(workspace, dataset, name=request.name, spec=request.as_json())
    try:
        with progress_bar() as report:
            execute(workspace, row.id, report=report)
    except BaseException as error:
        # One that asked goes on under its name, so that its caps hold; of the others nothing is left to go on with.
        if any(asks_model(each.strategy) for each in request.strategies):
            say_what_is_kept(error)
        else:
            with suppress(NotFound):
                delete_comparison(workspace, row.id)
        raise
    result = read_finished(workspace, get_comparison(workspace, row.id))
    silent = {each.name: str(each.failed) for each in result.compared.strategies if each.asked and each.failed}
    if as_json:
        print_json({"comparison": row.id, "split": result.record.split.hash, **({"failed": silent} if silent else {})})
        refuse_silent(silent, result.titles)
        return
    click.echo(to_markdown(table_of(result, "folds")))
    click.echo(to_markdown(table_of(result, "summary")))
    for notice in result.compared.notices:
        say(f"Note on {', '.join(notice.about)}: {notice.says}")
    say(f"Comparison {row.id}: `python -m audit_core clean report {row.id} --table differences` prints more.")
    refuse_silent(silent, result.titles)


def _request(name: str | None, options: dict[str, Any]) -> ComparisonRequest:
    from cleaning.request import DEFAULT_EMBEDDER, ComparisonRequest

    given = {"--labels": options["labels"], "--name": name}
    if missing := [option for option, value in given.items() if value is None]:
        raise click.UsageError(f"Missing option '{missing[0]}'; only with --request may it be left out.")
    return ComparisonRequest(
        name=str(name), labels=options["labels"], strategies=_choices(options["chosen"], is_all=options["is_all"]),
        embedder=options["embedder"] or DEFAULT_EMBEDDER, learning_curves=not options["no_learning_curves"],
        caps=caps_of(options), in_flight=options["in_flight"],
        **{each: options[each] for each in _AS_THEY_ARE},
    )  # fmt: skip


def _request_of_file(file: Path, name: str | None) -> ComparisonRequest:
    """Return the request that a file holds: one of its own, or the run card that `clean report --card` prints."""
    from cleaning.request import request_from

    refuse_beside_request({"dataset", "request_file", "name", "detach", "as_json", "is_estimate"})
    document = document_of(file)
    return request_from(document if name is None else {**document, "name": name})


def _choices(chosen: tuple[str, ...], *, is_all: bool) -> tuple[Choice, ...]:
    from cleaning.catalogue import strategies
    from cleaning.contract import Kind
    from cleaning.request import Choice

    if is_all and chosen:
        raise CleaningError("Either --all or --strategy: not both.")
    if is_all:
        # A server that costs money is asked only where its strategy is named.
        return tuple(
            Choice(each)
            for each, module in strategies().items()
            if module.kind != Kind.COMBINATION and not getattr(module, "asks_model", False)
        )
    return tuple(Choice(**each) for each in strategy_choices(chosen or DEFAULTS))


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
@json_option
@refusals_exit_with_1
def report_command(
    comparison: str,
    table: str,
    is_listing: bool,
    form: str,
    strategy: str | None,
    share_kept: float | None,
    card: bool,
    as_json: bool,
) -> None:
    """Print a table of a finished comparison, by its number or name."""
    from audit_core.workflow.comparisons import find_comparison
    from audit_core.workflow.workspace import open_workspace
    from cleaning.executing import card_document
    from cleaning.finished import read_finished
    from cleaning.report import TABLES, table_of
    from cleaning.tables import write_table

    if is_listing:
        if as_json:
            print_json(TABLES)
        else:
            print_table(("table", "shows"), list(TABLES.items()))
        return
    workspace = open_workspace(reads_only=True)
    result = read_finished(workspace, find_comparison(workspace, comparison))
    if card:
        print_json(card_document(result.record, result.request))
        return
    click.echo(
        write_table(
            table_of(result, table, strategy=strategy, share_kept=share_kept), FORMATS["json" if as_json else form]
        )
    )


@clean_group.command("published", epilog=example("clean published", "clean published --format latex"))
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="markdown", show_default=True)
@json_option
@refusals_exit_with_1
def published_command(form: str, as_json: bool) -> None:
    """Print the nine published removal matrices with their intervals, as an example of how such tables are read."""
    from cleaning.tables import write_table
    from cleaning.tables_content import published_table

    click.echo(write_table(published_table(), FORMATS["json" if as_json else form]))

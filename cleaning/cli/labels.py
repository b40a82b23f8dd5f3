"""`clean labels`, `clean import-labels`: where labels come from."""

from __future__ import annotations

import click

from audit_core.cli.output import example, json_option, print_json, print_table, refusals_exit_with_1, say
from cleaning.cli.group import clean_group


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
            ("labels", "kind", "queries", "random sample", "may"),
            [
                [
                    each.key,
                    each.kind,
                    each.queries,
                    "of a part" if each.is_of_part else "yes" if each.is_probability else "no",
                    "train only" if each.trains_only else "train, evaluate",
                ]
                for each in sources
            ],
        )
        for each in sources:
            if each.says:
                say(f"{each.key}: {each.says}")
    else:
        say("Nothing is labelled yet: judge queries in a campaign, or import a bundle with labels.")


@clean_group.command(
    "import-labels",
    epilog=example("clean import-labels my-set ratings.csv", "clean import-labels my-set r.jsonl --name r2"),
)
@click.argument("dataset", metavar="DATASET")
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False))
@click.option("--name", help="How the label set is called; the file's name where nothing is said.")
@json_option
@refusals_exit_with_1
def import_labels_command(dataset: str, file: str, name: str | None, as_json: bool) -> None:
    """Take a file of labels into a dataset: JSON Lines, CSV or Parquet with query_id and remove."""
    from dataclasses import asdict
    from pathlib import Path

    from audit_core.workflow.campaigns import find_dataset
    from audit_core.workflow.workspace import open_workspace
    from cleaning.label_import import import_labels

    workspace = open_workspace()
    added = import_labels(workspace, find_dataset(workspace, dataset), Path(file), name=name)
    if as_json:
        print_json(asdict(added))
        return
    say(f"{added.labels:,} labels are in labels:{added.name}.")
    if added.unknown:
        say(f"{len(added.unknown):,} queries are not in the dataset and were left out, such as {added.unknown[0]!r}.")

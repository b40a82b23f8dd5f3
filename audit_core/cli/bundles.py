"""prepare, import, export-bundle, datasets."""

from __future__ import annotations

from pathlib import Path

import click

from audit_core import config
from audit_core.cli.output import (
    example,
    json_option,
    print_json,
    print_table,
    progress_bar,
    refusals_exit_with_1,
    say,
)


@click.command("prepare", epilog=example("prepare", "prepare --no-sample"))
@click.option("--sample/--no-sample", default=True, help="Import the built-in sample where there is no dataset yet.")
@refusals_exit_with_1
def prepare(sample: bool) -> None:
    """Make ASSAY_HOME ready: the database, its migrations, the sample set, a campaign to try, and the first account.

    The first account's one-time password is printed once, at the end.
    """
    from audit_core.workflow.accounts import ensure_first_account, is_first_waiting
    from audit_core.workflow.first_account import FIRST_WAITS, first_account_words
    from audit_core.workflow.importing import list_datasets
    from audit_core.workflow.sample import add_sample
    from audit_core.workflow.workspace import open_workspace

    config.check()
    workspace = open_workspace()
    say(f"Database: {workspace.database.place}")
    if sample and not list_datasets(workspace):
        with progress_bar() as progress:
            campaign = add_sample(workspace, progress=progress)
        say(f"Sample imported; campaign {campaign.name!r} is open to try the judging page.")
    if password := ensure_first_account(workspace):
        say(first_account_words(password))
    elif is_first_waiting(workspace):
        say(FIRST_WAITS)


@click.command(
    "import",
    epilog=example("import path/to/bundle", "import bundle.zip --lenient", "import path/to/bundle --json"),
)
@click.argument("bundle", type=click.Path(exists=True, path_type=Path))
@click.option("--lenient", is_flag=True, help="Take what can be taken; each refusal becomes a finding of the dataset.")
@json_option
@refusals_exit_with_1
def import_command(bundle: Path, lenient: bool, as_json: bool) -> None:
    """Import a bundle (a folder or a zip file) as an immutable dataset revision, all or nothing."""
    from audit_core.workflow.importing import import_bundle, import_zip
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace()
    with progress_bar() as progress:
        take = import_bundle if bundle.is_dir() else import_zip
        result = take(workspace, bundle, lenient=lenient, progress=progress)
    if as_json:
        print_json(result.as_json())
        return
    for line in result.sentences():
        click.echo(line)


@click.command(
    "export-bundle",
    epilog=example(
        "export-bundle pdf_audit out/pdf_audit", "export-bundle pdf_audit@1 out --form parquet --media copy"
    ),
)
@click.argument("dataset")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--form", type=click.Choice(["jsonl", "parquet"]), default="jsonl", show_default=True, help="Form of the tables."
)
@click.option(
    "--media",
    type=click.Choice(["refer", "copy"]),
    default="refer",
    show_default=True,
    help="Refer to the page files where they lie, or copy them into the bundle.",
)
@json_option
@refusals_exit_with_1
def export_command(dataset: str, folder: Path, form: str, media: str, as_json: bool) -> None:
    """Write a dataset (NAME or NAME@REVISION) back as a bundle, with its judgments and label sets."""
    from audit_core.workflow.campaigns import find_dataset
    from audit_core.workflow.exporting import export_bundle, not_in_labels
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace(reads_only=True)
    found = find_dataset(workspace, dataset)
    written = export_bundle(workspace, found, folder, form=form, media=media)
    for sentence in not_in_labels(workspace, found):
        say(f"Note: {sentence}")
    if as_json:
        print_json({"dataset": found.name, "revision": found.revision, "folder": str(written)})
    else:
        click.echo(f"Dataset {found.name} revision {found.revision} written to {written}.")


@click.command("datasets", epilog=example("datasets", "datasets --all --json"))
@click.option("--all", "is_all", is_flag=True, help="Archived ones too.")
@json_option
@refusals_exit_with_1
def datasets_command(is_all: bool, as_json: bool) -> None:
    """List the imported datasets."""
    from audit_core.workflow.importing import dataset_counts, list_datasets
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace(reads_only=True)
    listed = [each for each in list_datasets(workspace) if is_all or each.archived_at is None]
    rows = [(each, dataset_counts(workspace, each)) for each in listed]
    if as_json:
        print_json(
            [
                {
                    "name": row.name,
                    "revision": row.revision,
                    "title": row.title,
                    "archived": row.archived_at is not None,
                    "content_hash": row.content_hash,
                    "imported_at": row.imported_at,
                    "lenient": row.is_lenient,
                    "origin": row.origin,
                    "counts": counts,
                }
                for row, counts in rows
            ]
        )
    elif rows:
        header = ("name", "revision", "documents", "pages", "queries", "content", "imported", "title", "origin")
        print_table(
            header,
            [
                (
                    row.name,
                    row.revision,
                    *((counts[name] for name in ("documents", "pages", "queries")) if counts else ("gone", "-", "-")),
                    row.content_hash[:12],
                    row.imported_at[:16].replace("T", " "),
                    (row.title or "") + (" (archived)" if row.archived_at else ""),
                    row.origin,
                )
                for row, counts in rows
            ],
        )
    elif list_datasets(workspace):
        say("Every dataset is archived: `python -m audit_core datasets --all` lists them.")
    else:
        say("There is no dataset yet. Import one: `python -m audit_core import FOLDER`.")

"""release make, list, issue-text, certificate, delete; verify."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from audit_core.cli.output import example, json_option, print_json, print_table, progress_bar, refusals_exit_with_1, say

if TYPE_CHECKING:
    from audit_core.release.verification import Verification

_person_option = click.option("--person", required=True, metavar="NAME", help="Who does it: a lead.")


@click.group(
    "release",
    epilog=example("release list", "release make pdf_audit --revision 2 --person Ada", "release issue-text 1"),
)
def release_group() -> None:
    """Releases of corrections: a new revision with its ledger, proved, and what is told of it."""


@release_group.command(
    "make",
    epilog=example(
        "release make pdf_audit --revision 2 --person Ada",
        "release make pdf_audit --revision 2 --campaign audit-2026 --form parquet --beir --person Ada --import",
        "release make pdf_audit@1 --revision 2 --media copy --to out/pdf_audit-2 --person Ada",
        "release make pdf_audit --revision 2-ids --ids-only --person Ada --detach",
    ),
)
@click.argument("dataset")
@click.option("--revision", required=True, help="What the new revision is called.")
@click.option(
    "--campaign", "campaigns", multiple=True, metavar="NAME", help="Only corrections that come from it; once for each."
)
@click.option("--to", type=click.Path(path_type=Path, file_okay=False), help="Put the files into this new folder too.")
@click.option(
    "--form", type=click.Choice(["jsonl", "parquet"]), default="jsonl", show_default=True, help="Form of the tables."
)
@click.option(
    "--media", type=click.Choice(["refer", "copy"]), default="refer", show_default=True,
    help="Refer to the page files where they lie, or copy them into the bundle.",
)  # fmt: skip
@click.option("--beir", is_flag=True, help="Write BEIR-style Parquet as well: corpus, queries, qrels, row status.")
@click.option("--ids-only", is_flag=True, help="Ids and codes only: no text, and so no bundle.")
@click.option("--import", "imports", is_flag=True, help="Import the new revision here.")
@click.option("--seed", type=int, default=1, show_default=True, help="What chooses the examples of the issue text.")
@_person_option
@click.option("--detach", is_flag=True, help="Start it as a job and come back at once.")
@json_option
@refusals_exit_with_1
def make_command(
    dataset: str,
    revision: str,
    campaigns: tuple[str, ...],
    to: Path | None,
    form: str,
    media: str,
    beir: bool,
    ids_only: bool,
    imports: bool,
    seed: int,
    person: str,
    detach: bool,
    as_json: bool,
) -> None:
    """Publish the accepted corrections of a dataset (NAME or NAME@REVISION) as a new revision with a ledger and a proof."""
    from audit_core.audit_report.wording import counted as number
    from audit_core.errors import LedgerError
    from audit_core.workflow.campaigns import find_dataset
    from audit_core.workflow.release_request import ReleaseRequest
    from audit_core.workflow.releasing import make_release, start_release
    from audit_core.workflow.sign_in import sign_in
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace()
    found = find_dataset(workspace, dataset)
    who = sign_in(workspace, person)
    request = ReleaseRequest(revision, campaigns, form, media, beir, ids_only, imports, seed)
    if detach:
        if to is not None:
            raise LedgerError("A job does not write to a folder of your choice: leave --to out, or --detach.")
        job = start_release(workspace, found, request, person=who)
        if as_json:
            print_json({"job": job.id})
        else:
            click.echo(f"Job {job.id} is started: `python -m audit_core job show {job.id}` tells how far it is.")
        return
    with progress_bar() as progress:
        view = make_release(workspace, found, request, person=who, to=to, report=progress)
    if as_json:
        print_json(view.as_json() | {"to": None if to is None else str(to)})
        return
    result = view.row.result or {}
    counts, proved = result["counts"], result["verification"]["counts"]
    click.echo(f"Release {view.row.id}: {view.title}, content {result['hash']}.")
    click.echo(
        f"{number(counts['changes'], 'correction', 'corrections')}: {number(proved['changed'], 'query', 'queries')} changed, "
        f"{proved['withdrawn']:,} withdrawn. Proved."
    )
    click.echo(f"Its files are in {to or view.folder}.")
    if view.made is not None:
        click.echo(f"Imported as {view.made.name}@{view.made.revision}.")


@release_group.command("list", epilog=example("release list", "release list pdf_audit --json"))
@click.argument("dataset", required=False)
@json_option
@refusals_exit_with_1
def list_command(dataset: str | None, as_json: bool) -> None:
    """List the releases, of one dataset where it is named, the newest first."""
    from audit_core.workflow.campaigns import find_dataset
    from audit_core.workflow.release_list import list_releases
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace(reads_only=True)
    views = list_releases(workspace)
    if dataset is not None:
        found = find_dataset(workspace, dataset)
        # NAME alone means all its revisions: the newest one may be what a release made.
        views = [each for each in views if each.dataset == found or each.dataset.name == dataset]
    if as_json:
        print_json([each.as_json() for each in views])
    elif views:
        header = ("id", "dataset", "revision", "makes", "corrections", "state", "content", "by", "folder")
        print_table(
            header,
            [
                (
                    each.row.id, each.dataset.name, each.dataset.revision, each.row.revision,
                    (each.row.result or {}).get("counts", {}).get("changes", 0),
                    each.row.finished_at[:16].replace("T", " ") if each.row.finished_at else "not finished",
                    str((each.row.result or {}).get("hash", "-"))[:12], each.person, str(each.folder),
                )
                for each in views
            ],
        )  # fmt: skip
    else:
        say("There is no release yet. `release make` makes one of accepted corrections.")


@release_group.command("issue-text", epilog=example("release issue-text 1", "release issue-text 1 --json"))
@click.argument("release", type=int)
@json_option
@refusals_exit_with_1
def issue_text_command(release: int, as_json: bool) -> None:
    """Print the text for an issue at the benchmark's own place, in Markdown."""
    from audit_core.workflow.release_list import get_release
    from audit_core.workflow.release_making import ISSUE
    from audit_core.workflow.release_told import released_text
    from audit_core.workflow.workspace import open_workspace

    text = released_text(get_release(open_workspace(reads_only=True), release), ISSUE)
    if as_json:
        print_json({"release": release, "text": text})
        return
    click.echo(text, nl=False)


@release_group.command(
    "certificate",
    epilog=example("release certificate 1", "release certificate 1 --json", "release certificate 1 --again"),
)
@click.argument("release", type=int)
@click.option(
    "--again", is_flag=True, help="Make the release again, keep nothing, and say whether the certificate is the same."
)
@json_option
@refusals_exit_with_1
def certificate_command(release: int, again: bool, as_json: bool) -> None:
    """Print what a release rests on; with --again exit with 1 where what it held gives another one now."""
    from audit_core.workflow.release_again import certificate_again
    from audit_core.workflow.release_list import get_release
    from audit_core.workflow.release_making import CERTIFICATE, CERTIFICATE_READABLE
    from audit_core.workflow.release_told import released_text
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace(reads_only=not again)
    view = get_release(workspace, release)
    if not again:
        click.echo(released_text(view, CERTIFICATE if as_json else CERTIFICATE_READABLE), nl=False)
        return
    with progress_bar() as progress:
        made = certificate_again(workspace, view, report=progress)
    if as_json:
        print_json({"same": made.is_same, "differs_in": made.differs_in, "fields": made.fields, "why": list(made.why)})
    elif made.is_same:
        click.echo("Made again: the certificate is the same, byte for byte.")
    else:
        click.echo(f"Made again from what it held: the certificate differs in {', '.join(made.differs_in)}.")
        for line in (*(f"  {each}" for each in made.fields), *made.why):
            click.echo(line)
    if not made.is_same:
        sys.exit(1)


@release_group.command("delete", epilog=example("release delete 1 --person Ada"))
@click.argument("release", type=int)
@_person_option
@json_option
@refusals_exit_with_1
def delete_command(release: int, person: str, as_json: bool) -> None:
    """Delete a release with its files; corrections stay, and so does a revision that was imported."""
    from audit_core.workflow.release_list import delete_release, get_release
    from audit_core.workflow.sign_in import sign_in
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace()
    view = get_release(workspace, release)
    delete_release(workspace, release, person=sign_in(workspace, person))
    if as_json:
        print_json({"release": release, "title": view.title, "deleted": True})
        return
    click.echo(f"Release {release} ({view.title}) is deleted.")


@click.command(
    "verify",
    epilog=example(
        "verify old/ ledger.jsonl new/", "verify old/ ledger.jsonl new/ --certificate certificate.json --json"
    ),
)
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("ledger", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.option(
    "--certificate",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Hold hashes of both and of the ledger against it.",
)
@click.option("--lenient", is_flag=True, help="Read both bundles as a lenient import does.")
@json_option
@refusals_exit_with_1
def verify_command(old: Path, ledger: Path, new: Path, certificate: Path | None, lenient: bool, as_json: bool) -> None:
    """Prove that the bundle NEW is the bundle OLD with the changes of LEDGER and nothing else; exit with 1 where it is not.

    OLD and NEW are folders, or zip files, of bundles in either form. No database is needed.
    """
    from audit_core.release.verify_files import verify_files

    with progress_bar() as progress:
        found: Verification = verify_files(old, ledger, new, certificate=certificate, lenient=lenient, report=progress)
    if as_json:
        print_json(found.as_json())
    else:
        for line in found.sentences():
            click.echo(line)
    if not found.is_proved:
        sys.exit(1)

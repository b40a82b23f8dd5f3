"""`clean apply`, `clean applied`, `clean removed`, `clean changes`: making a cleaned revision and seeing what went."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import click

from audit_core.cli.output import example, json_option, print_json, print_table, progress_bar, refusals_exit_with_1, say
from audit_core.errors import CleaningError, NotFound
from cleaning.cli.group import clean_group

if TYPE_CHECKING:
    from audit_core.workflow.workspace import Workspace
    from cleaning.applied import Applied
    from cleaning.apply_request import ApplyRequest, AtThreshold
    from cleaning.applying import Plan
    from cleaning.scoring import Scoring

FORMATS = {"markdown": ".md", "csv": ".csv", "latex": ".tex", "json": ".json"}


@clean_group.command(
    "apply",
    epilog=example(
        "clean apply all-queries --strategy llm_rating:0.75 --name first --revision 2-cleaned --preview",
        "clean apply all-queries --strategy llm_rating:0.75 --name first --revision 2-cleaned",
        "clean apply 3 --strategy rules --strategy knn:0.6 --combine union --name second --revision 2b --detach",
        "clean apply 3 --strategy rules --strategy knn --strategy llm_rating --combine 2 --name third --revision 2c",
    ),
)
@click.argument("scoring", metavar="SCORING")
@click.option(
    "--strategy", "chosen", multiple=True, required=True, metavar="NAME[:THRESHOLD]",
    help="A strategy of the scoring, and the score from which it removes; once for each.",
)  # fmt: skip
@click.option("--combine", metavar="union|intersection|K", help="How several decide: any, all, or at least K of them.")
@click.option("--name", required=True, help="How the cleaning is called.")
@click.option("--revision", required=True, help="What the new revision of the dataset is called.")
@click.option("--rewrites", metavar="RUN", help="Put the accepted rewordings of this run in.")
@click.option("--preview", is_flag=True, help="Show what would go, and make nothing.")
@click.option("--detach", is_flag=True, help="Start it as a job and come back at once.")
@json_option
@refusals_exit_with_1
def apply_command(
    scoring: str,
    chosen: tuple[str, ...],
    combine: str | None,
    name: str,
    revision: str,
    rewrites: str | None,
    preview: bool,
    detach: bool,
    as_json: bool,
) -> None:
    """Remove queries by the scores of a scoring, as a new revision of the dataset; the old one is untouched."""
    from audit_core.workflow.cleanings import find_run, start_run
    from audit_core.workflow.workspace import open_workspace
    from cleaning.apply_request import ApplyRequest, combine_from
    from cleaning.applying import plan_application
    from cleaning.scoring_files import read_scoring

    workspace = open_workspace(reads_only=preview)
    run = find_run(workspace, scoring, "score")
    way, k = combine_from(combine) if combine is not None else (None, None)
    request = ApplyRequest(
        name=name, scoring=run.row.id, strategies=_strategies(chosen, read_scoring(workspace, run)), revision=revision,
        combine=way, k=k, rewrites=None if rewrites is None else find_run(workspace, rewrites, "rewrite").row.id,
    )  # fmt: skip
    # What makes it impossible is said before a job waits, or anything is written.
    plan = plan_application(workspace, request)
    if preview:
        _show_preview(plan, as_json=as_json)
    elif detach:
        row, job = start_run(workspace, run.dataset, kind="apply", name=request.name, spec=request.as_json())
        if as_json:
            print_json({"run": row.id, "job": job.id})
        else:
            say(f"Cleaning {row.id} runs as job {job.id}: `python -m audit_core job show {job.id}`.")
    else:
        dataset = plan.dataset
        del plan
        _apply_now(workspace, dataset.id, request, as_json=as_json)


def _strategies(chosen: tuple[str, ...], scoring: Scoring) -> tuple[AtThreshold, ...]:
    """Return the strategies that were named; the name of one may hold a colon itself."""
    from cleaning.apply_request import AtThreshold

    known = {each.name for each in scoring.strategies}
    found = []
    for each in chosen:
        name, colon, threshold = each.rpartition(":")
        if each in known or not colon:
            found.append(AtThreshold(each))
            continue
        try:
            found.append(AtThreshold(name, float(threshold)))
        except ValueError:
            raise CleaningError(f"--strategy {each}: {threshold!r} is no threshold. Write NAME:0.6.") from None
    return tuple(found)


def _show_preview(plan: Plan, *, as_json: bool) -> None:
    import json

    from cleaning.applied import TABLES
    from cleaning.tables import to_json, to_markdown

    applied = plan.applied
    if as_json:
        tables = {name: json.loads(to_json(applied.table(name))) for name in TABLES}
        print_json({**applied.summary(), "notes": list(applied.notes), "tables": tables})
        return
    for name in TABLES:
        click.echo(to_markdown(applied.table(name)))
    _say_all(applied)
    say("Nothing was made: leave --preview out to make the revision.")


def _apply_now(workspace: Workspace, dataset_id: int, request: ApplyRequest, *, as_json: bool) -> None:
    from audit_core.workflow.cleanings import add_run, delete_run, get_run
    from cleaning.applying import execute_apply, has_made
    from cleaning.removal_tables import SOURCE
    from cleaning.tables import to_markdown

    dataset = workspace.dataset(dataset_id)
    row = add_run(workspace, dataset, kind="apply", name=request.name, spec=request.as_json())
    try:
        with progress_bar() as report:
            applied = execute_apply(workspace, row.id, report)
    except BaseException:
        # Nobody waits for one that broke off here: its name is free again. Once the revision is there, the run says what
        # went, and the same command finishes it.
        with suppress(NotFound, CleaningError):
            if not has_made(workspace, row.id):
                delete_run(workspace, row.id)
        raise
    made = get_run(workspace, row.id).made
    if as_json:
        content_hash = made.content_hash if made is not None else None
        print_json(
            {"run": row.id, "dataset": dataset.name, "content_hash": content_hash, **applied.summary(), "notes": list(applied.notes)}
        )  # fmt: skip
        return
    click.echo(to_markdown(applied.table(SOURCE)))
    _say_all(applied)
    say(f"Cleaning {row.id}: `python -m audit_core clean removed {row.id}` lists what went, and why.")


def _say_all(applied: Applied) -> None:
    for sentence in applied.sentences():
        say(sentence)


@clean_group.command("applied", epilog=example("clean applied", "clean applied --json"))
@click.option("--all", "is_all", is_flag=True, help="Archived ones too.")
@json_option
@refusals_exit_with_1
def applied_command(is_all: bool, as_json: bool) -> None:
    """List the cleanings that were applied."""
    from audit_core.workflow.cleanings import list_runs
    from audit_core.workflow.workspace import open_workspace

    runs = list_runs(open_workspace(reads_only=True), kind="apply", archived=None if is_all else False)
    rows = []
    for each in runs:
        result = each.row.result or {}
        rows.append(
            {
                "id": each.row.id,
                "name": each.row.name,
                "dataset": each.original[0],
                "from": each.original[1],
                "made": each.made.revision if each.made is not None else None,
                "state": each.state,
                **{what: result.get(what) for what in ("before", "removed", "after", "undecided")},
            }
        )
    if as_json:
        print_json(rows)
    elif rows:
        print_table(list(rows[0]), [["-" if cell is None else cell for cell in each.values()] for each in rows])
    else:
        say("No cleaning was applied yet. Apply one: `python -m audit_core clean apply SCORING ...`.")


@clean_group.command("removed", epilog=example("clean removed first", "clean removed 4 --format jsonl"))
@click.argument("run", metavar="RUN")
@click.option("--format", "form", type=click.Choice(["csv", "jsonl"]), default="csv", show_default=True)
@json_option
@refusals_exit_with_1
def removed_command(run: str, form: str, as_json: bool) -> None:
    """Print the queries that a cleaning removed: by which strategies, with scores, thresholds and reasons."""
    from audit_core.workflow.cleanings import find_run
    from audit_core.workflow.workspace import open_workspace
    from cleaning.applied import read_applied, read_removed
    from cleaning.removed_list import as_lines

    workspace = open_workspace(reads_only=True)
    found = find_run(workspace, run, "apply")
    applied = read_applied(workspace, found)
    rows = read_removed(workspace, found, applied)
    if as_json:
        print_json(list(rows))
        return
    for line in as_lines(rows, form, list(applied.thresholds)):
        click.echo(line.encode("utf-8"), nl=False)


@clean_group.command(
    "changes",
    epilog=example(
        "clean changes first",
        "clean changes first --table domain --format csv",
        "clean changes 4 --table evidence --json",
    ),
)
@click.argument("run", metavar="RUN")
@click.option(
    "--table", type=click.Choice(["source", "domain", "evidence"]), default="source", show_default=True,
    help="By source, by domain, or by the kinds of evidence.",
)  # fmt: skip
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="markdown", show_default=True)
@json_option
@refusals_exit_with_1
def changes_command(run: str, table: str, form: str, as_json: bool) -> None:
    """Print how many queries a cleaning took from each stratum: before, removed, after and the share kept."""
    from audit_core.workflow.cleanings import find_run
    from audit_core.workflow.workspace import open_workspace
    from cleaning.applied import read_applied
    from cleaning.tables import write_table

    workspace = open_workspace(reads_only=True)
    applied = read_applied(workspace, find_run(workspace, run, "apply"))
    click.echo(write_table(applied.table(table), FORMATS["json" if as_json else form]))

"""`clean rewrite`, `clean rewrites`: other wordings that a language model proposes, and a person's word on each."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from audit_core.cli.output import example, json_option, print_json, print_table, progress_bar, refusals_exit_with_1, say
from audit_core.errors import CleaningError, NotFound
from cleaning.cli.asking import print_estimate, say_what_is_kept
from cleaning.cli.asking_options import asking_options, caps_of
from cleaning.cli.group import clean_group

if TYPE_CHECKING:
    from audit_core.storage.datasets import DatasetRow
    from audit_core.workflow.workspace import Workspace
    from cleaning.rewrite_request import RewriteRequest

STATES = ("proposed", "accepted", "rejected")


@clean_group.command(
    "rewrite",
    epilog=example(
        "clean rewrite my-set --scoring rated --strategy llm_rating --name first --estimate",
        "clean rewrite my-set --scoring rated --strategy llm_rating --name first --max-calls 200",
        "clean rewrite my-set --queries ids.txt --with-pages --name second --detach",
    ),
)
@click.argument("dataset", metavar="DATASET")
@click.option("--name", required=True, help="How the rewording is called. One of that name that broke off goes on.")
@click.option("--scoring", metavar="SCORING", help="Reword what a strategy of this scoring removes.")
@click.option("--strategy", help="With --scoring: the strategy; its reasons are told to the model.")
@click.option(
    "--queries", "file", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
    help="Reword the queries of a file: one query id a line.",
)  # fmt: skip
@click.option("--model", help="Another model than ASSAY_LLM_MODEL.")
@click.option("--with-answer", is_flag=True, help="Show the model the answer as well.")
@click.option("--with-pages", is_flag=True, help="Show the model the evidence pages as well.")
@asking_options
@click.option("--detach", is_flag=True, help="Start it as a job and come back at once.")
@json_option
@refusals_exit_with_1
def rewrite_command(
    dataset: str, scoring: str | None, file: Path | None, is_estimate: bool, detach: bool, as_json: bool, **options: Any
) -> None:
    """Ask a language model for other wordings. Nothing is changed before a person accepts one (`clean rewrites`)."""
    from audit_core.workflow.campaigns import find_dataset
    from audit_core.workflow.cleanings import find_run, start_run
    from audit_core.workflow.workspace import open_workspace
    from cleaning.comparison_asking import PlannedFor
    from cleaning.rewrite_request import RewriteRequest
    from cleaning.rewriting_run import check_rewrite, plan_rewrite

    workspace = open_workspace(reads_only=is_estimate)
    found = find_dataset(workspace, dataset)
    shown = {name: True for name in ("with_answer", "with_pages") if options[name]}
    request = RewriteRequest(
        name=options["name"],
        scoring=None if scoring is None else find_run(workspace, scoring).row.id,
        strategy=options["strategy"],
        query_ids=None if file is None else _ids_of(file),
        options={**shown, **({"model": options["model"]} if options["model"] else {})},
        caps=caps_of(options),
        in_flight=options["in_flight"],
    )
    check_rewrite(workspace, found, request)
    if is_estimate:
        planned = PlannedFor("rewrite", plan_rewrite(workspace, found, request))
        print_estimate([planned], as_json=as_json)
    elif detach:
        row, job = start_run(workspace, found, kind="rewrite", name=request.name, spec=request.as_json())
        if as_json:
            print_json({"run": row.id, "job": job.id})
        else:
            say(f"Rewording {row.id} runs as job {job.id}: `python -m audit_core job show {job.id}`.")
    else:
        _reword_now(workspace, found, request, as_json=as_json)


def _ids_of(file: Path) -> tuple[str, ...]:
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CleaningError(f"{file} cannot be read as UTF-8 text ({error}).") from error
    return tuple(each.strip() for each in lines if each.strip())


def _reword_now(workspace: Workspace, dataset: DatasetRow, request: RewriteRequest, *, as_json: bool) -> None:
    from audit_core.workflow.cleanings import add_run
    from cleaning.rewriting_run import execute_rewrite

    row = add_run(workspace, dataset, kind="rewrite", name=request.name, spec=request.as_json())
    # One that breaks off stays: under its name it goes on, and its caps hold.
    try:
        with progress_bar() as report:
            result = execute_rewrite(workspace, row.id, report=report)
    except KeyboardInterrupt as stop:
        say_what_is_kept(stop)
        raise
    if as_json:
        print_json({"run": row.id, **result})
        return
    say(
        f"Of {result['queries']:,} queries {result['proposed']:,} have a proposed rewording, {result['unchanged']:,} are to "
        f"stay as they are, and {result['unanswered']:,} got no usable answer. "
        f"`python -m audit_core clean rewrites {row.id}` lists the proposals."
    )


@clean_group.command(
    "rewrites",
    epilog=example(
        "clean rewrites",
        "clean rewrites first --state proposed",
        "clean rewrites first --accept q17 --accept q20 --person Ada",
        "clean rewrites first --reject q18 --person Ada",
    ),
)
@click.argument("run", metavar="[RUN]", required=False)
@click.option("--state", type=click.Choice(STATES), help="Only those in this state.")
@click.option("--accept", "accepted", multiple=True, metavar="QUERY_ID", help="Accept a rewording; needs --person.")
@click.option("--reject", "rejected", multiple=True, metavar="QUERY_ID", help="Reject a rewording; needs --person.")
@click.option("--person", metavar="NAME", help="Who decides: only people do.")
@json_option
@refusals_exit_with_1
def rewrites_command(
    run: str | None,
    state: str | None,
    accepted: tuple[str, ...],
    rejected: tuple[str, ...],
    person: str | None,
    as_json: bool,
) -> None:
    """List rewordings, or what one proposes; accept or reject proposals as a named person. The last word counts."""
    from audit_core.workflow.cleanings import find_run
    from audit_core.workflow.rewrites import list_rewrites
    from audit_core.workflow.workspace import open_workspace

    decides = bool(accepted or rejected)
    if decides and (run is None or person is None):
        raise click.UsageError("Only a named person decides on the proposals of a run: name RUN and --person NAME.")
    if both := sorted(set(accepted) & set(rejected)):
        raise click.UsageError(f"{both[0]} cannot be accepted and rejected at once.")
    workspace = open_workspace(reads_only=not decides)
    if run is None:
        _list_runs(workspace, as_json=as_json)
        return
    found = find_run(workspace, run, "rewrite")
    if decides:
        _decide(workspace, found.row.id, accepted, rejected, str(person))
    rows = list_rewrites(workspace, found.row.id, state=state)
    if as_json:
        print_json([asdict(each) for each in rows])
        return
    for each in rows:
        by = f" by {each.decided_by}" if each.decided_by else ""
        click.echo(f"{each.query_id}  {each.state}{by}\n  - {each.before}\n  + {each.after}\n  {each.reason}")
    if not rows:
        say("There is no proposal in this state." if state else "The run proposes nothing.")


def _decide(workspace: Workspace, run_id: int, accepted: tuple[str, ...], rejected: tuple[str, ...], name: str) -> None:
    from audit_core.workflow.rewrites import decide_rewrite, list_rewrites
    from audit_core.workflow.sign_in import sign_in

    known = {each.query_id for each in list_rewrites(workspace, run_id)}
    # All or none: a wrong id is found before anything is decided.
    if missing := [each for each in (*accepted, *rejected) if each not in known]:
        raise NotFound(f"Run {run_id} proposes nothing for the query {missing[0]!r}. Nothing was decided.")
    person = sign_in(workspace, name)
    for query_id in (*accepted, *rejected):
        decide_rewrite(workspace, run_id, query_id, accept=query_id in accepted, person=person)
    say(f"{person.name} accepted {len(set(accepted)):,} and rejected {len(set(rejected)):,}.")


def _list_runs(workspace: Workspace, *, as_json: bool) -> None:
    from audit_core.workflow.cleanings import list_runs

    rows = [
        {
            "id": each.row.id,
            "name": each.row.name,
            "dataset": f"{each.dataset.name}@{each.dataset.revision}",
            "state": each.state,
            **{name: (each.row.result or {}).get(name) for name in ("queries", "proposed", "unchanged", "unanswered")},
            "created": each.row.created_at,
        }
        for each in list_runs(workspace, kind="rewrite")
    ]
    if as_json:
        print_json(rows)
    elif rows:
        print_table(list(rows[0]), [["-" if cell is None else cell for cell in row.values()] for row in rows])
    else:
        say("There is no rewording yet. Ask for some: `python -m audit_core clean rewrite DATASET ...`.")

"""`clean score`, `clean scores`, `clean prompts`: scoring all queries of a dataset, and what language models are asked."""

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
    from audit_core.domain import JsonObject
    from audit_core.storage.datasets import DatasetRow
    from audit_core.workflow.workspace import Workspace
    from cleaning.score_request import ScoreRequest

#: Options that may stand beside --request.
_BESIDE_REQUEST = {
    "dataset", "request_file", "name", "detach", "as_json", "is_estimate", "max_calls", "max_tokens", "max_spend",
    "in_flight",
}  # fmt: skip


@clean_group.command(
    "score",
    epilog=example(
        "clean score my-set --strategy rules --name rules",
        "clean score my-set --strategy rules --strategy knn:0.6 --train-labels labels:removal --name all",
        "clean score my-set --strategy llm_rating --name rated --estimate",
        "clean score my-set --strategy llm_rating --name rated --max-calls 2000 --in-flight 16 --detach",
        "clean score my-set --request request.json --name third",
    ),
)
@click.argument("dataset", metavar="DATASET")
@click.option("--name", help="How the scoring is called. One of that name that broke off goes on.")
@click.option(
    "--strategy", "chosen", multiple=True, metavar="NAME[:THRESHOLD]", help="A strategy that takes part; once for each."
)
@click.option("--train-labels", metavar="KEY", help="Train those that learn on all of these labels.")
@click.option("--remove-codes", default="FN", show_default=True, help="Audit codes that mean removal.")
@click.option("--embedder", help="An embedder, bundle:MODEL, or none; the local model where nothing is said.")
@click.option("--seed", default=1, show_default=True, help="Seed of the strategies.")
@click.option(
    "--request", "request_file", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
    help="Read everything but the name from a JSON file: with options and combinations.",
)  # fmt: skip
@asking_options
@click.option("--detach", is_flag=True, help="Start it as a job and come back at once.")
@json_option
@refusals_exit_with_1
def score_command(
    dataset: str,
    name: str | None,
    request_file: Path | None,
    is_estimate: bool,
    detach: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Score all queries of a dataset, and keep the scores: to choose a threshold on, and to clean by."""
    from audit_core.workflow.campaigns import find_dataset
    from audit_core.workflow.cleanings import start_run
    from audit_core.workflow.workspace import open_workspace
    from cleaning.score_asking import plan_score
    from cleaning.scoring_all import check_score

    request = _request(request_file, name, options)
    workspace = open_workspace(reads_only=is_estimate)
    found = find_dataset(workspace, dataset)
    check_score(workspace, found, request)
    if is_estimate:
        print_estimate(plan_score(workspace, found, request), as_json=as_json)
    elif detach:
        row, job = start_run(workspace, found, kind="score", name=request.name, spec=request.as_json())
        if as_json:
            print_json({"run": row.id, "job": job.id})
        else:
            say(f"Scoring {row.id} runs as job {job.id}: `python -m audit_core job show {job.id}`.")
    else:
        _score_now(workspace, found, request, as_json=as_json)


def _request(file: Path | None, name: str | None, options: dict[str, Any]) -> ScoreRequest:
    from cleaning.request import DEFAULT_EMBEDDER
    from cleaning.score_request import score_request_from

    caps, in_flight = caps_of(options), options["in_flight"]
    if file is not None:
        refuse_beside_request(_BESIDE_REQUEST)
        document = document_of(file)
        if name is not None:
            document["name"] = name
        if caps is not None:
            document["caps"] = {**(document.get("caps") or {}), **caps}
        if in_flight is not None:
            document["in_flight"] = in_flight
        return score_request_from(document)
    if name is None or not options["chosen"]:
        missing = "--name" if name is None else "--strategy"
        raise click.UsageError(f"Missing option '{missing}'; only with --request may it be left out.")
    return score_request_from(
        {
            "name": name,
            "strategies": strategy_choices(options["chosen"]),
            "train_labels": options["train_labels"],
            "remove_codes": options["remove_codes"],
            "embedder": options["embedder"] or DEFAULT_EMBEDDER,
            "seed": options["seed"],
            "caps": caps,
            "in_flight": in_flight,
        }
    )


def _score_now(workspace: Workspace, dataset: DatasetRow, request: ScoreRequest, *, as_json: bool) -> None:
    from audit_core.workflow.cleanings import add_run, delete_run, get_run
    from cleaning.score_asking import any_asks
    from cleaning.scoring_all import execute_score

    row = add_run(workspace, dataset, kind="score", name=request.name, spec=request.as_json())
    try:
        with progress_bar() as report:
            scoring = execute_score(workspace, row.id, report=report)
    except BaseException as error:
        # One that asked goes on under its name, so that its caps hold; of the others nothing is left to go on with.
        if any_asks(request):
            say_what_is_kept(error)
        else:
            with suppress(NotFound, CleaningError):
                if not get_run(workspace, row.id).is_finished:
                    delete_run(workspace, row.id)
        raise
    result: JsonObject = get_run(workspace, row.id).row.result or {}
    silent = {
        each.name: each.failed for each in scoring.strategies if each.asked is not None and each.failed is not None
    }
    titles = {each.name: each.title for each in scoring.strategies}
    if as_json:
        print_json({"run": row.id, **result})
        refuse_silent(silent, titles)
        return
    print_table(
        ("strategy", "threshold", "removed", "kept", "undecided"),
        [
            [each["name"], each["threshold"], each["removed"], each["kept"], each["undecided"]]
            for each in result["strategies"]
            if each["failed"] is None
        ],
    )
    for each in result["notices"]:
        say(f"Note on {', '.join(each['about'])}: {each['says']}")
    say(f"Scoring {row.id} holds {result['queries']:,} queries: `python -m audit_core clean choose {row.id}` goes on.")
    refuse_silent(silent, titles)


@clean_group.command("scores", epilog=example("clean scores", "clean scores --dataset my-set --json"))
@click.option("--dataset", metavar="DATASET", help="Only those of this dataset.")
@click.option("--archived", is_flag=True, help="Those that are archived instead.")
@json_option
@refusals_exit_with_1
def scores_command(dataset: str | None, archived: bool, as_json: bool) -> None:
    """List the scorings, the newest first."""
    from audit_core.workflow.campaigns import find_dataset
    from audit_core.workflow.cleanings import list_runs
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace(reads_only=True)
    found = find_dataset(workspace, dataset) if dataset is not None else None
    rows = [
        {
            "id": each.row.id,
            "name": each.row.name,
            "dataset": f"{each.dataset.name}@{each.dataset.revision}",
            "state": each.state,
            "queries": (each.row.result or {}).get("queries"),
            "strategies": ", ".join(
                str(one.get("label") or one.get("strategy")) for one in each.row.spec.get("strategies", ())
            ),
            "job": each.job.job.id if each.job is not None else None,
            "created": each.row.created_at,
        }
        for each in list_runs(workspace, kind="score", archived=archived, dataset=found)
    ]
    if as_json:
        print_json(rows)
    elif rows:
        print_table(list(rows[0]), [["-" if cell is None else cell for cell in row.values()] for row in rows])
    else:
        say(
            "There is no scoring yet. Make one: `python -m audit_core clean score DATASET --strategy rules --name first`."
        )


@clean_group.command("prompts", epilog=example("clean prompts", "clean prompts llm_rating", "clean prompts --json"))
@click.argument("prompt", metavar="[PROMPT]", required=False)
@json_option
@refusals_exit_with_1
def prompts_command(prompt: str | None, as_json: bool) -> None:
    """List the prompts that language models are given, with their hashes; or print one as it stands in its file."""
    from cleaning.llm.prompt import load_prompt, prompt_names

    if prompt is not None:
        loaded = load_prompt(prompt)
        if as_json:
            print_json({"name": loaded.name, "sha256": loaded.hash, "text": loaded.text})
        else:
            click.echo(loaded.text)
        return
    rows = [{"name": each, "sha256": load_prompt(each).hash} for each in prompt_names()]
    if as_json:
        print_json(rows)
    else:
        print_table(("prompt", "sha256"), [list(each.values()) for each in rows])

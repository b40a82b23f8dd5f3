"""corrections list, propose, review, rebase, check."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from audit_core.cli.corrections_shown import next_step, print_corrections, print_outcome
from audit_core.cli.output import example, json_option, print_json, refusals_exit_with_1, say
from audit_core.corrections.records import Action, CorrectionState
from audit_core.errors import AssayError

if TYPE_CHECKING:
    from audit_core.storage.datasets import DatasetRow
    from audit_core.workflow.corrections_revising import Done
    from audit_core.workflow.workspace import Workspace

_NONE = "none"

_person_option = click.option("--person", required=True, metavar="NAME", help="Who does it: only people do.")


@click.group(
    "corrections",
    epilog=example(
        "corrections list pdf_audit", "corrections propose pdf_audit --from-campaign two_annotators --person Ada"
    ),
)
def corrections_group() -> None:
    """Corrections of a dataset's queries: propose, review, and see what they come to."""


def _opened(dataset: str, *, reads_only: bool) -> tuple[Workspace, DatasetRow]:
    from audit_core.workflow.campaigns import find_dataset
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace(reads_only=reads_only)
    return workspace, find_dataset(workspace, dataset)


@corrections_group.command(
    "list",
    epilog=example("corrections list pdf_audit", "corrections list pdf_audit --state proposed --code E --json"),
)
@click.argument("dataset")
@click.option("--state", type=click.Choice([each.value for each in CorrectionState]), help="Only those of this state.")
@click.option("--action", type=click.Choice([each.value for each in Action]), help="Only those that do this.")
@click.option("--code", type=click.Choice([*"FEUN", _NONE]), help="Only those that mend this issue code, or none.")
@click.option("--query", metavar="QUERY_ID", help="Only those of this query.")
@json_option
@refusals_exit_with_1
def list_command(
    dataset: str, state: str | None, action: str | None, code: str | None, query: str | None, as_json: bool
) -> None:
    """List the corrections of a dataset, the oldest first; without --state those that are proposed or accepted."""
    from audit_core.workflow.corrections import list_corrections

    workspace, row = _opened(dataset, reads_only=True)
    states = [CorrectionState(state)] if state else [CorrectionState.PROPOSED, CorrectionState.ACCEPTED]
    wanted = "" if code == _NONE else code
    found = list_corrections(workspace, row.id, states=states, action=action, code=wanted, query_id=query)
    if as_json:
        print_json([each.as_json() for each in found])
        return
    if not found:
        say("No correction is like that. `corrections propose` adds some.")
        return
    print_corrections(found)


@corrections_group.command(
    "propose",
    epilog=example(
        "corrections propose pdf_audit --from-campaign audit-2026 --person Ada",
        "corrections propose pdf_audit --from corrections.jsonl --person Ada --dry-run",
        "corrections propose pdf_audit --from-rewrites first --person Ada",
    ),
)
@click.argument("dataset")
@click.option("--from", "file", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="FILE",
              help="A .jsonl file with a correction a line.")  # fmt: skip
@click.option("--from-campaign", "campaign", metavar="NAME", help="What the decisions of this campaign ask for.")
@click.option("--from-rewrites", "run", metavar="RUN", help="What was accepted of this rewording by a language model.")
@click.option(
    "--withdraw-n", is_flag=True,
    help="With --from-campaign: withdraw queries that are decided N, where the decision proposes nothing.",
)  # fmt: skip
@click.option("--dry-run", is_flag=True, help="With --from: check the file and store nothing.")
@_person_option
@json_option
@refusals_exit_with_1
def propose_command(
    dataset: str,
    file: Path | None,
    campaign: str | None,
    run: str | None,
    withdraw_n: bool,
    dry_run: bool,
    person: str,
    as_json: bool,
) -> None:
    """Propose corrections from one place. Doing it again adds nothing that is there already."""
    from audit_core.workflow.sign_in import sign_in

    if sum(each is not None for each in (file, campaign, run)) != 1:
        raise click.UsageError("Name one place: --from FILE, --from-campaign NAME or --from-rewrites RUN.")
    if (withdraw_n and campaign is None) or (dry_run and file is None):
        raise click.UsageError("--withdraw-n goes with --from-campaign, and --dry-run with --from.")
    workspace, row = _opened(dataset, reads_only=dry_run)
    if file is not None and dry_run:
        from audit_core.workflow.corrections_file import preview_file

        made: Any = preview_file(workspace, row, file)
    elif file is not None:
        from audit_core.workflow.corrections_file import propose_from_file

        made = propose_from_file(workspace, sign_in(workspace, person), row, file)
    elif campaign is not None:
        from audit_core.workflow.campaigns import find_campaign
        from audit_core.workflow.corrections import propose_from_decisions

        found = find_campaign(workspace, campaign, dataset=f"{row.name}@{row.revision}")
        made = propose_from_decisions(workspace, sign_in(workspace, person), found.id, withdraws=withdraw_n)
    else:
        from audit_core.workflow.cleanings import find_run
        from audit_core.workflow.corrections import propose_from_rewrites

        found_run = find_run(workspace, str(run), "rewrite")
        made = propose_from_rewrites(workspace, sign_in(workspace, person), row, found_run.row.id)
    if as_json:
        print_json({"dry_run": dry_run, **made.as_json()})
        return
    click.echo(f"{'Nothing was stored. ' if dry_run else ''}{made.words}")
    for each in getattr(made, "left", ()):
        say(f"Entry {each.id}: {each.reason}")


@corrections_group.command(
    "review",
    epilog=example(
        "corrections review pdf_audit --accept all --person Bob",
        "corrections review pdf_audit --reject 4,7 --note right-as-it-was --person Bob",
    ),
)
@click.argument("dataset")
@click.option("--accept", metavar="IDS", help="Accept these: numbers with commas, or all that are proposed.")
@click.option("--reject", metavar="IDS", help="Reject these: numbers with commas, or all that are proposed.")
@click.option("--note", default="", help="Why; needed to reject what was accepted.")
@_person_option
@json_option
@refusals_exit_with_1
def review_command(dataset: str, accept: str | None, reject: str | None, note: str, person: str, as_json: bool) -> None:
    """Accept or reject corrections. Exits with 1 where some had to be left as they are; the others are done."""
    from audit_core.workflow.corrections import check_corrections, list_corrections, review
    from audit_core.workflow.sign_in import sign_in

    if (accept is None) == (reject is None):
        raise click.UsageError("Say either --accept IDS or --reject IDS.")
    workspace, row = _opened(dataset, reads_only=False)
    given = accept if accept is not None else str(reject)
    known = list_corrections(workspace, row.id)
    if given.strip() == "all":
        ids = [each.row.id for each in known if each.row.state is CorrectionState.PROPOSED]
    else:
        ids = _ids(given, {each.row.id for each in known}, row)
    state = CorrectionState.ACCEPTED if accept is not None else CorrectionState.REJECTED
    done = review(workspace, sign_in(workspace, person), ids, state, note)
    if not as_json and check_corrections(workspace, row.id).is_reviewed:
        say(next_step(row))
    _tell(done, str(state), as_json=as_json)


@corrections_group.command("rebase", epilog=example("corrections rebase pdf_audit 12,15 --person Ada"))
@click.argument("dataset")
@click.argument("ids")
@_person_option
@json_option
@refusals_exit_with_1
def rebase_command(dataset: str, ids: str, person: str, as_json: bool) -> None:
    """Bring stale corrections (IDS: numbers with commas, or all) up to what stands there now, to be reviewed anew."""
    from audit_core.workflow.corrections import list_corrections, rebase
    from audit_core.workflow.sign_in import sign_in

    workspace, row = _opened(dataset, reads_only=False)
    known = list_corrections(workspace, row.id)
    if ids.strip() == "all":
        wanted = [each.row.id for each in known if each.is_stale]
    else:
        wanted = _ids(ids, {each.row.id for each in known}, row)
    _tell(rebase(workspace, sign_in(workspace, person), wanted), "rebased", as_json=as_json)


def _ids(given: str, known: set[int], dataset: DatasetRow) -> list[int]:
    """Return the ids of corrections of a dataset that stand in a text with commas."""
    found = []
    for each in given.replace(" ", ",").split(","):
        if not each:
            continue
        if not (each.isascii() and each.isdigit()) or int(each) not in known:
            raise AssayError(
                f"{dataset.name}@{dataset.revision} has no correction {each!r}: `corrections list` shows them."
            )
        found.append(int(each))
    if not found:
        raise AssayError("Name corrections by their numbers, with commas, or say all.")
    return found


def _tell(done: Done, what: str, *, as_json: bool) -> None:
    from audit_core.workflow.corrections_proposing import counted

    if as_json:
        print_json({"done": list(done.ids), "left": [{"id": each.id, "reason": each.reason} for each in done.left]})
    else:
        click.echo(f"{counted(len(done.ids))} {what}; {len(done.left):,} left.")
        for each in done.left:
            say(f"{each.id}: {each.reason}")
    if done.left:
        raise SystemExit(1)


@corrections_group.command("check", epilog=example("corrections check pdf_audit", "corrections check pdf_audit --json"))
@click.argument("dataset")
@json_option
@refusals_exit_with_1
def check_command(dataset: str, as_json: bool) -> None:
    """Lay all corrections over the dataset and say what they come to; exits with 1 where an accepted one does not fit."""
    from audit_core.workflow.corrections import check_corrections

    workspace, row = _opened(dataset, reads_only=True)
    check = check_corrections(workspace, row.id)
    if as_json:
        print_json(check.as_json())
    else:
        click.echo(", ".join(f"{number:,} {state}" for state, number in check.counts.items()) + ".")
        print_outcome(check.accepted)
        if check.if_all is not None:
            click.echo("Were all that are proposed accepted too:")
            print_outcome(check.if_all)
        for each in check.stale:
            reason = f"{each.misfit.reason if each.misfit else ''} {each.no_rebase or ''}".rstrip()
            click.echo(f"Correction {each.row.id} ({each.row.state}): {reason}")
        for each in check.conflicting:
            click.echo(f"Correction {each.row.id} conflicts with {each.conflict}: only one of them can be accepted.")
        if check.is_reviewed:
            say(next_step(row))
    if not check.is_releasable:
        raise SystemExit(1)

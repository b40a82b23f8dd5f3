"""campaign plan, campaign start."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from audit_core.cli.output import example, json_option, print_json, print_table, refusals_exit_with_1, say
from audit_core.cli.team_options import team_options, team_request
from audit_core.errors import AssayError
from audit_core.protocols import audit, query_review, relevance, removal

if TYPE_CHECKING:
    from audit_core.storage.datasets import DatasetRow
    from audit_core.workflow.sample_request import SampleRequest
    from audit_core.workflow.sampling import PlannedSample
    from audit_core.workflow.workspace import Workspace

Command = TypeVar("Command", bound=Callable[..., Any])
SCOPES = ("whole", "stratum", "source", "structure")
_file = click.Path(path_type=Path, exists=True, dir_okay=False)

_OPTIONS = (
    click.option("--dataset", required=True, metavar="NAME[@REVISION]", help="The dataset whose queries are judged."),
    click.option(
        "--sample",
        metavar="all|stratified|simple[:N]|ids:FILE",
        help="How to draw: all queries (default where no number is given), stratified (default with one), simple "
        "random, or the ids of a file, one a line.",
    ),
    click.option(
        "--half-width",
        type=float,
        metavar="POINTS",
        help="Half-width of the 95 % interval, such as 1.5 (percentage points).",
    ),
    click.option(
        "--by",
        type=click.Choice(SCOPES),
        default="whole",
        show_default=True,
        help="Whose interval the half-width is: of the whole, or of every stratum, source or structure.",
    ),
    click.option("--total", type=click.IntRange(1), metavar="N", help="Number of entries in all."),
    click.option(
        "--sizes",
        type=_file,
        metavar="FILE",
        help="CSV table with source,evidence_structure,size: the entries of each stratum.",
    ),
    click.option(
        "--allocation",
        type=click.Choice(["proportional", "neyman", "equal"]),
        default="proportional",
        show_default=True,
        help="How the total is divided among the strata.",
    ),
    click.option(
        "--guess",
        type=click.FloatRange(0, 1),
        metavar="SHARE",
        help="Guessed share correct in every stratum, a part of 1 [default: 0.95].",
    ),
    click.option(
        "--guess-from",
        metavar="CAMPAIGN",
        help="Take the guesses from the decided entries of an earlier campaign on the dataset.",
    ),
    click.option(
        "--where",
        multiple=True,
        metavar="KEY=VALUE",
        help="Only queries with this source, structure, domain, generator, text or finding. Repeat a key for alternatives, use several keys to narrow.",
    ),
    click.option(
        "--leave-out",
        multiple=True,
        metavar="CAMPAIGN",
        help="Draw none of the queries of this campaign; may be repeated.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(0, 2**63 - 1),
        metavar="N",
        help="Seed of the draw; without it one is made up and shown.",
    ),
)


def _sample_options(command: Command) -> Command:
    return reduce(lambda made, option: option(made), reversed(_OPTIONS), command)


@click.command(
    "plan",
    epilog=example(
        "campaign plan --dataset pdf_audit --half-width 1.5",
        "campaign plan --dataset pdf_audit --half-width 5 --by source --allocation neyman --guess-from audit-2025",
        "campaign plan --dataset pdf_audit --total 800 --where structure=Cross-Doc --json",
    ),
)
@_sample_options
@json_option
@refusals_exit_with_1
def plan(as_json: bool, **options: Any) -> None:
    """Show how many entries a sample takes and how wide its intervals will be; changes nothing."""
    from audit_core.workflow.sampling import plan_sample
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace(reads_only=True)
    dataset, request = _request(workspace, options)
    planned = plan_sample(workspace, dataset, request)
    if as_json:
        print_json({"dataset": dataset.name, "revision": dataset.revision, **planned.as_json()})
        return
    _print_plan(planned)
    if planned.request.seed is not None:
        click.echo(f"Seed {planned.request.seed}: the same seed and sizes draw the same entries.")


@click.command(
    "start",
    epilog=example(
        "campaign start audit-2026 --dataset pdf_audit",
        "campaign start audit-2026 --dataset pdf_audit --half-width 1.5 --seed 2026",
        "campaign start second --dataset pdf_audit@1 --total 800 --leave-out audit-2026 --judgments 2",
        "campaign start pilot --dataset pdf_audit --sample simple:50",
        "campaign start cleaning --dataset pdf_audit --protocol removal",
        "campaign start team --dataset pdf_audit --judgments 2 --hand-out exact --annotator Ada --annotator Grace --annotator Alan",
    ),
)
@click.argument("name")
@_sample_options
@click.option(
    "--protocol",
    type=click.Choice([audit.name, removal.name, relevance.name, query_review.name]),
    default=audit.name,
    show_default=True,
    help="What annotators are asked: correct or F, E, U, N (audit), keep or remove with four criteria (removal), a grade of "
    "every page (relevance), or whether the query is natural, clear and answerable (query-review).",
)
@click.option("--judgments", type=click.IntRange(1, 50), default=1, show_default=True, help="Judgments an entry needs.")
@team_options
@json_option
@refusals_exit_with_1
def start(name: str, protocol: str, judgments: int, as_json: bool, **options: Any) -> None:
    """Start a campaign on all queries of a dataset, or on a sample of them."""
    from audit_core.workflow.campaigns import count_entries
    from audit_core.workflow.guidelines import clean_guidelines, write_guidelines
    from audit_core.workflow.team_campaigns import start_team_campaign
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace()
    guidelines = None if options["guidelines_file"] is None else clean_guidelines(_text(options["guidelines_file"]))
    team = team_request(workspace, protocol, judgments, options)
    dataset, request = _request(workspace, options)
    campaign = start_team_campaign(workspace, dataset=dataset, name=name, sample=request, protocol=protocol, team=team)
    if guidelines is not None:
        write_guidelines(workspace, campaign, guidelines)
    entries = count_entries(workspace, campaign.id)
    if as_json:
        print_json(
            {
                "id": campaign.id,
                "name": campaign.name,
                "protocol": campaign.protocol,
                "state": campaign.state,
                "entries": entries,
                "method": campaign.sample_method,
                "seed": campaign.sample_seed,
            }
        )
        return
    seed = "" if campaign.sample_seed is None else f", seed {campaign.sample_seed}"
    click.echo(
        f"Campaign {campaign.name} is open with {entries:,} entries ({campaign.sample_method}{seed}). "
        f"Judge it at /judge?campaign={campaign.id} in the web app."
    )


def _request(workspace: Workspace, options: dict[str, Any]) -> tuple[DatasetRow, SampleRequest]:
    """Return the dataset and what is to be drawn of it."""
    from audit_core.sampling import DEFAULT_ACCURACY, Allocation, Wanted
    from audit_core.workflow.campaigns import find_dataset, find_earlier_campaign
    from audit_core.workflow.sample_request import SampleKind, SampleRequest, filter_of, sizes_from_csv

    dataset = find_dataset(workspace, options["dataset"])
    kind, total, ids = _sample(options)
    if options["guess"] is not None and options["guess_from"] is not None:
        raise click.UsageError("Give --guess or --guess-from, not both.")
    width = options["half_width"]
    if width is not None and not 0 < width < 50:
        raise click.BadParameter(f"{width:g} is not between 0 and 50 percentage points.", param_hint="--half-width")
    if width is None and options["by"] != "whole":
        raise click.UsageError("--by says whose half-width is wanted: give --half-width as well.")

    def campaign(name: str) -> int:
        return find_earlier_campaign(workspace, name, dataset).id

    sizes = options["sizes"]
    return dataset, SampleRequest(
        kind=SampleKind(kind),
        seed=options["seed"],
        where=filter_of(_pair(each) for each in options["where"]),
        leave_out=tuple(dict.fromkeys(campaign(each) for each in options["leave_out"])),
        wanted=None if width is None else Wanted(**{options["by"]: width / 100}),
        total=total,
        sizes=None if sizes is None else sizes_from_csv(_text(sizes), name=sizes.name),
        allocation=Allocation(options["allocation"]),
        guess=DEFAULT_ACCURACY if options["guess"] is None else options["guess"],
        guess_from=None if options["guess_from"] is None else campaign(options["guess_from"]),
        query_ids=ids,
    )


def _sample(options: dict[str, Any]) -> tuple[str, int | None, tuple[str, ...]]:
    """Return kind, total and ids that --sample and the numbers stand for."""
    from audit_core.workflow.sample_request import ids_in

    total, has_number = options["total"], any(options[each] is not None for each in ("half_width", "total", "sizes"))
    kind, colon, rest = (options["sample"] or ("stratified" if has_number else "all")).partition(":")
    if kind == "ids" and rest:
        file = Path(rest)
        if not file.is_file():
            raise click.BadParameter(f"file {rest!r} does not exist.", param_hint="--sample")
        return kind, total, ids_in(_text(file))
    if kind == "simple" and colon and rest.isascii() and rest.isdigit() and total is None:
        return kind, int(rest), ()
    if kind in ("all", "stratified", "simple") and not colon:
        return kind, total, ()
    raise click.BadParameter(
        f"{options['sample']!r} is none of all, stratified, simple, simple:N, ids:FILE (a number once only).",
        param_hint="--sample",
    )


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r} is not KEY=VALUE.", param_hint="--where")
    return key.strip(), value


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise AssayError(f"{file} cannot be read as UTF-8 text ({error}). Save it as UTF-8.") from error


def _print_plan(planned: PlannedSample) -> None:
    from audit_core.statistics.percent import percent

    found = planned.plan
    if found is not None:
        rows: list[tuple[str, int, int, str]] = [
            (row.name, row.population, row.size, percent(row.half_width, decimals=2)) for row in found.rows[1:]
        ]
        rows.append(
            (found.whole.name, found.whole.population, found.whole.size, percent(found.whole.half_width, decimals=2))
        )
        print_table(("", "queries", "entries", "half-width, points"), rows)
        click.echo()
    for sentence in planned.sentences:
        click.echo(sentence)
    for warning in planned.warnings:
        say(f"Note: {warning}")

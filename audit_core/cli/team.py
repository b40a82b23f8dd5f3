"""campaign pause, resume, copy, progress, pilot, end-pilot, annotators, guidelines: following a campaign of several people."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from audit_core.cli.campaigns import dataset_option
from audit_core.cli.output import example, json_option, print_json, print_table, refusals_exit_with_1, say

if TYPE_CHECKING:
    from audit_core.storage.campaigns import CampaignRow
    from audit_core.workflow.workspace import Workspace

_file = click.Path(path_type=Path, exists=True, dir_okay=False)


def _open(name: str, dataset: str | None, *, reads_only: bool = False) -> tuple[Workspace, CampaignRow]:
    from audit_core.workflow.campaigns import find_campaign
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace(reads_only=reads_only)
    return workspace, find_campaign(workspace, name, dataset=dataset)


def _say_state(row: CampaignRow, words: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"id": row.id, "name": row.name, "state": row.state, "paused": row.paused_at is not None})
    else:
        click.echo(f"Campaign {row.name} {words}.")


@click.command("pause", epilog=example("campaign pause audit-2026"))
@click.argument("name")
@dataset_option
@json_option
@refusals_exit_with_1
def pause_command(name: str, dataset: str | None, as_json: bool) -> None:
    """Take no judgments until the campaign goes on; drafts are kept."""
    from audit_core.workflow.campaign_states import pause_campaign

    workspace, campaign = _open(name, dataset)
    _say_state(pause_campaign(workspace, campaign), "is paused", as_json=as_json)


@click.command("resume", epilog=example("campaign resume audit-2026"))
@click.argument("name")
@dataset_option
@json_option
@refusals_exit_with_1
def resume_command(name: str, dataset: str | None, as_json: bool) -> None:
    """Let a paused campaign take judgments again."""
    from audit_core.workflow.campaign_states import resume_campaign

    workspace, campaign = _open(name, dataset)
    _say_state(resume_campaign(workspace, campaign), "takes judgments", as_json=as_json)


@click.command("end-pilot", epilog=example("campaign end-pilot audit-2026", "campaign end-pilot audit-2026 --anyway"))
@click.argument("name")
@dataset_option
@click.option("--anyway", is_flag=True, help="End it even if pilot entries lack judgments.")
@json_option
@refusals_exit_with_1
def end_pilot_command(name: str, dataset: str | None, anyway: bool, as_json: bool) -> None:
    """End the pilot, which cannot be undone: the entries of the sample are handed out from now on."""
    from audit_core.workflow.campaign_states import end_pilot

    workspace, campaign = _open(name, dataset)
    _say_state(end_pilot(workspace, campaign, anyway=anyway), "has ended its pilot", as_json=as_json)


@click.command(
    "copy", epilog=example("campaign copy audit-2026 audit-2027", "campaign copy audit-2026 second --same-entries")
)
@click.argument("name")
@click.argument("new_name")
@dataset_option
@click.option("--same-entries", is_flag=True, help="Take the same entries; else the sample is drawn again.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Seed of the new draw; without it one is made up.")
@json_option
@refusals_exit_with_1
def copy_command(
    name: str, new_name: str, dataset: str | None, same_entries: bool, seed: int | None, as_json: bool
) -> None:
    """Start a campaign like another one: protocol, hand-out, annotators, gold, pilot and guidelines are the same."""
    from audit_core.workflow.campaign_copy import copy_campaign

    workspace, campaign = _open(name, dataset)
    made = copy_campaign(workspace, campaign, name=new_name, same_entries=same_entries, seed=seed)
    _say_state(made, f"is open, a copy of {campaign.name}", as_json=as_json)


@click.command(
    "annotators",
    epilog=example(
        "campaign annotators audit-2026", "campaign annotators audit-2026 --add Ada --add Grace --remove Alan"
    ),
)
@click.argument("name")
@dataset_option
@click.option("--add", "added", multiple=True, metavar="NAME", help="Hand the campaign to this person.")
@click.option("--remove", "removed", multiple=True, metavar="NAME", help="Take this person out; their judgments stay.")
@click.option("--open/--only-named", "is_open", default=None, help="Let everybody judge, or only those named.")
@json_option
@refusals_exit_with_1
def annotators_command(
    name: str,
    dataset: str | None,
    added: tuple[str, ...],
    removed: tuple[str, ...],
    is_open: bool | None,
    as_json: bool,
) -> None:
    """List whom a campaign is handed to, and change it."""
    from audit_core.workflow.annotators import add_annotators, annotators_of, open_to_all, remove_annotator
    from audit_core.workflow.people_list import find_people

    changes = bool(added or removed or is_open is not None)
    workspace, campaign = _open(name, dataset, reads_only=not changes)
    if added:
        add_annotators(workspace, campaign, find_people(workspace, added))
    for person_id in find_people(workspace, removed) if removed else ():
        remove_annotator(workspace, campaign, person_id)
    if is_open is not None:
        campaign = open_to_all(workspace, campaign, is_open)
    rows = [each.as_json() for each in annotators_of(workspace, campaign)]
    if as_json:
        print_json({"campaign": campaign.name, "open_to_all": campaign.is_open, "annotators": rows})
        return
    if rows:
        print_table(
            ("name", "since", "taken out"),
            [[each["name"], each["added_at"][:10], (each["removed_at"] or "-")[:10]] for each in rows],
        )
    say("Everybody who signs in may judge." if campaign.is_open else "Only those named may judge.")


@click.command("progress", epilog=example("campaign progress audit-2026", "campaign progress audit-2026 --json"))
@click.argument("name")
@dataset_option
@json_option
@refusals_exit_with_1
def progress_command(name: str, dataset: str | None, as_json: bool) -> None:
    """Show how far a campaign is: by annotator and stratum, with pace, time left and gold accuracy."""
    from audit_core.workflow.campaign_progress import campaign_progress

    workspace, campaign = _open(name, dataset, reads_only=True)
    document = campaign_progress(workspace, campaign).as_json()
    if as_json:
        print_json(document)
        return
    whole, left = document["whole"], document["seconds_left"]
    click.echo(
        f"{whole['complete']:,} of {whole['entries']:,} entries are complete; {whole['filled']:,} of {whole['places']:,} "
        f"judgments are there, {whole['claimed']:,} are under way."
        + ("" if left is None else f" About {left / 3600:.1f} hours of one person's active time are left.")
    )
    if people := document["annotators"]:
        click.echo()
        names = ("name", "judged", "cannot_judge", "claimed", "today")
        print_table(
            (*names, "median s", "gold"), [[*(each[key] for key in names), *_time_and_gold(each)] for each in people]
        )
    click.echo()
    of_stratum = ("source", "evidence_structure", "entries", "complete", "places", "filled", "claimed")
    print_table(of_stratum, [[each[key] for key in of_stratum] for each in document["strata"]])


def _time_and_gold(row: dict[str, Any]) -> tuple[str, str]:
    time, gold = row["time"], row["gold"]
    return (
        "-" if time is None else f"{time['median']:.0f}",
        "-" if gold is None else f"{gold['right']}/{gold['answered']}",
    )


def _beyond_chance(found: dict[str, Any]) -> list[str]:
    """Return alpha, and AC1 or AC2, as text; a dash where the thing has none."""
    shown = []
    for names in (("alpha",), ("ac1", "ac2_quadratic")):
        figure = next((found[name] for name in names if name in found), None)
        value = None if figure is None else figure["value"]
        shown.append("-" if figure is None else "undefined" if value is None else f"{value:.3f}")
    return shown


@click.command("pilot", epilog=example("campaign pilot audit-2026", "campaign pilot audit-2026 --json"))
@click.argument("name")
@dataset_option
@json_option
@refusals_exit_with_1
def pilot_command(name: str, dataset: str | None, as_json: bool) -> None:
    """Show what the pilot of a campaign tells: agreement, time, gold accuracy."""
    from audit_core.workflow.pilot import pilot_report

    workspace, campaign = _open(name, dataset, reads_only=True)
    document = pilot_report(workspace, campaign).as_json()
    if as_json:
        print_json(document)
        return
    click.echo(
        f"{document['complete']:,} of {document['entries']:,} pilot entries have their {document['judgments_per_entry']} judgments."
    )
    rows = [
        [each["title"], each["units"], each["pairs"], each["agreeing"], "undefined" if each["share"] is None else f"{100 * each['share']:.1f}",
         *_beyond_chance(each["beyond_chance"])]
        for each in document["agreement"]
    ]  # fmt: skip
    print_table(("agreement on", "units", "pairs", "the same", "%", "alpha", "AC1 or AC2"), rows)
    names = ("name", "judged", "cannot_judge")
    if people := document["annotators"]:
        click.echo()
        print_table(
            (*names, "median s", "gold"), [[*(each[key] for key in names), *_time_and_gold(each)] for each in people]
        )


@click.command(
    "guidelines",
    epilog=example("campaign guidelines audit-2026", "campaign guidelines audit-2026 --write guidelines.md"),
)
@click.argument("name")
@dataset_option
@click.option("--write", "file", type=_file, metavar="FILE", help="Keep the text of this file as the newest version.")
@click.option("--version", "version", type=click.IntRange(1), help="Print this version instead of the newest.")
@json_option
@refusals_exit_with_1
def guidelines_command(name: str, dataset: str | None, file: Path | None, version: int | None, as_json: bool) -> None:
    """Print what annotators of a campaign are told, or write a new version of it."""
    from audit_core.errors import AssayError, NotFound
    from audit_core.workflow.guidelines import guidelines_of, write_guidelines

    workspace, campaign = _open(name, dataset, reads_only=file is None)
    if file is not None:
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise AssayError(f"{file} cannot be read as UTF-8 text ({error}). Save it as UTF-8.") from error
        write_guidelines(workspace, campaign, text)
    versions = guidelines_of(workspace, campaign)
    found = [each for each in versions if version in (None, each.version)][:1]
    if version is not None and not found:
        raise NotFound(f"Campaign {campaign.name} has no version {version} of its guidelines: it has {len(versions)}.")
    if as_json:
        print_json(
            {
                "campaign": campaign.name,
                "versions": len(versions),
                "guidelines": [
                    {"version": each.version, "text": each.text, "written_at": each.created_at} for each in found
                ],
            }
        )
    elif found:
        say(f"Version {found[0].version} of {len(versions)}, written {found[0].created_at[:16].replace('T', ' ')} UTC:")
        sys.stdout.write(found[0].text + "\n")
    else:
        say(f"Campaign {campaign.name} has no guidelines of its own; annotators see those of its protocol.")


COMMANDS = (
    pause_command, resume_command, end_pilot_command, copy_command, annotators_command, progress_command, pilot_command,
    guidelines_command,
)  # fmt: skip

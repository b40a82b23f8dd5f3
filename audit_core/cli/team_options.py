"""Options that say whom a campaign is handed to, and the request that they stand for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from audit_core.workflow.gold import GoldAnswer
    from audit_core.workflow.team_campaigns import TeamRequest
    from audit_core.workflow.workspace import Workspace

_file = click.Path(path_type=Path, exists=True, dir_okay=False)
#: What `team_request` takes out of the options of a command.
NAMES = (
    "hand_out", "annotators", "own_order", "gold_file", "gold_share", "pilot_entries", "pilot_judgments", "guidelines_file",
)  # fmt: skip


def team_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return the command with the options of hand-out, annotators, gold entries, pilot and guidelines."""
    for option in reversed(
        (
            click.option(
                "--hand-out",
                type=click.Choice(["all", "exact"]),
                default="all",
                show_default=True,
                help="Every annotator gets every entry, or each entry goes to exactly --judgments of them.",
            ),
            click.option(
                "--annotator",
                "annotators",
                multiple=True,
                metavar="NAME",
                help="Hand it to this person, once for each; without one to everybody who signs in.",
            ),
            click.option("--own-order", is_flag=True, help="Give each annotator the entries in an order of their own."),
            click.option(
                "--gold",
                "gold_file",
                type=_file,
                metavar="FILE",
                help="Right answers (JSON Lines or CSV) whose queries are mixed in as gold entries.",
            ),
            click.option(
                "--gold-share",
                type=click.FloatRange(0, 0.5, min_open=True),
                help="Share of gold entries among what each annotator gets; without it all of them.",
            ),
            click.option(
                "--pilot",
                "pilot_entries",
                type=click.IntRange(1),
                default=None,
                metavar="N",
                help="Begin with a pilot of so many entries.",
            ),
            click.option(
                "--pilot-judgments",
                type=click.IntRange(1, 50),
                default=2,
                show_default=True,
                help="Annotators for each pilot entry.",
            ),
            click.option(
                "--guidelines",
                "guidelines_file",
                type=_file,
                metavar="FILE",
                help="Text that annotators see before the guidelines of the protocol.",
            ),
        )
    ):
        command = option(command)
    return command


def team_request(workspace: Workspace, protocol: str, judgments: int, options: dict[str, Any]) -> TeamRequest:
    """Return how a campaign is handed out; takes its own options out of `options`, guidelines apart.

    Raises:
        NotFound: an annotator is not known.
        AssayError: the file of right answers cannot be read, or the numbers do not go together.
    """
    from audit_core.domain import HandOut
    from audit_core.workflow.gold_file import gold_of_file
    from audit_core.workflow.people_list import find_people
    from audit_core.workflow.team_campaigns import TeamRequest

    own = {name: options.pop(name) for name in NAMES if name != "guidelines_file"}
    gold: tuple[GoldAnswer, ...] = ()
    if own["gold_file"] is not None:
        with own["gold_file"].open("rb") as file:
            gold = gold_of_file(protocol, file, name=own["gold_file"].name)
    return TeamRequest(
        hand_out=HandOut(own["hand_out"]),
        judgments_per_entry=judgments,
        annotators=find_people(workspace, own["annotators"]) if own["annotators"] else None,
        own_order=own["own_order"],
        gold=gold,
        gold_share=own["gold_share"],
        pilot_entries=own["pilot_entries"] or 0,
        pilot_judgments=own["pilot_judgments"] if own["pilot_entries"] else None,
    )

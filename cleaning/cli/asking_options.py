"""Options that commands share which score or ask a language model: strategies, request files, caps."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from audit_core.errors import CleaningError

Command = TypeVar("Command", bound=Callable[..., Any])


def asking_options(command: Command) -> Command:
    """Return the command with the caps, the number in flight, and --estimate."""
    for option in reversed(
        (
            click.option("--max-calls", type=click.IntRange(min=1), help="At most so many requests, failed ones too."),
            click.option("--max-tokens", type=click.IntRange(min=1), help="At most so many tokens, in and out."),
            click.option("--max-spend", type=float, metavar="USD", help="At most so much money; needs known prices."),
            click.option("--in-flight", type=int, help="So many requests at once; ASSAY_LLM_IN_FLIGHT if not given."),
            click.option("--estimate", "is_estimate", is_flag=True, help="Print what it would cost, and send nothing."),
        )
    ):
        command = option(command)
    return command


def caps_of(options: Mapping[str, Any]) -> dict[str, float] | None:
    """Return the caps that were given, None where none was."""
    given = {"calls": options["max_calls"], "tokens": options["max_tokens"], "spend": options["max_spend"]}
    return {name: cap for name, cap in given.items() if cap is not None} or None


def strategy_choices(chosen: Collection[str]) -> list[dict[str, Any]]:
    """Return strategies named as NAME or NAME:THRESHOLD as a request holds them.

    Raises:
        CleaningError: a threshold is no number.
    """
    choices = []
    for each in chosen:
        strategy, _, threshold = each.partition(":")
        try:
            choices.append({"strategy": strategy, "threshold": float(threshold) if threshold else None})
        except ValueError:
            raise CleaningError(f"--strategy {each}: {threshold!r} is no threshold. Write NAME:0.6.") from None
    return choices


def document_of(file: Path) -> dict[str, Any]:
    """Return the JSON object that a request file holds, its `request` where it is a card.

    Raises:
        CleaningError: it holds none.
    """
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CleaningError(f"{file} holds no JSON that can be read ({error}).") from error
    if isinstance(document, dict) and isinstance(document.get("request"), dict):
        document = document["request"]
    if not isinstance(document, dict):
        raise CleaningError(f"{file} holds no JSON object: write one with name and strategies.")
    return document


def refuse_beside_request(allowed: Collection[str]) -> None:
    """Refuse options of the command at hand that a request file says itself; those `allowed` may stand beside it.

    Raises:
        CleaningError: such an option was given; names it.
    """
    context = click.get_current_context()
    for parameter in context.command.params:
        is_given = context.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE
        if is_given and parameter.name not in allowed:
            raise CleaningError(f"--request says everything itself: leave {parameter.opts[0]} out, or change the file.")

"""What a command prints: results on stdout (one JSON document with --json), messages and progress on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, NoReturn, ParamSpec

import click

from audit_core.errors import AssayError, BundleError

P = ParamSpec("P")

json_option = click.option("--json", "as_json", is_flag=True, help="Put one JSON document on stdout.")


def example(*lines: str) -> str:
    """Return the examples of a command as click shows them, below its help."""
    shown = "\n".join(f"  python -m audit_core {line}" for line in lines)
    return f"\b\nExamples:\n{shown}"


def print_json(document: object) -> None:
    """Print one JSON document."""
    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    # A file name that is not UTF-8 holds lone surrogates, which JSON writes as escapes and no encoding takes.
    click.echo(text.encode("utf-8", "backslashreplace").decode("utf-8"))


def say(message: str) -> None:
    """Print a message for people, on stderr."""
    click.echo(message, err=True)


def print_table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print a plain table: text to the left, numbers to the right."""
    cells = [[_cell(each) for each in row] for row in rows]
    widths = [max(len(line[column]) for line in [list(header), *cells]) for column in range(len(header))]
    numeric = [
        bool(rows) and all(isinstance(row[column], int | float) for row in rows) for column in range(len(header))
    ]
    for line in [list(header), *cells]:
        padded = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ]
        click.echo("  ".join(padded).rstrip())


def _cell(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def refuse(error: AssayError, *, as_json: bool) -> NoReturn:
    """Print why something was refused and exit with 1."""
    if as_json:
        document: dict[str, Any] = {"error": error.summary if isinstance(error, BundleError) else str(error)}
        if isinstance(error, BundleError):
            names = ("file", "line", "field", "value", "expected")
            document["problems"] = [{name: getattr(each, name) for name in names} for each in error.problems]
            document["problems_total"] = error.total
        print_json(document)
    say(f"Error: {error}")
    sys.exit(1)


def refusals_exit_with_1(command: Callable[P, None]) -> Callable[P, None]:
    """Wrap a command so that an error of ours is printed without a traceback and exits with 1."""

    @wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except AssayError as error:
            refuse(error, as_json=bool(kwargs.get("as_json")))

    return wrapped


@contextmanager
def progress_bar() -> Iterator[Callable[[str, float], None]]:
    """Draw a bar on stderr (only on a terminal) for a function that reports (what it does, share done)."""
    from tqdm import tqdm

    with tqdm(
        total=100,
        file=sys.stderr,
        disable=None,
        bar_format="{desc:<32} {bar} {percentage:3.0f} %{postfix}",
        leave=False,
    ) as bar:

        def report(step: str, share: float) -> None:
            bar.set_description_str(step[:32], refresh=False)
            bar.update(max(0.0, 100 * share - bar.n))

        yield report

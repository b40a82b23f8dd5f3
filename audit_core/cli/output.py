"""What a command prints: results on stdout (one JSON document with --json), messages and progress on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, NoReturn, ParamSpec

import click

from audit_core.errors import AssayError, BundleError

P = ParamSpec("P")

#: How every SQLite file begins.
_SQLITE_BEGINS = b"SQLite format 3\0"

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


def put_text(text: str, output: Path | None, *, what: str, inputs: Sequence[Path] = ()) -> None:
    """Print text, or write it to a file, which is replaced if it is there; `what` names it, such as `Report`.

    Raises:
        AssayError: the file is one of the `inputs` or a database, or cannot be written.
    """
    if output is None:
        click.echo(text, nl=not text.endswith("\n"))
        return
    try:
        if any(_is_same(output, each) for each in inputs):
            raise AssayError(f"{output} is what is read, and would be replaced: name another file with --output.")
        if output.is_file() and _is_database(output):
            raise AssayError(f"{output} is a database, and would be replaced: name another file with --output.")
        output.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise AssayError(f"{output} cannot be written ({error.strerror}): name another file.") from error
    say(f"{what} written to {output}.")


def _is_same(one: Path, other: Path) -> bool:
    return one.exists() and other.exists() and one.samefile(other)


def _is_database(file: Path) -> bool:
    with file.open("rb") as stream:
        return stream.read(len(_SQLITE_BEGINS)) == _SQLITE_BEGINS


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

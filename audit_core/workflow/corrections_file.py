"""Corrections from a file: JSON Lines with query_id, action, key, before, after, code, reason; all of them or none."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from audit_core.corrections.checking import TEXT_MAX, read_change
from audit_core.corrections.coding import code_mended
from audit_core.corrections.faults import Fault
from audit_core.corrections.pieces import field_name, is_storable, shown
from audit_core.corrections.planning import Misfit
from audit_core.corrections.reading import NameTwice, read_json
from audit_core.domain import IssueCode, Role
from audit_core.errors import BundleError, CorrectionError, Problem
from audit_core.storage import corrections as stored
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.workflow.correction_standing import footing_of
from audit_core.workflow.corrections_proposing import Draft, Proposed, identity, propose, sorted_out
from audit_core.workflow.roles import require_role
from audit_core.workflow.workspace import Workspace

#: The fields of a row; `before` and `after` may be absent where they are null, `code` and `reason` always.
FIELDS = ("query_id", "action", "key", "before", "after", "code", "reason")
#: Faults that the message lists; all are counted.
LISTED = 20
#: Largest file and most rows: one person's work, not a dataset.
BYTES_MAX = 100_000_000
ROWS_MAX = 100_000


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    draft: Draft


def propose_from_file(workspace: Workspace, person: Person, dataset: DatasetRow, file: Path) -> Proposed:
    """Propose the corrections of a file and return what came of it.

    A row without `code` gets the one that its action mends by its nature; null says that it mends none.

    Raises:
        NotAllowed: the person is an annotator.
        BundleError: something is wrong with the file; every fault is named by line and field, and nothing was stored.
    """
    require_role(person, Role.ADJUDICATOR)
    drafts, _ = _checked(workspace, dataset, file)
    try:
        return propose(workspace, person, dataset, drafts)
    except CorrectionError as error:
        raise BundleError(
            f"{file.name}: somebody changed the corrections meanwhile. Nothing was stored. {error}"
        ) from error


def preview_file(workspace: Workspace, dataset: DatasetRow, file: Path) -> Proposed:
    """Return what would come of proposing the corrections of a file; nothing is stored.

    Raises:
        BundleError: as `propose_from_file`.
    """
    return _checked(workspace, dataset, file)[1]


def _checked(workspace: Workspace, dataset: DatasetRow, file: Path) -> tuple[list[Draft], Proposed]:
    rows, problems = read_corrections(file)
    drafts = [each.draft for each in rows]
    changes = [each.change for each in drafts]
    footing = footing_of(workspace, dataset, [each.query_id for each in changes], changes)
    with workspace.database.read() as connection:
        known = stored.of_dataset(connection, dataset.id)
    _, misfits, proposed = sorted_out(footing, known, drafts)
    for at, misfit in misfits:
        way = _in_the_way(misfit, rows)
        problems += [
            Problem(file.name, rows[at].line, each.field, each.found, each.expected + way) for each in misfit.faults
        ]
    if problems:
        raise _refusal(file, sorted(problems, key=lambda problem: problem.line or 0))
    return drafts, proposed


def _in_the_way(misfit: Misfit, rows: list[_Row]) -> str:
    """Return which correction made another one unfit. Rows of the file count down from -1, stored ones have their own ids."""
    if misfit.against is None:
        return ""
    one = f"of line {rows[-1 - misfit.against].line}" if misfit.against < 0 else f"{misfit.against}, which is accepted,"
    return f". The correction {one} stands in its way"


def read_corrections(file: Path) -> tuple[list[_Row], list[Problem]]:
    """Return the rows of a corrections file whose form is right, and what is wrong with the others.

    Raises:
        BundleError: the file cannot be read, is too large, or has no row.
    """
    rows: list[_Row] = []
    problems: list[Problem] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(_lines(file), start=1):
        if not line.strip():
            continue
        found = _row(line)
        if isinstance(found, Fault):
            problems.append(Problem(file.name, number, found.field or None, found.found, found.expected))
            continue
        name = identity(found.change)
        if name in seen:
            problems.append(
                Problem(file.name, number, None, None, f"each correction once: line {seen[name]} is the same")
            )
            continue
        seen[name] = number
        rows.append(_Row(number, found))
    if not rows and not problems:
        raise BundleError(f"{file.name} holds no correction: give one JSON object a line, with {', '.join(FIELDS)}.")
    return rows, problems


def _lines(file: Path) -> list[str]:
    try:
        if file.stat().st_size > BYTES_MAX:
            raise BundleError(f"{file.name} is larger than {BYTES_MAX // 1_000_000} MB: divide it.")
        lines = file.read_bytes().decode("utf-8").split("\n")
    except OSError as error:
        raise BundleError(f"{file.name} cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise BundleError(f"{file.name}, line {line} is not UTF-8: save the file as UTF-8.") from error
    if len(lines) > ROWS_MAX:
        raise BundleError(f"{file.name} has more than {ROWS_MAX:,} lines: divide it.")
    return lines


def _row(line: str) -> Draft | Fault:
    try:
        raw = read_json(line)
    except NameTwice as twice:
        return Fault(twice.name, None, "each name once in an object: it stands there twice")
    except CorrectionError as error:
        return Fault("", shown(line), f"one JSON object a line ({error})")
    if not isinstance(raw, dict):
        return Fault("", shown(line), "a JSON object")
    if unknown := sorted(set(raw) - set(FIELDS)):
        name = unknown[0]
        return Fault(field_name(name), shown(raw[name]), f"no such field: a correction has {', '.join(FIELDS)}")
    change = read_change(raw)
    if isinstance(change, Fault):
        return change
    code = raw["code"] if "code" in raw else code_mended(change.action, None)
    if code is not None and code not in tuple(IssueCode):
        return Fault("code", shown(code), f"one of {', '.join(IssueCode)}, or null")
    reason = "" if raw.get("reason") is None else raw["reason"]
    if not isinstance(reason, str) or len(reason) > TEXT_MAX or not is_storable(reason):
        expected = f"text of at most {TEXT_MAX:,} characters, without NUL and without halves of characters"
        return Fault("reason", shown(reason), expected)
    return Draft(change, None if code is None else str(code), reason)


def _refusal(file: Path, problems: list[Problem]) -> BundleError:
    listed = "\n".join(f"- {each}" for each in problems[:LISTED])
    more = f"\n... and {len(problems) - LISTED:,} more" if len(problems) > LISTED else ""
    return BundleError(
        f"{file.name} was refused, and nothing of it was proposed: {len(problems):,} fault{'s' * (len(problems) > 1)}.\n{listed}{more}",
        problems[:100],
        len(problems),
    )

"""A release made again from what it held, and in what it then differs, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from audit_core import __version__
from audit_core.release.ledger_reading import read_ledger
from audit_core.release.verify import Report
from audit_core.storage import campaigns
from audit_core.workflow.release_held import Held, held_by_ledger, held_corrections, held_from
from audit_core.workflow.release_list import ReleaseView
from audit_core.workflow.release_making import CERTIFICATE, LEDGER, make_files
from audit_core.workflow.release_request import request_from
from audit_core.workflow.release_told import released_file, released_text
from audit_core.workflow.scratch import scratch_folder
from audit_core.workflow.workspace import Workspace

#: So many parts that differ are named.
NAMED = 20


@dataclass(frozen=True, slots=True)
class MadeAgain:
    """The certificate as it stands, and as it comes out when the release is made again from what it held.

    `why` are sentences on what is not there any more, or was noted by no release of its time.
    """

    stored: str
    again: str
    why: tuple[str, ...] = ()

    @property
    def is_same(self) -> bool:
        """Whether not one byte differs."""
        return self.stored == self.again

    @property
    def differs_in(self) -> list[str]:
        """The parts of the certificate that are others now."""
        one, other = json.loads(self.stored), json.loads(self.again)
        return sorted(each for each in one.keys() | other.keys() if one.get(each) != other.get(each))

    @property
    def fields(self) -> list[str]:
        """The fields that differ, the first ones by their way in the certificate."""
        found = _differing("", json.loads(self.stored), json.loads(self.again))
        return [each for each, _ in zip(found, range(NAMED), strict=False)]


def _differing(field: str, one: Any, other: Any) -> Iterator[str]:
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted(one.keys() | other.keys()):
            yield from _differing(f"{field}.{name}" if field else name, one.get(name), other.get(name))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for at, (each, there) in enumerate(zip(one, other, strict=True)):
            yield from _differing(f"{field}[{at}]", each, there)
    elif one != other:
        yield field


def certificate_again(workspace: Workspace, view: ReleaseView, *, report: Report | None = None) -> MadeAgain:
    """Make a release again from what it held, keep nothing of it, and return both certificates.

    Raises:
        LedgerError, NotFound: as `released_file`; or a correction that it held is gone.
        CorrectionStale: what it held does not apply.
    """
    stored = released_text(view, CERTIFICATE)
    request = request_from(view.row.spec)
    held, why = _held(workspace, view)
    chosen = held_corrections(workspace, view.dataset, held)
    with scratch_folder(workspace.home) as scratch:
        folder = scratch / "again"
        folder.mkdir()
        make_files(
            workspace, view.dataset, request, chosen, held=held, folder=folder, scratch=scratch / "beside",
            report=report or (lambda step, part: None),
        )  # fmt: skip
        again = (folder / CERTIFICATE).read_text(encoding="utf-8")
    return MadeAgain(stored, again, (*why, *_gone(workspace, view, stored)))


def _held(workspace: Workspace, view: ReleaseView) -> tuple[Held, list[str]]:
    kept = (view.row.result or {}).get("held")
    if kept is not None:
        return held_from(kept), []
    rows = read_ledger(released_file(view, LEDGER)).rows
    changes = [each.id for each in rows if not each.is_derived]
    why = (
        "It was made by a version that did not note up to which judgment and decision: these are taken as they are now."
    )
    return held_by_ledger(workspace, view.dataset, changes), [why]


def _gone(workspace: Workspace, view: ReleaseView, stored: str) -> Iterator[str]:
    """Yield why parts of a certificate cannot come out again as they were."""
    said = json.loads(stored)
    if said["assay_version"] != __version__:
        yield f"It was made with Assay {said['assay_version']}; this is {__version__}."
    with workspace.database.read() as connection:
        there = len(campaigns.all_rows(connection, dataset_id=view.dataset.id))
    if len(said["campaigns"]) > there:
        yield (
            f"It rests on {len(said['campaigns'])} campaigns and {there} of the dataset are left: a campaign was deleted, and its "
            "audit, agreement and decisions with it."
        )

"""How corrections of a dataset stand: what is accepted laid over the dataset, and what the proposed ones would do on top."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from audit_core.corrections.applying import PagePlaces, QueryContent
from audit_core.corrections.ground import Ground
from audit_core.corrections.planning import Misfit, Plan, StructureChange, conflicts, plan, structure_change
from audit_core.corrections.rebasing import rebased
from audit_core.corrections.records import Change, CorrectionState
from audit_core.domain import JsonObject
from audit_core.errors import CorrectionError
from audit_core.storage import corrections as rows_of_corrections
from audit_core.storage.corrections import CorrectionRow
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.correction_ground import contents_of, ground_of, pages_named, structures_of
from audit_core.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Footing:
    """What corrections of some queries are checked against: these queries of the dataset, and what they may name."""

    contents: dict[str, QueryContent]
    ground: Ground

    def with_accepted(self, rows: Iterable[CorrectionRow], *, without: Iterable[int] = ()) -> Plan:
        """Return the queries with those of `rows` that are accepted, in the order of their acceptance.

        `without` are ids that are left out; so are corrections of queries that the footing does not have.
        """
        left = set(without)
        accepted = [
            each for each in rows if each.state is CorrectionState.ACCEPTED and each.id not in left and self._has(each)
        ]
        return plan(self.contents, [(each.id, each.change) for each in sorted(accepted, key=_in_order)], self.ground)

    def _has(self, row: CorrectionRow) -> bool:
        return row.query_id in self.contents


def _in_order(row: CorrectionRow) -> tuple[str, int, int]:
    return row.in_order


def footing_of(
    workspace: Workspace, dataset: DatasetRow, query_ids: Iterable[str], changes: Sequence[Change] = (),
    pages: Iterable[str] = (),
) -> Footing:  # fmt: skip
    """Return the footing of some queries, with the pages that changes to them (and `pages`) name."""
    revision = workspace.revision(dataset)
    contents = contents_of(revision, query_ids)
    return Footing(contents, ground_of(revision, [*pages_named(contents, changes), *pages]))


@dataclass(frozen=True, slots=True)
class Standing:
    """A correction with what it does to its query; `misfit` says why it cannot be applied, None where it can.

    `structure` is that of the query before and after, with what was proposed together with it (an accepted one: with all
    that is accepted); None where it does not fit or does not count any more. `conflict` is the earlier proposal that it
    would not fit behind. `no_rebase` says why a stale one cannot be rebased, and what can be done instead; None where it can.
    """

    row: CorrectionRow
    misfit: Misfit | None
    structure: StructureChange | None
    conflict: int | None
    no_rebase: str | None = None

    @property
    def is_stale(self) -> bool:
        """Whether it expects something else than stands there."""
        return self.misfit is not None and self.misfit.is_stale

    @property
    def can_be_rebased(self) -> bool:
        """Whether it is stale and can be brought up to what stands there."""
        return self.is_stale and self.no_rebase is None

    def as_json(self) -> JsonObject:
        """Return it as one JSON object."""
        return {
            **rows_of_corrections.as_row(self.row),
            "problem": self.misfit.reason if self.misfit else None,
            "stale": self.is_stale,
            "cannot_be_rebased": self.no_rebase,
            "conflicts_with": self.conflict,
            "structure": self.structure.words if self.structure else None,
            "evidence_left": self.structure.evidence_left if self.structure else None,
        }


def batches_of(rows: Sequence[CorrectionRow], all_rows: Sequence[CorrectionRow]) -> list[list[CorrectionRow]]:
    """Return corrections by what was proposed together of one query: by one decision, or by one hand at one moment.

    `all_rows` are those of the dataset with what was superseded: the first revision tells when one was proposed.
    """
    began = {each.id: each.created_at for each in all_rows}
    found: dict[tuple[object, ...], list[CorrectionRow]] = {}
    for row in sorted(rows, key=lambda row: (row.first_id, row.id)):
        together = row.decision_id or (began.get(row.first_id, row.created_at), row.author_id)
        found.setdefault((row.query_id, together), []).append(row)
    return list(found.values())


def standings(workspace: Workspace, dataset: DatasetRow, all_rows: Sequence[CorrectionRow]) -> dict[int, Standing]:
    """Return how each correction of a dataset stands, by id; `all_rows` are all that it has."""
    live = [each for each in all_rows if each.is_live]
    queries = list(dict.fromkeys(each.query_id for each in all_rows))
    footing = footing_of(workspace, dataset, queries, [each.change for each in live])
    stored = structures_of(workspace.revision(dataset), queries)
    places = footing.ground.places
    accepted = footing.with_accepted(all_rows)
    found = {each.id: Standing(each, None, None, None) for each in all_rows}
    misfits = {each.id: each for each in accepted.misfits}
    misfits |= {each.id: _nowhere(each) for each in live if each.query_id not in footing.contents}
    for row in live:
        if row.state is CorrectionState.ACCEPTED:
            shown = None if row.id in misfits else _structure(row.query_id, stored, footing, accepted, places)
            found[row.id] = Standing(row, misfits.get(row.id), shown, None, _no_rebase(row, misfits, accepted))
    batches = batches_of([each for each in live if each.state is CorrectionState.PROPOSED], all_rows)
    against = _conflicts(batches, accepted, footing.ground)
    for batch in batches:
        query_id = batch[0].query_id
        base = {query_id: accepted.contents[query_id]} if query_id in accepted.contents else {}
        made = plan(base, [(each.id, each.change) for each in batch], footing.ground)
        wrong = {each.id: each for each in made.misfits}
        for row in batch:
            shown = None if row.id in wrong else _structure(query_id, stored, footing, made, places)
            found[row.id] = Standing(row, wrong.get(row.id), shown, against.get(row.id), _no_rebase(row, wrong, made))
    return found


def _no_rebase(row: CorrectionRow, misfits: Mapping[int, Misfit], made: Plan) -> str | None:
    """Return why a stale correction cannot be rebased on what a plan makes of its query; None where it can, or fits."""
    misfit = misfits.get(row.id)
    if misfit is None or not misfit.is_stale:
        return None
    try:
        rebased(row.change, made.contents[row.query_id])
    except CorrectionError as error:
        return str(error)
    return None


def outlook(workspace: Workspace, dataset: DatasetRow, all_rows: Sequence[CorrectionRow]) -> dict[str, StructureChange]:
    """Return what becomes of the structure of each query that a live correction names, were all that fit accepted.

    The proposed ones are laid over the accepted ones, in the order in which they were first proposed.
    """
    live = [each for each in all_rows if each.is_live]
    footing = footing_of(workspace, dataset, [each.query_id for each in live], [each.change for each in live])
    stored = structures_of(workspace.revision(dataset), list(footing.contents))
    made = footing.with_accepted(live)
    for row in sorted(live, key=lambda row: (row.first_id, row.id)):
        if row.state is CorrectionState.PROPOSED and row.query_id in footing.contents:
            made.lay(row.id, row.change, footing.ground)
    places = footing.ground.places
    touched = dict.fromkeys(change.query_id for _, change in made.applied)
    return {each: _structure(each, stored, footing, made, places) for each in touched}


def _nowhere(row: CorrectionRow) -> Misfit:
    return Misfit(row.id, f"The dataset has no query {row.query_id!r}, which the correction names.", None, False)


def _conflicts(batches: Sequence[Sequence[CorrectionRow]], accepted: Plan, ground: Ground) -> dict[int, int]:
    by_query: dict[str, list[list[tuple[int, Change]]]] = {}
    for batch in batches:
        by_query.setdefault(batch[0].query_id, []).append([(each.id, each.change) for each in batch])
    found: dict[int, int] = {}
    for own in by_query.values():
        if len(own) > 1:
            found |= conflicts(own, accepted, ground)
    return found


def _structure(
    query_id: str, stored: dict[str, str], footing: Footing, made: Plan, places: PagePlaces
) -> StructureChange:
    return structure_change(stored.get(query_id), footing.contents[query_id], made.contents[query_id], places)

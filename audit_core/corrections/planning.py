"""Corrections laid one on the other: what each query becomes, which ones no longer fit, and what stands in their way."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from audit_core.corrections.applying import PagePlaces, QueryContent, apply_change, structure_of
from audit_core.corrections.checking import ON_A_PAGE, faults_of
from audit_core.corrections.drift import drift_of, stale_fault
from audit_core.corrections.faults import Fault
from audit_core.corrections.ground import Ground
from audit_core.corrections.pieces import key_of
from audit_core.corrections.records import Action, Change
from audit_core.errors import CorrectionError, CorrectionStale

_OF_THE_EVIDENCE = ("key.set_id", "after.element_id")
#: How evidence is called of which no page is left.
NO_EVIDENCE = "no evidence left"
#: How a query is called that had none before either, and one that is taken out.
NEVER_HAD = "had and has no evidence"
WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Misfit:
    """A correction that cannot be applied: why, and the one before it that acts on the same thing (None where none does).

    `is_stale` is True where it expects something else than stands there, so that it can be rebased; False where it names
    what the dataset does not have. `faults` say by field what is wrong.
    """

    id: int
    reason: str
    against: int | None
    is_stale: bool
    faults: tuple[Fault, ...] = ()


@dataclass(slots=True)
class Plan:
    """What came of applying corrections in order: the queries' contents, those that did not fit, and those that did."""

    contents: dict[str, QueryContent]
    misfits: list[Misfit] = field(default_factory=list)
    applied: list[tuple[int, Change]] = field(default_factory=list)
    _touched: dict[str, list[tuple[int, Change]]] = field(default_factory=dict)

    def lay(self, correction_id: int, change: Change, ground: Ground) -> Misfit | None:
        """Apply one more correction; where it does not fit, nothing changes and what is wrong comes back."""
        content = self.contents.get(change.query_id)
        misfit = None
        if content is None:
            reason = f"The dataset has no query {change.query_id!r}, which the correction {change.action} names."
            fault = Fault("query_id", repr(change.query_id), "a query of the dataset")
            misfit = Misfit(correction_id, reason, None, False, (fault,))
        else:
            misfit = self._fit(correction_id, change, content, ground)
        if misfit is not None:
            self.misfits.append(misfit)
            return misfit
        self.applied.append((correction_id, change))
        self._touched.setdefault(change.query_id, []).append((correction_id, change))
        return None

    def _fit(self, correction_id: int, change: Change, content: QueryContent, ground: Ground) -> Misfit | None:
        told = f"The correction {change.action} of query {change.query_id!r} cannot be applied"
        against = self._in_the_way(change)
        faults = faults_of(change, content, ground)
        # Sets and elements are looked for in the evidence: where an earlier correction took them, this one is stale.
        lasting = [each for each in faults if against is None or each.field not in _OF_THE_EVIDENCE]
        if lasting:
            return Misfit(correction_id, f"{told}: {'; '.join(map(str, lasting))}.", None, False, tuple(lasting))
        try:
            made = apply_change(content, change)
            if drift := drift_of(change, content):
                raise CorrectionStale(f"{told}: {drift}.")
        except CorrectionStale as stale:
            named = f" Correction {against} stands in its way." if against is not None else ""
            return Misfit(correction_id, f"{stale}{named}", against, True, (stale_fault(change, content),))
        if faults:
            return Misfit(correction_id, f"{told}: {'; '.join(map(str, faults))}.", None, False, tuple(faults))
        self.contents[change.query_id] = made
        return None

    def _in_the_way(self, change: Change) -> int | None:
        """Return the last correction of the query that was applied and meets this one."""
        before = reversed(self._touched.get(change.query_id, []))
        return next((each for each, other in before if meet(other, change)), None)


def plan(
    contents: Mapping[str, QueryContent], corrections: Sequence[tuple[int, Change]], ground: Ground
) -> Plan:  # fmt: skip
    """Return what corrections, given with their ids, make of these queries, each applied on top of those before it."""
    made = Plan(dict(contents))
    for correction_id, change in corrections:
        made.lay(correction_id, change, ground)
    return made


def meet(one: Change, other: Change) -> bool:
    """Return whether two changes of one query act on the same thing, so that the order or the choice matters."""
    if one.query_id != other.query_id:
        return False
    if Action.WITHDRAW in (one.action, other.action):
        return True
    if one.action not in ON_A_PAGE or other.action not in ON_A_PAGE:
        return one.action == other.action
    if one.key != other.key:
        return False
    if {Action.ADD_PAGE, Action.DROP_PAGE} & {one.action, other.action}:
        return True
    return bool(_boxes(one) & _boxes(other))


def _boxes(change: Change) -> set[Hashable]:
    """Return the pieces that a change takes away or puts there."""
    return {key_of(each) for each in (change.before, change.after) if isinstance(each, dict)}


def conflicts(batches: Sequence[Sequence[tuple[int, Change]]], plan_so_far: Plan, ground: Ground) -> dict[int, int]:
    """Return, for proposals that would not fit any more once an earlier one were accepted, the id of that earlier one.

    A batch is what was proposed together: its corrections build on each other. Each batch is held against each earlier one
    of the same query, both on top of what is accepted.
    """
    found: dict[int, int] = {}
    for at, batch in enumerate(batches):
        for earlier in batches[:at]:
            queries = {change.query_id for _, change in batch} & {change.query_id for _, change in earlier}
            if not queries or not any(meet(one, other) for _, one in earlier for _, other in batch):
                continue
            base = {each: plan_so_far.contents[each] for each in queries if each in plan_so_far.contents}
            alone = {
                each.id for each in plan(base, [each for each in batch if each[1].query_id in queries], ground).misfits
            }
            both = plan(base, [each for each in (*earlier, *batch) if each[1].query_id in queries], ground)
            own = {each for each, _ in batch} - alone
            for misfit in both.misfits:
                if misfit.id in own and misfit.against is not None:
                    found.setdefault(misfit.id, misfit.against)
    return found


@dataclass(frozen=True, slots=True)
class StructureChange:
    """The evidence structure before and after; `after` is None where no page of the evidence is known, or none is left.

    `is_empty` says that corrections took the last evidence of a query that is not withdrawn; `never_had` that it has none
    now and had none before.
    """

    before: str | None
    after: str | None
    is_empty: bool
    is_withdrawn: bool = False
    never_had: bool = False

    @property
    def evidence_left(self) -> bool | None:
        """Whether the query has evidence; None where it is withdrawn."""
        return None if self.is_withdrawn else not (self.is_empty or self.never_had)

    @property
    def words(self) -> str:
        """Both in words: `Doc-Near -> Page-Single`, `Cross-Doc (unchanged)`, `Page-Single -> no evidence left`, `withdrawn`."""
        if self.is_withdrawn:
            return WITHDRAWN
        if self.never_had:
            return NEVER_HAD
        after = NO_EVIDENCE if self.is_empty else self.after or "no known page"
        before = self.before or "no known page"
        return f"{before} (unchanged)" if before == after else f"{before} -> {after}"


def structure_change(stored: str | None, old: QueryContent, new: QueryContent, places: PagePlaces) -> StructureChange:
    """Return what becomes of a query's structure: the stored one, and that of its new evidence.

    Where the pieces stay what they were, it stays what is stored, whatever its pages are.
    """
    after = stored if old.evidence == new.evidence else structure_of(new.evidence, places)
    never_had = not old.evidence and not new.evidence
    is_empty = not new.evidence and not never_had and not new.is_withdrawn
    return StructureChange(stored, after, is_empty, new.is_withdrawn, never_had)


def is_outdated(change: Change, content: QueryContent, ground: Ground) -> bool:
    """Return whether a change expects something else than the query has, and names nothing that the dataset does not have."""
    misfit = Plan({content.query_id: content}).lay(0, change, ground)
    return misfit is not None and misfit.is_stale


def require_fit(misfit: Misfit | None) -> None:
    """Go on where a correction fits.

    Raises:
        CorrectionStale: it must be rebased.
        CorrectionError: it names what the dataset does not have.
    """
    if misfit is not None:
        raise (CorrectionStale if misfit.is_stale else CorrectionError)(misfit.reason)

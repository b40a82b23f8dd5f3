"""Whether a sample of one dataset revision is a random sample of a later one, and its design if it is.

It is where three things hold. The later revision has no query that the sample was not drawn from, and each of its
queries lies in the stratum in which it was: queries that were withdrawn are no harm, for what is left of a random sample
is a random sample of what is left, given its size in each stratum (Holt and Smith 1979, JRSS A 142, 33-46). And the
changes do not gather in the sample's own queries: a revision in which just the faults that an audit found are mended has
a sample that is better than the rest, whatever way it was drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from audit_core.domain import SampleDesign, Stratum
from audit_core.sampling import StratumKey
from audit_core.sampling.changes import StratumChange, chance_of_as_many, expected_changes
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.samples import SampleRecord, StratumRow
from audit_core.workflow.random_share import is_mixed

if TYPE_CHECKING:
    import polars as pl

#: A sample that meets so many changes by chance this seldom is taken to have caused them.
CHANCE = 0.01
#: The method of a sample that is none of the later revision; its words tell every reader of an export.
NOT_CARRIED = "carried over from another revision: non-probability"


@dataclass(frozen=True, slots=True, eq=False)
class Frames:
    """The queries that were drawn from, and those of the later revision by the same filter: query_id, source, structure.

    `hash` is that of the later ids. `later` is empty where no query matches any more.
    """

    earlier: pl.DataFrame
    later: pl.DataFrame
    hash: str


@dataclass(frozen=True, slots=True)
class CarriedDesign:
    """The design of the new campaign and what is stored beside it; `reason` says why it is, or is no, probability sample."""

    design: SampleDesign | None
    record: SampleRecord | None
    is_kept: bool
    reason: str


def carried_design(
    campaign: CampaignRow,
    design: SampleDesign | None,
    strata: Sequence[StratumRow],
    *,
    source: DatasetRow,
    target: DatasetRow,
    frames: Frames,
    entry_ids: Sequence[str],
    changed: Mapping[str, bool],
    left_out: tuple[int, ...],
) -> CarriedDesign:
    """Return the design for the entries that are still there; `changed` tells of each earlier query whether it changed or went.

    `entry_ids` are the queries of the earlier campaign's entries, `left_out` the campaigns whose queries its draw left out.
    """
    if design is None:
        return CarriedDesign(None, None, False, "The earlier campaign has no sample design, so this has none.")
    remaining = set(frames.later["query_id"].to_list()) & set(entry_ids)
    by_stratum = Counter(_keys(frames.later, remaining).values())
    populations = _populations(frames.later)
    reason = _why_not(campaign, design, source, frames, entry_ids, changed)
    if reason is not None:
        counted = tuple(Stratum(*key, populations[key], by_stratum[key]) for key in sorted(populations))
        none = SampleDesign(target.name, target.revision, NOT_CARRIED, None, counted, is_probability=False)
        return CarriedDesign(none, _record(campaign, frames.hash, {}, (), is_kept=False), False, reason)
    name = target.name + design.frame_name.removeprefix(source.name)
    if frames.earlier.height == frames.later.height:
        kept = replace(design, frame_name=name, frame_revision=target.revision)
        before = {
            (row.source, row.evidence_structure): (row.frame_population or row.population, row.left_out or 0)
            for row in strata
        }
        record = _record(campaign, frames.hash, before, left_out, is_kept=True)
        return CarriedDesign(
            kept, record, True, "The later revision has the same queries in the same strata: the design holds."
        )
    counted = tuple(Stratum(*key, populations[key], by_stratum[key]) for key in sorted(populations))
    kept = replace(design, frame_name=name, frame_revision=target.revision, strata=counted)
    record = _record(campaign, frames.hash, {key: (populations[key], 0) for key in populations}, (), is_kept=True)
    gone = frames.earlier.height - frames.later.height
    return CarriedDesign(
        kept, record, True,
        f"{gone:,} queries were withdrawn and none came: the entries that are left are a random sample of the queries that are.",
    )  # fmt: skip


def _why_not(
    campaign: CampaignRow,
    design: SampleDesign,
    source: DatasetRow,
    frames: Frames,
    entry_ids: Sequence[str],
    changed: Mapping[str, bool],
) -> str | None:
    no = "No probability sample of the later revision, which describes these entries only"
    if not design.is_probability:
        return f"{no}: the earlier campaign was none of its own revision."
    if design.frame_revision != source.revision or not design.frame_name.startswith(source.name):
        return f"{no}: the earlier campaign was drawn from {design.frame_name} {design.frame_revision}."
    new = frames.later.join(frames.earlier, on=["query_id", "source", "structure"], how="anti").height
    if new:
        return f"{no}: {new:,} of its queries could not be drawn, or lay in another stratum."
    if frames.later.is_empty():
        return f"{no}: none of its queries matches the filter of the earlier campaign."
    if frames.earlier.height != frames.later.height and campaign.left_out_at_random is not None:
        return f"{no}: queries were withdrawn, and the earlier draw left out those of other campaigns."
    strata = _strata_changes(frames.earlier, frozenset(entry_ids), changed)
    if chance_of_as_many(strata) < CHANCE:
        found, every = sum(each.changed_entries for each in strata), sum(each.changed for each in strata)
        return (
            f"{no}: {found:,} of the {every:,} queries that changed or went are entries of the campaign, where about "
            f"{expected_changes(strata):,.1f} would be so by chance. They seem to have been changed because of what it found, "
            "so its entries are better than the rest. Draw a fresh sample of the later revision."
        )
    return None


def _strata_changes(earlier: pl.DataFrame, entries: frozenset[str], changed: Mapping[str, bool]) -> list[StratumChange]:
    counts: dict[StratumKey, list[int]] = {}
    for query_id, source, structure in earlier.iter_rows():
        row = counts.setdefault((source, structure), [0, 0, 0, 0])
        is_entry, is_changed = query_id in entries, changed[query_id]
        for place, holds in enumerate((True, is_entry, is_changed, is_entry and is_changed)):
            row[place] += holds
    return [StratumChange(*row) for row in counts.values()]


def _keys(rows: pl.DataFrame, wanted: set[str]) -> dict[str, StratumKey]:
    return {query_id: (source, structure) for query_id, source, structure in rows.iter_rows() if query_id in wanted}


def _populations(rows: pl.DataFrame) -> dict[StratumKey, int]:
    import polars as pl

    counts = rows.group_by("source", "structure").agg(pl.len())
    return {(source, structure): int(count) for source, structure, count in counts.iter_rows()}


def _record(
    campaign: CampaignRow,
    frame_hash: str,
    strata: Mapping[StratumKey, tuple[int, int]],
    left_out: tuple[int, ...],
    *,
    is_kept: bool,
) -> SampleRecord:
    """Return what is stored of the draw; of one that does not hold for the later revision only its filter and plan."""
    return SampleRecord(
        # A mixed draw stays known as one: what scores chose may evaluate nothing on a later revision either.
        scheme=campaign.sample_scheme if is_kept or is_mixed(campaign) else None,
        allocation=campaign.allocation if is_kept else None,
        plan=campaign.plan,
        frame_condition=campaign.frame_condition if is_kept else None,
        frame_filter=campaign.frame_filter,
        frame_hash=frame_hash if is_kept else None,
        left_out_at_random=campaign.left_out_at_random if is_kept and left_out else None,
        left_out_elsewhere=campaign.left_out_elsewhere if is_kept and left_out else None,
        frame_strata=strata,
        left_out_campaigns=left_out,
    )

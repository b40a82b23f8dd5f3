"""The frame of a campaign: which queries can be drawn, by stratum, and which of them earlier campaigns took."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from audit_core.errors import AssayError
from audit_core.sampling import StratumKey
from audit_core.sampling.records import SIMPLE
from audit_core.statistics.stratified import name_list
from audit_core.storage import campaigns, samples
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.database import Connection
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.sample_request import SampleFilter, SampleKind, SampleRequest
from audit_core.workflow.workspace import Workspace

if TYPE_CHECKING:
    import polars as pl

    from audit_core.datasets.revision import Revision

#: Frames that stay in memory: one of 271,760 queries takes about 30 MB.
_FRAMES_KEPT = 4
_ALL_MATCHES = 2**31 - 1


@dataclass(frozen=True, slots=True)
class FrameStratum:
    """A stratum of the frame: `population` queries, of which earlier campaigns took `left_out`."""

    key: StratumKey
    population: int
    left_out: int

    @property
    def eligible(self) -> int:
        """How many can be drawn."""
        return self.population - self.left_out


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """What a request draws from. `left_out_ids` are all queries of the earlier campaigns, `elsewhere` those not in the frame.

    `at_random` tells whether the queries left out had been drawn at random from this very frame.
    """

    rows: pl.DataFrame
    hash: str
    strata: tuple[FrameStratum, ...]
    left_out_ids: frozenset[str]
    at_random: bool
    elsewhere: int

    def ids(self) -> dict[StratumKey, list[str]]:
        """Return the query ids of each stratum, as draws take them."""
        frame: dict[StratumKey, list[str]] = {}
        for query_id, source, structure in self.rows.iter_rows():
            frame.setdefault((source, structure), []).append(query_id)
        return frame


def frame_for(workspace: Workspace, dataset: DatasetRow, request: SampleRequest) -> Frame:
    """Return the frame of a request. The first call for a dataset and filter reads it; later ones find it in memory.

    Raises:
        AssayError: no query matches the filter (says what there is), or an earlier campaign is none of this dataset.
    """
    revision = workspace.revision(dataset)
    rows, frame_hash = frame_rows(revision, request.where)
    with workspace.database.read() as connection:
        earlier = earlier_campaigns(connection, dataset, request.leave_out)
        taken = frozenset(samples.query_ids_of(connection, request.leave_out)) if earlier else frozenset()
        at_random = bool(earlier) and all(_is_random(each, frame_hash, request.kind) for each in earlier)
    strata, inside = _strata(rows, taken)
    return Frame(rows, frame_hash, strata, taken, at_random, len(taken) - inside)


def earlier_campaigns(connection: Connection, dataset: DatasetRow, wanted: Iterable[int]) -> list[CampaignRow]:
    """Return the campaigns whose entries are to be left out.

    Raises:
        AssayError: one is not there, or is on a dataset of another name, whose ids mean other queries.
    """
    known = {each.id: each for each in campaigns.on_dataset_name(connection, dataset.name)}
    found = []
    for each in wanted:
        if each not in known:
            raise AssayError(f"A campaign to leave out is not one on {dataset.name}. Choose campaigns of that dataset.")
        found.append(known[each])
    return found


def _is_random(earlier: CampaignRow, frame_hash: str, kind: SampleKind) -> bool:
    """Return whether an earlier campaign is a random draw of the same frame, whole or by strata.

    Sizes of a stratified draw say nothing of single queries within a stratum, but they do within the frame as a whole: for a
    simple draw only simple ones are random.
    """
    if not earlier.is_probability_sample or earlier.frame_hash != frame_hash:
        return False
    if earlier.left_out_at_random is False:
        return False
    return earlier.sample_method == SIMPLE if kind is SampleKind.SIMPLE else True


def _strata(rows: pl.DataFrame, taken: frozenset[str]) -> tuple[tuple[FrameStratum, ...], int]:
    """Return the strata, sorted, with how many of each were taken, and how many of those taken are in the frame."""
    import polars as pl

    is_taken = pl.col("query_id").is_in(list(taken)) if taken else pl.lit(False)
    counts = rows.group_by("source", "structure").agg(pl.len().alias("all"), is_taken.sum().alias("taken"))
    found = [
        FrameStratum((source, structure), int(population), int(out))
        for source, structure, population, out in counts.sort("source", "structure").iter_rows()
    ]
    return tuple(found), sum(each.left_out for each in found)


def frame_rows(revision: Revision, where: SampleFilter) -> tuple[pl.DataFrame, str]:
    """Return (query_id, source, structure) of the queries of a revision that match, and the hash of their ids.

    Raises:
        AssayError: no query matches.
    """
    return _read_frame(revision.folder, where)


@lru_cache(maxsize=_FRAMES_KEPT)
def _read_frame(folder: Path, where: SampleFilter) -> tuple[pl.DataFrame, str]:
    """Return (query_id, source, structure) of the queries that match, in the dataset's order, and the hash of their ids.

    The folder of a revision never changes, so what was read from it may be kept.
    """
    import polars as pl

    from audit_core.datasets.revision import open_revision

    revision = open_revision(folder)
    table = revision.table("queries").select(
        "query_id", "source", "domain", "generator", structure="evidence_structure"
    )
    for key, values in where.as_json().items():
        if key == "text":
            table = table.filter(pl.col("query_id").is_in(_found(revision, values)))
        elif key == "finding":
            table = table.filter(pl.col("query_id").is_in(_with_findings(revision, values)))
        else:
            table = table.filter(pl.col(key).is_in(values))
    rows = table.select("query_id", "source", "structure").collect()
    if rows.is_empty():
        raise AssayError(_nothing_matches(revision, where))
    return rows, ids_hash(rows["query_id"].to_list())


def _found(revision: Revision, searches: list[str]) -> list[str]:
    return [each for words in searches for each in revision.search(words, limit=_ALL_MATCHES)]


def _with_findings(revision: Revision, kinds: list[str]) -> list[str]:
    """Return the queries with findings of these kinds, on themselves or their evidence."""
    import polars as pl

    rows = revision.table("findings").filter(
        pl.col("kind").is_in(kinds) & pl.col("table").is_in(["queries", "evidence"])
    )
    return rows.select("row_key").drop_nulls().unique().collect()["row_key"].to_list()


def ids_hash(query_ids: list[str]) -> str:
    """Return the hash of a set of query ids, whatever their order."""
    whole = hashlib.sha256()
    for each in sorted(query_ids):
        part = each.encode("utf-8", "surrogatepass")
        # The length before each id: ("a", "bc") and ("ab", "c") must not be hashed alike.
        whole.update(len(part).to_bytes(8, "big") + part)
    return whole.hexdigest()


def filter_choices(revision: Revision, key: str) -> list[str]:
    """Return the values that a key of a filter can take in a dataset, sorted; empty for `text`."""
    return _choices(revision.folder, key)


@lru_cache(maxsize=64)
def _choices(folder: Path, key: str) -> list[str]:
    import polars as pl

    from audit_core.datasets.revision import open_revision

    revision = open_revision(folder)
    if key == "text":
        return []
    if key == "finding":
        table = revision.table("findings").filter(pl.col("table").is_in(["queries", "evidence"])).select(key="kind")
    else:
        table = revision.table("queries").select(key="evidence_structure" if key == "structure" else key)
    return sorted(table.drop_nulls().unique().collect()["key"].to_list())


def _nothing_matches(revision: Revision, where: SampleFilter) -> str:
    if where.is_empty:
        return f"Dataset {revision.info.name} has no queries to judge."
    unknown = [
        f"{key} {value!r} (there are: {name_list(known, most=10) or 'none'})"
        for key, values in where.as_json().items()
        if key != "text"
        for known in [filter_choices(revision, key)]
        for value in values
        if value not in known
    ]
    because = f" Not in this dataset: {'; '.join(unknown)}." if unknown else " Widen the filter."
    return f"No query matches the filter ({where.condition}).{because}"
